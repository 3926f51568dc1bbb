/* run.c - the simulation in which ready tasks are placed. */
#include "ptg/run.h"

#include "base/order.h"
#include "ptg/allocate.h"
#include "ptg/events.h"
#include "ptg/map.h"

#include <math.h>
#include <string.h>

struct run {
    const struct cs_ptg_instance *in;
    const struct cs_ptg_options *options;
    const struct cs_ptg_strategy *strategy; /* online */
    const double *param;
    enum cs_ptg_mode mode;
    struct cs_ptg_reference reference;
    struct cs_ptg_plan *plan;
    struct cs_ptg_map map;
    struct cs_ptg_events events;
    struct cs_arena *scratch, *passing; /* passing: for one recomputation */
};

struct cs_ptg_plan *cs_ptg_plan_create(const struct cs_ptg_instance *in)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_ptg_plan *plan = CS_NEW(arena, struct cs_ptg_plan);
    int *first = CS_NEW_ARRAY(arena, int, in->graphs + 1);

    memcpy(first, in->first, ((size_t)in->graphs + 1) * sizeof *first);
    *plan = (struct cs_ptg_plan){
        .graphs = in->graphs,
        .tasks = in->tasks,
        .first = first,
        .place = CS_NEW_ARRAY(arena, struct cs_ptg_place, in->tasks),
        .allocation = CS_NEW_ARRAY(arena, int, in->tasks),
        .bottom = CS_NEW_ARRAY(arena, double, in->tasks),
        .beta = CS_NEW_ARRAY(arena, double, in->graphs),
        .completion = CS_NEW_ARRAY(arena, double, in->graphs),
        .rounds = 1,
        .storage = arena,
    };
    return plan;
}

void cs_ptg_plan_destroy(struct cs_ptg_plan *plan)
{
    if (plan)
        cs_arena_destroy(plan->storage);
}

static bool place_fits(const struct cs_platform *platform, const struct cs_ptg_place *place)
{
    const struct cs_cluster *c;
    int next, procs = 0;

    if (place->cluster < 0 || place->cluster >= platform->clusters || place->intervals < 0)
        return false;
    c = &platform->cluster[place->cluster];
    next = c->first;
    for (int i = 0; i < place->intervals; i++) {
        if (place->set[i].first < next || place->set[i].last < place->set[i].first)
            return false;
        procs += place->set[i].last - place->set[i].first + 1;
        next = place->set[i].last + 1;
    }
    return procs == place->procs && next <= c->first + c->procs;
}

bool cs_ptg_plan_fits(const struct cs_ptg_instance *in, const struct cs_ptg_plan *plan)
{
    if (plan->graphs != in->graphs || plan->tasks != in->tasks)
        return false;
    for (int g = 0; g <= in->graphs; g++)
        if (plan->first[g] != in->first[g])
            return false;
    for (int v = 0; v < in->tasks; v++)
        if (!place_fits(in->platform, &plan->place[v]))
            return false;
    return true;
}

void cs_ptg_plan_finish(struct cs_ptg_plan *plan)
{
    plan->makespan = 0;
    for (int g = 0; g < plan->graphs; g++) {
        plan->completion[g] = 0;
        for (int v = plan->first[g]; v < plan->first[g + 1]; v++)
            plan->completion[g] = fmax(plan->completion[g], plan->place[v].finish);
        plan->makespan = fmax(plan->makespan, plan->completion[g]);
    }
}

static void run_init(struct run *r, const struct cs_ptg_instance *in,
                     const struct cs_ptg_options *options)
{
    struct cs_arena *s = cs_arena_create();

    *r = (struct run){
        .in = in,
        .options = options,
        .reference = cs_ptg_reference_of(in->platform, options->reference),
        .plan = cs_ptg_plan_create(in),
        .scratch = s,
        .passing = cs_arena_create(),
    };
    cs_ptg_events_init(&r->events, in, s);
}

/* After run_init: the map keeps pointers into the run. */
static void run_begin(struct run *r)
{
    cs_ptg_map_init(&r->map, r->in, r->options, &r->reference, r->plan->place, r->plan->allocation,
                    r->plan->storage, r->passing);
}

static struct cs_ptg_plan *run_end(struct run *r)
{
    cs_ptg_plan_finish(r->plan);
    cs_arena_destroy(r->passing);
    cs_arena_destroy(r->scratch);
    return r->plan;
}

static void allocate_graph(struct run *r, int g)
{
    int first = r->in->first[g];

    cs_ptg_allocate(r->in->graph[g], &r->reference, r->options, r->plan->beta[g],
                    r->plan->allocation + first, r->plan->bottom + first, r->passing);
}

