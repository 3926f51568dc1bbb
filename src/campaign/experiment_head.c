/* experiment_head.c - everything of an experiment but its axes, metrics and claims. */
#include "campaign/experiment_reader.h"

#include "base/json_make.h"
#include "campaign/parameters.h"

#include <string.h>

#define KEYS                                                                                       \
    "base|title|subtitle|place|citation|problem|seed|replicates|as|columns|divide|serial|needs|"   \
    "set|vary|figure|x|panels|series|metrics|claims|notes|quick"
#define REPLICATES 1000000
#define COLUMNS 100

/* A parameter of a former release makes it another problem of today (problem/problem.h). */
static const struct cs_problem *update_problem(const struct cs_problem *problem, const json_t *part)
{
    const struct cs_problem *now = problem;
    const char *name;
    json_t *value;
    size_t i;

    json_object_foreach((json_t *)(uintptr_t)part, name, value)
    {
        if (now == problem)
            now = cs_problem_renamed(problem, name);
        if (now == problem)
            now = update_problem(problem, value);
    }
    json_array_foreach(part, i, value)
    {
        if (now == problem)
            now = update_problem(problem, value);
    }
    return now;
}

static int read_problem(struct cs_experiment_reader *reader)
{
    struct cs_json_at at;
    struct cs_error inner = {0};
    const char *name;

    if (cs_json_member(&reader->root, "problem", &at, reader->err) ||
        cs_json_string(&at, &name, reader->err))
        return -1;
    if (reader->experiment->problem)
        return 0;
    reader->experiment->problem = cs_problem_find(name, &inner);
    if (!reader->experiment->problem)
        return cs_field_error(&at, &inner, reader->err);
    reader->experiment->problem = update_problem(reader->experiment->problem, reader->root.value);
    reader->experiment->renamed = strcmp(reader->experiment->problem->name, name) != 0;
    return 0;
}

/* --- names of former releases --- */

/* Of an object whose keys are parameters. */
static int update_keys(struct cs_experiment_reader *reader, const struct cs_json_at *at)
{
    struct cs_experiment *experiment = reader->experiment;
    struct cs_error inner = {0};
    json_t *updated =
        json_is_object(at->value)
            ? cs_parameters_update(experiment->problem, at->value, experiment->warnings, &inner)
            : NULL;
    CS_JSON_HOLD(updated);

    if (updated) {
        json_object_clear(at->value);
        cs_json_update(at->value, updated);
    }
    return inner.text[0] ? cs_field_error(at, &inner, reader->err) : 0;
}

/* Of "set" in each member of an object, such as panels. */
static int update_sets(struct cs_experiment_reader *reader, struct cs_json_at object)
{
    const char *key;
    json_t *value;

    json_object_foreach(object.value, key, value)
    {
        struct cs_json_at at = cs_field_at(&object, key), set = cs_field_at(&at, "set");

        if (update_keys(reader, &set))
            return -1;
    }
    return 0;
}

/* Of a grid: its axes, and what objects on them set. */
static int update_grid(struct cs_experiment_reader *reader, const struct cs_json_at *grid)
{
    const char *key;
    json_t *value;

    if (update_keys(reader, grid))
        return -1;
    json_object_foreach(json_is_object(grid->value) ? grid->value : NULL, key, value)
    {
        struct cs_json_at axis = cs_field_at(grid, key);

        for (size_t v = 0; v < json_array_size(axis.value); v++) {
            struct cs_json_at at = cs_json_element(&axis, v);

            if (update_keys(reader, &at))
                return -1;
        }
    }
    return 0;
}

/* Of texts that name a parameter. */
static void update_words(struct cs_experiment_reader *reader, struct cs_json_at object)
{
    static const char *const key[] = {"parameter", "x", "series", "panel"};
    struct cs_experiment *experiment = reader->experiment;

    for (size_t k = 0; k < sizeof key / sizeof *key; k++) {
        const char *name = json_string_value(json_object_get(object.value, key[k]));

        if (name)
            cs_json_set(object.value, key[k],
                        json_string(cs_parameters_name(experiment->problem, name,
                                                       experiment->warnings, experiment->arena)));
    }
}

