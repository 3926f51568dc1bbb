/* baselines.c - strategies of others: hcpa, mheft, bicpa.
 *
 * Source: spec/science.md 8.  HCPA: N'takpe, Suter, "Critical path and area based scheduling of
 * parallel task graphs on heterogeneous platforms", 2006; its later rules of the average area are
 * left out.  M-HEFT: Casanova, Desprez, Suter, "From heterogeneous task scheduling to heterogeneous
 * mixed parallel scheduling", 2004.  biCPA: Desprez, Suter, "A bi-criteria algorithm for scheduling
 * parallel task graphs on clusters", 2010.
 *
 * Idea: hcpa allocates by SCRAP with the whole platform as the share of every graph, and maps
 * without packing.  mheft lists tasks by rank and tries every width on every cluster.  bicpa
 * allocates as CPA does on a cluster of 1, 2, .., p processors, plans with each allocation on the
 * real cluster, and chooses by makespan and work.
 *
 * Invariants
 *   - every list is a topological order: ranks and bottom levels do not rise along an arc, and ties
 *     keep the topological order.
 *   - the allocation of a size of bicpa grows from that of the size before.
 *
 * Complexity, V tasks, A arcs, P processors: mheft V P placements; bicpa P V placements and, for
 * each of its at most V P increments, bottom levels in O(V + A).  No tuned constants.
 */
#include "problems/ptg/baselines.h"

#include "problems/ptg/rank.h"
#include "problems/ptg/run.h"
#include "problems/ptg/strategy.h"
#include "problems/ptg/width.h"

#include <math.h>
#include <string.h>

/* ---- hcpa ---- */

static struct cs_ptg_plan *plan_hcpa(const struct cs_ptg_instance *in,
                                     const struct cs_ptg_request *request, struct cs_error *err)
{
    struct cs_arena *scratch = cs_arena_create();
    struct cs_ptg_options options = *request->options;
    double *beta = CS_NEW_ARRAY(scratch, double, in->graphs);
    struct cs_ptg_plan *plan;

    (void)err;
    for (int g = 0; g < in->graphs; g++)
        beta[g] = 1;
    options.procedure = CS_PTG_SCRAP;
    options.pack = false;
    plan = cs_ptg_run_shares(in, &options, beta);
    cs_arena_destroy(scratch);
    return plan;
}

/* ---- mheft ---- */

enum { M_EFFICIENCY, M_SHARE };

static void shares_whole(struct cs_ptg_plan *plan)
{
    for (int g = 0; g < plan->graphs; g++)
        plan->beta[g] = 1;
}

static struct cs_ptg_plan *plan_mheft(const struct cs_ptg_instance *in,
                                      const struct cs_ptg_request *request, struct cs_error *err)
{
    const double *param = request->call.param;
    const int clusters = in->platform->clusters;
    struct cs_arena *scratch = cs_arena_create();
    struct cs_ptg_plan *plan = cs_ptg_plan_create(in);
    int *order = CS_NEW_ARRAY(scratch, int, in->tasks);
    int *least = CS_NEW_ARRAY(scratch, int, in->tasks *clusters);
    int *most = CS_NEW_ARRAY(scratch, int, in->tasks *clusters);

    (void)err;
    cs_ptg_rank(in, INFINITY, plan->bottom, scratch);
    cs_ptg_rank_order(in, plan->bottom, order, scratch);
    for (int at = 0; at < in->tasks * clusters; at++) {
        const int procs = in->platform->cluster[at % clusters].procs;
        const int share = (int)fmax(1, floor(param[M_SHARE] * procs));
        const int useful = cs_ptg_width_efficient(cs_ptg_task(in, at / clusters)->alpha,
                                                  param[M_EFFICIENCY], procs);

        least[at] = 1;
        most[at] = useful < share ? useful : share;
    }
    cs_ptg_run_list(in, &(struct cs_ptg_list){order, least, most, cs_ptg_request_fan(request)},
                    plan);
    shares_whole(plan);
    cs_arena_destroy(scratch);
    return plan;
}

/* ---- bicpa ---- */

/* An allocation that grows, on the only cluster. */
struct growth {
    const struct cs_graph *graph;
    double speed;
    int procs;
    int *width;
    double *bottom; /* bottom levels, transfers not counted */
    double work;
};

static double growth_time(const struct growth *g, int v, int width)
{
    return cs_graph_task_time(&g->graph->task[v], width, g->speed);
}

/* The successor of the largest bottom level, ties to the lower index; -1: none. */
static int next_on_path(const struct growth *g, int v)
{
    int next = -1;

    for (int a = g->graph->first_out[v]; a < g->graph->first_out[v + 1]; a++) {
        const int w = g->graph->arc[a].to;

        if (next < 0 || g->bottom[w] > g->bottom[next] ||
            (g->bottom[w] == g->bottom[next] && w < next))
            next = w;
    }
    return next;
}

