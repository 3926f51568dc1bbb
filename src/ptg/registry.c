/* registry.c - the strategies of policies.def. */
#include "ptg/strategy.h"

#define CS_PTG_STRATEGY(name) extern const struct cs_ptg_strategy cs_ptg_strategy_##name;
#include "ptg/policies.def"
#undef CS_PTG_STRATEGY

const struct cs_ptg_strategy *const *cs_ptg_strategies(int *count)
{
#define CS_PTG_STRATEGY(name) &cs_ptg_strategy_##name,
    static const struct cs_ptg_strategy *const strategies[] = {
#include "ptg/policies.def"
    };
#undef CS_PTG_STRATEGY

    *count = (int)(sizeof strategies / sizeof *strategies);
    return strategies;
}

const struct cs_policy *const *cs_ptg_policies(int *count)
{
#define CS_PTG_STRATEGY(name) &cs_ptg_strategy_##name.info,
    static const struct cs_policy *const policies[] = {
#include "ptg/policies.def"
    };
#undef CS_PTG_STRATEGY

    *count = (int)(sizeof policies / sizeof *policies);
    return policies;
}
