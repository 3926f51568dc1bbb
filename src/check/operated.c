/* operated.c - rows against the log, then everything that starts and ends, in the order of time. */
#include "check/jobs.h"

#include "check/operated_state.h"
#include "check/report.h"
#include "model/procset.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FIGURES 1e-12  /* of the times that they are made of */
#define SHORT_JOB 10.0 /* seconds: slowdowns are bounded there */

typedef const struct cs_check_operated_job *job_at;
typedef const struct cs_check_operated_row *row_at;

/* ---- rows ---- */

static bool operated_same(const struct cs_check_operated_state *s, double a, double b)
{
    return fabs(a - b) <= s->what->tolerance;
}

static void check_times(const struct cs_check_operated_state *s, row_at row, job_at job)
{
    const double end = row->start + job->seconds;

    if (!operated_same(s, row->submit, job->submit))
        cs_check_add(s->report, CS_VIOLATION_INSTANCE, row->job, row->submit,
                     "job %s arrives at %.15g s in the table and at %.15g s in the log", job->name,
                     row->submit, job->submit);
    if (row->start < job->submit - s->what->tolerance)
        cs_check_add(s->report, CS_VIOLATION_EARLY, row->job, row->start,
                     "job %s starts at %.15g s, it arrives at %.15g s", job->name, row->start,
                     job->submit);
    if (!operated_same(s, row->end, end))
        cs_check_add(s->report, CS_VIOLATION_DURATION, row->job, row->start,
                     "job %s starts at %.15g s and ends at %.15g s, it must end at %.15g s",
                     job->name, row->start, row->end, end);
    else if (row->killed != job->killed)
        cs_check_add(s->report, CS_VIOLATION_DURATION, row->job, row->end,
                     row->killed ? "job %s is declared as killed at %.15g s, it ran as long as "
                                   "in the log"
                                 : "job %s ends at its limit at %.15g s and is not declared as "
                                   "killed",
                     job->name, row->end);
}

static void check_figure(const struct cs_check_operated_state *s, row_at row, job_at job,
                         const char *name, double said, double is)
{
    if (fabs(said - is) > s->what->tolerance + FIGURES * fmax(fabs(is), row->end))
        cs_check_add(s->report, CS_VIOLATION_DECLARED_RATIO, row->job, row->start,
                     "job %s has %s %.15g: from its times follows %.15g", job->name, name, said,
                     is);
}

/* The figures of a row other than its times. The run time of earlier attempts is unknown. */
static void check_figures(const struct cs_check_operated_state *s, row_at row, job_at job)
{
    const double run = row->end - row->start;

    if (row->attempts == 1)
        check_figure(s, row, job, "wait", row->wait, row->start - row->submit);
    check_figure(s, row, job, "bounded_slowdown", row->bounded_slowdown,
                 fmax(1, (row->end - row->submit) / fmax(run, SHORT_JOB)));
}

static void check_word(const struct cs_check_operated_state *s, row_at row, const char *what,
                       const char *said, const char *is)
{
    if (said && strcmp(said, is) != 0)
        cs_check_add(s->report, CS_VIOLATION_INSTANCE, row->job, row->start,
                     "job %s has the %s \"%.60s\" in the table and \"%.60s\" in the log",
                     s->what->job[row->job].name, what, said, is);
}

/* User, partition, request and the estimate given to the scheduler. */
static void check_asked(const struct cs_check_operated_state *s, row_at row, job_at job)
{
    check_word(s, row, "user", row->user, job->user < 0 ? "" : s->what->user[job->user]);
    check_word(s, row, "partition", row->partition,
               job->named < 0 ? "" : s->what->partition[job->named]);
    if (!isnan(row->request) && !operated_same(s, row->request, job->request))
        cs_check_add(s->report, CS_VIOLATION_INSTANCE, row->job, row->start,
                     "job %s asks for %.15g s in the table and for %.15g s in the log", job->name,
                     row->request, job->request);
    if (!isnan(row->estimate) && !isnan(job->reported[0]) &&
        !operated_same(s, row->estimate, job->reported[0]) &&
        !operated_same(s, row->estimate, job->reported[1]))
        cs_check_add(s->report, CS_VIOLATION_INSTANCE, row->job, row->start,
                     "job %s has the estimate %.15g s in the table: the scheduler was given "
                     "%.15g s",
                     job->name, row->estimate, job->reported[0]);
    if (row->promise < row->submit - s->what->tolerance)
        cs_check_add(s->report, CS_VIOLATION_RESERVATION, row->job, row->start,
                     "job %s was promised to start by %.15g s, before it arrives at %.15g s",
                     job->name, row->promise, row->submit);
}

