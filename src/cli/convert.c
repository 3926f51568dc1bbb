/* convert.c - cosched convert: job logs and schedules as the files of other programs. */
#include "base/source.h"
#include "cli/base/command.h"
#include "cli/base/ending.h"
#include "cli/base/output.h"
#include "io/log_write.h"
#include "report/human.h"
#include "report/jobspec.h"
#include "report/timeline.h"
#include "study/rows.h"

#include <cosched/schedule_file.h>
#include <string.h>

enum form { SWF, BATSIM, CSV, TRACE, PAJE, BARS, JOBSPEC };

#define LOGS (1U << SWF | 1U << BATSIM | 1U << CSV)
#define TIMELINES (1U << TRACE | 1U << PAJE)

/* Which forms know an option, and what to say of it to the others. */
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
    {"tracks", "goes with --to trace or --to paje", TIMELINES},
    {"program", "goes with --to flux-jobspec", 1U << JOBSPEC},
    {"margin", "goes with --to flux-jobspec", 1U << JOBSPEC},
};

static int check_options(const struct cs_arguments *args, enum form form, struct cs_error *err)
{
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++)
        if (cs_arguments_given(args, limits[i].option) && !(limits[i].forms >> form & 1))
            return cs_error_set(err, "--%s %s", limits[i].option, limits[i].why);
    return 0;
}

static void put_command(const struct cs_arguments *args, struct cs_strbuf *out)
{
    cs_arguments_put_line(args, "convert", out);
}

/* ---- job logs ---- */

static struct cs_log_options log_options(const struct cs_arguments *args, struct cs_zone *zone)
{
    return (struct cs_log_options){
        .zone = zone,
        .by_submit = cs_arguments_choice(args, "arrive") == 1,
        .unit = cs_arguments_given(args, "unit")
                    ? (enum cs_log_unit)(cs_arguments_choice(args, "unit") + 1)
                    : CS_LOG_UNIT_DEFAULT,
        .most = cs_arguments_given(args, "procs") ? cs_arguments_integer(args, "procs") : 0,
        .speed = cs_arguments_given(args, "speed") ? cs_arguments_real(args, "speed") : 0,
        .lookahead = (long)cs_arguments_integer(args, "lookahead"),
        .strict = cs_arguments_given(args, "strict"),
    };
}

static void put_rules(const struct cs_log_counts *counts, int first, int end, struct cs_strbuf *out)
{
    const char *between = "";

    for (int rule = first; rule < end; rule++)
        if (counts->rule[rule]) {
            cs_strbuf_puts(out, between);
            cs_human_count(out, counts->rule[rule]);
            cs_strbuf_printf(out, " %s",
                             cs_log_rule_words((enum cs_log_rule)rule, counts->rule[rule]));
            between = "; ";
        }
}

static void tell_jobs(int64_t count, const char *what)
{
    struct cs_strbuf words = CS_STRBUF_INIT;

    cs_human_units(&words, count, "job");
    if (count)
        cs_output_warn("%s%s", words.text, what);
    cs_strbuf_release(&words);
}

/* What is no job, and what is doubtful about those that are. */
static void tell_counts(const struct cs_log_counts *counts)
{
    struct cs_strbuf words = CS_STRBUF_INIT;

    put_rules(counts, 0, CS_LOG_KEPT, &words);
    if (words.length)
        cs_output_warn("%lld of %lld lines are left out: %s",
                       (long long)(counts->lines - counts->kept), (long long)counts->lines,
                       words.text);
    for (int i = 0; i < counts->notes; i++)
        cs_output_warn("%s", counts->note[i]);
    tell_jobs(counts->local, " without a time zone: their times are taken as those of --zone (UTC "
                             "when it is not given)");
    cs_strbuf_release(&words);
}

static void tell_losses(const struct cs_log_table *table, enum form form, int64_t rounded)
{
    tell_jobs(rounded, " rounded to whole seconds");
    if (form == SWF && table->labels)
        cs_output_warn("jobs are numbered from 1: some ids are no numbers");
    if (!table->machine && form == BATSIM)
        cs_output_warn("nobody says how large the machine is, nb_res is the widest job: --procs P "
                       "says it");
    if (!table->machine && form == SWF)
        cs_output_warn("nobody says how large the machine is, MaxProcs is left out: --procs P says "
                       "it");
}

static void put_log(const struct cs_arguments *args, const struct cs_log_table *table,
                    enum form form, struct cs_strbuf *out)
{
    struct cs_strbuf command = CS_STRBUF_INIT;
    int64_t rounded = 0;

