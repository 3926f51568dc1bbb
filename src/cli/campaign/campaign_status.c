/* campaign_status.c - cosched campaign status: how far campaigns have come. */
#include "campaign/status.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "report/table.h"

#include <math.h>
#include <time.h>

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

/* "2026-11-21T09:40:05Z" */
static void put_time(struct cs_table *table, double seconds)
{
    time_t whole = (time_t)seconds;
    char text[32];
    struct tm parts;

    if (isnan(seconds) || !gmtime_r(&whole, &parts) ||
        !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts))
        cs_table_unknown(table);
    else
        cs_table_text(table, text);
}

static void put_shard(struct cs_table *table, const struct cs_status_row *row)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (row->shards)
        cs_strbuf_printf(&text, "%d/%d", row->shard, row->shards);
    cs_table_text(table, row->shards ? text.text : NULL);
    cs_strbuf_release(&text);
}

static void put_row(struct cs_table *table, const struct cs_status_row *row)
{
    cs_table_text(table, row->document->name);
    cs_table_text(table, row->document->kind);
    cs_table_count(table, row->document->quick);
    cs_table_text(table, row->document->sha256);
    cs_table_text(table, row->store ? row->store : "all");
    put_shard(table, row);
    cs_table_count(table, row->cells);
    cs_table_count(table, row->done);
    cs_table_number(table, row->cells ? (double)row->done / row->cells : 1);
    cs_table_text(table, cs_status_word(row->state));
    put_time(table, row->since);
    cs_table_number(table, row->rate * 3600);
    cs_table_number(table, row->recent * 3600);
    cs_table_number(table, row->left);
    cs_table_number(table, row->seconds);
    cs_table_count(table, row->runs);
    cs_table_count(table, row->killed);
    cs_table_text(table, row->document->file);
}

/* Columns that say the same in every row are only for programs. */
static void show(const struct cs_status *status, enum cs_table_format format)
{
    struct cs_column shown[COLUMNS];
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_table *table;

    for (int c = 0; c < COLUMNS; c++)
        shown[c] = columns[c];
    shown[STORE].hidden = shown[SHARD].hidden = true;
    for (int r = 0; r < status->count; r++) {
        shown[STORE].hidden = shown[STORE].hidden && status->row[r].store == status->row[0].store;
        shown[SHARD].hidden = shown[SHARD].hidden && !status->row[r].shards;
    }
    table = cs_table_create(shown, COLUMNS);
    for (int r = 0; r < status->count; r++)
        put_row(table, &status->row[r]);
    cs_output_table(table, format, WIDTH, &out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    cs_table_destroy(table);
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_REALTIME, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    static const enum cs_table_format formats[] = {
        [CS_FORMAT_TABLE] = CS_TABLE_TEXT,
        [CS_FORMAT_JSON] = CS_TABLE_JSON,
        [CS_FORMAT_CSV] = CS_TABLE_CSV,
    };
    struct cs_status *status = cs_status_create(args->operand, args->operands, now(), err);

    if (!status)
        return -1;
    show(status, formats[cs_arguments_choice(args, "format")]);
    cs_status_destroy(status);
    return CS_EXIT_DONE;
}

static const struct cs_operand operands[] = {
    {.name = "STORE.db",
     .repeats = true,
     .kind = CS_FIELD_PATH,
     .summary = "what `campaign run --store` or `paper run --store` writes; several, such as "
                "shards, are shown one by one and together"},
    {0},
};

static const struct cs_field options[] = {CS_FIELD_FORMAT_ROW, {0}};

static const struct cs_example examples[] = {
    {"How far is it?", "cosched campaign status trial.db"},
    {"The shards of an array of jobs:", "cosched campaign status trial-slurm/shard-*.db"},
    {"Every ten seconds:", "watch -n 10 cosched campaign status trial.db"},
    {0},
};

const struct cs_command cs_command_campaign_status = {
    .words = "campaign status",
    .summary = "show how far campaigns have come",
    .description =
        "For each sweep and paper in the stores: how many of its runs are there, whether somebody "
        "is working on it and since when (universal time), how many runs an hour brought since "
        "then and how many the last minute would bring (or the last 20 runs, where these took "
        "longer), and how long the rest will take at that pace. `killed` counts those that were "
        "ended before they could say so; what they had finished is there. Looking does not disturb "
        "whoever works on a store.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
