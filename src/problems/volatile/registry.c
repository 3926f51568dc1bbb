/* registry.c - the policies of policies.def and their parameters.
 *
 * Source: section VI of the paper (RANDOM, IP, IE, IY, IAY and C-H with C in P, E, Y);
 * spec/volatile.md Part II.1 for IT and T, III.4 for rate, docs/policies.md for program.
 * Invariant: the order of policies.def is the number of a policy in requests and in lists.
 */
#include "problems/volatile/policy.h"

#include "model/extpol.h"

#include <string.h>

static const struct cs_policy_param params[] = {
    {.name = "estimate",
     .kind = CS_POLICY_PARAM_CHOICE,
     .default_text = "printed",
     .choices = "printed|conditional",
     .summary = "expected times as the paper prints them, or given success"},
    {.name = "prefetch",
     .kind = CS_POLICY_PARAM_CHOICE,
     .default_text = "none",
     .choices = "none|program|data",
     .summary = "what idle transfers send to other hosts; changes the model"},
    {.name = "single-hosts",
     .old = "singles",
     .kind = CS_POLICY_PARAM_CHOICE,
     .default_text = "no",
     .choices = "no|yes",
     .summary = "consider also each host alone"},
    {.name = "aware",
     .kind = CS_POLICY_PARAM_CHOICE,
     .default_text = "no",
     .choices = "no|yes",
     .summary = "measure reclaimed hosts of a running configuration exactly"},
    {0},
};

static const struct cs_policy_param params_of_dice[] = {
    {.name = "prefetch",
     .kind = CS_POLICY_PARAM_CHOICE,
     .default_text = "none",
     .choices = "none|program|data",
     .summary = "what idle transfers send to other hosts; changes the model"},
    {0},
};

#define PAPER "Casanova, Dufosse, Robert, Vivien, tightly-coupled applications, section VI"

/* How a measure chooses hosts for tasks, and how it decides a switch. */
#define CHOICE_PROBABILITY "each task where success is most probable"
#define CHOICE_TIME "each task where the expected time is least"
#define CHOICE_YIELD "each task where the expected yield is largest"
#define CHOICE_APPARENT_YIELD "each task where the expected yield from now on is largest"
#define CHOICE_RESTARTS "each task where the expected time with restarts is least"
#define CHOICE_RATE "each task where the expected safe progress per slot is largest"
#define CHOICE_DICE "each task to a host drawn at random"
#define CHOICE_EXTPOL "asks a program of yours (--policy-program), in any language"
#define SWITCH_NONE ""
#define SWITCH_EXTPOL ""
#define SWITCH_PROBABILITY "; switch for a higher probability of success"
#define SWITCH_TIME "; switch for a shorter expected time"
#define SWITCH_YIELD "; switch for a higher yield"
#define SWITCH_RESTARTS "; switch for a shorter expected time with restarts"

#define SOURCE_PROBABILITY PAPER
#define SOURCE_TIME PAPER
#define SOURCE_YIELD PAPER
#define SOURCE_APPARENT_YIELD PAPER
#define SOURCE_RESTARTS "mean length of an attempt over its probability, by Wald's equation"
#define SWITCH_RATE "; switch for more of it"

#define SOURCE_RATE "renewal reward, with any law of how long hosts stay"
#define SOURCE_DICE PAPER
#define SOURCE_EXTPOL "yours; docs/policies.md"

#define PARAMS_PROBABILITY params
#define PARAMS_TIME params
#define PARAMS_YIELD params
#define PARAMS_APPARENT_YIELD params
#define PARAMS_RESTARTS params
#define PARAMS_RATE params_of_dice
#define PARAMS_DICE params_of_dice
#define PARAMS_EXTPOL NULL

#define CS_VOLATILE_POLICY(id, text, when, what, others)                                           \
    static const struct cs_volatile_policy policy_##id = {                                         \
        .info = {.name = (text),                                                                   \
                 .problem = "volatile",                                                            \
                 .summary = CHOICE_##what SWITCH_##when,                                           \
                 .source = SOURCE_##what,                                                          \
                 .aliases = (others),                                                              \
                 .params = PARAMS_##what,                                                          \
                 .extpol = CS_VOLATILE_##what == CS_VOLATILE_EXTPOL},                              \
        .criterion = CS_VOLATILE_##when,                                                           \
        .choice = CS_VOLATILE_##what,                                                              \
    };
#include "base/guard.h"
#include "problems/volatile/policies.def"
#undef CS_VOLATILE_POLICY

const struct cs_volatile_policy *const *cs_volatile_policy_list(int *count)
{
#define CS_VOLATILE_POLICY(id, text, when, what, others) &policy_##id,
    static const struct cs_volatile_policy *const policies[] = {
#include "problems/volatile/policies.def"
    };
#undef CS_VOLATILE_POLICY

    *count = (int)(sizeof policies / sizeof *policies);
    return policies;
}

const struct cs_policy *const *cs_volatile_policies(int *count)
{
    CS_ASK(count, NULL, NULL);
#define CS_VOLATILE_POLICY(id, text, when, what, others) &policy_##id.info,
    static const struct cs_policy *const infos[] = {
#include "problems/volatile/policies.def"
    };
#undef CS_VOLATILE_POLICY

    *count = (int)(sizeof infos / sizeof *infos);
    return infos;
}

/* The value of a choice by the name of its parameter, 0 (the first) when the policy has none. */
static int registry_value_of(const struct cs_volatile_policy *policy, const double *param,
                             const char *name)
{
    const struct cs_policy_param *list = policy->info.params;

    for (int i = 0; list && list[i].name; i++)
        if (!strcmp(list[i].name, name))
            return (int)param[i];
    return 0;
}

struct cs_volatile_options cs_volatile_options_of(const struct cs_volatile_policy *policy,
                                                  const double *param)
{
    return (struct cs_volatile_options){
        .estimate = (enum cs_volatile_estimate)registry_value_of(policy, param, "estimate"),
        .prefetch = (enum cs_volatile_prefetch)registry_value_of(policy, param, "prefetch"),
        .singles = registry_value_of(policy, param, "single-hosts"),
        .aware = registry_value_of(policy, param, "aware"),
        .extpol = policy->info.extpol ? cs_extpol_of(param, NULL) : NULL,
    };
}
