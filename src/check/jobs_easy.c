/* jobs_easy.c - does a table of jobs keep the reservations of EASY?
 *
 * The table is played again instant by instant.  At each one, with its ends and submissions
 * counted in, the jobs that start are split at the first in line that does not start: those before
 * it are heads, those behind it are backfilled.
 */
#include "check/jobs_state.h"
#include "check/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

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
static void jobs_easy_judge(struct easy *e, const struct cs_check_event *event, int from, int to,
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

void cs_check_jobs_easy(const struct cs_check_jobs_state *s)
{
    const struct cs_check_event *event = cs_check_jobs_events(s);
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
        jobs_easy_judge(&e, event, from, at, now);
    }
}
