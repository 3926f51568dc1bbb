/* field.c - the fields of problems and of replays, one at a time. */
#include "api/document.h"
#include "base/guard.h"
#include "problem/problem.h"
#include "problems/queue/problem.h"

#include <string.h>

/* The fields of a problem, or of a replay (in the arena), *count of them; NULL with err. */
static const struct cs_field *field_find(const char *problem, int *count, struct cs_arena *arena,
                                         struct cs_error *err)
{
    const bool replay = !strcmp(problem, "replay");
    const struct cs_problem *found = replay ? NULL : cs_problem_find(problem, err);
    const struct cs_field *fields = replay  ? cs_queue_replay_fields(arena)
                                    : found ? found->field
                                            : NULL;

    for (*count = 0; fields && fields[*count].name;)
        ++*count;
    return fields;
}

static void field_put(const struct cs_field *f, struct cs_case_field *out)
{
    *out = (struct cs_case_field){
        .name = f->name,
        .argument = f->argument,
        .choices = f->choices,
        .fallback = f->fallback,
        .needs = f->needs,
        .group = f->group,
        .summary = f->summary,
        .old = f->old,
        .low = f->low,
        .high = f->high,
        .old_unit = f->old_unit,
        .kind = f->kind,
        .verbs = f->verbs & (CS_PLAN | CS_SIMULATE | CS_GENERATE | CS_EXPERIMENT),
        .of = f->of,
        .required = f->required,
        .letter = f->letter,
        .repeats = f->repeats,
        .list = f->list,
        .chooses = f->policies != NULL,
        .says_words = f->values != NULL,
        .old_stays = f->old_stays,
        .old_choice = f->old_choice,
    };
}

int cs_case_field_at(const char *problem, int index, struct cs_case_field *out, size_t size,
                     struct cs_error *err)
{
    CS_ASK(problem && out, err, -1);
    CS_GUARD(err, -1);
    struct cs_arena *arena = cs_arena_create();
    int count, status;
    const struct cs_field *fields = field_find(problem, &count, arena, err);

    if (!fields || cs_ask_size("a field", size, sizeof *out, err))
        status = -1;
    else
        status = index >= 0 && index < count;
    if (status > 0)
        field_put(fields + index, out);
    cs_arena_destroy(arena);
    return status;
}

char *cs_case_words(const char *problem, int index, struct cs_error *err)
{
    CS_ASK(problem, err, NULL);
    CS_GUARD(err, NULL);
    struct cs_arena *arena = cs_arena_create();
    struct cs_strbuf words = CS_STRBUF_INIT;
    int count, status = -1;
    const struct cs_field *fields = field_find(problem, &count, arena, err);

    if (fields && (index < 0 || index >= count)) {
        cs_error_set(err, "there is no field %d: %s has %d", index, problem, count);
    } else if (fields) {
        if (fields[index].values)
            fields[index].values(&words);
        status = 0;
    }
    cs_arena_destroy(arena);
    return cs_document_take(&words, status, NULL);
}
