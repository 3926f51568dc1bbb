/* paper_run.c - cosched paper run: figures and tables of papers, computed again. */
#include "base/thread.h"
#include "campaign/output.h"
#include "campaign/store.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/papers.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct job {
    const struct cs_arguments *args;
    struct cs_papers papers;
    struct cs_store *store;
    struct cs_table *claims;
    struct cs_strbuf *out; /* what is told at the end */
    int count;
    struct cs_paper **paper;
};

static const struct cs_column columns[] = {
    {.key = "paper", .kind = CS_COLUMN_WORD},
    {.key = "claim", .kind = CS_COLUMN_COUNT},
    {.key = "verdict", .kind = CS_COLUMN_WORD},
    {.key = "text", .kind = CS_COLUMN_WORD},
};

static int read_paper(struct job *job, const char *name, struct cs_error *err)
{
    struct cs_paper *paper;

    if (cs_papers_check(&job->papers, name, err))
        return -1;
    paper =
        cs_paper_read(job->papers.folder, name, cs_arguments_given(job->args, "quick"), NULL, err);
    if (!paper)
        return -1;
    job->paper[job->count++] = paper;
    return 0;
}

/* All of them before anything is run, each once. */
static int read_papers(struct job *job, struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_arguments *args = job->args;
    int room = job->papers.count > args->operands ? job->papers.count : args->operands;

    job->paper = CS_NEW_ARRAY(arena, struct cs_paper *, room);
    for (int o = 0; o < args->operands; o++) {
        if (strcmp(args->operand[o], "all"))
            continue;
        for (int p = 0; p < job->papers.count; p++)
            if (read_paper(job, job->papers.name[p], err))
                return -1;
        return 0;
    }
    for (int o = 0; o < args->operands; o++)
        if (read_paper(job, args->operand[o], err))
            return -1;
    return 0;
}

static void show_progress(void *who, int done, int count)
{
    const struct cs_paper *paper = who;

    if (done % 16 == 0 || done == count)
        fprintf(stderr, "\r%s: %d of %d runs%s", paper->name, done, count,
                done == count ? "\r\033[K" : "");
}

/* What to type to get the same bytes again. */
static void put_command(const struct job *job, const struct cs_results *results,
                        struct cs_strbuf *out)
{
    const char *papers = cs_arguments_text(job->args, "papers");

    cs_strbuf_printf(out, "cosched paper run %s", results->paper->name);
    if (results->paper->quick)
        cs_strbuf_puts(out, " --quick");
    if (papers)
        cs_strbuf_printf(out, " --papers %s", papers);
    if (results->seed != results->paper->seed)
        cs_strbuf_printf(out, " --seed %" PRIu64, results->seed);
}

static void add_claims(struct job *job, const struct cs_results *results)
{
    const struct cs_paper *paper = results->paper;

    for (int c = 0; c < paper->nclaims; c++) {
        cs_table_text(job->claims, paper->name);
        cs_table_count(job->claims, c + 1);
        cs_table_text(job->claims, cs_verdict_word(cs_claim_verdict(results, &paper->claim[c])));
        cs_table_text(job->claims, paper->claim[c].text);
    }
}

static void add_summary(struct job *job, const struct cs_results *results, const char *folder)
{
    struct cs_strbuf *out = job->out;

    cs_strbuf_printf(out, "%s: ", results->paper->name);
    cs_output_summary(results, out);
    cs_strbuf_printf(out, " (%s/", folder);
    cs_output_stem(results->paper, out);
    cs_strbuf_puts(out, ".md)\n");
}

static int run_paper(struct job *job, const struct cs_paper *paper, struct cs_error *err)
{
    const struct cs_arguments *args = job->args;
    const char *folder = cs_arguments_text(args, "out");
    int threads = (int)cs_arguments_integer(args, "threads");
    bool own = cs_arguments_given(args, "seed");
    struct cs_grid_options options = {.threads = threads ? threads : cs_thread_limit(),
                                      .store = job->store,
                                      .progress = isatty(STDERR_FILENO) ? show_progress : NULL,
                                      .who = (void *)(uintptr_t)paper};
    struct cs_strbuf command = CS_STRBUF_INIT;
    struct cs_results *results;
    int status = -1;

    results = cs_results_create(
        paper, own ? (uint64_t)cs_arguments_integer(args, "seed") : paper->seed, &options, err);
    if (results) {
        put_command(job, results, &command);
        status = cs_output_write(results, folder, command.text, err);
    }
    if (!status) {
        add_claims(job, results);
        add_summary(job, results, folder);
    }
    cs_strbuf_release(&command);
    cs_results_destroy(results);
    return status;
}

/* For people the table ends with a line for each paper. */
static void tell(struct job *job)
{
    enum cs_table_format format = cs_papers_format(job->args);
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_table_write(job->claims, format, 110, &text);
    if (format == CS_TABLE_TEXT) {
        cs_strbuf_putc(&text, '\n');
        cs_strbuf_puts(&text, job->out->text);
    }
    cs_output_put(&text);
    cs_strbuf_release(&text);
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct job job = {.args = args,
                      .store = cs_store_create(),
                      .claims = cs_table_create(columns, sizeof columns / sizeof *columns),
                      .out = &out};
    int status = cs_papers_find(args, arena, &job.papers, err) || read_papers(&job, arena, err);

    for (int p = 0; p < job.count && !status; p++)
        status = run_paper(&job, job.paper[p], err);
    if (!status)
        tell(&job);
    for (int p = 0; p < job.count; p++)
        cs_paper_destroy(job.paper[p]);
    cs_table_destroy(job.claims);
    cs_store_destroy(job.store);
    cs_strbuf_release(&out);
    cs_arena_destroy(arena);
    return status ? CS_EXIT_WRONG : CS_EXIT_DONE;
}

static const struct cs_operand operands[] = {
    {.name = "NAME",
     .repeats = true,
     .kind = CS_OPTION_TEXT,
     .summary = "a figure or table such as pack/fig2, or all",
     .values = cs_papers_words},
    {0},
};

static const struct cs_option options[] = {
    {.name = "quick",
     .kind = CS_OPTION_FLAG,
     .summary = "fewer values and replicates: a look in seconds"},
    {.name = "out",
     .letter = 'o',
     .kind = CS_OPTION_PATH,
     .argument = "DIR",
     .fallback = "papers-out",
     .summary = "the folder for the files; made when it is missing"},
    {.name = "threads",
     .kind = CS_OPTION_INTEGER,
     .argument = "T",
     .fallback = "0",
     .low = 0,
     .high = 4096,
     .summary = "runs at the same time; 0: as many as there are processors. Results do not "
                "depend on it"},
    {.name = "seed",
     .kind = CS_OPTION_INTEGER,
     .argument = "S",
     .low = 0,
     .high = 9007199254740992,
     .summary = "of all that is random, instead of that of the paper's file"},
    CS_OPTION_PAPERS_ROW,
    CS_OPTION_FORMAT_ROW,
    {0},
};

static const struct cs_example examples[] = {
    {"One figure:", "cosched paper run pack/fig2 --out out"},
    {"Everything, quickly:", "cosched paper run all --quick --out out"},
    {0},
};

const struct cs_command cs_command_paper_run = {
    .words = "paper run",
    .summary = "compute figures and tables of papers again, and compare with their claims",
    .description =
        "Writes NAME.csv (every value), NAME.svg and NAME.png (the figure) and NAME.md (what the "
        "paper states beside what we find), with - for / in the name. The table shows whether "
        "our numbers agree with each sentence of the paper; how a sentence was turned into a "
        "number stands in NAME.md.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
