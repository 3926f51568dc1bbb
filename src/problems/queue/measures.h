/* measures.h - what a replay came to (spec/replay.md 10).
 *
 * An observer of cs_queue_simulate, or of cs_queue_recorded_run.  Jobs that arrive in
 * [first + warmup, last - cooldown] are measured, the others run but do not count; the same is the
 * window of what is measured of the machine.  Memory does not grow with the log.
 */
#ifndef CS_QUEUE_MEASURES_H
#define CS_QUEUE_MEASURES_H

#include "problems/queue/simulate.h"

struct cs_queue_window {
    double warmup, cooldown; /* seconds */
    double last;             /* arrival of the last job; needed where there is a cooldown */
};

/* Batch means of a value, in the order of the jobs' numbers. */
struct cs_queue_confidence {
    int64_t batch;  /* jobs in each; 0: there are fewer than 40 */
    int count;      /* batches */
    double half;    /* half the width of the 95 % interval of the mean */
    double related; /* lag-1 autocorrelation; above 0.3 the interval is too small to be reliable */
};

/* Times in seconds; NaN where there is nothing to measure. */
struct cs_queue_measured {
    int64_t jobs;
    double mean_wait, median_wait, p95_wait, p99_wait, longest_wait;
    double area_weighted_wait; /* by processors times seconds of the last attempt */
    double mean_slowdown, median_slowdown, p95_slowdown; /* bounded, 10 s */
    double per_processor_slowdown, mean_response;
    double utilisation, loss_of_capacity; /* shares */
    double mean_queue;
    int64_t longest_queue;
    double queued_work; /* processor seconds, mean over time */
    double jobs_a_day, processor_hours_a_day;
    int64_t overtakes;
    double makespan;                /* last end - first arrival */
    double first, last;             /* arrivals */
    double window;                  /* seconds */
    double late;                    /* the longest time that a job started after its promise */
    double total_wait;              /* of the measured jobs */
    int64_t fair_jobs, unfair_jobs; /* whose fair start is known; that start later than it */
    double mean_unfairness;         /* how much later, over the former */
    double unexplained_wait;        /* of these jobs' waiting while their processors were free */
    bool approximate;               /* the quantiles */
    struct cs_queue_confidence wait, slowdown;
};

struct cs_queue_measures;

/* `procs`: of the machine. */
struct cs_queue_measures *cs_queue_measures_create(double procs,
                                                   const struct cs_queue_window *window);
void cs_queue_measures_destroy(struct cs_queue_measures *measures); /* NULL is fine */

struct cs_queue_observer cs_queue_measures_observer(struct cs_queue_measures *measures);

/* After the last instant. */
void cs_queue_measures_finish(struct cs_queue_measures *measures, struct cs_queue_measured *out);

/* The distribution functions: the share of jobs whose wait, or bounded slowdown, is at most so. */
double cs_queue_measures_wait_share(struct cs_queue_measures *measures, double wait);
double cs_queue_measures_slowdown_share(struct cs_queue_measures *measures, double slowdown);

/* ---- of one job ---- */

double cs_queue_history_wait(const struct cs_queue_history *history);
double cs_queue_history_slowdown(const struct cs_queue_history *history); /* bounded */

/* ---- batches ---- */

#define CS_QUEUE_BATCHES 80

struct cs_queue_batches { /* start with { .size = 1 } */
    int64_t size, count;
    double sum[CS_QUEUE_BATCHES];
    int64_t full[CS_QUEUE_BATCHES];
};

/* The value of the job with this place among those measured, from 0; places come in any order. */
void cs_queue_batches_add(struct cs_queue_batches *batches, int64_t place, double value);
struct cs_queue_confidence cs_queue_batches_finish(struct cs_queue_batches *batches);

#endif
