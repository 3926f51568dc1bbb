/* paper_run.c - cosched paper run: figures and tables of papers, computed again. */
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "cli/base/papers_folder.h"
#include "cli/base/progress.h"
#include "cli/campaign/paper_rows.h"
#include "cli/campaign/store_rows.h"
#include "report/human.h"

#include <cosched/campaign.h>
#include <string.h>

struct study {
    const struct cs_arguments *args;
    const char *store; /* or NULL */
    struct cs_paper_ran ran;
    struct cs_progress bar; /* of the paper in hand */
    bool begun;
    int paper; /* which one it is */
};

static const struct cs_column columns[] = {
    {.key = "paper", .kind = CS_COLUMN_WORD},
    {.key = "claim", .kind = CS_COLUMN_COUNT},
    {.key = "verdict", .kind = CS_COLUMN_WORD, .hidden = true},
    {.key = "words", .heading = "verdict", .kind = CS_COLUMN_WORD},
    {.key = "seeds", .kind = CS_COLUMN_WORD}, /* of several */
    {.key = "text", .kind = CS_COLUMN_WORD},
    {.key = "checks_counted", .kind = CS_COLUMN_COUNT, .hidden = true},
    {.key = "checks_agree", .kind = CS_COLUMN_COUNT, .hidden = true},
    {.key = "checks_differ", .kind = CS_COLUMN_COUNT, .hidden = true},
    {.key = "checks_open", .kind = CS_COLUMN_COUNT, .hidden = true},
};

/* ---- what the library asks on the way ---- */

/* From here on a signal loses nothing of what is kept. */
static void paper_run_begin(struct study *study)
{
    study->begun = true;
    if (study->store)
        cs_stop_catch();
    study->bar = cs_progress_begin(1);
}

static void show_progress(void *who, double share)
{
    struct study *study = who;

    (void)share;
    if (!study->begun)
        paper_run_begin(study);
    if (study->paper != study->ran.finished) {
        cs_progress_end(&study->bar);
        study->bar = cs_progress_begin(1);
        study->paper = study->ran.finished;
        return;
    }
    study->bar.total = (double)study->ran.lacking;
    cs_progress_show(&study->bar, (double)study->ran.done);
}

/* ---- request ---- */

static void put_line(const struct study *study, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, "cosched paper run");
    cs_arguments_put(study->args, out);
}

static char *paper_run_compute(struct study *study, const char *folder, const char *line,
                               struct cs_error *err)
{
    const struct cs_arguments *args = study->args;
    const struct cs_watch watch = {.size = sizeof watch,
                                   .stop = cs_stop_asked,
                                   .progress = show_progress,
                                   .warn = cs_output_warn_of,
                                   .who = study};
    struct cs_paper_run_options options = {
        .size = sizeof options,
        .folder = folder,
        .usual = !cs_arguments_has(args, "papers"),
        .quick = cs_arguments_has(args, "quick"),
        .input = cs_arguments_text(args, "input"),
        .seeded = cs_arguments_has(args, "seed"),
        .seeds = (int)cs_arguments_integer(args, "seeds"),
        .threads = (int)cs_arguments_integer(args, "threads"),
        .output = cs_arguments_text(args, "output"),
        .store = study->store,
        .other_build = cs_arguments_has(args, "allow-other-build"),
        .foreign = cs_arguments_has(args, "allow-other-campaign"),
        .command = line,
    };
    char *text;

    options.give = cs_arguments_texts(args, "set", &options.supplied);
    if (options.seeded)
        options.seed = (uint64_t)cs_arguments_integer(args, "seed");
    text = cs_paper_run(args->operand, args->operands, &options, &watch, &study->ran, err);
    if (study->begun)
        cs_progress_end(&study->bar);
    return text;
}

/* ---- output ---- */

static void put_summary(const struct study *study, const json_t *paper, struct cs_strbuf *out)
{
    cs_strbuf_printf(out, "%s: %s (%s/%s.md)\n", json_string_value(json_object_get(paper, "name")),
                     json_string_value(json_object_get(paper, "summary")),
                     cs_arguments_text(study->args, "output"),
                     json_string_value(json_object_get(paper, "stem")));
}

#define COLUMNS (sizeof columns / sizeof *columns)

/* The columns of a run; how many. */
static int choose_columns(const struct study *study, struct cs_column *chosen)
{
    const bool several = cs_arguments_integer(study->args, "seeds") > 1;
    int count = 0;

    for (size_t c = 0; c < COLUMNS; c++)
        if (several || strcmp(columns[c].key, "seeds") != 0)
            chosen[count++] = columns[c];
    return count;
}

