/* paper_claims.c - reading the claims of a paper: sentences with checks. */
#include "campaign/paper_reader.h"

#include <math.h>

#define RELATIONS "<|<=|>|>=|between"

/* A member that is one name or a list of names, as marks; all marked when not given. */
static int read_names(struct cs_paper_reader *reader, const struct cs_json_at *object,
                      const char *key, int count,
                      int (*find)(struct cs_paper_reader *, const struct cs_json_at *),
                      const bool **out)
{
    struct cs_json_at place = cs_field_at(object, key);
    bool list = json_is_array(place.value);
    size_t names = list ? json_array_size(place.value) : 1;
    bool *mark = CS_NEW_ARRAY(reader->paper->arena, bool, count);

    *out = mark;
    for (int i = 0; i < count; i++)
        mark[i] = !place.value;
    for (size_t i = 0; place.value && i < names; i++) {
        struct cs_json_at name = list ? cs_json_element(&place, i) : place;
        int found = find(reader, &name);

        if (found == -2)
            return -1;
        if (found >= 0)
            mark[found] = true;
    }
    return 0;
}

/* "x": one value, a list of values, or {"from": , "to": }. */
static int read_x(struct cs_paper_reader *reader, const struct cs_json_at *object,
                  struct cs_select *select)
{
    struct cs_json_at place = cs_field_at(object, "x");

    select->from = -INFINITY;
    select->to = INFINITY;
    if (!place.value)
        return 0;
    if (!json_is_object(place.value)) {
        select->x = place.value;
        return 0;
    }
    if (cs_json_keys(&place, "from|to", reader->err) ||
        cs_field_double(&place, "from", &select->from, reader->err))
        return -1;
    return cs_field_double(&place, "to", &select->to, reader->err);
}

/* The number, or for "between" the pair of numbers, on the right side of a relation. */
static int read_limits(struct cs_paper_reader *reader, const struct cs_json_at *object,
                       enum cs_relation relation, double *low, double *high)
{
    struct cs_json_at place, first, second;

    if (relation != CS_BETWEEN)
        return cs_json_get_double(object, "than", CS_NUMBER_FINITE, low, reader->err);
    if (cs_json_member(object, "than", &place, reader->err))
        return -1;
    if (json_array_size(place.value) != 2)
        return cs_json_error(&place, reader->err, "expected a list of two numbers");
    first = cs_json_element(&place, 0);
    second = cs_json_element(&place, 1);
    return cs_json_double(&first, CS_NUMBER_FINITE, low, reader->err) ||
                   cs_json_double(&second, CS_NUMBER_FINITE, high, reader->err)
               ? -1
               : 0;
}

static int read_relation(struct cs_paper_reader *reader, const struct cs_json_at *object,
                         enum cs_relation *relation)
{
    int choice = -1;

    if (cs_field_choice(object, "op", RELATIONS, &choice, reader->err))
        return -1;
    if (choice < 0)
        return cs_json_error(object, reader->err,
                             "key \"op\" is missing, one of: <, <=, >, >=, between");
    *relation = (enum cs_relation)choice;
    return 0;
}

static int read_share(struct cs_paper_reader *reader, const struct cs_json_at *object,
                      struct cs_select *select)
{
    struct cs_json_at place = cs_field_at(object, "share");

    if (!place.value)
        return cs_json_error(object, reader->err,
                             "key \"share\" is missing: {\"op\": ..., \"than\": ...}");
    if (cs_json_keys(&place, "op|than", reader->err) ||
        read_relation(reader, &place, &select->relation))
        return -1;
    return read_limits(reader, &place, select->relation, &select->low, &select->high);
}

static int read_metric(struct cs_paper_reader *reader, const struct cs_json_at *object,
                       struct cs_select *select)
{
    struct cs_json_at place = cs_field_at(object, "metric");
    struct cs_error inner = {{0}};
    const char *name = NULL;

    if (cs_json_get_string(object, "metric", &name, reader->err))
        return -1;
    select->metric = cs_runner_metric(reader->paper->runner, name, &inner);
    return select->metric < 0 ? cs_field_error(&place, &inner, reader->err) : 0;
}

/* Over a series that is gone in the quick run there is nothing to choose. */
static int read_over(struct cs_paper_reader *reader, const struct cs_json_at *object,
                     struct cs_select *select)
{
    struct cs_json_at over = cs_field_at(object, "over");

