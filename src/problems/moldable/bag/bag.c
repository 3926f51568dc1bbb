/* bag.c - from modes to candidates, and what every algorithm on a general bag needs.
 *
 * Source: spec/bag.md 3.2 (candidates), 4.3 (topological rank), 5 (heads and tails).
 * Idea: a mode stays if it is allowed and no allowed mode of its task dominates it; the rest is
 * sorted by time, amounts and index.  Windows that overlap add up, at most to the capacity, which
 * gives the free amounts as a step function of time.
 * Invariants: every plan can use candidates only; the last candidate of a task is its fastest.
 * Complexity: O(modes^2 * amounts) for each task, O(tasks^2 + arcs) for the rank.
 */
#include "problems/moldable/bag/bag.h"

#include <math.h>
#include <string.h>

struct reduction {
    const struct cs_modes *in;
    int *kept; /* by candidate: the mode */
    int count;
};

static bool mode_allowed(const struct cs_modes *in, int task, int mode)
{
    for (int r = 0; r < in->resources; r++)
        if (cs_modes_use(in, mode)[r] > in->capacity[r])
            return false;
    for (int q = 0; q < in->budgets; q++)
        if (cs_modes_spend(in, mode)[q] > in->budget[q])
            return false;
    if (in->nodes > 1 && cs_bag_span(in, cs_modes_use(in, mode), in->span ? in->span[mode] : 0) < 0)
        return false;
    return !in->walltime || in->seconds[mode] <= in->walltime[task];
}

static int amount_compare(const int64_t *a, const int64_t *b, int count)
{
    for (int r = 0; r < count; r++)
        if (a[r] != b[r])
            return a[r] < b[r] ? -1 : 1;
    return 0;
}

static bool amount_covers(const int64_t *a, const int64_t *b, int count)
{
    for (int r = 0; r < count; r++)
        if (a[r] > b[r])
            return false;
    return true;
}

/* Needs a nothing more than b, and nodes as b does? */
static bool mode_covers(const struct cs_modes *in, int a, int b)
{
    return in->seconds[a] <= in->seconds[b] && (!in->span || in->span[a] == in->span[b]) &&
           amount_covers(cs_modes_use(in, a), cs_modes_use(in, b), in->resources) &&
           amount_covers(cs_modes_spend(in, a), cs_modes_spend(in, b), in->budgets);
}

static bool mode_dominated(const struct cs_modes *in, int task, int mode)
{
    for (int other = in->first[task]; other < in->first[task + 1]; other++) {
        if (other == mode || !mode_allowed(in, task, other) || !mode_covers(in, other, mode))
            continue;
        if (other < mode || !mode_covers(in, mode, other))
            return true;
    }
    return false;
}

/* The order of 3.2. */
static bool mode_before(const struct cs_modes *in, int a, int b)
{
    int order;

    if (in->seconds[a] != in->seconds[b])
        return in->seconds[a] > in->seconds[b];
    order = amount_compare(cs_modes_use(in, a), cs_modes_use(in, b), in->resources);
    if (!order)
        order = amount_compare(cs_modes_spend(in, a), cs_modes_spend(in, b), in->budgets);
    return order ? order < 0 : a < b;
}

static void task_reduce(struct reduction *re, int task)
{
    const int begin = re->count;

    for (int mode = re->in->first[task]; mode < re->in->first[task + 1]; mode++) {
        int place = re->count;

        if (!mode_allowed(re->in, task, mode) || mode_dominated(re->in, task, mode))
            continue;
        for (; place > begin && mode_before(re->in, mode, re->kept[place - 1]); place--)
            re->kept[place] = re->kept[place - 1];
        re->kept[place] = mode;
        re->count++;
    }
}

static void *rows_pick(struct cs_arena *arena, const void *from, const struct reduction *re,
                       size_t size)
{
    char *to = cs_arena_alloc(arena, (size_t)re->count, size);

    for (int m = 0; m < re->count && size; m++)
        memcpy(to + (size_t)m * size, (const char *)from + (size_t)re->kept[m] * size, size);
    return to;
}

static void candidates_set(struct cs_bag *bag, const struct reduction *re, const int *first,
                           struct cs_arena *arena)
{
    const struct cs_modes *in = re->in;
    int *origin = CS_NEW_ARRAY(arena, int, re->count);