/* Processors and nodes are numbered over all pools. */
static int pool_of(const struct cs_site *site, int number)
{
    int low = 0, high = site->pools;

    while (high - low > 1) {
        const int middle = low + (high - low) / 2;

        if (site->pool[middle].first <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static bool in_partition(const struct cs_site *site, int partition, int pool)
{
    for (int p = 0; p < site->partition[partition].pools; p++)
        if (site->partition[partition].pool[p] == pool)
            return true;
    return false;
}

/* How many numbers there are to hold. */
static int64_t numbers_of(const struct cs_site *site)
{
    int64_t numbers = 0;

    for (int g = 0; g < site->groups; g++)
        numbers += site->group[g].nodes;
    return numbers;
}

static void check_pools(const struct cs_check_operated_state *s, row_at row, job_at job)
{
    const struct cs_site *site = s->what->site;

    for (int i = 0; i < row->intervals; i++) {
        const int last = pool_of(site, row->set[i].last);

        for (int p = pool_of(site, row->set[i].first); p <= last; p++)
            if (!in_partition(site, job->partition, p)) {
                cs_check_add(s->report, CS_VIOLATION_PROC_RANGE, row->job, row->start,
                             "job %s holds something of %s at %.15g s, which is not in its "
                             "partition %s",
                             job->name, site->group[site->pool[p].group].name, row->start,
                             site->partition[job->partition].name);
                return;
            }
    }
}

/* Can it be followed? */
static bool check_set(const struct cs_check_operated_state *s, row_at row, job_at job)
{
    const int64_t numbers = numbers_of(s->what->site);

    if (!cs_procset_well_formed(row->set, row->intervals)) {
        cs_check_add(s->report, CS_VIOLATION_PROC_SET, row->job, row->start,
                     "what job %s holds at %.15g s is not a set of ascending, disjoint intervals "
                     "with gaps between them",
                     job->name, row->start);
        return false;
    }
    if (row->set[row->intervals - 1].last >= numbers) {
        cs_check_add(s->report, CS_VIOLATION_PROC_RANGE, row->job, row->start,
                     "job %s holds number %d at %.15g s: the machine has %" PRId64 ", from 0 on",
                     job->name, row->set[row->intervals - 1].last, row->start, numbers);
        return false;
    }
    if (cs_procset_size(row->set, row->intervals) != job->units)
        cs_check_add(s->report, CS_VIOLATION_WIDTH, row->job, row->start,
                     "job %s asks for %d and holds %lld at %.15g s", job->name, job->units,
                     cs_procset_size(row->set, row->intervals), row->start);
    else
        check_pools(s, row, job);
    return true;
}

/* Is the job that the row names the one of its number? */
static bool check_name(const struct cs_check_operated_state *s, row_at row)
{
    const bool there = row->job >= 0 && row->job < s->what->jobs;

    if (there && !strcmp(s->what->job[row->job].name, row->name))
        return true;
    if (there)
        cs_check_add(s->report, CS_VIOLATION_INSTANCE, row->job, row->start,
                     "number %d is job %s in the table and job %s in the log", row->job, row->name,
                     s->what->job[row->job].name);
    else
        cs_check_add(s->report, CS_VIOLATION_INSTANCE, -1, row->start,
                     "job %s is number %d in the table, the log has %d jobs", row->name, row->job,
                     s->what->jobs);
    return false;
}

static void check_row(struct cs_check_operated_state *s, int r)
{
    const row_at row = &s->what->row[r];
    const job_at job = &s->what->job[row->job];

    if (!isfinite(row->start) || !isfinite(row->end) || row->end < row->start) {
        cs_check_add(s->report, CS_VIOLATION_BAR_TIME, row->job, row->start,
                     "job %s runs from %.15g s to %.15g s: times must be finite and a job must not "
                     "end before it starts",
                     job->name, row->start, row->end);
        return;
    }
    if (s->row[row->job] >= 0) {
        cs_check_add(s->report, CS_VIOLATION_TASK_REPEATED, row->job, row->start,
                     "job %s is in the table twice", job->name);
        return;
    }
    s->row[row->job] = r;
    if (row->procs != job->procs)
        cs_check_add(s->report, CS_VIOLATION_WIDTH, row->job, row->start,
                     "job %s has %" PRId64 " processors in the table and %" PRId64 " in the log",
                     job->name, row->procs, job->procs);
    check_times(s, row, job);
    check_figures(s, row, job);
    check_asked(s, row, job);
    if (row->intervals > 0 && check_set(s, row, job))
        s->intervals[r] = row->intervals;
}

/* If one row lists the processors of its job, all do. */
static void check_said(const struct cs_check_operated_state *s)
{
    int said = 0;

    for (int r = 0; r < s->what->rows; r++)
        said += s->what->row[r].intervals > 0;
    for (int r = 0; r < s->what->rows && said > 0; r++)
        if (s->what->row[r].intervals == 0 && s->what->row[r].procs > 0)
            cs_check_add(s->report, CS_VIOLATION_PROC_SET, -1, s->what->row[r].start,
                         "the processors of job %s at %.15g s are missing; the table has those "
                         "of other jobs",
                         s->what->row[r].name, s->what->row[r].start);
}

static void check_rows(struct cs_check_operated_state *s)
{
    s->row = CS_NEW_ARRAY(s->arena, int, s->what->jobs);
    s->intervals = CS_NEW_ARRAY(s->arena, int, s->what->rows);
    for (int j = 0; j < s->what->jobs; j++)
        s->row[j] = -1;
    for (int r = 0; r < s->what->rows; r++)
        if (check_name(s, &s->what->row[r]))
            check_row(s, r);
    for (int j = 0; j < s->what->jobs; j++)
        if (s->row[j] < 0)
            cs_check_add(s->report, CS_VIOLATION_TASK_MISSING, j, NAN,
                         "job %s of the log never runs", s->what->job[j].name);
}

/* ---- the queue ---- */

struct in_line {
    double tier;
    int job;
};

static int compare_in_line(const void *a, const void *b)
{
    const struct in_line *x = a, *y = b;

    if (x->tier != y->tier)
        return x->tier > y->tier ? -1 : 1;
    return (x->job > y->job) - (x->job < y->job);
}

static void make_line(struct cs_check_operated_state *s)
{
    struct in_line *line = CS_NEW_ARRAY(s->arena, struct in_line, s->what->jobs);

    s->line = CS_NEW_ARRAY(s->arena, int, s->what->jobs);
    for (int j = 0; j < s->what->jobs; j++)
        line[j] = (struct in_line){s->what->site->partition[s->what->job[j].partition].tier, j};
    qsort(line, (size_t)s->what->jobs, sizeof *line, compare_in_line);
    for (int k = 0; k < s->what->jobs; k++)
        s->line[k] = line[k].job;
}

/* An unplanned outage while the job waited makes its promise void. */
static bool is_void(const struct cs_check_operated *what, row_at row)
{
    for (int o = 0; o < what->outages; o++) {
        const struct cs_site_outage *outage = &what->outage[o];
        const double news = outage->kind == CS_SITE_MAINTENANCE
                                ? fmin(outage->announced, outage->start)
                                : outage->start;

        if (what->job[row->job].submit <= news && news <= row->start)
            return true;
    }
    return false;
}

/* Was the expected end of a job extended while this one waited? */
static bool is_put_off(const struct cs_check_operated_state *s, row_at row)
{
    const struct cs_check_operated *what = s->what;

    for (int j = 0; j < what->jobs && what->extend; j++) {
        const row_at other = s->row[j] < 0 ? NULL : &what->row[s->row[j]];

        if (other && what->job[j].seconds > what->job[j].estimate && other->end > row->submit &&
            other->start + what->job[j].estimate <= row->start)
            return true;
    }
    return false;
}

static void check_promises(const struct cs_check_operated_state *s)
{
    int promises = 0, rows = 0;

    for (int j = 0; j < s->what->jobs; j++) {
        const row_at row = s->row[j] < 0 ? NULL : &s->what->row[s->row[j]];

        if (!row)
            continue;
        rows++;
        promises += !isnan(row->promise);
        if (row->attempts == 1 && row->start > row->promise + s->what->tolerance &&
            !is_void(s->what, row) && !is_put_off(s, row))
            cs_check_add(s->report, CS_VIOLATION_RESERVATION, row->job, row->start,
                         "job %s starts at %.15g s, it was promised to start by %.15g s",
                         s->what->job[row->job].name, row->start, row->promise);
    }
    if (rows > 0 && promises == 0)
        cs_check_add(s->report, CS_VIOLATION_RESERVATION, -1, NAN,
                     "the table has no promises: no row has one in a column \"promise\"");
}

/* ---- rules that need every attempt ---- */

static bool has_all_attempts(const struct cs_check_operated_state *s)
{
    for (int r = 0; r < s->what->rows; r++)
        if (s->what->row[r].attempts > 1) {
            cs_check_lack(s->report, "jobs ran more than once, and the table has their last "
                                     "attempts: the order of starts was not judged");
            return false;
        }
    return true;
}

static void check_rule(const struct cs_check_operated_state *s, bool fine)
{
    const enum cs_check_operated_rule rule = s->what->rule;

    if (rule == CS_CHECK_OPERATED_CONSERVATIVE || rule == CS_CHECK_OPERATED_EXACT)
        check_promises(s);
    if (rule == CS_CHECK_OPERATED_VALID || rule == CS_CHECK_OPERATED_LIMITS ||
        rule == CS_CHECK_OPERATED_CONSERVATIVE || !fine || !has_all_attempts(s))
        return;
    if (rule == CS_CHECK_OPERATED_FCFS)
        cs_check_operated_order(s);
    else if (rule == CS_CHECK_OPERATED_EASY)
        cs_check_operated_easy(s);
    else
        cs_check_operated_exact(s);
}

void cs_check_operated(const struct cs_check_operated *what, struct cs_check_report *report)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_check_operated_state s = {.what = what, .report = report, .arena = arena};
    const size_t before = report->total;

    check_rows(&s);
    check_said(&s);
    make_line(&s);
    cs_check_operated_use(&s);
    check_rule(&s, report->total == before);
    cs_arena_destroy(arena);
}
