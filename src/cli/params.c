/* params.c - the options of commands of problems, from the parameters of the library. */
#include "cli/actions.h"

#include "base/bug.h"

#include <cosched/case.h>
#include <string.h>

static const char *words_of(const char *problem, int index, struct cs_arena *arena)
{
    char *words = cs_case_words(problem, index, NULL);
    const char *kept = words ? cs_arena_strdup(arena, words) : NULL;

    cs_free(words);
    return kept;
}

static struct cs_param option_of(const struct cs_case_param *f, const char *words)
{
    return (struct cs_param){
        .name = f->name,
        .letter = f->letter,
        .kind = f->kind,
        .argument = f->argument,
        .choices = f->choices,
        .default_text = f->default_text,
        .low = f->low,
        .high = f->high,
        .repeats = f->repeats,
        .needs = f->needs,
        .group = f->group,
        .summary = f->summary,
        .words = words,
        .chooses = f->chooses,
        .list = f->list,
        .actions = f->actions,
        .scope = f->scope,
        .required = f->required,
        .old = f->old,
        .old_stays = f->old_stays,
        .old_choice = f->old_choice,
        .old_unit = f->old_unit,
    };
}

/* 1, or 0 after the last one; the library needs memory for each. */
static int param_at(const char *problem, int index, struct cs_case_param *param)
{
    const int status = cs_case_param_at(problem, index, param, sizeof *param, NULL);

    if (status < 0)
        cs_bug_no_memory(0);
    return status;
}

/* All of a problem. */
static struct cs_param *params_of(const char *problem, struct cs_arena *arena)
{
    struct cs_case_param param;
    struct cs_param *all;
    int count = 0;

    while (param_at(problem, count, &param) > 0)
        count++;
    all = CS_NEW_ARRAY(arena, struct cs_param, count + 1);
    for (int i = 0; i < count && param_at(problem, i, &param) > 0; i++)
        all[i] = option_of(&param, param.has_words ? words_of(problem, i, arena) : NULL);
    return all;
}

static struct cs_param params_filled(const struct cs_param *row, const struct cs_param *param)
{
    struct cs_param option;

    while (strcmp(param->name, row->name) != 0)
        param++;
    option = *param;
    option.group = row->group ? row->group : option.group;
    option.needs = row->needs ? row->needs : option.needs;
    return option;
}

/* The command's own rows, and those that are parameters. */
static const struct cs_param *fill_rows(const struct cs_command *command, struct cs_arena *arena)
{
    const struct cs_param *params = params_of(command->params_of, arena);
    struct cs_param *all;
    int count = 0;

    while (command->options[count].name)
        count++;
    all = CS_NEW_ARRAY(arena, struct cs_param, count + 1);
    for (int i = 0; i < count; i++)
        all[i] = command->options[i].kind ? command->options[i]
                                          : params_filled(&command->options[i], params);
    return all;
}

static const struct cs_param *make_options(const struct cs_command *command, struct cs_arena *arena)
{
    if (command->params_of)
        return fill_rows(command, arena);
    return cs_params_select(params_of(command->view->problem, arena), command->action, arena);
}

/* Created on first use, and cached: help and completion use those of all. */
const struct cs_param *cs_command_options(const struct cs_command *command)
{
    static const struct cs_param **made;
    static struct cs_arena *arena;
    int index = 0, count;
    const struct cs_command *const *list = cs_commands(&count);

    if (!command->view && !command->params_of)
        return command->options;
    while (list[index] != command)
        index++;
    if (!arena) {
        arena = cs_arena_create();
        made = CS_NEW_ARRAY(arena, const struct cs_param *, count);
    }
    if (!made[index])
        made[index] = make_options(command, arena);
    return made[index];
}
