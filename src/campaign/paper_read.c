/* paper_read.c - from a JSON document to struct cs_paper; everything is checked before a run. */
#include "campaign/paper_reader.h"

#include "base/strbuf.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define REPLICATES 1000000
#define COLUMNS 100

/* The names of an object's members as "a, b, c" for a message. */
static int refuse_name(struct cs_paper_reader *reader, const struct cs_json_at *place,
                       const char *kind, json_t *object)
{
    struct cs_strbuf list = CS_STRBUF_INIT;
    const char *key;
    json_t *value;

    json_object_foreach(object, key, value)
        cs_strbuf_printf(&list, "%s%s", list.length ? ", " : "", key);
    cs_json_error(place, reader->err, "found \"%.60s\", expected one of the %s: %s",
                  json_string_value(place->value), kind, list.text);
    cs_strbuf_release(&list);
    return -2;
}

static int find_name(struct cs_paper_reader *reader, const struct cs_json_at *place,
                     const char *kind)
{
    json_t *object = json_object_get(reader->paper->document, kind);
    json_t *before = json_object_get(reader->full, kind);
    const char *name, *key;
    json_t *value;
    int index = 0;

    if (cs_json_string(place, &name, reader->err))
        return -2;
    json_object_foreach(object, key, value)
    {
        if (!strcmp(key, name))
            return index;
        index++;
    }
    return json_object_get(before, name) ? -1 : refuse_name(reader, place, kind, before);
}

int cs_paper_find_panel(struct cs_paper_reader *reader, const struct cs_json_at *place)
{
    return find_name(reader, place, "panels");
}

int cs_paper_find_series(struct cs_paper_reader *reader, const struct cs_json_at *place)
{
    return find_name(reader, place, "series");
}

/* "set" of an object: parameters, checked later with the others of their cells. */
static int read_set(struct cs_paper_reader *reader, const struct cs_json_at *object, json_t **set)
{
    struct cs_json_at place = cs_field_at(object, "set");

    *set = place.value;
    return place.value ? cs_json_keys(&place, NULL, reader->err) : 0;
}

static int read_x_value(struct cs_paper_reader *reader, const struct cs_json_at *place,
                        struct cs_paper_x *x)
{
    struct cs_strbuf label = CS_STRBUF_INIT;

    if (!json_is_number(place->value) && !json_is_string(place->value))
        return cs_json_error(place, reader->err, "expected a number or a word");
    *x = (struct cs_paper_x){.value = place->value, .number = NAN};
    if (json_is_string(place->value)) {
        x->label = json_string_value(place->value);
        return 0;
    }
    x->number = json_number_value(place->value);
    cs_strbuf_put_double(&label, x->number);
    x->label = cs_arena_strdup(reader->paper->arena, label.text);
    cs_strbuf_release(&label);
    return 0;
}

/* The values of a panel's axis, its own or those of all. */
static int read_x_values(struct cs_paper_reader *reader, const struct cs_json_at *panel,
                         const struct cs_json_at *document, struct cs_paper_panel *out)
{
    struct cs_json_at axis = cs_field_at(document, "x");
    struct cs_json_at list = cs_field_at(panel, "x");
    struct cs_paper_x *x;
    size_t count;

    if (!list.value)
        list = cs_field_at(&axis, "values");
    if (!list.value)
        return cs_json_error(panel, reader->err, "x is missing: the values of the axis");
    if (cs_json_array(&list, &count, reader->err))
        return -1;
    out->count = (int)count;
    if (!count)
        return cs_json_error(&list, reader->err, "expected at least one value");
    out->x = x = CS_NEW_ARRAY(reader->paper->arena, struct cs_paper_x, out->count);
    for (int i = 0; i < out->count; i++) {
        struct cs_json_at value = cs_json_element(&list, (size_t)i);

        if (read_x_value(reader, &value, &x[i]))
            return -1;
    }
    return 0;
}

static int read_panel(struct cs_paper_reader *reader, const struct cs_json_at *document,
                      const struct cs_json_at *place, struct cs_paper_panel *panel)
{
    panel->name = panel->title = place->key;
    if (cs_json_keys(place, "title|set|x", reader->err) ||
        cs_field_string(place, "title", &panel->title, reader->err) ||
        read_set(reader, place, &panel->set))
        return -1;
    return read_x_values(reader, place, document, panel);
}

