/* operated_exact.c - textbook conservative backfilling, recomputed: promise and start of every job,
 * independent of the table. */
#include "check/operated_queue.h"
#include "check/report.h"

#include <math.h>

struct exact {
    struct cs_check_queue q;
    bool *reserved;
    double *promise; /* NaN: none yet */
    struct cs_check_hold trial;
    double now;
};

static const struct cs_check_operated_job *job_at(const struct exact *e, int job)
{
    return &e->q.s->what->job[job];
}

static void operated_exact_take(struct exact *e, int job, int sign)
{
    cs_check_plan_change(&e->q.plan, job_at(e, job), &e->q.hold[job], e->now, -sign);
}

/* Its reservation as early as can be. */
static void move_to_earliest(struct exact *e, int job)
{
    operated_exact_take(e, job, -1);
    cs_check_plan_earliest(&e->q.plan, job_at(e, job), e->now, &e->q.hold[job]);
    operated_exact_take(e, job, 1);
}

/* To now if it fits, else it stays. */
static void move_to_now(struct exact *e, int job)
{
    operated_exact_take(e, job, -1);
    if (cs_check_plan_fits(&e->q.plan, job_at(e, job), e->now, &e->trial)) {
        const struct cs_check_hold old = e->q.hold[job];

        e->q.hold[job] = e->trial;
        e->trial = old;
    }
    operated_exact_take(e, job, 1);
}

static void operated_exact_compress(struct exact *e)
{
    const int64_t first = e->q.s->what->compress;
    const int anchor = e->q.s->what->jobs;
    int64_t k = 0;

    for (int job = e->q.next[anchor]; job != anchor && first >= 0; job = e->q.next[job]) {
        if (!e->reserved[job])
            continue;
        if (e->q.hold[job].start > e->now)
            (k < first ? move_to_earliest : move_to_now)(e, job);
        k++;
    }
}

static void operated_exact_reserve(struct exact *e)
{
    const int anchor = e->q.s->what->jobs;

    for (int job = e->q.next[anchor]; job != anchor; job = e->q.next[job]) {
        if (e->reserved[job] || cs_check_queue_over_limit(&e->q, job))
            continue;
        e->promise[job] = cs_check_plan_earliest(&e->q.plan, job_at(e, job), e->now,
                                                 cs_check_queue_hold(&e->q, job));
        e->reserved[job] = true;
        cs_check_queue_count(&e->q, job, 1);
        operated_exact_take(e, job, 1);
    }
}

/* Start the jobs that are due; return the next start. */
static double operated_exact_start(struct exact *e)
{
    const int anchor = e->q.s->what->jobs;
    double next = INFINITY;

    for (int job = e->q.next[anchor], behind; job != anchor; job = behind) {
        behind = e->q.next[job];
        if (!e->reserved[job])
            continue;
        if (e->q.hold[job].start <= e->now)
            cs_check_queue_start(&e->q, job);
        else
            next = fmin(next, e->q.hold[job].start);
    }
    return next;
}

static double play_instant(struct exact *e)
{
    bool early = cs_check_queue_end(&e->q, e->now);

    cs_check_plan_discard(&e->q.plan, e->now);
    for (int o = 0; o < e->q.s->what->outages; o++)
        early |= e->q.s->what->outage[o].end == e->now;
    cs_check_queue_outages(&e->q, e->now);
    cs_check_queue_arrive(&e->q, e->now);
    if (early)
        operated_exact_compress(e);
    operated_exact_reserve(e);
    return operated_exact_start(e);
}

static void compare(const struct exact *e)
{
    const struct cs_check_operated *what = e->q.s->what;

    for (int j = 0; j < what->jobs; j++) {
        const int r = e->q.s->row[j];

        if (r < 0)
            continue;
        if (!(fabs(what->row[r].promise - e->promise[j]) <= what->tolerance))
            cs_check_add(e->q.s->report, CS_VIOLATION_RESERVATION, j, what->row[r].promise,
                         "job %s was promised %.15g s, the textbook promises %.15g s",
                         what->job[j].name, what->row[r].promise, e->promise[j]);
        else if (fabs(what->row[r].start - e->q.hold[j].start) > what->tolerance)
            cs_check_add(e->q.s->report, CS_VIOLATION_RESERVATION, j, what->row[r].start,
                         "job %s starts at %.15g s, by the textbook it starts at %.15g s",
                         what->job[j].name, what->row[r].start, e->q.hold[j].start);
    }
}

/* Why the promises cannot be worked out, or NULL. */
static const char *operated_exact_obstacle(const struct cs_check_operated *what)
{
    for (int o = 0; o < what->outages; o++)
        if (what->outage[o].kind != CS_SITE_MAINTENANCE ||
            what->outage[o].announced > what->job[0].submit)
            return "an unplanned outage makes all promises void: they were not computed again";
    for (int j = 0; j < what->jobs && what->extend; j++)
        if (what->job[j].seconds > what->job[j].estimate)
            return "jobs outlive their requests, which makes promises void: they were not computed "
                   "again";
    if (what->outages && what->site->kind == CS_SITE_PACKED)
        return "which nodes go away is not known: promises were not worked out again";
    return NULL;
}

void cs_check_operated_exact(const struct cs_check_operated_state *s)
{
    struct exact e = {.now = -INFINITY};
    double next = INFINITY;

    if (s->what->jobs == 0)
        return;
    if (operated_exact_obstacle(s->what)) {
        cs_check_lack(s->report, operated_exact_obstacle(s->what));
        return;
    }
    cs_check_queue_init(&e.q, s);
    e.reserved = CS_NEW_ARRAY(s->arena, bool, s->what->jobs);
    e.promise = CS_NEW_ARRAY(s->arena, double, s->what->jobs);
    e.trial.units = CS_NEW_ARRAY(s->arena, int, s->what->site->pools);
    for (int j = 0; j < s->what->jobs; j++)
        e.promise[j] = NAN;
    for (;;) {
        const double ends = fmin(cs_check_queue_next_end(&e.q), next);
        const double comes = cs_check_queue_next_arrival(&e.q);

        if (isinf(ends) && isinf(comes) && e.q.next[s->what->jobs] == s->what->jobs)
            break;
        e.now = fmin(fmin(ends, comes), cs_check_queue_next_outage(&e.q, e.now));
        if (isinf(e.now))
            break;
        next = play_instant(&e);
    }
    compare(&e);
}
