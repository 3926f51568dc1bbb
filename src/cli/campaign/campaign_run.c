/* campaign_run.c - cosched campaign run: the cells of a sweep that its store lacks. */
#include "base/arena.h"
#include "base/number.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "cli/base/progress.h"
#include "cli/campaign/store_rows.h"
#include "report/human.h"
#include "report/table.h"

#include <cosched/campaign.h>

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

/* combinations and their means. */

#define ROWS 200 /* for people */

static const char *word_of(const json_t *column, const char *key)
{
    return json_string_value(json_object_get(column, key));
}

/* Has any combination a value? */
static bool is_there(const json_t *rows, size_t column)
{
    const json_t *row;
    size_t r;

    json_array_foreach(rows, r, row)
    {
        if (!json_is_null(json_array_get(row, column)))
            return true;
    }
    return false;
}

static struct cs_column axis_of(const json_t *axis)
{
    const bool numbers = json_is_true(json_object_get(axis, "numbers"));

    return (struct cs_column){.key = word_of(axis, "name"),
                              .kind = numbers ? CS_COLUMN_DIGITS : CS_COLUMN_WORD,
                              .digits = 9};
}

/* The mean of a metric, or the column behind it, which is not shown without it or of one replicate.
 */
static struct cs_column figure_of(const json_t *found, size_t c)
{
    const json_t *figure = json_array_get(json_object_get(found, "columns"), c);
    const bool mean = !strcmp(word_of(figure, "kind"), "mean");
    const bool empty = !is_there(json_object_get(found, "rows"), mean ? c : c - 1);
    const bool once = json_integer_value(json_object_get(found, "replicates")) == 1;

    return (struct cs_column){.key = word_of(figure, "name"),
                              .heading = mean ? word_of(figure, "metric") : "± 95 %",
                              .kind = CS_COLUMN_DIGITS,
                              .digits = mean ? 5 : 2,
                              .hidden = empty || (!mean && once)};
}

static struct cs_column column_of(const json_t *found, size_t c)
{
    const json_t *column = json_array_get(json_object_get(found, "columns"), c);
    const char *kind = word_of(column, "kind");

    if (!strcmp(kind, "axis"))
        return axis_of(column);
    if (!strcmp(kind, "runs"))
        return (struct cs_column){.key = word_of(column, "name"), .kind = CS_COLUMN_COUNT};
    return figure_of(found, c);
}

/* Append the columns and rows of the result of cs_campaign_run. For users the table ends after some
 * hundred rows. */
static void campaign_table(const json_t *found, enum cs_table_format format, struct cs_strbuf *out)
{
    const json_t *rows = json_object_get(found, "rows"), *row;
    const size_t columns = json_array_size(json_object_get(found, "columns"));
    struct cs_arena *arena = cs_arena_create();
    struct cs_column *column = CS_NEW_ARRAY(arena, struct cs_column, columns);
    struct cs_table *table;
    size_t r;

    for (size_t c = 0; c < columns; c++)
        column[c] = column_of(found, c);
    table = cs_table_create(column, (int)columns);
    json_array_foreach(rows, r, row)
    {
        if (r < ROWS || format != CS_TABLE_TEXT)
            cs_rows_put_list(table, column, columns, row);
    }
    cs_output_table(table, format, 0, out);
    if (r > ROWS && format == CS_TABLE_TEXT)
        cs_strbuf_printf(out, "... and %zu more; --format csv shows them all\n", r - ROWS);
    cs_table_destroy(table);
    cs_arena_destroy(arena);
}

#define MEMORY ":memory:"
#define SHARDS 1000000

struct study {
    const struct cs_arguments *args;
    struct cs_arena *arena;
    const char *sweep, *store, *command;
    int shard, shards; /* 0: no shards */
    struct cs_campaign_ran ran;
    struct cs_progress bar;
    bool begun;
};

/* ---- what the library asks on the way ---- */

/* From here on a signal loses nothing. */
static void show_progress(void *who, double share)
{
    struct study *study = who;

    (void)share;
    if (!study->begun) {
        study->begun = true;
        cs_stop_catch();
        study->bar = cs_progress_begin(1);
        study->bar.unit = "runs";
        return;
    }
    study->bar.total = (double)study->ran.lacking;
    cs_progress_show(&study->bar, (double)study->ran.done);
}