static int read_panels(struct cs_paper_reader *reader, const struct cs_json_at *document)
{
    struct cs_paper *paper = reader->paper;
    struct cs_json_at object = cs_field_at(document, "panels");
    struct cs_paper_panel *panel;
    const char *key;
    json_t *value;

    if (!json_object_size(object.value))
        return cs_json_error(document, reader->err, "panels are missing: what to run");
    paper->panel = panel =
        CS_NEW_ARRAY(paper->arena, struct cs_paper_panel, json_object_size(object.value));
    json_object_foreach(object.value, key, value)
    {
        struct cs_json_at place = cs_field_at(&object, key);

        if (read_panel(reader, document, &place, &panel[paper->npanels++]))
            return -1;
    }
    return 0;
}

/* "panels" of a series: where it is run; everywhere when not given. */
static int read_where(struct cs_paper_reader *reader, const struct cs_json_at *object,
                      struct cs_paper_series *series)
{
    struct cs_json_at list = cs_field_at(object, "panels");
    bool *in = CS_NEW_ARRAY(reader->paper->arena, bool, reader->paper->npanels);
    size_t count;

    series->in = in;
    for (int p = 0; p < reader->paper->npanels; p++)
        in[p] = !list.value;
    if (!list.value)
        return 0;
    if (cs_json_array(&list, &count, reader->err))
        return -1;
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at name = cs_json_element(&list, i);
        int p = cs_paper_find_panel(reader, &name);

        if (p == -2)
            return -1;
        if (p >= 0)
            in[p] = true;
    }
    return 0;
}

static int read_one_series(struct cs_paper_reader *reader, const struct cs_json_at *place,
                           struct cs_paper_series *series)
{
    series->name = series->label = place->key;
    series->replicates = 1;
    series->draw = true;
    if (cs_json_keys(place, "label|set|replicates|draw|panels", reader->err) ||
        cs_field_string(place, "label", &series->label, reader->err) ||
        cs_field_int(place, "replicates", 1, REPLICATES, &series->replicates, reader->err) ||
        cs_field_bool(place, "draw", &series->draw, reader->err) ||
        read_set(reader, place, &series->set))
        return -1;
    return read_where(reader, place, series);
}

static int read_series(struct cs_paper_reader *reader, const struct cs_json_at *document)
{
    struct cs_paper *paper = reader->paper;
    struct cs_json_at object = cs_field_at(document, "series");
    struct cs_paper_series *series;
    const char *key;
    json_t *value;

    if (!json_object_size(object.value))
        return cs_json_error(document, reader->err, "series are missing: the policies to run");
    paper->series = series =
        CS_NEW_ARRAY(paper->arena, struct cs_paper_series, json_object_size(object.value));
    json_object_foreach(object.value, key, value)
    {
        struct cs_json_at place = cs_field_at(&object, key);

        if (read_one_series(reader, &place, &series[paper->nseries++]))
            return -1;
    }
    return 0;
}

/* One row of "reference": what the paper prints for a series, one number for each panel. */
static int read_reference_row(struct cs_paper_reader *reader, const struct cs_json_at *row, int s,
                              double *reference)
{
    struct cs_paper *paper = reader->paper;
    json_t *full = json_object_get(reader->full, "panels");
    const char *key;
    json_t *ignored;
    size_t column = 0, count;
    int p = 0;

    if (cs_json_array(row, &count, reader->err))
        return -1;
    if (count != json_object_size(full))
        return cs_json_error(row, reader->err, "expected %zu numbers, one for each panel",
                             json_object_size(full));
    json_object_foreach(full, key, ignored)
    {
        struct cs_json_at value = cs_json_element(row, column++);
        bool there = p < paper->npanels && !strcmp(paper->panel[p].name, key);

        if (!json_is_number(value.value) && !json_is_null(value.value))
            return cs_json_error(&value, reader->err, "expected a number or null");
        if (there && s >= 0 && json_is_number(value.value))
            reference[s * paper->npanels + p] = json_number_value(value.value);
        p += there;
    }
    return 0;
}

static int read_reference(struct cs_paper_reader *reader, const struct cs_json_at *object,
                          struct cs_paper_metric *metric)
{
    struct cs_paper *paper = reader->paper;
    struct cs_json_at place = cs_field_at(object, "reference");
    double *reference;
    const char *key;
    json_t *value;

