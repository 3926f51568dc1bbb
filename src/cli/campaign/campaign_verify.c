/* campaign_verify.c - cosched campaign verify: are stores whole? */
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"

#include <cosched/campaign.h>

static const struct cs_column columns[] = {
    {.key = "store", .kind = CS_COLUMN_WORD},
    {.key = "verdict", .kind = CS_COLUMN_WORD},
    {.key = "documents", .kind = CS_COLUMN_COUNT},
    {.key = "runs", .heading = "runs", .kind = CS_COLUMN_COUNT},
    {.key = "run_again", .heading = "again", .kind = CS_COLUMN_COUNT},
    {.key = "inputs", .kind = CS_COLUMN_COUNT},
    {.key = "inputs_changed", .heading = "changed", .kind = CS_COLUMN_COUNT},
    {.key = "inputs_missing", .heading = "missing", .kind = CS_COLUMN_COUNT},
    {.key = "builds", .heading = "run by cosched", .kind = CS_COLUMN_WORD},
};

#define COLUMNS (sizeof columns / sizeof *columns)

/* A row for a store; the error of the first damaged one is stored in `why`. */
static int campaign_verify_inspect(const struct cs_arguments *args, const char *path,
                                   struct cs_table *table, struct cs_error *why,
                                   struct cs_error *err)
{
    char *text = cs_campaign_verify(path, (int)cs_arguments_integer(args, "recheck"),
                                    (int)cs_arguments_integer(args, "threads"), NULL, err);
    json_t *found = cs_rows_parse(text);
    const char *error_text = json_string_value(json_object_get(found, "why"));

    if (!text)
        return -1;
    cs_rows_put(table, columns, COLUMNS, found);
    if (error_text && !*why->text)
        cs_error_set(why, "%s", error_text);
    json_decref(found);
    return 0;
}

/* Every store is looked at; the first that is damaged is the error. */
static int campaign_verify_run(const struct cs_arguments *args, struct cs_error *err)
{
    struct cs_table *table = cs_table_create(columns, COLUMNS);
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_error why = {0};
    int status = 0;

    for (int i = 0; i < args->operands && !status; i++)
        status = campaign_verify_inspect(args, cs_arguments_operand(args, i), table, &why, err);
    if (!status) {
        cs_output_table(table, cs_rows_format(cs_arguments_choice(args, "format")), 0, &out);
        cs_output_put(&out);
    }
    if (!status && *why.text)
        status = cs_error_pass(err, &why);
    cs_strbuf_release(&out);
    cs_table_destroy(table);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "STORE.db",
     .repeats = true,
     .kind = CS_PARAM_PATH,
     .summary = "what `campaign run` or `paper run --store` writes"},
    {0},
};

static const struct cs_param options[] = {
    {.name = "recheck",
     .old = "again",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .default_text = "0",
     .low = 0,
     .high = 1000000,
     .summary = "repeat this number of runs of each campaign, evenly chosen, and compare: every "
                "number that is not a measured time must be the same"},
    CS_PARAM_THREADS(0, 0),
    CS_PARAM_FORMAT_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"Has the copy arrived whole?", "cosched campaign verify trial.db"},
    {"Would this build find the same?", "cosched campaign verify trial.db --recheck 20"},
    {0},
};

const struct cs_command cs_command_campaign_verify = {
    .words = "campaign verify",
    .summary = "read all of a store and verify its checksums",
    .description =
        "Every row of a store has a digest and every table a sum of these, so corrupted bytes, "
        "changed or missing rows and truncated files are detected. All commands verify the rows "
        "that they read; this one reads everything: the pages of the file, every row, and "
        "whether the input files still exist with the same bytes (a store is whole without "
        "them). It also lists the builds of cosched that made the results.\n\n"
        "The result 'not run' means that the store is whole as far as it was read, but that "
        "--recheck could not run, for example because an input is missing or a command is not "
        "permitted (docs/policies.md).\n\n"
        "Exit status: 0 when all stores are whole, 1 when one is not.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = campaign_verify_run,
};
