/* fit.c - the decoder of the search: most of its time is spent here.
 *
 * Source: spec/moldable.md 4.4 (not from a paper).
 * Idea: LIST in which a task that does not fit may start on fewer processors if it still ends
 * below the deadline; when no task waits any more, the longest of the last to start are widened.
 * Waiting places are linked, so that a scan that ends early costs nothing for the rest.  Running
 * tasks are sorted by end; new ends are mostly among the late ones, near the front of the array.
 * Invariants: next[] links the places that wait, 0 ends the list; running[] descends by end; the
 * allotment passed in does not change, choice[] is the one used; `last` is the first task to reach
 * the makespan.
 * Complexity: every event scans the waiting tasks, O(tasks^2) at worst.  Measured: 0.1, 0.7 and
 * 4.7 microseconds for 15, 65 and 200 tasks (bench/README.md).
 *
 *   constant    value    unit     how found     half, double
 *   TABLE_MOST  2^23     entries  not recorded  same result: a binary search above it; not measured
 */
#include "problems/moldable/fit.h"

#include <limits.h>
#include <math.h>

#define TABLE_MOST ((size_t)1 << 23)

static const short *fit_tabulate(const struct cs_moldable_bag *bag, struct cs_arena *arena)
{
    size_t row = (size_t)bag->procs + 1;
    short *within;

    if (row > SHRT_MAX || (size_t)bag->tasks * row > TABLE_MOST)
        return NULL;
    within = CS_NEW_ARRAY(arena, short, (size_t)bag->tasks *row);
    for (int i = 0; i < bag->tasks; i++) {
        int x = -1, most = cs_moldable_candidates(bag, i);

        for (int q = 0; q <= bag->procs; q++) {
            while (x + 1 < most && cs_moldable_width(bag, i, x + 1) <= q)
                x++;
            within[(size_t)i * row + (size_t)q] = (short)x;
        }
    }
    return within;
}

void cs_moldable_fit_init(struct cs_moldable_fit *fit, const struct cs_moldable_bag *bag,
                          struct cs_arena *arena)
{
    size_t n = (size_t)bag->tasks;

    *fit = (struct cs_moldable_fit){
        .bag = bag,
        .within = fit_tabulate(bag, arena),
        .least = bag->procs,
        .choice = CS_NEW_ARRAY(arena, int, n),
        .start = CS_NEW_ARRAY(arena, double, n),
        .first = CS_NEW_ARRAY(arena, int, n),
        .next = CS_NEW_ARRAY(arena, int, n + 1),
        .started = CS_NEW_ARRAY(arena, int, n),
        .running = CS_NEW_ARRAY(arena, struct cs_moldable_running, 2 * n + (size_t)bag->procs),
    };
    cs_moldable_room_init(&fit->room, bag, arena);
    for (size_t i = 0; i < n; i++)
        if (bag->count[bag->first[i]] < fit->least)
            fit->least = bag->count[bag->first[i]];
}

void cs_moldable_fit_clear(struct cs_moldable_fit *fit)
{
    fit->runs = 0;
    cs_moldable_room_clear(&fit->room, fit->bag->procs);
    fit->now = 0;
}

static void fit_run(struct cs_moldable_fit *fit, double end, int first, int procs)
{
    struct cs_moldable_running *running = fit->running;
    int at = fit->runs++;

    for (; at > 0 && running[at - 1].end < end; at--)
        running[at] = running[at - 1];
    running[at] = (struct cs_moldable_running){end, procs, first};
}

void cs_moldable_fit_busy(struct cs_moldable_fit *fit, double end, int first, int procs)
{
    fit_run(fit, end, cs_moldable_room_take(&fit->room, first, procs), procs);
}

static int widest_within(const struct cs_moldable_fit *fit, int task)
{
    if (fit->within)
        return fit->within[(size_t)task * ((size_t)fit->bag->procs + 1) + (size_t)fit->room.most];
    return cs_moldable_within(fit->bag, task, fit->room.most);
}

