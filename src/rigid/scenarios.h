/* scenarios.h - how often each job fails, scenario by scenario.
 *
 * Drawn from (seed, set, scenario) alone, or given.  Few enough are kept, so that every policy and
 * priority meets the same ones without drawing them again.
 */
#ifndef CS_RIGID_SCENARIOS_H
#define CS_RIGID_SCENARIOS_H

#include "rigid/draw.h"

struct cs_rigid_law {
    double mean; /* an average job fails an attempt with this probability, 0 <= mean < 1; or */
    double rate; /* silent errors per second and processor, when mean is NaN; else it is set */
};

struct cs_rigid_scenarios {
    const struct cs_rigid_jobs *jobs;
    struct cs_rigid_law law;
    uint64_t seed, set;
    int count;
    const struct cs_rigid_chance *chance; /* of each job; NULL when read from a file */
    const int32_t *table; /* count rows of one number for each job, or NULL: drawn when asked */
};

/* NULL with err when the law is none, or a job would fail too often.  Lives in the arena. */
struct cs_rigid_scenarios *cs_rigid_scenarios_draw(const struct cs_rigid_jobs *jobs,
                                                   struct cs_rigid_law law, uint64_t seed,
                                                   uint64_t set, int count, struct cs_arena *arena,
                                                   struct cs_error *err);

/* From a file: one scenario a line, one number for each job in input order. */
struct cs_rigid_scenarios *cs_rigid_scenarios_read(const struct cs_rigid_jobs *jobs,
                                                   const char *path, struct cs_arena *arena,
                                                   struct cs_error *err);

/* The failures of every job in one scenario. */
int cs_rigid_scenarios_get(const struct cs_rigid_scenarios *scenarios, int scenario,
                           int64_t *failures, struct cs_error *err);

#endif