    for (int i = 0; i < in->tasks; i++)
        for (int m = first[i]; m < first[i + 1]; m++)
            origin[m] = re->kept[m] - in->first[i];
    bag->origin = origin;
    bag->data = *in;
    bag->data.first = first;
    bag->data.seconds = rows_pick(arena, in->seconds, re, sizeof *in->seconds);
    bag->data.use = rows_pick(arena, in->use, re, sizeof *in->use * (size_t)in->resources);
    bag->data.spend = rows_pick(arena, in->spend, re, sizeof *in->spend * (size_t)in->budgets);
    if (in->span)
        bag->data.span = rows_pick(arena, in->span, re, sizeof *in->span);
    if (in->label)
        bag->data.label = rows_pick(arena, in->label, re, sizeof *in->label);
    bag->data.origin = NULL;
}

static int bag_reduce(const struct cs_modes *in, struct cs_bag *bag, struct cs_arena *arena,
                      struct cs_error *err)
{
    struct reduction re = {.in = in};
    int *first = CS_NEW_ARRAY(arena, int, in->tasks + 1);

    re.kept = CS_NEW_ARRAY(arena, int, in->first[in->tasks]);
    for (int i = 0; i < in->tasks; i++) {
        task_reduce(&re, i);
        first[i + 1] = re.count;
        if (first[i + 1] == first[i])
            return cs_error_set(err, "%s cannot run: each of its %d modes needs more than there is",
                                in->task_name[i], in->first[i + 1] - in->first[i]);
    }
    candidates_set(bag, &re, first, arena);
    return 0;
}

static void successors_set(struct cs_bag *bag, struct cs_arena *arena)
{
    const struct cs_modes *data = &bag->data;
    const int n = data->tasks, arcs = data->before_first[n];
    int *first = CS_NEW_ARRAY(arena, int, n + 1), *after = CS_NEW_ARRAY(arena, int, arcs);
    int *next = CS_NEW_ARRAY(arena, int, n);

    for (int a = 0; a < arcs; a++)
        first[data->before[a] + 1]++;
    for (int i = 0; i < n; i++) {
        first[i + 1] += first[i];
        next[i] = first[i];
    }
    for (int i = 0; i < n; i++)
        for (int a = data->before_first[i]; a < data->before_first[i + 1]; a++)
            after[next[data->before[a]]++] = i;
    bag->after_first = first;
    bag->after = after;
}

/* Repeatedly the smallest index whose predecessors are ranked. */
static int rank_set(struct cs_bag *bag, struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_modes *data = &bag->data;
    const int n = data->tasks;
    int *ranked = CS_NEW_ARRAY(arena, int, n), *rank = CS_NEW_ARRAY(arena, int, n);
    int *missing = CS_NEW_ARRAY(arena, int, n);

    for (int i = 0; i < n; i++)
        missing[i] = data->before_first[i + 1] - data->before_first[i];
    for (int place = 0; place < n; place++) {
        int i = 0;

        while (i < n && missing[i] != 0)
            i++;
        if (i == n)
            return cs_error_set(err, "after: a circle of tasks that wait for each other");
        missing[i] = -1;
        ranked[place] = i;
        rank[i] = place;
        for (int a = bag->after_first[i]; a < bag->after_first[i + 1]; a++)
            missing[bag->after[a]]--;
    }
    bag->ranked = ranked;
    bag->rank = rank;
    return 0;
}

static void paths_set(struct cs_bag *bag, struct cs_arena *arena)
{
    const struct cs_modes *data = &bag->data;
    double *head = CS_NEW_ARRAY(arena, double, data->tasks),
           *tail = CS_NEW_ARRAY(arena, double, data->tasks);

    bag->critical = 0;
    for (int place = 0; place < data->tasks; place++) {
        const int i = bag->ranked[place];

        head[i] = cs_bag_release(bag, i);
        for (int a = data->before_first[i]; a < data->before_first[i + 1]; a++)
            head[i] = fmax(head[i], head[data->before[a]] + cs_bag_fastest(bag, data->before[a]));
        bag->critical = fmax(bag->critical, head[i] + cs_bag_fastest(bag, i));
    }
    for (int place = data->tasks - 1; place >= 0; place--) {
        const int i = bag->ranked[place];

        for (int a = bag->after_first[i]; a < bag->after_first[i + 1]; a++)
            tail[i] = fmax(tail[i], cs_bag_fastest(bag, bag->after[a]) + tail[bag->after[a]]);
    }
    bag->head = head;
    bag->tail = tail;
}

