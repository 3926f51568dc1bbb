/* registry.c - the policies of policies.def. */
#include "rigid/policy.h"

#define CS_RIGID_POLICY(name) extern const struct cs_rigid_policy cs_rigid_policy_##name;
#include "rigid/policies.def"
#undef CS_RIGID_POLICY

const struct cs_rigid_policy *const *cs_rigid_policies(int *count)
{
#define CS_RIGID_POLICY(name) &cs_rigid_policy_##name,
    static const struct cs_rigid_policy *const policies[] = {
#include "rigid/policies.def"
    };
#undef CS_RIGID_POLICY

    *count = (int)(sizeof policies / sizeof *policies);
    return policies;
}

const struct cs_policy *const *cs_rigid_policy_infos(int *count)
{
#define CS_RIGID_POLICY(name) &cs_rigid_policy_##name.info,
    static const struct cs_policy *const infos[] = {
#include "rigid/policies.def"
    };
#undef CS_RIGID_POLICY

    *count = (int)(sizeof infos / sizeof *infos);
    return infos;
}
