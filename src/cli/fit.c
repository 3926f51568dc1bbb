/* fit.c - cosched fit: formulas from measured times. */
#include "base/arena.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "io/workload.h"
#include "report/table.h"

#include <cosched/fit.h>

#include <math.h>

static const struct cs_column columns[] = {
    {.key = "app", .kind = CS_COLUMN_WORD},
    {.key = "points", .kind = CS_COLUMN_COUNT},
    {.key = "model", .kind = CS_COLUMN_WORD},
    {.key = "seq_time",
     .heading = "sequential time",
     .unit = "s",
     .kind = CS_COLUMN_DIGITS,
     .digits = 6},
    {.key = "seq_fraction",
     .heading = "sequential fraction",
     .kind = CS_COLUMN_DIGITS,
     .digits = 4},
    {.key = "overhead", .kind = CS_COLUMN_DIGITS, .digits = 4},
    {.key = "rms_error",
     .heading = "error",
     .unit = "rms",
     .kind = CS_COLUMN_FRACTION,
     .digits = 1},
    {.key = "worst_error",
     .heading = "error",
     .unit = "worst",
     .kind = CS_COLUMN_FRACTION,
     .digits = 1},
    {.key = "worst_procs", .heading = "worst on", .unit = "processors", .kind = CS_COLUMN_COUNT},
    {.key = "left_out_error",
     .heading = "error",
     .unit = "left out",
     .kind = CS_COLUMN_FRACTION,
     .digits = 1},
    {.key = "other_rms_error", .kind = CS_COLUMN_FRACTION, .digits = 1, .hidden = true},
    {.key = "why", .kind = CS_COLUMN_WORD, .hidden = true},
};

#define COLUMNS ((int)(sizeof columns / sizeof *columns))

static void add_row(struct cs_table *table, const char *name, const struct cs_fit *fit,
                    const struct cs_profile *used)
{
    bool overhead = used->kind == CS_PROFILE_OVERHEAD;
    const struct cs_fit_model *model = overhead ? &fit->overhead : &fit->amdahl;
    const struct cs_fit_model *other = overhead ? &fit->amdahl : &fit->overhead;

    cs_table_text(table, name);
    cs_table_count(table, fit->points);
    cs_table_text(table, overhead ? "overhead" : "amdahl");
    cs_table_number(table, used->seq_time);
    cs_table_number(table, used->seq_fraction);
    cs_table_number(table, overhead ? used->overhead : NAN);
    cs_table_number(table, model->rms);
    cs_table_number(table, fabs(model->worst));
    cs_table_count(table, model->worst_procs);
    cs_table_number(table, model->left_out);
    cs_table_number(table, other->known ? other->rms : NAN);
    cs_table_text(table, fit->why);
}

static void show(const struct cs_workload *fitted, const struct cs_fit *fit, enum cs_format format)
{
    static const enum cs_table_format formats[] = {
        [CS_FORMAT_TABLE] = CS_TABLE_TEXT,
        [CS_FORMAT_JSON] = CS_TABLE_JSON,
        [CS_FORMAT_CSV] = CS_TABLE_CSV,
    };
    struct cs_table *table = cs_table_create(columns, COLUMNS);
    struct cs_strbuf out = CS_STRBUF_INIT;

    for (int i = 0; i < fitted->count; i++)
        add_row(table, fitted->name[i], &fit[i], &fitted->profile[i]);
    cs_table_write(table, formats[format], 0, &out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    cs_table_destroy(table);
}

static int fit(const struct cs_workload *measured, const struct cs_arguments *args,
               struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_fit *found = CS_NEW_ARRAY(arena, struct cs_fit, measured->count);
    const char *output = cs_arguments_text(args, "output");
    struct cs_workload *fitted =
        cs_fit_workload(measured, (enum cs_fit_use)cs_arguments_choice(args, "model"), found, err);
    int status = fitted ? 0 : cs_error_prefix(err, "%s", cs_arguments_operand(args, 0));

    if (fitted && output)
        status = cs_workload_write(fitted, "fitted by cosched fit", output, err);
    if (!status)
        show(fitted, found, (enum cs_format)cs_arguments_choice(args, "format"));
    cs_workload_destroy(fitted);
    cs_arena_destroy(arena);
    return status;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    const struct cs_workload_options options = {0};
    const char *input = cs_arguments_operand(args, 0), *output = cs_arguments_text(args, "output");
    struct cs_workload *measured;
    int status;

    if (cs_output_check(output, err) || cs_output_apart(output, input, "the input", err))
        return -1;
    measured = cs_workload_read(input, &options, err);
    if (!measured)
        return -1;
    status = fit(measured, args, err);
    cs_workload_destroy(measured);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "TIMINGS.csv",
     .kind = CS_FIELD_PATH,
     .summary = "measured times: CSV with the columns app,procs,seconds, or JSON"},
    {0},
};

static const struct cs_field options[] = {
    {.name = "model",
     .kind = CS_FIELD_CHOICE,
     .choices = "best|amdahl|overhead",
     .fallback = "best",
     .summary = "best: for each application the model that predicts points left out better"},
    {.name = "output",
     .letter = 'o',
     .kind = CS_FIELD_PATH,
     .argument = "PROFILE.json",
     .summary = "write the formulas as a workload that 'cosched plan' reads"},
    CS_FIELD_FORMAT_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"Which applications follow Amdahl's law?", "cosched fit examples/archer2.csv"},
    {"Plan with formulas instead of measured points:",
     "cosched fit examples/archer2.csv -o profile.json && cosched plan pack profile.json --procs "
     "32"},
    {0},
};

const struct cs_command cs_command_fit = {
    .words = "fit",
    .summary = "fit Amdahl's law, with and without overhead, to measured times",
    .description =
        "Two models are fitted to the measured times of each application so that the relative "
        "errors are least in the square: t = T (f + (1 - f) / p), and the same with T o log2 p "
        "added. T is the sequential time, f the sequential fraction, o the overhead.\n\n"
        "The error \"left out\" is that of points which were predicted from all others; it "
        "decides which model is the better one.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
