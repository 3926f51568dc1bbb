/* registry.c - the policies of policies.def.
 *
 * The file is included for the declarations, for a table of policies of each kind, and for a
 * table of their names and summaries, which the public interface shows.  The index of a policy
 * is its position among those of its kind (end or failure); the enumerations CS_MALLEABLE_END_*
 * and CS_MALLEABLE_FAILURE_* of problems/malleable/malleable.h have the same order.
 */
#include "base/guard.h"
#include "problems/malleable/malleable.h"
#include "problems/malleable/policy.h"

#include <math.h>

/* Rules, their defaults and limits, and the words for what happens.
 *
 * Source: spec/malleable.md 2 and, for the recommended rules, part II (sections 1, 2, 5, 6).
 *
 * Two sets: the paper's, which reproduce its figures, and the recommended ones.  Their
 * invariants are the checks of cs_malleable_rules_check.  Normalized times below: 100 tasks,
 * MTBF 100 years, on 1,000 and 5,000 processors; IG-EL is iterated-greedy with local, STF-EL
 * shortest-tasks-first with local.
 *
 * | constant | value | unit | how found |
 * |----------|-------|------|-----------|
 * | PERIOD_FACTOR | 0.5 | of Young's period | never worse than 1 where tried (part II, 1) |
 * | HYSTERESIS | 0.02 | share of the time left | 15 to 30 % fewer moves, same mean (part II, 2) |
 * | KAPPA | 1 | lost pieces | 0.5 to 1 tried for the tail layout (part II, 1) |
 * | wake | yes | - | removes runs that are twice too long (part II, 5) |
 *
 * PERIOD_FACTOR at double (1), as it is (0.5) and at half (0.25), without hysteresis:
 * IG-EL 0.739, 0.732, 0.742 on 1,000 processors, 0.919, 0.866, 0.842 on 5,000;
 * STF-EL 0.747, 0.731, 0.747 on 1,000 processors, 0.893, 0.844, 0.836 on 5,000.
 * HYSTERESIS at half and at double: not measured; at 0.05 with an MTBF of 5 years and 5,000
 * processors STF-EL keeps its makespan with 89 moves instead of 486.
 * KAPPA at half: spec/malleable.md tried 0.5 to 1 (0.824 and 0.826 on 5,000 processors, without
 * stating which is which); at double: not measured.
 */

#define CS_MALLEABLE_PERIOD_FACTOR 0.5
#define CS_MALLEABLE_KAPPA 1.0
#define CS_MALLEABLE_HYSTERESIS 0.02

struct cs_malleable_rules cs_malleable_rules_paper(void)
{
    return (struct cs_malleable_rules){
        .on_end = CS_MALLEABLE_END_NONE,
        .on_failure = CS_MALLEABLE_FAILURE_NONE,
        .layout = CS_MALLEABLE_YOUNG,
        .period_factor = 1,
        .kappa = CS_MALLEABLE_KAPPA,
    };
}

struct cs_malleable_rules cs_malleable_rules_recommended(void)
{
    return (struct cs_malleable_rules){
        .on_end = CS_MALLEABLE_END_LOCAL,
        .on_failure = CS_MALLEABLE_FAILURE_SHORTEST,
        .layout = CS_MALLEABLE_YOUNG,
        .period_factor = CS_MALLEABLE_PERIOD_FACTOR,
        .kappa = CS_MALLEABLE_KAPPA,
        .hysteresis = CS_MALLEABLE_HYSTERESIS,
        .minimal_disruption = true,
        .wake = true,
    };
}

int cs_malleable_rules_check(const struct cs_malleable_rules *rules, struct cs_error *err)
{
    CS_ASK(rules, err, -1);
    CS_GUARD(err, -1);
    int ends, failures;

    cs_malleable_end_policies(&ends);
    cs_malleable_failure_policies(&failures);
    if (rules->on_end < 0 || rules->on_end >= ends)
        return cs_error_set(err, "there is no policy %d for ends, only 0 to %d", rules->on_end,
                            ends - 1);
    if (rules->on_failure < 0 || rules->on_failure >= failures)
        return cs_error_set(err, "there is no policy %d for failures, only 0 to %d",
                            rules->on_failure, failures - 1);
    if (rules->layout != CS_MALLEABLE_YOUNG && rules->layout != CS_MALLEABLE_TAIL &&
        rules->layout != CS_MALLEABLE_PATTERN)
        return cs_error_set(err, "there is no layout %d, only young, tail and pattern",
                            (int)rules->layout);
    if (!(rules->period_factor > 0 && isfinite(rules->period_factor)))
        return cs_error_set(err, "the period factor is %g, it must be a positive number",
                            rules->period_factor);
    if (!(rules->kappa > 0 && isfinite(rules->kappa)))
        return cs_error_set(err, "kappa is %g, it must be a positive number", rules->kappa);
    if (!(rules->hysteresis >= 0 && rules->hysteresis < 1))
        return cs_error_set(err, "the hysteresis is %g, it must be at least 0 and below 1",
                            rules->hysteresis);
    return 0;
}

static const char *rules_word(const char *const *words, int count, int at)
{
    return at >= 0 && at < count ? words[at] : NULL;
}

#define WORD(words, at) rules_word(words, (int)(sizeof(words) / sizeof *(words)), at)

const char *cs_malleable_law_name(int law)
{
    static const char *const words[] = {"exponential", "weibull", "lognormal"};

    return WORD(words, law);
}

const char *cs_malleable_event_kind_name(int kind)
{
    static const char *const words[] = {NULL, "start", "end", "wake", "fault", "silent"};

    return WORD(words, kind);
}

const char *cs_malleable_effect_name(int effect)
{
    static const char *const words[] = {
        "none",
        "redistributed",
        "idle",
        "ignored",
        "initial-checkpoint",
        "rollback",
        "rollback-not-longest",
        "rollback-no-better-plan",
        "rollback-redistributed",
    };

    return WORD(words, effect);
}

#define CS_MALLEABLE_END_POLICY(name)                                                              \
    extern const struct cs_malleable_policy cs_malleable_end_##name;
#define CS_MALLEABLE_FAILURE_POLICY(name)                                                          \
    extern const struct cs_malleable_policy cs_malleable_failure_##name;
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
