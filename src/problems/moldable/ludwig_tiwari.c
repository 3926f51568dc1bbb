/* ludwig-tiwari - list the allotment of the area bound, longest first.
 *
 * Source: spec/moldable.md 6.2; Ludwig, Tiwari, SODA 1994.
 * Idea: the threshold T of the area bound balances longest task and work; LIST of thrifty(T),
 * lpt.
 * Invariant: makespan <= (2 - 1/procs) times the area bound, for any times (neither monotone work
 * nor contiguous counts are needed), without release dates and on any processors.  The threshold
 * may be below the bound: it is the threshold whose allotment is listed.
 * Complexity: the area bound and one list, O(tasks log tasks) and O(tasks log candidates) per
 * W(T).
 */
#include "problems/moldable/bound.h"
#include "problems/moldable/policy.h"

void cs_moldable_ludwig_tiwari(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                               struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    int *choice = CS_NEW_ARRAY(scratch, int, bag->tasks);
    int *order = CS_NEW_ARRAY(scratch, int, bag->tasks);
    double *start = CS_NEW_ARRAY(scratch, double, bag->tasks), threshold, makespan;
    struct cs_moldable_lister lister;

    cs_moldable_area(bag, &threshold, scratch);
    cs_moldable_thrifty(bag, threshold, choice);
    cs_moldable_sort(bag, choice, CS_MOLDABLE_LPT, order, scratch);
    cs_moldable_lister_init(&lister, bag, scratch);
    makespan = cs_moldable_list(&lister, choice, order, plan->makespan, start);
    cs_moldable_plan_offer(bag, plan, makespan, choice, start, lister.first);
    cs_arena_rewind(scratch, mark);
}

static int plan_ludwig_tiwari(const struct cs_moldable_instance *in,
                              const struct cs_policy_context *context,
                              struct cs_moldable_plan *plan)
{
    cs_moldable_ludwig_tiwari(&in->bag, plan, context->scratch);
    return 0;
}

const struct cs_moldable_policy cs_moldable_policy_ludwig_tiwari = {
    .info =
        {
            .name = "ludwig-tiwari",
            .problem = "moldable",
            .summary = "the allotment of the area bound, longest first",
            .source = "Ludwig, Tiwari 1994",
        },
    .plan = plan_ludwig_tiwari,
};
