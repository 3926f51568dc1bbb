/* operated_easy.c - does a table of jobs keep the reservations of EASY on the pools of a site?
 *
 * The table is replayed, time by time. Every job ahead of the first waiting job of its partition
 * starts, or is that job; their possible resources are reserved in the order of the queue, and jobs
 * that start behind them must fit in the rest.
 */
#include "check/operated_queue.h"
#include "check/report.h"

#include <math.h>
#include <stdlib.h>

struct easy {
    struct cs_check_queue q;
    bool *reported; /* of each job: a missing start was reported */
    int *head;      /* of each partition at this instant: the job, -1 for none yet */
    int heads;      /* partitions that have one */
    int *by_start;  /* jobs, by start, then place in the line */
    int next_start; /* in it */
    double now;
};

static const struct cs_check_operated_job *job_at(const struct easy *e, int job)
{
    return &e->q.s->what->job[job];
}

static double start_of(const struct easy *e, int job)
{
    return e->q.s->what->row[e->q.s->row[job]].start;
}

static void set_background(struct easy *e, int job, int sign)
{
    cs_check_plan_change(&e->q.plan, job_at(e, job), &e->q.hold[job], e->now, -sign);
}

static void operated_easy_start(struct easy *e, int job, bool behind)
{
    const struct cs_check_operated_job *j = job_at(e, job);
    const int first = e->head[j->partition];

    if (!cs_check_plan_fits(&e->q.plan, j, e->now, cs_check_queue_hold(&e->q, job)) && behind)
        cs_check_add(e->q.s->report, CS_VIOLATION_RESERVATION, job, e->now,
                     "job %s starts at %.15g s and is to end at %.15g s: it delays a job that is "
                     "first in line, as job %s, which could start at %.15g s",
                     j->name, e->now, e->q.hold[job].end, job_at(e, first)->name,
                     e->q.hold[first].start);
    set_background(e, job, 1);
    cs_check_queue_count(&e->q, job, 1);
    cs_check_queue_start(&e->q, job);
}

/* The first in line of its partition, which does not start. */
static void wait_first(struct easy *e, int job)
{
    const struct cs_check_operated_job *j = job_at(e, job);
    const double at =
        cs_check_plan_earliest(&e->q.plan, j, e->now, cs_check_queue_hold(&e->q, job));

    if (at <= e->now && !e->reported[job]) {
        e->reported[job] = true;
        cs_check_add(e->q.s->report, CS_VIOLATION_HEAD_WAITS, job, e->now,
                     "job %s is first in line at %.15g s and fits: it must start", j->name, e->now);
    }
    if (isfinite(at))
        set_background(e, job, 1);
    else
        e->q.hold[job].start = INFINITY;
    e->head[j->partition] = job;
    e->heads++;
}

/* All jobs ahead of the first waiting job, in every partition. */
static void play_heads(struct easy *e)
{
    const struct cs_check_operated *what = e->q.s->what;

    e->heads = 0;
    for (int p = 0; p < what->site->partitions; p++)
        e->head[p] = -1;
    for (int job = e->q.next[what->jobs], behind;
         job != what->jobs && e->heads < what->site->partitions; job = behind) {
        behind = e->q.next[job];
        if (e->head[what->job[job].partition] >= 0)
            continue;
        if (start_of(e, job) <= e->now)
            operated_easy_start(e, job, false);
        else if (!cs_check_queue_over_limit(&e->q, job))
            wait_first(e, job);
    }
}

static bool operated_easy_waits(const struct easy *e, int job)
{
    return e->q.next[e->q.previous[job]] == job;
}

static void play_behind(struct easy *e)
{
    const struct cs_check_operated *what = e->q.s->what;

    for (; e->next_start < what->jobs; e->next_start++) {
        const int job = e->by_start[e->next_start];

        if (e->q.s->row[job] >= 0 && start_of(e, job) > e->now)
            break;
        if (e->q.s->row[job] >= 0 && operated_easy_waits(e, job))
            operated_easy_start(e, job, true);
    }
    for (int p = 0; p < what->site->partitions; p++)
        if (e->head[p] >= 0 && isfinite(e->q.hold[e->head[p]].start))
            set_background(e, e->head[p], -1);
}

struct starting {
    double start;
    int place, job;
};

static int compare_starting(const void *a, const void *b)
{
    const struct starting *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static int *order_starts(const struct cs_check_queue *q)
{
    const struct cs_check_operated_state *s = q->s;
    struct starting *all = CS_NEW_ARRAY(s->arena, struct starting, s->what->jobs);
    int *order = CS_NEW_ARRAY(s->arena, int, s->what->jobs);

    for (int j = 0; j < s->what->jobs; j++)
        all[j] = (struct starting){s->row[j] < 0 ? -INFINITY : s->what->row[s->row[j]].start,
                                   q->place[j], j};
    qsort(all, (size_t)s->what->jobs, sizeof *all, compare_starting);
    for (int j = 0; j < s->what->jobs; j++)
        order[j] = all[j].job;
    return order;
}

static double next_instant(const struct easy *e)
{
    const int jobs = e->q.s->what->jobs;
    const double begins = e->next_start < jobs && e->q.s->row[e->by_start[e->next_start]] >= 0
                              ? start_of(e, e->by_start[e->next_start])
                              : INFINITY;
    const double ends = fmin(cs_check_queue_next_end(&e->q), cs_check_queue_next_late(&e->q));
    const double next = fmin(fmin(begins, ends), cs_check_queue_next_arrival(&e->q));

    return e->next_start < jobs ? fmin(next, cs_check_queue_next_outage(&e->q, e->now)) : INFINITY;
}

void cs_check_operated_easy(const struct cs_check_operated_state *s)
{
    struct easy e = {.now = -INFINITY};

    if (s->what->outages && s->what->site->kind == CS_SITE_PACKED) {
        cs_check_lack(s->report, "which nodes go away is not known: reservations were not judged");
        return;
    }
    cs_check_queue_init(&e.q, s);
    e.reported = CS_NEW_ARRAY(s->arena, bool, s->what->jobs);
    e.head = CS_NEW_ARRAY(s->arena, int, s->what->site->partitions);
    e.by_start = order_starts(&e.q);
    while (e.next_start < s->what->jobs && s->row[e.by_start[e.next_start]] < 0)
        e.next_start++;
    while (isfinite(e.now = next_instant(&e))) {
        cs_check_queue_end(&e.q, e.now);
        cs_check_plan_discard(&e.q.plan, e.now);
        cs_check_queue_outages(&e.q, e.now);
        cs_check_queue_extend(&e.q, e.now);
        cs_check_queue_arrive(&e.q, e.now);
        play_heads(&e);
        play_behind(&e);
    }
}
