/* sets.h - a log in memory, cut into sets of jobs that each find the machine empty.
 *
 * For what needs all jobs of a log before the first one runs: sets of a day or of a number of jobs,
 * failures that are drawn for each set, and lower bounds.
 */
#ifndef CS_QUEUE_SETS_H
#define CS_QUEUE_SETS_H

#include "io/log.h"
#include "sched/scenarios.h"

struct cs_queue_set {
    const char *name;              /* the date, or the number of the set from 1; "": the only one */
    struct cs_sched_jobs jobs;     /* in the order of their arrival */
    const double *submit;          /* of each */
    const struct cs_log_job *job;  /* the same */
    int requested, exceeded, none; /* jobs that end by their request, run longer, have no request */
};

struct cs_queue_sets {
    struct cs_arena *arena;
    struct cs_log *log; /* read to its end */
    int count;
    const struct cs_queue_set *set;
};

struct cs_queue_sets_options {
    const char *const *path;
    int files;
    const struct cs_log_options *log;
    double verification;
    bool by_day;               /* days of arrival, in UTC */
    int64_t count;             /* or so many jobs each; less than 1: one set of all */
    int64_t sequences, length; /* or so many sequences of jobs, drawn with the seed (arrivals.h) */
    uint64_t seed;
    bool by_id; /* jobs that arrive together by their number; ALCF: in whole seconds, as
                   `simulate rigid` had them */
};

/* NULL with err: the log cannot be read, or no job is left. */
struct cs_queue_sets *cs_queue_sets_read(const struct cs_queue_sets_options *options,
                                         struct cs_error *err);
void cs_queue_sets_destroy(struct cs_queue_sets *sets); /* NULL is fine */

/* A lower bound on the time from the first arrival to the last end of any schedule of these jobs
 * (by submit time), in seconds: with T_j = (failures_j + 1) (seconds_j + verification),
 *
 *     max over j of  submit_j + T_j            a job starts no earlier than it arrives, and its
 *                                              attempts follow each other;
 *     max over r of  r + sum of T_j procs_j / machine, over the jobs that arrive at r or later
 *                                              none of that work is done before r,
 *
 * less the first arrival, r being the submit times.  If all jobs arrive together, both equal the
 * bounds of spec/rigid.md 7.  failures NULL: none.  O(n). */
double cs_queue_bound(const struct cs_sched_jobs *jobs, const double *submit,
                      const int64_t *failures);

/* The sets that a study runs. */
struct cs_queue_cut {
    struct cs_log *log;
    int sets;
    const struct cs_queue_set *set;
    struct cs_sched_scenarios *const *drawn; /* of each; NULL: it is left out */
    int64_t fairness;                        /* jobs of each set with a fair start; 0: none */
    bool strong;                             /* the bound of sched/bound.h too */
    bool from_zero;                          /* the first job of a set arrives at 0 */
};

#endif
