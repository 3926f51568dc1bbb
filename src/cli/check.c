/* check.c - cosched check: is this schedule valid, or what is wrong with it? */
#include "base/lines.h"
#include "cli/base/command.h"
#include "cli/base/output.h"
#include "cli/views/check_show.h"
#include "report/human.h"

#include <cosched/case.h>
#include <cosched/check.h>
#include <cosched/run.h>

#include <math.h>
#include <string.h>

/* cosched check --log: tables of jobs against the logs that they came from. */

static int64_t check_whole(const struct cs_arguments *args, const char *name)
{
    return cs_arguments_has(args, name) ? cs_arguments_integer(args, name) : 0;
}

static double check_real(const struct cs_arguments *args, const char *name, double otherwise)
{
    return cs_arguments_has(args, name) ? cs_arguments_real(args, name) : otherwise;
}

/* The value of an option, without its default. */
static const char *check_text(const struct cs_arguments *args, const char *name)
{
    return cs_arguments_has(args, name) ? cs_arguments_text(args, name) : NULL;
}

static struct cs_check_options options_of(const struct cs_arguments *args)
{
    return (struct cs_check_options){
        .size = sizeof(struct cs_check_options),
        .violations = CS_CHECK_SHOWN,
        .rule = check_text(args, "rule"),
        .procs = check_whole(args, "procs"),
        .estimates = check_text(args, "estimates"),
        .overrun = check_text(args, "overrun"),
        .grace = check_real(args, "grace", NAN),
        .verification = check_real(args, "verification", 0),
        .tolerance = check_real(args, "tolerance", 0),
        .nodes = check_whole(args, "nodes"),
        .machine = check_text(args, "machine"),
        .alloc = check_text(args, "alloc"),
        .assume_up = cs_arguments_has(args, "assume-up"),
        .unit = check_text(args, "unit"),
        .outages = check_text(args, "outages"),
        .default_request = check_real(args, "default-request", 0),
        .user_jobs = check_whole(args, "user-jobs"),
        .user_procs = check_whole(args, "user-procs"),
        .arrive = check_text(args, "arrive"),
        .zone = check_text(args, "zone"),
        .from = check_text(args, "from"),
        .to = check_text(args, "to"),
        .partition_field = check_text(args, "partition-field"),
    };
}

/* "jobs.csv (easy, fcfs)" where there are several. */
static void check_jobs_put_name(const char *path, const json_t *finding, bool alone,
                                struct cs_strbuf *out)
{
    cs_strbuf_puts(out, path);
    if (!alone)
        cs_strbuf_printf(out, " (%s, %s)", json_string_value(json_object_get(finding, "policy")),
                         json_string_value(json_object_get(finding, "priority")));
}

static int check_table(const struct cs_arguments *args, const char *path,
                       struct cs_check_show *show, struct cs_error *err)
{
    const struct cs_check_options how = options_of(args);
    const struct cs_watch watch = {.size = sizeof watch, .warn = cs_output_warn_of};
    int logs, status = CS_EXIT_DONE;
    const char *const *log = cs_arguments_texts(args, "log", &logs);
    json_t *verdicts = cs_rows_parse(cs_check_jobs(path, log, logs, &how, &watch, err)), *finding;
    struct cs_strbuf name = CS_STRBUF_INIT;
    size_t i;

    if (!verdicts)
        return -1;
    json_array_foreach(verdicts, i, finding)
    {
        cs_strbuf_clear(&name);
        check_jobs_put_name(path, finding, json_array_size(verdicts) == 1, &name);
        status = cs_check_worse(status, cs_check_show_finding(show, name.text, finding));
    }
    json_decref(verdicts);
    cs_strbuf_release(&name);
    return status;
}

/* Judge the operands against the logs.  An exit status, or -1 with err. */
static int check_jobs_run(const struct cs_arguments *args, struct cs_check_show *show,
                          struct cs_error *err)
{
    int status = CS_EXIT_DONE;

    for (int i = 0; i < args->operands && status >= 0; i++)
        status =
            cs_check_worse(status, check_table(args, cs_arguments_operand(args, i), show, err));
    return status;
}

static void check_put_name(const void *who, int task, struct cs_strbuf *out)
{
    cs_strbuf_puts(out, cs_schedule_task_name(who, task));
}

