/* report.c - cosched report: schedules, replays and stores as one HTML file to look around in. */
#include "base/file.h"
#include "base/source.h"
#include "campaign/page_store.h"
#include "campaign/store.h"
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "cli/campaign/papers.h"
#include "cli/replay/page.h"
#include "io/schedule_json.h"
#include "report/human.h"
#include "report/page_schedule.h"
#include "study/rows.h"

#include <string.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return !strcmp(path, "-") ? "standard input" : slash ? slash + 1 : path;
}

static int add_store(const char *path, struct cs_page *page, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_papers papers = {0};
    int status;

    cs_papers_find(NULL, arena, &papers, NULL);
    status = cs_page_add_store(page, path, papers.folder, err);
    cs_arena_destroy(arena);
    return status;
}

static int add_schedule(const char *path, const struct cs_json_at *top, struct cs_page *page,
                        struct cs_error *err)
{
    struct cs_schedule_file *file = cs_schedule_file_read_at(top, err);
    struct cs_error why = {{0}};
    int status;

    if (!file)
        return -1;
    status = cs_page_add_schedule(page, file, base_name(path), &why);
    if (status)
        cs_error_set(err, "%s: %s", file->source, why.text);
    cs_schedule_file_destroy(file);
    return status;
}

/* Alone on the page it says how it was made. */
static int add_replay(const char *path, const struct cs_json_at *top, bool alone,
                      struct cs_page *page, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_replay_view view;
    int status = cs_replay_view_read(top, arena, &view, err);

    if (!status) {
        if (alone)
            cs_page_set_subtitle(page, view.command);
        status = cs_replay_page_add(page, &view, alone ? NULL : base_name(path), err);
    }
    cs_replay_view_release(&view);
    cs_arena_destroy(arena);
    return status;
}

static int add_document(const char *path, bool alone, struct cs_page *page, struct cs_error *err)
{
    struct cs_json_pieces pieces;
    struct cs_json_at top;
    int status;

    if (cs_json_open(path, &pieces, err))
        return -1;
    top = cs_json_top(cs_source_name(path), &pieces);
    status = cs_replay_view_seems(&top) ? add_replay(path, &top, alone, page, err)
                                        : add_schedule(path, &top, page, err);
    cs_json_close(&pieces);
    return status;
}

static int add_input(const struct cs_arguments *args, int i, struct cs_page *page,
                     struct cs_error *err)
{
    const char *path = cs_arguments_operand(args, i);

    return cs_store_seems(path) ? add_store(path, page, err)
                                : add_document(path, args->operands == 1, page, err);
}

static void put_command(struct cs_strbuf *out, const struct cs_arguments *args)
{
    static const char *const names[] = {"output", "title"};

    cs_strbuf_puts(out, "cosched report");
    for (int i = 0; i < args->operands; i++) {
        cs_strbuf_putc(out, ' ');
        cs_strbuf_put_shell(out, cs_arguments_operand(args, i));
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = cs_arguments_text(args, names[i]);

        if (value) {
            cs_strbuf_printf(out, " --%s ", names[i]);
            cs_strbuf_put_shell(out, value);
        }
    }
}

static void put_title(struct cs_strbuf *out, const struct cs_arguments *args)
{
    const char *title = cs_arguments_text(args, "title");

    if (title)
        cs_strbuf_puts(out, title);
    else if (args->operands == 1)
        cs_strbuf_puts(out, base_name(cs_arguments_operand(args, 0)));
    else
        cs_human_units(out, args->operands, "result");
}

static int check_line(const struct cs_arguments *args, struct cs_error *err)
{
    const char *output = cs_arguments_text(args, "output");
    int streams = 0;

    for (int i = 0; i < args->operands; i++) {
        const char *path = cs_arguments_operand(args, i);

        streams += !strcmp(path, "-");
        if (cs_output_apart(output, path, "an input", err) ||
            cs_output_apart_store(output, path, err))
            return -1;
    }
    if (streams > 1)
        return cs_error_set(err, "standard input can be read once, - stands there %d times",
                            streams);
    return cs_output_check(output, err);
}

static int make(const struct cs_arguments *args, struct cs_page *page, struct cs_error *err)
{
    const char *output = cs_arguments_text(args, "output");
    struct cs_strbuf html = CS_STRBUF_INIT;
    int status = 0;

    for (int i = 0; i < args->operands && !status; i++)
        status = add_input(args, i, page, err);
    if (!status) {
        cs_page_put(page, &html);
        status = cs_file_write(output ? output : "-", html.text, html.length, err);
    }
    cs_strbuf_release(&html);
    return status;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    struct cs_strbuf title = CS_STRBUF_INIT, command = CS_STRBUF_INIT;
    struct cs_page *page;
    int status;

    if (check_line(args, err))
        return -1;
    put_title(&title, args);
    put_command(&command, args);
    page = cs_page_create(&(struct cs_page_head){.title = title.text, .command = command.text});
    status = make(args, page, err);
    cs_page_destroy(page);
    cs_strbuf_release(&title);
    cs_strbuf_release(&command);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "INPUT",
     .repeats = true,
     .kind = CS_FIELD_PATH,
     .summary = "schedules or plans (cosched-schedule-1) of any problem, replays (what 'cosched "
                "replay --format json' prints), or stores of campaigns and papers; - reads a "
                "schedule or a replay from standard input"},
    {0},
};

static const struct cs_field options[] = {
    CS_ROW_OUTPUT("FILE.html", 0),
    {.name = "title",
     .kind = CS_FIELD_TEXT,
     .argument = "TEXT",
     .summary = "title of the report; default: the name of the input"},
    {0},
};

static const struct cs_example examples[] = {
    {"Look around in a plan:", "cosched report plan.json -o plan.html"},
    {"Two policies on one page:",
     "cosched report greedy.json easy.json -o both.html --title 'Greedy and EASY'"},
    {"The page of a replay that was kept:", "cosched report replay.json -o replay.html"},
    {"A campaign, finished or not:", "cosched report sweep.db -o sweep.html"},
    {0},
};

const struct cs_command cs_command_report = {
    .words = "report",
    .summary = "make an HTML page of schedules, replays or campaigns, to look around in a browser",
    .description =
        "One self-contained file for any browser, without network: it loads nothing, and its "
        "content security policy forbids it to. Schedules of all problems can be zoomed and "
        "moved; pointing at a bar, or walking to it with the keyboard, tells its task, attempt, "
        "kind, processors and times, and the failure that hit it. The page follows the system's "
        "light or dark theme or a switch, works by keyboard and with screen readers (every "
        "picture is a table too), and prints the whole schedule.\n\n"
        "Every schedule is judged by the checker of 'cosched check'; the page says what it "
        "found.\n\n"
        "Of a replay the page is that of 'cosched replay --report': utilisation, queue and waits "
        "of "
        "all policies over calendar time, distributions, classes, users, what was read.\n\n"
        "Of a store the page shows every sweep and paper: figures with confidence bands whose "
        "metric, "
        "axes, lines and panels can be chosen, absolute or relative to one of the lines, tables to "
        "sort and filter, the claims of papers beside what was found, and for each number the "
        "command "
        "that gives it again. A store that is not finished, or that a campaign writes to, is shown "
        "as far as it is, and the page says so.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
