/* list_params.c - cosched list --parameters and --metrics: the parameters and values of problems.
 */
#include "base/json.h"
#include "base/jsonw.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "cli/base/wrap.h"
#include "report/table.h"

#include <cosched/case.h>

#include <jansson.h>
#include <string.h>

/* cosched list: every policy, with its parameters and its source, and the orders of jobs for
 * policies; or the parameters or metrics of problems (list_params.c). For programs every line has
 * its kind. */

static void list_metrics(struct cs_strbuf *out, const json_t *problems, enum cs_format format);
/* Append the parameters, or the values. */
static void list_parameters(struct cs_strbuf *out, const json_t *problems, enum cs_format format);

#define LEFT 18

/* ---- for people ---- */

/* Go to the right column; a left one that is too long gets a separate line. */
static void go_right(struct cs_strbuf *out, int written)
{
    if (written + 2 > LEFT) {
        cs_strbuf_putc(out, '\n');
        written = 0;
    }
    cs_wrap_spaces(out, LEFT - written);
}

/* Append a name and its description to the right of it. */
static void list_put_line(struct cs_strbuf *out, const char *left, const char *right)
{
    cs_strbuf_printf(out, "  %s", left);
    go_right(out, (int)strlen(left) + 2);
    cs_wrap_text(out, right, LEFT, LEFT);
}

/* The text of a key; NULL for null. */
static const char *list_word(const json_t *row, const char *key)
{
    return json_string_value(json_object_get(row, key));
}

static void text_param(struct cs_strbuf *out, const json_t *p)
{
    struct cs_strbuf right = CS_STRBUF_INIT;

    cs_strbuf_printf(&right, "%s=%s: %s [%s]", list_word(p, "name"), list_word(p, "default"),
                     list_word(p, "summary"), list_word(p, "range"));
    cs_wrap_spaces(out, LEFT + 2);
    cs_wrap_text(out, right.text, LEFT + 2, LEFT + 4);
    cs_strbuf_release(&right);
}

/* "other-name, easy (reservations=1), ..." */
static void list_params_put_names(struct cs_strbuf *out, const json_t *policy)
{
    const char *aliases = list_word(policy, "aliases"), *comma = aliases ? ", " : "", *name;
    json_t *settings;

    for (const char *at = aliases; at && *at; at++)
        *at == '|' ? cs_strbuf_puts(out, ", ") : cs_strbuf_putc(out, *at);
    json_object_foreach(json_object_get(policy, "presets"), name, settings)
    {
        const char *set = json_string_value(settings);

        cs_strbuf_printf(out, set[0] ? "%s%s (%s)" : "%s%s", comma, name, set);
        comma = ", ";
    }
}

static void text_row(struct cs_strbuf *out, const json_t *row)
{
    const char *missing = list_word(row, "missing"), *source = list_word(row, "source");
    struct cs_strbuf names = CS_STRBUF_INIT, words = CS_STRBUF_INIT;
    const json_t *param;
    size_t p;

    list_put_line(out, list_word(row, "name"), list_word(row, "summary"));
    json_array_foreach(json_object_get(row, "parameters"), p, param) text_param(out, param);
    list_params_put_names(&names, row);
    if (names.length) {
        cs_strbuf_printf(&words, "also called %s", names.text);
        list_put_line(out, "", words.text);
    }
    if (missing) {
        cs_strbuf_clear(&words);
        cs_strbuf_printf(&words, "NOT AVAILABLE HERE: %s", missing);
        list_put_line(out, "", words.text);
    }
    if (source)
        list_put_line(out, "", source);
    cs_strbuf_release(&names);
    cs_strbuf_release(&words);
}

/* The next policies of the problem, with a heading (or without) and an empty line between; returns
 * the one behind them. */
