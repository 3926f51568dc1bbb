/* experiment_claims.c - read claims: statements with checks. */
#include "base/bug.h"
#include "base/json.h"
#include "campaign/experiment_reader.h"
#include "campaign/parameters.h"

#include <math.h>
#include <string.h>

/* Panels, series and x as axes: a grid for each panel. */

#define REPLICATES 1000000

enum { PANEL, SERIES, X, AXES };

/* A member that has to be an object with something in it. */
static int read_object(struct cs_experiment_reader *reader, const char *key, const char *what,
                       struct cs_json_at *out)
{
    *out = cs_member_at(&reader->root, key);
    if (!json_object_size(out->value))
        return cs_json_error(&reader->root, reader->err, "%s %s missing: %s", key,
                             strcmp(key, "x") ? "are" : "is", what);
    return 0;
}

static int read_panel(struct cs_experiment_reader *reader, const struct cs_json_at *at)
{
    struct cs_experiment_value panel = {.name = at->key, .number = NAN};

    if (cs_json_keys(at, "title|set|x", reader->err) ||
        cs_member_string(at, "title", &panel.label, reader->err) ||
        cs_experiment_read_set(reader, at, &panel.set))
        return -1;
    return cs_experiment_add_value(reader, PANEL, at, panel.name, panel);
}

static int experiment_panels_read_series(struct cs_experiment_reader *reader,
                                         const struct cs_json_at *at)
{
    struct cs_experiment_value series = {
        .name = at->key, .number = NAN, .replicates = reader->experiment->replicates};
    const struct cs_json_at judged = cs_member_at(at, "judged_in");
    bool draw = true;
    int place = 0;

    if (cs_json_keys(at, "label|set|replicates|draw|judged_in|dash|panels", reader->err) ||
        cs_member_string(at, "label", &series.label, reader->err) ||
        cs_member_int(at, "replicates", 1, REPLICATES, &series.replicates, reader->err) ||
        cs_member_bool(at, "draw", &draw, reader->err) ||
        cs_member_bool(at, "dash", &series.dashed, reader->err) ||
        cs_member_choice(at, "judged_in", "figure|table", &place, reader->err) ||
        cs_experiment_read_set(reader, at, &series.set))
        return -1;
    if (place == 1 && !reader->experiment->table)
        return cs_json_error(&judged, reader->err,
                             "found table, which goes with \"as\": \"table\" or \"forest\"");
    series.hidden = !draw;
    series.judged = place == 1;
    return cs_experiment_add_value(reader, SERIES, at, series.name, series);
}

/* The members of an object as the values of an axis. */
static int read_members(struct cs_experiment_reader *reader, int axis,
                        const struct cs_json_at *object,
                        int (*read)(struct cs_experiment_reader *, const struct cs_json_at *))
{
    const char *key;
    json_t *value;

    reader->experiment->axis[axis].plain = true;
    json_object_foreach(object->value, key, value)
    {
        struct cs_json_at at = cs_member_at(object, key);

        if (read(reader, &at) < 0)
            return -1;
    }
    return 0;
}

static int experiment_panels_read_x(struct cs_experiment_reader *reader, struct cs_json_at *x)
{
    struct cs_experiment *experiment = reader->experiment;
    struct cs_experiment_axis *axis = &experiment->axis[X];
    struct cs_json_at parameter = cs_member_at(x, "parameter");
    struct cs_error inner = {0};

    if (cs_json_keys(x, "parameter|title|log|values", reader->err) ||
        cs_json_get_string(x, "parameter", &axis->parameter, reader->err) ||
        cs_member_bool(x, "log", &experiment->log, reader->err))
        return -1;
    if (!cs_cell_param(experiment->problem, axis->parameter, &inner))
        return cs_member_error(&parameter, &inner, reader->err);
    axis->title = axis->parameter;
    return cs_member_string(x, "title", &axis->title, reader->err);
}

