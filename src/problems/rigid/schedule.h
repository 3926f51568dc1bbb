/* schedule.h - one simulated scenario as a schedule: what cs_rigid_study_schedule promises, for
 * failures and an order that do not come from a study.
 */
#ifndef CS_RIGID_SCHEDULE_H
#define CS_RIGID_SCHEDULE_H

#include "problems/rigid/simulate.h"
#include "sched/priority.h"

struct cs_rigid_scene {
    const struct cs_sched_jobs *jobs;
    const char *const *name; /* of the jobs */
    const struct cs_sched_policy *policy;
    const double *param;
    const struct cs_sched_priority *priority;
    struct cs_sched_draw draw;
    const int64_t *failures; /* of each job */
    int processors;          /* of bars: enum cs_study_processors */
};

/* The caller destroys it.  NULL with err when the policy refuses its parameters. */
struct cs_schedule *cs_rigid_schedule_create(const struct cs_rigid_scene *scene,
                                             struct cs_error *err);

#endif
