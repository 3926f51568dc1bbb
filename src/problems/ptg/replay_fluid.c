/* replay_fluid.c - replay of a plan with transfers that contend for links.
 *
 * Source: spec/ptg.md 6.1, the fluid simulation.
 *
 * Tasks keep their processors and their order on each of them; a task starts when its data are
 * there, the tasks before it on its processors have ended and its graph is released.  Data leave
 * when their task ends, wait for the latency, and flow.
 *
 * Idea of the rates: a flow has one rate and a weight (bytes) on each of its links.  In rounds
 * every link offers its remaining capacity in equal parts to its open flows, each flow takes the
 * least that its links offer, and flows on a used-up link are frozen.
 *
 * Invariants
 *   - the weighted sum of rates on a link stays within its capacity.
 *   - rates change only when a flow starts or ends; between these dates `left` falls linearly.
 *   - links: sending 0 .. P - 1, receiving P .. 2P - 1, the backbone 2P.  What stays on a
 *     processor has no weight; a transfer in which all data stay is no flow.
 *   - rank[] is -1 for all processors between calls.
 *
 * Complexity: F flows under way with l links each: a round O(F l), a sharing as many rounds as it
 * needs; one sharing for each date at which flows start or end.  The next end is found in O(F).
 *
 * Constants
 *   name         value  unit         found by                                 half, double
 *   USED_UP      1e-9   of capacity  rounding of what is left on a link       not measured
 *   ROUNDS_MOST  10000  rounds       guard: rounds need not use up a link     not measured
 * Against SimGrid on 1,760 schedules of the reference (spec/ptg.md 6.1): the end differs by 0.08 %
 * in the mean, at most by 4.4 %; 5 to 13 ms for 10 graphs of 260 tasks together.
 */
#include "base/arena.h"
#include "base/guard.h"
#include "base/heap.h"
#include "base/vector.h"
#include "problems/ptg/network.h"
#include "problems/ptg/replay.h"
#include "problems/ptg/run.h"

#include <math.h>
#include <string.h>

struct cs_ptg_flow {
    int id;       /* the caller's */
    double left;  /* part that is not yet done, at `since` */
    double rate;  /* per second */
    double since; /* when left and rate were set */
    double end;   /* when it will be done at this rate */
    int links;    /* length of the arrays */
    int *link;
    double *weight; /* bytes on it */
};

struct cs_ptg_fluid {
    const struct cs_platform *platform;
    struct cs_ptg_flow **flow; /* those under way */
    int flows, room;
    double *left; /* by link: capacity not yet given out */
    int *users;   /* by link: flows that are not frozen */
    int *rank;    /* by processor: scratch, -1 between calls */
    struct cs_arena *arena;
};

#define USED_UP 1e-9 /* of its capacity: a link with no more than this left has nothing left */
#define ROUNDS_MOST 10000

static void ptg_fluid_init(struct cs_ptg_fluid *fluid, const struct cs_platform *platform,
                           struct cs_arena *arena)
{
    int links = 2 * platform->procs + 1;

    *fluid = (struct cs_ptg_fluid){
        .platform = platform,
        .left = CS_NEW_ARRAY(arena, double, links),
        .users = CS_NEW_ARRAY(arena, int, links),
        .rank = CS_NEW_ARRAY(arena, int, platform->procs),
        .arena = arena,
    };
    for (int p = 0; p < platform->procs; p++)
        fluid->rank[p] = -1;
}

static void set_ranks(struct cs_ptg_fluid *fluid, const struct cs_ptg_place *place, bool on)
{
    int rank = 0;

    for (int i = 0; i < place->intervals; i++)
        for (int p = place->set[i].first; p <= place->set[i].last; p++)
            fluid->rank[p] = on ? rank++ : -1;
}

/* The data that sender `i` of p has and receiver `j` of q wants, in parts of 1 / (p q). */
static double replay_fluid_overlap(int64_t i, int64_t p, int64_t j, int64_t q)
{
    int64_t low = i * q > j * p ? i * q : j * p;
    int64_t high = (i + 1) * q < (j + 1) * p ? (i + 1) * q : (j + 1) * p;

    return high > low ? (double)(high - low) : 0;
}

/* The links of one side: those of `mine`, where `other` has its ranks set.  Returns the part of all
 * bytes that travels. */
