/* man.c - the tables of the commands as manual pages in mdoc. */
#include "cli/base/help.h"
#include "cli/base/wrap.h"

#include "config.h"

#include <string.h>

#define DATE "November 24, 2026"

/* Text in which no character means anything to mdoc, a sentence a line. */
static void put_text(struct cs_strbuf *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        bool start = out->length == 0 || out->text[out->length - 1] == '\n';

        if (start && (text[i] == '.' || text[i] == '\''))
            cs_strbuf_puts(out, "\\&");
        if (start && text[i] == ' ')
            continue;
        if (text[i] == '\\')
            cs_strbuf_puts(out, "\\e");
        else if (i > 1 && text[i] == ' ' && strchr(".;:?", text[i - 1]) && text[i - 1] != ';' &&
                 text[i - 1] != ':' && text[i - 2] != '.')
            cs_strbuf_putc(out, '\n');
        else
            cs_strbuf_putc(out, text[i]);
    }
    cs_strbuf_putc(out, '\n');
}

static void put_literal(struct cs_strbuf *out, const char *text, size_t length)
{
    cs_strbuf_puts(out, ".Bd -literal -offset indent\n");
    for (size_t i = 0; i < length; i++) {
        bool start = out->text[out->length - 1] == '\n';

        if (start && text[i] == ' ' && i + 1 < length && text[i + 1] == ' ')
            i += 2;
        if (start && (text[i] == '.' || text[i] == '\''))
            cs_strbuf_puts(out, "\\&");
        if (text[i] == '\\')
            cs_strbuf_puts(out, "\\e");
        else
            cs_strbuf_putc(out, text[i]);
    }
    cs_strbuf_puts(out, "\n.Ed\n");
}

static void put_description(struct cs_strbuf *out, const char *description)
{
    const char *at = description, *text;
    bool literal, first = true;
    int length;

    while ((length = cs_wrap_paragraph(&at, &text, &literal)) > 0) {
        if (!first && !literal)
            cs_strbuf_puts(out, ".Pp\n");
        if (literal)
            put_literal(out, text, (size_t)length);
        else
            put_text(out, text, (size_t)length);
        first = false;
    }
}

/* A page is called cosched-plan-pack, the command on it "cosched plan pack". */
static void put_page_name(struct cs_strbuf *out, const struct cs_command *command, bool upper)
{
    const char *name = command ? command->words : "";

    cs_strbuf_puts(out, upper ? "COSCHED" : "cosched");
    if (command)
        cs_strbuf_putc(out, '-');
    for (; *name; name++) {
        char c = *name == ' ' ? '-' : *name;

        cs_strbuf_putc(out, (char)(upper && c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c));
    }
}

static void put_start(struct cs_strbuf *out, const struct cs_command *command, const char *about)
{
    cs_strbuf_printf(out, ".Dd %s\n.Dt ", DATE);
    put_page_name(out, command, true);
    cs_strbuf_printf(out, " 1\n.Os cosched %s\n.Sh NAME\n.Nm ", CS_VERSION);
    put_page_name(out, command, false);
    cs_strbuf_printf(out, "\n.Nd %s\n.Sh SYNOPSIS\n", about);
}

static void put_argument(struct cs_strbuf *out, const struct cs_field *o)
{
    if (o->kind == CS_FIELD_FLAG)
        return;
    if (o->argument)
        cs_strbuf_printf(out, " Ar %s", o->argument);
    else
        cs_strbuf_printf(out, " Cm %s", o->choices);
}

static void put_synopsis(struct cs_strbuf *out, const struct cs_command *command)
{
    cs_strbuf_printf(out, ".Nm cosched %s\n", command->words);
    for (const struct cs_operand *o = command->operands; o && o->name; o++)
        cs_strbuf_printf(out, ".%sAr %s%s\n", o->optional ? "Op " : "", o->name,
                         o->repeats ? " ..." : "");
    for (const struct cs_field *o = cs_command_options(command); o && o->name; o++) {
        cs_strbuf_printf(out, ".%sFl -%s", o->required ? "" : "Op ", o->name);
        put_argument(out, o);
        cs_strbuf_puts(out, o->repeats ? " ...\n" : "\n");
    }
}

static void put_option(struct cs_strbuf *out, const struct cs_field *o)
{
    cs_strbuf_puts(out, ".It ");
    if (o->letter)
        cs_strbuf_printf(out, "Fl %c , ", o->letter);
    cs_strbuf_printf(out, "Fl -%s", o->name);
    put_argument(out, o);
    cs_strbuf_putc(out, '\n');
    put_text(out, o->summary, strlen(o->summary));
    if (o->fallback)
        cs_strbuf_printf(out, "[default:\n.Li %s ]\n", o->fallback);
}

static void put_operands(struct cs_strbuf *out, const struct cs_operand *operands)
{
    cs_strbuf_puts(out, ".Bl -tag -width Ds\n");
    for (const struct cs_operand *o = operands; o->name; o++) {
        cs_strbuf_printf(out, ".It Ar %s\n", o->name);
        put_text(out, o->summary, strlen(o->summary));
    }
    cs_strbuf_puts(out, ".El\n");
}

