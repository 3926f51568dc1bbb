/* replay_log.h - the jobs of a log, as they arrive. */
#ifndef CS_QUEUE_REPLAY_LOG_H
#define CS_QUEUE_REPLAY_LOG_H

#include "base/arena.h"
#include "io/joblog.h"
#include "model/arrival.h"
#include "sched/sets.h"

struct cs_queue_arrivals {
    int count;
    struct cs_arrival *job; /* in the order of the set: by submit time, then id, then place in the
                               log; failures are 0 */
    int *index;             /* the place of each in the log */
    /* How their estimates came about. */
    int requested; /* the user's request, at least the running time */
    int exceeded;  /* ran longer than requested: the running time */
    int unknown;   /* no request in the log: the running time */
};

/* The jobs of one set of the log, in its order: failures that are sampled for that set belong to
 * them one by one.  `run_times`: estimates are the running times; the requests of users are
 * ignored.  Lives in the arena. */
struct cs_queue_arrivals *cs_queue_arrivals_of_set(const struct cs_joblog *log,
                                                   const struct cs_sched_set *set, bool run_times,
                                                   struct cs_arena *arena);

/* The same for the one set of cs_sched_sets_by_count(log, 0): all jobs. */
struct cs_queue_arrivals *cs_queue_arrivals_of_log(const struct cs_joblog *log, bool run_times,
                                                   struct cs_arena *arena);

/* Return arrivals one by one; a cs_arrival_next_f whose source is a struct
 * cs_queue_arrivals_at. */
struct cs_queue_arrivals_at {
    const struct cs_arrival *job;
    int count, next;
    const int64_t *failures; /* of each, instead of those of the job; or NULL */
};

int cs_queue_arrivals_next(void *source, struct cs_arrival *out, struct cs_error *err);

/* A lower bound on the time from the first submission to the last end of any schedule of these jobs
 * (sorted by submit time), in seconds: with T_j = (failures_j + 1) (seconds_j + verification),
 *
 *     max over j of  submit_j + T_j            a job starts no earlier than it is submitted, and
 *                                              its attempts follow each other;
 *     max over r of  r + sum of T_j procs_j / machine, over the jobs submitted at r or later
 *                                              none of that work is done before r,
 *
 * less the first submission, r being the submit times.  If all jobs are submitted together, both
 * equal the bounds of spec/rigid.md 7.  failures NULL: those of the jobs.  O(n). */
double cs_queue_arrivals_bound(const struct cs_arrival *job, int count, const int64_t *failures,
                               int machine, double verification);

#endif
