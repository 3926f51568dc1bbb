/* replay_fluid.c - a plan once more, with transfers that contend for links.
 *
 * Tasks keep their processors and their order on each of them; a task starts when its data are
 * there, the tasks before it on its processors have ended and its graph is released.  Data leave
 * when their task ends, wait for the latency, and flow.
 */
#include "base/guard.h"
#include "base/heap.h"
#include "ptg/fluid.h"
#include "ptg/replay.h"
#include "ptg/run.h"

#include <math.h>

struct replay {
    const struct cs_ptg_instance *in;
    struct cs_ptg_plan *plan;
    struct cs_ptg_fluid fluid;
    struct cs_heap events;     /* ends of tasks, releases (tasks + graph), latencies that are over
                                  (tasks + graphs + arc) */
    int *waits;                /* by task: data, tasks before it, its release */
    struct cs_ptg_next **then; /* by task: those after it on its processors */
    const int *first_arc;      /* by graph: arcs are numbered over all graphs */
    struct cs_ptg_flow **flow; /* by arc, while latency lasts */
    int *done;
    struct cs_arena *arena;
};

static void release_one(struct replay *r, int task, double now)
{
    struct cs_ptg_place *place = &r->plan->place[task];

    if (--r->waits[task] > 0)
        return;
    place->start = now;
    place->finish = now + cs_graph_task_time(cs_ptg_task(r->in, task), place->procs,
                                             r->in->platform->cluster[place->cluster].speed);
    cs_heap_push(&r->events, task, place->finish);
}

/* The data of an arc leave. */
static void send(struct replay *r, int g, int arc, double now)
{
    const struct cs_platform *p = r->in->platform;
    const struct cs_graph_arc *a = &r->in->graph[g]->arc[arc];
    const struct cs_ptg_place *from = &r->plan->place[r->in->first[g] + a->from];
    const struct cs_ptg_place *to = &r->plan->place[r->in->first[g] + a->to];
    int number = r->first_arc[g] + arc;
    double latency = p->cluster[from->cluster].latency + p->cluster[to->cluster].latency;

    if (a->bytes > 0)
        r->flow[number] = cs_ptg_fluid_flow(&r->fluid, number, a->bytes, from, to);
    if (!r->flow[number]) {
        release_one(r, r->in->first[g] + a->to, now);
        return;
    }
    if (from->cluster != to->cluster)
        latency += p->backbone.latency;
    cs_heap_push(&r->events, r->in->tasks + r->in->graphs + number, now + latency);
}

static void end_task(struct replay *r, int task, double now)
{
    int g = r->in->graph_of[task], v = task - r->in->first[g];
    const struct cs_graph *graph = r->in->graph[g];

    for (const struct cs_ptg_next *next = r->then[task]; next; next = next->after)
        release_one(r, next->task, now);
    for (int a = graph->first_out[v]; a < graph->first_out[v + 1]; a++)
        send(r, g, a, now);
}

static void release_graph(struct replay *r, int g, double now)
{
    for (int v = r->in->first[g]; v < r->in->first[g + 1]; v++)
        release_one(r, v, now);
}

static int graph_of_arc(const struct replay *r, int arc)
{
    int low = 0, high = r->in->graphs - 1;

    while (low < high) {
        int middle = high - (high - low) / 2;

        if (r->first_arc[middle] <= arc)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

static void arrive(struct replay *r, int arc, double now)
{
    int g = graph_of_arc(r, arc);

    release_one(r, r->in->first[g] + r->in->graph[g]->arc[arc - r->first_arc[g]].to, now);
}

/* Everything that happens at one date; have flows begun or ended? */
static bool step(struct replay *r, double now)
{
    int tasks = r->in->tasks, graphs = r->in->graphs, count;
    bool changed = false;

    count = cs_ptg_fluid_finish(&r->fluid, now, r->done);
    for (int i = 0; i < count; i++)
        arrive(r, r->done[i], now);
    changed = count > 0;
    while (r->events.count > 0 && cs_heap_top_key(&r->events) <= now) {
        int id = cs_heap_pop(&r->events);

        if (id < tasks) {
            end_task(r, id, now);
        } else if (id < tasks + graphs) {
            release_graph(r, id - tasks, now);
        } else {
            cs_ptg_fluid_start(&r->fluid, r->flow[id - tasks - graphs], now);
            changed = true;
        }
    }
    return changed;
}

static void prepare(struct replay *r)
{
    const struct cs_ptg_instance *in = r->in;
    int *first_arc = CS_NEW_ARRAY(r->arena, int, in->graphs + 1);

    r->waits = CS_NEW_ARRAY(r->arena, int, in->tasks);
    for (int g = 0; g < in->graphs; g++) {
        const struct cs_graph *graph = in->graph[g];

        first_arc[g + 1] = first_arc[g] + graph->arcs;
        for (int v = 0; v < graph->tasks; v++)
            r->waits[in->first[g] + v] = 1 + graph->first_in[v + 1] - graph->first_in[v];
    }
    r->first_arc = first_arc;
    r->flow = CS_NEW_ARRAY(r->arena, struct cs_ptg_flow *, first_arc[in->graphs]);
    r->done = CS_NEW_ARRAY(r->arena, int, first_arc[in->graphs]);
    cs_heap_init(&r->events, in->tasks + in->graphs + first_arc[in->graphs], r->arena);
    r->then = cs_ptg_replay_order(in, r->plan, r->arena);
    for (int v = 0; v < in->tasks; v++)
        for (const struct cs_ptg_next *next = r->then[v]; next; next = next->after)
            r->waits[next->task]++;
    cs_ptg_fluid_init(&r->fluid, in->platform, r->arena);
    for (int g = 0; g < in->graphs; g++)
        cs_heap_push(&r->events, in->tasks + g, in->release[g]);
}

struct cs_ptg_plan *cs_ptg_replay_fluid(const struct cs_ptg_instance *instance,
                                        const struct cs_ptg_plan *plan)
{
    CS_ASK(instance && plan && cs_ptg_plan_fits(instance, plan), NULL, NULL);
    CS_GUARD(NULL, NULL);
    struct replay r = {.in = instance, .arena = cs_arena_create()};

    r.plan = cs_ptg_replay_copy(instance, plan);
    prepare(&r);
    for (;;) {
        double now = cs_ptg_fluid_next(&r.fluid);

        if (r.events.count > 0)
            now = fmin(now, cs_heap_top_key(&r.events));
        if (isinf(now))
            break;
        if (step(&r, now))
            cs_ptg_fluid_share(&r.fluid, now);
    }
    cs_arena_destroy(r.arena);
    cs_ptg_plan_finish(r.plan);
    return r.plan;
}
