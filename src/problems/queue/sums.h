/* sums.h - the totals of a replay as struct cs_queue_totals, from the events of its driver.
 *
 *     struct cs_queue_sums sums = {.machine = procs, .verification = seconds};
 *
 * with cs_queue_sums_observer among the observers of cs_queue_simulate, and in the end
 * cs_queue_sums_finish.
 */
#ifndef CS_QUEUE_SUMS_H
#define CS_QUEUE_SUMS_H

#include "problems/queue/measures.h"

/* Times in seconds.  A job waits from its submission to its last end, but for the time in which it
 * runs; its bounded slowdown is its turnaround over an attempt of 10 s or more, at least 1. */
struct cs_queue_totals {
    int64_t jobs, attempts, failures;
    double first_submit, last_end;
    double makespan;    /* last_end - first_submit; 0 without jobs */
    double busy, waste; /* processor seconds: all attempts, those that failed */
    double utilisation; /* busy / (machine * makespan) */
    double mean_wait, max_wait;
    double mean_slowdown, max_slowdown;
    double throughput;       /* jobs an hour */
    int64_t largest_queue;   /* the largest number of waiting jobs after a pass */
    int64_t most_unfinished; /* the largest number of jobs in memory */
    size_t memory;           /* bytes that the driver took */
    /* As in measures.h; NaN when they are not measured, or there is nothing to measure. */
    double median_wait, p95_wait, p99_wait, area_weighted_wait, loss_of_capacity;
    double window_utilisation; /* from the first arrival to the last */
    double median_slowdown, p95_slowdown, mean_queue, overtakes;
    double fair_jobs, unfair_jobs, mean_unfairness; /* as in measures.h */
    /* Of the driver: of jobs, of attempts, of reservations. */
    int64_t raised, killed, extended, requeued, broken;
    double undone; /* processor seconds that the killed ones had left */
};

struct cs_queue_sums {
    double machine, verification; /* processors; seconds added to each attempt */
    /* Private. */
    struct cs_queue_totals result;
    double wait, slowdown;
    int64_t waiting;
    bool any;
};

struct cs_queue_observer cs_queue_sums_observer(struct cs_queue_sums *sums);

void cs_queue_sums_finish(const struct cs_queue_sums *sums,
                          const struct cs_queue_simulated *operated,
                          const struct cs_queue_measured *measured, struct cs_queue_totals *out);

#endif
