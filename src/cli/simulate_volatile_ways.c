/* simulate_volatile_ways.c - policies as the command line has them, with the options that are for
 * all of them. */
#include "cli/simulate_volatile.h"
#include "model/param.h"
#include "study/words.h"

#include <string.h>

/* Options that set the parameter of the same name where a policy has it. */
static const char *const common[] = {"estimate", "prefetch", "singles", "aware"};

#define COMMON ((int)(sizeof common / sizeof *common))

static int set_param(const struct cs_policy *policy, struct cs_policy_call *call, const char *name,
                     const char *value, struct cs_error *err)
{
    for (int i = 0; policy->params && policy->params[i].name; i++)
        if (!strcmp(policy->params[i].name, name))
            return cs_param_read(&policy->params[i], value, &call->param[i], err);
    return 0;
}

/* Does the text of the policy set the parameter itself? */
static bool sets(const char *text, const char *name)
{
    size_t length = strlen(name);

    for (const char *at = strpbrk(text, ":,"); at; at = strpbrk(at + 1, ":,"))
        if (!strncmp(at + 1, name, length) && at[1 + length] == '=')
            return true;
    return false;
}

static int add_way(struct cs_simulate_volatile *run, int way, const struct cs_policy *const *list,
                   int count, struct cs_error *err)
{
    struct cs_policy_call *call = &run->call[way];

    if (cs_policy_parse(run->name[way], list, count, call, err))
        return cs_error_prefix(err, "--policy");
    for (int i = 0; i < COMMON; i++) {
        const char *value = cs_arguments_text(run->args, common[i]);

        if (value && !sets(run->name[way], common[i]) &&
            set_param(list[call->policy], call, common[i], value, err))
            return -1;
    }
    return 0;
}

static struct cs_words all_names(const struct cs_policy *const *list, int count,
                                 struct cs_arena *arena)
{
    const char **name = CS_NEW_ARRAY(arena, const char *, count);

    for (int i = 0; i < count; i++)
        name[i] = list[i]->name;
    return (struct cs_words){count, name};
}

int cs_simulate_volatile_ways(struct cs_simulate_volatile *run, struct cs_error *err)
{
    const char *text = cs_arguments_text(run->args, "policy");
    int count;
    const struct cs_policy *const *list = cs_volatile_policies(&count);
    struct cs_words words =
        strcmp(text, "all") ? cs_words_split(text, run->arena) : all_names(list, count, run->arena);

    run->ways = words.count;
    run->name = words.name;
    run->call = CS_NEW_ARRAY(run->arena, struct cs_policy_call, words.count);
    for (int w = 0; w < words.count; w++)
        if (add_way(run, w, list, count, err))
            return -1;
    return 0;
}
