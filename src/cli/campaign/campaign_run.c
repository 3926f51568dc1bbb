/* campaign_run.c - cosched campaign run: the cells of a sweep that its store lacks. */
#include "base/number.h"
#include "base/thread.h"
#include "campaign/store.h"
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "cli/base/progress.h"
#include "cli/base/stop.h"
#include "cli/campaign/campaign_table.h"
#include "cli/campaign/papers.h"
#include "report/human.h"

#include <inttypes.h>
#include <string.h>

#define SHARDS 1000000

struct job {
    const struct cs_arguments *args;
    struct cs_arena *arena;
    struct cs_experiment *experiment;
    struct cs_results *results;
    struct cs_store *store;
    const char *store_path, *command;
    int shard, shards; /* 0: no shards */
    int count;         /* cells that are to be run, or are in the store */
    bool *keep;        /* one for each cell: is it one of them */
    struct cs_progress bar;
    int done, lacking; /* cells done of those that the store lacked; 0 when nobody has counted */
};

static void show_progress(void *who, int done, int count)
{
    struct job *job = who;

    job->bar.total = count;
    job->done = done;
    job->lacking = count;
    cs_progress_show(&job->bar, done);
}

/* "I/N" */
static int read_shard(struct job *job, struct cs_error *err)
{
    const char *text = cs_arguments_text(job->args, "shard");
    const char *slash = text ? strchr(text, '/') : NULL;

    if (!text)
        return 0;
    if (slash &&
        cs_number_int(cs_arena_strndup(job->arena, text, (size_t)(slash - text)), &job->shard) ==
            CS_NUMBER_FINE &&
        cs_number_int(slash + 1, &job->shards) == CS_NUMBER_FINE && job->shard >= 1 &&
        job->shard <= job->shards && job->shards <= SHARDS)
        return 0;
    return cs_error_set(err, "--shard %s: expected I/N, such as 3/8, with I from 1 to N", text);
}

/* The cells of the shard that meet the conditions. */
static int choose_cells(struct job *job, struct cs_error *err)
{
    const struct cs_experiment *experiment = job->experiment;
    int conditions;
    const char *const *condition = cs_arguments_texts(job->args, "where", &conditions);

    job->keep = CS_NEW_ARRAY(job->arena, bool, experiment->count);
    for (int c = 0; c < experiment->count; c++)
        job->keep[c] = !job->shards || cs_grid_shard_has(c, job->shard, job->shards);
    if (cs_experiment_where(experiment, condition, conditions, job->keep, err))
        return -1;
    for (int c = 0; c < experiment->count; c++)
        job->count += job->keep[c];
    if (!job->count && conditions)
        return cs_error_set(err, "%s: no run meets all conditions", experiment->file);
    return 0;
}

/* What a paper needs is given to `paper run`. */
static int check_needs(const struct job *job, struct cs_error *err)
{
    const struct cs_experiment_need *need = cs_experiment_missing(job->experiment);

    if (!need)
        return 0;
    return cs_error_set(err, "%s needs %s as '%s'; `cosched paper run` can be given it",
                        job->experiment->file, need->what, need->parameter);
}

/* What to type to go on, and to get the same again. */
static const char *make_command(const struct job *job)
{
    const char *store = cs_arguments_text(job->args, "store");
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *command;
    int conditions;
    const char *const *condition = cs_arguments_texts(job->args, "where", &conditions);

    cs_strbuf_puts(&text, "cosched campaign run ");
    cs_strbuf_put_shell(&text, job->experiment->file);
    if (store) {
        cs_strbuf_puts(&text, " --store ");
        cs_strbuf_put_shell(&text, store);
    }
    if (job->shards)
        cs_strbuf_printf(&text, " --shard %d/%d", job->shard, job->shards);
    for (int c = 0; c < conditions; c++) {
        cs_strbuf_puts(&text, " --where ");
        cs_strbuf_put_shell(&text, condition[c]);
    }
    command = cs_arena_strdup(job->arena, text.text);
    cs_strbuf_release(&text);
    return command;
}

/* STEM.db here, unless --store says something else. */
static const char *find_store(const struct job *job)
{
    const char *given = cs_arguments_text(job->args, "store");
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *path;

    cs_strbuf_printf(&text, "%s.db", job->experiment->name);
    path = given ? given : cs_arena_strdup(job->arena, text.text);
    cs_strbuf_release(&text);
    return path;
}

static int check_files(const struct job *job, struct cs_store *store, struct cs_error *err)
{
    return cs_results_check_files(job->results, job->keep, store, err);
}

static int add_document(struct job *job, int threads, struct cs_error *err)
{
    int64_t id;

    if (!cs_arguments_given(job->args, "foreign") &&
        cs_experiment_refuse_foreign(job->experiment, job->store, err))
        return -1;
    return cs_store_begin_shard(job->store, job->command, threads, job->shard, job->shards, err) ||
                   cs_experiment_keep(job->experiment, job->store, &id, err) ||
                   check_files(job, job->store, err)
               ? -1
               : 0;
}

/* A campaign that is refused leaves nothing in the store. */
static int open_store(struct job *job, int threads, struct cs_error *err)
{
    job->store_path = find_store(job);
    if (check_files(job, NULL, err))
        return -1;
    job->store = cs_store_open(job->store_path, cs_papers_store_mode(job->args), err);
    if (!job->store || cs_store_begin(job->store, err))
        return -1;
    if (!add_document(job, threads, err))
        return cs_store_commit(job->store, err);
    cs_store_rollback(job->store);
    return -1;
}

