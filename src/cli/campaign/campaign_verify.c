/* campaign_verify.c - cosched campaign verify: are stores whole? */
#include "base/thread.h"
#include "campaign/verify.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "report/table.h"

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

static void put_row(struct cs_table *table, const char *path, int status,
                    const struct cs_verified *v)
{
    cs_table_text(table, path);
    cs_table_text(table, !status ? "whole" : v->refused ? "not run" : "damaged");
    cs_table_count(table, v->documents);
    cs_table_count(table, v->cells);
    cs_table_count(table, v->again);
    cs_table_count(table, v->inputs);
    cs_table_count(table, v->changed);
    cs_table_count(table, v->gone);
    cs_table_text(table, v->builds);
}

/* Every store is looked at; the first that is damaged is the error. */
static int run(const struct cs_arguments *args, struct cs_error *err)
{
    static const enum cs_table_format formats[] = {
        [CS_FORMAT_TABLE] = CS_TABLE_TEXT,
        [CS_FORMAT_JSON] = CS_TABLE_JSON,
        [CS_FORMAT_CSV] = CS_TABLE_CSV,
    };
    int threads = (int)cs_arguments_integer(args, "threads"), status = CS_EXIT_DONE;
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);
    struct cs_strbuf out = CS_STRBUF_INIT;

    for (int i = 0; i < args->operands; i++) {
        const char *path = cs_arguments_operand(args, i);
        struct cs_verified verified;
        struct cs_error why = {{0}};
        int one =
            cs_verify_store(path, (int)cs_arguments_integer(args, "again"),
                            threads ? threads : cs_thread_limit(), args->arena, &verified, &why);

        put_row(table, path, one, &verified);
        if (one && !status)
            status = cs_error_set(err, "%s", why.text);
    }
    cs_output_table(table, formats[cs_arguments_choice(args, "format")], 0, &out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    cs_table_destroy(table);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "STORE.db",
     .repeats = true,
     .kind = CS_FIELD_PATH,
     .summary = "what `campaign run` or `paper run --store` writes"},
    {0},
};

static const struct cs_field options[] = {
    {.name = "again",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .fallback = "0",
     .low = 0,
     .high = 1000000,
     .summary = "run so many runs of each campaign once more, evenly chosen, and compare: every "
                "number that is not a measured time must be the same"},
    CS_FIELD_THREADS(0, 0),
    CS_FIELD_FORMAT_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"Has the copy arrived whole?", "cosched campaign verify trial.db"},
    {"Would this build find the same?", "cosched campaign verify trial.db --again 20"},
    {0},
};

const struct cs_command cs_command_campaign_verify = {
    .words = "campaign verify",
    .summary = "read all of a store, and say whether it is what was stored",
    .description =
        "Every row of a store has a digest and every table a sum of these, so that a byte that "
        "turned on a disk, a row that was changed or is gone, and half a file are noticed. All "
        "commands look at what they read; this one reads everything: the pages of the file, every "
        "row, and whether the files that were read are still there with the same bytes (a store "
        "is whole without them). It also says which builds of cosched the results are from.\n\n"
        "The verdict 'not run' means that the store is whole as far as it was read, but that "
        "--again could not run: an input is gone, say, or nobody consented to a command "
        "(docs/policies.md).\n\n"
        "Exit status: 0 when all stores are whole, 1 when one is not.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
