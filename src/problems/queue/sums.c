/* sums.c - totals of a replay: an observer that adds waits, slowdowns and processor time.
 *
 * Source: spec/replay.md 10.2 and 10.3; the other measures are in measures.c.
 *
 * Invariants: sums are in the order of the events that the driver reports; means of no jobs stay
 * 0.
 */
#include "problems/queue/sums.h"

#include <math.h>

static void sums_arrived(void *who, const struct cs_queue_history *history, double now)
{
    struct cs_queue_sums *sums = who;

    (void)now;
    if (!sums->any)
        sums->result.first_submit = sums->result.last_end = history->job.submit;
    sums->any = true;
    sums->waiting++;
}

static void sums_started(void *who, const struct cs_queue_history *history, double now)
{
    (void)history;
    (void)now;
    ((struct cs_queue_sums *)who)->waiting--;
}

static inline double sums_longer(double a, double b)
{
    return a > b ? a : b;
}

static void count_job(struct cs_queue_sums *sums, const struct cs_queue_history *history)
{
    struct cs_queue_totals *result = &sums->result;
    double seconds =
        history->killed ? history->end - history->start : history->job.seconds + sums->verification;
    double slowdown =
        sums_longer(1, (history->end - history->job.submit) / sums_longer(seconds, 10));
    double wait = history->end - history->job.submit - history->ran;

    sums->wait += wait;
    result->max_wait = sums_longer(result->max_wait, wait);
    sums->slowdown += slowdown;
    result->max_slowdown = sums_longer(result->max_slowdown, slowdown);
    result->last_end = sums_longer(result->last_end, history->end);
}

static void sums_ended(void *who, const struct cs_queue_history *history, double now, bool done)
{
    struct cs_queue_sums *sums = who;
    double area = (history->end - history->start) * (double)history->job.procs;

    (void)now;
    sums->result.busy += area;
    sums->result.waste += done ? 0 : area;
    sums->waiting += !done;
    if (done)
        count_job(sums, history);
}

static void sums_instant(void *who, double now)
{
    struct cs_queue_sums *sums = who;

    (void)now;
    if (sums->waiting > sums->result.largest_queue)
        sums->result.largest_queue = sums->waiting;
}

struct cs_queue_observer cs_queue_sums_observer(struct cs_queue_sums *sums)
{
    return (struct cs_queue_observer){.arrived = sums_arrived,
                                      .started = sums_started,
                                      .ended = sums_ended,
                                      .instant = sums_instant,
                                      .who = sums};
}

/* ---- in the end ---- */

static void take_measured(const struct cs_queue_measured *m, struct cs_queue_totals *out)
{
    out->median_wait = m->median_wait;
    out->p95_wait = m->p95_wait;
    out->p99_wait = m->p99_wait;
    out->area_weighted_wait = m->area_weighted_wait;
    out->loss_of_capacity = m->loss_of_capacity;
    out->window_utilisation = m->utilisation;
    out->median_slowdown = m->median_slowdown;
    out->p95_slowdown = m->p95_slowdown;
    out->mean_queue = m->mean_queue;
    out->overtakes = m->jobs ? (double)m->overtakes : NAN;
    out->fair_jobs = (double)m->fair_jobs;
    out->unfair_jobs = (double)m->unfair_jobs;
    out->mean_unfairness = m->mean_unfairness;
}

static void take_operated(const struct cs_queue_simulated *o, struct cs_queue_totals *out)
{
    out->jobs = o->jobs;
    out->attempts = o->attempts;
    out->failures = o->failures;
    out->most_unfinished = o->most_unfinished;
    out->memory = o->memory;
    out->raised = o->raised;
    out->killed = o->killed;
    out->undone = o->undone;
    out->extended = o->extended;
    out->requeued = o->requeued;
    out->broken = o->broken;
}

void cs_queue_sums_finish(const struct cs_queue_sums *sums,
                          const struct cs_queue_simulated *operated,
                          const struct cs_queue_measured *measured, struct cs_queue_totals *out)
{
    *out = sums->result;
    take_operated(operated, out);
    take_measured(measured, out);
    out->makespan = out->last_end - out->first_submit;
    if (out->jobs == 0)
        return;
    out->mean_wait = sums->wait / (double)out->jobs;
    out->mean_slowdown = sums->slowdown / (double)out->jobs;
    if (out->makespan > 0) {
        out->utilisation = out->busy / (sums->machine * out->makespan);
        out->throughput = (double)out->jobs / (out->makespan / 3600);
    }
}
