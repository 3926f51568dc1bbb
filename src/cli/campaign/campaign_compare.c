/* campaign_compare.c - cosched campaign compare: paired differences and ranks of policies. */
#include "base/json.h"
#include "base/plain.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"

#include <cosched/campaign.h>
#include <cosched/chart.h>
#include <math.h>
#include <string.h>

#define MOST 64 /* columns: of a row, and of its condition */

/* ---- asking ---- */

static char *compare_ask(const struct cs_arguments *args, bool diagram, struct cs_error *err)
{
    struct cs_campaign_compare_options options = {
        .size = sizeof options,
        .by = cs_arguments_text(args, "by"),
        .reference = cs_arguments_text(args, "reference"),
        .metrics = cs_arguments_text(args, "metrics"),
        .better = cs_arguments_text(args, "better"),
        .confidence = cs_arguments_real(args, "confidence"),
        .all_pairs = cs_arguments_text(args, "pairs") != NULL,
        .document = cs_arguments_text(args, "document"),
        .partial = cs_arguments_has(args, "partial"),
        .other_instances = cs_arguments_has(args, "allow-other-instances"),
        .diagram = diagram,
    };

    options.where = cs_arguments_texts(args, "where", &options.conditions);
    return cs_campaign_compare(cs_arguments_operand(args, 0), &options, err);
}

static int write_diagram(const struct cs_arguments *args, const char *path, struct cs_error *err)
{
    char *svg = compare_ask(args, true, err);
    int status = svg ? cs_chart_write(path, svg, CS_CHART_DPI, err) : -1;

    cs_free(svg);
    return status;
}

/* ---- tables ---- */

static void put_value_text(struct cs_strbuf *out, const json_t *value)
{
    if (json_is_string(value))
        cs_strbuf_puts(out, json_string_value(value));
    else if (json_is_real(value))
        cs_strbuf_put_double(out, json_real_value(value));
    else if (value && !json_is_null(value))
        cs_json_put(out, value, JSON_ENCODE_ANY);
}

static void table_value(struct cs_table *table, const json_t *value)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    put_value_text(&text, value);
    cs_table_text(table, text.text);
    cs_strbuf_release(&text);
}

static const json_t *first_row(const json_t *compared)
{
    const json_t *metric = json_array_get(json_object_get(compared, "metrics"), 0);

    return json_array_get(json_object_get(metric, "rows"), 0);
}

static void table_numbers(struct cs_table *table, const struct cs_column *column, int count,
                          const json_t *row)
{
    for (int c = 0; c < count; c++) {
        const json_t *value = json_object_get(row, column[c].key);

        if (column[c].kind == CS_COLUMN_WORD)
            cs_table_text(table, json_string_value(value));
        else if (!json_is_number(value))
            cs_table_unknown(table);
        else if (column[c].kind == CS_COLUMN_COUNT)
            cs_table_count(table, json_integer_value(value));
        else
            cs_table_number(table, json_number_value(value));
    }
}

/* The numbers of a row of CSV. */
static const struct cs_column number[] = {
    {.key = "pairs", .kind = CS_COLUMN_COUNT},
    {.key = "dropped", .kind = CS_COLUMN_COUNT},
    {.key = "reference", .kind = CS_COLUMN_NUMBER},
    {.key = "mean", .kind = CS_COLUMN_NUMBER},
    {.key = "difference", .kind = CS_COLUMN_NUMBER},
    {.key = "low", .kind = CS_COLUMN_NUMBER},
    {.key = "high", .kind = CS_COLUMN_NUMBER},
    {.key = "ratio", .kind = CS_COLUMN_NUMBER},
    {.key = "ratio_low", .kind = CS_COLUMN_NUMBER},
    {.key = "ratio_high", .kind = CS_COLUMN_NUMBER},
    {.key = "wins", .kind = CS_COLUMN_COUNT},
    {.key = "ties", .kind = CS_COLUMN_COUNT},
    {.key = "losses", .kind = CS_COLUMN_COUNT},
    {.key = "w_plus", .kind = CS_COLUMN_NUMBER},
    {.key = "w_minus", .kind = CS_COLUMN_NUMBER},
    {.key = "effect", .kind = CS_COLUMN_NUMBER},
    {.key = "method", .kind = CS_COLUMN_WORD},
    {.key = "p", .kind = CS_COLUMN_NUMBER},
    {.key = "p_holm", .kind = CS_COLUMN_NUMBER},
    {.key = "verdict", .kind = CS_COLUMN_WORD},
    {.key = "error", .kind = CS_COLUMN_WORD},
};

