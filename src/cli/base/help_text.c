/* help_text.c - help as text, 80 columns wide. */
#include "base/jsonw.h"
#include "base/suggest.h"
#include "cli/base/help.h"
#include "cli/base/output.h"
#include "cli/base/wrap.h"
#include "config.h"

#include <cosched/case.h>
#include <cosched/chart.h>

#include <string.h>

/* The tables of the commands, for programs. */

static void put_summary(struct cs_jsonw *w, const struct cs_command *command)
{
    cs_jsonw_put_string(w, "command", command->words);
    cs_jsonw_put_string(w, "summary", command->summary);
}

void cs_help_json_list(struct cs_strbuf *out, const char *action)
{
    struct cs_jsonw w = cs_jsonw_begin(out);
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    cs_jsonw_open(&w, '[');
    for (int i = 0; i < count; i++)
        if (!action || cs_command_has_action(list[i], action)) {
            cs_jsonw_open_flat(&w, '{');
            put_summary(&w, list[i]);
            cs_jsonw_close(&w);
        }
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

/* The words that completion offers, or null. */
static void help_json_put_words(struct cs_jsonw *w, const struct cs_param *option)
{
    struct cs_strbuf words = CS_STRBUF_INIT;
    char *rest = NULL;

    cs_jsonw_key(w, "words");
    if (cs_param_has_words(option)) {
        cs_param_put_words(option, &words);
        cs_jsonw_open_flat(w, '[');
        for (char *at = strtok_r(words.text, " ", &rest); at; at = strtok_r(NULL, " ", &rest))
            cs_jsonw_string(w, at);
        cs_jsonw_close(w);
    } else {
        cs_jsonw_null(w);
    }
    cs_strbuf_release(&words);
}

static void help_json_put_option(struct cs_jsonw *w, const struct cs_param *option,
                                 const char *group)
{
    const char letter[] = {option->letter, 0};

    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "name", option->name);
    cs_jsonw_put_string(w, "letter", option->letter ? letter : NULL);
    cs_jsonw_put_string(w, "argument",
                        option->kind == CS_PARAM_FLAG ? NULL : cs_option_argument(option));
    cs_param_put_values(option, w);
    help_json_put_words(w, option);
    cs_jsonw_put_bool(w, "list", option->list);
    cs_jsonw_put_bool(w, "repeats", option->repeats);
    cs_jsonw_put_bool(w, "required", option->required);
    cs_jsonw_put_string(w, "needs", option->needs);
    cs_jsonw_put_string(w, "group", group);
    cs_jsonw_put_string(w, "summary", option->summary);
    cs_jsonw_close(w);
}

static void help_json_put_options(struct cs_jsonw *w, const struct cs_command *command)
{
    const char *group = NULL;

    cs_jsonw_key(w, "options");
    cs_jsonw_open(w, '[');
    for (const struct cs_param *o = cs_command_options(command); o && o->name; o++) {
        group = o->group ? o->group : group;
        help_json_put_option(w, o, group);
    }
    cs_jsonw_close(w);
}

