/* convert.c - cosched convert: job logs, schedules and timings in other formats. */
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "cli/base/output.h"

#include <cosched/case.h>
#include <cosched/convert.h>
#include <string.h>

enum form { SWF, BATSIM, CSV, TRACE, PAJE, BARS, JOBSPEC, TIMINGS };

#define LOGS (1U << SWF | 1U << BATSIM | 1U << CSV)
#define TIMELINES (1U << TRACE | 1U << PAJE)

/* The forms that have an option, and the message for the others. */
static const struct {
    const char *option, *why;
    unsigned forms;
} limits[] = {
    {"procs", "is for job logs: --to swf, batsim or csv", LOGS},
    {"arrive", "is for job logs: --to swf, batsim or csv", LOGS},
    {"zone", "is for job logs: --to swf, batsim or csv", LOGS},
    {"speed", "is for job logs: --to swf, batsim or csv", LOGS},
    {"lookahead", "is for job logs: --to swf, batsim or csv", LOGS},
    {"strict", "is for job logs: --to swf, batsim or csv", LOGS},
    {"unit", "is for job logs, and for --to flux-jobspec", LOGS | 1U << JOBSPEC},
    {"app", "goes with --to timings", 1U << TIMINGS},
    {"count", "goes with --to timings", 1U << TIMINGS},
    {"count-unit", "goes with --to timings", 1U << TIMINGS},
    {"metric", "goes with --to timings", 1U << TIMINGS},
    {"region", "goes with --to timings", 1U << TIMINGS},
    {"decimal", "goes with --to timings", 1U << TIMINGS},
    {"tracks", "goes with --to trace or --to paje", TIMELINES},
    {"program", "goes with --to flux-jobspec", 1U << JOBSPEC},
    {"margin", "goes with --to flux-jobspec", 1U << JOBSPEC},
};

static int check_options(const struct cs_arguments *args, enum form form, struct cs_error *err)
{
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (cs_arguments_has(args, limits[i].option) && !(limits[i].forms >> form & 1))
            return cs_error_set(err, "--%s %s", limits[i].option, limits[i].why);
    return 0;
}

/* "--to swf writes FILE.swf, ..." */
static int check_ending(const struct cs_arguments *args, enum form form, struct cs_error *err)
{
    static const struct {
        const char *as, *argument;
    } of[] = {
        [SWF] = {"--to swf", "FILE.swf"},
        [BATSIM] = {"--to batsim", "FILE.json"},
        [CSV] = {"--to csv", "FILE.csv"},
        [TRACE] = {"--to trace", "FILE.json"},
        [PAJE] = {"--to paje", "FILE.paje|FILE.trace"},
        [BARS] = {"--to bars", "FILE.csv"},
        [JOBSPEC] = {"--to flux-jobspec", "FILE.jsonl|FILE.json"},
        [TIMINGS] = {"--to timings", "FILE.csv"},
    };
    const char *output = cs_arguments_text(args, "output");

    return output ? cs_ending_check(of[form].as, output, of[form].argument, err) : 0;
}

static int check_output(const struct cs_arguments *args, struct cs_error *err)
{
    const char *output = cs_arguments_text(args, "output");

    for (int i = 0; i < args->operands; i++)
        if (cs_output_apart(output, cs_arguments_operand(args, i), "an input", err))
            return -1;
    return cs_output_check(output, err);
}

static const char *convert_chosen(const struct cs_arguments *args, const char *option,
                                  const char *const *word)
{
    return cs_arguments_has(args, option) ? word[cs_arguments_choice(args, option)] : NULL;
}

static struct cs_convert_options convert_asked(const struct cs_arguments *args, const char *command)
{
    static const char *const form[] = {"swf",  "batsim", "csv",          "trace",
                                       "paje", "bars",   "flux-jobspec", "timings"};
    static const char *const unit[] = {"cpus", "nodes"}, *const tracks[] = {"procs", "tasks"};

