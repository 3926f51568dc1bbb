/* paper_list.c - cosched paper list: the figures and tables that can be computed again. */
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "cli/campaign/papers.h"

static const struct cs_column columns[] = {
    {.key = "name", .kind = CS_COLUMN_WORD},
    {.key = "place", .kind = CS_COLUMN_WORD},
    {.key = "title", .kind = CS_COLUMN_WORD},
    {.key = "runs", .kind = CS_COLUMN_COUNT},
    {.key = "claims", .kind = CS_COLUMN_COUNT},
    {.key = "needs", .kind = CS_COLUMN_WORD},
    {.key = "citation", .kind = CS_COLUMN_WORD, .hidden = true},
    {.key = "file", .kind = CS_COLUMN_WORD, .hidden = true},
};

/* "input: a job log" */
static void add_needs(struct cs_table *table, const struct cs_experiment *paper)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (int n = 0; n < paper->needs; n++)
        cs_strbuf_printf(&text, "%s%s: %s", n ? "; " : "", paper->need[n].parameter,
                         paper->need[n].what);
    cs_table_text(table, text.text);
    cs_strbuf_release(&text);
}

static int add_row(struct cs_table *table, const struct cs_papers *papers, int p,
                   struct cs_error *err)
{
    struct cs_experiment *paper = cs_papers_read(papers, papers->name[p], false, err);

    if (!paper)
        return -1;
    cs_table_text(table, paper->name);
    cs_table_text(table, paper->place);
    cs_table_text(table, paper->title);
    cs_table_count(table, paper->count);
    cs_table_count(table, paper->claims);
    add_needs(table, paper);
    cs_table_text(table, paper->citation);
    cs_table_text(table, paper->file);
    cs_experiment_destroy(paper);
    return 0;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_papers papers = {0};
    int status = cs_papers_find(args, arena, &papers, err);

    for (int p = 0; p < papers.count && !status; p++)
        status = add_row(table, &papers, p, err);
    if (!status) {
        cs_output_table(table, cs_papers_format(args), 0, &out);
        cs_output_put(&out);
    }
    cs_strbuf_release(&out);
    cs_table_destroy(table);
    cs_arena_destroy(arena);
    return status ? CS_EXIT_WRONG : CS_EXIT_DONE;
}

static const struct cs_field options[] = {CS_FIELD_PAPERS_ROW, CS_FIELD_FORMAT_ROW, {0}};

static const struct cs_example examples[] = {
    {"What can be computed again:", "cosched paper list"},
    {0},
};

const struct cs_command cs_command_paper_list = {
    .words = "paper list",
    .summary = "list the figures and tables of papers that can be computed again",
    .description = "Each is a file that says what to run and what the paper claims; runs counts "
                   "how many plans or simulations it takes, claims the sentences of the paper "
                   "that are checked, needs what has to be given (`paper run --input`).",
    .options = options,
    .examples = examples,
    .run = run,
};
