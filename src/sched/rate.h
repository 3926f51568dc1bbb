/* rate.h - the rate of silent errors, estimated from the attempts that have ended.
 *
 * An attempt of area a (seconds times processors) ends well with probability exp(-lambda a).  With
 * S the sum of the areas that ended well, and a Gamma prior of shape k and mean 0.35 / mean area,
 * the estimate is the most probable log(lambda): it solves
 *
 *     k - (k / prior mean + S) lambda + sum over failed attempts of x / (exp(x) - 1) = 0,
 *
 * x = lambda a.  k = 1: the prior weighs as much as one attempt, and before any attempt has ended
 * the estimate is its mean.  The left side falls and is convex in lambda, so Newton's method finds
 * its only root from anywhere.  Failed attempts of one job are one term.
 *
 * Areas are counted in mean areas of the jobs, so that no sum overflows; verification time does not
 * count, as no error strikes in it.
 */
#ifndef CS_SCHED_RATE_H
#define CS_SCHED_RATE_H

#include "sched/instance.h"

/* The estimate before any attempt has ended: lambda times the mean area. */
#define CS_SCHED_RATE_PRIOR 0.35

struct cs_sched_rate {
    int count;         /* jobs */
    double *area;      /* of each job, in mean areas */
    double succeeded;  /* areas of the attempts that ended well, in all */
    int failed;        /* jobs with a failed attempt */
    int *job;          /* those */
    int64_t *failures; /* of each job */
    double estimate;   /* lambda times the mean area */
};

void cs_sched_rate_init(struct cs_sched_rate *rate, const struct cs_sched_jobs *jobs,
                        struct cs_arena *arena);

/* Before the first end of an attempt. */
void cs_sched_rate_begin(struct cs_sched_rate *rate);

/* An attempt of this job ended, well or with an error. */
void cs_sched_rate_succeeded(struct cs_sched_rate *rate, int job);
void cs_sched_rate_failed(struct cs_sched_rate *rate, int job);

/* lambda times the mean area, by what has ended so far.  O(jobs that failed), a few steps. */
double cs_sched_rate_estimate(struct cs_sched_rate *rate);

#endif
