/* scenarios.h - how often each job fails, scenario by scenario.
 *
 * Drawn from (seed, set, scenario) alone, or given.  Few enough are kept, so that every policy and
 * priority meets the same ones without drawing them again.
 */
#ifndef CS_SCHED_SCENARIOS_H
#define CS_SCHED_SCENARIOS_H

#include "sched/random_jobs.h"

struct cs_rigid_scenarios {
    struct cs_arena *arena; /* holds all of it */
    const struct cs_rigid_jobs *jobs;
    struct cs_rigid_law law;
    uint64_t seed, set;
    int count;
    const struct cs_sched_chance *chance; /* of each job; NULL when read from a file */
    const int32_t *table; /* count rows of one number for each job, or NULL: drawn when asked */
};

/* How often each of so many jobs fails, from a file: *scenarios rows of one number for each job, in
 * the arena.  -1 with err. */
int cs_sched_failures_read(const char *path, int jobs, struct cs_arena *arena,
                           const int32_t **table, int *scenarios, struct cs_error *err);

#endif
