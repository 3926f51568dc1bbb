/* experiment_axes.c - what varies: grids of axes with values.
 *
 * Axes of one name in several grids are one axis, and values that set the same are one value.
 */
#include "campaign/experiment_reader.h"

#include "base/json_make.h"
#include "campaign/field.h"
#include "campaign/parameters.h"
#include "campaign/range.h"

#include <math.h>
#include <string.h>

/* Names of the other columns of a table of all cells. */
static const char *const taken[] = {"replicate", "seed", "instance", "label", "run", "seconds"};

/* An axis while it is read: in one grid. */
struct draft {
    struct cs_experiment_reader *reader;
    struct cs_experiment_side *side;
    const struct cs_field *parameter; /* that has the axis' name, or NULL */
    struct cs_json_at at;
};

/* Room for one more of `count` elements of this size; room doubles at powers of two. */
static void *experiment_axes_grow(struct cs_arena *arena, void *old, int count, size_t size)
{
    void *larger;

    if (count & (count - 1))
        return old;
    larger = cs_arena_alloc(arena, count ? 2 * (size_t)count : 1, size);
    if (count)
        memcpy(larger, old, (size_t)count * size);
    return larger;
}

/* A name that --where and the heads of columns can have. */
static int check_name(const struct draft *draft)
{
    const char *name = draft->at.key;
    const struct cs_problem *problem = draft->reader->experiment->problem;
    struct cs_error *err = draft->reader->err;

    if (draft->parameter)
        return 0;
    for (size_t t = 0; t < sizeof taken / sizeof *taken; t++)
        if (!strcmp(name, taken[t]))
            return cs_json_error(&draft->at, err, "'%s' means something else, take another word",
                                 name);
    if (!*name || strpbrk(name, "=,\"'") || strcspn(name, "\n\r\t") != strlen(name))
        return cs_json_error(&draft->at, err,
                             "the name of an axis is a word without quotes, = and ,");
    for (const struct cs_metric *m = cs_cell_metrics(problem); m->name; m++)
        if (!strcmp(name, m->name))
            return cs_json_error(&draft->at, err, "'%s' is a metric, what varies is a parameter",
                                 name);
    return 0;
}

/* An object that the experiment owns. */
static json_t *object_create(const struct cs_experiment *experiment)
{
    json_t *object = cs_json_made(json_object());

    cs_json_append(experiment->owned, object);
    return object;
}

int cs_experiment_find_axis(struct cs_experiment *experiment, const char *name)
{
    struct cs_experiment_axis *axis;

    for (int a = 0; a < experiment->axes; a++)
        if (!strcmp(experiment->axis[a].name, name))
            return a;
    experiment->axis = experiment_axes_grow(experiment->arena, experiment->axis, experiment->axes,
                                            sizeof *experiment->axis);
    axis = &experiment->axis[experiment->axes];
    *axis = (struct cs_experiment_axis){.name = name,
                                        .title = name,
                                        .numbers = true,
                                        .by_set = object_create(experiment),
                                        .by_name = object_create(experiment)};
    return experiment->axes++;
}

static void note_parameter(struct cs_experiment *experiment, const char *parameter)
{
    for (int p = 0; p < experiment->varied; p++)
        if (!strcmp(experiment->parameter[p], parameter))
            return;
    experiment->parameter = experiment_axes_grow(experiment->arena, experiment->parameter,
                                                 experiment->varied, sizeof *experiment->parameter);
    experiment->parameter[experiment->varied++] = parameter;
}

static int check_setting(struct cs_experiment_reader *reader, const struct cs_json_at *at,
                         const char *name)
{
    if (cs_experiment_check_setting(reader, at, name))
        return -1;
    note_parameter(reader->experiment, name);
    return 0;
}

static const char *put_label(struct cs_arena *arena, const json_t *set)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *name, *label;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)set, name, value)
    {
        if (text.length)
            cs_strbuf_putc(&text, ' ');
        cs_parameters_put_word(value, &text);
    }
    label = cs_arena_strdup(arena, text.text);
    cs_strbuf_release(&text);
    return label;
}

static int refuse_twice(const struct draft *draft, const struct cs_json_at *at, int index)
{
    for (int v = 0; v < draft->side->count; v++)
        if (draft->side->value[v] == index)
            return cs_json_error(at, draft->reader->err, "the same as %s[%d]", draft->at.key, v);
    return cs_json_error(at, draft->reader->err, "is there twice");
}

