/* local_search.c - the policy local-search: a good start, then moves and swaps (descent.c).
 *
 * Source: docs/spec/pack.md, Part II 2.1 and 2.2 (C4+LS1).
 * Invariant: the plan is never more expensive than its start.  Complexity: that of descent.c.
 */
#include "problems/pack/descent.h"

static int plan_local_search(const struct cs_pack_instance *in,
                             const struct cs_policy_context *context, struct cs_pack_plan *plan)
{
    cs_pack_descent_plan(in, context, (int)context->param[0], plan);
    return 0;
}

static const struct cs_policy_param params[] = {
    CS_PACK_DESCENT_ORDERS,
    {0},
};

const struct cs_pack_policy cs_pack_policy_local_search = {
    .info =
        {
            .name = "local-search",
            .problem = "pack",
            .summary = "the better of contiguous and pack-by-pack, improved by moves and swaps",
            .source = "first-improvement descent on load vectors (C4+LS1)",
            .params = params,
        },
    .plan = plan_local_search,
};
