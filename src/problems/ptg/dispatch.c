/* dispatch.c - start now, or wait for something better.
 *
 * Source: spec/ptg.md III.7.
 *
 * Idea: at every date the waiting tasks are visited by falling key.  For each the best start on
 * processors that are free now is compared with the least finish that waiting for busy processors
 * of any cluster could give; the task starts unless waiting is better.  No future processor is
 * reserved.
 *
 * Invariants
 *   - idle[k] has all processors of cluster k by (end, index), so the first n are free earliest.
 *   - a task starts only on processors whose end is not after `now`.
 *   - a task that waits, waits for the end of a running task: there is a later event, and no task
 *     is left at the end (CS_REQUIRE).
 *   - level.work is the work of the tasks of the level that have not ended; subtraction loses
 *     digits, so it is summed again whenever half of them have ended.
 *   - decisions use released graphs only.  `alone` is a property of each graph and is computed
 *     first.
 *
 * Complexity: a date with w waiting tasks costs O(w log w) to sort and for each task, on each
 * cluster, one pass over its predecessors for each width of the ladder; a start O(p) to merge the
 * processors of its cluster.
 *
 * Constants
 *   name              value  unit        found by                            half, double
 *   ALONE_EFFICIENCY  0.1    efficiency  spec/ptg.md III.7 (joint of 0.1)    not measured
 *   part of a level   1/2    of tasks    rounding; sums cost O(V) per level  not measured
 * The efficiency of the tasks is a parameter (planners.c).
 */
#include "problems/ptg/dispatch.h"

#include "base/bug.h"
#include "problems/ptg/board.h"
#include "problems/ptg/events.h"
#include "problems/ptg/joint.h"
#include "problems/ptg/rank.h"
#include "problems/ptg/run.h"
#include "problems/ptg/width.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ALONE_EFFICIENCY 0.1

struct processor {
    double end; /* of the task on it */
    int index;  /* over the whole platform */
};

struct waiting {
    double key, rank;
    int graph, number;
};

/* The tasks of one level that have not ended. */
struct level {
    double work;     /* flop */
    int left, fresh; /* how many; how many there were when work was last added up */
};

struct dispatch {
    const struct cs_ptg_instance *in;
    const struct cs_ptg_dispatch *how;
    struct cs_ptg_plan *plan;
    struct cs_ptg_events events;
    struct processor **idle;  /* by cluster: all its processors by (end, index) */
    struct processor *merged; /* scratch: one cluster */
    struct cs_interval *room; /* scratch: a set */
    bool *chosen;             /* scratch: by processor of the platform */
    double *rank, *largest;   /* by number, by graph */
    double *alone;            /* by graph */
    struct level **level;     /* by graph */
    bool *ended;              /* by number */
    struct waiting *waiting;
    int waits, present;
    struct cs_arena *scratch;
};

/* One option to run the task now. */
struct variant {
    int cluster, procs;
    double start, finish;
};

static void add_up(struct dispatch *d, int g, int l)
{
    const struct cs_graph *graph = d->in->graph[g];
    struct level *level = &d->level[g][l];

    level->work = 0;
    level->fresh = level->left;
    for (int v = 0; v < graph->tasks; v++)
        if (graph->level[v] == l && !d->ended[d->in->first[g] + v])
            level->work += graph->task[v].flops;
}

/* Subtraction loses digits, so the rest is summed again whenever half has ended. */
static void end_in_level(struct dispatch *d, int number)
{
    int g = d->in->graph_of[number], l = d->in->graph[g]->level[number - d->in->first[g]];
    struct level *level = &d->level[g][l];

    d->ended[number] = true;
    level->left--;
    level->work -= cs_ptg_task(d->in, number)->flops;
    if (2 * level->left <= level->fresh)
        add_up(d, g, l);
}

static void dispatch_begin(struct dispatch *d)
{
    const struct cs_ptg_instance *in = d->in;
    const struct cs_platform *p = in->platform;
    struct cs_arena *s = d->scratch;

    d->idle = CS_NEW_ARRAY(s, struct processor *, p->clusters);
    for (int k = 0; k < p->clusters; k++) {
        d->idle[k] = CS_NEW_ARRAY(s, struct processor, p->cluster[k].procs);
        for (int i = 0; i < p->cluster[k].procs; i++)
            d->idle[k][i].index = p->cluster[k].first + i;
    }
    d->merged = CS_NEW_ARRAY(s, struct processor, p->procs);
    d->room = CS_NEW_ARRAY(s, struct cs_interval, p->procs / 2 + 1);
    d->chosen = CS_NEW_ARRAY(s, bool, p->procs);
    d->rank = d->plan->bottom;
    d->largest = CS_NEW_ARRAY(s, double, in->graphs);
    d->level = CS_NEW_ARRAY(s, struct level *, in->graphs);
    d->ended = CS_NEW_ARRAY(s, bool, in->tasks);
    d->waiting = CS_NEW_ARRAY(s, struct waiting, in->tasks);
    cs_ptg_rank(in, d->how->efficiency, d->rank, s);
    cs_ptg_events_init(&d->events, in, s);
    for (int g = 0; g < in->graphs; g++) {
        d->largest[g] = cs_ptg_rank_largest(in, d->rank, g);
        d->level[g] = CS_NEW_ARRAY(s, struct level, in->graph[g]->levels);
        for (int l = 0; l < in->graph[g]->levels; l++)
            d->level[g][l].fresh = d->level[g][l].left = in->graph[g]->members[l];
        for (int v = 0; v < in->graph[g]->tasks; v++)
            d->level[g][in->graph[g]->level[v]].work += in->graph[g]->task[v].flops;
    }
}