/* Bottom levels and work; returns the first task of the critical path, which nothing precedes. */
static int growth_measure(struct growth *g)
{
    const struct cs_graph *graph = g->graph;
    int first = -1;

    g->work = 0;
    for (int i = graph->tasks - 1; i >= 0; i--) {
        const int v = graph->order[i], next = next_on_path(g, v);

        g->bottom[v] = growth_time(g, v, g->width[v]) + (next < 0 ? 0 : g->bottom[next]);
    }
    for (int v = 0; v < graph->tasks; v++) {
        g->work += g->width[v] * growth_time(g, v, g->width[v]);
        if (graph->first_in[v] == graph->first_in[v + 1] &&
            (first < 0 || g->bottom[v] > g->bottom[first]))
            first = v;
    }
    return first;
}

/* The task of the path that gains most by one more processor; -1: none gains. */
static int growth_pick(const struct growth *g, int first)
{
    double best = 0;
    int picked = -1;

    for (int v = first; v >= 0; v = next_on_path(g, v)) {
        const int n = g->width[v];
        const double gain =
            n < g->procs ? growth_time(g, v, n) / n - growth_time(g, v, n + 1) / (n + 1) : 0;

        if (gain > best) {
            best = gain;
            picked = v;
        }
    }
    return picked;
}

/* Until the critical path is no longer than the average area on so many processors. */
static void growth_reach(struct growth *g, int size, bool *stuck)
{
    int first = growth_measure(g);

    while (!*stuck && g->bottom[first] > g->work / size) {
        const int v = growth_pick(g, first);

        *stuck = v < 0;
        if (v >= 0) {
            g->width[v]++;
            first = growth_measure(g);
        }
    }
}

/* Plan with these widths, by bottom level. */
static void plan_widths(const struct cs_ptg_instance *in, bool fan, const int *width,
                        struct cs_ptg_plan *plan, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    int *order = CS_NEW_ARRAY(scratch, int, in->tasks);
    struct growth g = {.graph = in->graph[0],
                       .speed = in->platform->cluster[0].speed,
                       .width = memcpy(CS_NEW_ARRAY(scratch, int, in->tasks), width,
                                       (size_t)in->tasks * sizeof *width),
                       .bottom = plan->bottom};

    growth_measure(&g);
    cs_ptg_rank_order(in, plan->bottom, order, scratch);
    cs_ptg_run_list(in, &(struct cs_ptg_list){order, width, width, fan}, plan);
    shares_whole(plan);
    cs_arena_rewind(scratch, mark);
}

struct cs_ptg_sizes cs_ptg_sizes_try(const struct cs_ptg_instance *in, bool fan,
                                     struct cs_arena *arena)
{
    const int procs = in->platform->procs, tasks = in->tasks;
    const int **width = CS_NEW_ARRAY(arena, const int *, procs);
    struct cs_ptg_sizes sizes = {.sizes = procs,
                                 .width = width,
                                 .makespan = CS_NEW_ARRAY(arena, double, procs),
                                 .work = CS_NEW_ARRAY(arena, double, procs)};
    struct growth g = {.graph = in->graph[0],
                       .speed = in->platform->cluster[0].speed,
                       .procs = procs,
                       .width = CS_NEW_ARRAY(arena, int, tasks),
                       .bottom = CS_NEW_ARRAY(arena, double, tasks)};
    bool stuck = false;

    for (int v = 0; v < tasks; v++)
        g.width[v] = 1;
    for (int s = 0; s < procs; s++) {
        struct cs_ptg_plan *plan = cs_ptg_plan_create(in);

        growth_reach(&g, s + 1, &stuck);
        width[s] =
            memcpy(CS_NEW_ARRAY(arena, int, tasks), g.width, (size_t)tasks * sizeof *g.width);
        plan_widths(in, fan, width[s], plan, arena);
        sizes.makespan[s] = plan->makespan;
        sizes.work[s] = g.work;
        cs_ptg_plan_destroy(plan);
    }
    return sizes;
}

/* By (makespan, work, size), or with `work` by (work, size). */
static bool sizes_before(const struct cs_ptg_sizes *sizes, int a, int b, bool work)
{
    if (!work && sizes->makespan[a] != sizes->makespan[b])
        return sizes->makespan[a] < sizes->makespan[b];
    if (sizes->work[a] != sizes->work[b])
        return sizes->work[a] < sizes->work[b];
    return a < b;
}

/* No other size is better in one of makespan and work and not worse in the other. */
static bool is_on_front(const struct cs_ptg_sizes *sizes, int a)
{
    for (int b = 0; b < sizes->sizes; b++)
        if (sizes_before(sizes, b, a, false) && sizes->work[b] < sizes->work[a])
            return false;
    return true;
}

static double share_of(double value, double whole)
{
    return whole > 0 ? value / whole : 1;
}

