/* failing.c - errors as text and as JSON. */
#include "cli/base/failing.h"

#include "base/jsonw.h"
#include "base/plain.h"
#include "cli/base/command.h"
#include "cli/base/output.h"

#include <stdlib.h>
#include <string.h>

static bool for_programs, for_data;

/* The value of --format, or of a beginning of it, at words[0]; NULL when it is another word. */
static const char *format_at(int count, char *const *word)
{
    const size_t length = strcspn(word[0], "=");

    if (length < 3 || length > strlen("--format") || strncmp(word[0], "--format", length) != 0)
        return NULL;
    if (word[0][length])
        return word[0] + length + 1;
    return count > 1 ? word[1] : NULL;
}

void cs_failing_begin(int count, char *const *word)
{
    for_programs = for_data = false;
    for (int i = 0; i < count && strcmp(word[i], "--") != 0; i++) {
        const char *format = format_at(count - i, word + i);

        if (format)
            for_programs = strcmp(format, "json") == 0;
        if (format)
            for_data = for_programs || strcmp(format, "csv") == 0;
    }
}

bool cs_failing_for_data(void)
{
    return for_data;
}

bool cs_failing_for_programs(void)
{
    return for_programs;
}

/* JSON of what a terminal may show, since the whole line passes through cs_output_note(). */
static void put_shown(struct cs_jsonw *w, const char *key, const char *text)
{
    struct cs_strbuf shown = CS_STRBUF_INIT;

    cs_strbuf_put_shown(&shown, text, strlen(text), false);
    cs_jsonw_put_string(w, key, shown.text);
    cs_strbuf_release(&shown);
}

static bool failing_begins(const char *text, const char *path)
{
    const size_t length = path ? strlen(path) : 0;

    return length && strncmp(text, path, length) == 0 && text[length] == ':';
}

/* The file of the command line with which the sentence begins, or NULL. */
static const char *file_of(const struct cs_arguments *args, const char *text)
{
    for (int i = 0; i < args->operands; i++)
        if (failing_begins(text, args->operand[i]))
            return args->operand[i];
    for (const struct cs_param *o = args->options; o && o->name; o++) {
        int count = 0;
        const char *const *more;

        if (o->kind != CS_PARAM_PATH)
            continue;
        more = cs_arguments_texts(args, o->name, &count);
        for (int i = 0; i < count; i++)
            if (failing_begins(text, more[i]))
                return more[i];
        if (failing_begins(text, cs_arguments_text(args, o->name)))
            return cs_arguments_text(args, o->name);
    }
    return NULL;
}

/* From the reader, or from the beginning of the message. */
static void put_file(struct cs_jsonw *w, const struct cs_arguments *args,
                     const struct cs_error *err)
{
    const char *file = err->where[0] ? err->where : args ? file_of(args, err->text) : NULL;
    const char *behind;
    char *end;
    long line = err->line;

    if (!file)
        return;
    put_shown(w, "file", file);
    behind = err->text + strlen(file) + 1;
    if (!err->where[0] && *behind >= '1' && *behind <= '9')
        line = strtol(behind, &end, 10) * (*end == ':');
    if (line)
        cs_jsonw_put_int(w, "line", line);
}

static void put_param(struct cs_jsonw *w, const struct cs_arguments *args, const char *text)
{
    const size_t length = strncmp(text, "--", 2) ? 0 : strcspn(text + 2, " :=");

    for (const struct cs_param *o = args->options; length && o && o->name; o++)
        if (strncmp(o->name, text + 2, length) == 0 && !o->name[length])
            cs_jsonw_put_string(w, "field", o->name);
}

static void put_help(struct cs_jsonw *w, const char *words)
{
    struct cs_strbuf help = CS_STRBUF_INIT;

    cs_strbuf_printf(&help, "cosched help%s%s", *words ? " " : "", words);
    cs_jsonw_put_string(w, "help", help.text);
    cs_strbuf_release(&help);
}

/* A line that makes no sense is for tools what a call is for libraries. */
static const char *failing_kind_of(const struct cs_error *err, int status)
{
    static const char *const name[] = {
        [CS_ERROR_NONE] = "input",      [CS_ERROR_INPUT] = "input",
        [CS_ERROR_USAGE] = "usage",     [CS_ERROR_SYSTEM] = "system",
        [CS_ERROR_MISSING] = "missing", [CS_ERROR_STOPPED] = "stopped",
        [CS_ERROR_POLICY] = "policy",   [CS_ERROR_MEMORY] = "memory",
    };

    return name[status == CS_EXIT_USAGE ? CS_ERROR_USAGE : err->kind];
}

static void report_json(const struct cs_error *err, int status, const struct cs_arguments *args,
                        const char *help)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&out);

    cs_jsonw_open_flat(&w, '{');
    put_shown(&w, "error", err->text);
    cs_jsonw_put_string(&w, "kind", failing_kind_of(err, status));
    cs_jsonw_put_int(&w, "status", status);
    put_file(&w, args, err);
    if (args)
        put_param(&w, args, err->text);
    if (help)
        put_help(&w, help);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    out.text[strcspn(out.text, "\n")] = '\0';
    cs_output_note(out.text);
    cs_strbuf_release(&out);
}

int cs_failing_report(const struct cs_error *err, int status, const struct cs_arguments *args,
                      const char *help)
{
    if (for_programs && err->text[0]) {
        report_json(err, status, args, help);
        return status;
    }
    if (err->text[0])
        cs_output_error(err->text);
    if (help) {
        char text[128];

        cs_plain_print(text, sizeof text, "Try 'cosched help%s%s'.", *help ? " " : "", help);
        cs_output_note(text);
    }
    return status;
}

int cs_failing_report_last(const struct cs_error *err, int status)
{
    char text[CS_ERROR_SIZE + 64];

    cs_plain_print(text, sizeof text, "{\"error\": \"%s\", \"kind\": \"%s\", \"status\": %d}",
                   err->text, failing_kind_of(err, status), status);
    if (for_programs && err->text[0])
        cs_output_note(text);
    else if (err->text[0])
        cs_output_error(err->text);
    return status;
}