static void put_makespan(const struct cs_schedule *schedule, struct cs_strbuf *out)
{
    const double makespan = cs_schedule_makespan(schedule);

    if (strcmp(cs_schedule_problem(schedule), "volatile") != 0)
        cs_human_duration(out, makespan);
    else if (fabs(makespan) < 1e15)
        cs_human_units(out, (long long)makespan, "slot");
    else
        cs_strbuf_printf(out, "%.15g slots", makespan);
}

static void check_put_words(const struct cs_schedule_file *file, struct cs_strbuf *out)
{
    size_t bars;

    cs_schedule_bars(file->schedule, &bars);
    if (*cs_schedule_problem(file->schedule))
        cs_strbuf_printf(out, "problem %s, ", cs_schedule_problem(file->schedule));
    cs_human_units(out, cs_schedule_tasks(file->schedule), "task");
    if (file->observed && file->observed->unfinished)
        cs_strbuf_printf(out, " (%d did not end well)", file->observed->unfinished);
    cs_strbuf_puts(out, ", ");
    cs_human_units(out, (long long)bars, "bar");
    cs_strbuf_puts(out, ", makespan ");
    put_makespan(file->schedule, out);
    if (file->observed)
        cs_strbuf_puts(out, "; observed: the expected duration is unknown");
}

/* What --against names, and the operands behind the schedule. */
static const char *const *inputs_of(const struct cs_arguments *args, int *count)
{
    const char *const *named = cs_arguments_texts(args, "against", count);
    const char **all = CS_NEW_ARRAY(args->arena, const char *, *count + args->operands);

    for (int i = 0; i < *count; i++)
        all[i] = named[i];
    for (int i = 1; *count && i < args->operands; i++)
        all[(*count)++] = cs_arguments_operand(args, i);
    return all;
}

/* Check by its declarations and, if these are valid, against its input. */
static int check_judge(const struct cs_arguments *args, const struct cs_schedule_file *file,
                       struct cs_check_report *report, struct cs_error *err)
{
    const struct cs_watch watch = {.size = sizeof watch, .warn = cs_output_warn_of};
    int count;
    const char *const *supplied = inputs_of(args, &count);

    if (!report || cs_check_file(file, report))
        return cs_error_set(err, "out of memory");
    return count && report->total == 0
               ? cs_check_schedule(file, supplied, count, &watch, report, err)
               : 0;
}

/* A table of jobs instead of a schedule: the first line is that of Batsim, or of a replay. */
static bool is_table(const char *path)
{
    struct cs_error none = {0};
    struct cs_lines *lines = strcmp(path, "-") ? cs_lines_open(path, &none) : NULL;
    size_t length;
    char *line;
    const bool is = lines && cs_lines_next(lines, &line, &length, &none) > 0 && strchr(line, ',') &&
                    *line != '{' && (strstr(line, "job_id") || strstr(line, "jobID"));

    cs_lines_close(lines);
    return is;
}

/* The directory of a run is checked as the file of `run schedule --output`. */
static struct cs_schedule_file *read_run(const char *folder, struct cs_error *err)
{
    struct cs_run_history *history = cs_run_history_read(folder, err);
    size_t length;
    char *text = history ? cs_run_history_text(history, &length, err) : NULL;
    struct cs_schedule_file *file =
        text ? cs_schedule_file_read_memory(folder, text, length, err) : NULL;

    cs_free(text);
    cs_run_history_destroy(history);
    return file;
}

static struct cs_schedule_file *read_file(const char *path, struct cs_error *err)
{
    return cs_run_seems(path) ? read_run(path, err) : cs_schedule_file_read(path, err);
}

/* Append the energy of the schedule.  -1 with err. */
static int check_put_energy(const struct cs_arguments *args, const char *path,
                            const struct cs_schedule *schedule, struct cs_strbuf *words,
                            struct cs_error *err)
{
    static const char *const part[] = {"busy", "idle", "off", "wake"};
    char *made = cs_schedule_energy(schedule, cs_arguments_text(args, "watts"),
                                    (int)cs_arguments_integer(args, "procs-per-node"),
                                    check_real(args, "energy-until", NAN), err);
    json_t *energy;

    if (!made)
        return cs_error_prefix(err, "%s", path);
    energy = cs_rows_parse(made);
    cs_strbuf_printf(words, ", energy %.3f kWh (",
                     json_number_value(json_object_get(energy, "joules")) / 3.6e6);
    for (int p = 0; p < 4; p++) {
        cs_strbuf_printf(words, "%s%s ", p ? ", " : "", part[p]);
        cs_strbuf_put_double(words, json_number_value(json_object_get(energy, part[p])));
        cs_strbuf_puts(words, " J");
    }
    cs_strbuf_putc(words, ')');
    json_decref(energy);
    return 0;
}