static double add_links(struct cs_ptg_fluid *fluid, struct cs_ptg_flow *flow, double bytes,
                        const struct cs_ptg_place *mine, const struct cs_ptg_place *other,
                        int offset)
{
    double p = mine->procs, q = other->procs, sum = 0;
    int rank = 0;

    for (int i = 0; i < mine->intervals; i++)
        for (int at = mine->set[i].first; at <= mine->set[i].last; at++, rank++) {
            double kept = 0, part;

            if (fluid->rank[at] >= 0)
                kept = replay_fluid_overlap(rank, mine->procs, fluid->rank[at], other->procs);
            part = bytes / p * ((q - kept) / q);
            if (!(part > 0))
                continue;
            flow->link[flow->links] = offset + at;
            flow->weight[flow->links++] = part;
            sum += part;
        }
    return sum;
}

/* The flow of a transfer between these sets, not yet under way; NULL when nothing travels. */
static struct cs_ptg_flow *ptg_fluid_flow(struct cs_ptg_fluid *fluid, int id, double bytes,
                                          const struct cs_ptg_place *from,
                                          const struct cs_ptg_place *to)
{
    struct cs_ptg_flow *flow = CS_NEW(fluid->arena, struct cs_ptg_flow);
    int most = from->procs + to->procs + 1;
    double sum;

    flow->id = id;
    flow->link = CS_NEW_ARRAY(fluid->arena, int, most);
    flow->weight = CS_NEW_ARRAY(fluid->arena, double, most);
    set_ranks(fluid, to, true);
    sum = add_links(fluid, flow, bytes, from, to, 0);
    set_ranks(fluid, to, false);
    set_ranks(fluid, from, true);
    add_links(fluid, flow, bytes, to, from, fluid->platform->procs);
    set_ranks(fluid, from, false);
    if (flow->links > 0 && from->cluster != to->cluster &&
        !fluid->platform->backbone.shared_switch) {
        flow->link[flow->links] = 2 * fluid->platform->procs;
        flow->weight[flow->links++] = sum;
    }
    return flow->links > 0 ? flow : NULL;
}

static void ptg_fluid_start(struct cs_ptg_fluid *fluid, struct cs_ptg_flow *flow, double now)
{
    CS_ARENA_ROOM(fluid->arena, fluid->flow, fluid->flows, fluid->room, 64);
    flow->left = 1;
    flow->rate = 0;
    flow->since = now;
    flow->end = INFINITY;
    fluid->flow[fluid->flows++] = flow;
}

/* Take out those that are done at `now` (their end is not later); their ids go to done[], which has
 * room for all.  Returns how many. */
static int ptg_fluid_finish(struct cs_ptg_fluid *fluid, double now, int *done)
{
    int kept = 0, count = 0;

    for (int f = 0; f < fluid->flows; f++) {
        if (fluid->flow[f]->end <= now)
            done[count++] = fluid->flow[f]->id;
        else
            fluid->flow[kept++] = fluid->flow[f];
    }
    fluid->flows = kept;
    return count;
}

static double replay_fluid_capacity(const struct cs_ptg_fluid *fluid, int link)
{
    const struct cs_platform *p = fluid->platform;

    if (link == 2 * p->procs)
        return p->backbone.bandwidth;
    return p->cluster[cs_platform_cluster_of(p, link % p->procs)].bandwidth;
}

/* Flows before `open` are not frozen: each gains the least that its links offer. */
static void replay_fluid_give(struct cs_ptg_fluid *fluid, int open, double *gain)
{
    for (int f = 0; f < open; f++) {
        const struct cs_ptg_flow *flow = fluid->flow[f];

        gain[f] = INFINITY;
        for (int l = 0; l < flow->links; l++)
            gain[f] = fmin(gain[f], fluid->left[flow->link[l]] / fluid->users[flow->link[l]] /
                                        flow->weight[l]);
    }
    for (int f = 0; f < open; f++) {
        struct cs_ptg_flow *flow = fluid->flow[f];

        flow->rate += gain[f];
        for (int l = 0; l < flow->links; l++)
            fluid->left[flow->link[l]] -= gain[f] * flow->weight[l];
    }
}

/* Is one of its links used up? */
static bool replay_fluid_blocked(const struct cs_ptg_fluid *fluid, const struct cs_ptg_flow *flow)
{
    for (int l = 0; l < flow->links; l++)
        if (fluid->left[flow->link[l]] <= USED_UP * replay_fluid_capacity(fluid, flow->link[l]))
            return true;
    return false;
}

