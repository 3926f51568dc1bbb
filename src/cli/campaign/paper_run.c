/* paper_run.c - cosched paper run: figures and tables of papers, computed again. */
#include "base/thread.h"
#include "base/watch.h"
#include "campaign/output.h"
#include "campaign/store.h"
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "cli/base/progress.h"
#include "cli/base/stop.h"
#include "cli/campaign/paper_choose.h"
#include "report/human.h"

#include <cosched/watch.h>
#include <string.h>

struct study {
    const struct cs_arguments *args;
    struct cs_paper_choice choice;
    struct cs_store *store;
    struct cs_cache *keep;
    struct cs_table *claims;
    struct cs_strbuf *out; /* what is told at the end */
    struct cs_progress bar;
    int done;                          /* of the paper that is computed now */
    long made;                         /* cells that the store did not have */
    const volatile sig_atomic_t *stop; /* NULL: nothing is kept that one could go on with */
};

static const struct cs_column columns[] = {
    {.key = "paper", .kind = CS_COLUMN_WORD},
    {.key = "claim", .kind = CS_COLUMN_COUNT},
    {.key = "verdict", .kind = CS_COLUMN_WORD},
    {.key = "text", .kind = CS_COLUMN_WORD},
};

static void show_progress(void *who, int done, int count)
{
    struct study *study = who;

    study->bar.total = count;
    study->done = done;
    cs_progress_show(&study->bar, done);
}

/* What to type to get the same bytes again. */
static void put_command(const struct study *study, const struct cs_results *results,
                        struct cs_strbuf *out)
{
    const char *papers = cs_arguments_text(study->args, "papers");

    cs_experiment_put_command(results->experiment, out);
    if (papers) {
        cs_strbuf_puts(out, " --papers ");
        cs_strbuf_put_shell(out, papers);
    }
}

static void add_claims(struct study *study, const struct cs_results *results)
{
    const struct cs_experiment *paper = results->experiment;

    for (int c = 0; c < paper->claims; c++) {
        cs_table_text(study->claims, paper->name);
        cs_table_count(study->claims, c + 1);
        cs_table_text(study->claims, cs_verdict_word(cs_claim_verdict(results, &paper->claim[c])));
        cs_table_text(study->claims, paper->claim[c].text);
    }
}

static void add_summary(struct study *study, const struct cs_results *results, const char *folder)
{
    struct cs_strbuf *out = study->out;

    cs_strbuf_printf(out, "%s: ", results->experiment->name);
    cs_output_summary(results, out);
    cs_strbuf_printf(out, " (%s/", folder);
    cs_output_stem(results->experiment, out);
    cs_strbuf_puts(out, ".md)\n");
}

static void warn(const char *text, void *who)
{
    const struct cs_experiment *paper = who;

    cs_output_warn("%s: %s", paper->name, text);
}

static int threads_of(const struct cs_arguments *args)
{
    int threads = (int)cs_arguments_integer(args, "threads");

    return threads ? threads : cs_thread_limit();
}

static bool is_asked(void *who)
{
    const struct study *study = who;

    return study->stop && *study->stop;
}

static int compute(struct study *study, struct cs_results *results, struct cs_error *err)
{
    struct cs_grid_options options = {.threads = threads_of(study->args),
                                      .store = study->store,
                                      .keep = study->keep,
                                      .progress = show_progress,
                                      .who = study};
    const struct cs_watch watch = {.size = sizeof watch, .stop = is_asked, .who = study};
    const struct cs_watch *before = cs_watch_enter(&watch);
    int status;

    study->bar = cs_progress_begin(1);
    status = cs_results_run(results, NULL, &options, err);
    cs_watch_enter(before);
    cs_progress_end(&study->bar);
    study->made += study->done;
    study->done = 0;
    return status;
}

static int run_paper(struct study *study, const struct cs_experiment *paper, struct cs_error *err)
{
    const char *folder = cs_arguments_text(study->args, "output");
    struct cs_strbuf command = CS_STRBUF_INIT;
    struct cs_results *results = cs_results_create(paper);
    int status = compute(study, results, err);

    if (!status) {
        cs_results_warnings(results, warn, (void *)(uintptr_t)paper);
        put_command(study, results, &command);
        status = cs_output_write(results, folder, command.text, err);
    }
    if (!status) {
        add_claims(study, results);
        add_summary(study, results, folder);
    }
    cs_strbuf_release(&command);
    cs_results_destroy(results);
    return status;
}

/* For people the table ends with a line for each paper. */
static void tell(struct study *study)
{
    enum cs_table_format format = cs_papers_format(study->args);
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_output_table(study->claims, format, 110, &text);
    if (format == CS_TABLE_TEXT) {
        cs_strbuf_putc(&text, '\n');
        cs_strbuf_puts(&text, study->out->text);
    }
    cs_output_put(&text);
    cs_strbuf_release(&text);
}

static void put_line(const struct study *study, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "cosched paper run");
    cs_arguments_put(study->args, out);
}

