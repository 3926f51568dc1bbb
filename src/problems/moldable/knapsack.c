/* knapsack.c - the bound that looks at the instant in the middle of a plan.
 *
 * Source: spec/moldable.md 5.3: the exact value, for any work, monotone or not.
 * Idea: in a plan of makespan lambda all tasks longer than lambda / 2 run at the instant lambda /
 * 2, so their counts add up to at most procs.  K(lambda) is the least work that respects this; the
 * bound is the least lambda with K(lambda) / procs <= lambda.
 * Invariants: the test is monotone and changes only at times t and 2 t; least[q] is the least work
 * of the tasks so far with at most q processors in the middle; never below the area bound (up to
 * rounding).
 * Complexity: O(procs candidates) for one K, O(log candidates) of them; above
 * CS_MOLDABLE_KNAPSACK_MOST (bound.h: 1e8, spec/moldable.md 5.5) the bound is NaN.
 */
#include "base/order.h"
#include "problems/moldable/bound.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

struct knapsack {
    const struct cs_moldable_bag *bag;
    double *least, *next; /* by capacity */
    int *option;          /* candidates of a task that may run through the middle */
};

/* One task: the work without capacity, or that of an option for its count. */
static void knapsack_add_task(struct knapsack *k, double without, const int *option, int options)
{
    const struct cs_moldable_bag *bag = k->bag;
    size_t capacity = (size_t)bag->procs;
    double *least = k->least, *next = k->next;

    for (size_t q = 0; q <= capacity; q++)
        next[q] = least[q] + without;
    for (int o = 0; o < options; o++) {
        size_t count = (size_t)bag->count[option[o]];
        double work = bag->work[option[o]], *to = next + count;

        for (size_t q = 0; q <= capacity - count; q++) {
            double other = least[q] + work;

            to[q] = other < to[q] ? other : to[q];
        }
    }
    k->least = next;
    k->next = least;
}

/* K(lambda). */
static double least_work(struct knapsack *k, double lambda)
{
    const struct cs_moldable_bag *bag = k->bag;
    double base = 0;
    bool any = false;

    for (int i = 0; i < bag->tasks; i++) {
        int from = cs_moldable_quick(bag, i, lambda), end = bag->first[i + 1];
        int half = cs_moldable_quick(bag, i, lambda / 2), options = 0;
        double without = half < end ? bag->work[bag->thrifty[half]] : INFINITY, best = without;

        for (int a = from; a < half; a++)
            if (bag->work[a] < best) {
                best = bag->work[a];
                k->option[options++] = a;
            }
        if (options == 0 && isinf(without))
            return INFINITY;
        if (options == 0) {
            base += without;
            continue;
        }
        if (!any)
            memset(k->least, 0, ((size_t)bag->procs + 1) * sizeof *k->least);
        any = true;
        knapsack_add_task(k, without, k->option, options);
    }
    return any ? base + k->least[bag->procs] : base;
}

static double last_up_to(const struct cs_moldable_bag *bag, double most)
{
    double last = 0;

    for (int i = 0; i < bag->tasks; i++)
        for (int twice = 1; twice <= 2; twice++) {
            int at = cs_moldable_quick(bag, i, most / twice);

            if (at < bag->first[i + 1])
                last = fmax(last, twice * bag->seconds[at]);
        }
    return last;
}

/* All t and 2 t in (above, most], sorted. */
static int break_points(const struct cs_moldable_bag *bag, double above, double most, double *point,
                        struct cs_arena *scratch)
{
    int count = 0;

    for (int a = 0; a < bag->first[bag->tasks]; a++)
        for (int twice = 1; twice <= 2; twice++) {
            double value = twice * bag->seconds[a];

            if (value > above && value <= most)
                point[count++] = value;
        }
    cs_order_sort_doubles(point, count, scratch);
    return count;
}

/* The test fails at `low`, where K is `work`; points above it in ascending order. */
static double knapsack_bisect(struct knapsack *k, double work, const double *point, int points)
{
    double procs = k->bag->procs;
    int low = -1, high = points;

    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        double here = least_work(k, point[middle]);

        if (here / procs <= point[middle]) {
            high = middle;
        } else {
            low = middle;
            work = here;
        }
    }
    return high < points && !(work / procs < point[high]) ? point[high] : work / procs;
}

static double knapsack_solve(struct knapsack *k, double area, struct cs_arena *scratch)
{
    const struct cs_moldable_bag *bag = k->bag;
    double from = last_up_to(bag, area), work = least_work(k, from), *point;
    int points;

    if (work / bag->procs <= from)
        return from;
    point = CS_NEW_ARRAY(scratch, double, 2 * (size_t)bag->first[bag->tasks]);
    points = break_points(bag, from, work / bag->procs, point, scratch);
    return knapsack_bisect(k, work, point, points);
}

double cs_moldable_knapsack(const struct cs_moldable_bag *bag, double area,
                            struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    size_t candidates = (size_t)bag->first[bag->tasks];
    struct knapsack k = {.bag = bag};
    double bound;

    if (bag->tasks == 0)
        return 0;
    if ((double)bag->procs * (double)candidates > CS_MOLDABLE_KNAPSACK_MOST)
        return NAN;
    k.least = CS_NEW_ARRAY(scratch, double, (size_t)bag->procs + 1);
    k.next = CS_NEW_ARRAY(scratch, double, (size_t)bag->procs + 1);
    k.option = CS_NEW_ARRAY(scratch, int, candidates);
    bound = knapsack_solve(&k, area, scratch);
    cs_arena_rewind(scratch, mark);
    return bound;
}
