/* list.c - LIST, in O(n log n): a tournament over the order finds the first task that fits.
 *
 * Source: spec/moldable.md 4.1 and 4.3; Garey, Graham 1975.
 * Idea: at every event the released tasks are scanned in order and each that fits starts.  The
 * scan is a search in a tournament tree: its keys are minus the counts, by place in the order.
 * Invariants: a task that has started, or is not released yet, has the key minus infinity; all
 * ends of one instant are handled before the next scan.  Without release dates and on any
 * processors makespan <= (2 - 1/procs) max(longest task, work / procs), for every allotment and
 * order.
 * Complexity: O(tasks log tasks); with consecutive processors each start and end also looks at the
 * free blocks (free_procs.c).
 */
#include "problems/moldable/list.h"

#include "base/order.h"

#include <math.h>

void cs_moldable_sort(const struct cs_moldable_bag *bag, const int *choice,
                      enum cs_moldable_order kind, int *order, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    double *key = CS_NEW_ARRAY(scratch, double, bag->tasks);

    for (int i = 0; i < bag->tasks; i++) {
        int at = bag->first[i] + choice[i];

        key[i] = kind == CS_MOLDABLE_LPT    ? bag->seconds[at]
                 : kind == CS_MOLDABLE_AREA ? bag->work[at]
                 : kind == CS_MOLDABLE_WIDE ? bag->count[at]
                                            : 0;
    }
    cs_order_descending(key, bag->tasks, order, scratch);
    cs_arena_rewind(scratch, mark);
}

void cs_moldable_sort_starts(const struct cs_moldable_bag *bag, const double *start, int *order,
                             struct cs_arena *scratch)
{
    cs_order_ascending(start, bag->tasks, order, scratch);
}

/* Of order[from .. to - 1], which start together, those that take no time come first. */
static void put_short_first(const struct cs_moldable_plan *plan, int *order, int from, int to,
                            int *spare)
{
    int at = from, rest = 0;

    for (int p = from; p < to; p++)
        if (plan->end[order[p]] > plan->start[order[p]])
            spare[rest++] = order[p];
        else
            order[at++] = order[p];
    for (int k = 0; k < rest; k++)
        order[at + k] = spare[k];
}

void cs_moldable_sort_plan(const struct cs_moldable_bag *bag, const struct cs_moldable_plan *plan,
                           int *order, struct cs_arena *scratch)
{
    struct cs_arena_mark mark;
    int *spare, to;

    cs_moldable_sort_starts(bag, plan->start, order, scratch);
    mark = cs_arena_mark(scratch);
    spare = CS_NEW_ARRAY(scratch, int, bag->tasks);
    for (int from = 0; from < bag->tasks; from = to) {
        to = from + 1;
        while (to < bag->tasks && plan->start[order[to]] == plan->start[order[from]])
            to++;
        put_short_first(plan, order, from, to, spare);
    }
    cs_arena_rewind(scratch, mark);
}

void cs_moldable_lister_init(struct cs_moldable_lister *lister, const struct cs_moldable_bag *bag,
                             struct cs_arena *arena)
{
    lister->bag = bag;
    cs_tournament_init(&lister->waiting, bag->tasks ? bag->tasks : 1, arena);
    cs_heap_init(&lister->running, bag->tasks, arena);
    cs_moldable_room_init(&lister->room, bag, arena);
    lister->first = bag->contiguous ? CS_NEW_ARRAY(arena, int, bag->tasks) : NULL;
    if (!bag->release)
        return;
    lister->place = CS_NEW_ARRAY(arena, int, bag->tasks);
    lister->arrival = CS_NEW_ARRAY(arena, int, bag->tasks);
    cs_order_ascending(bag->release, bag->tasks, lister->arrival, arena);
}

/* One list while it is made. */
struct making {
    struct cs_moldable_lister *lister;
    const int *choice, *order;
    double now, makespan;
    int started, arrived;
};

static double width_key(const struct making *m, int task)
{
    return -cs_moldable_width(m->lister->bag, task, m->choice[task]);
}

static void fill_waiting(struct making *m)
{
    const struct cs_moldable_bag *bag = m->lister->bag;
    double *key = cs_tournament_begin(&m->lister->waiting, bag->tasks ? bag->tasks : 1);

    for (int p = 0; p < bag->tasks; p++) {
        key[p] = bag->release ? -INFINITY : width_key(m, m->order[p]);
        if (bag->release)
            m->lister->place[m->order[p]] = p;
    }
    if (bag->tasks == 0)
        key[0] = -INFINITY;
    cs_tournament_play(&m->lister->waiting);
    m->arrived = bag->release ? 0 : bag->tasks;
}

static void let_in(struct making *m)
{
    struct cs_moldable_lister *lister = m->lister;
    const struct cs_moldable_bag *bag = lister->bag;

    while (m->arrived < bag->tasks && bag->release[lister->arrival[m->arrived]] <= m->now) {
        int task = lister->arrival[m->arrived++];

        cs_tournament_set(&lister->waiting, lister->place[task], width_key(m, task));
    }
}

static void list_hold(struct cs_moldable_lister *lister, int task, int procs)
{
    int first = cs_moldable_room_take(&lister->room, -1, procs);

    if (lister->first)
        lister->first[task] = first;
}

static void start_fitting(struct making *m, double *start)
{
    struct cs_moldable_lister *lister = m->lister;
    const struct cs_moldable_bag *bag = lister->bag;
    int place;

    while (lister->room.most > 0 &&
           (place = cs_tournament_first(&lister->waiting, -lister->room.most)) >= 0) {
        int task = m->order[place], at = bag->first[task] + m->choice[task];
        double end = m->now + bag->seconds[at];

        start[task] = m->now;
        list_hold(lister, task, bag->count[at]);
        m->started++;
        m->makespan = end > m->makespan ? end : m->makespan;
        cs_tournament_set(&lister->waiting, place, -INFINITY);
        cs_heap_push(&lister->running, task, end);
    }
}

static void go_on(struct making *m)
{
    struct cs_moldable_lister *lister = m->lister;
    const struct cs_moldable_bag *bag = lister->bag;

    m->now = lister->running.count ? cs_heap_top_key(&lister->running) : INFINITY;
    if (m->arrived < bag->tasks)
        m->now = fmin(m->now, bag->release[lister->arrival[m->arrived]]);
    while (lister->running.count && cs_heap_top_key(&lister->running) <= m->now) {
        int task = cs_heap_pop(&lister->running);

        cs_moldable_room_give(&lister->room, lister->first ? lister->first[task] : 0,
                              cs_moldable_width(bag, task, m->choice[task]));
    }
}

double cs_moldable_list(struct cs_moldable_lister *lister, const int *choice, const int *order,
                        double cutoff, double *start)
{
    const struct cs_moldable_bag *bag = lister->bag;
    struct making m = {.lister = lister, .choice = choice, .order = order};

    cs_heap_reset(&lister->running);
    cs_moldable_room_clear(&lister->room, bag->procs);
    fill_waiting(&m);
    for (;;) {
        let_in(&m);
        start_fitting(&m, start);
        if (m.makespan >= cutoff && bag->tasks > 0)
            return INFINITY;
        if (m.started == bag->tasks)
            return m.makespan;
        go_on(&m);
    }
}
