/* export.c - typed columns, and a row for each cell. */
#include "campaign/export.h"

#include "base/jsonw.h"
#include "campaign/parameters.h"
#include "report/table.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum kind { AXIS = 1, PARAMETER, REPLICATE, SEED, INSTANCE, METRIC };

struct column {
    const char *name;
    enum kind kind;
    int index; /* AXIS, METRIC */
};

struct exporter {
    struct cs_arena *arena;
    const struct cs_experiment *experiment;
    const struct cs_export_options *options;
    int columns;
    struct column *column;
    struct cs_strbuf *out, word;
    struct cs_jsonw json;
};

/* --- columns --- */

static bool is_taken(const struct exporter *e, const char *name)
{
    for (int c = 0; c < e->columns; c++)
        if (!strcmp(e->column[c].name, name))
            return true;
    return false;
}

/* Parameters and the three fixed columns keep their names; later columns get a suffix. */
static void export_add(struct exporter *e, enum kind kind, int index, const char *name,
                       const char *suffix)
{
    while (is_taken(e, name)) {
        struct cs_strbuf text = CS_STRBUF_INIT;

        cs_strbuf_printf(&text, "%s_%s", name, suffix);
        name = cs_arena_strdup(e->arena, text.text);
        cs_strbuf_release(&text);
    }
    e->column[e->columns++] = (struct column){name, kind, index};
}

static void add_parameters(struct exporter *e)
{
    for (int p = 0; p < e->experiment->varied; p++)
        export_add(e, PARAMETER, 0, e->experiment->parameter[p], "parameter");
}

static bool is_parameter(const struct cs_experiment *experiment, const char *name)
{
    for (int p = 0; p < experiment->varied; p++)
        if (!strcmp(experiment->parameter[p], name))
            return true;
    return false;
}

/* Those of a paper are never parameters. */
static void add_labels(struct exporter *e)
{
    const struct cs_experiment *experiment = e->experiment;

    for (int a = 0; a < experiment->axes; a++)
        if (experiment->paper || !is_parameter(experiment, experiment->axis[a].name))
            export_add(e, AXIS, a, experiment->axis[a].name, "label");
}

/* If the name is of a former release. */
static void export_warn(const struct exporter *e, const struct cs_metric *metric, const char *name)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_metric_put_renamed(metric, name, &text);
    if (text.length && e->options->warn)
        e->options->warn(e->options->who, text.text);
    cs_strbuf_release(&text);
}

static int add_named_metrics(struct exporter *e, const char *names, struct cs_error *err)
{
    for (;;) {
        size_t length = strcspn(names, ",");
        const char *name = cs_arena_strndup(e->arena, names, length);
        int m = cs_cell_metric(e->experiment->problem, name, err);

        if (m < 0)
            return cs_error_prefix(err, "--metrics");
        export_warn(e, &cs_cell_metrics(e->experiment->problem)[m], name);
        for (int c = 0; c < e->columns; c++)
            if (e->column[c].kind == METRIC && e->column[c].index == m)
                return cs_error_set(err, "--metrics: %s is there twice", name);
        export_add(e, METRIC, m, cs_cell_metrics(e->experiment->problem)[m].name, "metric");
        if (!names[length])
            return 0;
        names += length + 1;
    }
}

static int add_metrics(struct exporter *e, struct cs_error *err)
{
    const struct cs_experiment *experiment = e->experiment;

    if (e->options->metrics)
        return add_named_metrics(e, e->options->metrics, err);
    for (int m = 0; m < experiment->exports; m++)
        export_add(e, METRIC, experiment->export[m],
                   cs_cell_metrics(experiment->problem)[experiment->export[m]].name, "metric");
    return 0;
}

/* Names are given out in one order and shown in another. */
static int make_columns(struct exporter *e, struct cs_error *err)
{
    int fixed, parameters, labels;
    struct column *column;

    e->column = CS_NEW_ARRAY(e->arena, struct column,
                             3 + e->experiment->axes + e->experiment->varied + CS_CELL_METRICS);
    export_add(e, REPLICATE, 0, "replicate", "");
    export_add(e, SEED, 0, "seed", "");
    export_add(e, INSTANCE, 0, "instance", "");
    fixed = e->columns;
    add_parameters(e);
    parameters = e->columns;
    add_labels(e);
    labels = e->columns;
    if (add_metrics(e, err))
        return -1;
    column = CS_NEW_ARRAY(e->arena, struct column, e->columns);
    memcpy(column, e->column + parameters, (size_t)(labels - parameters) * sizeof *column);
    memcpy(column + labels - parameters, e->column + fixed,
           (size_t)(parameters - fixed) * sizeof *column);
    memcpy(column + labels - fixed, e->column, (size_t)fixed * sizeof *column);
    memcpy(column + labels, e->column + labels, (size_t)(e->columns - labels) * sizeof *column);
    e->column = column;
    return 0;
}

/* --- rows --- */

static void export_put_text(struct exporter *e, const char *text)
{
    if (e->options->format == CS_EXPORT_JSON)
        cs_jsonw_string(&e->json, text);
    else if (text)
        cs_table_put_csv(e->out, text);
}