/* The values of a panel, its own or those of all. */
static int find_values(struct cs_experiment_reader *reader, const struct cs_json_at *panel,
                       const struct cs_json_at *x, struct cs_json_at *out, size_t *count)
{
    *out = cs_member_at(panel, "x");
    if (!out->value)
        *out = cs_member_at(x, "values");
    if (!out->value)
        return cs_json_error(panel, reader->err, "x is missing: the values of the axis");
    if (cs_json_array(out, count, reader->err))
        return -1;
    return *count ? 0 : cs_json_error(out, reader->err, "expected at least one value");
}

/* Those of all panels, each once, in `all`: numbers ascend, words in order of appearance. */
static void insert_value(json_t *all, json_t *value)
{
    size_t at = json_array_size(all);

    for (size_t i = 0; i < json_array_size(all); i++)
        if (json_equal(json_array_get(all, i), value))
            return;
    for (; at > 0 && json_is_number(value) && json_is_number(json_array_get(all, at - 1)) &&
           json_number_value(json_array_get(all, at - 1)) > json_number_value(value);
         at--)
        ;
    if (json_array_insert(all, at, value))
        cs_bug_no_memory(0);
}

static int add_x_value(struct cs_experiment_reader *reader, const struct cs_json_at *x,
                       json_t *value)
{
    struct cs_experiment *experiment = reader->experiment;
    bool number = json_is_number(value);
    struct cs_strbuf key = CS_STRBUF_INIT, name = CS_STRBUF_INIT;
    json_t *set = cs_json_pair(experiment->axis[X].parameter, json_incref(value));
    CS_JSON_HOLD(set);
    int status;

    cs_parameters_put_value(value, &key);
    if (number)
        cs_strbuf_put_double(&name, json_number_value(value));
    else
        cs_strbuf_puts(&name, json_string_value(value));
    status = cs_experiment_add_value(
        reader, X, x, key.text,
        (struct cs_experiment_value){.name = cs_arena_strdup(experiment->arena, name.text),
                                     .set = set,
                                     .number = number ? json_number_value(value) : NAN});
    cs_strbuf_release(&key);
    cs_strbuf_release(&name);
    return status < 0 ? -1 : 0;
}

static int collect_values(struct cs_experiment_reader *reader, const struct cs_json_at *panel,
                          const struct cs_json_at *x, json_t *all)
{
    struct cs_json_at list;
    size_t count;

    if (find_values(reader, panel, x, &list, &count))
        return -1;
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at at = cs_json_element(&list, i);

        if (cs_experiment_check_setting(reader, &at, reader->experiment->axis[X].parameter))
            return -1;
        insert_value(all, at.value);
    }
    return 0;
}

static int read_all_values(struct cs_experiment_reader *reader, const struct cs_json_at *x)
{
    json_t *all = cs_json_made(json_array());
    CS_JSON_HOLD(all);
    const char *key;
    json_t *value;
    int status = 0;

    json_object_foreach(reader->panels.value, key, value)
    {
        struct cs_json_at panel = cs_member_at(&reader->panels, key);

        if (!status)
            status = collect_values(reader, &panel, x, all);
    }
    for (size_t i = 0; i < json_array_size(all) && !status; i++)
        status = add_x_value(reader, x, json_array_get(all, i));
    return status;
}

/* "panels" of a series: where it is run; everywhere when not given. */
static int is_in(struct cs_experiment_reader *reader, const struct cs_json_at *series, int panel,
                 bool *in)
{
    struct cs_json_at list = cs_member_at(series, "panels");
    size_t count = 0;

    *in = !list.value;
    if (list.value && cs_json_array(&list, &count, reader->err))
        return -1;
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at name = cs_json_element(&list, i);
        int found = cs_experiment_find_value(reader, &name, "panels");

        if (found == -2)
            return -1;
        *in = *in || found == panel;
    }
    return 0;
}