/* The distinct finite dates of windows, and 0, in order. */
static int window_dates(const struct cs_modes *data, double *date)
{
    int count = 1;

    date[0] = 0;
    for (int w = 0; w < 2 * data->windows; w++) {
        const double at = w % 2 ? data->to[w / 2] : data->from[w / 2];
        int place = count;

        while (place > 0 && date[place - 1] > at)
            place--;
        if (isinf(at) || at <= 0 || (place > 0 && date[place - 1] == at))
            continue;
        memmove(date + place + 1, date + place, (size_t)(count - place) * sizeof *date);
        date[place] = at;
        count++;
    }
    return count;
}

static void room_set(struct cs_bag *bag, struct cs_arena *arena)
{
    const struct cs_modes *data = &bag->data;
    const size_t resources = (size_t)data->resources;
    double *step = CS_NEW_ARRAY(arena, double, 2 * data->windows + 1);
    const int steps = window_dates(data, step);
    int64_t *room = CS_NEW_ARRAY(arena, int64_t, (size_t)steps * resources);

    for (int k = 0; k < steps; k++)
        for (int r = 0; r < data->resources; r++) {
            int64_t left = data->capacity[r];

            for (int w = 0; w < data->windows; w++)
                if (data->from[w] <= step[k] && step[k] < data->to[w])
                    left -= data->less[(size_t)w * resources + (size_t)r];
            room[(size_t)k * resources + (size_t)r] = left > 0 ? left : 0;
        }
    bag->steps = steps;
    bag->step = step;
    bag->room = room;
}

static bool bag_is_dated(const struct cs_modes *data)
{
    for (int i = 0; i < data->tasks; i++)
        if ((data->release && data->release[i] > 0) ||
            (data->deadline && !isinf(data->deadline[i])))
            return true;
    return data->windows > 0;
}

int cs_bag_create(const struct cs_modes *data, struct cs_bag *bag, struct cs_arena *arena,
                  struct cs_error *err)
{
    if (bag_reduce(data, bag, arena, err))
        return -1;
    successors_set(bag, arena);
    if (rank_set(bag, arena, err))
        return -1;
    paths_set(bag, arena);
    room_set(bag, arena);
    bag->dated = bag_is_dated(data);
    return 0;
}

void cs_bag_plan_init(struct cs_bag_plan *plan, const struct cs_bag *bag, struct cs_arena *arena)
{
    plan->choice = CS_NEW_ARRAY(arena, int, bag->data.tasks);
    plan->start = CS_NEW_ARRAY(arena, double, bag->data.tasks);
    plan->over = plan->late = 0;
    plan->makespan = INFINITY;
}

void cs_bag_plan_copy(struct cs_bag_plan *to, const struct cs_bag_plan *from, int tasks)
{
    memcpy(to->choice, from->choice, (size_t)tasks * sizeof *to->choice);
    memcpy(to->start, from->start, (size_t)tasks * sizeof *to->start);
    to->over = from->over;
    to->late = from->late;
    to->makespan = from->makespan;
}

bool cs_bag_plan_better(const struct cs_bag_plan *a, const struct cs_bag_plan *b)
{
    if (isinf(a->makespan) || isinf(b->makespan))
        return a->makespan < b->makespan;
    if (a->over != b->over)
        return a->over < b->over;
    if (a->late != b->late)
        return a->late < b->late;
    return a->makespan < b->makespan;
}

int64_t cs_bag_spent(const struct cs_bag *bag, const int *choice, int budget)
{
    int64_t spent = 0;

    for (int i = 0; i < bag->data.tasks; i++)
        spent += cs_modes_spend(&bag->data, bag->data.first[i] + choice[i])[budget];
    return spent;
}

double cs_bag_overrun(const struct cs_bag *bag, const int *choice)
{
    const struct cs_modes *data = &bag->data;
    double over = 0;

    for (int q = 0; q < data->budgets; q++) {
        const int64_t spent = cs_bag_spent(bag, choice, q);

        if (spent > data->budget[q])
            over += (double)(spent - data->budget[q]) / fmax(1000, (double)data->budget[q]);
    }
    return over;
}