/* ---- request ---- */

/* "I/N" */
static int read_shard(struct study *study, struct cs_error *err)
{
    const char *text = cs_arguments_text(study->args, "shard");
    const char *slash = text ? strchr(text, '/') : NULL;

    if (!text)
        return 0;
    if (slash &&
        cs_number_int(cs_arena_strndup(study->arena, text, (size_t)(slash - text)),
                      &study->shard) == CS_NUMBER_FINE &&
        cs_number_int(slash + 1, &study->shards) == CS_NUMBER_FINE && study->shard >= 1 &&
        study->shard <= study->shards && study->shards <= SHARDS)
        return 0;
    return cs_error_set(err, "--shard %s: expected I/N, such as 3/8, with I from 1 to N", text);
}

/* The command that resumes, and the one that reproduces the results. */
static const char *make_command(const struct study *study)
{
    const char *store = cs_arguments_text(study->args, "store");
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *command;
    int conditions;
    const char *const *condition = cs_arguments_texts(study->args, "where", &conditions);

    cs_strbuf_puts(&text, "cosched campaign run ");
    cs_strbuf_put_shell(&text, study->sweep);
    if (store) {
        cs_strbuf_puts(&text, " --store ");
        cs_strbuf_put_shell(&text, store);
    }
    if (study->shards)
        cs_strbuf_printf(&text, " --shard %d/%d", study->shard, study->shards);
    for (int c = 0; c < conditions; c++) {
        cs_strbuf_puts(&text, " --where ");
        cs_strbuf_put_shell(&text, condition[c]);
    }
    command = cs_arena_strdup(study->arena, text.text);
    cs_strbuf_release(&text);
    return command;
}

/* "sweep.db" of "folder/sweep.json", and of standard input, unless --store is given. */
static const char *find_store(const struct study *study)
{
    const char *supplied = cs_arguments_text(study->args, "store"), *path;
    const char *file = strcmp(study->sweep, "-") ? study->sweep : "sweep";
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    const char *dot = strrchr(base, '.');
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (supplied)
        return supplied;
    cs_strbuf_append(&text, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
    cs_strbuf_puts(&text, ".db");
    path = cs_arena_strdup(study->arena, text.text);
    cs_strbuf_release(&text);
    return path;
}

static char *campaign_run_compute(struct study *study, struct cs_error *err)
{
    const struct cs_watch watch = {.size = sizeof watch,
                                   .stop = cs_stop_asked,
                                   .progress = show_progress,
                                   .warn = cs_output_warn_of,
                                   .who = study};
    struct cs_campaign_run_options options = {
        .size = sizeof options,
        .shard = study->shard,
        .shards = study->shards,
        .threads = (int)cs_arguments_integer(study->args, "threads"),
        .other_build = cs_arguments_has(study->args, "allow-other-build"),
        .foreign = cs_arguments_has(study->args, "allow-other-campaign"),
        .command = study->command,
    };
    char *text;

    options.where = cs_arguments_texts(study->args, "where", &options.conditions);
    text = cs_campaign_run(study->sweep, study->store, &options, &watch, &study->ran, err);
    cs_progress_end(&study->bar);
    return text;
}

/* ---- output ---- */

static bool is_kept(const struct study *study)
{
    return strcmp(study->store, MEMORY) != 0;
}

/* The status of a command that a signal stopped, or of any other failure. */
static int campaign_run_failed(const struct study *study, struct cs_error *err)
{
    const struct cs_campaign_ran *ran = &study->ran;
    struct cs_error why = {0};

    if (!cs_stop_signal() || err->kind != CS_ERROR_STOPPED)
        return CS_EXIT_WRONG;
    if (is_kept(study))
        cs_error_set_as(&why, CS_ERROR_STOPPED,
                        "stopped after %" PRId64 " of %" PRId64
                        " runs; finished runs are in %s. To continue: %s",
                        ran->runs - ran->lacking + ran->done, ran->runs, study->store,
                        study->command);
    else
        cs_error_set_as(&why, CS_ERROR_STOPPED, "stopped; a campaign in memory stores no results");
    *err = why;
    return CS_EXIT_SIGNAL + cs_stop_signal();
}

static void campaign_run_report(const struct study *study, const json_t *found)
{
    enum cs_table_format format = cs_rows_format(cs_arguments_choice(study->args, "format"));
    struct cs_strbuf text = CS_STRBUF_INIT;
    const json_t *warning;
    size_t w;

    campaign_table(found, format, &text);
    if (format == CS_TABLE_TEXT) {
        cs_strbuf_putc(&text, '\n');
        cs_human_units(&text, (long)study->ran.runs, "run");
        if (study->shards)
            cs_strbuf_printf(&text, " of shard %d of %d", study->shard, study->shards);
        if (is_kept(study))
            cs_strbuf_printf(&text, " in %s", study->store);
        cs_strbuf_putc(&text, '\n');
    }
    cs_output_put(&text);
    cs_strbuf_release(&text);
    json_array_foreach(json_object_get(found, "warnings"), w, warning)
        cs_output_warn(json_string_value(warning));
}

static int run_sweep(struct study *study, struct cs_error *err)
{
    json_t *found;

    study->command = make_command(study);
    study->store = find_store(study);
    found = cs_rows_parse(campaign_run_compute(study, err));
    if (!found)
        return campaign_run_failed(study, err);
    campaign_run_report(study, found);
    json_decref(found);
    return CS_EXIT_DONE;
}

static int campaign_run_this(const struct cs_arguments *args, struct cs_error *err)
{
    struct study study = {
        .args = args, .arena = cs_arena_create(), .sweep = cs_arguments_operand(args, 0)};
    int status = read_shard(&study, err) ? CS_EXIT_USAGE : run_sweep(&study, err);

    cs_arena_destroy(study.arena);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "SWEEP",
     .kind = CS_PARAM_PATH,
     .summary = "a JSON file with fixed and varied parameters; see 'Experiment, JSON' in "
                "docs/formats.md"},
    {0},
};

