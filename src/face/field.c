/* field.c - the fields of problems, one at a time. */
#include "base/guard.h"
#include "face/document.h"
#include "study/problem.h"

static int count_fields(const struct cs_problem *problem)
{
    int count = 0;

    while (problem->field[count].name)
        count++;
    return count;
}

int cs_case_field_at(const char *problem, int index, struct cs_case_field *out, size_t size,
                     struct cs_error *err)
{
    CS_ASK(problem && out, err, -1);
    CS_GUARD(err, -1);
    const struct cs_problem *found = cs_problem_find(problem, err);
    const struct cs_field *f;

    if (!found)
        return -1;
    if (cs_ask_size("a field", size, sizeof *out, err))
        return -1;
    if (index < 0 || index >= count_fields(found))
        return 0;
    f = &found->field[index];
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
    const struct cs_problem *found = cs_problem_find(problem, err);
    const int count = found ? count_fields(found) : 0;
    struct cs_strbuf words = CS_STRBUF_INIT;

    if (index < 0 || index >= count) {
        cs_error_set(err, "there is no field %d: %s has %d", index, problem, count);
        return NULL;
    }
    if (found->field[index].values)
        found->field[index].values(&words);
    return cs_document_take(&words, 0, NULL);
}
