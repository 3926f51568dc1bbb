/* registry.c - the policies of policies.def. */
#include "problems/spot/policy.h"

#define CS_SPOT_POLICY(name) extern const struct cs_spot_policy cs_spot_policy_##name;
#include "problems/spot/policies.def"
#undef CS_SPOT_POLICY

#define CS_SPOT_POLICY(name) &cs_spot_policy_##name,
static const struct cs_spot_policy *const policies[] = {
#include "problems/spot/policies.def"
};
#undef CS_SPOT_POLICY

const struct cs_policy *const *cs_spot_policies(int *count)
{
#define CS_SPOT_POLICY(name) &cs_spot_policy_##name.info,
    static const struct cs_policy *const infos[] = {
#include "problems/spot/policies.def"
    };
#undef CS_SPOT_POLICY

    *count = (int)(sizeof infos / sizeof *infos);
    return infos;
}

const struct cs_spot_policy *cs_spot_policy_at(int index)
{
    return policies[index];
}