/* Frozen flows go behind those that are not; returns how many are not. */
static int replay_fluid_freeze(struct cs_ptg_fluid *fluid, int open)
{
    int kept = 0;

    for (int f = 0; f < open; f++) {
        struct cs_ptg_flow *flow = fluid->flow[f];

        if (replay_fluid_blocked(fluid, flow)) {
            for (int l = 0; l < flow->links; l++)
                fluid->users[flow->link[l]]--;
        } else {
            fluid->flow[f] = fluid->flow[kept];
            fluid->flow[kept++] = flow;
        }
    }
    return kept;
}

/* Share the links again from `now` on, after flows have started or finished. */
static void ptg_fluid_share(struct cs_ptg_fluid *fluid, double now)
{
    struct cs_arena_mark mark = cs_arena_mark(fluid->arena);
    double *gain = CS_NEW_ARRAY(fluid->arena, double, fluid->flows);
    int open = fluid->flows;

    for (int f = 0; f < fluid->flows; f++) {
        struct cs_ptg_flow *flow = fluid->flow[f];

        flow->left = fmax(0, flow->left - flow->rate * (now - flow->since));
        flow->since = now;
        flow->rate = 0;
        for (int l = 0; l < flow->links; l++)
            fluid->users[flow->link[l]] = 0;
    }
    for (int f = 0; f < fluid->flows; f++)
        for (int l = 0; l < fluid->flow[f]->links; l++) {
            int link = fluid->flow[f]->link[l];

            if (fluid->users[link]++ == 0)
                fluid->left[link] = replay_fluid_capacity(fluid, link);
        }
    for (int round = 0; open > 0 && round < ROUNDS_MOST; round++) {
        replay_fluid_give(fluid, open, gain);
        open = replay_fluid_freeze(fluid, open);
    }
    for (int f = 0; f < fluid->flows; f++)
        fluid->flow[f]->end = now + fluid->flow[f]->left / fluid->flow[f]->rate;
    cs_arena_rewind(fluid->arena, mark);
}

/* The earliest end of a flow; +inf when no flow is under way. */
static double ptg_fluid_next(const struct cs_ptg_fluid *fluid)
{
    double next = INFINITY;

    for (int f = 0; f < fluid->flows; f++)
        next = fmin(next, fluid->flow[f]->end);
    return next;
}

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

/* One condition of the task is met: data, a task before it, or its release. */
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
static void replay_fluid_send(struct replay *r, int g, int arc, double now)
{
    const struct cs_platform *p = r->in->platform;
    const struct cs_graph_arc *a = &r->in->graph[g]->arc[arc];
    const struct cs_ptg_place *from = &r->plan->place[r->in->first[g] + a->from];
    const struct cs_ptg_place *to = &r->plan->place[r->in->first[g] + a->to];
    int number = r->first_arc[g] + arc;
    double latency = p->cluster[from->cluster].latency + p->cluster[to->cluster].latency;

    if (a->bytes > 0)
        r->flow[number] = ptg_fluid_flow(&r->fluid, number, a->bytes, from, to);
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
        replay_fluid_send(r, g, a, now);
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

static void replay_fluid_arrive(struct replay *r, int arc, double now)
{
    int g = graph_of_arc(r, arc);

    release_one(r, r->in->first[g] + r->in->graph[g]->arc[arc - r->first_arc[g]].to, now);
}

/* Everything that happens at one date; have flows begun or ended? */
static bool replay_fluid_step(struct replay *r, double now)
{
    int tasks = r->in->tasks, graphs = r->in->graphs, count;
    bool changed = false;

    count = ptg_fluid_finish(&r->fluid, now, r->done);
    for (int i = 0; i < count; i++)
        replay_fluid_arrive(r, r->done[i], now);
    changed = count > 0;
    while (r->events.count > 0 && cs_heap_top_key(&r->events) <= now) {
        int id = cs_heap_pop(&r->events);

        if (id < tasks) {
            end_task(r, id, now);
        } else if (id < tasks + graphs) {
            release_graph(r, id - tasks, now);
        } else {
            ptg_fluid_start(&r->fluid, r->flow[id - tasks - graphs], now);
            changed = true;
        }
    }
    return changed;
}

static void replay_fluid_prepare(struct replay *r)
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
    ptg_fluid_init(&r->fluid, in->platform, r->arena);
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
    replay_fluid_prepare(&r);
    for (;;) {
        double now = ptg_fluid_next(&r.fluid);

        if (r.events.count > 0)
            now = fmin(now, cs_heap_top_key(&r.events));
        if (isinf(now))
            break;
        if (replay_fluid_step(&r, now))
            ptg_fluid_share(&r.fluid, now);
    }
    cs_arena_destroy(r.arena);
    cs_ptg_plan_finish(r.plan);
    return r.plan;
}