static void place_ready(struct run *r, double now)
{
    struct cs_arena_mark mark = cs_arena_mark(r->passing);

    cs_order_sort_descending(r->plan->bottom, r->events.ready, r->events.readies, r->passing);
    for (int i = 0; i < r->events.readies; i++) {
        int v = r->events.ready[i];

        cs_ptg_map_place(&r->map, v, now);
        cs_ptg_events_push(&r->events, v, r->plan->place[v].finish);
    }
    cs_arena_rewind(r->passing, mark);
}

/* One list of all tasks (section 4, global order). */
static void place_all_in_order(struct run *r)
{
    const struct cs_ptg_instance *in = r->in;
    double *key = CS_NEW_ARRAY(r->scratch, double, in->tasks), now = 0;
    int *task = CS_NEW_ARRAY(r->scratch, int, in->tasks);
    int *order = CS_NEW_ARRAY(r->scratch, int, in->tasks);

    for (int g = 0; g < in->graphs; g++)
        for (int i = 0; i < in->graph[g]->tasks; i++) {
            int at = in->first[g] + i;

            task[at] = in->first[g] + in->graph[g]->order[i];
            key[at] = r->plan->bottom[task[at]];
        }
    cs_order_descending(key, in->tasks, order, r->scratch);
    for (int i = 0; i < in->tasks; i++) {
        int v = task[order[i]];

        now = fmax(now, in->release[in->graph_of[v]]);
        cs_ptg_map_place(&r->map, v, now);
        now = r->plan->place[v].start;
    }
}

static struct cs_ptg_plan *run_offline(const struct cs_ptg_instance *in,
                                       const struct cs_ptg_options *options,
                                       struct cs_ptg_widen *widen, const double *beta)
{
    struct run r;

    run_init(&r, in, options);
    run_begin(&r);
    memcpy(r.plan->beta, beta, (size_t)in->graphs * sizeof *beta);
    for (int g = 0; g < in->graphs; g++)
        allocate_graph(&r, g);
    if (widen)
        cs_ptg_map_widen(&r.map, widen);
    if (options->order == CS_PTG_ORDER_GLOBAL)
        place_all_in_order(&r);
    while (options->order == CS_PTG_ORDER_READY && r.events.heap.count > 0) {
        double now = cs_ptg_events_next(&r.events);

        cs_ptg_events_take(&r.events, now);
        place_ready(&r, now);
    }
    return run_end(&r);
}

struct cs_ptg_plan *cs_ptg_run_shares(const struct cs_ptg_instance *in,
                                      const struct cs_ptg_options *options, const double *beta)
{
    return run_offline(in, options, NULL, beta);
}

struct cs_ptg_plan *cs_ptg_run_widened(const struct cs_ptg_instance *in,
                                       const struct cs_ptg_options *options, double efficiency,
                                       const double *beta)
{
    struct cs_ptg_widen widen = {.efficiency = efficiency, .beta = beta};

    return run_offline(in, options, &widen, beta);
}

struct cs_ptg_plan *cs_ptg_run_alone(const struct cs_platform *platform,
                                     const struct cs_graph *graph,
                                     const struct cs_ptg_options *options)
{
    struct cs_ptg_instance *in = cs_ptg_instance_create(platform, 1, &graph, NULL, NULL);
    struct cs_ptg_plan *plan;

    CS_REQUIRE(in != NULL);
    plan = cs_ptg_run_shares(in, options, &(double){1});
    cs_ptg_instance_destroy(in);
    return plan;
}

/* What of a graph has not been placed, and which task each of its tasks is. */
struct remainder {
    struct cs_graph *graph; /* NULL: nothing */
    int *task;
};

static struct remainder remainder_of(struct run *r, int g)
{
    const struct cs_graph *graph = r->in->graph[g];
    const struct cs_ptg_place *place = r->plan->place + r->in->first[g];
    int *number = CS_NEW_ARRAY(r->passing, int, graph->tasks), tasks = 0, arcs = 0;
    struct cs_graph_task *task = CS_NEW_ARRAY(r->passing, struct cs_graph_task, graph->tasks);
    struct cs_graph_arc *arc = CS_NEW_ARRAY(r->passing, struct cs_graph_arc, graph->arcs);
    struct remainder rest = {.task = CS_NEW_ARRAY(r->passing, int, graph->tasks)};

