/* check_jobs.c - checks of tables of jobs against the logs of these jobs. */
#include "api/check_table.h"
#include "api/finding.h"
#include "base/guard.h"
#include "base/watch.h"
#include "check/jobs.h"
#include "check/report.h"
#include "io/jobs_csv.h"
#include "problem/param.h"
#include "report/human.h"
#include "sched/input.h"
#include "sched/sets.h"

#include <inttypes.h>
#include <math.h>

static void check_jobs_put_name(const void *who, int job, struct cs_strbuf *out)
{
    const struct cs_check_table *what = who;

    cs_strbuf_printf(out, "%" PRId64, what->job[job].id);
}

static void check_jobs_put_words(const struct cs_check_table *what, struct cs_strbuf *out)
{
    cs_human_units(out, what->jobs, "job");
    cs_strbuf_puts(out, ", ");
    cs_human_units(out, what->rows, "attempt");
    if (what->rule == CS_CHECK_JOBS_EASY)
        cs_strbuf_puts(out, ", the reservations of EASY were kept");
    if (what->rule == CS_CHECK_JOBS_CONSERVATIVE)
        cs_strbuf_puts(out, ", no job started after its reservation");
    if (what->rule == CS_CHECK_JOBS_FCFS)
        cs_strbuf_puts(out, ", no job overtook another");
}

/* The jobs of a log by submit time, then number. */
struct checked_jobs {
    int count;
    struct cs_arrival *job;
    const int *index; /* the place of each in the log */
};

/* A request that is missing or too short is the running time. */
static double estimate_of(const struct cs_check_request *check, const struct cs_joblog_job *job)
{
    return check->estimates == CS_CHECK_EXACT || !(job->requested > job->seconds) ? job->seconds
                                                                                  : job->requested;
}

static struct checked_jobs *arrivals_of(const struct cs_check_request *check,
                                        const struct cs_joblog *log)
{
    int sets;
    const struct cs_sched_set *all = cs_sched_sets_by_count(log, 0, &sets, check->arena);
    struct checked_jobs *arrivals = CS_NEW(check->arena, struct checked_jobs);

    arrivals->count = sets ? all->count : 0;
    arrivals->index = sets ? all->job : NULL;
    arrivals->job = CS_NEW_ARRAY(check->arena, struct cs_arrival, arrivals->count);
    for (int a = 0; a < arrivals->count; a++) {
        const struct cs_joblog_job *job = &log->job[arrivals->index[a]];

        arrivals->job[a] = (struct cs_arrival){
            .id = job->id,
            .submit = job->submit,
            .seconds = job->seconds,
            .estimate = estimate_of(check, job),
            .procs = job->procs,
        };
    }
    return arrivals;
}

/* Set the run times and the scheduler's estimates of jobs that end at their request plus a grace.
 */
static void kill_jobs(const struct cs_check_request *check, const struct cs_joblog *log,
                      struct checked_jobs *arrivals)
{
    const double grace = isnan(check->how->grace) ? 0 : check->how->grace;

    for (int j = 0; j < arrivals->count; j++) {
        struct cs_arrival *job = &arrivals->job[j];
        const double requested = log->job[arrivals->index[j]].requested;

        if (!(requested > 0))
            continue;
        job->seconds = fmin(job->seconds, requested + grace);
        job->estimate = check->estimates == CS_CHECK_EXACT ? job->seconds : requested + grace;
    }
}

/* Does a job run longer than its estimate at the start? Reservations are not checked then. */
static bool has_late_jobs(const struct cs_check_request *check, const struct cs_joblog *log,
                          const struct checked_jobs *arrivals)
{
    for (int j = 0; j < arrivals->count && check->extend; j++) {
        const double requested = log->job[arrivals->index[j]].requested;

        if (requested > 0 && arrivals->job[j].seconds > requested)
            return true;
    }
    return false;
}

static void put_finding(const struct cs_check_request *check, const struct cs_check_table *what,
                        const char *missing, struct cs_jsonw *w)
{
    struct cs_check_report *report = cs_check_report_create(check->shown);
    struct cs_strbuf words = CS_STRBUF_INIT;

    cs_check_table(what, report);
    if (missing)
        cs_check_lack(report, missing);
    check_jobs_put_words(what, &words);
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "policy", NULL);
    cs_jsonw_put_string(w, "priority", NULL);
    cs_finding_put(w, report, check_jobs_put_name, what);
    cs_jsonw_put_string(w, "words", words.text);
    cs_jsonw_close(w);
    cs_check_report_destroy(report);
    cs_strbuf_release(&words);
}

/* A log has no failures of jobs: any number of them is accepted. */
static int check_table(const struct cs_check_request *check, const struct cs_sched_input *input,
                       struct cs_jsonw *w, struct cs_error *err)
{
    struct checked_jobs *arrivals = arrivals_of(check, input->log);
    struct cs_job_table *table = cs_jobs_csv_read(check->path, check->arena, err);
    struct cs_check_table what;
    const char *missing = NULL;

    if (!table)
        return -1;
    if (check->kill)
        kill_jobs(check, input->log, arrivals);
    for (int j = 0; j < arrivals->count; j++)
        arrivals->job[j].failures = -1;
    what = (struct cs_check_table){
        .machine = input->machine,
        .verification = check->how->verification,
        .rule = (enum cs_check_jobs_rule)check->rule,
        .tolerance = check->how->tolerance,
        .jobs = arrivals->count,
        .rows = table->count,
        .job = arrivals->job,
        .row = table->row,
    };
    if ((what.rule == CS_CHECK_JOBS_EASY || what.rule == CS_CHECK_JOBS_CONSERVATIVE) &&
        has_late_jobs(check, input->log, arrivals)) {
        what.rule = CS_CHECK_JOBS_VALID;
        missing = "jobs outlive their requests: reservations were not checked";
    }
    put_finding(check, &what, missing, w);
    return 0;
}