    if (!place.value)
        return 0;
    if (cs_json_keys(&place, NULL, reader->err))
        return -1;
    reference = CS_NEW_ARRAY(paper->arena, double, paper->nseries * paper->npanels);
    for (int i = 0; i < paper->nseries * paper->npanels; i++)
        reference[i] = NAN;
    metric->reference = reference;
    json_object_foreach(place.value, key, value)
    {
        struct cs_json_at row = cs_field_at(&place, key);
        json_t *name = json_string(key);
        struct cs_json_at series = {.above = &place, .key = key, .value = name};
        int s = cs_paper_find_series(reader, &series);

        json_decref(name);
        if (s == -2 || read_reference_row(reader, &row, s, reference))
            return -1;
    }
    return 0;
}

static int read_metric(struct cs_paper_reader *reader, const struct cs_json_at *place,
                       struct cs_paper_metric *metric)
{
    struct cs_json_at over = cs_field_at(place, "over");
    struct cs_error inner = {{0}};
    int statistic = CS_STATISTIC_MEAN;

    *metric = (struct cs_paper_metric){
        .title = place->key, .over = -1, .from = NAN, .to = NAN, .digits = 4};
    metric->index = cs_runner_metric(reader->paper->runner, place->key, &inner);
    if (metric->index < 0)
        return cs_field_error(place, &inner, reader->err);
    if (cs_json_keys(place, "title|log|from|to|over|statistic|digits|reference", reader->err) ||
        cs_field_string(place, "title", &metric->title, reader->err) ||
        cs_field_bool(place, "log", &metric->log, reader->err) ||
        cs_field_double(place, "from", &metric->from, reader->err) ||
        cs_field_double(place, "to", &metric->to, reader->err) ||
        cs_field_int(place, "digits", 1, 9, &metric->digits, reader->err) ||
        cs_field_choice(place, "statistic", "mean|geometric|deviation", &statistic, reader->err) ||
        read_reference(reader, place, metric))
        return -1;
    metric->statistic = (enum cs_statistic)statistic;
    if (!over.value)
        return 0;
    metric->over = cs_paper_find_series(reader, &over);
    if (metric->over == -1)
        return cs_json_error(&over, reader->err, "%s is missing in the quick run",
                             json_string_value(over.value));
    return metric->over < 0 ? -1 : 0;
}

static int read_metrics(struct cs_paper_reader *reader, const struct cs_json_at *document)
{
    struct cs_paper *paper = reader->paper;
    struct cs_json_at object = cs_field_at(document, "metrics");
    struct cs_paper_metric *metric;
    const char *key;
    json_t *value;

    if (!json_object_size(object.value))
        return cs_json_error(document, reader->err, "metrics are missing: what to draw");
    paper->metric = metric =
        CS_NEW_ARRAY(paper->arena, struct cs_paper_metric, json_object_size(object.value));
    json_object_foreach(object.value, key, value)
    {
        struct cs_json_at place = cs_field_at(&object, key);

        if (read_metric(reader, &place, &metric[paper->nmetrics++]))
            return -1;
    }
    return 0;
}

static int read_axis(struct cs_paper_reader *reader, const struct cs_json_at *document)
{
    struct cs_paper *paper = reader->paper;
    struct cs_json_at place = cs_field_at(document, "x");

    if (!place.value)
        return cs_json_error(document, reader->err, "x is missing: the axis");
    if (cs_json_keys(&place, "parameter|title|log|values", reader->err) ||
        cs_json_get_string(&place, "parameter", &paper->x_parameter, reader->err) ||
        cs_field_bool(&place, "log", &paper->x_log, reader->err))
        return -1;
    paper->x_title = paper->x_parameter;
    return cs_field_string(&place, "title", &paper->x_title, reader->err);
}

static int read_runner(struct cs_paper_reader *reader, const struct cs_json_at *document)
{
    struct cs_json_at place = cs_field_at(document, "problem");
    struct cs_error inner = {{0}};
    const char *name = NULL;

    if (cs_json_get_string(document, "problem", &name, reader->err))
        return -1;
    if (reader->paper->runner)
        return 0;
    reader->paper->runner = cs_runner_find(name, &inner);
    return reader->paper->runner ? 0 : cs_field_error(&place, &inner, reader->err);
}

