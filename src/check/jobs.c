/* jobs.c - a table of jobs against its log: rows, attempts, and processors at every instant. */
#include "check/jobs.h"
#include "base/arena.h"
#include "check/report.h"
#include "model/procset.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A row that can be followed through time. */
struct cs_check_run {
    int row, job; /* indices; job -1: not in the log */
    double start, finish;
};

struct cs_check_jobs_state {
    const struct cs_check_table *what;
    struct cs_check_report *report;
    struct cs_arena *arena;
    int *line;      /* line[k]: the job at place k, by submit time, then id */
    int *place;     /* place[job] in the line */
    double *submit; /* of each job; equal instants are equal */
    bool *lost;     /* a row of the job cannot be followed */
    int runs;
    struct cs_check_run *run;
};

/* A row starts or ends; ends come first at an instant. */
struct cs_check_event {
    double time;
    int start; /* 0: end, 1: start */
    int run;
};

/* Does a table of jobs keep the reservations of EASY?
 *
 * The table is played again instant by instant.  At each one, with its ends and submissions
 * counted in, the jobs that start are split at the first in line that does not start: those before
 * it are heads, those behind it are backfilled.
 */

/* Running jobs, ordered by expected end. */
struct running {
    double end;
    int procs, run;
};

struct easy {
    const struct cs_check_jobs_state *s;
    bool *waits, *reported; /* by place in the line */
    int first;              /* no job waits at an earlier index */
    int next;               /* place of the next submission */
    struct running *running;
    int count, free;
    int *behind; /* runs that start behind the head, at this instant */
};

static const struct cs_arrival *job_at(const struct easy *e, int place)
{
    return &e->s->what->job[e->s->line[place]];
}

static int jobs_easy_place_of(const struct easy *e, int run)
{
    return e->s->place[e->s->run[run].job];
}

static void join_line(struct easy *e, int place)
{
    e->waits[place] = true;
    if (place < e->first)
        e->first = place;
}

static void submit_until(struct easy *e, double now)
{
    for (; e->next < e->s->what->jobs && e->s->submit[e->s->line[e->next]] <= now; e->next++)
        join_line(e, e->next);
}

/* An end that was expected earlier than it came is expected when it comes. */
static double expected_end(const struct easy *e, int run)
{
    const struct cs_check_run *r = &e->s->run[run];
    double end = (r->start + e->s->what->job[r->job].estimate) + e->s->what->verification;

    return fmax(end, r->finish);
}

static void add_running(struct easy *e, int run)
{
    double end = expected_end(e, run);
    int at = e->count++;

    for (; at > 0 && e->running[at - 1].end > end; at--)
        e->running[at] = e->running[at - 1];
    e->running[at] = (struct running){end, e->s->what->row[e->s->run[run].row].procs, run};
    e->free -= e->running[at].procs;
}

static void end_running(struct easy *e, int run)
{
    const struct cs_job_row *row = &e->s->what->row[e->s->run[run].row];
    int at = 0;

    while (e->running[at].run != run)
        at++;
    e->free += e->running[at].procs;
    e->count--;
    memmove(e->running + at, e->running + at + 1, (size_t)(e->count - at) * sizeof *e->running);
    if (!row->success)
        join_line(e, jobs_easy_place_of(e, run));
}

/* The first in line, -1 for none. */
static int head_of(struct easy *e)
{
    while (e->first < e->next && !e->waits[e->first])
        e->first++;
    return e->first < e->next ? e->first : -1;
}

/* When so many processors are free by what is expected, and how many more; those that come within
 * the tolerance count. */
static double shadow_of(const struct easy *e, int procs, long long *extra)
{
    long long free = e->free;
    double shadow = -INFINITY;
    int at = 0;

    for (; at < e->count && free < procs; at++) {
        free += e->running[at].procs;
        shadow = e->running[at].end;
    }
    for (; at < e->count && e->running[at].end <= shadow + e->s->what->tolerance; at++)
        free += e->running[at].procs;
    *extra = free - procs;
    return shadow;
}