    put_command(args, &command);
    if (form == SWF)
        cs_log_table_put_swf(table, command.text, out, &rounded);
    else if (form == BATSIM)
        cs_log_table_put_batsim(table, command.text, out);
    else
        cs_log_table_put_csv(table, out);
    tell_losses(table, form, rounded);
    cs_strbuf_release(&command);
}

static int convert_open_log(const struct cs_arguments *args, struct cs_log *log, enum form form,
                            struct cs_strbuf *out, struct cs_error *err)
{
    const bool given = cs_arguments_given(args, "procs");
    struct cs_arena *arena = cs_arena_create();
    struct cs_log_table table;
    int status =
        cs_log_table_read(log, given ? cs_arguments_integer(args, "procs") : 0, arena, &table, err);

    tell_counts(cs_log_counts(log));
    if (!status)
        put_log(args, &table, form, out);
    cs_arena_destroy(arena);
    return status;
}

static int convert_log(const struct cs_arguments *args, enum form form, struct cs_strbuf *out,
                       struct cs_error *err)
{
    const char *name = cs_arguments_text(args, "zone");
    struct cs_zone *zone = name ? cs_zone_open(name, err) : NULL;
    const struct cs_log_options options = log_options(args, zone);
    struct cs_log *log =
        name && !zone ? NULL : cs_log_open(args->operand, args->operands, &options, err);
    int status = log ? convert_open_log(args, log, form, out, err) : -1;

    cs_log_close(log);
    cs_zone_destroy(zone);
    return status;
}

/* ---- schedules ---- */

static int put_jobspec(const struct cs_arguments *args, const struct cs_schedule *schedule,
                       struct cs_strbuf *out, struct cs_error *err)
{
    const char *program = cs_arguments_text(args, "program");
    const char **word = CS_NEW_ARRAY(args->arena, const char *, program ? strlen(program) : 0);
    struct cs_jobspec how = {
        .word = word,
        .margin = cs_arguments_real(args, "margin"),
        .cores = cs_arguments_given(args, "unit") && cs_arguments_choice(args, "unit") == 0,
    };
    char *text = program ? cs_arena_strdup(args->arena, program) : NULL, *rest = NULL;

    for (char *each = text ? strtok_r(text, " \t", &rest) : NULL; each;
         each = strtok_r(NULL, " \t", &rest))
        word[how.words++] = each;
    return cs_jobspec_put(schedule, &how, out, err);
}

static int put_timeline(const struct cs_arguments *args, const struct cs_schedule *schedule,
                        enum form form, struct cs_strbuf *out, struct cs_error *err)
{
    const enum cs_tracks tracks =
        cs_arguments_given(args, "tracks")
            ? (enum cs_tracks)(cs_arguments_choice(args, "tracks") + CS_TRACKS_PROCS)
            : CS_TRACKS_DEFAULT;
    struct cs_arena *arena = cs_arena_create();
    struct cs_strbuf command = CS_STRBUF_INIT;
    struct cs_timeline line;
    int status = cs_timeline_make(schedule, tracks, arena, &line, err);

    put_command(args, &command);
    if (!status)
        (form == TRACE ? cs_timeline_trace : cs_timeline_paje)(&line, command.text, out);
    cs_strbuf_release(&command);
    cs_arena_destroy(arena);
    return status;
}

static int put_schedule(const struct cs_arguments *args, const struct cs_schedule *schedule,
                        enum form form, struct cs_strbuf *out, struct cs_error *err)
{
    if (form == JOBSPEC)
        return put_jobspec(args, schedule, out, err);
    if (TIMELINES >> form & 1)
        return put_timeline(args, schedule, form, out, err);
    cs_timeline_bars(schedule, out);
    return 0;
}

static int convert_schedule(const struct cs_arguments *args, enum form form, struct cs_strbuf *out,
                            struct cs_error *err)
{
    struct cs_schedule_file *file;
    int status;

    if (args->operands > 1)
        return cs_error_set(err, "%s: one schedule makes one file, %d are given",
                            cs_arguments_operand(args, 1), args->operands);
    file = cs_schedule_file_read(cs_arguments_operand(args, 0), err);
    if (!file)
        return -1;
    status = put_schedule(args, file->schedule, form, out, err);
    if (status)
        cs_error_prefix(err, "%s", file->source);
    cs_schedule_file_destroy(file);
    return status;
}

/* ---- the command ---- */

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