static size_t text_choice(struct cs_strbuf *out, const json_t *problem, const json_t *choice,
                          size_t from, bool only)
{
    const json_t *rows = json_object_get(problem, "policies");
    const size_t end = from + (size_t)json_integer_value(json_object_get(choice, "policies"));

    if (!only)
        cs_strbuf_printf(out, "\n%s (--%s NAME)\n", list_word(choice, "heading"),
                         list_word(choice, "option"));
    for (size_t r = from; r < end; r++) {
        if (only || r > from)
            cs_strbuf_putc(out, '\n');
        text_row(out, json_array_get(rows, r));
    }
    return end;
}

/* "pack - which applications run together, ..." */
static void list_put_problem(struct cs_strbuf *out, const json_t *problem)
{
    const char *name = list_word(problem, "name");
    struct cs_strbuf title = CS_STRBUF_INIT;

    cs_strbuf_printf(&title, "%s - %s", name, list_word(problem, "summary"));
    cs_wrap_text(out, title.text, 0, (int)strlen(name) + 3);
    cs_strbuf_release(&title);
}

/* The priorities, listed after the policies. */
static void text_orders(struct cs_strbuf *out, const json_t *rows, size_t from)
{
    if (from < json_array_size(rows))
        cs_strbuf_puts(out, "\npriorities (--priority NAME)\n");
    for (size_t r = from; r < json_array_size(rows); r++) {
        const json_t *row = json_array_get(rows, r);

        list_put_line(out, list_word(row, "name"), list_word(row, "summary"));
    }
}

static void text_problem(struct cs_strbuf *out, const json_t *problem)
{
    const json_t *choices = json_object_get(problem, "choices"), *choice;
    size_t c, row = 0;

    list_put_problem(out, problem);
    json_array_foreach(choices, c, choice)
    {
        const bool only =
            json_array_size(choices) == 1 && !strcmp(list_word(choice, "option"), "policy");

        row = text_choice(out, problem, choice, row, only);
    }
    text_orders(out, json_object_get(problem, "policies"), row);
}

static void list_text(struct cs_strbuf *out, const json_t *problems)
{
    const json_t *problem;
    size_t p;

    json_array_foreach(problems, p, problem)
    {
        if (p)
            cs_strbuf_putc(out, '\n');
        text_problem(out, problem);
    }
}

/* ---- for programs ---- */

/* The content of a row is on one line, except lists of objects. */
static void list_params_put_value(struct cs_jsonw *w, const json_t *value)
{
    const bool list = json_is_object(json_array_get(value, 0));
    const json_t *part;
    const char *key;
    json_t *member;
    size_t i;

    if (json_is_string(value)) {
        cs_jsonw_string(w, json_string_value(value));
    } else if (json_is_number(value)) {
        cs_jsonw_double(w, json_number_value(value));
    } else if (json_is_boolean(value)) {
        cs_jsonw_bool(w, json_is_true(value));
    } else if (json_is_array(value)) {
        list ? cs_jsonw_open(w, '[') : cs_jsonw_open_flat(w, '[');
        json_array_foreach(value, i, part) list_params_put_value(w, part);
        cs_jsonw_close(w);
    } else if (json_is_object(value)) {
        cs_jsonw_open_flat(w, '{');
        json_object_foreach((json_t *)(uintptr_t)value, key, member)
        {
            cs_jsonw_key(w, key);
            list_params_put_value(w, member);
        }
        cs_jsonw_close(w);
    } else {
        cs_jsonw_null(w);
    }
}

static void list_params_put_row(struct cs_jsonw *w, const json_t *row)
{
    const char *key;
    json_t *value;

    cs_jsonw_open(w, '{');
    json_object_foreach((json_t *)(uintptr_t)row, key, value)
    {
        cs_jsonw_key(w, key);
        list_params_put_value(w, value);
    }
    cs_jsonw_close(w);
}

/* Append the rows of that name of all problems: as they are, or as a table, for which `flatten`
 * makes texts of lists. */