/* The exit status of its verdict; -1: unreadable. */
static int check_file(const struct cs_arguments *args, const char *path, struct cs_check_show *show,
                      struct cs_error *err)
{
    struct cs_error why = {0};
    struct cs_schedule_file *file = read_file(path, &why);
    struct cs_strbuf words = CS_STRBUF_INIT;
    struct cs_check_report *report;
    int status;

    if (!file)
        return is_table(path) ? cs_error_set(err,
                                             "%s: expected a schedule (JSON); this looks like a "
                                             "table of jobs: add --log",
                                             path)
                              : cs_error_pass(err, &why);
    report = cs_check_report_create(CS_CHECK_SHOWN);
    status = check_judge(args, file, report, err);
    check_put_words(file, &words);
    if (status == 0 && cs_arguments_has(args, "watts"))
        status = check_put_energy(args, path, file->schedule, &words, err);
    if (status == 0) {
        cs_check_show_add(show, path, report, words.text, check_put_name, file->schedule);
        status = report->total > 0                 ? CS_EXIT_WRONG
                 : report->missing || report->note ? CS_EXIT_INCOMPLETE
                                                   : CS_EXIT_DONE;
    }
    cs_check_report_destroy(report);
    cs_schedule_file_destroy(file);
    cs_strbuf_release(&words);
    return status;
}

static int check_schedules(const struct cs_arguments *args, struct cs_check_show *show,
                           struct cs_error *err)
{
    int schedules = cs_arguments_has(args, "against") ? 1 : args->operands;
    int status = CS_EXIT_DONE;

    for (int i = 0; i < schedules && status >= 0; i++)
        status = cs_check_worse(status, check_file(args, cs_arguments_operand(args, i), show, err));
    return status;
}

static int check_run(const struct cs_arguments *args, struct cs_error *err)
{
    const bool log = cs_arguments_has(args, "log");
    struct cs_check_show show;
    int status;

    cs_check_show_init(&show);
    status = log ? check_jobs_run(args, &show, err) : check_schedules(args, &show, err);
    cs_check_show_put(&show, (enum cs_format)cs_arguments_choice(args, "format"));
    cs_check_show_release(&show);
    return status;
}

static const struct cs_operand operands[] = {
    {.name = "SCHEDULE.json",
     .repeats = true,
     .kind = CS_PARAM_PATH,
     .summary = "schedules or plans (cosched-schedule-1), or folders of runs, of which what ran is "
                "judged; - reads standard input"},
    {0},
};