/* Read a copy of the document with today's names. */
static int update_names(struct cs_experiment_reader *reader)
{
    struct cs_experiment *experiment = reader->experiment;
    json_t *document = cs_json_made(json_deep_copy(experiment->document));
    struct cs_json_at at;

    json_decref(experiment->document);
    experiment->document = document;
    reader->root = cs_json_root(experiment->file, document);
    update_words(reader, cs_field_at(&reader->root, "x"));
    update_words(reader, cs_field_at(&reader->root, "figure"));
    for (const char *const *key = (const char *const[]){"set", "needs", NULL}; *key; key++) {
        at = cs_field_at(&reader->root, *key);
        if (update_keys(reader, &at))
            return -1;
    }
    at = cs_field_at(&reader->root, "vary");
    for (size_t g = 0; g < json_array_size(at.value); g++) {
        struct cs_json_at grid = cs_json_element(&at, g);

        if (update_grid(reader, &grid))
            return -1;
    }
    return update_grid(reader, &at) || update_sets(reader, cs_field_at(&reader->root, "panels")) ||
                   update_sets(reader, cs_field_at(&reader->root, "series"))
               ? -1
               : 0;
}

static int read_seed(struct cs_experiment_reader *reader)
{
    struct cs_json_at at = cs_field_at(&reader->root, "seed");
    int64_t seed = 1;

    if (at.value && cs_json_int64(&at, 0, INT64_MAX, &seed, reader->err))
        return -1;
    reader->experiment->seed = reader->experiment->declared = (uint64_t)seed;
    return 0;
}

static bool is_standard_input(const json_t *files)
{
    const char *name = json_string_value(files);

    for (size_t i = 0; i < json_array_size(files); i++)
        if (is_standard_input(json_array_get(files, i)))
            return true;
    return name && !strcmp(name, "-");
}

int cs_experiment_check_setting(struct cs_experiment_reader *reader, const struct cs_json_at *at,
                                const char *name)
{
    struct cs_error inner = {0};
    const struct cs_field *p = cs_cell_field(reader->experiment->problem, name, &inner);

    if (!p || cs_cell_check_value(p, name, at->value, &inner))
        return cs_field_error(at, &inner, reader->err);
    if (p->kind == CS_FIELD_PATH && is_standard_input(at->value))
        return cs_json_error(at, reader->err,
                             "standard input can be read only once, a file is wanted");
    return 0;
}

int cs_experiment_read_set(struct cs_experiment_reader *reader, const struct cs_json_at *object,
                           json_t **set)
{
    struct cs_json_at place = cs_field_at(object, "set");
    const char *name;
    json_t *value;

    *set = place.value;
    if (!place.value)
        return 0;
    if (cs_json_keys(&place, NULL, reader->err))
        return -1;
    json_object_foreach(place.value, name, value)
    {
        struct cs_json_at at = {.value = value, .above = &place, .key = name};

        if (cs_experiment_check_setting(reader, &at, name))
            return -1;
    }
    return 0;
}

static int read_notes(struct cs_experiment_reader *reader)
{
    struct cs_json_at list = cs_field_at(&reader->root, "notes");
    size_t count = 0;
    const char **note;

    if (list.value && cs_json_array(&list, &count, reader->err))
        return -1;
    note = CS_NEW_ARRAY(reader->experiment->arena, const char *, count);
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at at = cs_json_element(&list, i);

        if (cs_json_string(&at, &note[i], reader->err))
            return -1;
    }
    reader->experiment->note = note;
    reader->experiment->notes = (int)count;
    return 0;
}