static void cs_list_json(struct cs_strbuf *out, const json_t *problems, const char *what)
{
    struct cs_jsonw w = cs_jsonw_begin(out);
    const json_t *problem, *row;
    size_t p, r;

    cs_jsonw_open(&w, '[');
    json_array_foreach(problems, p, problem)
    {
        json_array_foreach(json_object_get(problem, what), r, row) list_params_put_row(&w, row);
    }
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

static void cs_list_csv(struct cs_strbuf *out, const json_t *problems, const char *what,
                        const struct cs_column *column, size_t columns,
                        void (*flatten)(json_t *row))
{
    struct cs_table *table = cs_table_create(column, (int)columns);
    const json_t *problem, *row;
    size_t p, r;

    json_array_foreach(problems, p, problem)
    {
        json_array_foreach(json_object_get(problem, what), r, row)
        {
            json_t *flat = cs_json_made(json_copy((json_t *)(uintptr_t)row));

            flatten(flat);
            cs_rows_put(table, column, columns, flat);
            json_decref(flat);
        }
    }
    cs_table_write(table, CS_TABLE_CSV, 0, out);
    cs_table_destroy(table);
}

/* "epsilon=all (0 < epsilon < 1); ..." */
static void put_params(struct cs_strbuf *out, const json_t *params)
{
    const json_t *param;
    size_t p;

    json_array_foreach(params, p, param)
        cs_strbuf_printf(out, "%s%s=%s (%s)", p ? "; " : "", list_word(param, "name"),
                         list_word(param, "default"), list_word(param, "range"));
}

/* Put the text, which is released, in the place of a value. */
static void list_set(json_t *row, const char *key, struct cs_strbuf *text)
{
    cs_json_set(row, key, json_string(text->text));
    cs_strbuf_release(text);
}

static void list_flatten(json_t *row)
{
    struct cs_strbuf params = CS_STRBUF_INIT, names = CS_STRBUF_INIT;

    put_params(&params, json_object_get(row, "parameters"));
    list_params_put_names(&names, row);
    list_set(row, "parameters", &params);
    list_set(row, "aliases", &names);
}

static void list_json(struct cs_strbuf *out, const json_t *problems)
{
    cs_list_json(out, problems, "policies");
}

static void list_csv(struct cs_strbuf *out, const json_t *problems)
{
    static const struct cs_column columns[] = {
        {.key = "problem", .kind = CS_COLUMN_WORD},    {.key = "kind", .kind = CS_COLUMN_WORD},
        {.key = "name", .kind = CS_COLUMN_WORD},       {.key = "summary", .kind = CS_COLUMN_WORD},
        {.key = "parameters", .kind = CS_COLUMN_WORD}, {.key = "exact", .kind = CS_COLUMN_BOOLEAN},
        {.key = "aliases", .kind = CS_COLUMN_WORD},    {.key = "missing", .kind = CS_COLUMN_WORD},
        {.key = "source", .kind = CS_COLUMN_WORD},
    };

    cs_list_csv(out, problems, "policies", columns, sizeof columns / sizeof *columns, list_flatten);
}

/* ---- the command ---- */

static int list_params_list(const struct cs_arguments *args, const json_t *problems,
                            struct cs_error *err)
{
    static void (*const writers[])(struct cs_strbuf *, const json_t *) = {
        [CS_FORMAT_TABLE] = list_text, [CS_FORMAT_JSON] = list_json, [CS_FORMAT_CSV] = list_csv};
    enum cs_format format = (enum cs_format)cs_arguments_choice(args, "format");
    bool parameters = cs_arguments_has(args, "parameters");
    bool metrics = cs_arguments_has(args, "metrics");
    struct cs_strbuf out = CS_STRBUF_INIT;

    if (parameters && metrics) {
        cs_error_set(err, "--parameters and --metrics are two lists: give one of them");
        return CS_EXIT_USAGE;
    }
    if (parameters)
        list_parameters(&out, problems, format);
    else if (metrics)
        list_metrics(&out, problems, format);
    else
        writers[format](&out, problems);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    return CS_EXIT_DONE;
}

static int list_params_run(const struct cs_arguments *args, struct cs_error *err)
{
    json_t *known = cs_rows_parse(cs_case_describe(cs_arguments_operand(args, 0), err));
    int status =
        known ? list_params_list(args, json_object_get(known, "problems"), err) : CS_EXIT_USAGE;

    json_decref(known);
    return status;
}

static void problem_words(struct cs_strbuf *out)
{
    json_t *known = cs_rows_parse(cs_case_describe(NULL, NULL));
    const json_t *problem;
    size_t p;

    json_array_foreach(json_object_get(known, "problems"), p, problem)
        cs_strbuf_printf(out, "%s%s", p ? " " : "", list_word(problem, "name"));
    json_decref(known);
}

static const struct cs_operand operands[] = {
    {.name = "PROBLEM",
     .optional = true,
     .kind = CS_PARAM_TEXT,
     .values = problem_words,
     .summary = "only those of this problem"},
    {0},
};

static const struct cs_param options[] = {
    {.name = "parameters",
     .kind = CS_PARAM_FLAG,
     .summary =
         "instead: the options and the parameters of experiments, their values and defaults, "
         "which verbs take them, and what depends on them"},
    {.name = "metrics",
     .kind = CS_PARAM_FLAG,
     .summary = "instead: what each scenario has, in summaries, in rows of --per-scenario, and as "
                "metrics of "
                "experiments"},
    CS_PARAM_FORMAT_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"Everything there is:", "cosched list"},
    {"For a program:", "cosched list pack --format json"},
    {"List the parameters and metrics of an experiment:",
     "cosched list malleable --parameters && cosched list malleable --metrics"},
    {0},
};

