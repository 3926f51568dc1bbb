/* fit.c - cosched fit: formulas from measured times. */
#include "base/arena.h"
#include "base/plain.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "report/table.h"

#include <cosched/fit.h>

#include <math.h>
#include <string.h>

/* For people: a parameter and its interval in one cell. */
static const struct cs_column words[] = {
    {.key = "app", .kind = CS_COLUMN_WORD},
    {.key = "counts", .kind = CS_COLUMN_COUNT},
    {.key = "runs", .kind = CS_COLUMN_COUNT},
    {.key = "model", .kind = CS_COLUMN_WORD},
    {.key = "sequential time", .unit = "s", .kind = CS_COLUMN_WORD},
    {.key = "sequential fraction", .kind = CS_COLUMN_WORD},
    {.key = "overhead", .kind = CS_COLUMN_WORD},
    {.key = "exponent", .kind = CS_COLUMN_WORD},
    {.key = "error", .unit = "rms", .kind = CS_COLUMN_FRACTION, .digits = 1},
    {.key = "left out", .unit = "rms", .kind = CS_COLUMN_FRACTION, .digits = 1},
    {.key = "AICc", .kind = CS_COLUMN_NUMBER, .digits = 1},
    {.key = "next best", .kind = CS_COLUMN_WORD},
};

#define INTERVAL(name)                                                                             \
    {.key = name, .kind = CS_COLUMN_DIGITS, .digits = 6},                                          \
        {.key = name "_low", .kind = CS_COLUMN_DIGITS, .digits = 6},                               \
        {.key = name "_high", .kind = CS_COLUMN_DIGITS, .digits = 6},                              \
    {                                                                                              \
        .key = name "_determined", .kind = CS_COLUMN_BOOLEAN                                       \
    }

/* For programs: every number in a separate column. */
static const struct cs_column numbers[] = {
    {.key = "app", .kind = CS_COLUMN_WORD},
    {.key = "points", .kind = CS_COLUMN_COUNT},
    {.key = "runs", .kind = CS_COLUMN_COUNT},
    {.key = "spread", .kind = CS_COLUMN_FRACTION},
    {.key = "model", .kind = CS_COLUMN_WORD},
    {.key = "best", .kind = CS_COLUMN_BOOLEAN},
    INTERVAL("seq_time"),
    INTERVAL("seq_fraction"),
    INTERVAL("overhead"),
    INTERVAL("exponent"),
    {.key = "rms_error", .kind = CS_COLUMN_FRACTION},
    {.key = "worst_error", .kind = CS_COLUMN_FRACTION},
    {.key = "worst_procs", .kind = CS_COLUMN_COUNT},
    {.key = "left_out_error", .kind = CS_COLUMN_FRACTION},
    {.key = "aicc", .kind = CS_COLUMN_NUMBER},
    {.key = "aicc_more", .kind = CS_COLUMN_NUMBER},
    {.key = "why", .kind = CS_COLUMN_WORD},
};

#define COUNT(array) ((int)(sizeof array / sizeof *array))

/* One row: a model of an application. */
struct row {
    const char *name;
    const struct cs_fit *fit;
    enum cs_fit_kind kind;
};

static bool has_parameter(enum cs_fit_kind kind, enum cs_fit_parameter_name parameter)
{
    if (parameter == CS_FIT_GROWTH)
        return kind != CS_FIT_AMDAHL;
    return parameter != CS_FIT_EXPONENT || kind == CS_FIT_POWER;
}

static double parameter_of(const struct cs_profile *p, enum cs_fit_parameter_name parameter)
{
    const double all[] = {p->seq_time, p->seq_fraction, p->overhead, p->exponent};

    return all[parameter];
}

static double finite_or_nan(double value)
{
    return isfinite(value) ? value : NAN;
}

/* How much larger the criterion is than that of the best model. */
static double aicc_more(const struct row *row)
{
    return row->fit->model[row->kind].aicc - row->fit->model[row->fit->best].aicc;
}

static void add_interval(struct cs_table *table, const struct row *row,
                         enum cs_fit_parameter_name parameter)
{
    const struct cs_fit_model *model = &row->fit->model[row->kind];
    const struct cs_fit_interval *interval = &model->interval[parameter];

    if (!has_parameter(row->kind, parameter)) {
        for (int i = 0; i < 4; i++)
            cs_table_unknown(table);
        return;
    }
    cs_table_number(table, parameter_of(&model->profile, parameter));
    cs_table_number(table, interval->low);
    cs_table_number(table, finite_or_nan(interval->high));
    cs_table_count(table, interval->determined);
}

static void add_numbers(struct cs_table *table, const struct row *row)
{
    const struct cs_fit_model *model = &row->fit->model[row->kind];

    cs_table_text(table, row->name);
    cs_table_count(table, row->fit->points);
    cs_table_count(table, row->fit->runs);
    cs_table_number(table, row->fit->spread);
    cs_table_text(table, cs_fit_kind_name(row->kind));
    cs_table_count(table, row->kind == row->fit->best);
    for (int k = 0; k < CS_FIT_PARAMETERS; k++)
        add_interval(table, row, (enum cs_fit_parameter_name)k);
    cs_table_number(table, model->rms);
    cs_table_number(table, model->worst);
    cs_table_count(table, model->worst_procs);
    cs_table_number(table, model->left_out);
    cs_table_number(table, finite_or_nan(model->aicc));
    cs_table_number(table, finite_or_nan(aicc_more(row)));
    cs_table_text(table, row->fit->why);
}

