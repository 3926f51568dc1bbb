/* decode.c - from modes and an order to a schedule.
 *
 * Source: spec/bag.md 4.1 (LIST), 4.2 (EARLIEST), 4.3 (JUSTIFY); Kolisch 1996 (serial and parallel
 * schedule generation); Valls, Ballestin, Quintanilla 2005 (justification).
 * Idea: the free amounts are a step function of time; a task is placed at the first date from which
 * each step that it covers has its amounts.  A step that is too full moves the date to its end.
 * Invariants: dates of steps rise strictly and begin at 0; the last step has no end; a date that
 * EARLIEST takes is a release date, an end of a task or window, or 0.
 * Complexity: EARLIEST O(tasks * (steps * resources)) with at most 2 tasks + windows steps; LIST
 * tries all waiting tasks at each date.
 */
#include "base/order.h"
#include "problems/moldable/bag/bag.h"

#include <math.h>
#include <string.h>

struct cs_bag_decoder {
    const struct cs_bag *bag;
    int steps;
    double *date;  /* by step */
    int64_t *room; /* by step and resource */
    double *end;   /* by task, of the plan at hand */
    int *order;
    double *key;
    bool mirrored; /* arcs are reversed, dates are ignored */
    struct cs_arena *scratch;
};

struct cs_bag_decoder *cs_bag_decoder_create(const struct cs_bag *bag, struct cs_arena *arena)
{
    struct cs_bag_decoder *d = CS_NEW(arena, struct cs_bag_decoder);
    const size_t steps = (size_t)(2 * bag->data.tasks + bag->steps + 1);

    d->bag = bag;
    d->date = CS_NEW_ARRAY(arena, double, steps);
    d->room = CS_NEW_ARRAY(arena, int64_t, steps * (size_t)bag->data.resources);
    d->end = CS_NEW_ARRAY(arena, double, bag->data.tasks);
    d->key = CS_NEW_ARRAY(arena, double, bag->data.tasks);
    d->order = CS_NEW_ARRAY(arena, int, bag->data.tasks);
    d->scratch = arena;
    return d;
}

static int64_t *step_room(const struct cs_bag_decoder *d, int step)
{
    return d->room + (size_t)step * (size_t)d->bag->data.resources;
}

static void profile_reset(struct cs_bag_decoder *d)
{
    const struct cs_bag *bag = d->bag;
    const size_t amounts = (size_t)bag->steps * (size_t)bag->data.resources;

    d->steps = bag->steps;
    memcpy(d->date, bag->step, (size_t)bag->steps * sizeof *d->date);
    memcpy(d->room, bag->room, amounts * sizeof *d->room);
}