/* "needs": parameter, and its description. */
static int read_needs(struct cs_experiment_reader *reader)
{
    struct cs_experiment *experiment = reader->experiment;
    struct cs_json_at object = cs_field_at(&reader->root, "needs");
    struct cs_experiment_need *need;
    const char *key;
    json_t *value;

    if (!object.value)
        return 0;
    if (cs_json_keys(&object, NULL, reader->err))
        return -1;
    experiment->need = need =
        CS_NEW_ARRAY(experiment->arena, struct cs_experiment_need, json_object_size(object.value));
    json_object_foreach(object.value, key, value)
    {
        struct cs_json_at at = cs_field_at(&object, key);
        struct cs_error inner = {0};

        need[experiment->needs].parameter = key;
        if (!cs_cell_field(experiment->problem, key, &inner))
            return cs_field_error(&at, &inner, reader->err);
        if (cs_json_string(&at, &need[experiment->needs++].what, reader->err))
            return -1;
    }
    return 0;
}

/* Every need must be settable. */
static int check_needs(struct cs_experiment_reader *reader)
{
    const struct cs_experiment *experiment = reader->experiment;
    struct cs_json_at object = cs_field_at(&reader->root, "needs");

    for (int n = 0; n < experiment->needs; n++) {
        struct cs_json_at at = cs_field_at(&object, experiment->need[n].parameter);
        struct cs_error inner = {0};

        if (cs_experiment_takes(experiment, experiment->need[n].parameter, &inner))
            return cs_field_error(&at, &inner, reader->err);
    }
    return 0;
}

static int read_head(struct cs_experiment_reader *reader)
{
    struct cs_experiment *experiment = reader->experiment;
    const struct cs_json_at *root = &reader->root;
    struct cs_error *err = reader->err;
    int table = 0, means = 0;

    experiment->title = experiment->name;
    experiment->replicates = 1;
    if (cs_json_keys(root, KEYS, err) || read_problem(reader) || update_names(reader) ||
        cs_field_string(root, "title", &experiment->title, err) ||
        cs_field_string(root, "subtitle", &experiment->subtitle, err) ||
        cs_field_string(root, "place", &experiment->place, err) ||
        cs_field_string(root, "citation", &experiment->citation, err) || read_seed(reader) ||
        cs_field_int(root, "replicates", 1, REPLICATES, &experiment->replicates, err) ||
        cs_field_choice(root, "as", "figure|table", &table, err) ||
        cs_field_int(root, "columns", 1, COLUMNS, &experiment->columns, err) ||
        cs_field_choice(root, "divide", "runs|means", &means, err) ||
        cs_field_bool(root, "serial", &experiment->serial, err) || read_needs(reader) ||
        cs_experiment_read_set(reader, root, &experiment->set))
        return -1;
    experiment->table = table == 1;
    experiment->means = means == 1;
    return read_notes(reader);
}

/* Axes are declared in one of two forms. */
static int read_axes(struct cs_experiment_reader *reader)
{
    const struct cs_json_at *root = &reader->root;

    reader->vary = cs_field_at(root, "vary");
    reader->experiment->paper =
        cs_json_has(root, "panels") || cs_json_has(root, "series") || cs_json_has(root, "x");
    if (!reader->experiment->paper)
        return cs_experiment_read_axes(reader) || cs_experiment_read_figure(reader) ? -1 : 0;
    if (reader->vary.value || cs_json_has(root, "figure"))
        return cs_json_error(root, reader->err,
                             "found panels, series or x with vary or figure, expected one of the "
                             "two forms");
    return cs_experiment_read_panels(reader);
}

int cs_experiment_read_document(struct cs_experiment_reader *reader)
{
    return read_head(reader) || read_axes(reader) || cs_experiment_read_metrics(reader) ||
                   check_needs(reader) || cs_experiment_make_cells(reader) ||
                   cs_experiment_read_claims(reader)
               ? -1
               : 0;
}