static void add_words_of(struct cs_table *table, const struct row *row,
                         enum cs_fit_parameter_name parameter)
{
    const struct cs_fit_model *model = &row->fit->model[row->kind];
    const struct cs_fit_interval *interval = &model->interval[parameter];
    const double value = parameter_of(&model->profile, parameter);
    char text[100];

    if (!has_parameter(row->kind, parameter)) {
        cs_table_unknown(table);
        return;
    }
    if (interval->determined)
        cs_plain_print(text, sizeof text, "%.4g [%.4g, %.4g]", value, interval->low,
                       interval->high);
    else
        cs_plain_print(text, sizeof text, "%.4g undetermined", value);
    cs_table_text(table, text);
}

static void add_next(struct cs_table *table, const struct row *row, bool compare)
{
    const struct cs_fit *fit = row->fit;
    char text[60];

    if (compare && row->kind == fit->best) {
        cs_table_text(table, "best");
    } else if (compare && isfinite(aicc_more(row))) {
        cs_plain_print(text, sizeof text, "+%.1f", aicc_more(row));
        cs_table_text(table, text);
    } else if (!compare && row->kind == fit->best && fit->next < CS_FIT_KINDS) {
        cs_plain_print(text, sizeof text, "%s +%.1f", cs_fit_kind_name(fit->next),
                       fit->model[fit->next].aicc - fit->model[fit->best].aicc);
        cs_table_text(table, text);
    } else {
        cs_table_unknown(table);
    }
}

static void add_words(struct cs_table *table, const struct row *row, bool compare)
{
    const struct cs_fit_model *model = &row->fit->model[row->kind];

    cs_table_text(table, row->name);
    cs_table_count(table, row->fit->points);
    cs_table_count(table, row->fit->runs);
    cs_table_text(table, cs_fit_kind_name(row->kind));
    for (int k = 0; k < CS_FIT_PARAMETERS; k++)
        add_words_of(table, row, (enum cs_fit_parameter_name)k);
    cs_table_number(table, model->rms);
    cs_table_number(table, model->left_out);
    cs_table_number(table, finite_or_nan(model->aicc));
    add_next(table, row, compare);
}

static void put_legend(struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "\n[low, high] holds the parameter with 95 % (profile likelihood). "
                        "undetermined: not identifiable from the data.\nleft out: the error of "
                        "counts that were predicted from all others. AICc: the least is best; "
                        "below +2 the data\nhardly separate two models; none: too few counts.\n");
}

