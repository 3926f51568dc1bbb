/* campaign_status.c - cosched campaign status: the progress of campaigns. */
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"

#include <cosched/campaign.h>
#include <string.h>

#define WIDTH 130

enum { DOCUMENT, KIND, QUICK, SHA256, STORE, SHARD, COLUMNS = 18 };

static const struct cs_column columns[COLUMNS] = {
    [DOCUMENT] = {.key = "document", .kind = CS_COLUMN_WORD},
    [KIND] = {.key = "kind", .kind = CS_COLUMN_WORD, .hidden = true},
    [QUICK] = {.key = "quick", .kind = CS_COLUMN_BOOLEAN, .hidden = true},
    [SHA256] = {.key = "sha256", .kind = CS_COLUMN_WORD, .hidden = true},
    [STORE] = {.key = "store", .kind = CS_COLUMN_WORD},
    [SHARD] = {.key = "shard", .kind = CS_COLUMN_WORD},
    {.key = "runs", .kind = CS_COLUMN_COUNT},
    {.key = "done", .kind = CS_COLUMN_COUNT},
    {.key = "share", .kind = CS_COLUMN_FRACTION, .digits = 1},
    {.key = "state", .kind = CS_COLUMN_WORD},
    {.key = "since", .kind = CS_COLUMN_WORD},
    {.key = "runs_per_hour", .heading = "per hour", .kind = CS_COLUMN_DIGITS, .digits = 3},
    {.key = "runs_per_hour_recently", .heading = "recently", .kind = CS_COLUMN_DIGITS, .digits = 3},
    {.key = "seconds_left", .heading = "time left", .kind = CS_COLUMN_SECONDS},
    {.key = "seconds_spent", .heading = "spent", .kind = CS_COLUMN_SECONDS, .hidden = true},
    {.key = "times_started", .heading = "started", .kind = CS_COLUMN_COUNT},
    {.key = "times_killed", .heading = "killed", .kind = CS_COLUMN_COUNT},
    {.key = "file", .kind = CS_COLUMN_WORD, .hidden = true},
};

static const char *store_of(const json_t *row)
{
    return json_string_value(json_object_get(row, "store"));
}

/* Columns with the same value in every row are only for programs. */
static void campaign_status_show(const json_t *rows, enum cs_table_format format)
{
    struct cs_column shown[COLUMNS];
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_table *table;
    const json_t *row;
    size_t r;

    for (int c = 0; c < COLUMNS; c++)
        shown[c] = columns[c];
    shown[STORE].hidden = shown[SHARD].hidden = true;
    json_array_foreach(rows, r, row)
    {
        if (strcmp(store_of(row), store_of(json_array_get(rows, 0))))
            shown[STORE].hidden = false;
        if (!json_is_null(json_object_get(row, "shard")))
            shown[SHARD].hidden = false;
    }
    table = cs_table_create(shown, COLUMNS);
    json_array_foreach(rows, r, row)
    {
        cs_rows_put(table, columns, COLUMNS, row);
    }
    cs_output_table(table, format, WIDTH, &out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    cs_table_destroy(table);
}

static int campaign_status_run(const struct cs_arguments *args, struct cs_error *err)
{
    char *text = cs_campaign_status(args->operand, args->operands, err);
    json_t *rows = cs_rows_parse(text);

    if (!text)
        return -1;
    campaign_status_show(rows, cs_rows_format(cs_arguments_choice(args, "format")));
    json_decref(rows);
    return CS_EXIT_DONE;
}

static const struct cs_operand operands[] = {
    {.name = "STORE.db",
     .repeats = true,
     .kind = CS_PARAM_PATH,
     .summary = "what `campaign run --store` or `paper run --store` writes; several, such as "
                "shards, are shown one by one and together"},
    {0},
};

static const struct cs_param options[] = {CS_PARAM_FORMAT_ROW, {0}};

static const struct cs_example examples[] = {
    {"How far is it?", "cosched campaign status trial.db"},
    {"The shards of an array of jobs:", "cosched campaign status trial-slurm/shard-*.db"},
    {"Every ten seconds:", "watch -n 10 cosched campaign status trial.db"},
    {0},
};

const struct cs_command cs_command_campaign_status = {
    .words = "campaign status",
    .summary = "show the progress of campaigns",
    .description =
        "For each sweep and paper in the stores: the number of finished runs, whether a campaign "
        "is running on it and since when (UTC), runs per hour since then and over the last "
        "minute (or the last 20 runs, if these took longer), and the remaining time at that "
        "rate. `killed` counts campaigns that were killed; their finished runs are stored. "
        "Reading the status does not disturb a running campaign.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = campaign_status_run,
};
