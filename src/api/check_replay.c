/* check_replay.c - checks of a table that `replay --jobs` wrote against its logs. */
#include "api/check_table.h"
#include "api/finding.h"
#include "base/number.h"
#include "base/plain.h"
#include "check/jobs.h"
#include "io/jobs_csv.h"
#include "problem/param.h"
#include "problems/queue/replay_request.h"
#include "report/human.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* One table, and the rules of its check. */
struct checked {
    const struct cs_check_request *asked;
    const struct cs_replay_request *request;
    struct cs_check_arrivals what;
    const struct cs_replay_csv *table;
    struct cs_arena *arena;
    struct cs_jsonw *out;
};

/* ---- the log ---- */

static int64_t check_replay_whole(int64_t value)
{
    return value > 0 ? value : CS_PARAM_NONE;
}

static int check_replay_choice(const char *choices, const char *word)
{
    return word ? cs_choice_index(choices, word) : 0;
}

/* The options of the replay that matter for the check. */
static struct cs_replay_options options_of(const struct cs_check_options *how)
{
    return (struct cs_replay_options){
        .procs = check_replay_whole(how->procs),
        .nodes = check_replay_whole(how->nodes),
        .machine = how->machine,
        .alloc = how->alloc,
        .assume_up = how->assume_up,
        .unit = how->unit ? cs_choice_index("cpus|nodes", how->unit) : -1,
        .outages = how->outages,
        .grace = how->grace,
        .default_request = how->default_request > 0 ? how->default_request : NAN,
        .mean = NAN,
        .mtbe = NAN,
        .arrive = check_replay_choice("eligible|submit", how->arrive),
        .partition_field = check_replay_choice("partition|queue", how->partition_field),
        .zone = how->zone,
        .from = how->from,
        .to = how->to,
        .user_jobs = check_replay_whole(how->user_jobs),
        .user_procs = check_replay_whole(how->user_procs),
        .lookahead = CS_LOG_LOOKAHEAD,
        .bound = -1,
    };
}

static double request_of(const struct checked *j, const struct cs_log_job *job)
{
    const struct cs_site_partition *partition =
        &j->request->study.log.site->partition[job->partition];
    const double supplied[] = {job->request, j->request->study.op.default_request,
                               partition->usual};
    const double longest = partition->seconds;

    for (int i = 0; i < 3; i++)
        if (supplied[i] > 0)
            return supplied[i];
    return longest > 0 && isfinite(longest) ? longest : job->seconds;
}

static struct cs_check_arrivals_job job_of(const struct checked *j, const struct cs_log_job *job)
{
    const double request = request_of(j, job);
    const bool kill = j->asked->kill;
    const bool exact = j->asked->estimates == CS_CHECK_EXACT;
    const double top = request + (kill ? j->request->study.op.grace : 0);
    const double more = j->asked->how->verification;
    struct cs_check_arrivals_job own = {
        .seconds = kill ? fmin(job->seconds, top) : job->seconds,
        .killed = kill && job->seconds > top,
        .submit = job->submit,
        .units = job->units,
        .procs = job->procs,
        .partition = job->partition,
        .user = job->user,
        .named = job->named,
        .request = request,
    };
    char digits[24];

    own.reported[0] = j->asked->estimates == CS_CHECK_LAST2 ? NAN
                      : exact                               ? own.seconds
                      : kill || j->asked->extend            ? top
                                                            : fmax(request, job->seconds);
    own.reported[1] = kill || exact ? own.reported[0] : request;
    own.estimate = (exact ? own.seconds : j->asked->extend ? top : fmax(top, own.seconds)) + more;
    own.seconds += more;
    memcpy(own.demand, job->demand, sizeof own.demand);
    cs_plain_print(digits, sizeof digits, "%" PRId64, job->id);
    own.name = cs_arena_strdup(j->arena, job->label ? job->label : digits);
    return own;
}

/* Is the job alone above the limit of its user? */
static bool is_left_out(const struct checked *j, const struct cs_log_job *job)
{
    return job->user >= 0 && j->what.user_procs && job->procs > j->what.user_procs;
}

static const char *const *copy_names(const struct checked *j, const struct cs_log_names *names)
{
    const char **copy = CS_NEW_ARRAY(j->arena, const char *, names->count);

    for (int n = 0; n < names->count; n++)
        copy[n] = cs_arena_strdup(j->arena, names->name[n]);
    return copy;
}

