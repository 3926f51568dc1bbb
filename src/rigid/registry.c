/* registry.c - the policies of policies.def. */
#include "base/bug.h"
#include "rigid/policy.h"

#define CS_RIGID_POLICY(name) extern const struct cs_rigid_policy cs_rigid_policy_##name;
#include "rigid/policies.def"
#undef CS_RIGID_POLICY

#define CS_RIGID_POLICY(name) &cs_rigid_policy_##name,
static const struct cs_rigid_policy *const policies[] = {
#include "rigid/policies.def"
};
#undef CS_RIGID_POLICY

#define POLICIES ((int)(sizeof policies / sizeof *policies))

const struct cs_policy *const *cs_rigid_policies(int *count)
{
#define CS_RIGID_POLICY(name) &cs_rigid_policy_##name.info,
    static const struct cs_policy *const infos[] = {
#include "rigid/policies.def"
    };
#undef CS_RIGID_POLICY

    *count = POLICIES;
    return infos;
}

const struct cs_rigid_policy *cs_rigid_policy_at(int index)
{
    CS_REQUIRE(index >= 0 && index < POLICIES);
    return policies[index];
}

const struct cs_rigid_policy *cs_rigid_policy_parse(const char *text, struct cs_policy_call *call,
                                                    struct cs_error *err)
{
    int count;
    const struct cs_policy *const *infos = cs_rigid_policies(&count);

    return cs_policy_parse(text, infos, count, call, err) ? NULL : policies[call->policy];
}