/* Start what can start now.  Returns how many did. */
static int fit_scan(struct cs_moldable_fit *fit, const int *choice, const int *order,
                    double deadline)
{
    const struct cs_moldable_bag *bag = fit->bag;
    int started = 0, before = 0;

    for (int place; fit->room.most >= fit->least && (place = fit->next[before]) != 0;) {
        int task = order[place - 1], x = choice[task], at = bag->first[task] + x;
        bool starts = !bag->release || bag->release[task] <= fit->now;

        if (starts && bag->count[at] > fit->room.most) {
            x = fit->plain ? -1 : widest_within(fit, task);
            at = bag->first[task] + x;
            starts = x >= 0 && !(fit->now + bag->seconds[at] >= deadline);
        }
        if (!starts) {
            before = place;
            continue;
        }
        fit->next[before] = fit->next[place];
        fit->first[task] = cs_moldable_room_take(&fit->room, -1, bag->count[at]);
        fit->choice[task] = x;
        fit->start[task] = fit->now;
        fit->started[started++] = task;
    }
    return started;
}

/* No task waits: the longest of those that have just started takes its next candidate, again and
 * again, while the processors last. */
static void fit_widen(struct cs_moldable_fit *fit, int started)
{
    const struct cs_moldable_bag *bag = fit->bag;

    while (started > 0) {
        int longest = fit->started[0], at;
        double most = cs_moldable_seconds(bag, longest, fit->choice[longest]);

        for (int s = 1; s < started; s++) {
            double seconds =
                cs_moldable_seconds(bag, fit->started[s], fit->choice[fit->started[s]]);

            if (seconds > most) {
                most = seconds;
                longest = fit->started[s];
            }
        }
        at = bag->first[longest] + fit->choice[longest];
        if (at + 1 == bag->first[longest + 1])
            return;
        if (!cs_moldable_room_widen(&fit->room, &fit->first[longest], bag->count[at],
                                    bag->count[at + 1]))
            return;
        fit->choice[longest]++;
    }
}

static void note_ends(struct cs_moldable_fit *fit, int started)
{
    const struct cs_moldable_bag *bag = fit->bag;

    for (int s = 0; s < started; s++) {
        int task = fit->started[s], at = bag->first[task] + fit->choice[task];
        double end = fit->now + bag->seconds[at];

        if (end > fit->makespan) {
            fit->makespan = end;
            fit->last = task;
        }
        fit_run(fit, end, fit->first[task], bag->count[at]);
    }
}

/* The next event.  Without releases a task runs, because every task fits an empty machine. */
static void go_on(struct cs_moldable_fit *fit, const int *order)
{
    const double *release = fit->bag->release;
    double now = fit->runs ? fit->running[fit->runs - 1].end : INFINITY;

    if (release)
        for (int place = fit->next[0]; place; place = fit->next[place])
            if (release[order[place - 1]] > fit->now)
                now = fmin(now, release[order[place - 1]]);
    fit->now = now;
    while (fit->runs && fit->running[fit->runs - 1].end <= now) {
        const struct cs_moldable_running *done = &fit->running[--fit->runs];

        cs_moldable_room_give(&fit->room, done->first, done->procs);
    }
}

bool cs_moldable_fit(struct cs_moldable_fit *fit, const int *choice, const int *order, int count,
                     double deadline, double limit)
{
    fit->makespan = 0;
    fit->last = 0;
    for (int place = 0; place < count; place++)
        fit->next[place] = place + 1;
    fit->next[count] = 0;
    for (;;) {
        int started = fit_scan(fit, choice, order, deadline);

        if (fit->next[0] == 0 && !fit->plain)
            fit_widen(fit, started);
        note_ends(fit, started);
        if (fit->makespan > limit)
            return false;
        if (fit->next[0] == 0)
            return true;
        go_on(fit, order);
    }
}