/* The step that holds the date. */
static int profile_find(const struct cs_bag_decoder *d, double date)
{
    int low = 0, high = d->steps;

    while (high - low > 1) {
        const int middle = low + (high - low) / 2;

        if (d->date[middle] <= date)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool step_fits(const struct cs_bag_decoder *d, int step, const int64_t *use)
{
    const int64_t *room = step_room(d, step);

    for (int r = 0; r < d->bag->data.resources; r++)
        if (use[r] > 0 && use[r] > room[r])
            return false;
    return true;
}

/* The first date from `date` on with these amounts for so long; infinite: none.  `only`: that date
 * or none. */
static double profile_date(const struct cs_bag_decoder *d, double date, int mode, bool only)
{
    const int64_t *use = cs_bag_use(d->bag, mode);
    const double seconds = d->bag->data.seconds[mode];
    double end = date + seconds;

    if (seconds == 0)
        return date;
    for (int step = profile_find(d, date); step < d->steps && d->date[step] < end; step++) {
        if (step_fits(d, step, use))
            continue;
        if (only || step + 1 == d->steps)
            return INFINITY;
        date = d->date[step + 1];
        end = date + seconds;
    }
    return date;
}

/* The step that begins at this date, made if needed. */
static int profile_cut(struct cs_bag_decoder *d, double date)
{
    const int step = profile_find(d, date);
    const size_t row = (size_t)d->bag->data.resources * sizeof *d->room;

    if (d->date[step] == date)
        return step;
    memmove(d->date + step + 2, d->date + step + 1,
            (size_t)(d->steps - step - 1) * sizeof *d->date);
    memmove(step_room(d, step + 2), step_room(d, step + 1), (size_t)(d->steps - step - 1) * row);
    memcpy(step_room(d, step + 1), step_room(d, step), row);
    d->date[step + 1] = date;
    d->steps++;
    return step + 1;
}

static void profile_take(struct cs_bag_decoder *d, double date, int mode)
{
    const int64_t *use = cs_bag_use(d->bag, mode);
    const double end = date + d->bag->data.seconds[mode];

    if (end > date) {
        const int from = profile_cut(d, date), to = profile_cut(d, end);

        for (int step = from; step < to; step++)
            for (int r = 0; r < d->bag->data.resources; r++)
                step_room(d, step)[r] -= use[r];
    }
}

static double task_ready(const struct cs_bag_decoder *d, int task)
{
    const struct cs_bag *bag = d->bag;
    const int *first = d->mirrored ? bag->after_first : bag->data.before_first,
              *before = d->mirrored ? bag->after : bag->data.before;
    double ready = d->mirrored ? 0 : cs_bag_release(bag, task);

    for (int a = first[task]; a < first[task + 1]; a++)
        ready = fmax(ready, d->end[before[a]]);
    return ready;
}

static void task_place(struct cs_bag_decoder *d, struct cs_bag_plan *plan, int task, double date)
{
    const int mode = d->bag->data.first[task] + plan->choice[task];

    plan->start[task] = date;
    d->end[task] = date + d->bag->data.seconds[mode];
    profile_take(d, date, mode);
}

/* Up to 1e-9 of the deadline is no lateness. */
static void plan_finish(const struct cs_bag_decoder *d, struct cs_bag_plan *plan)
{
    const struct cs_modes *data = &d->bag->data;

    plan->makespan = plan->late = 0;
    for (int i = 0; i < data->tasks; i++) {
        const double due = data->deadline ? data->deadline[i] : INFINITY;

        plan->makespan = fmax(plan->makespan, d->end[i]);
        if (d->end[i] > due * (1 + 1e-9))
            plan->late += d->end[i] - due;
    }
    plan->over = cs_bag_overrun(d->bag, plan->choice);
}

static bool order_place(struct cs_bag_decoder *d, const int *order, int count,
                        struct cs_bag_plan *plan)
{
    for (int place = 0; place < count; place++) {
        const int i = order[place], mode = d->bag->data.first[i] + plan->choice[i];
        const double date = profile_date(d, task_ready(d, i), mode, false);

        if (isinf(date))
            return false;
        task_place(d, plan, i, date);
    }
    return true;
}

static void nodes_earliest(struct cs_bag_decoder *d, const int *order, struct cs_bag_plan *plan)
{
    struct cs_arena_mark mark = cs_arena_mark(d->scratch);
    struct cs_bag_nodes *nodes = CS_NEW_ARRAY(d->scratch, struct cs_bag_nodes, d->bag->data.tasks);

    if (cs_bag_earliest_nodes(d->bag, order, plan, nodes, d->scratch)) {
        for (int i = 0; i < d->bag->data.tasks; i++)
            d->end[i] = cs_bag_end(d->bag, plan, i);
        plan_finish(d, plan);
    }
    cs_arena_rewind(d->scratch, mark);
}

void cs_bag_earliest(struct cs_bag_decoder *d, const int *order, struct cs_bag_plan *plan)
{
    if (d->bag->data.nodes > 1) {
        nodes_earliest(d, order, plan);
        return;
    }
    profile_reset(d);
    plan->makespan = INFINITY;
    if (order_place(d, order, d->bag->data.tasks, plan))
        plan_finish(d, plan);
}

bool cs_bag_earliest_some(struct cs_bag_decoder *d, const int *order, int count,
                          struct cs_bag_plan *plan)
{
    profile_reset(d);
    return order_place(d, order, count, plan);
}

/* The next date after `now` at which anything changes; infinite: none. */
static double list_next(const struct cs_bag_decoder *d, double now, const bool *placed)
{
    double next = INFINITY;

    for (int i = 0; i < d->bag->data.tasks; i++) {
        const double date = placed[i] ? d->end[i] : cs_bag_release(d->bag, i);

        if (date > now)
            next = fmin(next, date);
    }
    for (int k = 0; k < d->bag->steps; k++)
        if (d->bag->step[k] > now)
            next = fmin(next, d->bag->step[k]);
    return next;
}

static bool list_ready(const struct cs_bag_decoder *d, int task, double now, const bool *placed)
{
    const struct cs_modes *data = &d->bag->data;

    for (int a = data->before_first[task]; a < data->before_first[task + 1]; a++)
        if (!placed[data->before[a]] || d->end[data->before[a]] > now)
            return false;
    return cs_bag_release(d->bag, task) <= now;
}

void cs_bag_list(struct cs_bag_decoder *d, const int *order, struct cs_bag_plan *plan)
{
    const int n = d->bag->data.tasks;
    struct cs_arena_mark mark = cs_arena_mark(d->scratch);
    bool *placed = CS_NEW_ARRAY(d->scratch, bool, n);
    int waiting = n;

    profile_reset(d);
    plan->makespan = INFINITY;
    if (d->bag->data.nodes > 1)
        return;
    for (double now = 0; waiting && !isinf(now); now = list_next(d, now, placed))
        for (int place = 0; place < n; place++) {
            const int i = order[place], mode = d->bag->data.first[i] + plan->choice[i];

            if (placed[i] || !list_ready(d, i, now, placed) ||
                isinf(profile_date(d, now, mode, true)))
                continue;
            task_place(d, plan, i, now);
            placed[i] = true;
            waiting--;
        }
    cs_arena_rewind(d->scratch, mark);
    if (!waiting)
        plan_finish(d, plan);
}

/* order[] by (key ascending, rank), or both descending. */
static void order_ranked(const struct cs_bag *bag, const double *key, bool down, int *order,
                         struct cs_arena *scratch)
{
    const int n = bag->data.tasks;
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    double *by_rank = CS_NEW_ARRAY(scratch, double, n);

    for (int i = 0; i < n; i++)
        by_rank[down ? n - 1 - bag->rank[i] : bag->rank[i]] = key[i];
    if (down)
        cs_order_descending(by_rank, n, order, scratch);
    else
        cs_order_ascending(by_rank, n, order, scratch);
    for (int place = 0; place < n; place++)
        order[place] = bag->ranked[down ? n - 1 - order[place] : order[place]];
    cs_arena_rewind(scratch, mark);
}

void cs_bag_order(const struct cs_bag *bag, const double *start, int *order,
                  struct cs_arena *scratch)
{
    order_ranked(bag, start, false, order, scratch);
}

/* key[] becomes the dates of the plan that is placed from its end on. */
static void justify_mirror(struct cs_bag_decoder *d, const struct cs_bag_plan *from,
                           struct cs_bag_plan *to)
{
    const int n = d->bag->data.tasks;
    double makespan = 0;

    for (int i = 0; i < n; i++)
        d->key[i] = cs_bag_end(d->bag, from, i);
    order_ranked(d->bag, d->key, true, d->order, d->scratch);
    d->mirrored = true;
    profile_reset(d);
    order_place(d, d->order, n, to);
    d->mirrored = false;
    for (int i = 0; i < n; i++)
        makespan = fmax(makespan, d->end[i]);
    for (int i = 0; i < n; i++)
        d->key[i] = makespan - d->end[i];
}

void cs_bag_justify(struct cs_bag_decoder *d, const struct cs_bag_plan *from,
                    struct cs_bag_plan *to)
{
    memcpy(to->choice, from->choice, (size_t)d->bag->data.tasks * sizeof *to->choice);
    if (d->bag->dated)
        cs_bag_order(d->bag, from->start, d->order, d->scratch);
    else {
        justify_mirror(d, from, to);
        cs_bag_order(d->bag, d->key, d->order, d->scratch);
    }
    cs_bag_earliest(d, d->order, to);
}