#define NUMBERS (int)(sizeof number / sizeof *number)

/* "metric", the names of the condition, "value", perhaps "against"; returns how many. */
static int csv_head(const json_t *compared, bool pairs, struct cs_column *column)
{
    int count = 0;
    const char *key;
    json_t *value;

    column[count++] = (struct cs_column){.key = "metric", .kind = CS_COLUMN_WORD};
    json_object_foreach(json_object_get(first_row(compared), "condition"), key, value)
    {
        if (count < MOST)
            column[count++] = (struct cs_column){.key = key, .kind = CS_COLUMN_WORD};
    }
    column[count++] = (struct cs_column){.key = "value", .kind = CS_COLUMN_WORD};
    if (pairs)
        column[count++] = (struct cs_column){.key = "against", .kind = CS_COLUMN_WORD};
    return count;
}

/* The last column is there for rows without numbers only. */
static int csv_numbers(const json_t *compared)
{
    const json_t *metric, *row;
    size_t m, r;

    json_array_foreach(json_object_get(compared, "metrics"), m, metric)
    {
        json_array_foreach(json_object_get(metric, "rows"), r, row)
        {
            if (json_object_get(row, "error"))
                return NUMBERS;
        }
    }
    return NUMBERS - 1;
}

static void put_csv(const json_t *compared, struct cs_strbuf *out)
{
    const bool pairs = json_is_null(json_object_get(compared, "reference"));
    struct cs_column column[MOST + MOST];
    const int count = csv_head(compared, pairs, column), numbers = csv_numbers(compared);
    const json_t *metric, *row;
    struct cs_table *table;
    size_t m, r;

    memcpy(column + count, number, sizeof number);
    table = cs_table_create(column, count + numbers);
    json_array_foreach(json_object_get(compared, "metrics"), m, metric)
    {
        json_array_foreach(json_object_get(metric, "rows"), r, row)
        {
            const json_t *condition = json_object_get(row, "condition");

            cs_table_text(table, json_string_value(json_object_get(metric, "metric")));
            for (int c = 1; c < count - 1 - pairs; c++)
                table_value(table, json_object_get(condition, column[c].key));
            table_value(table, json_object_get(row, "value"));
            if (pairs)
                table_value(table, json_object_get(row, "against"));
            table_numbers(table, number, numbers, row);
        }
    }
    cs_output_table(table, CS_TABLE_CSV, 0, out);
    cs_table_destroy(table);
}

/* "mean_failure_probability=0.3, procs=64" */
static void table_condition(struct cs_table *table, const json_t *condition)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)condition, key, value)
    {
        cs_strbuf_printf(&text, "%s%s=", text.length ? ", " : "", key);
        put_value_text(&text, value);
    }
    cs_table_text(table, text.length ? text.text : NULL);
    cs_strbuf_release(&text);
}

static double number_of(const json_t *row, const char *key)
{
    const json_t *value = json_object_get(row, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

/* "0.984 (0.972 to 0.997)" */
static void table_interval(struct cs_table *table, const json_t *row, const char *middle,
                           const char *low, const char *high)
{
    const double value = number_of(row, middle);
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "%.4g (%.4g to %.4g)", value, number_of(row, low),
                     number_of(row, high));
    cs_table_text(table, isnan(value) ? NULL : text.text);
    cs_strbuf_release(&text);
}

static void table_record(struct cs_table *table, const json_t *row)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_printf(&text, "%.0f/%.0f/%.0f", number_of(row, "wins"), number_of(row, "ties"),
                     number_of(row, "losses"));
    cs_table_text(table, json_object_get(row, "wins") ? text.text : NULL);
    cs_strbuf_release(&text);
}