static double part_of(double value, double of)
{
    return of > 0 ? value / of : 0;
}

/* The priority of a task now, larger first (spec/ptg.md III.7). */
static double key_of(const struct dispatch *d, int number, double now)
{
    int g = d->in->graph_of[number];
    double part = part_of(d->rank[number], d->largest[g]);

    switch (d->how->key) {
    case CS_PTG_DISPATCH_STRETCH:
        return part_of(now - d->in->release[g], d->alone[g]) + part;
    case CS_PTG_DISPATCH_FDWS:
        return part_of(1, (double)d->events.left[g] / d->in->graph[g]->tasks * d->largest[g]);
    case CS_PTG_DISPATCH_SHORTEST:
        return -part * d->alone[g];
    case CS_PTG_DISPATCH_FIRST:
        return -d->in->release[g];
    case CS_PTG_DISPATCH_RANK:
        break;
    }
    return d->rank[number];
}

static int by_key(const void *a, const void *b)
{
    const struct waiting *x = a, *y = b;

    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    if (x->graph != y->graph)
        return x->graph < y->graph ? -1 : 1;
    if (x->rank != y->rank)
        return x->rank > y->rank ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

/* The first `procs` processors of a cluster as a set in room; returns how many intervals. */
static int dispatch_gather(struct dispatch *d, int cluster, int procs)
{
    const struct cs_cluster *c = &d->in->platform->cluster[cluster];
    int count = 0;

    for (int i = 0; i < procs; i++)
        d->chosen[d->idle[cluster][i].index] = true;
    for (int p = c->first; p < c->first + c->procs; p++) {
        if (!d->chosen[p])
            continue;
        d->chosen[p] = false;
        if (count > 0 && d->room[count - 1].last == p - 1)
            d->room[count - 1].last = p;
        else
            d->room[count++] = (struct cs_interval){p, p};
    }
    return count;
}

static double start_on(struct dispatch *d, const struct cs_ptg_subject *s, int cluster, int procs)
{
    double away = cs_ptg_data_away(s, cluster, procs);

    if (!(cs_ptg_data_bound(s, cluster, procs) > away))
        return away;
    return cs_ptg_data_date(s, cluster, procs, away, d->room, dispatch_gather(d, cluster, procs));
}

static bool is_better(const struct dispatch *d, const struct variant *variant,
                      const struct variant *best)
{
    const struct cs_cluster *c = d->in->platform->cluster;

    if (best->procs == 0 || variant->finish != best->finish)
        return best->procs == 0 || variant->finish < best->finish;
    return variant->procs * c[variant->cluster].speed < best->procs * c[best->cluster].speed;
}

/* The task that is examined: with data that leave now, and as if that were at 0, for how long they
 * are on their way. */
struct task {
    struct cs_ptg_subject now, then;
};

/* The widths of one cluster: the best that is free now, or when a wider one could end. */
static void try_cluster(struct dispatch *d, const struct task *t, int cluster, const int *ladder,
                        int widths, struct variant *best, double *later)
{
    const struct cs_cluster *c = &d->in->platform->cluster[cluster];
    const struct cs_ptg_subject *s = &t->now;

    for (int i = 0; i < widths; i++) {
        double seconds = cs_graph_task_time(s->task, ladder[i], c->speed);
        double end = d->idle[cluster][ladder[i] - 1].end;
        struct variant variant = {cluster, ladder[i], 0, 0};

        if (end > s->now) {
            double data = cs_ptg_data_bound(&t->then, cluster, ladder[i]);

            *later = fmin(*later, end + data + seconds);
            continue;
        }
        variant.start = start_on(d, s, cluster, ladder[i]);
        variant.finish = variant.start + seconds;
        if (is_better(d, &variant, best))
            *best = variant;
    }
}

static void dispatch_start(struct dispatch *d, int number, const struct variant *variant)
{
    struct processor *idle = d->idle[variant->cluster], *out = d->merged;
    int all = d->in->platform->cluster[variant->cluster].procs, i = variant->procs;
    int intervals = dispatch_gather(d, variant->cluster, variant->procs);
    struct cs_interval *set = CS_NEW_ARRAY(d->plan->storage, struct cs_interval, intervals);

    memcpy(set, d->room, (size_t)intervals * sizeof *set);
    d->plan->place[number] = (struct cs_ptg_place){.cluster = variant->cluster,
                                                   .procs = variant->procs,
                                                   .intervals = intervals,
                                                   .set = set,
                                                   .start = variant->start,
                                                   .finish = variant->finish};
    d->plan->allocation[number] = variant->procs;
    for (int s = 0; s < intervals; s++)
        for (int p = set[s].first; p <= set[s].last; p++) {
            while (i < all && (idle[i].end < variant->finish ||
                               (idle[i].end == variant->finish && idle[i].index < p)))
                *out++ = idle[i++];
            *out++ = (struct processor){variant->finish, p};
        }
    while (i < all)
        *out++ = idle[i++];
    memcpy(idle, d->merged, (size_t)all * sizeof *idle);
    cs_ptg_events_push(&d->events, number, variant->finish);
}

/* With shares and several graphs present each has an equal part of the power, which its level
 * divides in proportion to work. */
static struct cs_ptg_terms terms_of(const struct dispatch *d, int number)
{
    struct cs_ptg_terms terms = {d->how->efficiency, INFINITY};
    int g = d->in->graph_of[number];
    double power = d->in->power / d->present, work;

    if (!d->how->shares || d->present < 2)
        return terms;
    work = d->level[g][d->in->graph[g]->level[number - d->in->first[g]]].work;
    terms.cap = work > 0 ? power * cs_ptg_task(d->in, number)->flops / work : power;
    return terms;
}

/* Returns whether the task was started. */
static bool inspect(struct dispatch *d, int number, double now)
{
    struct cs_arena_mark mark = cs_arena_mark(d->scratch);
    struct cs_ptg_terms terms = terms_of(d, number);
    const struct cs_ptg_place *place = d->plan->place;
    struct task task = {
        cs_ptg_subject_of(d->in, d->how->fan, true, place, number, now, d->scratch),
        cs_ptg_subject_of(d->in, d->how->fan, true, place, number, 0, d->scratch),
    };
    struct variant best = {0};
    double later = INFINITY;

    for (int k = 0; k < d->in->platform->clusters; k++) {
        int low = cs_ptg_low(d->in, number, k), top = cs_ptg_board_top(d->in, number, k, &terms);
        int ladder[CS_PTG_LADDER], widths = cs_ptg_width_ladder(low, top, ladder);

        try_cluster(d, &task, k, ladder, widths, &best, &later);
    }
    cs_arena_rewind(d->scratch, mark);
    if (best.procs == 0 || later < best.finish)
        return false;
    dispatch_start(d, number, &best);
    return true;
}

static bool any_idle(const struct dispatch *d, double now)
{
    for (int k = 0; k < d->in->platform->clusters; k++)
        if (d->idle[k][0].end <= now)
            return true;
    return false;
}

static void inspect_all(struct dispatch *d, double now)
{
    int left = 0;

    for (int i = 0; i < d->waits; i++)
        d->waiting[i].key = key_of(d, d->waiting[i].number, now);
    qsort(d->waiting, (size_t)d->waits, sizeof *d->waiting, by_key);
    for (int i = 0; i < d->waits; i++)
        if (!any_idle(d, now) || !inspect(d, d->waiting[i].number, now))
            d->waiting[left++] = d->waiting[i];
    d->waits = left;
}

/* All that happens at one date. */
static void dispatch_step(struct dispatch *d, double now)
{
    const struct cs_ptg_instance *in = d->in;

    cs_ptg_events_take(&d->events, now);
    for (int i = 0; i < d->events.endings; i++)
        end_in_level(d, d->events.ended[i]);
    d->present = 0;
    for (int g = 0; g < in->graphs; g++)
        d->present += d->events.left[g] > 0;
    for (int i = 0; i < d->events.readies; i++) {
        int v = d->events.ready[i];

        d->waiting[d->waits++] = (struct waiting){0, d->rank[v], in->graph_of[v], v};
    }
    inspect_all(d, now);
}

/* How long joint takes for each graph alone. */
static double *find_alone(const struct dispatch *d)
{
    const struct cs_ptg_joint how = {.efficiency = ALONE_EFFICIENCY, .fan = d->how->fan};
    double *alone = CS_NEW_ARRAY(d->scratch, double, d->in->graphs);

    for (int g = 0; g < d->in->graphs; g++) {
        struct cs_ptg_instance *single = cs_ptg_instance_single(d->in, g);
        struct cs_ptg_plan *plan = cs_ptg_joint_plan(single, &how, &(double){1});

        alone[g] = plan->makespan;
        cs_ptg_plan_destroy(plan);
        cs_ptg_instance_destroy(single);
    }
    return alone;
}

struct cs_ptg_plan *cs_ptg_dispatch_plan(const struct cs_ptg_instance *in,
                                         const struct cs_ptg_dispatch *how, double *alone)
{
    struct dispatch d = {
        .in = in, .how = how, .plan = cs_ptg_plan_create(in), .scratch = cs_arena_create()};

    d.alone = find_alone(&d);
    dispatch_begin(&d);
    while (d.events.heap.count > 0)
        dispatch_step(&d, cs_ptg_events_next(&d.events));
    CS_REQUIRE(d.waits == 0);
    for (int g = 0; g < in->graphs; g++) {
        d.plan->beta[g] = 1;
        if (alone)
            alone[g] = d.alone[g];
    }
    cs_ptg_plan_finish(d.plan);
    cs_arena_destroy(d.scratch);
    return d.plan;
}