    for (int v = 0; v < graph->tasks; v++)
        if (place[v].procs == 0) {
            rest.task[tasks] = v;
            number[v] = tasks;
            task[tasks] = graph->task[v];
            task[tasks++].name = NULL;
        }
    for (int a = 0; a < graph->arcs; a++) {
        const struct cs_graph_arc *old = &graph->arc[a];

        if (place[old->from].procs == 0 && place[old->to].procs == 0)
            arc[arcs++] = (struct cs_graph_arc){number[old->from], number[old->to], old->bytes};
    }
    if (tasks > 0)
        rest.graph = cs_graph_create("", tasks, task, arcs, arc, NULL);
    return rest;
}

/* Allocate again what is left of a graph. */
static void allocate_rest(struct run *r, int g, const struct remainder *rest)
{
    int first = r->in->first[g], tasks = rest->graph ? rest->graph->tasks : 0;
    int *procs = CS_NEW_ARRAY(r->passing, int, tasks);
    double *bottom = CS_NEW_ARRAY(r->passing, double, tasks);

    if (!rest->graph)
        return;
    cs_ptg_allocate(rest->graph, &r->reference, r->options, r->plan->beta[g], procs, bottom,
                    r->passing);
    for (int v = 0; v < tasks; v++) {
        r->plan->allocation[first + rest->task[v]] = procs[v];
        r->plan->bottom[first + rest->task[v]] = bottom[v];
    }
}

/* Shares of the graphs that are there, from what is left of them; those that keep theirs (fixed)
 * only count. */
static void share_again(struct run *r)
{
    int graphs = r->in->graphs, count = 0;
    int *there = CS_NEW_ARRAY(r->passing, int, graphs);
    struct remainder *rest = CS_NEW_ARRAY(r->passing, struct remainder, graphs);
    const struct cs_graph **graph = CS_NEW_ARRAY(r->passing, const struct cs_graph *, graphs);
    double *beta = CS_NEW_ARRAY(r->passing, double, graphs);
    struct cs_ptg_scene scene = cs_ptg_scene_of(r->in, &r->reference, r->options, r->passing);

    for (int g = 0; g < graphs; g++)
        if (r->events.left[g] > 0) {
            rest[count] = remainder_of(r, g);
            graph[count] = r->mode == CS_PTG_FIXED ? r->in->graph[g] : rest[count].graph;
            there[count++] = g;
        }
    scene.graphs = count;
    scene.graph = graph;
    if (count > 0)
        r->strategy->shares(&scene, r->param, beta);
    for (int i = 0; i < count; i++) {
        if (r->mode != CS_PTG_FIXED || r->events.fresh[there[i]]) {
            r->plan->beta[there[i]] = beta[i];
            allocate_rest(r, there[i], &rest[i]);
        }
        cs_graph_destroy(rest[i].graph);
    }
}

static void revoke(struct run *r, double now)
{
    r->plan->revoked += cs_ptg_map_revoke(&r->map, now);
    r->events.readies = 0;
    for (int v = 0; v < r->in->tasks; v++) {
        bool placed = r->plan->place[v].procs > 0;

        if (!placed && cs_heap_contains(&r->events.heap, v))
            cs_heap_remove(&r->events.heap, v);
        if (!placed && r->events.left[r->in->graph_of[v]] > 0 && r->events.waits[v] == 0)
            r->events.ready[r->events.readies++] = v;
    }
}

static bool must_share(const struct run *r, struct cs_ptg_happened what)
{
    return what.arrival || (what.completion && r->mode == CS_PTG_FULL);
}

struct cs_ptg_plan *cs_ptg_run_online(const struct cs_ptg_instance *in,
                                      const struct cs_ptg_options *options,
                                      const struct cs_ptg_strategy *strategy, const double *param,
                                      enum cs_ptg_mode mode)
{
    struct cs_ptg_options late = *options;
    struct run r;

    late.late_transfer = true;
    run_init(&r, in, &late);
    run_begin(&r);
    r.strategy = strategy;
    r.param = param;
    r.mode = mode;
    while (r.events.heap.count > 0) {
        double now = cs_ptg_events_next(&r.events);
        struct cs_ptg_happened what = cs_ptg_events_take(&r.events, now);

        if (must_share(&r, what)) {
            struct cs_arena_mark mark = cs_arena_mark(r.passing);

            if (mode != CS_PTG_FIXED)
                revoke(&r, now);
            share_again(&r);
            r.plan->recomputations++;
            cs_arena_rewind(r.passing, mark);
        }
        place_ready(&r, now);
    }
    return run_end(&r);
}