static int read_notes(struct cs_paper_reader *reader, const struct cs_json_at *document)
{
    struct cs_paper *paper = reader->paper;
    struct cs_json_at list = cs_field_at(document, "notes");
    size_t count = 0;
    const char **note;

    if (list.value && cs_json_array(&list, &count, reader->err))
        return -1;
    note = CS_NEW_ARRAY(paper->arena, const char *, count);
    for (size_t i = 0; i < count; i++) {
        struct cs_json_at place = cs_json_element(&list, i);

        if (cs_json_string(&place, &note[i], reader->err))
            return -1;
    }
    paper->note = note;
    paper->nnotes = (int)count;
    return 0;
}

#define KEYS                                                                                       \
    "base|title|subtitle|place|citation|problem|seed|as|columns|divide|serial|needs|set|x|panels|" \
    "series|"                                                                                      \
    "metrics|claims|notes|quick"

/* "needs": parameter, and what it is. */
static int read_needs(struct cs_paper_reader *reader, const struct cs_json_at *document)
{
    struct cs_paper *paper = reader->paper;
    struct cs_json_at object = cs_field_at(document, "needs");
    struct cs_paper_need *need;
    const char *key;
    json_t *value;

    if (!object.value)
        return 0;
    if (cs_json_keys(&object, NULL, reader->err))
        return -1;
    paper->need = need =
        CS_NEW_ARRAY(paper->arena, struct cs_paper_need, json_object_size(object.value));
    json_object_foreach(object.value, key, value)
    {
        struct cs_json_at place = cs_field_at(&object, key);
        struct cs_error inner = {{0}};

        need[paper->nneeds].parameter = key;
        if (!cs_runner_parameter(paper->runner, key, &inner))
            return cs_field_error(&place, &inner, reader->err);
        if (cs_json_string(&place, &need[paper->nneeds++].what, reader->err))
            return -1;
    }
    return 0;
}

/* Whether runs are divided one by one, or their means. */
static int read_divide(const struct cs_json_at *document, struct cs_paper *paper,
                       struct cs_error *err)
{
    int means = 0;

    if (cs_field_choice(document, "divide", "runs|means", &means, err))
        return -1;
    paper->means = means == 1;
    return 0;
}

static int read_head(struct cs_paper_reader *reader, const struct cs_json_at *document)
{
    struct cs_paper *paper = reader->paper;
    struct cs_error *err = reader->err;
    int seed = 1, as = 0;

    if (cs_json_keys(document, KEYS, err) || read_runner(reader, document) ||
        cs_json_get_string(document, "title", &paper->title, err) ||
        cs_field_string(document, "subtitle", &paper->subtitle, err) ||
        cs_json_get_string(document, "place", &paper->place, err) ||
        cs_json_get_string(document, "citation", &paper->citation, err) ||
        cs_field_int(document, "seed", 0, INT_MAX, &seed, err) ||
        cs_field_choice(document, "as", "figure|table", &as, err) ||
        cs_field_int(document, "columns", 1, COLUMNS, &paper->columns, err) ||
        cs_field_bool(document, "serial", &paper->serial, err) ||
        read_divide(document, paper, err) || read_needs(reader, document) ||
        read_set(reader, document, &paper->set) || read_axis(reader, document))
        return -1;
    paper->seed = (uint64_t)seed;
    paper->table = as == 1;
    return read_notes(reader, document);
}

/* Files are named from the folder of the paper on. */
static void place_file(const struct cs_paper *paper, const char *name, json_t *parameters)
{
    const char *given = json_string_value(json_object_get(parameters, name));
    const char *slash = strrchr(paper->file, '/');
    struct cs_strbuf path = CS_STRBUF_INIT;

    if (!given || *given == '/' || !slash)
        return;
    cs_strbuf_append(&path, paper->file, (size_t)(slash - paper->file) + 1);
    cs_strbuf_puts(&path, given);
    json_object_set_new(parameters, name, json_string(path.text));
    cs_strbuf_release(&path);
}

json_t *cs_paper_parameters(const struct cs_paper *paper, int panel, int series, int x)
{
    json_t *parameters = json_object();

    json_object_update(parameters, paper->set);
    json_object_update(parameters, paper->panel[panel].set);
    json_object_update(parameters, paper->series[series].set);
    json_object_set(parameters, paper->x_parameter, paper->panel[panel].x[x].value);
    for (const struct cs_parameter *p = paper->runner->parameters; p->name; p++)
        if (p->kind == CS_PARAMETER_FILE)
            place_file(paper, p->name, parameters);
    json_object_update(parameters, paper->given);
    return parameters;
}

