/* bound.c - all bounds of an instance.
 *
 * Source: spec/moldable.md 5.1 (critical) and 5.5 (the largest of the four).
 * Invariants: every bound holds for the times as given; only critical sees release dates.  A
 * knapsack bound that was left out is NaN, which fmax ignores.
 * Complexity: critical O(tasks); the others: area.c, knapsack.c, width.c.
 */
#include "problems/moldable/bound.h"

#include "base/guard.h"
#include "problems/moldable/instance.h"

#include <math.h>

double cs_moldable_critical(const struct cs_moldable_bag *bag)
{
    double most = 0;

    for (int i = 0; i < bag->tasks; i++)
        most = fmax(most, cs_moldable_release(bag, i) + cs_moldable_fastest(bag, i));
    return most;
}

int cs_moldable_bounds_compute(const struct cs_moldable_instance *in,
                               struct cs_moldable_bounds *bounds)
{
    CS_ASK(in && bounds, NULL, -1);
    CS_GUARD(NULL, -1);
    struct cs_arena *scratch = cs_arena_create();

    bounds->critical = cs_moldable_critical(&in->bag);
    bounds->area = cs_moldable_area(&in->bag, &bounds->area_threshold, scratch);
    bounds->knapsack = cs_moldable_knapsack(&in->bag, bounds->area, scratch);
    bounds->width = cs_moldable_width_bound(&in->bag, scratch);
    bounds->best = fmax(fmax(bounds->critical, bounds->area), bounds->width);
    bounds->best = fmax(bounds->best, bounds->knapsack);
    cs_arena_destroy(scratch);
    return 0;
}
