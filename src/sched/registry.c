/* registry.c - the policies of policies.def. */
#include "base/bug.h"
#include "base/guard.h"
#include "sched/policy.h"

#include <string.h>

#define CS_SCHED_POLICY(name) extern const struct cs_sched_policy cs_sched_policy_##name;
#include "sched/policies.def"
#undef CS_SCHED_POLICY

#define CS_SCHED_POLICY(name) &cs_sched_policy_##name,
static const struct cs_sched_policy *const policies[] = {
#include "sched/policies.def"
};
#undef CS_SCHED_POLICY

#define POLICIES ((int)(sizeof policies / sizeof *policies))

const struct cs_policy *const *cs_sched_policies(int *count)
{
    CS_ASK(count, NULL, NULL);
#define CS_SCHED_POLICY(name) &cs_sched_policy_##name.info,
    static const struct cs_policy *const infos[] = {
#include "sched/policies.def"
    };
#undef CS_SCHED_POLICY

    *count = POLICIES;
    return infos;
}

const struct cs_sched_policy *cs_sched_policy_at(int index)
{
    CS_ASK(index >= 0 && index < POLICIES, NULL, NULL);
    return policies[index];
}

const struct cs_sched_policy *cs_sched_policy_parse(const char *text, struct cs_policy_call *call,
                                                    struct cs_error *err)
{
    CS_ASK(text && call, err, NULL);
    CS_GUARD(err, NULL);
    int count;
    const struct cs_policy *const *infos = cs_sched_policies(&count);

    return cs_policy_parse(text, infos, count, call, err) ? NULL : policies[call->policy];
}

const struct cs_sched_policy *cs_sched_policy_choose(const struct cs_sched_policy *policy,
                                                     const struct cs_sched_instance *in,
                                                     const double *param, struct cs_error *err)
{
    const struct cs_sched_policy *other = policy->choose ? policy->choose(in, param) : NULL;

    if (policy->choose || !cs_sched_is_general(in))
        return other ? other : policy;
    cs_error_set(err,
                 "policy %s knows one pool of processors, without outages, limits of users or "
                 "priorities that change with time",
                 policy->info.name);
    return NULL;
}

static bool is_among(const char *name, const char *const *word, int count)
{
    size_t length = strlen(name);

    for (int w = 0; w < count; w++)
        if (!strncmp(word[w], name, length) && (!word[w][length] || word[w][length] == ':'))
            return true;
    return false;
}

const char *const *cs_sched_policy_all(struct cs_arena *arena, int *count)
{
    static const char *const variants[] = {
        "greedy",
        "r-list-1",
        "r-list-q",
        "easy",
        "conservative",
        "conservative:compress=20",
        "conservative:compress=now",
        "shelf",
        "shelf:backfill=no",
        "shelf-fill",
        "shelf-fill:backfill=no",
    };
    int known = sizeof variants / sizeof *variants;
    const char **word = CS_NEW_ARRAY(arena, const char *, known + POLICIES);

    for (*count = 0; *count < known; ++*count)
        word[*count] = variants[*count];
    for (int p = 0; p < POLICIES; p++)
        if (strcmp(policies[p]->info.name, "list") && !policies[p]->info.extpol &&
            !is_among(policies[p]->info.name, word, *count))
            word[(*count)++] = policies[p]->info.name;
    return word;
}