/* What is needed stands for itself until it is given. */
static void put_needs(const struct cs_paper *paper, json_t *parameters)
{
    for (int n = 0; n < paper->nneeds; n++) {
        const char *name = paper->need[n].parameter;
        const struct cs_parameter *p = cs_runner_parameter(paper->runner, name, NULL);
        bool number = p->kind == CS_PARAMETER_INTEGER || p->kind == CS_PARAMETER_REAL;

        json_object_set_new(parameters, name,
                            number ? json_integer((json_int_t)p->low) : json_string(name));
    }
}

static int check_cell(struct cs_paper_reader *reader, const struct cs_json_at *document, int p,
                      int s, int x)
{
    const struct cs_paper *paper = reader->paper;
    json_t *parameters = cs_paper_parameters(paper, p, s, x);
    struct cs_error inner = {{0}};
    int status;

    put_needs(paper, parameters);
    status = cs_runner_check(paper->runner, parameters, &inner);
    json_decref(parameters);
    if (!status)
        return 0;
    return cs_json_error(document, reader->err, "panel %s, series %s, x = %s: %s",
                         paper->panel[p].name, paper->series[s].name, paper->panel[p].x[x].label,
                         inner.text);
}

static int64_t count_cells(const struct cs_paper *paper)
{
    int64_t count = 0;

    for (int p = 0; p < paper->npanels; p++)
        for (int s = 0; s < paper->nseries; s++)
            if (paper->series[s].in[p])
                count += (int64_t)paper->panel[p].count * paper->series[s].replicates;
    return count;
}

static int check_cells(struct cs_paper_reader *reader, const struct cs_json_at *document)
{
    const struct cs_paper *paper = reader->paper;

    if (count_cells(paper) > CS_PAPER_CELLS)
        return cs_json_error(document, reader->err, "makes %" PRId64 " runs, at most %d are made",
                             count_cells(paper), CS_PAPER_CELLS);

    for (int p = 0; p < paper->npanels; p++)
        for (int s = 0; s < paper->nseries; s++)
            for (int x = 0; paper->series[s].in[p] && x < paper->panel[p].count; x++)
                if (check_cell(reader, document, p, s, x))
                    return -1;
    return 0;
}

/* What is needed can be given. */
static int check_needs(struct cs_paper_reader *reader, const struct cs_json_at *document)
{
    const struct cs_paper *paper = reader->paper;
    struct cs_json_at object = cs_field_at(document, "needs");

    for (int n = 0; n < paper->nneeds; n++) {
        struct cs_json_at place = cs_field_at(&object, paper->need[n].parameter);
        struct cs_error inner = {{0}};

        if (cs_paper_takes(paper, paper->need[n].parameter, &inner))
            return cs_field_error(&place, &inner, reader->err);
    }
    return 0;
}

static int read_document(struct cs_paper_reader *reader)
{
    const struct cs_json_at document = {.key = reader->paper->file,
                                        .value = reader->paper->document};

    if (read_head(reader, &document) || read_panels(reader, &document) ||
        read_series(reader, &document) || read_metrics(reader, &document) ||
        check_needs(reader, &document) || check_cells(reader, &document))
        return -1;
    return cs_paper_read_claims(reader, &document);
}

struct cs_paper *cs_paper_create(json_t *document, const char *name, const char *file, bool quick,
                                 const struct cs_runner *runner, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_paper *paper = CS_NEW(arena, struct cs_paper);
    struct cs_paper_reader reader = {.paper = paper, .full = document, .err = err};
    json_t *patch = json_object_get(document, "quick");

    *paper = (struct cs_paper){
        .name = cs_arena_strdup(arena, name),
        .file = cs_arena_strdup(arena, file),
        .runner = runner,
        .quick = quick,
        .given = json_object(),
        .document = quick && patch ? cs_field_merge(document, patch) : json_incref(document),
        .source = json_incref(document),
        .arena = arena,
    };
    if (!read_document(&reader))
        return paper;
    cs_paper_destroy(paper);
    return NULL;
}

void cs_paper_destroy(struct cs_paper *paper)
{
    if (!paper)
        return;
    json_decref(paper->given);
    json_decref(paper->document);
    json_decref(paper->source);
    cs_arena_destroy(paper->arena);
}
