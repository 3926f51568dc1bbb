/* run_schedule.c - cosched run schedule: what ran, against what was planned. */
#include "base/csv.h"
#include "base/file.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"
#include "report/human.h"

#include <cosched/case.h>
#include <cosched/chart.h>
#include <cosched/run.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

static const struct cs_column columns[] = {
    {.key = "task", .kind = CS_COLUMN_WORD},
    {.key = "procs", .heading = "slots", .kind = CS_COLUMN_COUNT},
    {.key = "planned_start",
     .heading = "planned",
     .unit = "s",
     .kind = CS_COLUMN_NUMBER,
     .digits = 2},
    {.key = "start", .heading = "started", .unit = "s", .kind = CS_COLUMN_NUMBER, .digits = 2},
    {.key = "planned_seconds",
     .heading = "planned",
     .unit = "s",
     .kind = CS_COLUMN_NUMBER,
     .digits = 2},
    {.key = "seconds", .heading = "took", .unit = "s", .kind = CS_COLUMN_NUMBER, .digits = 2},
    {.key = "ratio", .kind = CS_COLUMN_DIGITS, .digits = 3},
    {.key = "tries", .kind = CS_COLUMN_COUNT},
    {.key = "state", .kind = CS_COLUMN_WORD},
};

#define COLUMNS (sizeof columns / sizeof *columns)

static double run_schedule_number(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static const char *run_schedule_word(const json_t *object, const char *key)
{
    return json_string_value(json_object_get(object, key));
}

/* The use of the slots, and losses. */
static void put_use(const json_t *reported, struct cs_strbuf *out)
{
    const double all = run_schedule_number(reported, "slot_seconds");
    const json_t *others = json_object_get(reported, "other"), *other;
    size_t i;

    cs_strbuf_puts(out, "use of the slots    ");
    cs_human_percent(out, all > 0 ? run_schedule_number(reported, "work") / all : NAN, 1);
    json_array_foreach(others, i, other)
    {
        cs_strbuf_printf(out, ", %s ", run_schedule_word(other, "on"));
        cs_human_percent(out, run_schedule_number(other, "slot_seconds") / all, 1);
    }
    cs_strbuf_putc(out, '\n');
}

static void put_overhead(const json_t *reported, struct cs_strbuf *out)
{
    if (isnan(run_schedule_number(reported, "median_to_program")))
        return;
    cs_strbuf_puts(out, "decision to program ");
    cs_human_duration(out, run_schedule_number(reported, "median_to_program"));
    cs_strbuf_puts(out, " in the median, 99 % within ");
    cs_human_duration(out, run_schedule_number(reported, "p99_to_program"));
    cs_strbuf_putc(out, '\n');
}

static void put_summary(const json_t *reported, struct cs_strbuf *out)
{
    const double ran = run_schedule_number(reported, "makespan"),
                 planned = run_schedule_number(reported, "planned");

    cs_strbuf_puts(out, "makespan            ");
    cs_human_duration(out, ran);
    cs_strbuf_puts(out, ", planned ");
    cs_human_duration(out, planned);
    if (planned > 0) {
        cs_strbuf_puts(out, ": ");
        cs_human_digits(out, ran / planned, 3);
        cs_strbuf_puts(out, " times that");
    }
    cs_strbuf_printf(out, "\ntasks               %d of %zu done\n",
                     (int)run_schedule_number(reported, "done"),
                     json_array_size(json_object_get(reported, "tasks")));
    put_use(reported, out);
    put_overhead(reported, out);
    cs_strbuf_putc(out, '\n');
}

static void run_schedule_show(const json_t *reported, enum cs_table_format format)
{
    struct cs_table *table = cs_table_create(columns, COLUMNS);
    struct cs_strbuf out = CS_STRBUF_INIT;
    const json_t *tasks = json_object_get(reported, "tasks"), *task;
    size_t t;

    json_array_foreach(tasks, t, task) cs_rows_put(table, columns, COLUMNS, task);
    if (format == CS_TABLE_TEXT)
        put_summary(reported, &out);
    cs_output_table(table, format, 0, &out);
    cs_output_put(&out);
    cs_strbuf_release(&out);
    cs_table_destroy(table);
}

static int run_schedule_save(const struct cs_run_history *history, const char *path,
                             struct cs_error *err)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    char *text = cs_run_history_text(history, NULL, err);

    if (!text)
        return -1;
    cs_strbuf_puts(&out, text);
    cs_free(text);
    return cs_output_save(path, &out, err);
}

/* "ran in 2 h, planned 1 h 50 min" */
static char *svg_of(const struct cs_run_history *history, const json_t *reported,
                    struct cs_chart_options *how, struct cs_error *err)
{
    struct cs_schedule *ran = cs_run_history_schedule(history);
    struct cs_schedule *planned = cs_run_history_planned(history, err);
    struct cs_strbuf subtitle = CS_STRBUF_INIT;
    char *svg;

    cs_strbuf_puts(&subtitle, "ran in ");
    cs_human_duration(&subtitle, run_schedule_number(reported, "makespan"));
    cs_strbuf_puts(&subtitle, ", planned ");
    cs_human_duration(&subtitle, run_schedule_number(reported, "planned"));
    how->subtitle = subtitle.text;
    svg = planned ? cs_schedule_svg(ran, planned, how, NULL, err) : NULL;
    cs_strbuf_release(&subtitle);
    cs_schedule_destroy(ran);
    cs_schedule_destroy(planned);
    return svg;
}

