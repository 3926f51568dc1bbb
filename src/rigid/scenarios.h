/* scenarios.h - how often each job fails, scenario by scenario.
 *
 * Drawn from (seed, set, scenario) alone, or given.  Few enough are kept, so that every policy and
 * priority meets the same ones without drawing them again.
 */
#ifndef CS_RIGID_SCENARIOS_H
#define CS_RIGID_SCENARIOS_H

#include "rigid/random_jobs.h"

struct cs_rigid_scenarios {
    struct cs_arena *arena; /* holds all of it */
    const struct cs_rigid_jobs *jobs;
    struct cs_rigid_law law;
    uint64_t seed, set;
    int count;
    const struct cs_rigid_chance *chance; /* of each job; NULL when read from a file */
    const int32_t *table; /* count rows of one number for each job, or NULL: drawn when asked */
};

#endif
