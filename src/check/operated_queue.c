/* operated_queue.c - a list that is linked in the order of the queue. */
#include "check/operated_queue.h"

#include <math.h>

int cs_check_operated_users(const struct cs_check_operated *what)
{
    int users = 0;

    for (int j = 0; j < what->jobs; j++)
        if (what->job[j].user >= users)
            users = what->job[j].user + 1;
    return users;
}

void cs_check_queue_init(struct cs_check_queue *q, const struct cs_check_operated_state *s)
{
    const struct cs_check_operated *what = s->what;
    const int users = cs_check_operated_users(what), anchor = what->jobs;

    *q = (struct cs_check_queue){
        .s = s,
        .hold = CS_NEW_ARRAY(s->arena, struct cs_check_hold, what->jobs),
        .place = CS_NEW_ARRAY(s->arena, int, what->jobs),
        .next = CS_NEW_ARRAY(s->arena, int, what->jobs + 1),
        .previous = CS_NEW_ARRAY(s->arena, int, what->jobs + 1),
        .run = CS_NEW_ARRAY(s->arena, int, what->jobs),
        .spare = CS_NEW_ARRAY(s->arena, int *, what->jobs),
        .user_jobs = CS_NEW_ARRAY(s->arena, int64_t, users),
        .user_procs = CS_NEW_ARRAY(s->arena, int64_t, users),
        .known = CS_NEW_ARRAY(s->arena, bool, what->outages),
        .times = CS_NEW_ARRAY(s->arena, int, what->jobs),
    };
    for (int k = 0; k < what->jobs; k++)
        q->place[s->line[k]] = k;
    q->next[anchor] = q->previous[anchor] = anchor;
    cs_check_plan_init(&q->plan, what->site, what->jobs ? what->job[0].submit : 0, s->arena);
}

static void join(struct cs_check_queue *q, int job)
{
    const int anchor = q->s->what->jobs;
    int ahead = q->previous[anchor];

    while (ahead != anchor && q->place[ahead] > q->place[job])
        ahead = q->previous[ahead];
    q->previous[job] = ahead;
    q->next[job] = q->next[ahead];
    q->previous[q->next[job]] = job;
    q->next[ahead] = job;
}

double cs_check_queue_next_arrival(const struct cs_check_queue *q)
{
    return q->arrived < q->s->what->jobs ? q->s->what->job[q->arrived].submit : INFINITY;
}

void cs_check_queue_arrive(struct cs_check_queue *q, double now)
{
    for (; cs_check_queue_next_arrival(q) <= now; q->arrived++)
        join(q, q->arrived);
}

/* When it is known. */
static double news(const struct cs_site_outage *outage)
{
    return outage->kind == CS_SITE_MAINTENANCE ? fmin(outage->announced, outage->start)
                                               : outage->start;
}

void cs_check_queue_outages(struct cs_check_queue *q, double now)
{
    const struct cs_check_operated *what = q->s->what;

    for (int o = 0; o < what->outages; o++)
        if (!q->known[o] && news(&what->outage[o]) <= now) {
            q->known[o] = true;
            cs_check_plan_away(&q->plan, &what->outage[o], fmax(what->outage[o].start, now));
        }
}

double cs_check_queue_next_outage(const struct cs_check_queue *q, double now)
{
    const struct cs_check_operated *what = q->s->what;
    double next = INFINITY;

    for (int o = 0; o < what->outages; o++) {
        const double time[] = {news(&what->outage[o]), what->outage[o].start, what->outage[o].end};

        for (int i = 0; i < 3; i++)
            if (time[i] > now)
                next = fmin(next, time[i]);
    }
    return next;
}

void cs_check_queue_start(struct cs_check_queue *q, int job)
{
    q->next[q->previous[job]] = q->next[job];
    q->previous[q->next[job]] = q->previous[job];
    q->run[q->running++] = job;
}

static double end_of(const struct cs_check_queue *q, int job)
{
    return q->hold[job].start + q->s->what->job[job].seconds;
}

double cs_check_queue_next_end(const struct cs_check_queue *q)
{
    double next = INFINITY;

    for (int i = 0; i < q->running; i++)
        next = fmin(next, end_of(q, q->run[i]));
    return next;
}

bool cs_check_queue_end(struct cs_check_queue *q, double now)
{
    bool early = false;
    int kept = 0;

    for (int i = 0; i < q->running; i++) {
        const int job = q->run[i];

        if (end_of(q, job) > now) {
            q->run[kept++] = job;
            continue;
        }
        early |= q->hold[job].end > now;
        cs_check_plan_change(&q->plan, &q->s->what->job[job], &q->hold[job], now, 1);
        cs_check_queue_count(q, job, -1);
        cs_check_plan_release(&q->plan, &q->hold[job]);
        q->spare[q->spares++] = q->hold[job].units;
        q->hold[job].units = NULL;
    }
    q->running = kept;
    return early;
}

/* The k-th extension of a job, not beyond its request while that is to come (spec replay 6.2). */
static double extended_end(const struct cs_check_queue *q, int job, double now)
{
    static const double more[] = {60,    300,   900,   1800,   3600,  7200,
                                  18000, 36000, 72000, 180000, 360000};
    const int last = (int)(sizeof more / sizeof *more) - 1, time = q->times[job];
    const double latest = q->hold[job].start + q->s->what->job[job].estimate;
    double end = now + more[time < last ? time : last];

    end = end > now ? end : nextafter(now, INFINITY);
    return latest > now ? fmin(end, latest) : end;
}

void cs_check_queue_extend(struct cs_check_queue *q, double now)
{
    for (int i = 0; i < q->running && q->s->what->extend; i++) {
        struct cs_check_hold *hold = &q->hold[q->run[i]];

        if (hold->end > now)
            continue;
        hold->end = extended_end(q, q->run[i], now);
        q->times[q->run[i]]++;
        cs_check_plan_change(&q->plan, &q->s->what->job[q->run[i]], hold, now, -1);
    }
}

double cs_check_queue_next_late(const struct cs_check_queue *q)
{
    double next = INFINITY;

    for (int i = 0; i < q->running && q->s->what->extend; i++)
        if (q->hold[q->run[i]].end < end_of(q, q->run[i]))
            next = fmin(next, q->hold[q->run[i]].end);
    return next;
}

bool cs_check_queue_over_limit(const struct cs_check_queue *q, int job)
{
    const struct cs_check_operated *what = q->s->what;
    const int user = what->job[job].user;

    return user >= 0 &&
           ((what->user_jobs && q->user_jobs[user] >= what->user_jobs) ||
            (what->user_procs && q->user_procs[user] + what->job[job].procs > what->user_procs));
}

void cs_check_queue_count(struct cs_check_queue *q, int job, int sign)
{
    const struct cs_check_operated_job *j = &q->s->what->job[job];

    if (j->user < 0)
        return;
    q->user_jobs[j->user] += sign;
    q->user_procs[j->user] += sign * j->procs;
}

struct cs_check_hold *cs_check_queue_hold(struct cs_check_queue *q, int job)
{
    if (!q->hold[job].units)
        q->hold[job].units = q->spares ? q->spare[--q->spares]
                                       : CS_NEW_ARRAY(q->s->arena, int, q->s->what->site->pools);
    return &q->hold[job];
}