const struct cs_command cs_command_list = {
    .words = "list",
    .summary = "list the policies and priorities, their parameters and where they come from",
    .description =
        "A policy decides; it is chosen by --policy NAME, or "
        "NAME:PARAMETER=VALUE to set a parameter. Each parameter is shown with its default and "
        "its range. Some problems also have "
        "priorities, orders of the jobs that are chosen by --priority NAME.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = list_params_run,
};

/* Append the words of a list. */
static void list_params_put_words(struct cs_strbuf *out, const json_t *words, const char *between)
{
    const json_t *word;
    size_t i;

    json_array_foreach(words, i, word)
        cs_strbuf_printf(out, "%s%s", i ? between : "", json_string_value(word));
}

static void list_params_flatten(json_t *row, const char *key)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    list_params_put_words(&text, json_object_get(row, key), " ");
    list_set(row, key, &text);
}

/* ---- parameters ---- */

static const struct cs_column param_columns[] = {
    {.key = "problem", .kind = CS_COLUMN_WORD}, {.key = "name", .kind = CS_COLUMN_WORD},
    {.key = "key", .kind = CS_COLUMN_WORD},     {.key = "letter", .kind = CS_COLUMN_WORD},
    {.key = "kind", .kind = CS_COLUMN_WORD},    {.key = "values", .kind = CS_COLUMN_WORD},
    {.key = "default", .kind = CS_COLUMN_WORD}, {.key = "verbs", .kind = CS_COLUMN_WORD},
    {.key = "scope", .kind = CS_COLUMN_WORD},   {.key = "needs", .kind = CS_COLUMN_WORD},
    {.key = "old", .kind = CS_COLUMN_WORD},     {.key = "summary", .kind = CS_COLUMN_WORD},
};

static void flatten_param(json_t *row)
{
    list_params_flatten(row, "verbs");
    list_params_flatten(row, "scope");
}

static void param_line(const json_t *f, struct cs_strbuf *out)
{
    const char *fallback = list_word(f, "default");
    const json_t *scope = json_object_get(f, "scope");
    struct cs_strbuf text = CS_STRBUF_INIT, name = CS_STRBUF_INIT;

    cs_strbuf_printf(&name, "--%s", list_word(f, "name"));
    list_put_line(out, name.text, list_word(f, "summary"));
    cs_strbuf_puts(&text, list_word(f, "values"));
    if (fallback)
        cs_strbuf_printf(&text, ", default %s", fallback);
    cs_strbuf_puts(&text, "; ");
    list_params_put_words(&text, json_object_get(f, "verbs"), ", ");
    if (json_array_size(scope)) {
        cs_strbuf_puts(&text, "; scope ");
        list_params_put_words(&text, scope, ", ");
    }
    list_put_line(out, "", text.text);
    cs_strbuf_release(&text);
    cs_strbuf_release(&name);
}

