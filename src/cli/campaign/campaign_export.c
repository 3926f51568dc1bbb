/* campaign_export.c - cosched campaign export: the runs of a campaign as a tidy table. */
#include "base/plain.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"

#include <cosched/campaign.h>
#include <cosched/case.h>
#include <string.h>

/* The value of --format, else the extension of the file. */
static bool is_json(const struct cs_arguments *args)
{
    const char *output = cs_arguments_text(args, "output");
    const size_t length = output ? strlen(output) : 0;

    if (cs_arguments_has(args, "format"))
        return cs_arguments_choice(args, "format") == 1;
    return length > 5 && !cs_plain_compare(output + length - 5, ".json");
}

static int campaign_export_this(const struct cs_arguments *args, const char *path,
                                struct cs_strbuf *out, struct cs_error *err)
{
    const struct cs_campaign_export_options options = {
        .size = sizeof options,
        .document = cs_arguments_text(args, "document"),
        .metrics = cs_arguments_text(args, "metrics"),
        .json = is_json(args),
        .partial = cs_arguments_has(args, "partial"),
    };
    const struct cs_watch watch = {.size = sizeof watch, .warn = cs_output_warn_of};
    size_t length;
    char *text = cs_campaign_export(path, &options, &watch, &length, err);

    if (text)
        cs_strbuf_append(out, text, length);
    cs_free(text);
    return text ? 0 : -1;
}

static int check_ending(const struct cs_arguments *args, const char *output, struct cs_error *err)
{
    const bool json = is_json(args);

    return output ? cs_ending_check(json ? "--format json" : "--format csv", output,
                                    json ? "FILE.json" : "FILE.csv", err)
                  : 0;
}

static int campaign_export_run(const struct cs_arguments *args, struct cs_error *err)
{
    const char *path = cs_arguments_operand(args, 0), *output = cs_arguments_text(args, "output");
    struct cs_strbuf out = CS_STRBUF_INIT;

    if (cs_output_apart_store(output, path, err))
        return -1;
    if (check_ending(args, output, err))
        return CS_EXIT_USAGE;
    if (cs_output_check(output, err) || campaign_export_this(args, path, &out, err))
        return -1;
    return cs_output_save(output, &out, err);
}

static const struct cs_operand operands[] = {
    {.name = "STORE.db", .kind = CS_PARAM_PATH, .summary = "where the runs are"},
    {0},
};

static const struct cs_param options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CS_PARAM_PATH,
     .argument = "FILE",
     .summary = "where to; default: standard output"},
    {.name = "format",
     .kind = CS_PARAM_CHOICE,
     .choices = "csv|json",
     .default_text = "csv",
     .summary = "a table with a header, or an array of objects, which FILE.json is without it"},
    CS_PARAM_CSV_SAFE_ROW,
    {.name = "metrics",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME,...",
     .summary =
         "only these, in this order; default: those of the sweep, or of a paper all that are "
         "no measured times"},
    CS_PARAM_DOCUMENT_ROW,
    CS_PARAM_PARTIAL_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"A table for R, pandas or gnuplot:", "cosched campaign export trial.db -o trial.csv"},
    {"Show the progress in two columns:",
     "cosched campaign export trial.db --partial --metrics ratio,waste"},
    {0},
};

const struct cs_command cs_command_campaign_export = {
    .words = "campaign export",
    .summary = "write the runs of a campaign as a tidy table",
    .description =
        "A row for every run, in the order of the sweep or paper. The columns are the parameters "
        "that vary, the replicate, its seed, the SHA-256 of the instance that it ran on, and the "
        "metrics. A finished campaign gives the same bytes regardless of threads, interruptions "
        "and shards on several machines. Measured times differ from run to run; they are written "
        "only if they are requested by name.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = campaign_export_run,
};
