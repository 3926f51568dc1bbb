/* check.c - cosched check: is this schedule valid, or what is wrong with it? */
#include "cli/check_jobs.h"
#include "cli/command.h"
#include "cli/format.h"
#include "cli/output.h"
#include "report/human.h"
#include "report/table.h"

#include <cosched/check.h>

#include <math.h>

#define SHOWN 100

static const struct cs_column columns[] = {
    {.key = "file", .kind = CS_COLUMN_WORD}, {.key = "violation", .kind = CS_COLUMN_WORD},
    {.key = "task", .kind = CS_COLUMN_WORD}, {.key = "time", .kind = CS_COLUMN_NUMBER},
    {.key = "text", .kind = CS_COLUMN_WORD},
};

#define COLUMNS ((int)(sizeof columns / sizeof *columns))

static void add_rows(struct cs_table *table, const char *path, const struct cs_schedule_file *file,
                     const struct cs_check_report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct cs_check_item *item = &report->item[i];

        cs_table_text(table, path);
        cs_table_text(table, cs_violation_name(item->violation));
        cs_table_text(table,
                      item->task < 0 ? NULL : cs_schedule_task_name(file->schedule, item->task));
        cs_table_number(table, item->time);
        cs_table_text(table, item->text);
    }
}

static void put_verdict(const char *path, const struct cs_schedule_file *file,
                        const struct cs_check_report *report, struct cs_strbuf *out)
{
    size_t bars;

    cs_schedule_bars(file->schedule, &bars);
    if (report->total == 0) {
        cs_strbuf_printf(out, "%s: valid: problem %s, ", path, cs_schedule_problem(file->schedule));
        cs_human_units(out, cs_schedule_tasks(file->schedule), "task");
        cs_strbuf_puts(out, ", ");
        cs_human_units(out, (long long)bars, "bar");
        cs_strbuf_puts(out, ", makespan ");
        cs_human_duration(out, cs_schedule_makespan(file->schedule));
        cs_strbuf_puts(out, file->workload || !file->pack
                                ? "\n"
                                : "; times were not checked: it holds no instance\n");
        return;
    }
    cs_strbuf_printf(out, "%s: not valid: ", path);
    cs_human_units(out, (long long)report->total, "violation");
    cs_strbuf_puts(out, "\n");
    for (size_t i = 0; i < report->count; i++)
        cs_strbuf_printf(out, "  %s\n", report->item[i].text);
    if (report->total > report->count)
        cs_strbuf_printf(out, "  ... and %zu more\n", report->total - report->count);
}

/* 0 valid, 1 not, -1 unreadable. */
static int check_file(const char *path, struct cs_table *table, struct cs_strbuf *out,
                      struct cs_error *err)
{
    struct cs_schedule_file *file = cs_schedule_file_read(path, err);
    struct cs_check_report *report;
    int status;

    if (!file)
        return -1;
    report = cs_check_report_create(SHOWN);
    cs_check_file(file, report);
    add_rows(table, path, file, report);
    put_verdict(path, file, report, out);
    status = report->total > 0;
    cs_check_report_destroy(report);
    cs_schedule_file_destroy(file);
    return status;
}

static int check_schedules(const struct cs_arguments *args, struct cs_error *err)
{
    enum cs_format format = (enum cs_format)cs_arguments_choice(args, "format");
    struct cs_table *table = cs_table_create(columns, COLUMNS);
    struct cs_strbuf out = CS_STRBUF_INIT;
    int status = CS_EXIT_DONE;

    for (int i = 0; i < args->operands && status >= 0; i++) {
        int one = check_file(cs_arguments_operand(args, i), table, &out, err);

        status = one ? one : status;
    }
    if (format != CS_FORMAT_TABLE) {
        cs_strbuf_clear(&out);
        cs_table_write(table, format == CS_FORMAT_JSON ? CS_TABLE_JSON : CS_TABLE_CSV, 0, &out);
    }
    cs_output_put(&out);
    cs_strbuf_release(&out);
    cs_table_destroy(table);
    return status;
}

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    const char *log = cs_arguments_text(args, "log");

    return log ? cs_check_jobs_run(args, log, err) : check_schedules(args, err);
}

static const struct cs_operand operands[] = {
    {.name = "SCHEDULE.json",
     .repeats = true,
     .kind = CS_OPTION_PATH,
     .summary = "schedules or plans (cosched-schedule-1); - reads standard input"},
    {0},
};

static const struct cs_option options[] = {
    CS_OPTION_FORMAT_GROUP("Schedules"),
    {.name = "log",
     .kind = CS_OPTION_PATH,
     .argument = "LOG",
     .group = "Tables of jobs",
     .summary = "the files are tables in the form of Batsim's PREFIX_jobs.csv; judge them against "
                "this job log (SWF, or CSV of ALCF)"},
    {.name = "rule",
     .kind = CS_OPTION_CHOICE,
     .choices = "valid|easy",
     .fallback = "valid",
     .summary = "valid: processors suffice and every job runs as the log says; easy: also, nobody "
                "delays the first in line (first come, first served)"},
    {.name = "procs",
     .letter = 'p',
     .kind = CS_OPTION_INTEGER,
     .argument = "P",
     .low = 1,
     .high = 100000000,
     .summary = "processors of the machine; default: what the log says"},
    {.name = "estimates",
     .kind = CS_OPTION_CHOICE,
     .choices = "requested|exact",
     .fallback = "requested",
     .summary = "what the scheduler knew of running times"},
    {.name = "verification",
     .kind = CS_OPTION_SECONDS,
     .argument = "TIME",
     .fallback = "0",
     .low = 0,
     .high = 1e12,
     .summary = "added to each attempt"},
    {.name = "tolerance",
     .kind = CS_OPTION_SECONDS,
     .argument = "TIME",
     .fallback = "0",
     .low = 0,
     .high = 1e6,
     .summary = "times that differ by no more are the same; 1ms does for tables of Batsim"},
    {0},
};

static const struct cs_example examples[] = {
    {"Judge a plan that was just made:",
     "cosched plan pack examples/quickstart.csv --procs 8 --format json | cosched check -"},
    {"Did this tool keep the reservations of EASY?",
     "cosched check out_jobs.csv --log log.swf.gz --rule easy --tolerance 1ms"},
    {0},
};

const struct cs_command cs_command_check = {
    .words = "check",
    .summary = "judge schedules: valid, or every violation with task and time",
    .description =
        "An independent second opinion: the checker shares no code with the policies. It looks "
        "at processors used twice, tasks that are missing or repeated, times that disagree with "
        "the profiles in the file, packs that overlap or are too large, attempts that run again "
        "without a failure, shelves that are none, and figures (costs, ratios, bounds) that are "
        "not "
        "what they should be.\n\n"
        "Exit status: 0 when every file is valid, 1 when one is not or cannot be read.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