static void help_json_put_operands(struct cs_jsonw *w, const struct cs_operand *operands)
{
    cs_jsonw_key(w, "operands");
    cs_jsonw_open(w, '[');
    for (const struct cs_operand *o = operands; o && o->name; o++) {
        cs_jsonw_open(w, '{');
        cs_jsonw_put_string(w, "name", o->name);
        cs_jsonw_put_bool(w, "optional", o->optional);
        cs_jsonw_put_bool(w, "repeats", o->repeats);
        cs_jsonw_put_string(w, "summary", o->summary);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

static void help_put_examples(struct cs_jsonw *w, const struct cs_example *examples)
{
    cs_jsonw_key(w, "examples");
    cs_jsonw_open(w, '[');
    for (const struct cs_example *e = examples; e && e->line; e++) {
        cs_jsonw_open(w, '{');
        cs_jsonw_put_string(w, "what", e->what);
        cs_jsonw_put_string(w, "line", e->line);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
}

void cs_help_json_command(struct cs_strbuf *out, const struct cs_command *command)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '{');
    put_summary(&w, command);
    cs_jsonw_put_string(&w, "description", command->description);
    help_json_put_operands(&w, command->operands);
    help_json_put_options(&w, command);
    help_put_examples(&w, command->examples);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

#define SUMMARY_COLUMN 26
#define NAME_COLUMN 18

/* The option that every command has. */
static const struct cs_param option_help = {
    .name = "help", .letter = 'h', .kind = CS_PARAM_FLAG, .summary = "print this help and exit"};

const char *cs_option_argument(const struct cs_param *option)
{
    return option->argument ? option->argument : option->choices;
}

static void put_heading(struct cs_strbuf *out, const char *heading)
{
    cs_strbuf_printf(out, "\n%s:\n", heading);
}

/* A name in the left column and its description in the right one. */
static void put_entry(struct cs_strbuf *out, const char *left, const char *right, int column)
{
    int length = (int)strlen(left);

    cs_strbuf_printf(out, "  %s", left);
    if (length + 4 > column) {
        cs_strbuf_putc(out, '\n');
        length = -2;
    }
    cs_wrap_spaces(out, column - length - 2);
    cs_wrap_text(out, right, column, column);
}

static void put_synopsis(struct cs_strbuf *out, const struct cs_command *command)
{
    struct cs_strbuf line = CS_STRBUF_INIT;
    int indent = (int)strlen("Usage: cosched ") + (int)strlen(command->words) + 1;

    for (const struct cs_operand *o = command->operands; o && o->name; o++)
        cs_strbuf_printf(&line, "%s%s%s%s ", o->optional ? "[" : "", o->name,
                         o->repeats ? "..." : "", o->optional ? "]" : "");
    for (const struct cs_param *o = cs_command_options(command); o && o->name; o++)
        cs_strbuf_printf(&line, "%s--%s%s%s%s%s ", o->required ? "" : "[", o->name,
                         o->kind == CS_PARAM_FLAG ? "" : " ",
                         o->kind == CS_PARAM_FLAG ? "" : cs_option_argument(o),
                         o->required ? "" : "]", o->repeats ? "..." : "");
    cs_strbuf_printf(out, "Usage: cosched %s ", command->words);
    cs_wrap_text(out, line.text, indent, indent);
    cs_strbuf_release(&line);
}

static void put_description(struct cs_strbuf *out, const char *description)
{
    const char *at = description, *text;
    bool literal;
    int length;

    while ((length = cs_wrap_paragraph(&at, &text, &literal)) > 0) {
        struct cs_strbuf paragraph = CS_STRBUF_INIT;

        cs_strbuf_append(&paragraph, text, (size_t)length);
        cs_strbuf_putc(out, '\n');
        if (literal)
            cs_strbuf_printf(out, "%s\n", paragraph.text);
        else
            cs_wrap_text(out, paragraph.text, 0, 0);
        cs_strbuf_release(&paragraph);
    }
}

static void put_operands(struct cs_strbuf *out, const struct cs_operand *operands)
{
    cs_strbuf_putc(out, '\n');
    for (const struct cs_operand *o = operands; o->name; o++)
        put_entry(out, o->name, o->summary, SUMMARY_COLUMN);
}

static void put_option(struct cs_strbuf *out, const struct cs_param *o)
{
    struct cs_strbuf left = CS_STRBUF_INIT, right = CS_STRBUF_INIT;

    if (o->letter)
        cs_strbuf_printf(&left, "-%c, ", o->letter);
    cs_strbuf_printf(&left, "--%s", o->name);
    if (o->kind != CS_PARAM_FLAG)
        cs_strbuf_printf(&left, " %s", cs_option_argument(o));
    cs_strbuf_puts(&right, o->summary);
    if (o->default_text)
        cs_strbuf_printf(&right, " [default: %s]", o->default_text);
    put_entry(out, left.text, right.text, SUMMARY_COLUMN);
    cs_strbuf_release(&left);
    cs_strbuf_release(&right);
}

static void put_options(struct cs_strbuf *out, const struct cs_param *options)
{
    if (!options || !options->group)
        put_heading(out, "Options");
    for (const struct cs_param *o = options; o && o->name; o++) {
        if (o->group)
            put_heading(out, o->group);
        put_option(out, o);
    }
    put_option(out, &option_help);
}

static void put_examples(struct cs_strbuf *out, const struct cs_example *examples)
{
    put_heading(out, "Examples");
    for (const struct cs_example *e = examples; e->line; e++) {
        cs_strbuf_puts(out, "  ");
        cs_wrap_text(out, e->what, 2, 2);
        cs_strbuf_printf(out, "      %s\n", e->line);
    }
}

void cs_help_command(struct cs_strbuf *out, const struct cs_command *command)
{
    cs_strbuf_printf(out, "cosched %s - %s\n\n", command->words, command->summary);
    put_synopsis(out, command);
    if (command->operands)
        put_operands(out, command->operands);
    put_description(out, command->description);
    put_options(out, cs_command_options(command));
    if (command->examples)
        put_examples(out, command->examples);
}

static void put_commands(struct cs_strbuf *out, const char *action)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    for (int i = 0; i < count; i++)
        if (!action || cs_command_has_action(list[i], action))
            put_entry(out, list[i]->words, list[i]->summary, NAME_COLUMN);
}

void cs_help_overview(struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "Usage: cosched COMMAND [ARGUMENT...] [--OPTION...]\n\n");
    cs_wrap_text(out, CS_HELP_ABOUT, 0, 0);
    put_heading(out, "Commands");
    put_commands(out, NULL);
    cs_strbuf_puts(
        out, "\n'cosched help COMMAND' describes a command, with examples.\n"
             "'cosched --version' prints the version and the optional parts of this build.\n");
    put_heading(out, "Environment");
    put_entry(out, "COSCHED_PROCS", "the default of --procs in plan, simulate and replay",
              NAME_COLUMN);
    put_entry(out, "NO_COLOR", "no colours on a terminal", NAME_COLUMN);
    put_entry(out, "PAGER", "shows long help on a terminal (less); empty: none", NAME_COLUMN);
}