static int place_series(struct cs_experiment_reader *reader, const struct cs_json_at *series,
                        int panel, struct cs_experiment_side *side)
{
    struct cs_arena *arena = reader->experiment->arena;
    int s = 0;
    const char *key;
    json_t *value;

    *side = (struct cs_experiment_side){
        .axis = SERIES, .value = CS_NEW_ARRAY(arena, int, reader->experiment->axis[SERIES].count)};
    json_object_foreach(series->value, key, value)
    {
        struct cs_json_at at = cs_member_at(series, key);
        bool in;

        if (is_in(reader, &at, panel, &in))
            return -1;
        if (in)
            side->value[side->count++] = s;
        s++;
    }
    return 0;
}

static int place_values(struct cs_experiment_reader *reader, const struct cs_json_at *panel,
                        const struct cs_json_at *x, struct cs_experiment_side *side)
{
    const struct cs_experiment_axis *axis = &reader->experiment->axis[X];
    struct cs_json_at list;
    size_t count;

    if (find_values(reader, panel, x, &list, &count))
        return -1;
    *side = (struct cs_experiment_side){
        .axis = X, .value = CS_NEW_ARRAY(reader->experiment->arena, int, count)};
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at at = cs_json_element(&list, i);
        struct cs_strbuf key = CS_STRBUF_INIT;
        int index;

        cs_parameters_put_value(at.value, &key);
        index = (int)json_integer_value(json_object_get(axis->by_set, key.text));
        cs_strbuf_release(&key);
        for (int v = 0; v < side->count; v++)
            if (side->value[v] == index)
                return cs_json_error(&at, reader->err, "is there twice");
        side->value[side->count++] = index;
    }
    return 0;
}

static int make_grid(struct cs_experiment_reader *reader, const struct cs_json_at *panel,
                     const struct cs_json_at *series, const struct cs_json_at *x)
{
    struct cs_experiment_grid *grid = &reader->grid[reader->grids];
    struct cs_arena *arena = reader->experiment->arena;

    grid->at = *panel;
    grid->sides = AXES;
    grid->side = CS_NEW_ARRAY(arena, struct cs_experiment_side, AXES);
    grid->side[PANEL] =
        (struct cs_experiment_side){.axis = PANEL, .count = 1, .value = CS_NEW(arena, int)};
    *grid->side[PANEL].value = reader->grids;
    return place_series(reader, series, reader->grids++, &grid->side[SERIES]) ||
                   place_values(reader, panel, x, &grid->side[X])
               ? -1
               : 0;
}

static int make_grids(struct cs_experiment_reader *reader, const struct cs_json_at *series,
                      const struct cs_json_at *x)
{
    struct cs_experiment *experiment = reader->experiment;
    const char *key;
    json_t *value;

    reader->grid =
        CS_NEW_ARRAY(experiment->arena, struct cs_experiment_grid, experiment->axis[PANEL].count);
    json_object_foreach(reader->panels.value, key, value)
    {
        struct cs_json_at panel = cs_member_at(&reader->panels, key);

        if (make_grid(reader, &panel, series, x))
            return -1;
    }
    return 0;
}

int cs_experiment_read_panels(struct cs_experiment_reader *reader)
{
    struct cs_experiment *experiment = reader->experiment;
    struct cs_json_at x, series;

    experiment->panel = cs_experiment_find_axis(experiment, "panel");
    experiment->series = cs_experiment_find_axis(experiment, "series");
    experiment->x = cs_experiment_find_axis(experiment, "x");
    if (read_object(reader, "x", "the axis", &x) || experiment_panels_read_x(reader, &x) ||
        read_object(reader, "panels", "what to run", &reader->panels) ||
        read_members(reader, PANEL, &reader->panels, read_panel) ||
        read_object(reader, "series", "the policies to run", &series) ||
        read_members(reader, SERIES, &series, experiment_panels_read_series) ||
        read_all_values(reader, &x))
        return -1;
    return make_grids(reader, &series, &x);
}

#define RELATIONS "<|<=|>|>=|between"
#define RELATIONS_OF_CHECKS RELATIONS "|better|no difference"