    return (struct cs_convert_options){
        .size = sizeof(struct cs_convert_options),
        .to = form[cs_arguments_choice(args, "to")],
        .command = command,
        .unit = convert_chosen(args, "unit", unit),
        .procs = cs_arguments_has(args, "procs") ? cs_arguments_integer(args, "procs") : 0,
        .by_submit = cs_arguments_choice(args, "arrive") == 1,
        .zone = cs_arguments_text(args, "zone"),
        .speed = cs_arguments_has(args, "speed") ? cs_arguments_real(args, "speed") : 0,
        .lookahead = (long)cs_arguments_integer(args, "lookahead"),
        .strict = cs_arguments_has(args, "strict"),
        .tracks = convert_chosen(args, "tracks", tracks),
        .program = cs_arguments_text(args, "program"),
        .margin = cs_arguments_real(args, "margin"),
        .app = cs_arguments_text(args, "app"),
        .count = cs_arguments_text(args, "count"),
        .count_unit = cs_arguments_text(args, "count-unit"),
        .metric = cs_arguments_text(args, "metric"),
        .region = cs_arguments_text(args, "region"),
        .decimal = cs_arguments_text(args, "decimal"),
    };
}

static int convert_print(const struct cs_arguments *args, const struct cs_convert_options *how,
                         const struct cs_watch *watch, struct cs_error *err)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    size_t length;
    char *text = cs_convert(args->operand, args->operands, how, watch, &length, err);

    if (!text)
        return -1;
    cs_strbuf_append(&out, text, length);
    cs_free(text);
    return cs_output_save(cs_arguments_text(args, "output"), &out, err);
}

/* Cells for spreadsheets are made safe in the whole text. */
static bool convert_streams(const struct cs_arguments *args)
{
    const char *output = cs_arguments_text(args, "output");

    return output && strcmp(output, "-") != 0 && !cs_arguments_has(args, "csv-safe");
}

static int cli_convert(const struct cs_arguments *args, struct cs_error *err)
{
    const struct cs_watch watch = {.size = sizeof watch, .warn = cs_output_warn_of};
    struct cs_strbuf command = CS_STRBUF_INIT;
    struct cs_convert_options how;
    int status;

    cs_arguments_put_line(args, "convert", &command);
    how = convert_asked(args, command.text);
    status = convert_streams(args)
                 ? cs_convert_write(args->operand, args->operands, &how,
                                    cs_arguments_text(args, "output"), &watch, err)
                 : convert_print(args, &how, &watch, err);
    cs_strbuf_release(&command);
    return status;
}

static int convert_run(const struct cs_arguments *args, struct cs_error *err)
{
    const enum form form = (enum form)cs_arguments_choice(args, "to");

    if (check_options(args, form, err) || check_ending(args, form, err))
        return CS_EXIT_USAGE;
    return check_output(args, err) ? -1 : cli_convert(args, err);
}

static const struct cs_operand operands[] = {
    {.name = "INPUT",
     .repeats = true,
     .kind = CS_PARAM_PATH,
     .summary = "a schedule or plan (cosched-schedule-1), or a job log as 'cosched replay' reads "
                "it: what 'sacct -P' prints, SWF, accounting logs of PBS, CSV of ALCF or Batsim, "
                "workloads (JSON) of Batsim, several of which are merged by time; or timings of "
                "hyperfine, ReFrame and other tools, files and directories of them; packed ones "
                "are fine; - reads standard input"},
    {0},
};

#define CONVERT_AT(member) 0 /* options of this command are read by name */

