/* check_jobs.c - cosched check --log: a table of jobs against the log that it came from. */
#include "cli/check_jobs.h"

#include "check/jobs.h"
#include "io/jobs_csv.h"
#include "report/human.h"
#include "rigid/input.h"
#include "rigid/replay_log.h"

#include <inttypes.h>
#include <math.h>

static void put_name(const void *who, int job, struct cs_strbuf *out)
{
    const struct cs_check_jobs *what = who;

    cs_strbuf_printf(out, "%" PRId64, what->job[job].id);
}

static void put_words(const struct cs_check_jobs *what, struct cs_strbuf *out)
{
    cs_human_units(out, what->jobs, "job");
    cs_strbuf_puts(out, ", ");
    cs_human_units(out, what->rows, "attempt");
    if (what->rule == CS_CHECK_JOBS_EASY)
        cs_strbuf_puts(out, ", the reservations of EASY were kept");
    if (what->rule == CS_CHECK_JOBS_CONSERVATIVE)
        cs_strbuf_puts(out, ", nobody started after his promise");
    if (what->rule == CS_CHECK_JOBS_FCFS)
        cs_strbuf_puts(out, ", nobody overtook");
}

/* What the scheduler knew and what ran where jobs end at their request and a grace. */
static void kill_jobs(const struct cs_arguments *args, const struct cs_joblog *log,
                      struct cs_rigid_arrivals *arrivals)
{
    const bool exact = cs_arguments_choice(args, "estimates") == 1;
    const double grace = cs_arguments_real(args, "grace");

    for (int j = 0; j < arrivals->count; j++) {
        struct cs_arrival *job = &arrivals->job[j];
        const double requested = log->job[arrivals->index[j]].requested;

        if (!(requested > 0))
            continue;
        job->seconds = fmin(job->seconds, requested + grace);
        job->estimate = exact ? job->seconds : requested + grace;
    }
}

/* Failures of jobs are not in a log: any number will do. */
static int judge(const struct cs_arguments *args, const char *path,
                 const struct cs_rigid_input *input, struct cs_arena *arena,
                 struct cs_check_show *show, struct cs_error *err)
{
    struct cs_rigid_arrivals *arrivals =
        cs_rigid_arrivals_of_log(input->log, cs_arguments_choice(args, "estimates") == 1, arena);
    struct cs_job_table *table = cs_jobs_csv_read(path, arena, err);
    struct cs_check_report *report;
    struct cs_strbuf words = CS_STRBUF_INIT;
    struct cs_check_jobs what;
    int status;

    if (!table)
        return -1;
    if (cs_arguments_choice(args, "overrun") == 1)
        kill_jobs(args, input->log, arrivals);
    for (int j = 0; j < arrivals->count; j++)
        arrivals->job[j].failures = -1;
    what = (struct cs_check_jobs){
        .machine = input->machine,
        .verification = cs_arguments_real(args, "verification"),
        .rule = (enum cs_check_jobs_rule)cs_arguments_choice(args, "rule"),
        .tolerance = cs_arguments_real(args, "tolerance"),
        .jobs = arrivals->count,
        .rows = table->count,
        .job = arrivals->job,
        .row = table->row,
    };
    report = cs_check_report_create(CS_CHECK_SHOWN);
    cs_check_jobs(&what, report);
    put_words(&what, &words);
    cs_check_show_add(show, path, report, words.text, put_name, &what);
    status = report->total > 0;
    cs_check_report_destroy(report);
    cs_strbuf_release(&words);
    return status;
}

/* Options that only tables of replays know. */
static const char *foreign_option(const struct cs_arguments *args)
{
    static const char *const option[] = {"machine", "nodes",           "unit",      "outages",
                                         "arrive",  "partition-field", "zone",      "from",
                                         "to",      "user-jobs",       "user-procs"};

    for (size_t i = 0; i < sizeof option / sizeof option[0]; i++)
        if (cs_arguments_given(args, option[i]))
            return option[i];
    return NULL;
}

static int check_request(const struct cs_arguments *args, const char *path, int logs,
                         struct cs_error *err)
{
    const enum cs_check_jobs_rule rule = (enum cs_check_jobs_rule)cs_arguments_choice(args, "rule");
    const char *option = foreign_option(args);

    if (option)
        return cs_error_set(err, "%s: --%s is for tables that 'replay --jobs' writes", path,
                            option);
    if (rule > CS_CHECK_JOBS_FCFS)
        return cs_error_set(err, "%s: this rule is for tables that 'replay --jobs' writes", path);
    return logs > 1 ? cs_error_set(err, "%s: one --log is wanted, found %d", path, logs) : 0;
}

/* A table in the form of Batsim. */
static int judge_batsim(const struct cs_arguments *args, const char *path,
                        struct cs_check_show *show, struct cs_error *err)
{
    const struct cs_rigid_input_options options = {
        .procs = cs_arguments_given(args, "procs") ? (int)cs_arguments_integer(args, "procs") : 0,
        .verification = 0,
    };
    int logs, status;
    const char *const *log = cs_arguments_texts(args, "log", &logs);
    struct cs_rigid_input *input = NULL;
    struct cs_arena *arena;

    if (check_request(args, path, logs, err) ||
        !(input = cs_rigid_input_read(log[0], &options, err)))
        return -1;
    arena = cs_arena_create();
    status = input->log ? judge(args, path, input, arena, show, err)
                        : cs_error_set(err, "%s is a list of jobs: --log wants a job log", log[0]);
    cs_rigid_input_destroy(input);
    cs_arena_destroy(arena);
    return status;
}

int cs_check_jobs_run(const struct cs_arguments *args, struct cs_check_show *show,
                      struct cs_error *err)
{
    int status = CS_EXIT_DONE;

    for (int i = 0; i < args->operands && status >= 0; i++) {
        const char *path = cs_arguments_operand(args, i);
        const int one =
            (cs_replay_csv_seems(path) ? cs_check_replay_run : judge_batsim)(args, path, show, err);

        status = one == CS_EXIT_DONE || (one == CS_EXIT_GENERAL && status) ? status : one;
    }
    return status;
}
