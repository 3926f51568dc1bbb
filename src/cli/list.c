/* list.c - cosched list: every policy, with its parameters and where it comes from, and the orders
 * of jobs that policies can be given; or the parameters or metrics of problems (list_fields.c). For
 * programs every line says of which kind it is. */
#include "cli/list.h"
#include "base/jsonw.h"
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "cli/base/wrap.h"
#include "model/param.h"
#include "report/table.h"
#include "study/describe.h"

#include <string.h>

#define LEFT 18

/* Go to the right column; a left one that is too long gets a line of its own. */
static void go_right(struct cs_strbuf *out, int written)
{
    if (written + 2 > LEFT) {
        cs_strbuf_putc(out, '\n');
        written = 0;
    }
    cs_wrap_spaces(out, LEFT - written);
}

void cs_list_put_line(struct cs_strbuf *out, const char *left, const char *right)
{
    cs_strbuf_printf(out, "  %s", left);
    go_right(out, (int)strlen(left) + 2);
    cs_wrap_text(out, right, LEFT, LEFT);
}

static void text_param(struct cs_strbuf *out, const struct cs_param *p)
{
    struct cs_strbuf right = CS_STRBUF_INIT;

    cs_strbuf_printf(&right, "%s=%s: %s [", p->name, p->fallback, p->summary);
    cs_param_put_range(&right, p);
    cs_strbuf_putc(&right, ']');
    cs_wrap_spaces(out, LEFT + 2);
    cs_wrap_text(out, right.text, LEFT + 2, LEFT + 4);
    cs_strbuf_release(&right);
}

/* "other-name, easy (reservations=1), ..." */
static void put_names(struct cs_strbuf *out, const struct cs_policy *policy)
{
    const char *comma = policy->aliases ? ", " : "";

    for (const char *at = policy->aliases; at && *at; at++)
        *at == '|' ? cs_strbuf_puts(out, ", ") : cs_strbuf_putc(out, *at);
    for (const struct cs_policy_preset *p = policy->presets; p && p->name; p++) {
        cs_strbuf_printf(out, p->settings[0] ? "%s%s (%s)" : "%s%s", comma, p->name, p->settings);
        comma = ", ";
    }
}

static void text_policy(struct cs_strbuf *out, const struct cs_policy *policy)
{
    cs_list_put_line(out, policy->name, policy->summary);
    for (const struct cs_param *p = policy->params; p && p->name; p++)
        text_param(out, p);
    if (policy->aliases || policy->presets) {
        struct cs_strbuf names = CS_STRBUF_INIT;

        cs_strbuf_puts(&names, "also called ");
        put_names(&names, policy);
        cs_list_put_line(out, "", names.text);
        cs_strbuf_release(&names);
    }
    if (policy->missing) {
        struct cs_strbuf words = CS_STRBUF_INIT;

        cs_strbuf_printf(&words, "NOT IN THIS BUILD: %s", policy->missing);
        cs_list_put_line(out, "", words.text);
        cs_strbuf_release(&words);
    }
    if (policy->source)
        cs_list_put_line(out, "", policy->source);
}

static void text_choice(struct cs_strbuf *out, const struct cs_problem_choice *choice, bool only)
{
    int count;
    const struct cs_policy *const *list = choice->policies(&count);

    if (!only)
        cs_strbuf_printf(out, "\n%s (--%s NAME)\n", choice->heading, choice->option);
    for (int i = 0; i < count; i++) {
        if (only || i)
            cs_strbuf_putc(out, '\n');
        text_policy(out, list[i]);
    }
}

void cs_list_put_problem(struct cs_strbuf *out, const struct cs_problem *problem)
{
    struct cs_strbuf title = CS_STRBUF_INIT;

    cs_strbuf_printf(&title, "%s - %s", problem->name, problem->summary);
    cs_wrap_text(out, title.text, 0, (int)strlen(problem->name) + 3);
    cs_strbuf_release(&title);
}

static void text_problem(struct cs_strbuf *out, const struct cs_problem *problem)
{
    cs_list_put_problem(out, problem);
    for (const struct cs_problem_choice *c = problem->choice; c->option; c++)
        text_choice(out, c, !problem->choice[1].option && !strcmp(c->option, "policy"));
    if (!problem->priorities)
        return;
    cs_strbuf_puts(out, "\npriorities (--priority NAME)\n");
    for (int i = 0; problem->priorities(i).name; i++)
        cs_list_put_line(out, problem->priorities(i).name, problem->priorities(i).summary);
}

/* "epsilon=all (0 < epsilon < 1); ..." */
static void put_params(struct cs_strbuf *out, const struct cs_param *params)
{
    for (const struct cs_param *p = params; p && p->name; p++) {
        cs_strbuf_printf(out, "%s%s=%s (", p == params ? "" : "; ", p->name, p->fallback);
        cs_param_put_range(out, p);
        cs_strbuf_putc(out, ')');
    }
}

static void csv_policy(struct cs_table *table, const char *kind, const struct cs_policy *policy)
{
    struct cs_strbuf params = CS_STRBUF_INIT, names = CS_STRBUF_INIT;

    put_params(&params, policy->params);
    put_names(&names, policy);
    cs_table_text(table, policy->problem);
    cs_table_text(table, kind);
    cs_table_text(table, policy->name);
    cs_table_text(table, policy->summary);
    cs_table_text(table, params.text);
    cs_table_count(table, policy->exact);
    cs_table_text(table, names.text);
    cs_table_text(table, policy->missing ? policy->missing : "");
    cs_table_text(table, policy->source ? policy->source : "");
    cs_strbuf_release(&params);
    cs_strbuf_release(&names);
}