static const struct cs_param options[] = {
    {.name = "to",
     .kind = CS_PARAM_CHOICE,
     .choices = "swf|batsim|csv|trace|paje|bars|flux-jobspec|timings",
     .required = true,
     .summary = "of a job log: the Standard Workload Format, a workload of Batsim, or a table "
                "(name,procs,seconds,...) that 'simulate rigid' reads too; of a schedule: trace "
                "events for "
                "Perfetto, Paje for ViTE, a row for each bar, or a job for Flux for each task; of "
                "timings: a row for each run (app,procs,seconds,source)"},
    CS_PARAM_CSV_SAFE_ROW,
    {.name = "output",
     .letter = 'o',
     .kind = CS_PARAM_PATH,
     .argument = "FILE",
     .summary = "where to; default: standard output"},
    CS_ROWS_TIMINGS(0, 0, CONVERT_AT),
    {.name = "procs",
     .letter = 'p',
     .kind = CS_PARAM_INTEGER,
     .argument = "P",
     .low = 1,
     .high = 1000000000,
     .group = "Job logs",
     .summary = "processors of the machine; wider jobs are left out (default: from the log, or "
                "no limit)"},
    {.name = "unit",
     .kind = CS_PARAM_CHOICE,
     .choices = "cpus|nodes",
     .summary = "what processors are; default: nodes in ALCF's logs and in jobs for Flux, else "
                "cpus"},
    {.name = "arrive",
     .kind = CS_PARAM_CHOICE,
     .choices = "eligible|submit",
     .default_text = "eligible",
     .summary = "when a job joins the queue: waiting for a dependency or a begin time is no "
                "queueing"},
    {.name = "zone",
     .kind = CS_PARAM_TEXT,
     .argument = "NAME",
     .summary = "time zone of stamps without one, such as Europe/Berlin; default: UTC"},
    {.name = "speed",
     .kind = CS_PARAM_REAL,
     .argument = "FLOPS",
     .low = 1,
     .high = 1e30,
     .summary = "of a processor, flop/s, for profiles of Batsim that are parallel_homogeneous"},
    {.name = "lookahead",
     .kind = CS_PARAM_INTEGER,
     .argument = "N",
     .default_text = "200000",
     .low = 1,
     .high = 1000000000,
     .summary = "lines of a file that may be out of order"},
    {.name = "strict",
     .kind = CS_PARAM_FLAG,
     .summary = "any malformed line is an error; otherwise more than 1 % are"},
    {.name = "tracks",
     .kind = CS_PARAM_CHOICE,
     .choices = "procs|tasks",
     .group = "Schedules",
     .summary = "rows of a trace: one per processor or one per task (default: processors; tasks "
                "if there are more than 200,000 slices)"},
    {.name = "program",
     .kind = CS_PARAM_TEXT,
     .argument = "WORDS",
     .summary = "what a job of Flux runs, behind which come the name of the task and its number of "
                "processors; default: the name of the task alone"},
    {.name = "margin",
     .kind = CS_PARAM_REAL,
     .argument = "X",
     .default_text = "1.2",
     .low = 1,
     .high = 1000,
     .summary = "a job of Flux may take X times what is planned"},
    {0},
};

static const struct cs_example examples[] = {
    {"A plan in Perfetto (ui.perfetto.dev):", "cosched plan pack examples/quickstart.csv --procs 8 "
                                              "-o plan.json && cosched convert plan.json "
                                              "--to trace -o trace.json"},
    {"What Slurm kept, for those who read SWF:",
     "cosched convert sacct.txt --to swf -o log.swf --zone Europe/Berlin"},
    {"The same log for Batsim:", "cosched convert log.swf.gz --to batsim -o workload.json"},
    {"Performance logs of ReFrame as one table of times:",
     "cosched convert perflogs --to timings -o times.csv"},
    {0},
};

const struct cs_command cs_command_convert = {
    .words = "convert",
    .summary = "write job logs, schedules and timings in other formats",
    .description =
        "A job log becomes another one: times in seconds from the first submission (the log's own "
        "clock where it has one), running times, requests, users, queues and partitions as far as "
        "the form has them. Lines that are no jobs are counted by the rule that leaves them out. A "
        "schedule becomes a timeline for a viewer, a table, or jobs for Flux. Timings of other "
        "tools become the table that 'cosched plan' reads, a row for each run.\n\n"
        "All that Slurm knows of its jobs comes from\n\n"
        "  SLURM_TIME_FORMAT=%s sacct -a -X -P -S START -E END --format=JobIDRaw,JobID,User,"
        "Account,Partition,QOS,State,Submit,Eligible,Start,End,ElapsedRaw,TimelimitRaw,NNodes,"
        "AllocNodes,AllocCPUS,ReqNodes,ReqCPUS,AllocTRES,ReqTRES,ReqMem\n\n"
        "docs/formats.md describes what is read and written.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = convert_run,
};
