/* pair_search.c - the policy pair-search: local-search, then the best division of every two packs.
 *
 * Source: docs/spec/pack.md, Part II 2.5 (C4+LS1+PAIR); pair.c, and kick.c for `kicks`.
 * Invariant: the plan is never more expensive than that of local-search with as many orders; on
 * more than 16,000 units of processors (pair.c) it is the same.
 */
#include "problems/pack/descent.h"
#include "problems/pack/pair.h"

void cs_pack_pair_plan(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                       int orders, int kicks, struct cs_pack_plan *plan)
{
    struct cs_pack_loads *loads = cs_pack_descent_plan(in, context, orders, plan);
    struct cs_pack_pair *pair = loads ? cs_pack_pair_create(loads) : NULL;
    struct cs_pack_plan *other;

    if (!pair)
        return;
    cs_pack_pair_improve(pair, context);
    cs_pack_kick_search(pair, loads, context, kicks);
    other = cs_pack_plan_create(in->tasks->count);
    cs_pack_loads_write(loads, in, other);
    if (other->total < plan->total)
        cs_pack_plan_copy(plan, other);
    cs_pack_plan_destroy(other);
}

static int plan_pair_search(const struct cs_pack_instance *in,
                            const struct cs_policy_context *context, struct cs_pack_plan *plan)
{
    cs_pack_pair_plan(in, context, (int)context->param[0], (int)context->param[1], plan);
    return 0;
}

static const struct cs_param params[] = {
    CS_PACK_DESCENT_ORDERS,
    {
        .name = "kicks",
        .kind = CS_PARAM_INTEGER,
        .fallback = "0",
        .low = 0,
        .high = 1e9,
        .summary = "times to shuffle three packs and search again, from the seed",
    },
    {0},
};

const struct cs_pack_policy cs_pack_policy_pair_search = {
    .info =
        {
            .name = "pair-search",
            .problem = "pack",
            .summary = "local-search, then the best division of the tasks of every two packs",
            .source = "exact re-partition of two packs (C4+LS1+PAIR)",
            .params = params,
        },
    .plan = plan_pair_search,
};
