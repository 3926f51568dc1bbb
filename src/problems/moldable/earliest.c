/* earliest.c - EARLIEST: a skyline of free processors in which each task takes the first place.
 *
 * Source: spec/moldable.md 4.2; COMPACT (4.5) is EARLIEST in the order of the starts of a plan.
 * Idea: in order, each task starts at the first instant from its release on at which enough
 * processors are free during all of its time; holes between placed tasks are used.  A task so
 * short that it ends where it starts takes nothing away, but has to fit there as well.
 * Invariants: time[] ascends strictly; free[at] holds from time[at] to time[at + 1]; the last
 * stretch is endless and has all processors free.
 * Complexity: a binary search, the stretches that a task passes, and a memmove: O(tasks^2) at
 * worst.
 */
#include "problems/moldable/list.h"

#include <math.h>
#include <string.h>

void cs_moldable_skyline_init(struct cs_moldable_skyline *skyline,
                              const struct cs_moldable_bag *bag, struct cs_arena *arena)
{
    skyline->bag = bag;
    skyline->time = CS_NEW_ARRAY(arena, double, 4 * (size_t)bag->tasks + 1);
    skyline->free = CS_NEW_ARRAY(arena, int, 4 * (size_t)bag->tasks + 1);
    skyline->count = 0;
}

void cs_moldable_skyline_clear(struct cs_moldable_skyline *s)
{
    s->count = 1;
    s->time[0] = 0;
    s->free[0] = s->bag->procs;
}

/* The stretch that holds the instant. */
static int earliest_find(const struct cs_moldable_skyline *s, double instant)
{
    int low = 0, high = s->count;

    while (high - low > 1) {
        int middle = low + (high - low) / 2;

        if (s->time[middle] <= instant)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The stretch that begins at the instant, which is in stretch `at`; cut there if need be. */
static int earliest_cut(struct cs_moldable_skyline *s, int at, double instant)
{
    size_t rest;

    if (s->time[at] == instant)
        return at;
    rest = (size_t)(s->count - at - 1);
    memmove(s->time + at + 2, s->time + at + 1, rest * sizeof *s->time);
    memmove(s->free + at + 2, s->free + at + 1, rest * sizeof *s->free);
    s->time[at + 1] = instant;
    s->free[at + 1] = s->free[at];
    s->count++;
    return at + 1;
}

void cs_moldable_skyline_take(struct cs_moldable_skyline *s, double start, double end, int procs)
{
    int from = earliest_cut(s, earliest_find(s, start), start),
        to = earliest_cut(s, earliest_find(s, end), end);

    for (int at = from; at < to; at++)
        s->free[at] -= procs;
}

bool cs_moldable_skyline_fits(const struct cs_moldable_skyline *s, double start, double end,
                              int procs)
{
    int at = earliest_find(s, start);

    do {
        if (s->free[at++] < procs)
            return false;
    } while (at < s->count && s->time[at] < end);
    return true;
}

/* Processors as wide as the task, from its release on, among those placed: the earliest start.
 * Takes them. */
static double skyline_place(struct cs_moldable_skyline *s, double release, int procs,
                            double seconds)
{
    double start = release;

    for (int at = earliest_find(s, release);
         at < s->count && (s->time[at] <= start || s->time[at] < start + seconds); at++)
        if (s->free[at] < procs)
            start = s->time[at + 1];
    cs_moldable_skyline_take(s, start, start + seconds, procs);
    return start;
}

double cs_moldable_earliest(struct cs_moldable_skyline *skyline, const int *choice,
                            const int *order, double cutoff, double *start)
{
    const struct cs_moldable_bag *bag = skyline->bag;
    double makespan = 0;

    cs_moldable_skyline_clear(skyline);
    for (int p = 0; p < bag->tasks; p++) {
        int task = order[p], at = bag->first[task] + choice[task];
        double end;

        start[task] = skyline_place(skyline, cs_moldable_release(bag, task), bag->count[at],
                                    bag->seconds[at]);
        end = start[task] + bag->seconds[at];
        makespan = fmax(makespan, end);
        if (makespan >= cutoff)
            return INFINITY;
    }
    return makespan;
}