    select->over = over.value ? cs_paper_find_series(reader, &over) : -1;
    if (over.value && select->over == -1)
        select->series = CS_NEW_ARRAY(reader->paper->arena, bool, reader->paper->nseries);
    return select->over == -2 ? -1 : 0;
}

static int read_select(struct cs_paper_reader *reader, const struct cs_json_at *place,
                       struct cs_select *select)
{
    int replicates = CS_REPLICATES_MEAN, reduce = CS_REDUCE_MEAN;

    if (cs_json_keys(place, "metric|panel|series|over|x|replicates|reduce|share", reader->err) ||
        read_metric(reader, place, select) ||
        read_names(reader, place, "panel", reader->paper->npanels, cs_paper_find_panel,
                   &select->panel) ||
        read_names(reader, place, "series", reader->paper->nseries, cs_paper_find_series,
                   &select->series) ||
        read_x(reader, place, select) ||
        cs_field_choice(place, "replicates", "mean|each", &replicates, reader->err) ||
        cs_field_choice(place, "reduce", "mean|min|max|share", &reduce, reader->err))
        return -1;
    select->replicates = (enum cs_replicates)replicates;
    select->reduce = (enum cs_reduce)reduce;
    if (select->reduce == CS_REDUCE_SHARE && read_share(reader, place, select))
        return -1;
    return read_over(reader, place, select);
}

static int read_check(struct cs_paper_reader *reader, const struct cs_json_at *place,
                      struct cs_check *check)
{
    struct cs_json_at value, than = cs_field_at(place, "than");
    struct cs_select *other;

    check->factor = 1;
    if (cs_json_keys(place, "label|value|op|than|times", reader->err) ||
        cs_field_string(place, "label", &check->label, reader->err) ||
        cs_json_member(place, "value", &value, reader->err) ||
        read_select(reader, &value, &check->value) ||
        read_relation(reader, place, &check->relation))
        return -1;
    if (!json_is_object(than.value))
        return read_limits(reader, place, check->relation, &check->low, &check->high);
    if (check->relation == CS_BETWEEN)
        return cs_json_error(&than, reader->err, "expected a list of two numbers");
    check->other = other = CS_NEW(reader->paper->arena, struct cs_select);
    if (cs_field_double(place, "times", &check->factor, reader->err))
        return -1;
    return read_select(reader, &than, other);
}

static int read_claim(struct cs_paper_reader *reader, const struct cs_json_at *place,
                      struct cs_claim *claim)
{
    struct cs_json_at checks = cs_field_at(place, "checks");
    struct cs_check *check;
    size_t count = 0;

    if (cs_json_keys(place, "text|reading|remark|unchecked|checks", reader->err) ||
        cs_json_get_string(place, "text", &claim->text, reader->err) ||
        cs_field_string(place, "reading", &claim->reading, reader->err) ||
        cs_field_string(place, "remark", &claim->remark, reader->err) ||
        cs_field_string(place, "unchecked", &claim->unchecked, reader->err))
        return -1;
    if (!checks.value && !claim->unchecked)
        return cs_json_error(place, reader->err,
                             "checks are missing; a claim that is not checked says why in "
                             "unchecked");
    if (checks.value && cs_json_array(&checks, &count, reader->err))
        return -1;
    claim->count = (int)count;
    claim->check = check = CS_NEW_ARRAY(reader->paper->arena, struct cs_check, claim->count);
    for (int c = 0; c < claim->count; c++) {
        struct cs_json_at at = cs_json_element(&checks, (size_t)c);

        if (read_check(reader, &at, &check[c]))
            return -1;
    }
    return 0;
}

int cs_paper_read_claims(struct cs_paper_reader *reader, const struct cs_json_at *document)
{
    struct cs_json_at list = cs_field_at(document, "claims");
    struct cs_paper *paper = reader->paper;
    struct cs_claim *claim;
    size_t count = 0;

    if (list.value && cs_json_array(&list, &count, reader->err))
        return -1;
    paper->nclaims = (int)count;
    paper->claim = claim = CS_NEW_ARRAY(paper->arena, struct cs_claim, paper->nclaims);
    for (int c = 0; c < paper->nclaims; c++) {
        struct cs_json_at place = cs_json_element(&list, (size_t)c);

        if (read_claim(reader, &place, &claim[c]))
            return -1;
    }
    return 0;
}
