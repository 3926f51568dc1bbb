/* schedule.h - one simulated scenario as a schedule.
 *
 * Every attempt is a bar: of kind lost when it ended with an error, of kind work when it ended
 * well.  Attempts get the lowest free processors in the order in which they start; with a policy of
 * shelves bars carry the number of their shelf as group, and a job that runs again within a shelf
 * keeps its processors.
 */
#ifndef CS_RIGID_SCHEDULE_H
#define CS_RIGID_SCHEDULE_H

#include "rigid/priority.h"
#include "rigid/simulate.h"

#include <cosched/schedule.h>

struct cs_rigid_scene {
    const struct cs_rigid_jobs *jobs;
    const char *const *name; /* of the jobs */
    const struct cs_rigid_policy *policy;
    const double *param;
    const struct cs_rigid_priority *priority;
    struct cs_rigid_draw draw;
    const int64_t *failures; /* of each job */
};

/* The caller destroys it.  NULL with err when the policy refuses its parameters. */
struct cs_schedule *cs_rigid_schedule_create(const struct cs_rigid_scene *scene,
                                             struct cs_error *err);

#endif
