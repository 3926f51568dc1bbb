/* bag.h - the candidates of some tasks, which is all that algorithms look at.
 *
 * The candidates of task i are first[i] .. first[i + 1] - 1: counts rise, seconds fall, both
 * strictly.  An instance has a bag; methods make others: with times multiplied, of the tasks that
 * are left, of repaired times.
 */
#ifndef CS_MOLDABLE_BAG_H
#define CS_MOLDABLE_BAG_H

#include "base/arena.h"

#include <stdbool.h>

struct cs_moldable_bag {
    int tasks, procs;
    const int *first; /* tasks + 1 */
    const int *count;
    const double *seconds;
    const double *work; /* count * seconds */
    const int *thrifty; /* of this candidate and the wider ones that of least work; ties: narrow */
    const double *release; /* by task; NULL when all are there at 0 */
    bool contiguous;       /* each task holds processors of consecutive numbers */
};

/* Work and thrifty of a bag whose other members are set. */
void cs_moldable_bag_finish(struct cs_moldable_bag *bag, struct cs_arena *arena);

/* Allotments have the candidate of each task, counted from its first. */

static inline int cs_moldable_candidates(const struct cs_moldable_bag *bag, int task)
{
    return bag->first[task + 1] - bag->first[task];
}

static inline int cs_moldable_width(const struct cs_moldable_bag *bag, int task, int choice)
{
    return bag->count[bag->first[task] + choice];
}

static inline double cs_moldable_seconds(const struct cs_moldable_bag *bag, int task, int choice)
{
    return bag->seconds[bag->first[task] + choice];
}

static inline double cs_moldable_work(const struct cs_moldable_bag *bag, int task, int choice)
{
    return bag->work[bag->first[task] + choice];
}

static inline double cs_moldable_release(const struct cs_moldable_bag *bag, int task)
{
    return bag->release ? bag->release[task] : 0;
}

/* The time of a task on its widest candidate, and its least work. */
static inline double cs_moldable_fastest(const struct cs_moldable_bag *bag, int task)
{
    return bag->seconds[bag->first[task + 1] - 1];
}

static inline double cs_moldable_least_work(const struct cs_moldable_bag *bag, int task)
{
    return bag->work[bag->thrifty[bag->first[task]]];
}

/* The narrowest candidate of at most `seconds`, as an index into the arrays of the bag; first[task
 * + 1] if no candidate is that fast. */
int cs_moldable_quick(const struct cs_moldable_bag *bag, int task, double seconds);

/* The same among the indices from low on below high, or high. */
static inline int cs_moldable_quick_between(const struct cs_moldable_bag *bag, int low, int high,
                                            double seconds)
{
    while (low < high) {
        int middle = low + (high - low) / 2;

        if (bag->seconds[middle] <= seconds)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* The widest candidate of at most `procs` processors, counted from the first; -1: none. */
int cs_moldable_within(const struct cs_moldable_bag *bag, int task, int procs);

/* Of each task the narrowest candidate of at most `seconds`, or that of least work among them
 * (ties: narrow); the fastest if no candidate is that fast. */
void cs_moldable_gamma(const struct cs_moldable_bag *bag, double seconds, int *choice);
void cs_moldable_thrifty(const struct cs_moldable_bag *bag, double seconds, int *choice);

#endif