static bool is_kept(const struct job *job)
{
    return strcmp(job->store_path, CS_STORE_MEMORY) != 0;
}

static int stopped(const struct job *job, int signal, struct cs_error *err)
{
    struct cs_error why = {{0}};

    if (is_kept(job))
        cs_error_set(&why, "stopped after %d of %d runs; what is finished is in %s. To go on: %s",
                     job->count - job->lacking + job->done, job->count, job->store_path,
                     job->command);
    else
        cs_error_set(&why, "stopped; nothing is kept of a campaign in memory");
    *err = why;
    return CS_EXIT_SIGNAL + signal;
}

/* 0, -1, or CS_EXIT_SIGNAL and a signal. */
static int compute(struct job *job, int threads, struct cs_error *err)
{
    const struct cs_grid_options options = {
        .threads = threads,
        .store = job->store,
        .stop = cs_stop_catch(),
        .progress = show_progress,
        .who = job,
    };
    struct cs_error ignored = {{0}};
    int status;

    job->bar = cs_progress_begin(1);
    job->bar.unit = "runs";
    status = cs_results_run(job->results, job->keep, &options, err);
    cs_progress_end(&job->bar);
    if (!status)
        return cs_store_end_run(job->store, err);
    cs_store_end_run(job->store, &ignored);
    return *options.stop && !strcmp(err->text, "stopped") ? stopped(job, *options.stop, err)
                                                          : status;
}

static void warn(const char *text, void *who)
{
    const struct job *job = who;

    cs_output_warn("%s: %s", job->experiment->name, text);
}

static void tell(const struct job *job)
{
    enum cs_table_format format = cs_papers_format(job->args);
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_campaign_table(job->results, format, &text);
    if (format == CS_TABLE_TEXT) {
        cs_strbuf_putc(&text, '\n');
        cs_human_units(&text, job->count, "run");
        if (job->shards)
            cs_strbuf_printf(&text, " of shard %d of %d", job->shard, job->shards);
        if (is_kept(job))
            cs_strbuf_printf(&text, " in %s", job->store_path);
        cs_strbuf_putc(&text, '\n');
    }
    cs_output_put(&text);
    cs_strbuf_release(&text);
    cs_results_warnings(job->results, warn, (void *)(uintptr_t)job);
}

static int run_experiment(struct job *job, struct cs_error *err)
{
    int asked = (int)cs_arguments_integer(job->args, "threads");
    int threads = asked ? asked : cs_thread_limit();
    int status;

    job->command = make_command(job);
    job->results = cs_results_create(job->experiment);
    if (check_needs(job, err) || choose_cells(job, err) || open_store(job, threads, err))
        return CS_EXIT_WRONG;
    status = compute(job, threads, err);
    if (!status)
        tell(job);
    return status < 0 ? CS_EXIT_WRONG : status;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    struct job job = {.args = args, .arena = cs_arena_create()};
    int status = CS_EXIT_USAGE;

    if (!read_shard(&job, err)) {
        job.experiment = cs_experiment_read(cs_arguments_operand(args, 0), NULL, err);
        status = job.experiment ? run_experiment(&job, err) : CS_EXIT_WRONG;
    }
    cs_store_close(job.store);
    cs_results_destroy(job.results);
    cs_experiment_destroy(job.experiment);
    cs_arena_destroy(job.arena);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "SWEEP",
     .kind = CS_FIELD_PATH,
     .summary = "a JSON file that says what is set and what varies; see 'Experiment, JSON' in "
                "docs/formats.md"},
    {0},
};

static const struct cs_field options[] = {
    {.name = "store",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.db",
     .summary = "where results are kept, a SQLite file; default: the name of SWEEP with .db, in "
                "the current folder. With :memory: nothing is kept"},
    CS_FIELD_STORE_ROWS,
    CS_ROW_THREADS(0),
    {.name = "shard",
     .kind = CS_FIELD_TEXT,
     .argument = "I/N",
     .summary = "only the I-th of N shares of the runs, for as many machines; with a store of its "
                "own for each"},
    {.name = "where",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME=VALUE",
     .repeats = true,
     .summary = "only the runs in which what varies has this value, such as policy=easy or "
                "replicate=0; the same name again is an alternative"},
    CS_FIELD_FORMAT_ROW,
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
        "Runs what the store does not have yet. Each result is kept as soon as it is finished: "
        "stop it with Ctrl-C, kill it, and the same command goes on where it was. (After a power "
        "cut the last few results may be missing; then they are run again.) Once all runs are "
        "there it says the mean of each metric over the replicates, and half the width of its 95 % "
        "confidence interval.\n\n"
        "A store can hold several sweeps (--foreign adds another one); what two of them share is "
        "run once. Runs of several builds of cosched are kept apart unless --other-build is given: "
        "their results may differ. One process writes a "
        "store at a time. The results depend neither on the threads nor on how often the campaign "
        "was stopped. When a run fails the campaign stops and says which parameters it had; what "
        "is finished stays.\n\n"
        "Ctrl-C (or SIGTERM) finishes the runs in hand and ends with status 130 (143); a second "
        "one ends at once.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