static void check_behind(struct easy *e, int head, int count, double now)
{
    const struct cs_arrival *first = job_at(e, head);
    long long extra;
    double shadow = shadow_of(e, first->procs, &extra);

    for (int i = 0; i < count; i++) {
        const struct cs_check_run *run = &e->s->run[e->behind[i]];
        const struct cs_job_row *row = &e->s->what->row[run->row];

        if (expected_end(e, e->behind[i]) <= shadow + e->s->what->tolerance)
            continue;
        extra -= row->procs;
        if (extra < 0 && extra + row->procs >= 0)
            cs_check_add(e->s->report, CS_VIOLATION_RESERVATION, run->job, now,
                         "job %" PRId64 " starts at %.15g s on %d processors and is to end at "
                         "%.15g s: it delays job %" PRId64 ", first in line, which was to start at "
                         "%.15g s",
                         row->id, row->start, row->procs, expected_end(e, e->behind[i]), first->id,
                         shadow);
    }
}

static void check_head(struct easy *e, int head, double now)
{
    const struct cs_arrival *first = job_at(e, head);

    if (first->procs > e->free || e->reported[head])
        return;
    e->reported[head] = true;
    cs_check_add(e->s->report, CS_VIOLATION_HEAD_WAITS, e->s->line[head], now,
                 "job %" PRId64 " is first in line at %.15g s, %d processors are free and it asks "
                 "for %d: it must start",
                 first->id, now, e->free, first->procs);
}

static bool takes_time(const struct cs_check_jobs_state *s, int run)
{
    return s->run[run].start < s->run[run].finish;
}

/* A run that starts and ends at this instant. */
static void pass_by(struct easy *e, int run)
{
    if (!e->s->what->row[e->s->run[run].row].success)
        join_line(e, jobs_easy_place_of(e, run));
}

/* The starts event[from .. to - 1] of an instant. */
static void jobs_easy_check(struct easy *e, const struct cs_check_event *event, int from, int to,
                            double now)
{
    int head, count = 0;

    for (int i = from; i < to; i++)
        e->waits[jobs_easy_place_of(e, event[i].run)] = false;
    head = head_of(e);
    for (int i = from; i < to; i++)
        if (!takes_time(e->s, event[i].run))
            pass_by(e, event[i].run);
        else if (head < 0 || jobs_easy_place_of(e, event[i].run) < head)
            add_running(e, event[i].run);
        else
            e->behind[count++] = event[i].run;
    if (head >= 0) {
        check_head(e, head, now);
        if (count > 0 && job_at(e, head)->procs > e->free)
            check_behind(e, head, count, now);
    }
    for (int i = 0; i < count; i++)
        add_running(e, e->behind[i]);
}

static const struct cs_check_event *check_jobs_events(const struct cs_check_jobs_state *s);

/* The rule of EASY. */
static void check_jobs_easy(const struct cs_check_jobs_state *s)
{
    const struct cs_check_event *event = check_jobs_events(s);
    int events = 2 * s->runs, jobs = s->what->jobs, at = 0;
    struct easy e = {
        .s = s,
        .waits = CS_NEW_ARRAY(s->arena, bool, jobs),
        .reported = CS_NEW_ARRAY(s->arena, bool, jobs),
        .running = CS_NEW_ARRAY(s->arena, struct running, s->runs),
        .behind = CS_NEW_ARRAY(s->arena, int, s->runs),
        .free = s->what->machine,
    };

    while (at < events || e.next < jobs) {
        double now = at < events ? event[at].time : INFINITY;
        int from;

        if (e.next < jobs && s->submit[s->line[e.next]] < now)
            now = s->submit[s->line[e.next]];
        for (; at < events && event[at].time == now && !event[at].start; at++)
            if (takes_time(s, event[at].run))
                end_running(&e, event[at].run);
        submit_until(&e, now);
        for (from = at; at < events && event[at].time == now; at++)
            ;
        jobs_easy_check(&e, event, from, at, now);
    }
}

struct by_id {
    int64_t id;
    int job;
};