/* The size of the front with the least value of the rule; of equals the first. */
static int front_choose(const struct cs_ptg_sizes *sizes, enum cs_ptg_bicpa rule)
{
    const int cpa = sizes->sizes - 1;
    double least = INFINITY;
    int best = cpa;

    for (int a = 0; a < sizes->sizes; a++) {
        const double makespan = share_of(sizes->makespan[a], sizes->makespan[cpa]);
        const double work = share_of(sizes->work[a], sizes->work[cpa]);
        const double value = rule == CS_PTG_BICPA_S ? makespan + work : fabs(1 - work / makespan);

        if (is_on_front(sizes, a) &&
            (value < least || (value == least && sizes_before(sizes, a, best, false)))) {
            least = value;
            best = a;
        }
    }
    return best;
}

int cs_ptg_sizes_choose(const struct cs_ptg_sizes *sizes, enum cs_ptg_bicpa rule)
{
    const int cpa = sizes->sizes - 1;
    int best = cpa;

    if (rule == CS_PTG_BICPA_S || rule == CS_PTG_BICPA_E)
        return front_choose(sizes, rule) + 1;
    for (int a = 0; a < cpa && rule != CS_PTG_BICPA_CPA; a++) {
        const bool work = rule == CS_PTG_BICPA_W;
        const bool fits =
            work ? sizes->makespan[a] <= sizes->makespan[cpa] : sizes->work[a] <= sizes->work[cpa];

        if (fits && sizes_before(sizes, a, best, work))
            best = a;
    }
    return best + 1;
}

static struct cs_ptg_plan *plan_bicpa(const struct cs_ptg_instance *in,
                                      const struct cs_ptg_request *request, struct cs_error *err)
{
    struct cs_arena *scratch;
    struct cs_ptg_sizes sizes;
    struct cs_ptg_plan *plan;
    int size;

    if (in->platform->clusters != 1 || in->graphs != 1) {
        cs_error_set(err, "bicpa plans one graph on one cluster; %s %d %s",
                     in->platform->clusters != 1 ? "this platform has" : "these are",
                     in->platform->clusters != 1 ? in->platform->clusters : in->graphs,
                     in->platform->clusters != 1 ? "clusters" : "graphs");
        return NULL;
    }
    scratch = cs_arena_create();
    sizes = cs_ptg_sizes_try(in, cs_ptg_request_fan(request), scratch);
    size = cs_ptg_sizes_choose(&sizes, (enum cs_ptg_bicpa)request->call.param[0]);
    plan = cs_ptg_plan_create(in);
    plan_widths(in, cs_ptg_request_fan(request), sizes.width[size - 1], plan, scratch);
    cs_arena_destroy(scratch);
    return plan;
}

const struct cs_ptg_strategy cs_ptg_strategy_hcpa = {
    .info = {.name = "hcpa",
             .problem = "ptg",
             .summary = "allocations until the critical path is no longer than the average area, "
                        "mapped without packing; the plain rule of the average area",
             .source = "N'takpe, Suter 2006"},
    .plan = plan_hcpa,
    .itself = true,
};

const struct cs_ptg_strategy cs_ptg_strategy_mheft = {
    .info = {.name = "mheft",
             .problem = "ptg",
             .summary = "tasks by rank, each on the cluster and of the width where it ends first",
             .source = "Casanova, Desprez, Suter 2004",
             .params =
                 (const struct cs_policy_param[]){{.name = "efficiency",
                                                   .kind = CS_POLICY_PARAM_REAL,
                                                   .default_text = "0",
                                                   .low = 0,
                                                   .high = 1,
                                                   .summary = "no task is wider than it uses its "
                                                              "processors this well (ours)"},
                                                  {.name = "share",
                                                   .kind = CS_POLICY_PARAM_REAL,
                                                   .default_text = "1",
                                                   .low = 0,
                                                   .high = 1,
                                                   .summary =
                                                       "no task is wider than this part of a "
                                                       "cluster (ours)"},
                                                  {0}}},
    .plan = plan_mheft,
    .itself = true,
};

const struct cs_ptg_strategy cs_ptg_strategy_bicpa = {
    .info = {.name = "bicpa",
             .problem = "ptg",
             .summary = "one graph on one cluster: allocations as CPA makes them for every number "
                        "of processors, chosen by makespan and work",
             .source = "Desprez, Suter 2010",
             .params = (const struct cs_policy_param[]){{.name = "choose",
                                                         .kind = CS_POLICY_PARAM_CHOICE,
                                                         .default_text = "S",
                                                         .choices = "S|M|W|E|cpa",
                                                         .summary =
                                                             "least sum of both over those of CPA; "
                                                             "least makespan, least work with no "
                                                             "more of the other; most equal; CPA"},
                                                        {0}}},
    .plan = plan_bicpa,
    .itself = true,
    .single = true,
};
