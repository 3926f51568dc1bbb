/* one_by_one.c - the policy one-by-one: a pack for each task, on all processors.
 *
 * Source: Aupy et al., 1-IN-p; docs/spec/pack.md 4.  Optimal for packs of one task.  O(n).
 */
#include "problems/pack/policy.h"

static int plan_one_by_one(const struct cs_pack_instance *in,
                           const struct cs_policy_context *context, struct cs_pack_plan *plan)
{
    int procs = in->tasks->procs;

    (void)context;
    for (int i = 0; i < in->tasks->count; i++) {
        cs_pack_plan_add(plan, i, procs);
        cs_pack_plan_close(plan, cs_pack_time(in, i, procs));
    }
    plan->optimal = in->pack_size == 1 || in->tasks->count == 1;
    return 0;
}

const struct cs_pack_policy cs_pack_policy_one_by_one = {
    .info =
        {
            .name = "one-by-one",
            .problem = "pack",
            .summary = "every task alone on all processors, one after the other",
            .source = "Aupy et al., Section 4.1: optimal for 1-IN-p-COSCHEDULE",
        },
    .plan = plan_one_by_one,
};
