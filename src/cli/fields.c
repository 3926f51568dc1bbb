/* fields.c - the options of commands of problems, from the fields of the library. */
#include "cli/verbs.h"

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

static struct cs_field option_of(const struct cs_case_field *f, const char *words)
{
    return (struct cs_field){
        .name = f->name,
        .letter = f->letter,
        .kind = f->kind,
        .argument = f->argument,
        .choices = f->choices,
        .fallback = f->fallback,
        .low = f->low,
        .high = f->high,
        .repeats = f->repeats,
        .needs = f->needs,
        .group = f->group,
        .summary = f->summary,
        .words = words,
        .chooses = f->chooses,
        .list = f->list,
        .verbs = f->verbs,
        .of = f->of,
        .required = f->required,
        .old = f->old,
        .old_stays = f->old_stays,
        .old_choice = f->old_choice,
        .old_unit = f->old_unit,
    };
}

/* 1, or 0 after the last one; the library needs memory for each. */
static int field_at(const char *problem, int index, struct cs_case_field *field)
{
    const int status = cs_case_field_at(problem, index, field, sizeof *field, NULL);

    if (status < 0)
        cs_bug_no_memory(0);
    return status;
}

/* All of a problem. */
static struct cs_field *fields_of(const char *problem, struct cs_arena *arena)
{
    struct cs_case_field field;
    struct cs_field *all;
    int count = 0;

    while (field_at(problem, count, &field) > 0)
        count++;
    all = CS_NEW_ARRAY(arena, struct cs_field, count + 1);
    for (int i = 0; i < count && field_at(problem, i, &field) > 0; i++)
        all[i] = option_of(&field, field.says_words ? words_of(problem, i, arena) : NULL);
    return all;
}

static struct cs_field fields_filled(const struct cs_field *row, const struct cs_field *field)
{
    struct cs_field option;

    while (strcmp(field->name, row->name) != 0)
        field++;
    option = *field;
    option.group = row->group ? row->group : option.group;
    option.needs = row->needs ? row->needs : option.needs;
    return option;
}

/* The command's own rows, and those that are fields. */
static const struct cs_field *fill_rows(const struct cs_command *command, struct cs_arena *arena)
{
    const struct cs_field *fields = fields_of(command->fields_of, arena);
    struct cs_field *all;
    int count = 0;

    while (command->options[count].name)
        count++;
    all = CS_NEW_ARRAY(arena, struct cs_field, count + 1);
    for (int i = 0; i < count; i++)
        all[i] = command->options[i].kind ? command->options[i]
                                          : fields_filled(&command->options[i], fields);
    return all;
}

static const struct cs_field *make_options(const struct cs_command *command, struct cs_arena *arena)
{
    if (command->fields_of)
        return fill_rows(command, arena);
    return cs_fields_select(fields_of(command->view->problem, arena), command->verb, arena);
}

/* Created on first use, and cached: help and completion use those of all. */
const struct cs_field *cs_command_options(const struct cs_command *command)
{
    static const struct cs_field **made;
    static struct cs_arena *arena;
    int index = 0, count;
    const struct cs_command *const *list = cs_commands(&count);

    if (!command->view && !command->fields_of)
        return command->options;
    while (list[index] != command)
        index++;
    if (!arena) {
        arena = cs_arena_create();
        made = CS_NEW_ARRAY(arena, const struct cs_field *, count);
    }
    if (!made[index])
        made[index] = make_options(command, arena);
    return made[index];
}
