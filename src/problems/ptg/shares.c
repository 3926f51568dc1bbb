/* shares.c - strategies whose shares follow from the graphs alone.
 *
 * Source: N'takpe, Suter, sections 5 and 6; spec/ptg.md 5.  The measures mix, par and power are
 * not from the paper: spec/ptg.md, Part II, 1.
 *
 * S, ES, PS-x and WPS-x: all of the platform, equal parts, parts in proportion to measure x of the
 * graph, and a mean of the two weighted by mu.  Mix is the geometric mean of width and work, par
 * the average parallelism, power the mean power that the graph uses when it is alone.
 *
 * Invariants
 *   - shares are in 0 .. 1 and sum to 1, except for S, where each is 1.
 *   - mu = 1 is ES, mu = 0 is PS; a sum of measures of 0 counts as equal measures.
 *   - a graph that is NULL in the scene (all of it is placed) has measure 0.
 *
 * Complexity: O(graphs), but cp takes one pass over each graph and power one plan of each.
 *
 * Constants
 *   name  value  unit       found by                       half, double
 *   mu    0.5    of 0 .. 1  cp and width: the paper        not measured
 *   mu    0.7    of 0 .. 1  work: the paper, its Figure 2  papers/ptg/fig2.json varies it
 *   mu    0.5    of 0 .. 1  mix, par, power: Part II, 1    not measured
 * The paper takes mu = 0.3 for WPS-width with FFT graphs.
 */
#include "problems/ptg/run.h"
#include "problems/ptg/strategy.h"

#include <math.h>
#include <string.h>

typedef double gamma_f(const struct cs_ptg_scene *scene, const struct cs_graph *graph);

double cs_ptg_gamma_cp(const struct cs_ptg_scene *scene, const struct cs_graph *graph)
{
    return graph ? cs_graph_critical_path(graph, NULL, scene->reference->speed, NULL) : 0;
}

double cs_ptg_gamma_width(const struct cs_ptg_scene *scene, const struct cs_graph *graph)
{
    (void)scene;
    return graph ? graph->width : 0;
}

double cs_ptg_gamma_work(const struct cs_ptg_scene *scene, const struct cs_graph *graph)
{
    (void)scene;
    return graph ? graph->work : 0;
}

static double gamma_mix(const struct cs_ptg_scene *scene, const struct cs_graph *graph)
{
    return sqrt(cs_ptg_gamma_width(scene, graph)) * sqrt(cs_ptg_gamma_work(scene, graph));
}

static double gamma_par(const struct cs_ptg_scene *scene, const struct cs_graph *graph)
{
    double path = cs_ptg_gamma_cp(scene, graph);

    return path > 0 ? cs_ptg_gamma_work(scene, graph) / path : 0;
}

/* Area in flop, idle processors counted, over the makespan alone. */
static double gamma_power(const struct cs_ptg_scene *scene, const struct cs_graph *graph)
{
    struct cs_ptg_plan *alone;
    double area = 0, power;

    if (!graph)
        return 0;
    alone = cs_ptg_run_alone(scene->platform, graph, scene->options);
    for (int v = 0; v < alone->tasks; v++) {
        const struct cs_ptg_place *place = &alone->place[v];

        area += place->procs * scene->platform->cluster[place->cluster].speed *
                (place->finish - place->start);
    }
    power = alone->makespan > 0 ? area / alone->makespan : 0;
    cs_ptg_plan_destroy(alone);
    return power;
}

void cs_ptg_shares_weighted(const double *gamma, int graphs, double mu, double *beta)
{
    double sum = 0;

    for (int g = 0; g < graphs; g++)
        sum += gamma[g];
    for (int g = 0; g < graphs; g++)
        beta[g] = mu / graphs + (1 - mu) * (sum > 0 ? gamma[g] / sum : 1.0 / graphs);
}

static void shares_weigh(const struct cs_ptg_scene *scene, gamma_f *gamma, double mu, double *beta)
{
    double *value = CS_NEW_ARRAY(scene->scratch, double, scene->graphs);

    for (int g = 0; g < scene->graphs; g++)
        value[g] = gamma(scene, scene->graph[g]);
    cs_ptg_shares_weighted(value, scene->graphs, mu, beta);
}

static void all_for_each(const struct cs_ptg_scene *scene, const double *param, double *beta)
{
    (void)param;
    for (int g = 0; g < scene->graphs; g++)
        beta[g] = 1;
}