static int read_log(struct checked *j, struct cs_error *err)
{
    const struct cs_replay_request *r = j->request;
    struct cs_log *log = cs_log_open(r->path, r->files, &r->study.log, err);
    struct cs_check_arrivals_job *list = NULL;
    struct cs_log_job job;
    int count = 0, room = 0, status;

    if (!log)
        return -1;
    while ((status = cs_log_next(log, &job, err)) > 0) {
        if (count == INT_MAX / 8) {
            status = cs_error_set(err, "%s has more jobs than can be judged", r->path[0]);
            break;
        }
        if (count == room) {
            room = 2 * room + 64;
            list = cs_arena_grow(j->arena, list, (size_t)count, (size_t)room, sizeof *list);
        }
        if (!is_left_out(j, &job))
            list[count++] = job_of(j, &job);
        cs_log_done(log, &job);
    }
    j->what.user = copy_names(j, cs_log_users(log));
    j->what.partition = copy_names(j, cs_log_partitions(log));
    cs_log_close(log);
    j->what.job = list;
    j->what.jobs = count;
    return status;
}

/* ---- rows of one policy and priority ---- */

static bool check_replay_together(const struct cs_replay_csv_row *a,
                                  const struct cs_replay_csv_row *b)
{
    return a->policy == b->policy && a->priority == b->priority;
}

static void take_rows(struct checked *j, int first, int behind)
{
    struct cs_check_arrivals_row *list =
        CS_NEW_ARRAY(j->arena, struct cs_check_arrivals_row, behind - first);

    j->what.row = list;
    j->what.rows = behind - first;
    for (int r = first; r < behind; r++) {
        const struct cs_replay_csv_row *row = &j->table->row[r];

        list[r - first] = (struct cs_check_arrivals_row){
            .job = row->number < INT_MAX ? (int)row->number : INT_MAX,
            .name = row->id,
            .submit = row->submit,
            .start = row->start,
            .end = row->end,
            .promise = row->promise,
            .wait = row->wait,
            .bounded_slowdown = row->bounded_slowdown,
            .estimate = row->estimate,
            .request = row->request,
            .user = row->user,
            .partition = row->partition,
            .procs = row->procs,
            .attempts = row->attempts,
            .killed = row->killed,
            .intervals = row->intervals,
            .set = row->set,
        };
    }
}

/* "conservative:compress=20": how far compression goes. */
static int read_compress(const struct checked *j, const char *policy, int64_t *out,
                         struct cs_error *err)
{
    static const char name[] = "conservative", param[] = "conservative:compress=";
    const char *word = policy + sizeof param - 1;

    *out = INT64_MAX;
    if (!strcmp(policy, name))
        return 0;
    if (strncmp(policy, param, sizeof param - 1))
        return cs_error_set(err,
                            "%s: the rule conservative-exact is for the policy conservative, "
                            "the table has %s",
                            j->asked->path, policy);
    if (!strcmp(word, "now") || !strcmp(word, "none"))
        *out = strcmp(word, "now") ? -1 : 0;
    else if (strcmp(word, "full") && cs_number_int64(word, out) != CS_NUMBER_FINE)
        return cs_error_set(err, "%s: there is no policy %s", j->asked->path, policy);
    return 0;
}

static int check_policy(struct checked *j, const struct cs_replay_csv_row *row,
                        struct cs_error *err)
{
    const enum cs_check_arrivals_rule rule = j->what.rule;

    if (rule == CS_CHECK_ARRIVALS_EXACT && read_compress(j, row->policy, &j->what.compress, err))
        return -1;
    if ((rule == CS_CHECK_ARRIVALS_EASY || rule == CS_CHECK_ARRIVALS_FCFS ||
         rule == CS_CHECK_ARRIVALS_EXACT) &&
        strcmp(row->priority, "fcfs"))
        return cs_error_set(err, "%s: this rule is for the priority fcfs, the table has %s",
                            j->asked->path, row->priority);
    return 0;
}

static void check_replay_put_name(const void *who, int job, struct cs_strbuf *out)
{
    const struct cs_check_arrivals *what = who;

    cs_strbuf_puts(out, what->job[job].name);
}

static const char *words_of(enum cs_check_arrivals_rule rule)
{
    switch (rule) {
    case CS_CHECK_ARRIVALS_EASY:
        return ", the reservations of EASY were kept";
    case CS_CHECK_ARRIVALS_CONSERVATIVE:
        return ", no job started after its reservation";
    case CS_CHECK_ARRIVALS_FCFS:
        return ", no job overtook another";
    case CS_CHECK_ARRIVALS_LIMITS:
        return ", no user exceeded the limits";
    case CS_CHECK_ARRIVALS_EXACT:
        return ", promises and starts are those of the textbook";
    default:
        return "";
    }
}