static const struct cs_param options[] = {
    CS_PARAM_FORMAT_ROW,
    {.name = "against",
     .kind = CS_PARAM_PATH,
     .argument = "INPUT",
     .repeats = true,
     .summary = "check against the input files of the schedule instead of its copies of them "
                "(workload, jobs, log, graphs, platform, hosts, failures); all operands but the "
                "first are such files"},
    CS_PARAM_ENERGY(0, CS_PARAM_NOWHERE),
    {.name = "log",
     .kind = CS_PARAM_PATH,
     .argument = "LOG",
     .repeats = true,
     .group = "Tables of jobs",
     .summary = "the files are tables written by 'replay --jobs' or Batsim's PREFIX_jobs.csv; "
                "check them against this job log: any format of replay and several logs for the "
                "former, SWF or CSV of ALCF for the latter"},
    {.name = "rule",
     .needs = "log",
     .kind = CS_PARAM_CHOICE,
     .choices = "valid|easy|conservative|fcfs|limits|conservative-exact",
     .default_text = "valid",
     .summary =
         "valid: the machine suffices and every job runs as recorded in the log; easy: also, no "
         "job delays the first in line (first come, first served); conservative: also, every job "
         "starts at its promise (a column of what replay writes) or before; fcfs: also, no job "
         "starts before one that was submitted earlier; limits: no user has more than "
         "--user-jobs and --user-procs; conservative-exact: promises and starts are those of the "
         "textbook, computed again"},
    {.name = "procs",
     .letter = 'p',
     .needs = "log",
     .kind = CS_PARAM_INTEGER,
     .argument = "P",
     .low = 1,
     .high = 100000000,
     .summary = "processors of the machine (default: from the log)"},
    {CS_OPTION_OF("nodes"), .needs = "log",
     .group = "Tables of 'replay --jobs', with what the replay was given"},
    {CS_OPTION_OF("machine"), .needs = "log"},
    {CS_OPTION_OF("alloc"), .needs = "machine"},
    {CS_OPTION_OF("assume-up"), .needs = "machine"},
    {CS_OPTION_OF("unit"), .needs = "log"},
    {CS_OPTION_OF("outages"), .needs = "log"},
    {CS_OPTION_OF("default-request"), .needs = "log"},
    {CS_OPTION_OF("user-jobs"), .needs = "log"},
    {CS_OPTION_OF("user-procs"), .needs = "log"},
    {.name = "estimates",
     .needs = "log",
     .kind = CS_PARAM_CHOICE,
     .choices = "requested|exact|last2",
     .default_text = "requested",
     .summary = "what the scheduler knew of running times: the request, the true time, or a mean "
                "of the user's jobs, which is not judged"},
    {.name = "overrun",
     .needs = "log",
     .kind = CS_PARAM_CHOICE,
     .choices = "raise|kill|extend",
     .default_text = "raise",
     .summary = "jobs that ran longer than their request, as in replay: the scheduler knew from "
                "the start (raise), they end at their request (kill), or their expected end is "
                "extended when it comes (extend)"},
    {.name = "grace",
     .needs = "log",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .default_text = "0",
     .low = 0,
     .high = 1e12,
     .summary = "with --overrun kill: so much longer"},
    {.name = "verification",
     .needs = "log",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .default_text = "0",
     .low = 0,
     .high = 1e12,
     .summary = "added to each attempt"},
    {.name = "tolerance",
     .needs = "log",
     .kind = CS_PARAM_SECONDS,
     .argument = "TIME",
     .default_text = "0",
     .low = 0,
     .high = 1e6,
     .summary = "times that differ by no more are the same; 1ms does for tables of Batsim"},
    {CS_OPTION_OF("arrive"), .needs = "log"},
    {CS_OPTION_OF("zone"), .needs = "log"},
    {CS_OPTION_OF("from"), .needs = "log"},
    {CS_OPTION_OF("to"), .needs = "log"},
    {CS_OPTION_OF("partition-field"), .needs = "log"},
    {0},
};

static const struct cs_example examples[] = {
    {"Judge a plan that was just made:",
     "cosched plan pack examples/quickstart.csv --procs 8 --format json | cosched check -"},
    {"The energy of a plan on nodes of 350 W, and 120 W when idle:",
     "cosched check plan.json --watts busy=350,idle=120"},
    {"Judge a plan by the workload that it was made from:",
     "cosched check plan.json --against examples/quickstart.csv"},
    {"Did this tool keep the reservations of EASY?",
     "cosched check out_jobs.csv --log log.swf.gz --rule easy --tolerance 1ms"},
    {"Are the promises of a replay those of the textbook?",
     "cosched replay log.txt --nodes 16 --policy conservative --jobs jobs.csv; cosched check "
     "jobs.csv --log log.txt --nodes 16 --rule conservative-exact"},
    {0},
};

const struct cs_command cs_command_check = {
    .words = "check",
    .summary = "judge schedules: valid, or every violation with task and time",
    .description =
        "An independent second opinion: the checker shares no code with the policies. It looks "
        "at processors used twice, tasks that are missing or repeated, times that disagree with "
        "the profiles in the file, packs that overlap or are too large, attempts that run again "
        "without a failure, invalid shelves, and wrong figures (costs, ratios, bounds).\n\n"
        "A schedule with a \"problem\" must have the keys of its problem (instance, jobs, "
        "graphs, ...); without one only the rules of every schedule are checked, and the verdict "
        "names that. Lower bounds are computed again where that is cheap, and rejected if they "
        "are negative or above the provable value; the verdict names a bound that was not "
        "checked.\n\n"
        "With --against a schedule is also checked against its input files, given in any order. "
        "They are read with the options of its recorded command, replace the tasks, machine and "
        "failures of the schedule file, and their digests are compared.\n\n"
        "Exit status: 0 if every file is valid; 5 if no violation was found and something was "
        "not checked: the rules of a problem, a lower bound, a proof of optimality; 1 if a file "
        "is not valid or cannot be read.",
    .operands = operands,
    .options = options,
    .params_of = "replay",
    .examples = examples,
    .run = check_run,
};
