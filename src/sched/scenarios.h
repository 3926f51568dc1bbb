/* scenarios.h - how often each job fails, scenario by scenario.
 *
 * Drawn from (seed, set, scenario) alone, or given.  Few enough are kept, so that every policy and
 * priority meets the same ones without drawing them again.
 */
#ifndef CS_SCHED_SCENARIOS_H
#define CS_SCHED_SCENARIOS_H

#include "sched/random_jobs.h"

/* The exponential law of silent errors: an attempt of area a = seconds * procs fails with
 * probability 1 - exp(-rate a).  Verification does not count. */
struct cs_sched_law {
    double mean; /* an average job fails an attempt with this probability, 0 <= mean < 1; or */
    double rate; /* silent errors per second and processor, when mean is NaN; else it is set */
};

struct cs_sched_scenarios {
    struct cs_arena *arena; /* holds all of it */
    const struct cs_sched_jobs *jobs;
    struct cs_sched_law law;
    uint64_t seed, set;
    int count;
    const struct cs_sched_chance *chance; /* of each job; NULL when read from a file */
    const int32_t *table; /* count rows of one number for each job, or NULL: sampled on demand */
};

/* `count` scenarios sampled by the law; each depends on (jobs, law, seed, set, its number) alone,
 * and is the same for all policies, priorities and machines.  The jobs must outlive them.  NULL
 * with err if the jobs or the law are invalid, or if a job would fail too often. */
struct cs_sched_scenarios *cs_sched_scenarios_create(const struct cs_sched_jobs *jobs,
                                                     struct cs_sched_law law, uint64_t seed,
                                                     uint64_t set, int count, struct cs_error *err);

/* The same with numbers that are given and copied: failures[s * jobs->count + j]. */
struct cs_sched_scenarios *cs_sched_scenarios_measured(const struct cs_sched_jobs *jobs, int count,
                                                       const int64_t *failures,
                                                       struct cs_error *err);

/* The same from a file: one scenario a line, one number for each job in input order. */
struct cs_sched_scenarios *cs_sched_scenarios_read(const struct cs_sched_jobs *jobs,
                                                   const char *path, struct cs_error *err);

void cs_sched_scenarios_destroy(struct cs_sched_scenarios *scenarios); /* NULL is fine */

/* failures[j] of every job in one scenario.  -1 with err when a job would fail too often. */
int cs_sched_scenarios_get(const struct cs_sched_scenarios *scenarios, int scenario,
                           int64_t *failures, struct cs_error *err);

/* How often each of so many jobs fails, from a file: *scenarios rows of one number for each job, in
 * the arena.  -1 with err. */
int cs_sched_failures_read(const char *path, int jobs, struct cs_arena *arena,
                           const int32_t **table, int *scenarios, struct cs_error *err);

#endif