static void shares_equal(const struct cs_ptg_scene *scene, const double *param, double *beta)
{
    (void)param;
    for (int g = 0; g < scene->graphs; g++)
        beta[g] = 1.0 / scene->graphs;
}

#define SOURCE "N'takpe, Suter, INRIA RR-6774 (2008), section 6"

const struct cs_ptg_strategy cs_ptg_strategy_s = {
    .info = {.name = "s",
             .problem = "ptg",
             .summary = "selfish: every graph may use the whole platform",
             .source = SOURCE},
    .shares = all_for_each,
};

const struct cs_ptg_strategy cs_ptg_strategy_es = {
    .info = {.name = "es", .problem = "ptg", .summary = "equal shares", .source = SOURCE},
    .shares = shares_equal,
};

#define MU(fallback_)                                                                              \
    (const struct cs_policy_param[])                                                               \
    {                                                                                              \
        {.name = "mu",                                                                             \
         .kind = CS_POLICY_PARAM_REAL,                                                             \
         .default_text = fallback_,                                                                \
         .low = 0,                                                                                 \
         .high = 1,                                                                                \
         .summary = "weight of equal shares; 1 is es, 0 is in proportion"},                        \
        {                                                                                          \
            0                                                                                      \
        }                                                                                          \
    }

/* ps-NAME: in proportion to a measure. */
#define PROPORTIONAL(id, name_, measure, text)                                                     \
    static void share_ps_##id(const struct cs_ptg_scene *scene, const double *param, double *beta) \
    {                                                                                              \
        (void)param;                                                                               \
        shares_weigh(scene, measure, 0, beta);                                                     \
    }                                                                                              \
    const struct cs_ptg_strategy cs_ptg_strategy_ps_##id = {                                       \
        .info = {.name = "ps-" name_,                                                              \
                 .problem = "ptg",                                                                 \
                 .summary = "shares in proportion to " text,                                       \
                 .source = SOURCE},                                                                \
        .shares = share_ps_##id,                                                                   \
    };

/* wps-NAME: weighted with equal shares. */
#define WEIGHTED(id, name_, measure, mu_, text, source_)                                           \
    static void share_wps_##id(const struct cs_ptg_scene *scene, const double *param,              \
                               double *beta)                                                       \
    {                                                                                              \
        shares_weigh(scene, measure, param[0], beta);                                              \
    }                                                                                              \
    const struct cs_ptg_strategy cs_ptg_strategy_wps_##id = {                                      \
        .info = {.name = "wps-" name_,                                                             \
                 .problem = "ptg",                                                                 \
                 .summary = "between equal shares and shares in proportion to " text,              \
                 .source = source_,                                                                \
                 .params = MU(mu_)},                                                               \
        .shares = share_wps_##id,                                                                  \
    };

#define OURS "after the WPS strategies of N'takpe and Suter, with a measure of ours"

PROPORTIONAL(cp, "cp", cs_ptg_gamma_cp, "the critical path with one processor a task")
PROPORTIONAL(width, "width", cs_ptg_gamma_width, "the size of the largest precedence level")
PROPORTIONAL(work, "work", cs_ptg_gamma_work, "the work of the graph")
WEIGHTED(cp, "cp", cs_ptg_gamma_cp, "0.5", "the critical path with one processor a task", SOURCE)
WEIGHTED(width, "width", cs_ptg_gamma_width, "0.5",
         "the size of the largest precedence level (the paper takes mu=0.3 for FFT)", SOURCE)
WEIGHTED(work, "work", cs_ptg_gamma_work, "0.7", "the work of the graph", SOURCE)
WEIGHTED(mix, "mix", gamma_mix, "0.5", "the geometric mean of width and work", OURS)
WEIGHTED(par, "par", gamma_par, "0.5", "the average parallelism, work over critical path", OURS)
WEIGHTED(power, "power", gamma_power, "0.5", "the mean power used when alone", OURS)

struct cs_ptg_scene cs_ptg_scene_of(const struct cs_ptg_instance *in,
                                    const struct cs_ptg_reference *reference,
                                    const struct cs_ptg_options *options, struct cs_arena *scratch)
{
    return (struct cs_ptg_scene){in->platform, reference, options, in->graphs, in->graph, scratch};
}