static void put_metric_table(const json_t *metric, bool pairs, struct cs_strbuf *out)
{
    const json_t *first = json_array_get(json_object_get(metric, "rows"), 0);
    const bool alone = json_object_size(json_object_get(first, "condition")) == 0;
    const struct cs_column column[] = {
        {.key = "value", .kind = CS_COLUMN_WORD},
        {.key = "against", .kind = CS_COLUMN_WORD, .hidden = !pairs},
        {.key = "condition", .kind = CS_COLUMN_WORD, .hidden = alone},
        {.key = "pairs", .kind = CS_COLUMN_COUNT},
        {.key = "mean", .kind = CS_COLUMN_DIGITS, .digits = 5},
        {.key = "difference", .kind = CS_COLUMN_WORD},
        {.key = "ratio", .kind = CS_COLUMN_WORD},
        {.key = "record", .heading = "wins/ties/losses", .kind = CS_COLUMN_WORD},
        {.key = "p", .heading = "p (Holm)", .kind = CS_COLUMN_DIGITS, .digits = 3},
        {.key = "verdict", .kind = CS_COLUMN_WORD},
    };
    struct cs_table *table = cs_table_create(column, sizeof column / sizeof *column);
    const json_t *row;
    size_t r;

    json_array_foreach(json_object_get(metric, "rows"), r, row)
    {
        const char *verdict = json_string_value(json_object_get(row, "verdict"));

        table_value(table, json_object_get(row, "value"));
        table_value(table, json_object_get(row, "against"));
        table_condition(table, json_object_get(row, "condition"));
        cs_table_count(table, json_integer_value(json_object_get(row, "pairs")));
        cs_table_number(table, number_of(row, "mean"));
        table_interval(table, row, "difference", "low", "high");
        table_interval(table, row, "ratio", "ratio_low", "ratio_high");
        table_record(table, row);
        cs_table_number(table, number_of(row, "p_holm"));
        cs_table_text(table, verdict ? verdict : json_string_value(json_object_get(row, "error")));
    }
    cs_output_table(table, CS_TABLE_TEXT, 0, out);
    cs_table_destroy(table);
}

static void put_list(const json_t *values, const char *between, struct cs_strbuf *out)
{
    const json_t *value;
    size_t v;

    json_array_foreach(values, v, value)
    {
        cs_strbuf_puts(out, v ? between : "");
        put_value_text(out, value);
    }
}

/* "ranks (1 is best): easy 1.50, conservative 2.10, greedy 2.40 ..." */
static void put_rank_lines(const json_t *ranks, struct cs_strbuf *out)
{
    const json_t *order = json_object_get(ranks, "order"), *value, *group;
    const json_t *f = json_object_get(ranks, "F");
    size_t v, w, g;

    cs_strbuf_puts(out, "Average ranks (1 is best): ");
    json_array_foreach(order, v, value)
    {
        const json_t *values = json_object_get(ranks, "values");

        for (w = 0; !json_equal((json_t *)(uintptr_t)json_array_get(values, w),
                                (json_t *)(uintptr_t)value);)
            w++;
        cs_strbuf_puts(out, v ? ", " : "");
        put_value_text(out, value);
        cs_strbuf_printf(out, " %.2f",
                         json_number_value(json_array_get(json_object_get(ranks, "ranks"), w)));
    }
    cs_strbuf_printf(out, "\nFriedman's test: chi-square %.4g, p %.3g; F ",
                     number_of(ranks, "chi2"), number_of(ranks, "p"));
    if (json_is_string(f))
        cs_strbuf_puts(out, "infinite");
    else
        cs_strbuf_printf(out, "%.4g", json_number_value(f));
    cs_strbuf_printf(out, ", p %.3g; %.0f blocks\n", number_of(ranks, "p_F"),
                     number_of(ranks, "blocks"));
    cs_strbuf_printf(out, "Critical difference (Nemenyi): %.4g",
                     number_of(ranks, "critical_difference"));
    json_array_foreach(json_object_get(ranks, "groups"), g, group)
    {
        cs_strbuf_puts(out, g ? "; " : "; not distinguished: ");
        put_list(group, " = ", out);
    }
    cs_strbuf_puts(out, "\n");
}

static void put_tables(const json_t *compared, struct cs_strbuf *out)
{
    const bool pairs = json_is_null(json_object_get(compared, "reference"));
    const json_t *metric, *note, *ranks;
    size_t m, n;

    json_array_foreach(json_object_get(compared, "metrics"), m, metric)
    {
        cs_strbuf_puts(out, m ? "\n" : "");
        cs_strbuf_printf(out, "%s by %s, %s is better",
                         json_string_value(json_object_get(metric, "metric")),
                         json_string_value(json_object_get(compared, "by")),
                         json_string_value(json_object_get(metric, "better")));
        if (!pairs) {
            cs_strbuf_puts(out, ", against ");
            put_value_text(out, json_object_get(compared, "reference"));
        }
        cs_strbuf_puts(out, "\n\n");
        put_metric_table(metric, pairs, out);
        ranks = json_object_get(metric, "ranks");
        if (!json_is_null(ranks)) {
            cs_strbuf_puts(out, "\n");
            put_rank_lines(ranks, out);
        }
    }
    json_array_foreach(json_object_get(compared, "notes"), n, note)
        cs_strbuf_printf(out, "%s%s\n", n ? "" : "\n", json_string_value(note));
}

/* ---- the command ---- */