static int check_replay_check(struct checked *j, int first, int behind, struct cs_error *err)
{
    const struct cs_replay_csv_row *row = behind > first ? &j->table->row[first] : NULL;
    struct cs_check_report *report;
    struct cs_strbuf words = CS_STRBUF_INIT;

    if (row && check_policy(j, row, err))
        return -1;
    report = cs_check_report_create(j->asked->shown);
    take_rows(j, first, behind);
    cs_check_arrivals(&j->what, report);
    cs_human_units(&words, j->what.jobs, "job");
    if (!report->missing)
        cs_strbuf_puts(&words, words_of(j->what.rule));
    cs_jsonw_open(j->out, '{');
    cs_jsonw_put_string(j->out, "policy", row ? row->policy : NULL);
    cs_jsonw_put_string(j->out, "priority", row ? row->priority : NULL);
    cs_finding_put(j->out, report, check_replay_put_name, &j->what);
    cs_jsonw_put_string(j->out, "words", words.text);
    cs_jsonw_close(j->out);
    cs_check_report_destroy(report);
    cs_strbuf_release(&words);
    return 0;
}

/* The first row after `first` with another policy or priority, or the end. */
static int check_replay_end_of(const struct checked *j, int first)
{
    int behind = first;

    while (behind < j->table->count &&
           check_replay_together(&j->table->row[first], &j->table->row[behind]))
        behind++;
    return behind;
}

static int check_all(struct checked *j, struct cs_error *err)
{
    const int count = j->table->count;
    int first = 0, behind, status;

    for (int r = 0; r < count; r = check_replay_end_of(j, r))
        if (check_policy(j, &j->table->row[r], err))
            return -1;
    do {
        behind = check_replay_end_of(j, first);
        status = check_replay_check(j, first, behind, err);
        first = behind;
    } while (first < count && !status);
    return status;
}

/* ---- the table ---- */

static int check_request(const struct cs_check_request *check, struct cs_error *err)
{
    const enum cs_check_arrivals_rule rule = (enum cs_check_arrivals_rule)check->rule;

    if (rule == CS_CHECK_ARRIVALS_LIMITS && !check->how->user_jobs && !check->how->user_procs)
        return cs_error_set(err, "--rule limits wants --user-jobs or --user-procs");
    if ((rule == CS_CHECK_ARRIVALS_EASY || rule == CS_CHECK_ARRIVALS_EXACT) &&
        check->estimates == CS_CHECK_LAST2)
        return cs_error_set(err,
                            "--rule %s needs the estimates that the scheduler used: --estimates "
                            "requested or exact",
                            rule == CS_CHECK_ARRIVALS_EASY ? "easy" : "conservative-exact");
    return 0;
}

static void take_rules(struct checked *j)
{
    const struct cs_queue_log_study *study = &j->request->study;

    j->what.site = study->log.site;
    j->what.outages = study->op.outages;
    j->what.outage = study->op.outage;
    j->what.user_jobs = study->op.user_jobs;
    j->what.user_procs = study->op.user_procs;
    j->what.tolerance = j->asked->how->tolerance;
    j->what.extend = j->asked->extend;
    j->what.rule = (enum cs_check_arrivals_rule)j->asked->rule;
}

static void check_replay_warn(const char *text, void *who)
{
    const struct cs_watch *watch = who;

    if (watch && watch->warn)
        watch->warn(watch->who, text);
}

int cs_check_replay_table(const struct cs_check_request *check, struct cs_jsonw *w,
                          struct cs_error *err)
{
    const struct cs_replay_options options = options_of(check->how);
    struct cs_replay_request request = {
        .arena = check->arena, .warn = check_replay_warn, .who = (void *)check->watch};
    struct checked j = {.asked = check, .request = &request, .arena = check->arena, .out = w};
    int status;

    if (check_request(check, err))
        return -1;
    status = cs_replay_prepare(check->log, check->logs, &options, &request, err);
    if (!status) {
        take_rules(&j);
        j.table = cs_replay_csv_read(check->path, j.arena, err);
        status = j.table ? read_log(&j, err) : -1;
    }
    if (!status)
        status = check_all(&j, err);
    cs_replay_release(&request);
    return status;
}
