/* registry.c - the strategies of policies.def. */
#include "problems/ptg/strategy.h"

#include "base/bug.h"
#include "base/guard.h"

#define CS_PTG_STRATEGY(name) extern const struct cs_ptg_strategy cs_ptg_strategy_##name;
#include "problems/ptg/policies.def"
#undef CS_PTG_STRATEGY

const struct cs_ptg_strategy *const *cs_ptg_strategies(int *count)
{
#define CS_PTG_STRATEGY(name) &cs_ptg_strategy_##name,
    static const struct cs_ptg_strategy *const strategies[] = {
#include "problems/ptg/policies.def"
    };
#undef CS_PTG_STRATEGY

    *count = (int)(sizeof strategies / sizeof *strategies);
    return strategies;
}

void cs_ptg_shares_named(const struct cs_ptg_instance *in, const struct cs_ptg_options *options,
                         const char *name, double *beta)
{
    struct cs_arena *scratch = cs_arena_create();
    struct cs_ptg_reference reference = cs_ptg_reference_of(in->platform, options->reference);
    struct cs_ptg_scene scene = cs_ptg_scene_of(in, &reference, options, scratch);
    struct cs_policy_call call;
    int count;
    const struct cs_policy *const *list = cs_ptg_policies(&count);

    CS_REQUIRE(cs_policy_parse(name, list, count, &call, NULL) == 0);
    cs_ptg_strategies(&count)[call.policy]->shares(&scene, call.param, beta);
    cs_arena_destroy(scratch);
}

const struct cs_policy *const *cs_ptg_policies(int *count)
{
    CS_ASK(count, NULL, NULL);
#define CS_PTG_STRATEGY(name) &cs_ptg_strategy_##name.info,
    static const struct cs_policy *const policies[] = {
#include "problems/ptg/policies.def"
    };
#undef CS_PTG_STRATEGY

    *count = (int)(sizeof policies / sizeof *policies);
    return policies;
}