/* A member that is one name or a list of names, as marks on an axis of the figure; NULL when not
 * given: all. */
static int read_names(struct cs_experiment_reader *reader, const struct cs_json_at *object,
                      const char *key, const char *kind, int axis, const bool **out)
{
    struct cs_json_at at = cs_member_at(object, key);
    bool list = json_is_array(at.value), *mark;
    size_t names = list ? json_array_size(at.value) : 1;

    if (!at.value)
        return 0;
    if (axis < 0)
        return cs_json_error(&at, reader->err, "there are no %s", kind);
    *out = mark =
        CS_NEW_ARRAY(reader->experiment->arena, bool, reader->experiment->axis[axis].count);
    for (size_t i = 0; i < names; i++) {
        struct cs_json_at name = list ? cs_json_element(&at, i) : at;
        int found = cs_experiment_find_value(reader, &name, kind);

        if (found == -2)
            return -1;
        if (found >= 0)
            mark[found] = true;
    }
    return 0;
}

/* A number of an axis, or a name on it. */
static bool is_value(const struct cs_experiment_value *value, const json_t *wanted)
{
    if (json_is_string(wanted))
        return !strcmp(value->name, json_string_value(wanted));
    return json_is_number(wanted) && value->number == json_number_value(wanted);
}

static bool is_among(const struct cs_experiment_value *value, const json_t *wanted)
{
    for (size_t i = 0; i < json_array_size(wanted); i++)
        if (is_value(value, json_array_get(wanted, i)))
            return true;
    return is_value(value, wanted);
}

/* {"from": , "to": }: words are always inside. */
static int read_limits_of_x(struct cs_experiment_reader *reader, const struct cs_json_at *at,
                            double *from, double *to)
{
    *from = -INFINITY;
    *to = INFINITY;
    if (!json_is_object(at->value))
        return 0;
    return cs_json_keys(at, "from|to", reader->err) ||
                   cs_member_double(at, "from", from, reader->err) ||
                   cs_member_double(at, "to", to, reader->err)
               ? -1
               : 0;
}

/* "x": one value, a list of values, or {"from": , "to": }. */
static int read_x(struct cs_experiment_reader *reader, const struct cs_json_at *object,
                  struct cs_select *select)
{
    const struct cs_experiment *experiment = reader->experiment;
    struct cs_json_at at = cs_member_at(object, "x");
    double from, to;
    bool *mark;

    if (!at.value)
        return 0;
    if (experiment->x < 0)
        return cs_json_error(&at, reader->err, "there is no axis");
    if (read_limits_of_x(reader, &at, &from, &to))
        return -1;
    select->x = mark = CS_NEW_ARRAY(experiment->arena, bool, experiment->axis[experiment->x].count);
    for (int v = 0; v < experiment->axis[experiment->x].count; v++) {
        const struct cs_experiment_value *value = &experiment->axis[experiment->x].value[v];

        mark[v] = json_is_object(at.value)
                      ? isnan(value->number) || (value->number >= from && value->number <= to)
                      : is_among(value, at.value);
    }
    return 0;
}