/* The first given option that applies only to tables of replays, or NULL. */
static const char *foreign_option(const struct cs_check_options *how)
{
    const struct {
        const char *option;
        bool said;
    } of[] = {
        {"machine", how->machine},
        {"nodes", how->nodes > 0},
        {"unit", how->unit},
        {"outages", how->outages},
        {"arrive", how->arrive},
        {"partition-field", how->partition_field},
        {"zone", how->zone},
        {"from", how->from},
        {"to", how->to},
        {"user-jobs", how->user_jobs > 0},
        {"user-procs", how->user_procs > 0},
    };

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (of[i].said)
            return of[i].option;
    return NULL;
}

static int check_request(const struct cs_check_request *check, struct cs_error *err)
{
    const char *option = foreign_option(check->how);

    if (option)
        return cs_error_set(err, "%s: --%s is for tables that 'replay --jobs' writes", check->path,
                            option);
    if (check->rule > CS_CHECK_JOBS_FCFS)
        return cs_error_set(err, "%s: this rule is for tables that 'replay --jobs' writes",
                            check->path);
    if (check->logs > 1)
        return cs_error_set(err, "%s: one --log is wanted, found %d", check->path, check->logs);
    return 0;
}

/* Check a table in the format of Batsim and append the result, one object. -1 with err. */
static int batsim_table_check(const struct cs_check_request *check, struct cs_jsonw *w,
                              struct cs_error *err)
{
    const struct cs_sched_input_options options = {.procs = (int)check->how->procs};
    struct cs_sched_input *input = NULL;
    int status;

    if (check_request(check, err) || !(input = cs_sched_input_read(check->log[0], &options, err)))
        return -1;
    status = input->log
                 ? check_table(check, input, w, err)
                 : cs_error_set(err, "%s is a list of jobs: --log wants a job log", check->log[0]);
    cs_sched_input_destroy(input);
    return status;
}

/* ---- options ---- */

/* The index of a word, 0 for NULL; -1 with err for an unknown word. */
static int check_jobs_choose(const char *as, const char *word, const char *choices,
                             struct cs_error *err)
{
    int index = word ? cs_choice_index(choices, word) : 0;

    return index < 0 ? cs_choice_error(as, word, choices, err) : index;
}

static int check_number(const char *as, double value, double high, struct cs_error *err)
{
    return value >= 0 && value <= high
               ? 0
               : cs_error_set(err, "%s cannot be %g: expected 0 to %g", as, value, high);
}

static int check_numbers(const struct cs_check_options *how, struct cs_error *err)
{
    const struct {
        const char *as;
        double value, high;
    } of[] = {
        {"violations", (double)how->violations, 1e9},
        {"procs", (double)how->procs, 1e8},
        {"grace", isnan(how->grace) ? 0 : how->grace, 1e12},
        {"verification", how->verification, 1e12},
        {"tolerance", how->tolerance, 1e6},
        {"nodes", (double)how->nodes, INT32_MAX},
        {"default_request", how->default_request, 1e12},
        {"user_jobs", (double)how->user_jobs, 1e9},
        {"user_procs", (double)how->user_procs, INT32_MAX},
    };

    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (check_number(of[i].as, of[i].value, of[i].high, err))
            return -1;
    return 0;
}

static int check_jobs_understand(struct cs_check_request *check, struct cs_error *err)
{
    const struct cs_check_options *how = check->how;
    int estimates = check_jobs_choose("estimates", how->estimates, "requested|exact|last2", err);
    int overrun = check_jobs_choose("overrun", how->overrun, "raise|kill|extend", err);

    check->rule = check_jobs_choose("rule", how->rule,
                                    "valid|easy|conservative|fcfs|limits|conservative-exact", err);
    if (estimates < 0 || overrun < 0 || check->rule < 0 ||
        check_jobs_choose("unit", how->unit, "cpus|nodes", err) < 0 ||
        check_jobs_choose("arrive", how->arrive, "eligible|submit", err) < 0 ||
        check_jobs_choose("partition_field", how->partition_field, "partition|queue", err) < 0)
        return -1;
    check->estimates = (enum cs_check_estimates)estimates;
    check->kill = overrun == 1;
    check->extend = overrun == 2;
    check->shown = how->violations ? (size_t)how->violations : CS_FINDING_SHOWN;
    return check_numbers(how, err);
}

char *cs_check_jobs(const char *table, const char *const *logs, int count,
                    const struct cs_check_options *how, const struct cs_watch *watch,
                    struct cs_error *err)
{
    CS_ASK(table && cs_are_paths(logs, count), err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_check_options none = {.size = sizeof none};
    struct cs_check_request check = {
        .how = how ? how : &none, .path = table, .log = logs, .logs = count, .watch = watch};
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&out);
    const struct cs_watch *before;
    int status;

    if (cs_ask_size("the options of a check", check.how->size, sizeof *how, err) ||
        cs_watch_check(watch, err) || check_jobs_understand(&check, err))
        return NULL;
    check.arena = cs_arena_create();
    cs_jsonw_open(&w, '[');
    before = cs_watch_enter(watch);
    status =
        (cs_replay_csv_seems(table) ? cs_check_replay_table : batsim_table_check)(&check, &w, err);
    status = cs_watch_settle(status, err);
    cs_watch_enter(before);
    cs_arena_destroy(check.arena);
    if (status) {
        cs_strbuf_release(&out);
        return NULL;
    }
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    return cs_strbuf_take(&out);
}
