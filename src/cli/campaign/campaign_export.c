/* campaign_export.c - cosched campaign export: the runs of a campaign as a tidy table. */
#include "campaign/export.h"
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "cli/campaign/campaign.h"
#include "study/rows.h"

#include <string.h>

/* What is read is one moment of the store, also while a run goes on. */
static int export(const struct cs_arguments *args, struct cs_store *store, struct cs_strbuf *out,
                  struct cs_error *err)
{
    const struct cs_export_options options = {
        .format = cs_arguments_choice(args, "format") ? CS_EXPORT_JSON : CS_EXPORT_CSV,
        .metrics = cs_arguments_text(args, "metrics"),
        .partial = cs_arguments_given(args, "partial"),
    };
    struct cs_arena *arena = cs_arena_create();
    const struct cs_document *document;
    int missing = 0, status = cs_store_begin(store, err);

    document = status
                   ? NULL
                   : cs_campaign_document(store, cs_arguments_text(args, "document"), arena, err);
    status = document ? cs_export_write(store, document, &options, out, &missing, err) : -1;
    cs_store_rollback(store);
    if (!status && missing)
        cs_output_warn("%s: %d runs of %s are missing", cs_store_path(store), missing,
                       document->name);
    cs_arena_destroy(arena);
    return status;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    const char *path = cs_arguments_operand(args, 0), *output = cs_arguments_text(args, "output");
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_store *store;
    int status;

    if (cs_output_apart_store(output, path, err) || cs_output_check(output, err))
        return -1;
    store = cs_store_open(path, CS_STORE_READ, err);
    if (!store)
        return -1;
    status = export(args, store, &out, err);
    if (!status)
        status = cs_output_save(output, &out, err);
    cs_strbuf_release(&out);
    cs_store_close(store);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "STORE.db", .kind = CS_FIELD_PATH, .summary = "where the runs are"},
    {0},
};

static const struct cs_field options[] = {
    CS_ROW_OUTPUT("FILE", 0),
    {.name = "format",
     .kind = CS_FIELD_CHOICE,
     .choices = "csv|json",
     .fallback = "csv",
     .summary = "a table with a header, or an array of objects"},
    {.name = "metrics",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME,...",
     .summary =
         "only these, in this order; default: those of the sweep, or of a paper all that are "
         "no measured times"},
    CS_FIELD_DOCUMENT_ROW,
    {.name = "partial",
     .kind = CS_FIELD_FLAG,
     .summary = "of a campaign that is not finished, what is there"},
    {0},
};

static const struct cs_example examples[] = {
    {"A table for R, pandas or gnuplot:", "cosched campaign export trial.db -o trial.csv"},
    {"How far it has come, in two columns:",
     "cosched campaign export trial.db --partial --metrics ratio,waste"},
    {0},
};

const struct cs_command cs_command_campaign_export = {
    .words = "campaign export",
    .summary = "write the runs of a campaign as a tidy table",
    .description =
        "A row for every run, in the order of the sweep or paper. The columns are the parameters "
        "that vary, the replicate, its seed, the SHA-256 of the instance that it ran on, and the "
        "metrics. A finished campaign gives the same bytes whatever happened to it on the way: any "
        "number of threads, ended and continued, in shards on several machines. Times that were "
        "measured differ from run to run; they are there only when they are asked for by name.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