/* For people the table ends with a line for each paper. */
static void paper_run_report(const struct study *study, const json_t *papers)
{
    enum cs_table_format format = cs_rows_format(cs_arguments_choice(study->args, "format"));
    struct cs_column chosen[COLUMNS];
    const int count = choose_columns(study, chosen);
    struct cs_table *claims = cs_table_create(chosen, count);
    struct cs_strbuf text = CS_STRBUF_INIT, summaries = CS_STRBUF_INIT;
    const json_t *paper, *claim;
    size_t p, c;

    json_array_foreach(papers, p, paper)
    {
        json_array_foreach(json_object_get(paper, "claims"), c, claim)
            cs_rows_put(claims, chosen, (size_t)count, claim);
        put_summary(study, paper, &summaries);
    }
    cs_output_table(claims, format, 110, &text);
    if (format == CS_TABLE_TEXT) {
        cs_strbuf_putc(&text, '\n');
        cs_strbuf_puts(&text, summaries.text);
        if (study->store) {
            cs_human_count(&text, (long)study->ran.added);
            cs_strbuf_printf(&text, " new %s in %s\n", study->ran.added == 1 ? "run" : "runs",
                             study->store);
        }
    }
    cs_output_put(&text);
    cs_table_destroy(claims);
    cs_strbuf_release(&text);
    cs_strbuf_release(&summaries);
}

/* The status of a command that a signal stopped, or of any other failure. */
static int paper_run_failed(const struct study *study, const char *line, struct cs_error *err)
{
    if (!cs_stop_signal() || err->kind != CS_ERROR_STOPPED)
        return CS_EXIT_WRONG;
    err->text[0] = 0;
    cs_error_set_as(err, CS_ERROR_STOPPED, "stopped; finished runs are in %s. To continue: %s",
                    study->store, line);
    return CS_EXIT_SIGNAL + cs_stop_signal();
}

static int campaign_paper_run(const struct cs_arguments *args, struct cs_error *err)
{
    struct study study = {.args = args, .store = cs_arguments_text(args, "store")};
    const char *supplied = cs_arguments_text(args, "papers");
    struct cs_arena *arena = cs_arena_create();
    struct cs_strbuf line = CS_STRBUF_INIT;
    int status = CS_EXIT_DONE;
    json_t *found;

    put_line(&study, &line);
    found = cs_rows_parse(
        paper_run_compute(&study, supplied ? supplied : cs_papers_folder(arena), line.text, err));
    if (found)
        paper_run_report(&study, json_object_get(found, "papers"));
    else
        status = paper_run_failed(&study, line.text, err);
    json_decref(found);
    cs_strbuf_release(&line);
    cs_arena_destroy(arena);
    return status;
}

/* For completion: the names, separated by blanks. */
static void paper_words(struct cs_strbuf *words)
{
    struct cs_arena *arena = cs_arena_create();
    json_t *papers = cs_rows_parse(cs_paper_list(cs_papers_folder(arena), true, NULL));
    const json_t *name;
    size_t p;

    cs_strbuf_puts(words, "all");
    json_array_foreach(papers, p, name) cs_strbuf_printf(words, " %s", json_string_value(name));
    json_decref(papers);
    cs_arena_destroy(arena);
}

static const struct cs_operand operands[] = {
    {.name = "NAME",
     .repeats = true,
     .kind = CS_PARAM_TEXT,
     .summary = "a figure or table such as pack/fig2, the papers of a problem such as rigid, or "
                "all",
     .values = paper_words},
    {0},
};

static const struct cs_param options[] = {
    {.name = "quick",
     .kind = CS_PARAM_FLAG,
     .summary = "fewer values and replicates: a first look, all papers in a few minutes"},
    {.name = "input",
     .letter = 'i',
     .kind = CS_PARAM_PATH,
     .argument = "FILE",
     .summary = "input that is not distributed with cosched, such as a job log; see `paper list`"},
    {.name = "set",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME=VALUE",
     .repeats = true,
     .summary = "another value of a parameter that the paper does not vary, such as "
                "month=2022-06 or scenarios=100"},
    {.name = "output",
     .letter = 'o',
     .kind = CS_PARAM_PATH,
     .argument = "DIR",
     .default_text = "papers-out",
     .summary = "the folder for the files; made when it is missing"},
    {.name = "store",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.db",
     .summary = "store every run in this file as soon as it is finished; after a stop or kill "
                "the same command resumes. `campaign status`, `campaign export` and `report` "
                "read the file too"},
    CS_PARAM_STORE_ROWS,
    CS_PARAM_THREADS(0, 0),
    {.name = "seed",
     .kind = CS_PARAM_INTEGER,
     .argument = "S",
     .low = 0,
     .high = 9007199254740992,
     .summary = "of all that is random, instead of that of the paper's file"},
    {.name = "seeds",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .low = 1,
     .high = 1000,
     .default_text = "1",
     .summary = "run with N seeds, --seed and those after it, and decide claims by all of them; "
                "column seeds: how many of them have this verdict alone"},
    CS_PARAM_PAPERS_ROW,
    CS_PARAM_FORMAT_ROW,
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
        "Write NAME.csv (every value), NAME.svg and NAME.png (the figure) and NAME.md (claims of "
        "the paper and measured values), with - for / in the name. The table shows whether the "
        "numbers agree with each claim of the paper; NAME.md states how a claim was turned into "
        "a number.\n\nSome papers need a file that is not distributed with cosched (--input). "
        "With several papers, those without their file are skipped with a warning.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = campaign_paper_run,
};
