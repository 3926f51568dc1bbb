/* report.c - cosched report: schedules and stores as one HTML file to look around in. */
#include "base/file.h"
#include "campaign/page_store.h"
#include "campaign/store.h"
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "cli/campaign/papers.h"
#include "report/human.h"
#include "report/page_schedule.h"
#include "study/rows.h"

#include <string.h>

/* One way for an input to become sections of the page: the first row whose `is` says yes. */
struct source {
    bool (*is)(const char *path);
    int (*add)(const char *path, struct cs_page *page, struct cs_error *err);
};

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

static bool is_schedule(const char *path)
{
    (void)path;
    return true;
}

static int add_schedule(const char *path, struct cs_page *page, struct cs_error *err)
{
    struct cs_schedule_file *file = cs_schedule_file_read(path, err);
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

static const struct source sources[] = {
    {cs_store_seems, add_store},
    {is_schedule, add_schedule},
};

static int add_input(const char *path, struct cs_page *page, struct cs_error *err)
{
    const struct source *source = sources;

    while (!source->is(path))
        source++;
    return source->add(path, page, err);
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
        status = add_input(cs_arguments_operand(args, i), page, err);
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
     .summary = "schedules or plans (cosched-schedule-1) of any problem, or stores of campaigns "
                "and papers; - reads a schedule from standard input"},
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
    {"A campaign, finished or not:", "cosched report sweep.db -o sweep.html"},
    {0},
};

const struct cs_command cs_command_report = {
    .words = "report",
    .summary = "make an HTML page of schedules or campaigns, to look around in a browser",
    .description =
        "One self-contained file for any browser, without network: it loads nothing, and its "
        "content security policy forbids it to. Schedules of all problems can be zoomed and "
        "moved; pointing at a bar, or walking to it with the keyboard, tells its task, attempt, "
        "kind, processors and times, and the failure that hit it. The page follows the system's "
        "light or dark theme or a switch, works by keyboard and with screen readers (every "
        "picture is a table too), and prints the whole schedule.\n\n"
        "Every schedule is judged by the checker of 'cosched check'; the page says what it "
        "found.\n\n"
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