static int run_schedule_draw(const struct cs_run_history *history, const json_t *reported,
                             const struct cs_arguments *args, const char *path,
                             struct cs_error *err)
{
    const char *title = cs_arguments_text(args, "title");
    struct cs_chart_options how = {
        .size = sizeof how,
        .title = title ? title : run_schedule_word(reported, "folder"),
        .processor = "slot",
        .style = cs_arguments_has(args, "dark") ? "dark" : NULL,
    };
    char *svg = svg_of(history, reported, &how, err);
    int status = svg ? cs_chart_write(path, svg, CS_CHART_DPI, err) : -1;

    cs_free(svg);
    return status;
}

/* The existing rows of the file, if it is such a table. */
static int read_timings(const char *path, struct cs_strbuf *text, struct cs_error *err)
{
    static const char head[] = "app,procs,seconds\n";

    if (!strcmp(path, "-") || access(path, F_OK)) {
        cs_strbuf_puts(text, head);
        return 0;
    }
    if (cs_file_read(path, CS_FILE_LARGEST, text, err))
        return -1;
    if (!text->length)
        cs_strbuf_puts(text, head);
    if (strncmp(text->text, head, sizeof head - 1) != 0)
        return cs_error_set(err,
                            "%s: is there already and does not begin with %.17s; timings are "
                            "appended to such files only",
                            path, head);
    if (text->text[text->length - 1] != '\n')
        cs_strbuf_putc(text, '\n');
    return 0;
}

/* Attempts that ended well, and began at the beginning. */
static void put_timings(const json_t *reported, struct cs_strbuf *text)
{
    const json_t *attempts = json_object_get(reported, "attempts"), *attempt;
    size_t a;

    json_array_foreach(attempts, a, attempt)
    {
        if (!run_schedule_word(attempt, "outcome") ||
            strcmp(run_schedule_word(attempt, "outcome"), "ok") != 0 ||
            !isnan(run_schedule_number(attempt, "restarted_at")))
            continue;
        cs_csv_quote(text, run_schedule_word(attempt, "task"));
        cs_strbuf_printf(text, ",%d,", (int)run_schedule_number(attempt, "procs"));
        cs_strbuf_put_double(text, run_schedule_number(attempt, "seconds"));
        cs_strbuf_putc(text, '\n');
    }
}

static int write_timings(const json_t *reported, const char *path, struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    if (!read_timings(path, &text, err)) {
        put_timings(reported, &text);
        return cs_output_save(path, &text, err);
    }
    cs_strbuf_release(&text);
    return -1;
}

static int make_all(const struct cs_run_history *history, const struct cs_arguments *args,
                    struct cs_error *err)
{
    const char *output = cs_arguments_text(args, "output");
    const char *gantt = cs_arguments_text(args, "gantt");
    const char *timings = cs_arguments_text(args, "timings");
    json_t *reported = cs_rows_parse(cs_run_history_reported(history, err));
    int status = reported ? 0 : -1;

    if (!status && ((output && run_schedule_save(history, output, err)) ||
                    (gantt && run_schedule_draw(history, reported, args, gantt, err)) ||
                    (timings && write_timings(reported, timings, err))))
        status = -1;
    if (!status && (!output || strcmp(output, "-") != 0))
        run_schedule_show(reported, cs_rows_format(cs_arguments_choice(args, "format")));
    json_decref(reported);
    return status;
}

static int run_schedule_run(const struct cs_arguments *args, struct cs_error *err)
{
    static const char *const files[] = {"output", "gantt", "timings", NULL};
    const char *gantt = cs_arguments_text(args, "gantt");
    struct cs_run_history *history;
    int status;

    if (gantt && cs_chart_check(gantt, err))
        return CS_EXIT_USAGE;
    if (cs_output_check_options(args, files, NULL, "", err))
        return -1;
    history = cs_run_history_read(cs_arguments_operand(args, 0), err);
    if (!history)
        return -1;
    status = make_all(history, args, err);
    cs_run_history_destroy(history);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "RUN", .kind = CS_PARAM_PATH, .summary = "the folder of the run"},
    {0},
};

static const struct cs_param options[] = {
    CS_PARAM_FORMAT("Output", 0, 0),
    CS_PARAM_CSV_SAFE_ROW,
    {.name = "output",
     .letter = 'o',
     .kind = CS_PARAM_PATH,
     .argument = "FILE.json",
     .summary = "write what ran as JSON (cosched-schedule-1), which 'cosched check' judges and "
                "'cosched report' shows"},
    {.name = "gantt",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.svg|FILE.pdf|FILE.png",
     .summary = "draw what ran, with what was planned as outlines"},
    {.name = "timings",
     .kind = CS_PARAM_PATH,
     .argument = "FILE.csv",
     .summary = "write, or append, app,procs,seconds of all attempts that ended well, for 'plan' "
                "and 'fit'"},
    {.name = "title",
     .kind = CS_PARAM_TEXT,
     .argument = "TEXT",
     .needs = "gantt",
     .summary = "title of the picture; default: the name of the input"},
    {.name = "dark",
     .kind = CS_PARAM_FLAG,
     .needs = "gantt",
     .summary = "a picture for dark slides"},
    {0},
};

static const struct cs_example examples[] = {
    {"Draw the run next to its plan:", "cosched run schedule run1 --gantt run1.svg"},
    {"Measured times for the next plan:",
     "cosched run schedule run1 --timings times.csv && cosched fit times.csv"},
    {"Check the schedule of a run:",
     "cosched run schedule run1 -o ran.json && cosched check ran.json"},
    {0},
};

const struct cs_command cs_command_run_schedule = {
    .words = "run schedule",
    .summary = "compare a run with its plan",
    .description =
        "The makespan, the use of the slots, lost work and its causes, the time from a decision "
        "to the start of its program; and for each task the planned and actual start and "
        "duration. The plan of a queue is the schedule of the same policy if every attempt takes "
        "its given time and no attempt fails.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run_schedule_run,
};