int cs_experiment_add_value(struct cs_experiment_reader *reader, int a, const struct cs_json_at *at,
                            const char *key, struct cs_experiment_value value)
{
    struct cs_experiment *experiment = reader->experiment;
    struct cs_experiment_axis *axis = &experiment->axis[a];

    if (value.set)
        cs_json_append(experiment->owned, json_incref(value.set));
    if (json_object_get(axis->by_name, value.name))
        return cs_json_error(at, reader->err, "a second value is called '%s'", value.name);
    cs_json_set(axis->by_set, key, json_integer(axis->count));
    cs_json_set(axis->by_name, value.name, json_integer(axis->count));
    axis->numbers = axis->numbers && !isnan(value.number);
    axis->value =
        experiment_axes_grow(experiment->arena, axis->value, axis->count, sizeof *axis->value);
    value.label = value.label ? value.label : value.name;
    value.grid = reader->grids + 1;
    axis->value[axis->count++] = value;
    return axis->count - 1;
}

/* NaN unless it is all that is set. */
static double experiment_axes_number_of(const struct draft *draft, const json_t *set)
{
    const json_t *number = draft->parameter ? json_object_get(set, draft->at.key) : NULL;

    return json_is_number(number) && json_object_size(set) == 1 ? json_number_value(number) : NAN;
}

/* The index of the value on the axis, which is made when it is new; -1 with err.  `label` is NULL
 * when the file has none. */
static int place_value(const struct draft *draft, const struct cs_json_at *at, json_t *set,
                       const char *label)
{
    struct cs_experiment *experiment = draft->reader->experiment;
    struct cs_experiment_axis *axis = &experiment->axis[draft->side->axis];
    struct cs_strbuf key = CS_STRBUF_INIT;
    const json_t *known;
    int index;

    cs_parameters_put(set, &key);
    known = json_object_get(axis->by_set, key.text);
    if (!known) {
        index = cs_experiment_add_value(
            draft->reader, draft->side->axis, at, key.text,
            (struct cs_experiment_value){.name = label ? label : put_label(experiment->arena, set),
                                         .set = set,
                                         .number = experiment_axes_number_of(draft, set)});
        cs_strbuf_release(&key);
        return index;
    }
    cs_strbuf_release(&key);
    index = (int)json_integer_value(known);
    if (axis->value[index].grid == draft->reader->grids + 1)
        return refuse_twice(draft, at, index);
    if (label && strcmp(label, axis->value[index].name))
        return cs_json_error(at, draft->reader->err, "is called '%s' here and '%s' before", label,
                             axis->value[index].name);
    axis->value[index].grid = draft->reader->grids + 1;
    return index;
}

/* {"policy": "easy", "priority": "lpt", "label": "EASY"} */
static int read_settings(const struct draft *draft, const struct cs_json_at *at, const char **label,
                         json_t *set)
{
    struct cs_experiment_reader *reader = draft->reader;
    const char *name;
    json_t *value;

    json_object_foreach(at->value, name, value)
    {
        struct cs_json_at place = {.value = value, .above = at, .key = name};

        if (!strcmp(name, "label")) {
            if (cs_json_string(&place, label, reader->err))
                return -1;
            if (!**label)
                return cs_json_error(&place, reader->err, "a label is not empty");
            continue;
        }
        if (check_setting(reader, &place, name))
            return -1;
        cs_json_set(set, name, json_incref(value));
    }
    if (!json_object_size(set))
        return cs_json_error(at, reader->err, "sets no parameter");
    if (draft->parameter && !json_object_get(set, draft->at.key))
        return cs_json_error(at, reader->err, "does not set %s, on whose axis it is",
                             draft->at.key);
    return 0;
}

static int read_object(const struct draft *draft, const struct cs_json_at *at)
{
    const char *label = NULL;
    json_t *set = cs_json_made(json_object());
    CS_JSON_HOLD(set);

    return read_settings(draft, at, &label, set) ? -1 : place_value(draft, at, set, label);
}

static int read_value(const struct draft *draft, const struct cs_json_at *at)
{
    struct cs_error inner = {0};
    CS_HOLD(set);

    if (json_is_object(at->value))
        return read_object(draft, at);
    if (!draft->parameter) {
        cs_cell_field(draft->reader->experiment->problem, draft->at.key, &inner);
        return cs_json_error(&draft->at, draft->reader->err,
                             "%s. Values on an axis of another name are objects of parameters",
                             inner.text);
    }
    if (check_setting(draft->reader, at, draft->at.key))
        return -1;
    cs_json_hold(&set, cs_json_pair(draft->at.key, json_incref(at->value)));
    return place_value(draft, at, set.thing, NULL);
}