static void put_options(struct cs_strbuf *out, const struct cs_field *options)
{
    const char *title = options && options->group ? options->group : "Options";

    cs_strbuf_printf(out, ".Ss %s\n.Bl -tag -width Ds\n", title);
    for (const struct cs_field *o = options; o && o->name; o++) {
        if (o->group && o != options)
            cs_strbuf_printf(out, ".El\n.Ss %s\n.Bl -tag -width Ds\n", o->group);
        put_option(out, o);
    }
    put_option(out, &cs_option_help);
    cs_strbuf_puts(out, ".El\n");
}

static void put_examples(struct cs_strbuf *out, const struct cs_example *examples)
{
    cs_strbuf_puts(out, ".Sh EXAMPLES\n");
    for (const struct cs_example *e = examples; e->line; e++) {
        if (e != examples)
            cs_strbuf_puts(out, ".Pp\n");
        put_text(out, e->what, strlen(e->what));
        put_literal(out, e->line, strlen(e->line));
    }
}

static bool prints_json(const struct cs_command *command)
{
    for (const struct cs_field *o = cs_command_options(command); o && o->name; o++)
        if (!strcmp(o->name, "format") && o->choices && strstr(o->choices, "json"))
            return true;
    return false;
}

static void put_diagnostics(struct cs_strbuf *out)
{
    cs_strbuf_puts(out, ".Sh DIAGNOSTICS\n"
                        "An error is a sentence on standard error.\n"
                        "With\n.Fl -format Cm json\n"
                        "it is one line of JSON there, the last one: an object with the keys\n"
                        ".Li error\n(the sentence) and\n.Li status ,\n"
                        "and where they are known\n.Li file , line , field\nand\n.Li help .\n");
}

static void put_exit_status(struct cs_strbuf *out)
{
    cs_strbuf_puts(out, ".Sh EXIT STATUS\n"
                        ".Bl -tag -width Ds\n"
                        ".It 0\nDone.\n"
                        ".It 1\nThe input, or what was asked for, is wrong.\n"
                        ".It 2\nThe command line is wrong.\n"
                        ".El\n");
}

/* The command whose words come next after `last`, by bytes; NULL after the last one. */
static const struct cs_command *next_by_name(const char *last)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);
    const struct cs_command *next = NULL;

    for (int i = 0; i < count; i++)
        if (strcmp(list[i]->words, last) > 0 && (!next || strcmp(list[i]->words, next->words) < 0))
            next = list[i];
    return next;
}

static void put_see_also(struct cs_strbuf *out, const struct cs_command *command)
{
    const char *separator = ".Xr ";

    cs_strbuf_puts(out, ".Sh SEE ALSO\n");
    if (command) {
        cs_strbuf_puts(out, ".Xr cosched 1\n");
        return;
    }
    for (const struct cs_command *c = next_by_name(""); c; c = next_by_name(c->words)) {
        cs_strbuf_puts(out, separator);
        put_page_name(out, c, false);
        separator = " 1 ,\n.Xr ";
    }
    cs_strbuf_puts(out, " 1\n");
}

static void put_commands(struct cs_strbuf *out)
{
    int count;
    const struct cs_command *const *list = cs_commands(&count);

    cs_strbuf_puts(out, ".Sh COMMANDS\n.Bl -tag -width Ds\n");
    for (int i = 0; i < count; i++) {
        cs_strbuf_printf(out, ".It Cm %s\n", list[i]->words);
        put_text(out, list[i]->summary, strlen(list[i]->summary));
    }
    cs_strbuf_puts(out, ".El\n");
}

static void put_overview(struct cs_strbuf *out)
{
    put_start(out, NULL, "plan co-schedules of parallel applications");
    cs_strbuf_puts(out, ".Nm\n.Ar COMMAND\n.Op Ar ARGUMENT ...\n.Op Ar OPTION ...\n"
                        ".Nm\n.Fl -version\n.Sh DESCRIPTION\n");
    put_text(out, CS_HELP_ABOUT, strlen(CS_HELP_ABOUT));
    put_commands(out);
    put_exit_status(out);
    put_diagnostics(out);
    put_see_also(out, NULL);
}

void cs_man_page(struct cs_strbuf *out, const struct cs_command *command)
{
    if (!command) {
        put_overview(out);
        return;
    }
    put_start(out, command, command->summary);
    put_synopsis(out, command);
    cs_strbuf_puts(out, ".Sh DESCRIPTION\n");
    put_description(out, command->description);
    if (command->operands)
        put_operands(out, command->operands);
    put_options(out, cs_command_options(command));
    put_exit_status(out);
    if (command->examples)
        put_examples(out, command->examples);
    if (prints_json(command))
        put_diagnostics(out);
    put_see_also(out, command);
}
