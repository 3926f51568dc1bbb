/* paper_list.c - cosched paper list: the figures and tables that can be computed again. */
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "cli/base/papers_folder.h"
#include "cli/campaign/paper_rows.h"

#include <cosched/campaign.h>

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

static json_t *paper_list_find(const struct cs_arguments *args, struct cs_error *err)
{
    const char *supplied = cs_arguments_text(args, "papers");
    struct cs_arena *arena = cs_arena_create();
    json_t *papers =
        cs_rows_parse(cs_paper_list(supplied ? supplied : cs_papers_folder(arena), false, err));

    cs_arena_destroy(arena);
    return papers;
}

static void paper_list_report(const json_t *papers, const struct cs_arguments *args)
{
    const size_t width = sizeof columns / sizeof *columns;
    struct cs_table *table = cs_table_create(columns, width);
    struct cs_strbuf out = CS_STRBUF_INIT;
    const json_t *paper;
    size_t p;

    json_array_foreach(papers, p, paper) cs_rows_put(table, columns, width, paper);
    cs_output_table(table, cs_rows_format(cs_arguments_choice(args, "format")), 0, &out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    cs_table_destroy(table);
}

static int paper_list_run(const struct cs_arguments *args, struct cs_error *err)
{
    json_t *papers = paper_list_find(args, err);

    if (!papers)
        return CS_EXIT_WRONG;
    paper_list_report(papers, args);
    json_decref(papers);
    return CS_EXIT_DONE;
}

static const struct cs_param options[] = {CS_PARAM_PAPERS_ROW, CS_PARAM_FORMAT_ROW, {0}};

static const struct cs_example examples[] = {
    {"List the papers:", "cosched paper list"},
    {0},
};

const struct cs_command cs_command_paper_list = {
    .words = "paper list",
    .summary = "list the figures and tables of papers that can be computed again",
    .description = "Each is a file with the runs and the claims of the paper. Column runs is the "
                   "number of plans or simulations, claims the number of checked statements of "
                   "the paper, needs the required input (`paper run --input`).",
    .options = options,
    .examples = examples,
    .run = paper_list_run,
};
