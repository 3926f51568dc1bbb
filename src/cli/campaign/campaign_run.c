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

struct study {
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
    struct study *study = who;

    study->bar.total = count;
    study->done = done;
    study->lacking = count;
    cs_progress_show(&study->bar, done);
}

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

/* The cells of the shard that meet the conditions. */
static int choose_cells(struct study *study, struct cs_error *err)
{
    const struct cs_experiment *experiment = study->experiment;
    int conditions;
    const char *const *condition = cs_arguments_texts(study->args, "where", &conditions);

    study->keep = CS_NEW_ARRAY(study->arena, bool, experiment->count);
    for (int c = 0; c < experiment->count; c++)
        study->keep[c] = !study->shards || cs_grid_shard_has(c, study->shard, study->shards);
    if (cs_experiment_where(experiment, condition, conditions, study->keep, err))
        return -1;
    for (int c = 0; c < experiment->count; c++)
        study->count += study->keep[c];
    if (!study->count && conditions)
        return cs_error_set(err, "%s: no run meets all conditions", experiment->file);
    return 0;
}

/* What a paper needs is given to `paper run`. */
static int check_needs(const struct study *study, struct cs_error *err)
{
    const struct cs_experiment_need *need = cs_experiment_missing(study->experiment);

    if (!need)
        return 0;
    return cs_error_set(err, "%s needs %s as '%s'; `cosched paper run` can be given it",
                        study->experiment->file, need->what, need->parameter);
}

/* What to type to go on, and to get the same again. */
static const char *make_command(const struct study *study)
{
    const char *store = cs_arguments_text(study->args, "store");
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *command;
    int conditions;
    const char *const *condition = cs_arguments_texts(study->args, "where", &conditions);

    cs_strbuf_puts(&text, "cosched campaign run ");
    cs_strbuf_put_shell(&text, study->experiment->file);
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

/* STEM.db here, unless --store says something else. */
static const char *find_store(const struct study *study)
{
    const char *given = cs_arguments_text(study->args, "store");
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *path;

    cs_strbuf_printf(&text, "%s.db", study->experiment->name);
    path = given ? given : cs_arena_strdup(study->arena, text.text);
    cs_strbuf_release(&text);
    return path;
}

static int check_files(const struct study *study, struct cs_store *store, struct cs_error *err)
{
    return cs_results_check_files(study->results, study->keep, store, err);
}

static int add_document(struct study *study, int threads, struct cs_error *err)
{
    int64_t id;

    return cs_store_begin_shard(study->store, study->command, threads, study->shard, study->shards,
                                err) ||
                   cs_experiment_keep(study->experiment, study->store, &id, err) ||
                   check_files(study, study->store, err)
               ? -1
               : 0;
}

/* A campaign that is refused leaves nothing in the store. */
static int open_store(struct study *study, int threads, struct cs_error *err)
{
    study->store_path = find_store(study);
    if (check_files(study, NULL, err))
        return -1;
    study->store = cs_store_open(study->store_path, cs_papers_store_mode(study->args), err);
    if (!study->store ||
        (!cs_arguments_given(study->args, "foreign") &&
         cs_experiment_refuse_foreign(study->experiment, study->store, err)) ||
        cs_store_begin(study->store, err))
        return -1;
    if (!add_document(study, threads, err))
        return cs_store_commit(study->store, err);
    cs_store_rollback(study->store);
    return -1;
}

static bool is_kept(const struct study *study)
{
    return strcmp(study->store_path, CS_STORE_MEMORY) != 0;
}

static int stopped(const struct study *study, int signal, struct cs_error *err)
{
    struct cs_error why = {{0}};

    if (is_kept(study))
        cs_error_set(&why, "stopped after %d of %d runs; what is finished is in %s. To go on: %s",
                     study->count - study->lacking + study->done, study->count, study->store_path,
                     study->command);
    else
        cs_error_set(&why, "stopped; nothing is kept of a campaign in memory");
    *err = why;
    return CS_EXIT_SIGNAL + signal;
}

/* 0, -1, or CS_EXIT_SIGNAL and a signal. */
static int compute(struct study *study, int threads, struct cs_error *err)
{
    const struct cs_grid_options options = {
        .threads = threads,
        .store = study->store,
        .stop = cs_stop_catch(),
        .progress = show_progress,
        .who = study,
    };
    struct cs_error ignored = {{0}};
    int status;

    study->bar = cs_progress_begin(1);
    study->bar.unit = "runs";
    status = cs_results_run(study->results, study->keep, &options, err);
    cs_progress_end(&study->bar);
    if (!status)
        return cs_store_end_run(study->store, err);
    cs_store_end_run(study->store, &ignored);
    return *options.stop && !strcmp(err->text, "stopped") ? stopped(study, *options.stop, err)
                                                          : status;
}

static void warn(const char *text, void *who)
{
    const struct study *study = who;

    cs_output_warn("%s: %s", study->experiment->name, text);
}

static void tell(const struct study *study)
{
    enum cs_table_format format = cs_papers_format(study->args);
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_campaign_table(study->results, format, &text);
    if (format == CS_TABLE_TEXT) {
        cs_strbuf_putc(&text, '\n');
        cs_human_units(&text, study->count, "run");
        if (study->shards)
            cs_strbuf_printf(&text, " of shard %d of %d", study->shard, study->shards);
        if (is_kept(study))
            cs_strbuf_printf(&text, " in %s", study->store_path);
        cs_strbuf_putc(&text, '\n');
    }
    cs_output_put(&text);
    cs_strbuf_release(&text);
    cs_results_warnings(study->results, warn, (void *)(uintptr_t)study);
}

static int run_experiment(struct study *study, struct cs_error *err)
{
    int asked = (int)cs_arguments_integer(study->args, "threads");
    int threads = asked ? asked : cs_thread_limit();
    int status;

    study->command = make_command(study);
    study->results = cs_results_create(study->experiment);
    cs_experiment_old_names(study->experiment, warn, study);
    if (check_needs(study, err) || cs_experiment_consent(study->experiment, err) ||
        choose_cells(study, err) || open_store(study, threads, err))
        return CS_EXIT_WRONG;
    status = compute(study, threads, err);
    if (!status)
        tell(study);
    return status < 0 ? CS_EXIT_WRONG : status;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    struct study study = {.args = args, .arena = cs_arena_create()};
    int status = CS_EXIT_USAGE;

    if (!read_shard(&study, err)) {
        study.experiment = cs_experiment_read(cs_arguments_operand(args, 0), NULL, err);
        status = study.experiment ? run_experiment(&study, err) : CS_EXIT_WRONG;
    }
    cs_store_close(study.store);
    cs_results_destroy(study.results);
    cs_experiment_destroy(study.experiment);
    cs_arena_destroy(study.arena);
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
    CS_FIELD_THREADS(0, 0),
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
        "A sweep whose policy is a program (policy_program) is refused unless COSCHED_PROGRAMS=run "
        "is in the environment: it is a command, perhaps somebody else's (docs/policies.md).\n\n"
        "Ctrl-C (or SIGTERM) finishes the runs in hand and ends with status 130 (143); a second "
        "one ends at once.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