/* Lists and ranges give an array; a new reference. */
static json_t *find_values(const struct draft *draft)
{
    const struct cs_field *p = draft->parameter;
    struct cs_error *err = draft->reader->err;

    if (json_is_array(draft->at.value)) {
        if (json_array_size(draft->at.value))
            return json_incref(draft->at.value);
        cs_json_error(&draft->at, err, "has no values");
        return NULL;
    }
    if (!json_is_object(draft->at.value)) {
        cs_json_error(&draft->at, err,
                      "expected a list of values, or a range such as {\"from\": 1, \"to\": 9, "
                      "\"step\": 2}");
        return NULL;
    }
    if (p && cs_field_is_number(p))
        return cs_range_read(&draft->at, p->kind == CS_FIELD_INTEGER, err);
    cs_json_error(&draft->at, err, "a range is for parameters that are numbers, expected a list");
    return NULL;
}

static int read_values(const struct draft *draft, json_t *values)
{
    struct cs_experiment_side *side = draft->side;
    struct cs_json_at list = draft->at;
    size_t count = json_array_size(values);

    list.value = values;
    side->value = CS_NEW_ARRAY(draft->reader->experiment->arena, int, count);
    for (size_t v = 0; v < count; v++) {
        struct cs_json_at place = cs_json_element(&list, v);
        int index = read_value(draft, &place);

        if (index < 0)
            return -1;
        side->value[side->count++] = index;
    }
    return 0;
}

static int read_axis(struct draft *draft)
{
    struct cs_experiment *experiment = draft->reader->experiment;
    json_t *values;

    if (check_name(draft))
        return -1;
    values = find_values(draft);
    if (!values)
        return -1;
    cs_json_append(experiment->owned, values);
    draft->side->axis = cs_experiment_find_axis(experiment, draft->at.key);
    return read_values(draft, values);
}

/* No two axes of a grid set the same parameter: for each, which axis does. */
static int check_disjoint(const struct cs_experiment_reader *reader,
                          const struct cs_experiment_grid *grid)
{
    const struct cs_experiment *experiment = reader->experiment;
    json_t *owner = cs_json_made(json_object());
    CS_JSON_HOLD(owner);
    int status = 0;

    for (int s = 0; s < grid->sides && !status; s++) {
        const struct cs_experiment_axis *axis = &experiment->axis[grid->side[s].axis];

        for (int v = 0; v < grid->side[s].count && !status; v++) {
            const char *name;
            json_t *value;

            json_object_foreach(axis->value[grid->side[s].value[v]].set, name, value)
            {
                const json_t *other = json_object_get(owner, name);

                if (other && json_integer_value(other) != s)
                    status = cs_json_error(
                        &grid->at, reader->err, "%s and %s both set %s",
                        experiment->axis[grid->side[json_integer_value(other)].axis].name,
                        axis->name, name);
                else if (!other)
                    cs_json_set(owner, name, json_integer(s));
            }
        }
    }
    return status;
}

static int read_grid(struct cs_experiment_reader *reader, struct cs_json_at at)
{
    struct cs_experiment_grid *grid = &reader->grid[reader->grids];
    const char *name;
    json_t *value;

    if (cs_json_keys(&at, NULL, reader->err))
        return -1;
    grid->at = at;
    grid->side = CS_NEW_ARRAY(reader->experiment->arena, struct cs_experiment_side,
                              json_object_size(at.value));
    json_object_foreach(at.value, name, value)
    {
        struct draft draft = {
            .reader = reader,
            .side = &grid->side[grid->sides++],
            .parameter = cs_cell_field(reader->experiment->problem, name, NULL),
            .at = {.value = value, .above = &grid->at, .key = name},
        };

        if (read_axis(&draft))
            return -1;
    }
    if (check_disjoint(reader, grid))
        return -1;
    reader->grids++;
    return 0;
}

int cs_experiment_read_axes(struct cs_experiment_reader *reader)
{
    struct cs_arena *arena = reader->experiment->arena;
    size_t count = 1;

    if (!reader->vary.value) {
        reader->grid = CS_NEW(arena, struct cs_experiment_grid);
        reader->grid->at = reader->root;
        reader->grids = 1;
        return 0;
    }
    if (!json_is_array(reader->vary.value)) {
        reader->grid = CS_NEW(arena, struct cs_experiment_grid);
        return read_grid(reader, reader->vary);
    }
    if (cs_json_array(&reader->vary, &count, reader->err))
        return -1;
    if (!count)
        return cs_json_error(&reader->vary, reader->err, "has no grids");
    reader->grid = CS_NEW_ARRAY(arena, struct cs_experiment_grid, count);
    for (size_t g = 0; g < count; g++)
        if (read_grid(reader, cs_json_element(&reader->vary, g)))
            return -1;
    return 0;
}