static void param_lines(const json_t *problem, struct cs_strbuf *out)
{
    const json_t *rows = json_object_get(problem, "parameters"), *group;
    size_t g, f = 0;

    json_array_foreach(json_object_get(problem, "groups"), g, group)
    {
        const char *heading = list_word(group, "heading");
        const size_t end = f + (size_t)json_integer_value(json_object_get(group, "parameters"));

        if (heading)
            cs_strbuf_printf(out, "\n%s\n", heading);
        for (; f < end; f++)
            param_line(json_array_get(rows, f), out);
    }
}

/* ---- metrics ---- */

static const struct cs_column value_columns[] = {
    {.key = "problem", .kind = CS_COLUMN_WORD}, {.key = "name", .kind = CS_COLUMN_WORD},
    {.key = "kind", .kind = CS_COLUMN_WORD},    {.key = "in", .kind = CS_COLUMN_WORD},
    {.key = "figures", .kind = CS_COLUMN_WORD}, {.key = "measured", .kind = CS_COLUMN_BOOLEAN},
    {.key = "heading", .kind = CS_COLUMN_WORD}, {.key = "summary", .kind = CS_COLUMN_WORD},
};

static void flatten_value(json_t *row)
{
    list_params_flatten(row, "in");
    list_params_flatten(row, "figures");
}

/* A metric without figures is a mean. */
static void value_lines(const json_t *problem, struct cs_strbuf *out)
{
    const json_t *value;
    size_t v;

    json_array_foreach(json_object_get(problem, "metrics"), v, value)
    {
        const json_t *figures = json_object_get(value, "figures");
        struct cs_strbuf text = CS_STRBUF_INIT;

        list_put_line(out, list_word(value, "name"), list_word(value, "summary"));
        cs_strbuf_printf(&text, "%s; ", list_word(value, "kind"));
        list_params_put_words(&text, json_object_get(value, "in"), ", ");
        if (json_array_size(figures) > 1) {
            cs_strbuf_puts(&text, "; figures ");
            list_params_put_words(&text, figures, ", ");
        }
        cs_strbuf_puts(&text, json_is_true(json_object_get(value, "measured")) ? "; measured" : "");
        list_put_line(out, "", text.text);
        cs_strbuf_release(&text);
    }
}

/* ---- both ---- */

static void show_lines(const json_t *problems, struct cs_strbuf *out,
                       void (*lines)(const json_t *problem, struct cs_strbuf *out))
{
    const json_t *problem;
    size_t p;

    json_array_foreach(problems, p, problem)
    {
        if (p)
            cs_strbuf_putc(out, '\n');
        list_put_problem(out, problem);
        lines(problem, out);
    }
}

static void list_parameters(struct cs_strbuf *out, const json_t *problems, enum cs_format format)
{
    if (format == CS_FORMAT_TABLE)
        show_lines(problems, out, param_lines);
    else if (format == CS_FORMAT_JSON)
        cs_list_json(out, problems, "parameters");
    else
        cs_list_csv(out, problems, "parameters", param_columns,
                    sizeof param_columns / sizeof *param_columns, flatten_param);
}

static void list_metrics(struct cs_strbuf *out, const json_t *problems, enum cs_format format)
{
    if (format == CS_FORMAT_TABLE)
        show_lines(problems, out, value_lines);
    else if (format == CS_FORMAT_JSON)
        cs_list_json(out, problems, "metrics");
    else
        cs_list_csv(out, problems, "metrics", value_columns,
                    sizeof value_columns / sizeof *value_columns, flatten_value);
}
