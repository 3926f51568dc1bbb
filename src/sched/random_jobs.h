/* random_jobs.h - the random numbers of the rigid problem, as spec/rigid.md 6 fixes them.
 *
 * Counter-based: any scenario can be made alone, and every failure probability, machine size and
 * policy sees the same draws.
 */
#ifndef CS_SCHED_RANDOM_JOBS_H
#define CS_SCHED_RANDOM_JOBS_H

#include "sched/instance.h"

/* No job may fail more often than this in a scenario. */
#define CS_SCHED_FAILURE_CAP 10000000

enum cs_sched_stream {
    CS_SCHED_STREAM_PROCS = 1,
    CS_SCHED_STREAM_SECONDS = 2,
    CS_SCHED_STREAM_FAILURES = 3,
    CS_SCHED_STREAM_ORDER = 4,
    CS_SCHED_STREAM_ARRIVALS = 5, /* gaps between drawn jobs */
};

uint64_t cs_sched_mix(uint64_t seed, uint64_t stream, uint64_t set, uint64_t scenario,
                      uint64_t job);

/* Uniform in (0, 1). */
double cs_sched_uniform(uint64_t hash);

/* The failures of a job whose exposure is x = lambda * area: geometric with q = 1 - exp(-x). -1
 * when q rounds to 1. */
double cs_sched_geometric(double exposure, double uniform);

/* One scenario: failures[j] of every job, when an average job fails with probability `mean`
 * (0 <= mean < 1).  Refuses a job that would fail more than CS_SCHED_FAILURE_CAP times. */
int cs_sched_draw_failures(const struct cs_sched_jobs *jobs, double mean, uint64_t seed,
                           uint64_t set, uint64_t scenario, int64_t *failures,
                           struct cs_error *err);

/* The same for many scenarios of the same jobs: what depends on the job alone is worked out once.
 */
struct cs_sched_chance {
    double fails;     /* q of the job's attempts, below 1 */
    double log_fails; /* its logarithm */
};

/* chance[j] for every job; refuses what cs_sched_draw_failures would refuse for any scenario. */
int cs_sched_chances(const struct cs_sched_jobs *jobs, double mean, struct cs_sched_chance *chance,
                     struct cs_error *err);

/* The failures of every job; the same numbers as from cs_sched_draw_failures. */
int cs_sched_draw_with(const struct cs_sched_jobs *jobs, double mean,
                       const struct cs_sched_chance *chance, uint64_t seed, uint64_t set,
                       uint64_t scenario, int64_t *failures, struct cs_error *err);

/* lambda of the exponential law: -ln(1 - mean) / mean area. */
double cs_sched_rate(const struct cs_sched_jobs *jobs, double mean);

/* The jobs of synthetic set number `set` of the paper: 50 to 2000 processors, 100 to 20000 seconds.
 * They depend on (seed, set) alone; more jobs begin with the same ones. */
void cs_sched_draw_jobs(uint64_t seed, uint64_t set, int count, double *seconds, int *procs);

#endif