static void fit_show(const struct row *row, int rows, bool compare, enum cs_format format)
{
    static const enum cs_table_format formats[] = {
        [CS_FORMAT_TABLE] = CS_TABLE_TEXT,
        [CS_FORMAT_JSON] = CS_TABLE_JSON,
        [CS_FORMAT_CSV] = CS_TABLE_CSV,
    };
    const bool people = format == CS_FORMAT_TABLE;
    struct cs_table *table =
        people ? cs_table_create(words, COUNT(words)) : cs_table_create(numbers, COUNT(numbers));
    struct cs_strbuf out = CS_STRBUF_INIT;

    for (int i = 0; i < rows; i++)
        if (people)
            add_words(table, &row[i], compare);
        else
            add_numbers(table, &row[i]);
    cs_output_table(table, formats[format], 0, &out);
    if (people && rows > 0)
        put_legend(&out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    cs_table_destroy(table);
}

static void show_all(const struct cs_workload *fitted, const struct cs_fit *fit,
                     const enum cs_fit_kind *used, const struct cs_arguments *args,
                     struct cs_arena *arena)
{
    const bool compare = cs_arguments_has(args, "compare");
    struct row *row = CS_NEW_ARRAY(arena, struct row, (size_t)fitted->count * CS_FIT_KINDS);
    int rows = 0;

    for (int i = 0; i < fitted->count; i++)
        for (int kind = 0; kind < CS_FIT_KINDS; kind++)
            if (compare ? fit[i].model[kind].known : kind == (int)used[i])
                row[rows++] = (struct row){fitted->name[i], &fit[i], (enum cs_fit_kind)kind};
    fit_show(row, rows, compare, (enum cs_format)cs_arguments_choice(args, "format"));
}

/* The choices of --model are the kinds, after "best". */
static enum cs_fit_kind kind_asked(const struct cs_arguments *args)
{
    const int choice = cs_arguments_choice(args, "model");

    return choice == 0 ? CS_FIT_BEST : (enum cs_fit_kind)(choice - 1);
}

static int cli_fit(const struct cs_workload *measured, const struct cs_arguments *args,
                   struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_fit *found = CS_NEW_ARRAY(arena, struct cs_fit, measured->count);
    enum cs_fit_kind *used = CS_NEW_ARRAY(arena, enum cs_fit_kind, measured->count);
    const char *output = cs_arguments_text(args, "output");
    struct cs_workload *fitted = cs_fit_workload(measured, kind_asked(args), found, used, err);
    int status = fitted ? 0 : cs_error_prefix(err, "%s", cs_arguments_operand(args, 0));

    if (fitted && output)
        status = cs_workload_write(fitted, "fitted by cosched fit", output, err);
    if (!status)
        show_all(fitted, found, used, args, arena);
    cs_workload_destroy(fitted);
    cs_arena_destroy(arena);
    return status;
}

static int fit_run(const struct cs_arguments *args, struct cs_error *err)
{
    const struct cs_workload_options options = {
        .size = sizeof options,
        .app = cs_arguments_text(args, "app"),
        .count = cs_arguments_text(args, "count"),
        .unit = cs_arguments_text(args, "count-unit"),
        .metric = cs_arguments_text(args, "metric"),
        .region = cs_arguments_text(args, "region"),
        .decimal = cs_arguments_text(args, "decimal"),
        .more = args->operand + 1,
    };
    const char *input = cs_arguments_operand(args, 0), *output = cs_arguments_text(args, "output");
    struct cs_workload *measured;
    int status;

    for (int i = 0; i < args->operands; i++)
        if (cs_output_apart(output, cs_arguments_operand(args, i), "the input", err))
            return -1;
    if (cs_output_check(output, err))
        return -1;
    measured = cs_workload_read(input, &options, err);
    if (!measured)
        return -1;
    if (cs_arguments_has(args, "strict") && *measured->remark) {
        status = cs_error_set(err, "%.*s", (int)strcspn(measured->remark, "\n"), measured->remark);
    } else {
        cs_output_warn_lines(measured->remark);
        status = cli_fit(measured, args, err);
    }
    cs_workload_destroy(measured);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "TIMINGS.csv",
     .repeats = true,
     .kind = CS_PARAM_PATH,
     .summary =
         "measured times: CSV with the columns app,procs,seconds, JSON, or what a tool such as "
         "hyperfine or ReFrame writes; several files, or directories of them, are read together"},
    {0},
};

#define FIT_AT(member) 0 /* options of this command are read by name */

static const struct cs_param options[] = {
    {.name = "model",
     .kind = CS_PARAM_CHOICE,
     .choices = "best|amdahl|overhead|universal|power",
     .default_text = "best",
     .summary = "best: for each application the model of least AICc; a model that an application "
                "has too few counts for gives way to Amdahl's law"},
    CS_ROWS_TIMINGS(0, 0, FIT_AT),
    CS_PARAM_STRICT_ROW,
    {.name = "compare", .kind = CS_PARAM_FLAG, .summary = "a row for each model that was fitted"},
    {.name = "output",
     .letter = 'o',
     .kind = CS_PARAM_PATH,
     .argument = "PROFILE.json",
     .summary = "write the formulas as a workload that 'cosched plan' reads"},
    CS_PARAM_FORMAT_ROW,
    CS_PARAM_CSV_SAFE_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"Which applications follow Amdahl's law?", "cosched fit examples/archer2.csv"},
    {"How far are the other models behind?", "cosched fit examples/archer2.csv --compare"},
    {"Plan with formulas instead of measured points:",
     "cosched fit examples/archer2.csv -o profile.json && cosched plan pack profile.json --procs "
     "32"},
    {0},
};

const struct cs_command cs_command_fit = {
    .words = "fit",
    .summary = "fit formulas to measured times and report confidence intervals of their "
               "parameters",
    .description =
        "Four models are fitted to the measured times of each application so that the relative "
        "squared errors are minimal: Amdahl's law t = T (f + (1 - f) / p); the same with an "
        "overhead that grows with the count, T o log2 p (overhead) or T o (p - 1) (universal: "
        "the universal scalability law, f is its contention and o its coherency); and with a "
        "power of the count, T o p^d (power), that is a + b / p + c p^d. T is the sequential "
        "time, f the sequential fraction, o the overhead, d the exponent.\n\n"
        "All runs on a count are used: their mean is fitted, weighted by the number of runs, "
        "less where their variance is larger.\n\n"
        "Intervals hold a parameter with 95 % (profile likelihood, Student's t). A parameter is "
        "undetermined when the counts are too few for an interval, or when it is uninformative: "
        "a sequential time known to less than a factor of ten, a fraction anywhere in 0 .. 1, an "
        "overhead that may be nothing or most of the time, an exponent of such an overhead.\n\n"
        "The best model is that of least AICc = n ln(RSS / n) + 2 K + 2 K (K + 1) / (n - K - 1), "
        "n runs, K parameters with the variance: on one run a count, Amdahl's law needs 5 counts "
        "to be in the choice, a third parameter 6, a fourth 7. A formula that goes through all "
        "counts, more than it has parameters, needs no choice.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = fit_run,
};
