/* registry.c - the policies of policies.def.
 *
 * The file is included for the declarations, for a table of policies of each kind, and for a
 * table of their names and summaries, which the public interface shows.  The index of a policy
 * is its position among those of its kind (end or failure); the enumerations CS_MALLEABLE_END_*
 * and CS_MALLEABLE_FAILURE_* of problems/malleable/malleable.h have the same order.
 */
#include "problems/malleable/policy.h"

#define CS_MALLEABLE_END_POLICY(name)                                                              \
    extern const struct cs_malleable_policy cs_malleable_end_##name;
#define CS_MALLEABLE_FAILURE_POLICY(name)                                                          \
    extern const struct cs_malleable_policy cs_malleable_failure_##name;
#include "base/guard.h"
#include "problems/malleable/policies.def"
#undef CS_MALLEABLE_END_POLICY
#undef CS_MALLEABLE_FAILURE_POLICY

#define CS_MALLEABLE_END_POLICY(name) &cs_malleable_end_##name,
#define CS_MALLEABLE_FAILURE_POLICY(name)
static const struct cs_malleable_policy *const ends[] = {
#include "problems/malleable/policies.def"
};
#undef CS_MALLEABLE_END_POLICY
#undef CS_MALLEABLE_FAILURE_POLICY

#define CS_MALLEABLE_END_POLICY(name)
#define CS_MALLEABLE_FAILURE_POLICY(name) &cs_malleable_failure_##name,
static const struct cs_malleable_policy *const failures[] = {
#include "problems/malleable/policies.def"
};
#undef CS_MALLEABLE_END_POLICY
#undef CS_MALLEABLE_FAILURE_POLICY

const struct cs_malleable_policy *cs_malleable_end_policy(int index)
{
    return ends[index];
}

const struct cs_malleable_policy *cs_malleable_failure_policy(int index)
{
    return failures[index];
}

const struct cs_policy *const *cs_malleable_end_policies(int *count)
{
    CS_ASK(count, NULL, NULL);
#define CS_MALLEABLE_END_POLICY(name) &cs_malleable_end_##name.info,
#define CS_MALLEABLE_FAILURE_POLICY(name)
    static const struct cs_policy *const infos[] = {
#include "problems/malleable/policies.def"
    };
#undef CS_MALLEABLE_END_POLICY
#undef CS_MALLEABLE_FAILURE_POLICY

    *count = (int)(sizeof infos / sizeof *infos);
    return infos;
}

const struct cs_policy *const *cs_malleable_failure_policies(int *count)
{
    CS_ASK(count, NULL, NULL);
#define CS_MALLEABLE_END_POLICY(name)
#define CS_MALLEABLE_FAILURE_POLICY(name) &cs_malleable_failure_##name.info,
    static const struct cs_policy *const infos[] = {
#include "problems/malleable/policies.def"
    };
#undef CS_MALLEABLE_END_POLICY
#undef CS_MALLEABLE_FAILURE_POLICY

    *count = (int)(sizeof infos / sizeof *infos);
    return infos;
}
