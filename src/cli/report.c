/* report.c - cosched report: schedules, replays and stores as one HTML file to look around in. */
#include "base/arena.h"
#include "base/file.h"
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "cli/base/papers_folder.h"

#include <cosched/case.h>
#include <cosched/chart.h>
#include <math.h>
#include <string.h>

static void report_put_command(struct cs_strbuf *out, const struct cs_arguments *args)
{
    static const char *const names[] = {"output", "title", "watts", "procs-per-node",
                                        "energy-until"};

    cs_strbuf_puts(out, "cosched report");
    for (int i = 0; i < args->operands; i++) {
        cs_strbuf_putc(out, ' ');
        cs_strbuf_put_shell(out, cs_arguments_operand(args, i));
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value =
            cs_arguments_has(args, names[i]) ? cs_arguments_text(args, names[i]) : NULL;

        if (value) {
            cs_strbuf_printf(out, " --%s ", names[i]);
            cs_strbuf_put_shell(out, value);
        }
    }
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
        return cs_error_set(err, "standard input: found - %d times, expected once", streams);
    return cs_output_check(output, err);
}

static int report_print(const struct cs_chart_source *source, int count,
                        const struct cs_report_options *how, struct cs_error *err)
{
    size_t length;
    char *html = cs_report_html(source, count, how, &length, err);
    int status = html ? cs_file_write("-", html, length, err) : -1;

    cs_free(html);
    return status;
}

static int report_make(const struct cs_arguments *args, const struct cs_report_options *how,
                       struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_chart_source *source = CS_NEW_ARRAY(arena, struct cs_chart_source, args->operands);
    const char *output = cs_arguments_text(args, "output");
    int status;

    for (int i = 0; i < args->operands; i++)
        source[i].name = cs_arguments_operand(args, i);
    status = output && strcmp(output, "-") != 0
                 ? cs_report_write(source, args->operands, how, output, err)
                 : report_print(source, args->operands, how, err);
    cs_arena_destroy(arena);
    return status;
}

static int report_run(const struct cs_arguments *args, struct cs_error *err)
{
    struct cs_strbuf command = CS_STRBUF_INIT;
    struct cs_arena *arena;
    struct cs_report_options how = {.size = sizeof how, .title = cs_arguments_text(args, "title")};
    int status;

    if (check_line(args, err))
        return -1;
    arena = cs_arena_create();
    report_put_command(&command, args);
    how.command = command.text;
    how.papers = cs_papers_folder(arena);
    how.watts = cs_arguments_text(args, "watts");
    how.procs_per_node = (int)cs_arguments_integer(args, "procs-per-node");
    how.energy_until =
        cs_arguments_has(args, "energy-until") ? cs_arguments_real(args, "energy-until") : NAN;
    status = report_make(args, &how, err);
    cs_strbuf_release(&command);
    cs_arena_destroy(arena);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "INPUT",
     .repeats = true,
     .kind = CS_PARAM_PATH,
     .summary = "schedules or plans (cosched-schedule-1) of any problem, replays (what 'cosched "
                "replay --format json' prints), folders of runs (what ran there), stores of "
                "campaigns and papers, or measured times, as 'cosched plan moldable' reads them; - "
                "reads a schedule or a replay from standard input"},
    {0},
};

static const struct cs_param options[] = {
    {.name = "output",
     .letter = 'o',
     .kind = CS_PARAM_PATH,
     .argument = "FILE.html",
     .summary = "where to; default: standard output"},
    {.name = "title",
     .kind = CS_PARAM_TEXT,
     .argument = "TEXT",
     .summary = "title of the report; default: the name of the input"},
    CS_PARAM_ENERGY(0, CS_PARAM_NOWHERE),
    {0},
};

static const struct cs_example examples[] = {
    {"Look around in a plan:", "cosched report plan.json -o plan.html"},
    {"Two policies on one page:",
     "cosched report greedy.json easy.json -o both.html --title 'Greedy and EASY'"},
    {"The page of a replay that was kept:", "cosched report replay.json -o replay.html"},
    {"A campaign, finished or not:", "cosched report sweep.db -o sweep.html"},
    {"Measured times and how they scale:", "cosched report examples/archer2.csv -o times.html"},
    {0},
};

const struct cs_command cs_command_report = {
    .words = "report",
    .summary = "make an HTML page of schedules, replays, campaigns or timings",
    .description =
        "One self-contained file for any browser, without network: it loads nothing, and its "
        "content security policy forbids it to. Schedules of all problems can be zoomed and "
        "moved; pointing at a bar, or walking to it with the keyboard, shows its task, attempt, "
        "kind, processors and times, and the failure that hit it. The page follows the system's "
        "light or dark theme or a switch, can be used with the keyboard and with screen readers "
        "(every chart is a table too), and prints the whole schedule.\n\n"
        "Every schedule is checked as by 'cosched check'; the page shows the result.\n\n"
        "For a replay the page is the same as with 'cosched replay --report': utilisation, queue "
        "and waits of all policies over calendar time, distributions, classes, users, input.\n\n"
        "For a store the page shows every sweep and paper: figures with confidence bands whose "
        "metric, axes, lines and panels can be chosen, absolute or relative to one of the lines, "
        "tables to sort and filter, the claims of papers next to the measured values, and for "
        "each number the command that reproduces it. An unfinished store, or one that a campaign "
        "is writing, is shown in part, and the page states this.\n\n"
        "For measured times, of files or directories, the page shows time, speedup and efficiency "
        "of each application over the processors, with the fitted formula and its 95 % band, as "
        "pictures and as tables.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = report_run,
};
