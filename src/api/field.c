/* field.c - the fields of problems and of replays, one at a time. */
#include "api/document.h"
#include "base/guard.h"
#include "problem/problem.h"
#include "replay/options.h"

#include <string.h>

/* Of a problem, or of a replay; *count of them, or NULL with err. */
static const struct cs_field *field_find(const char *problem, int *count, struct cs_error *err)
{
    const bool replay = !strcmp(problem, "replay");
    const struct cs_problem *found = replay ? NULL : cs_problem_find(problem, err);
    const struct cs_field *fields = replay ? cs_replay_fields() : found ? found->field : NULL;

    for (*count = 0; fields && fields[*count].name;)
        ++*count;
    return fields;
}

int cs_case_field_at(const char *problem, int index, struct cs_case_field *out, size_t size,
                     struct cs_error *err)
{
    CS_ASK(problem && out, err, -1);
    CS_GUARD(err, -1);
    int count;
    const struct cs_field *f = field_find(problem, &count, err);

    if (!f)
        return -1;
    if (cs_ask_size("a field", size, sizeof *out, err))
        return -1;
    if (index < 0 || index >= count)
        return 0;
    f += index;
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
        .verbs = f->verbs,
        .of = f->of,
        .required = f->required,
        .letter = f->letter,
        .repeats = f->repeats,
        .list = f->list,
        .chooses = f->policies != NULL,
        .says_words = f->values != NULL,
        .old_stays = f->old_stays,
    };
    return 1;
}

char *cs_case_words(const char *problem, int index, struct cs_error *err)
{
    CS_ASK(problem, err, NULL);
    CS_GUARD(err, NULL);
    int count;
    const struct cs_field *fields = field_find(problem, &count, err);
    struct cs_strbuf words = CS_STRBUF_INIT;

    if (!fields)
        return NULL;
    if (index < 0 || index >= count) {
        cs_error_set(err, "there is no field %d: %s has %d", index, problem, count);
        return NULL;
    }
    if (fields[index].values)
        fields[index].values(&words);
    return cs_document_take(&words, 0, NULL);
}
