/* experiment_panels.c - panels, series and x as axes: a grid for each panel. */
#include "campaign/experiment_reader.h"

#include "base/bug.h"
#include "base/json_make.h"
#include "campaign/parameters.h"

#include <math.h>
#include <string.h>

#define REPLICATES 1000000

enum { PANEL, SERIES, X, AXES };

/* A member that has to be an object with something in it. */
static int read_object(struct cs_experiment_reader *reader, const char *key, const char *what,
                       struct cs_json_at *out)
{
    *out = cs_field_at(&reader->root, key);
    if (!json_object_size(out->value))
        return cs_json_error(&reader->root, reader->err, "%s %s missing: %s", key,
                             strcmp(key, "x") ? "are" : "is", what);
    return 0;
}

static int read_panel(struct cs_experiment_reader *reader, const struct cs_json_at *at)
{
    struct cs_experiment_value panel = {.name = at->key, .number = NAN};

    if (cs_json_keys(at, "title|set|x", reader->err) ||
        cs_field_string(at, "title", &panel.label, reader->err) ||
        cs_experiment_read_set(reader, at, &panel.set))
        return -1;
    return cs_experiment_add_value(reader, PANEL, at, panel.name, panel);
}

static int read_series(struct cs_experiment_reader *reader, const struct cs_json_at *at)
{
    struct cs_experiment_value series = {
        .name = at->key, .number = NAN, .replicates = reader->experiment->replicates};
    bool draw = true;

    if (cs_json_keys(at, "label|set|replicates|draw|panels", reader->err) ||
        cs_field_string(at, "label", &series.label, reader->err) ||
        cs_field_int(at, "replicates", 1, REPLICATES, &series.replicates, reader->err) ||
        cs_field_bool(at, "draw", &draw, reader->err) ||
        cs_experiment_read_set(reader, at, &series.set))
        return -1;
    series.hidden = !draw;
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
        struct cs_json_at at = cs_field_at(object, key);

        if (read(reader, &at) < 0)
            return -1;
    }
    return 0;
}

static int read_x(struct cs_experiment_reader *reader, struct cs_json_at *x)
{
    struct cs_experiment *experiment = reader->experiment;
    struct cs_experiment_axis *axis = &experiment->axis[X];
    struct cs_json_at parameter = cs_field_at(x, "parameter");
    struct cs_error inner = {0};

    if (cs_json_keys(x, "parameter|title|log|values", reader->err) ||
        cs_json_get_string(x, "parameter", &axis->parameter, reader->err) ||
        cs_field_bool(x, "log", &experiment->log, reader->err))
        return -1;
    if (!cs_cell_field(experiment->problem, axis->parameter, &inner))
        return cs_field_error(&parameter, &inner, reader->err);
    axis->title = axis->parameter;
    return cs_field_string(x, "title", &axis->title, reader->err);
}

/* The values of a panel, its own or those of all. */
static int find_values(struct cs_experiment_reader *reader, const struct cs_json_at *panel,
                       const struct cs_json_at *x, struct cs_json_at *out, size_t *count)
{
    *out = cs_field_at(panel, "x");
    if (!out->value)
        *out = cs_field_at(x, "values");
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
        struct cs_json_at panel = cs_field_at(&reader->panels, key);

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
    struct cs_json_at list = cs_field_at(series, "panels");
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
        struct cs_json_at at = cs_field_at(series, key);
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
        struct cs_json_at panel = cs_field_at(&reader->panels, key);

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
    if (read_object(reader, "x", "the axis", &x) || read_x(reader, &x) ||
        read_object(reader, "panels", "what to run", &reader->panels) ||
        read_members(reader, PANEL, &reader->panels, read_panel) ||
        read_object(reader, "series", "the policies to run", &series) ||
        read_members(reader, SERIES, &series, read_series) || read_all_values(reader, &x))
        return -1;
    return make_grids(reader, &series, &x);
}