static const struct cs_param options[] = {
    {.name = "store",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.db",
     .summary = "SQLite file for the results; :memory: stores no file (default: the name of "
                "SWEEP with .db, in the current directory)"},
    CS_PARAM_STORE_ROWS,
    CS_PARAM_THREADS(0, 0),
    {.name = "shard",
     .kind = CS_PARAM_TEXT,
     .argument = "I/N",
     .summary = "run only share I of N, for N machines; give each a separate store"},
    {.name = "where",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME=VALUE",
     .repeats = true,
     .summary = "only the runs in which what varies has this value, such as policy=easy or "
                "replicate=0; the same name again is an alternative"},
    CS_PARAM_FORMAT_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"A sweep, from its beginning or from where it was stopped:",
     "cosched campaign run examples/sweeps/rigid.json"},
    {"The same on two machines:",
     "cosched campaign run examples/sweeps/rigid.json --store one.db --shard 1/2"},
    {"One of its numbers again:", "cosched campaign run examples/sweeps/rigid.json --store "
                                  ":memory: --where way=R-LIST-0 --where "
                                  "procs=5000"},
    {0},
};

const struct cs_command cs_command_campaign_run = {
    .words = "campaign run",
    .summary = "run every combination of parameters that a file asks for, and keep the results",
    .description =
        "Run the cells that the store does not have yet. Each result is stored as soon as it is "
        "finished: after Ctrl-C or a kill the same command resumes where it stopped. (After a "
        "power cut the last few results may be missing; then they are run again.) Once all runs "
        "are stored it prints the mean of each metric over the replicates, and half the width of "
        "its 95 % confidence interval.\n\n"
        "A store can hold several sweeps (--allow-other-campaign adds another one); runs that two "
        "of them "
        "share are executed once. Runs of several builds of cosched are not mixed unless "
        "--allow-other-build is given: their results may differ. One process writes a store at a "
        "time. "
        "The results depend neither on the threads nor on how often the campaign was stopped. "
        "When a run fails the campaign stops and prints the parameters of that run; finished "
        "runs stay in the store.\n\n"
        "A sweep whose policy is a program (policy_program) is rejected unless "
        "COSCHED_PROGRAMS=run is in the environment, because it may be an untrusted command "
        "(docs/policies.md).\n\n"
        "Ctrl-C (or SIGTERM) finishes the current runs and exits with status 130 (143); a second "
        "one exits immediately.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = campaign_run_this,
};