/* All papers are in the store before the first cell is. */
static int begin(struct study *study, struct cs_error *err)
{
    struct cs_strbuf line = CS_STRBUF_INIT;
    int64_t id;
    int status;

    for (int p = 0; p < study->choice.count && !cs_arguments_given(study->args, "foreign"); p++)
        if (cs_experiment_refuse_foreign(study->choice.paper[p], study->store, err))
            return -1;
    put_line(study, &line);
    status = cs_store_begin_run(study->store, line.text, threads_of(study->args), err);
    for (int p = 0; p < study->choice.count && !status; p++)
        status = cs_experiment_keep(study->choice.paper[p], study->store, &id, err);
    cs_strbuf_release(&line);
    return status;
}

/* The status of a command that a signal stopped, or -1 for any other failure. */
static int failed(const struct study *study, struct cs_error *err)
{
    struct cs_strbuf line = CS_STRBUF_INIT;
    struct cs_error ignored = {{0}};
    int status = -1;

    cs_store_end_run(study->store, &ignored);
    if (study->stop && *study->stop && !strcmp(err->text, "stopped")) {
        err->text[0] = 0;
        put_line(study, &line);
        cs_error_set(err, "stopped; what is finished is in %s. To go on: %s",
                     cs_arguments_text(study->args, "store"), line.text);
        status = CS_EXIT_SIGNAL + *study->stop;
    }
    cs_strbuf_release(&line);
    return status;
}

static int run_all(struct study *study, struct cs_error *err)
{
    const char *store = cs_arguments_text(study->args, "store");

    if (begin(study, err))
        return -1;
    study->stop = store ? cs_stop_catch() : NULL;
    for (int p = 0; p < study->choice.count; p++)
        if (run_paper(study, study->choice.paper[p], err))
            return failed(study, err);
    if (store) {
        cs_human_count(study->out, study->made);
        cs_strbuf_printf(study->out, " new %s in %s\n", study->made == 1 ? "run" : "runs", store);
    }
    return cs_store_end_run(study->store, err);
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    const char *store = cs_arguments_text(args, "store");
    struct cs_arena *arena = cs_arena_create();
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct study study = {.args = args,
                          .keep = cs_cache_create(),
                          .claims = cs_table_create(columns, sizeof columns / sizeof *columns),
                          .out = &out};
    int status = cs_paper_choose(args, arena, &study.choice, err);

    if (!status)
        study.store =
            cs_store_open(store ? store : CS_STORE_MEMORY, cs_papers_store_mode(args), err);
    if (study.store)
        status = run_all(&study, err);
    if (!status && study.store)
        tell(&study);
    else if (!status)
        status = -1;
    cs_paper_choice_release(&study.choice);
    cs_cache_destroy(study.keep);
    cs_table_destroy(study.claims);
    cs_store_close(study.store);
    cs_strbuf_release(&out);
    cs_arena_destroy(arena);
    return status < 0 ? CS_EXIT_WRONG : status;
}

static const struct cs_operand operands[] = {
    {.name = "NAME",
     .repeats = true,
     .kind = CS_FIELD_TEXT,
     .summary = "a figure or table such as pack/fig2, the papers of a problem such as rigid, or "
                "all",
     .values = cs_papers_words},
    {0},
};

static const struct cs_field options[] = {
    {.name = "quick",
     .kind = CS_FIELD_FLAG,
     .summary = "fewer values and replicates: a first look, all papers in a few minutes"},
    {.name = "input",
     .letter = 'i',
     .kind = CS_FIELD_PATH,
     .argument = "FILE",
     .summary = "what papers need that cannot come along, such as a job log; `paper list` says "
                "which"},
    {.name = "set",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME=VALUE",
     .repeats = true,
     .summary = "another value of a parameter that the paper does not vary, such as "
                "month=2022-06 or scenarios=100"},
    {.name = "output",
     .letter = 'o',
     .kind = CS_FIELD_PATH,
     .argument = "DIR",
     .fallback = "papers-out",
     .summary = "the folder for the files; made when it is missing"},
    {.name = "store",
     .kind = CS_FIELD_PATH,
     .argument = "FILE.db",
     .summary = "keep every run in this file as soon as it is finished: stopped or killed and "
                "started again, the command goes on where it was. `campaign status`, `campaign "
                "export` and `report` read the file too"},
    CS_FIELD_STORE_ROWS,
    CS_FIELD_THREADS(0, 0),
    {.name = "seed",
     .kind = CS_FIELD_INTEGER,
     .argument = "S",
     .low = 0,
     .high = 9007199254740992,
     .summary = "of all that is random, instead of that of the paper's file"},
    CS_FIELD_PAPERS_ROW,
    CS_FIELD_FORMAT_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"One figure:", "cosched paper run pack/fig2 -o out"},
    {"Everything, quickly:", "cosched paper run all --quick -o out"},
    {"A long one, that may be interrupted:",
     "cosched paper run volatile/table1 --store table1.db -o out"},
    {"A table on your own job log, one month of it:",
     "cosched paper run rigid/table1 --input theta.swf.gz --set month=2022-06"},
    {0},
};

const struct cs_command cs_command_paper_run = {
    .words = "paper run",
    .summary = "compute figures and tables of papers again, and compare with their claims",
    .description =
        "Writes NAME.csv (every value), NAME.svg and NAME.png (the figure) and NAME.md (what the "
        "paper states beside what we find), with - for / in the name. The table shows whether "
        "our numbers agree with each sentence of the paper; how a sentence was turned into a "
        "number stands in NAME.md.\n\nSome papers need a file that cannot come along (--input). Of "
        "all, or of all papers of a problem, those that lack theirs are skipped with a warning.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