static int check_paths(const struct cs_arguments *args, struct cs_error *err)
{
    const char *store = cs_arguments_operand(args, 0),
               *diagram = cs_arguments_text(args, "diagram");
    const char *output = cs_arguments_text(args, "output");

    if (cs_output_apart_store(output, store, err) || cs_output_apart_store(diagram, store, err))
        return -1;
    if (diagram && cs_chart_check(diagram, err))
        return CS_EXIT_USAGE;
    return cs_output_check(output, err) || cs_output_check(diagram, err) ||
                   cs_output_apart(diagram, output, "the file of --output", err)
               ? -1
               : 0;
}

static int campaign_compare_run(const struct cs_arguments *args, struct cs_error *err)
{
    const enum cs_table_format format = cs_rows_format(cs_arguments_choice(args, "format"));
    const char *diagram = cs_arguments_text(args, "diagram");
    struct cs_strbuf out = CS_STRBUF_INIT;
    int status = check_paths(args, err);
    json_t *compared;
    char *text;

    if (status)
        return status;
    text = compare_ask(args, false, err);
    if (!text || (diagram && write_diagram(args, diagram, err))) {
        cs_free(text);
        return -1;
    }
    if (format == CS_TABLE_JSON)
        cs_strbuf_puts(&out, text);
    compared = cs_rows_parse(text);
    if (format == CS_TABLE_CSV)
        put_csv(compared, &out);
    else if (format == CS_TABLE_TEXT)
        put_tables(compared, &out);
    json_decref(compared);
    if (cs_arguments_text(args, "output"))
        return cs_output_save(cs_arguments_text(args, "output"), &out, err);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    return CS_EXIT_DONE;
}

static const struct cs_operand operands[] = {
    {.name = "STORE.db", .kind = CS_PARAM_PATH, .summary = "where the runs are"},
    {0},
};

static const struct cs_param options[] = {
    {.name = "by",
     .kind = CS_PARAM_TEXT,
     .argument = "PARAMETER",
     .summary = "what is compared; default: policy, or the only parameter that varies; of a paper "
                "also an axis, such as series"},
    {.name = "reference",
     .kind = CS_PARAM_TEXT,
     .argument = "VALUE",
     .summary = "the value with which each other is compared; default: the first"},
    {.name = "pairs",
     .kind = CS_PARAM_CHOICE,
     .choices = "all",
     .summary = "compare all pairs of values instead"},
    {.name = "metrics",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME,...",
     .summary = "only these, in this order; default: those of 'campaign export'"},
    {.name = "better",
     .kind = CS_PARAM_CHOICE,
     .choices = "smaller|larger",
     .summary = "which direction is better; default: that of the metric"},
    {.name = "confidence",
     .kind = CS_PARAM_REAL,
     .argument = "C",
     .default_text = "0.95",
     .low = 0.5,
     .high = 0.999999,
     .summary = "of intervals, verdicts and groups"},
    {.name = "where",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME=VALUE",
     .repeats = true,
     .summary = "only these runs; several conditions on one name are alternatives"},
    {.name = "allow-other-instances",
     .kind = CS_PARAM_FLAG,
     .summary = "runs that are compared may have had different random input"},
    CS_PARAM_DOCUMENT_ROW,
    CS_PARAM_PARTIAL_ROW,
    {.name = "diagram",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.svg|FILE.pdf|FILE.png",
     .group = "Output",
     .summary = "draw the critical-difference diagram of the first metric"},
    CS_PARAM_FORMAT("Output", 0, 0),
    CS_PARAM_CSV_SAFE_ROW,
    {.name = "output",
     .letter = 'o',
     .kind = CS_PARAM_PATH,
     .argument = "FILE",
     .summary = "where to; default: standard output"},
    {0},
};

static const struct cs_example examples[] = {
    {"Is any policy better than the first one?", "cosched campaign compare trial.db"},
    {"The figure that referees know, over all conditions:",
     "cosched campaign compare trial.db --metrics ratio --diagram ranks.svg"},
    {0},
};

const struct cs_command cs_command_campaign_compare = {
    .words = "campaign compare",
    .summary = "test whether policies differ, replicate by replicate",
    .description =
        "For each metric and each combination of the other parameters: the difference and the "
        "ratio of each value to the reference, over the replicates that both have, with confidence "
        "intervals (Student's t; the jackknife), Wilcoxon's signed ranks with Holm's adjustment "
        "over all rows of the metric, and a verdict. With three or more values: their average "
        "ranks, Friedman's test (with Iman and Davenport's F), and Nemenyi's critical difference. "
        "Replicate r has the same random input for all policies; runs on different instances are "
        "an error.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = campaign_compare_run,
};