static int run(const struct cs_arguments *args, struct cs_error *err)
{
    const enum form form = (enum form)cs_arguments_choice(args, "to");
    struct cs_strbuf out = CS_STRBUF_INIT;
    int status;

    if (check_options(args, form, err) || check_ending(args, form, err))
        return CS_EXIT_USAGE;
    if (check_output(args, err))
        return -1;
    status = (form <= CSV ? convert_log : convert_schedule)(args, form, &out, err);
    if (!status)
        return cs_output_save(cs_arguments_text(args, "output"), &out, err);
    cs_strbuf_release(&out);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "INPUT",
     .repeats = true,
     .kind = CS_FIELD_PATH,
     .summary = "a schedule or plan (cosched-schedule-1), or a job log as 'cosched replay' reads "
                "it: what 'sacct -P' prints, SWF, accounting logs of PBS, CSV of ALCF or Batsim, "
                "workloads (JSON) of Batsim, several of which are merged by time; packed ones are "
                "fine; - reads standard input"},
    {0},
};

static const struct cs_field options[] = {
    {.name = "to",
     .kind = CS_FIELD_CHOICE,
     .choices = "swf|batsim|csv|trace|paje|bars|flux-jobspec",
     .required = true,
     .summary = "of a job log: the Standard Workload Format, a workload of Batsim, or a table "
                "(name,procs,seconds,...) that 'simulate rigid' reads too; of a schedule: trace "
                "events for "
                "Perfetto, Paje for ViTE, a row for each bar, or a job for Flux for each task"},
    CS_ROW_OUTPUT("FILE", 0),
    {.name = "procs",
     .letter = 'p',
     .kind = CS_FIELD_INTEGER,
     .argument = "P",
     .low = 1,
     .high = 1000000000,
     .group = "Job logs",
     .summary = "processors of the machine, wider jobs are left out; default: what the log says, "
                "or nobody"},
    {.name = "unit",
     .kind = CS_FIELD_CHOICE,
     .choices = "cpus|nodes",
     .summary = "what processors are; default: nodes in ALCF's logs and in jobs for Flux, else "
                "cpus"},
    {.name = "arrive",
     .kind = CS_FIELD_CHOICE,
     .choices = "eligible|submit",
     .fallback = "eligible",
     .summary = "when a job joins the queue: waiting for a dependency or a begin time is no "
                "queueing"},
    {.name = "zone",
     .kind = CS_FIELD_TEXT,
     .argument = "NAME",
     .summary = "time zone of stamps without one, such as Europe/Berlin; default: UTC"},
    {.name = "speed",
     .kind = CS_FIELD_REAL,
     .argument = "FLOPS",
     .low = 1,
     .high = 1e30,
     .summary = "of a processor, flop/s, for profiles of Batsim that are parallel_homogeneous"},
    {.name = "lookahead",
     .kind = CS_FIELD_INTEGER,
     .argument = "N",
     .fallback = "200000",
     .low = 1,
     .high = 1000000000,
     .summary = "lines of a file that may be out of order"},
    {.name = "strict",
     .kind = CS_FIELD_FLAG,
     .summary = "any malformed line is an error; otherwise more than 1 % are"},
    {.name = "tracks",
     .kind = CS_FIELD_CHOICE,
     .choices = "procs|tasks",
     .group = "Schedules",
     .summary = "what has a line of its own in a trace; default: processors, tasks when there were "
                "more than 200,000 slices"},
    {.name = "program",
     .kind = CS_FIELD_TEXT,
     .argument = "WORDS",
     .summary = "what a job of Flux runs, behind which come the name of the task and its number of "
                "processors; default: the name of the task alone"},
    {.name = "margin",
     .kind = CS_FIELD_REAL,
     .argument = "X",
     .fallback = "1.2",
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
    {0},
};

const struct cs_command cs_command_convert = {
    .words = "convert",
    .summary = "write job logs and schedules as the files of other programs",
    .description =
        "A job log becomes another one: times in seconds from the first submission (the log's own "
        "clock where it has one), running times, requests, users, queues and partitions as far as "
        "the form has them. Lines that are no jobs are counted by the rule that leaves them out. A "
        "schedule becomes a timeline for a viewer, a table, or jobs for Flux.\n\n"
        "All that Slurm knows of its jobs comes from\n\n"
        "  SLURM_TIME_FORMAT=%s sacct -a -X -P -S START -E END --format=JobIDRaw,JobID,User,"
        "Account,Partition,QOS,State,Submit,Eligible,Start,End,ElapsedRaw,TimelimitRaw,NNodes,"
        "AllocNodes,AllocCPUS,ReqNodes,ReqCPUS,AllocTRES,ReqTRES,ReqMem\n\n"
        "docs/formats.md describes what is read and written.",
    .operands = operands,
    .options = options,
    .examples = examples,
    .run = run,
};