void cs_help_action(struct cs_strbuf *out, const char *action)
{
    cs_strbuf_printf(out, "Usage: cosched %s WHAT [ARGUMENT...] [--OPTION...]\n\n", action);
    put_commands(out, action);
    cs_strbuf_printf(out, "\n'cosched help %s WHAT' explains one of them, with examples.\n",
                     action);
}

/* The library describes which policies lack a part of it, in this build or on this machine. */
static bool policy_is_ready(const json_t *problem, const char *name)
{
    const json_t *row;
    size_t r;

    json_array_foreach(json_object_get(problem, "policies"), r, row)
    {
        if (strcmp(json_string_value(json_object_get(row, "name")), name) == 0)
            return json_is_null(json_object_get(row, "missing"));
    }
    return false;
}

void cs_help_version(struct cs_strbuf *out)
{
    json_t *known = cs_rows_parse(cs_case_describe("pack", NULL));
    const json_t *pack = json_array_get(json_object_get(known, "problems"), 0);
    const struct {
        const char *name, *use;
        bool have;
    } parts[] = {
        {"CLP/CBC", "exact plans and strong bounds by linear programs",
         policy_is_ready(pack, "ilp")},
        {"LEMON", "optimal packs of at most two tasks by matching", CS_HAVE_LEMON},
        {"PNG", "pictures as PNG and PDF files", !cs_chart_check("x.png", NULL)},
        {"expat", "workflows as DAX and platforms of SimGrid", CS_HAVE_EXPAT},
        {"zstd", "files packed with zstd", CS_HAVE_ZSTD},
        {"threads", "work on several processors at the same time", CS_HAVE_THREADS},
    };

    cs_strbuf_printf(out, "cosched %s\n", CS_VERSION);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        cs_strbuf_printf(out, "  %-9s %-4s %s\n", parts[i].name, parts[i].have ? "yes" : "no",
                         parts[i].use);
    json_decref(known);
}

bool cs_help_action_exists(const char *action)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    for (int i = 0; i < count; i++)
        if (cs_command_has_action(list[i], action))
            return true;
    return false;
}

/* Offer the first word of every command, or the second of those that begin with the action. */
static void help_text_offer(struct cs_suggest *suggest, const char *action)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    for (int i = 0; i < count; i++) {
        const char *second = strchr(list[i]->words, ' ');
        char first[CS_SUGGEST_SIZE] = "";

        strncat(first, list[i]->words, strcspn(list[i]->words, " "));
        if (!action)
            cs_suggest_offer(suggest, first);
        else if (second && strcmp(first, action) == 0)
            cs_suggest_offer(suggest, second + 1);
    }
}

int cs_help_unknown(int count, char *const *words, struct cs_error *err)
{
    bool action = count > 1 && cs_help_action_exists(words[0]);
    struct cs_suggest suggest = {.word = words[action]};
    const char *first = action ? words[0] : "", *space = action ? " " : "";

    help_text_offer(&suggest, action ? words[0] : NULL);
    if (suggest.best[0])
        return cs_error_set(err, "there is no command \"%s%s%s\"; did you mean \"%s%s%s\"?", first,
                            space, suggest.word, first, space, suggest.best);
    return cs_error_set(err, "there is no command \"%s%s%s\"", first, space, suggest.word);
}