/* The number, or for "between" the pair of numbers, on the right side of a relation. */
static int read_limits(struct cs_experiment_reader *reader, const struct cs_json_at *object,
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

static int read_relation(struct cs_experiment_reader *reader, const struct cs_json_at *object,
                         const char *choices, enum cs_relation *relation)
{
    int choice = -1;

    if (cs_member_choice(object, "op", choices, &choice, reader->err))
        return -1;
    if (choice < 0)
        return cs_json_error(object, reader->err,
                             "key \"op\" is missing, one of: <, <=, >, >=, between");
    *relation = (enum cs_relation)choice;
    return 0;
}

static int read_share(struct cs_experiment_reader *reader, const struct cs_json_at *object,
                      struct cs_select *select)
{
    struct cs_json_at place = cs_member_at(object, "share");

    if (!place.value)
        return cs_json_error(object, reader->err,
                             "key \"share\" is missing: {\"op\": ..., \"than\": ...}");
    if (cs_json_keys(&place, "op|than", reader->err) ||
        read_relation(reader, &place, RELATIONS, &select->relation))
        return -1;
    return read_limits(reader, &place, select->relation, &select->low, &select->high);
}

static int read_metric(struct cs_experiment_reader *reader, const struct cs_json_at *object,
                       struct cs_select *select)
{
    struct cs_json_at at = cs_member_at(object, "metric");
    const char *name = NULL;

    if (cs_json_get_string(object, "metric", &name, reader->err))
        return -1;
    select->metric = cs_experiment_find_metric(reader, &at, name);
    return select->metric < 0 ? -1 : 0;
}

/* One series; -1 when not given, -2 when it is not in the quick run. */
static int read_series(struct cs_experiment_reader *reader, const struct cs_json_at *at,
                       int *series)
{
    int found = at->value ? cs_experiment_find_value(reader, at, "series") : 0;

    *series = !at->value ? -1 : found == -1 ? -2 : found;
    return at->value && found == -2 ? -1 : 0;
}

static int read_where(struct cs_experiment_reader *reader, const struct cs_json_at *object,
                      struct cs_select *select)
{
    struct cs_json_at at = cs_member_at(object, "where"), place, series;
    struct cs_where *where;
    const char *name = NULL;

    if (!at.value)
        return 0;
    select->where = where = CS_NEW(reader->experiment->arena, struct cs_where);
    if (cs_json_keys(&at, "metric|series|op|than", reader->err) ||
        cs_json_get_string(&at, "metric", &name, reader->err))
        return -1;
    place = cs_member_at(&at, "metric");
    where->metric = cs_experiment_find_metric(reader, &place, name);
    series = cs_member_at(&at, "series");
    if (where->metric < 0 || read_series(reader, &series, &where->series) ||
        read_relation(reader, &at, RELATIONS, &where->relation))
        return -1;
    return read_limits(reader, &at, where->relation, &where->low, &where->high);
}

static int read_select(struct cs_experiment_reader *reader, const struct cs_json_at *place,
                       struct cs_select *select)
{
    struct cs_json_at over = cs_member_at(place, "over");
    int replicates = CS_REPLICATES_MEAN, reduce = CS_REDUCE_MEAN;

    if (cs_json_keys(place, "metric|panel|series|over|x|where|replicates|reduce|share",
                     reader->err) ||
        read_metric(reader, place, select) ||
        read_names(reader, place, "panel", "panels", reader->experiment->panel, &select->panel) ||
        read_names(reader, place, "series", "series", reader->experiment->series,
                   &select->series) ||
        read_x(reader, place, select) || read_where(reader, place, select) ||
        cs_member_choice(place, "replicates", "mean|each", &replicates, reader->err) ||
        cs_member_choice(place, "reduce", "mean|min|max|spread|share", &reduce, reader->err))
        return -1;
    select->replicates = (enum cs_replicates)replicates;
    select->reduce = (enum cs_reduce)reduce;
    if (select->reduce == CS_REDUCE_SHARE && read_share(reader, place, select))
        return -1;
    return read_series(reader, &over, &select->over);
}

static int count_series(const struct cs_experiment *experiment, const struct cs_select *select)
{
    int count = 0;

    for (int s = 0; select->series && s < experiment->axis[experiment->series].count; s++)
        count += select->series[s];
    return count;
}

/* Pairs are values of two series as they are. In a quick run one may be missing. */
static int check_pair(struct cs_experiment_reader *reader, const struct cs_json_at *place,
                      const struct cs_check *check)
{
    const struct cs_select *one = &check->value, *other = check->other;

    if (!one->series || !other->series || count_series(reader->experiment, one) > 1 ||
        count_series(reader->experiment, other) > 1)
        return cs_json_error(place, reader->err,
                             "better and no difference compare two series: value and than name "
                             "one each");
    if (one->over != -1 || other->over != -1 || one->where || other->where)
        return cs_json_error(place, reader->err,
                             "better and no difference compare values without over and where");
    return 0;
}

static int read_check(struct cs_experiment_reader *reader, const struct cs_json_at *place,
                      struct cs_check *check)
{
    struct cs_json_at value, than = cs_member_at(place, "than");
    struct cs_select *other;

    check->factor = 1;
    if (cs_json_keys(place, "label|informative|beside|value|op|than|times|plus", reader->err) ||
        cs_member_string(place, "label", &check->label, reader->err) ||
        cs_member_bool(place, "beside", &check->extra, reader->err) || /* name in cosched 0.2 */
        cs_member_bool(place, "informative", &check->extra, reader->err) ||
        cs_json_member(place, "value", &value, reader->err) ||
        read_select(reader, &value, &check->value) ||
        read_relation(reader, place, RELATIONS_OF_CHECKS, &check->relation))
        return -1;
    if (check->relation >= CS_BETTER && !json_is_object(than.value))
        return cs_json_error(place, reader->err,
                             "than: expected another value, {\"metric\": ..., \"series\": ...}");
    if (!json_is_object(than.value))
        return read_limits(reader, place, check->relation, &check->low, &check->high);
    if (check->relation == CS_BETWEEN)
        return cs_json_error(&than, reader->err, "expected a list of two numbers");
    check->other = other = CS_NEW(reader->experiment->arena, struct cs_select);
    if (cs_member_double(place, "times", &check->factor, reader->err) ||
        cs_member_double(place, "plus", &check->plus, reader->err) ||
        read_select(reader, &than, other))
        return -1;
    return check->relation < CS_BETTER ? 0 : check_pair(reader, place, check);
}

static int read_claim(struct cs_experiment_reader *reader, const struct cs_json_at *place,
                      struct cs_claim *claim)
{
    struct cs_json_at checks = cs_member_at(place, "checks");
    struct cs_check *check;
    size_t count = 0;

    int kind = 0, answer = -1;

    if (cs_json_keys(place, "text|reading|remark|unchecked|stand_in|kind|answer|checks",
                     reader->err) ||
        cs_member_choice(place, "kind", "statement|question", &kind, reader->err) ||
        cs_member_choice(place, "answer", "no|yes", &answer, reader->err) ||
        cs_json_get_string(place, "text", &claim->text, reader->err) ||
        cs_member_string(place, "reading", &claim->reading, reader->err) ||
        cs_member_string(place, "remark", &claim->remark, reader->err) ||
        cs_member_string(place, "unchecked", &claim->unchecked, reader->err) ||
        cs_member_bool(place, "stand_in", &claim->stand_in, reader->err))
        return -1;
    if ((kind == 1) != (answer >= 0))
        return cs_json_error(place, reader->err,
                             "kind question needs answer, no or yes: that of checks that agree");
    if (kind == 1)
        claim->answer = answer ? "answered: yes" : "answered: no";
    if (!checks.value && !claim->unchecked)
        return cs_json_error(place, reader->err,
                             "checks are missing; an unchecked claim needs its reason in "
                             "unchecked");
    if (checks.value && cs_json_array(&checks, &count, reader->err))
        return -1;
    claim->count = (int)count;
    claim->check = check = CS_NEW_ARRAY(reader->experiment->arena, struct cs_check, claim->count);
    for (int c = 0; c < claim->count; c++) {
        struct cs_json_at at = cs_json_element(&checks, (size_t)c);

        if (read_check(reader, &at, &check[c]))
            return -1;
    }
    return 0;
}

/* A series that is named and not drawn, nor judged in the table; -1: none. */
static int hidden_series(const struct cs_experiment *experiment, const struct cs_select *select)
{
    const struct cs_experiment_axis *axis = &experiment->axis[experiment->series];

    for (int s = 0; select && s < axis->count; s++)
        if (axis->value[s].hidden && !axis->value[s].judged &&
            ((select->series && select->series[s]) || select->over == s))
            return s;
    return -1;
}

/* Every series by which a claim is judged must be seen. */
static int refuse_hidden(struct cs_experiment_reader *reader, const struct cs_json_at *place,
                         const struct cs_claim *claim, int number)
{
    const struct cs_experiment *experiment = reader->experiment;

    if (experiment->series < 0)
        return 0;
    for (int k = 0; k < claim->count; k++) {
        const struct cs_check *check = &claim->check[k];
        int hidden = check->extra ? -1 : hidden_series(experiment, &check->value);

        if (hidden < 0 && !check->extra)
            hidden = hidden_series(experiment, check->other);
        if (hidden >= 0)
            return cs_json_error(place, reader->err,
                                 "series %s is judged by claim %d but not drawn",
                                 experiment->axis[experiment->series].value[hidden].name, number);
    }
    return 0;
}

/* {"unfairness": "planned_unfairness"} */
static int read_second_metrics(struct cs_experiment_reader *reader, const struct cs_json_at *place,
                               int *metric)
{
    const struct cs_json_at names = cs_member_at(place, "metrics");
    const char *key, *name;
    json_t *value;

    json_object_foreach(names.value, key, value)
    {
        const struct cs_json_at at = cs_member_at(&names, key);
        const int judged = cs_experiment_find_metric(reader, &at, key);

        if (judged < 0 || cs_json_string(&at, &name, reader->err))
            return -1;
        metric[judged] = cs_experiment_find_metric(reader, &at, name);
        if (metric[judged] < 0)
            return -1;
    }
    return 0;
}

/* When the column is left out: {"parameter": "replay", "value": "no", "words": ...}. */
static int read_second_without(struct cs_experiment_reader *reader, const struct cs_json_at *place,
                               struct cs_second_column *second)
{
    struct cs_json_at without = cs_member_at(place, "without");

    return without.value &&
                   (cs_json_keys(&without, "parameter|value|words", reader->err) ||
                    cs_json_get_string(&without, "parameter", &second->parameter, reader->err) ||
                    cs_json_get_string(&without, "value", &second->value, reader->err) ||
                    cs_json_get_string(&without, "words", &second->words, reader->err))
               ? -1
               : 0;
}

static int read_second(struct cs_experiment_reader *reader)
{
    const struct cs_json_at place = cs_member_at(&reader->root, "second_column");
    struct cs_experiment *experiment = reader->experiment;
    struct cs_second_column *second;
    int *metric;

    if (!place.value)
        return 0;
    second = CS_NEW(experiment->arena, struct cs_second_column);
    second->metric = metric = CS_NEW_ARRAY(experiment->arena, int, CS_CELL_METRICS);
    for (int m = 0; m < CS_CELL_METRICS; m++)
        metric[m] = -1;
    experiment->second = second;
    return cs_json_keys(&place, "title|metrics|without", reader->err) ||
                   cs_json_get_string(&place, "title", &second->title, reader->err) ||
                   read_second_metrics(reader, &place, metric) ||
                   read_second_without(reader, &place, second)
               ? -1
               : 0;
}

int cs_experiment_read_claims(struct cs_experiment_reader *reader)
{
    struct cs_json_at list = cs_member_at(&reader->root, "claims");
    struct cs_experiment *experiment = reader->experiment;
    struct cs_claim *claim;
    size_t count = 0;

    if (read_second(reader) || (list.value && cs_json_array(&list, &count, reader->err)))
        return -1;
    experiment->claims = (int)count;
    experiment->claim = claim = CS_NEW_ARRAY(experiment->arena, struct cs_claim, count);
    for (size_t c = 0; c < count; c++) {
        struct cs_json_at place = cs_json_element(&list, c);

        if (read_claim(reader, &place, &claim[c]) ||
            refuse_hidden(reader, &place, &claim[c], (int)c + 1))
            return -1;
    }
    return 0;
}