static int compare_ids(const void *a, const void *b)
{
    const struct by_id *x = a, *y = b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->job > y->job) - (x->job < y->job);
}

static const struct by_id *jobs_by_id(const struct cs_check_jobs_state *s)
{
    struct by_id *by_id = CS_NEW_ARRAY(s->arena, struct by_id, s->what->jobs);

    for (int j = 0; j < s->what->jobs; j++)
        by_id[j] = (struct by_id){s->what->job[j].id, j};
    qsort(by_id, (size_t)s->what->jobs, sizeof *by_id, compare_ids);
    for (int j = 1; j < s->what->jobs; j++)
        if (by_id[j].id == by_id[j - 1].id)
            cs_check_add(s->report, CS_VIOLATION_INSTANCE, by_id[j].job, NAN,
                         "the log has two jobs with the number %" PRId64, by_id[j].id);
    return by_id;
}

/* The job of the log with this id, -1 for none. */
static int find_job(const struct by_id *by_id, int count, int64_t id)
{
    int low = 0, high = count;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (by_id[middle].id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && by_id[low].id == id ? by_id[low].job : -1;
}

static bool jobs_same(const struct cs_check_jobs_state *s, double a, double b)
{
    return fabs(a - b) <= s->what->tolerance;
}

static bool check_times(const struct cs_check_jobs_state *s, const struct cs_job_row *row, int job)
{
    if (isfinite(row->start) && isfinite(row->finish) && row->finish >= row->start)
        return true;
    cs_check_add(s->report, CS_VIOLATION_BAR_TIME, job, row->start,
                 "job %" PRId64 " runs from %.15g s to %.15g s: times must be finite and a job "
                 "must not end before it starts",
                 row->id, row->start, row->finish);
    return false;
}

static void check_set(const struct cs_check_jobs_state *s, const struct cs_job_row *row, int job)
{
    long long size = cs_procset_size(row->set, row->intervals);

    if (!cs_procset_well_formed(row->set, row->intervals))
        cs_check_add(s->report, CS_VIOLATION_PROC_SET, job, row->start,
                     "the processors of job %" PRId64 " at %.15g s are not a set of ascending, "
                     "disjoint intervals with gaps between them",
                     row->id, row->start);
    else if (row->set[row->intervals - 1].last >= s->what->machine)
        cs_check_add(s->report, CS_VIOLATION_PROC_RANGE, job, row->start,
                     "job %" PRId64 " uses processor %d at %.15g s: the machine has %d, from 0 on",
                     row->id, row->set[row->intervals - 1].last, row->start, s->what->machine);
    else if (size != row->procs)
        cs_check_add(s->report, CS_VIOLATION_WIDTH, job, row->start,
                     "job %" PRId64 " asks for %d processors and holds %lld at %.15g s", row->id,
                     row->procs, size, row->start);
}

static void check_against_log(const struct cs_check_jobs_state *s, const struct cs_job_row *row,
                              int job)
{
    const struct cs_arrival *logged = &s->what->job[job];
    double finish = (row->start + logged->seconds) + s->what->verification;

    if (row->start < logged->submit - s->what->tolerance)
        cs_check_add(s->report, CS_VIOLATION_EARLY, job, row->start,
                     "job %" PRId64 " starts at %.15g s, it is submitted at %.15g s", row->id,
                     row->start, logged->submit);
    if (row->attempt == 0 && !jobs_same(s, row->submit, logged->submit))
        cs_check_add(s->report, CS_VIOLATION_INSTANCE, job, row->submit,
                     "job %" PRId64 " is submitted at %.15g s in the table and at %.15g s in the "
                     "log",
                     row->id, row->submit, logged->submit);
    if (row->procs != logged->procs)
        cs_check_add(s->report, CS_VIOLATION_WIDTH, job, row->start,
                     "job %" PRId64 " asks for %d processors in the table and for %d in the log",
                     row->id, row->procs, logged->procs);
    if (!jobs_same(s, row->finish, finish))
        cs_check_add(s->report, CS_VIOLATION_DURATION, job, row->start,
                     "job %" PRId64
                     " starts at %.15g s and ends at %.15g s, it must end at %.15g s",
                     row->id, row->start, row->finish, finish);
}

static void check_rows(struct cs_check_jobs_state *s)
{
    const struct by_id *by_id = jobs_by_id(s);

    s->run = CS_NEW_ARRAY(s->arena, struct cs_check_run, s->what->rows);
    s->lost = CS_NEW_ARRAY(s->arena, bool, s->what->jobs);
    for (int r = 0; r < s->what->rows; r++) {
        const struct cs_job_row *row = &s->what->row[r];
        int job = find_job(by_id, s->what->jobs, row->id);

        if (job < 0)
            cs_check_add(s->report, CS_VIOLATION_INSTANCE, -1, row->start,
                         "job %" PRId64 " of the table is not in the log", row->id);
        if (row->intervals > 0)
            check_set(s, row, job);
        if (!check_times(s, row, job)) {
            if (job >= 0)
                s->lost[job] = true;
            continue;
        }
        if (job >= 0)
            check_against_log(s, row, job);
        s->run[s->runs++] = (struct cs_check_run){r, job, row->start, row->finish};
    }
}

static int compare_runs(const void *a, const void *b)
{
    const struct cs_check_run *x = a, *y = b;

    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Attempt number `attempt` of its job, `last` or not, after one that ended at `before`. */
static void check_attempt(const struct cs_check_jobs_state *s, const struct cs_check_run *run,
                          double before, bool last)
{
    const struct cs_job_row *row = &s->what->row[run->row];

    if (run->start < before - s->what->tolerance)
        cs_check_add(s->report, CS_VIOLATION_TASK_OVERLAP, run->job, run->start,
                     "job %" PRId64 " starts again at %.15g s, before its attempt that ends at "
                     "%.15g s is over",
                     row->id, run->start, before);
    if (row->success != last)
        cs_check_add(s->report, last ? CS_VIOLATION_TASK_MISSING : CS_VIOLATION_TASK_REPEATED,
                     run->job, run->start,
                     last ? "job %" PRId64 " fails at %.15g s and does not run again"
                          : "job %" PRId64 " ends well at %.15g s and runs again",
                     row->id, run->finish);
}

static void check_count(const struct cs_check_jobs_state *s, int job, int64_t attempts)
{
    const struct cs_arrival *logged = &s->what->job[job];

    if (s->lost[job])
        return;
    if (attempts == 0)
        cs_check_add(s->report, CS_VIOLATION_TASK_MISSING, job, NAN,
                     "job %" PRId64 " of the log never runs", logged->id);
    else if (logged->failures >= 0 && attempts != logged->failures + 1)
        cs_check_add(
            s->report,
            attempts > logged->failures ? CS_VIOLATION_TASK_REPEATED : CS_VIOLATION_TASK_MISSING,
            job, NAN, "job %" PRId64 " runs %" PRId64 " times, it must run %" PRId64 " times",
            logged->id, attempts, logged->failures + 1);
}

static void check_attempts(struct cs_check_jobs_state *s)
{
    int at = 0;

    qsort(s->run, (size_t)s->runs, sizeof *s->run, compare_runs);
    while (at < s->runs && s->run[at].job < 0)
        at++;
    for (int j = 0; j < s->what->jobs; j++) {
        int first = at;

        for (; at < s->runs && s->run[at].job == j; at++)
            check_attempt(s, &s->run[at], at > first ? s->run[at - 1].finish : -INFINITY,
                          at + 1 == s->runs || s->run[at + 1].job != j);
        check_count(s, j, at - first);
    }
}

static int compare_doubles(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The last of the sorted instants that is not after this time. */
static double jobs_snap(const double *instant, int count, double time)
{
    int low = 0, high = count;

    while (high - low > 1) {
        int middle = low + (high - low) / 2;

        if (instant[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return instant[low];
}

/* Times that are the same within the tolerance become equal. */
static void snap_times(struct cs_check_jobs_state *s)
{
    double *time = CS_NEW_ARRAY(s->arena, double, 2 * (size_t)s->runs + (size_t)s->what->jobs);
    int count = 0, kept = 0;

    for (int r = 0; r < s->runs; r++) {
        time[count++] = s->run[r].start;
        time[count++] = s->run[r].finish;
    }
    for (int j = 0; j < s->what->jobs; j++)
        time[count++] = s->what->job[j].submit;
    qsort(time, (size_t)count, sizeof *time, compare_doubles);
    for (int i = 0; i < count; i++)
        if (kept == 0 || time[i] > time[kept - 1] + s->what->tolerance)
            time[kept++] = time[i];
    for (int r = 0; r < s->runs; r++) {
        s->run[r].start = jobs_snap(time, kept, s->run[r].start);
        s->run[r].finish = jobs_snap(time, kept, s->run[r].finish);
    }
    for (int j = 0; j < s->what->jobs; j++)
        s->submit[j] = jobs_snap(time, kept, s->what->job[j].submit);
}

static int compare_events(const void *a, const void *b)
{
    const struct cs_check_event *x = a, *y = b;

    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->start != y->start)
        return x->start - y->start;
    return (x->run > y->run) - (x->run < y->run);
}

/* All of them, in order; 2 * runs. */
static const struct cs_check_event *check_jobs_events(const struct cs_check_jobs_state *s)
{
    struct cs_check_event *event = CS_NEW_ARRAY(s->arena, struct cs_check_event, 2 * s->runs);

    for (int r = 0; r < s->runs; r++) {
        event[2 * r] = (struct cs_check_event){s->run[r].start, 1, r};
        event[2 * r + 1] = (struct cs_check_event){s->run[r].finish, 0, r};
    }
    qsort(event, 2 * (size_t)s->runs, sizeof *event, compare_events);
    return event;
}

/* How many intervals of the row can be followed. */
static int jobs_usable(const struct cs_job_row *row)
{
    return cs_procset_well_formed(row->set, row->intervals) ? row->intervals : 0;
}

/* The run takes its processors; report the first one that is in use. */
static void take_set(const struct cs_check_jobs_state *s, int r, int *holder)
{
    const struct cs_job_row *row = &s->what->row[s->run[r].row];
    int other = -1, shared = -1, intervals = jobs_usable(row);

    for (int i = 0; i < intervals; i++)
        for (int p = row->set[i].first; p <= row->set[i].last && p < s->what->machine; p++) {
            if (holder[p] >= 0 && other < 0) {
                other = holder[p];
                shared = p;
            }
            holder[p] = r;
        }
    if (other >= 0)
        cs_check_add(s->report, CS_VIOLATION_PROC_SHARED, s->run[r].job, row->start,
                     "jobs %" PRId64 " and %" PRId64 " both hold processor %d at %.15g s",
                     s->what->row[s->run[other].row].id, row->id, shared, row->start);
}

static void give_set(const struct cs_check_jobs_state *s, int r, int *holder)
{
    const struct cs_job_row *row = &s->what->row[s->run[r].row];
    int intervals = jobs_usable(row);

    for (int i = 0; i < intervals; i++)
        for (int p = row->set[i].first; p <= row->set[i].last && p < s->what->machine; p++)
            if (holder[p] == r)
                holder[p] = -1;
}

/* Runs that take no time hold nothing. */
static void check_processors(const struct cs_check_jobs_state *s)
{
    const struct cs_check_event *event = check_jobs_events(s);
    int *holder = CS_NEW_ARRAY(s->arena, int, s->what->machine), events = 2 * s->runs;
    long long used = 0;

    for (int p = 0; p < s->what->machine; p++)
        holder[p] = -1;
    for (int e = 0; e < events; e++) {
        const struct cs_check_run *run = &s->run[event[e].run];
        int procs = s->what->row[run->row].procs;

        if (run->start < run->finish) {
            used += event[e].start ? procs : -procs;
            (event[e].start ? take_set : give_set)(s, event[e].run, holder);
        }
        if ((e + 1 == events || event[e + 1].time > event[e].time) && used > s->what->machine)
            cs_check_add(s->report, CS_VIOLATION_CAPACITY, -1, event[e].time,
                         "%lld processors are in use from %.15g s on: the machine has %d", used,
                         event[e].time, s->what->machine);
    }
}

struct in_line {
    double submit;
    int64_t id;
    int job;
};

static int compare_in_line(const void *a, const void *b)
{
    const struct in_line *x = a, *y = b;

    if (x->submit != y->submit)
        return x->submit < y->submit ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return (x->job > y->job) - (x->job < y->job);
}

static void make_line(struct cs_check_jobs_state *s)
{
    struct in_line *line = CS_NEW_ARRAY(s->arena, struct in_line, s->what->jobs);

    s->line = CS_NEW_ARRAY(s->arena, int, s->what->jobs);
    s->place = CS_NEW_ARRAY(s->arena, int, s->what->jobs);
    for (int j = 0; j < s->what->jobs; j++)
        line[j] = (struct in_line){s->what->job[j].submit, s->what->job[j].id, j};
    qsort(line, (size_t)s->what->jobs, sizeof *line, compare_in_line);
    for (int k = 0; k < s->what->jobs; k++) {
        s->line[k] = line[k].job;
        s->place[line[k].job] = k;
    }
}

static void check_promises(const struct cs_check_jobs_state *s)
{
    int promises = 0;

    for (int r = 0; r < s->runs; r++) {
        const struct cs_job_row *row = &s->what->row[s->run[r].row];

        promises += row->promised;
        if (row->promised && row->start > row->promise + s->what->tolerance)
            cs_check_add(s->report, CS_VIOLATION_RESERVATION, s->run[r].job, row->start,
                         "job %" PRId64 " starts at %.15g s, it was promised to start by %.15g s",
                         row->id, row->start, row->promise);
    }
    if (s->runs > 0 && promises == 0)
        cs_check_add(s->report, CS_VIOLATION_RESERVATION, s->run[0].job, NAN,
                     "the table has no promises: no row has one in a column \"promise\"");
}

/* By job, the first start. */
static double *first_starts(const struct cs_check_jobs_state *s)
{
    double *first = CS_NEW_ARRAY(s->arena, double, s->what->jobs);

    for (int j = 0; j < s->what->jobs; j++)
        first[j] = INFINITY;
    for (int r = 0; r < s->runs; r++)
        if (s->run[r].job >= 0)
            first[s->run[r].job] = fmin(first[s->run[r].job], s->run[r].start);
    return first;
}

/* Jobs of one instant may start in any order. */
static void check_order(const struct cs_check_jobs_state *s)
{
    const double *first = first_starts(s);
    int last = -1, ahead = -1; /* that starts last: so far; of those submitted earlier */

    for (int k = 0; k < s->what->jobs; k++) {
        int job = s->line[k];

        if (k > 0 && s->submit[job] > s->submit[s->line[k - 1]])
            ahead = last;
        if (ahead >= 0 && first[job] < first[ahead])
            cs_check_add(s->report, CS_VIOLATION_OVERTAKES, job, first[job],
                         "job %" PRId64 " starts at %.15g s, before job %" PRId64
                         ", which was submitted earlier and starts at %.15g s",
                         s->what->job[job].id, first[job], s->what->job[ahead].id, first[ahead]);
        if (last < 0 || first[job] > first[last])
            last = job;
    }
}

void cs_check_table(const struct cs_check_table *what, struct cs_check_report *report)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_check_jobs_state s = {.what = what, .report = report, .arena = arena};
    size_t before;

    before = report->total;
    s.submit = CS_NEW_ARRAY(arena, double, what->jobs);
    check_rows(&s);
    check_attempts(&s);
    snap_times(&s);
    check_processors(&s);
    if (what->rule == CS_CHECK_JOBS_CONSERVATIVE)
        check_promises(&s);
    make_line(&s);
    if (what->rule == CS_CHECK_JOBS_EASY && report->total == before)
        check_jobs_easy(&s);
    if (what->rule == CS_CHECK_JOBS_FCFS)
        check_order(&s);
    cs_arena_destroy(arena);
}
