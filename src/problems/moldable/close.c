/* close.c - close the gap of a plan by the exact method of general bags.
 *
 * Source: spec/bag.md 6.4 and 6.5 (b).
 * Idea: candidates become modes of one resource.  They keep their order, which is that of
 * spec/bag.md 3.2: more processors take less time. Invariants: the plan is replaced by a strictly
 * shorter one only, the bound by a larger one. Complexity: that of bag/exact.c, limited by
 * conflicts.
 */
#include "problems/moldable/bag/bag.h"

#include "problems/moldable/policy.h"

#include <string.h>

#define PROVEN 1e-9  /* sums of decimal times */
#define ROUNDED 1e-6 /* times that are no multiples of a unit */

static void close_make_modes(const struct cs_moldable_bag *bag, struct cs_modes *modes,
                             struct cs_arena *scratch)
{
    static const char *const resource[] = {"procs"};
    const int all = bag->first[bag->tasks];
    int64_t *use = CS_NEW_ARRAY(scratch, int64_t, all), *capacity = CS_NEW(scratch, int64_t);

    for (int a = 0; a < all; a++)
        use[a] = bag->count[a];
    *capacity = bag->procs;
    *modes = (struct cs_modes){
        .tasks = bag->tasks,
        .resources = 1,
        .resource_name = resource,
        .capacity = capacity,
        .first = bag->first,
        .seconds = bag->seconds,
        .use = use,
        .before_first = CS_NEW_ARRAY(scratch, int, bag->tasks + 1),
        .release = bag->release,
    };
}

static double close_bound(const struct cs_bag *all, const struct cs_moldable_plan *plan,
                          struct cs_arena *scratch)
{
    struct cs_bag_bounds bounds;

    cs_bag_bound(all, &bounds, scratch);
    return fmin(fmax(plan->bound, bounds.least), plan->makespan);
}

void cs_moldable_close(const struct cs_moldable_bag *bag, const struct cs_moldable_request *request,
                       long long conflicts, struct cs_moldable_plan *plan, struct cs_arena *scratch)
{
    struct cs_bag_proof proof = {
        .conflicts = conflicts, .expired = request->expired, .who = request->who};
    struct cs_error ignored = {0};
    struct cs_modes modes;
    struct cs_bag all;
    struct cs_bag_plan found;

    close_make_modes(bag, &modes, scratch);
    if (bag->contiguous || cs_bag_create(&modes, &all, scratch, &ignored))
        return;
    proof.bound = close_bound(&all, plan, scratch);
    cs_bag_plan_init(&found, &all, scratch);
    memcpy(found.choice, plan->choice, (size_t)bag->tasks * sizeof *found.choice);
    memcpy(found.start, plan->start, (size_t)bag->tasks * sizeof *found.start);
    found.makespan = plan->makespan;
    cs_bag_exact(&all, &proof, &found, scratch);
    cs_moldable_plan_offer(bag, plan, found.makespan, found.choice, found.start, NULL);
    plan->bound = fmin(fmax(plan->bound, proof.bound), plan->makespan);
    plan->optimal |= plan->makespan <= plan->bound * (1 + (proof.closed ? ROUNDED : PROVEN));
    if (plan->makespan <= plan->bound * (1 + PROVEN))
        plan->bound = plan->makespan;
}
