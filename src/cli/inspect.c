/* inspect.c - cosched inspect: what files hold, and which commands take them. */
#include "base/json.h"
#include "cli/base/command.h"
#include "cli/base/failing.h"
#include "cli/base/format.h"
#include "cli/base/output.h"

#include <cosched/case.h>
#include <cosched/convert.h>

static const char *inspect_word(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* "cosched replay monday.swf", "cosched plan ptg ... --platform clusters.json". */
static void put_use(const json_t *use, const char *path, struct cs_strbuf *out)
{
    const char *option = inspect_word(use, "option");

    cs_strbuf_printf(out, "  cosched %s ", inspect_word(use, "command"));
    if (option)
        cs_strbuf_printf(out, "... --%s ", option);
    cs_strbuf_put_shell(out, path);
    cs_strbuf_putc(out, '\n');
}

/* "monday.swf: job log (SWF), 31 jobs, 64 processors", and a line for each command. */
static void put_lines(const json_t *reported, const char *path, struct cs_strbuf *out)
{
    const json_t *use;
    size_t i;

    cs_strbuf_printf(out, "%s: %s\n", inspect_word(reported, "file"),
                     inspect_word(reported, "words"));
    json_array_foreach(json_object_get(reported, "commands"), i, use) put_use(use, path, out);
}

/* Append the description of a file; false with a printed error for an unknown format. */
static bool inspect_file(const struct cs_arguments *args, const char *path, bool json,
                         struct cs_strbuf *out)
{
    struct cs_error err = {0};
    json_t *reported = cs_rows_parse(cs_what(path, NULL, &err));

    if (!reported) {
        cs_failing_report(&err, CS_EXIT_WRONG, args, NULL);
        return false;
    }
    if (json) {
        cs_strbuf_puts(out, out->length ? ",\n" : "[\n");
        cs_json_put(out, reported, 0);
    } else {
        put_lines(reported, path, out);
    }
    json_decref(reported);
    return true;
}

/* Each file for itself: one that is nothing does not hide what is known of the others. */
static int inspect_run(const struct cs_arguments *args, struct cs_error *err)
{
    const bool json = cs_arguments_choice(args, "format") == 1;
    struct cs_strbuf out = CS_STRBUF_INIT;
    int known = 0;

    (void)err;
    for (int i = 0; i < args->operands; i++)
        known += inspect_file(args, cs_arguments_operand(args, i), json, &out);
    if (json && known)
        cs_strbuf_puts(&out, "\n]\n");
    cs_output_put(&out);
    cs_strbuf_release(&out);
    return known == args->operands ? CS_EXIT_DONE : CS_EXIT_WRONG;
}

static const struct cs_operand operands[] = {
    {.name = "FILE",
     .repeats = true,
     .kind = CS_PARAM_PATH,
     .summary = "any file that a command of this tool reads, packed ones too, or the folder of a "
                "run; - reads standard input"},
    {0},
};

static const struct cs_param options[] = {
    {.name = "format",
     .kind = CS_PARAM_CHOICE,
     .choices = "table|json",
     .default_text = "table",
     .summary = "output format: a table, or JSON for programs"},
    {0},
};

static const struct cs_example examples[] = {
    {"Identify an unknown file:", "cosched inspect examples/monday.swf"},
    {"For a program:", "cosched inspect examples/graphs.json --format json"},
    {0},
};

const struct cs_command cs_command_inspect = {
    .words = "inspect",
    .also = "what",
    .summary = "print the format of files and the commands that read them",
    .description =
        "The format is detected from the first line, or from the keys of a JSON file; the name "
        "does not matter. The file is then read completely by the reader of the listed commands, "
        "so errors in it are reported with the same message; of a schedule of more than 4 MiB only "
        "the beginning is read. The most likely command comes "
        "first. For a file of unknown format an error message is printed, the other files are "
        "still listed, and the exit status is 1.\n\n"
        "A table whose columns are name, procs and seconds is a list of jobs if every name is "
        "unique, and otherwise a list of measured times of tasks for several processor counts.\n\n"
        "'cosched what' is the same command.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = inspect_run,
};
