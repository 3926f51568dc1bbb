/* replay.h - rigid jobs that arrive over time on identical processors, under a priority of batches.
 *
 * The driver is that of operate.h; here its interface is in the terms of the rigid problem (Benoit
 * et al. 2021, with the release times of spec/rigid.md, Part II, 6), and its job history is summed
 * up.  An attempt that ends before its estimate returns its processors immediately, one that
 * outlives it is put off as operate.h does; a job that has failures left when an attempt ends goes
 * back to the queue, at its place.
 *
 * A shelf is made when no attempt runs and a job waits: when the one before it has ended, or, if
 * the queue was empty then, when the next job arrives.  It ends when its last attempt does, which
 * may be before the end expected from its estimates.
 */
#ifndef CS_QUEUE_REPLAY_H
#define CS_QUEUE_REPLAY_H

#include "model/arrival.h"
#include "sched/policy.h"
#include "sched/urgency.h"

/* An attempt that has ended.  Rows come in the order of their ends. */
typedef void cs_queue_replay_watch_f(void *who, const struct cs_job_row *row);

struct cs_queue_replay {
    int machine;         /* processors */
    double verification; /* seconds added to each attempt */
    const struct cs_sched_policy *policy;
    const double *param;                      /* of the policy, as in cs_policy_call */
    const struct cs_sched_priority *priority; /* of the estimates; NULL: fcfs, submit then id */
    const struct cs_sched_urgency *urgency;   /* one of a site instead; or NULL */
    struct cs_sched_draw draw;                /* what the priority depends on */
    bool measure;                             /* the last of the figures below too */
    bool sets;                                /* give every attempt numbered processors */
    cs_queue_replay_watch_f *watch;           /* or NULL */
    void *who;
};

/* Times in seconds.  A job waits from its submission to its last end, but for the time in which it
 * runs; its bounded slowdown is its turnaround over an attempt of 10 s or more, at least 1. */
struct cs_queue_replay_result {
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

/* -1 with err: naming the job, when an arrival is not fit or out of order; the policy refuses its
 * parameters; the source fails. */
int cs_queue_replay_run(const struct cs_queue_replay *replay, cs_arrival_next_f *next, void *source,
                        struct cs_queue_replay_result *result, struct cs_error *err);

/* Like cs_sched_priority_find, "fcfs", and those of sites: sets priority and urgency of the
 * variant.  Priorities that learn are rejected, and so is slurm's, which needs weights.  -1 with
 * err. */
int cs_queue_replay_priority_find(const char *name, struct cs_queue_replay *variant,
                                  struct cs_error *err);

/* The name of the variant's priority. */
const char *cs_queue_replay_priority_name(const struct cs_queue_replay *variant);

#endif