static void export_put_number(struct exporter *e, double value)
{
    if (e->options->format == CS_EXPORT_JSON)
        cs_jsonw_double(&e->json, value);
    else if (isnan(value))
        cs_strbuf_puts(e->out, "NaN");
    else if (isinf(value))
        cs_strbuf_puts(e->out, value < 0 ? "-Inf" : "Inf");
    else
        cs_strbuf_put_double(e->out, value);
}

static void put_integer(struct exporter *e, int64_t value)
{
    if (e->options->format == CS_EXPORT_JSON)
        cs_jsonw_int(&e->json, value);
    else
        cs_strbuf_printf(e->out, "%" PRId64, value);
}

static void put_parameter(struct exporter *e, const json_t *value)
{
    if (!value || json_is_string(value))
        export_put_text(e, json_string_value(value));
    else if (json_is_integer(value))
        put_integer(e, json_integer_value(value));
    else if (json_is_boolean(value))
        export_put_text(e, json_is_true(value) ? "true" : "false");
    else
        export_put_number(e, json_number_value(value));
}

static void put_seed(struct exporter *e, uint64_t seed)
{
    cs_strbuf_clear(&e->word);
    cs_strbuf_printf(&e->word, "%" PRIu64, seed);
    export_put_text(e, e->word.text);
}

static const char *label_of(const struct cs_experiment *experiment, const struct cs_cell *cell,
                            int axis)
{
    int value = experiment->combination[cell->combination].at[axis];

    return value < 0 ? NULL : experiment->axis[axis].value[value].name;
}

static void put_field(struct exporter *e, const struct column *column, const struct cs_cell *cell,
                      const struct cs_record *record)
{
    switch (column->kind) {
    case PARAMETER:
        put_parameter(e, json_object_get(cell->parameters, column->name));
        break;
    case REPLICATE:
        put_integer(e, cell->replicate);
        break;
    case SEED:
        put_seed(e, cell->seed);
        break;
    case INSTANCE:
        export_put_text(e, record->instance);
        break;
    case METRIC:
        export_put_number(e, record->value[column->index]);
        break;
    case AXIS:
        export_put_text(e, label_of(e->experiment, cell, column->index));
    }
}

static void put_header(struct exporter *e)
{
    for (int c = 0; c < e->columns; c++) {
        cs_strbuf_puts(e->out, c ? "," : "");
        cs_table_put_csv(e->out, e->column[c].name);
    }
    cs_strbuf_putc(e->out, '\n');
}

static void export_put_row(struct exporter *e, const struct cs_cell *cell,
                           const struct cs_record *record)
{
    bool json = e->options->format == CS_EXPORT_JSON;

    if (json)
        cs_jsonw_open_flat(&e->json, '{');
    for (int c = 0; c < e->columns; c++) {
        if (json)
            cs_jsonw_key(&e->json, e->column[c].name);
        else
            cs_strbuf_puts(e->out, c ? "," : "");
        put_field(e, &e->column[c], cell, record);
    }
    if (json)
        cs_jsonw_close(&e->json);
    else
        cs_strbuf_putc(e->out, '\n');
}

/* Once a run is missing that must not be, the others are only counted. */
static int put_rows(struct exporter *e, struct cs_store *store, int *missing, struct cs_error *err)
{
    const struct cs_experiment *experiment = e->experiment;
    struct cs_record record;
    bool known;

    for (int c = 0; c < experiment->count; c++) {
        if (cs_store_get(store, experiment->problem, &experiment->cell[c], &known, &record, err))
            return -1;
        *missing += !known;
        if (known && (!*missing || e->options->partial))
            export_put_row(e, &experiment->cell[c], &record);
    }
    return 0;
}

static int export_put_table(struct exporter *e, struct cs_store *store, int *missing,
                            struct cs_error *err)
{
    bool json = e->options->format == CS_EXPORT_JSON;
    int status;

    if (json) {
        e->json = cs_jsonw_begin(e->out);
        cs_jsonw_open(&e->json, '[');
    } else {
        put_header(e);
    }
    status = put_rows(e, store, missing, err);
    if (json) {
        cs_jsonw_close(&e->json);
        cs_jsonw_end(&e->json);
    }
    return status;
}

static int write_all(struct exporter *e, struct cs_store *store, const struct cs_document *document,
                     int *missing, struct cs_error *err)
{
    if (make_columns(e, err) || export_put_table(e, store, missing, err))
        return -1;
    if (!*missing || e->options->partial)
        return 0;
    return cs_error_set(err,
                        "%s: %d of %d runs of %s are missing; finish them first, or take what is "
                        "there with --partial",
                        cs_store_path(store), *missing, e->experiment->count, document->name);
}

int cs_export_write(struct cs_store *store, const struct cs_document *document,
                    const struct cs_export_options *options, struct cs_strbuf *out, int *missing,
                    struct cs_error *err)
{
    struct cs_experiment *experiment = cs_experiment_compile(document, err);
    struct exporter e = {.arena = cs_arena_create(),
                         .experiment = experiment,
                         .options = options,
                         .out = out,
                         .word = CS_STRBUF_INIT};
    int lacking = 0, status = experiment ? write_all(&e, store, document, &lacking, err) : -1;

    if (status)
        cs_strbuf_clear(out);
    if (missing)
        *missing = lacking;
    cs_strbuf_release(&e.word);
    cs_arena_destroy(e.arena);
    cs_experiment_destroy(experiment);
    return status;
}