static void csv_priority(struct cs_table *table, const struct cs_problem *problem,
                         struct cs_problem_priority priority)
{
    cs_table_text(table, problem->name);
    cs_table_text(table, "priority");
    cs_table_text(table, priority.name);
    cs_table_text(table, priority.summary);
    cs_table_text(table, "");
    cs_table_unknown(table);
    cs_table_text(table, "");
    cs_table_text(table, "");
    cs_table_text(table, priority.source);
}

static void csv_choice(struct cs_table *table, const struct cs_problem_choice *choice)
{
    int count;
    const struct cs_policy *const *list = choice->policies(&count);

    for (int i = 0; i < count; i++)
        csv_policy(table, choice->option, list[i]);
}

static bool wanted(const struct cs_problem *problem, const char *name)
{
    return !name || strcmp(problem->name, name) == 0;
}

static void list_text(struct cs_strbuf *out, const char *name)
{
    int count;
    const struct cs_problem *const *list = cs_problems(&count);

    for (int i = 0; i < count; i++)
        if (wanted(list[i], name)) {
            if (out->length)
                cs_strbuf_putc(out, '\n');
            text_problem(out, list[i]);
        }
}

static void list_json(struct cs_strbuf *out, const char *name)
{
    struct cs_jsonw w = cs_jsonw_begin(out);
    int count;
    const struct cs_problem *const *list = cs_problems(&count);

    cs_jsonw_open(&w, '[');
    for (int n = 0; n < count; n++)
        if (wanted(list[n], name))
            cs_describe_put_policies(list[n], &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

static void list_csv(struct cs_strbuf *out, const char *name)
{
    static const struct cs_column columns[] = {
        {.key = "problem", .kind = CS_COLUMN_WORD},    {.key = "kind", .kind = CS_COLUMN_WORD},
        {.key = "name", .kind = CS_COLUMN_WORD},       {.key = "summary", .kind = CS_COLUMN_WORD},
        {.key = "parameters", .kind = CS_COLUMN_WORD}, {.key = "exact", .kind = CS_COLUMN_BOOLEAN},
        {.key = "aliases", .kind = CS_COLUMN_WORD},    {.key = "missing", .kind = CS_COLUMN_WORD},
        {.key = "source", .kind = CS_COLUMN_WORD},
    };
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);
    int count;
    const struct cs_problem *const *list = cs_problems(&count);

    for (int n = 0; n < count; n++) {
        const struct cs_problem *p = list[n];

        for (const struct cs_problem_choice *c = p->choice; wanted(p, name) && c->option; c++)
            csv_choice(table, c);
        for (int i = 0; wanted(p, name) && p->priorities && p->priorities(i).name; i++)
            csv_priority(table, p, p->priorities(i));
    }
    cs_table_write(table, CS_TABLE_CSV, 0, out);
    cs_table_destroy(table);
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    static void (*const writers[])(struct cs_strbuf *, const char *) = {
        [CS_FORMAT_TABLE] = list_text, [CS_FORMAT_JSON] = list_json, [CS_FORMAT_CSV] = list_csv};
    const char *name = cs_arguments_operand(args, 0);
    enum cs_format format = (enum cs_format)cs_arguments_choice(args, "format");
    bool parameters = cs_arguments_given(args, "parameters");
    bool metrics = cs_arguments_given(args, "metrics");
    struct cs_strbuf out = CS_STRBUF_INIT;

    if (name && !cs_problem_find(name, err))
        return CS_EXIT_USAGE;
    if (parameters && metrics) {
        cs_error_set(err, "--parameters and --metrics are two lists: give one of them");
        return CS_EXIT_USAGE;
    }
    if (parameters)
        cs_list_parameters(&out, name, format);
    else if (metrics)
        cs_list_metrics(&out, name, format);
    else
        writers[format](&out, name);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    return CS_EXIT_DONE;
}

static void problem_words(struct cs_strbuf *out)
{
    int count;
    const struct cs_problem *const *list = cs_problems(&count);

    for (int i = 0; i < count; i++)
        cs_strbuf_printf(out, "%s%s", i ? " " : "", list[i]->name);
}

static const struct cs_operand operands[] = {
    {.name = "PROBLEM",
     .optional = true,
     .kind = CS_FIELD_TEXT,
     .values = problem_words,
     .summary = "only what there is for this problem"},
    {0},
};

static const struct cs_field options[] = {
    {.name = "parameters",
     .kind = CS_FIELD_FLAG,
     .summary =
         "instead: the options and the parameters of experiments, their values and defaults, "
         "which verbs take them, and what depends on them"},
    {.name = "metrics",
     .kind = CS_FIELD_FLAG,
     .summary = "instead: what each scenario has, in summaries, in rows of --per-scenario, and as "
                "metrics of "
                "experiments"},
    CS_FIELD_FORMAT_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"Everything there is:", "cosched list"},
    {"For a program:", "cosched list pack --format json"},
    {"What an experiment can vary, and what it can measure:",
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
    .run = run,
};
