/* simulate.h - the driver of rigid policies in virtual time.
 *
 * Attempts occupy [start, end); all that end at one instant are handled before the policy decides.
 * A simulation owns its memory and uses it again for every scenario.
 */
#ifndef CS_RIGID_SIMULATE_H
#define CS_RIGID_SIMULATE_H

#include "sched/policy.h"

struct cs_rigid_simulation;

/* One policy on one instance.  NULL with err when the policy refuses its parameters.  Lives in the
 * arena, as the instance must. */
struct cs_rigid_simulation *cs_rigid_simulation_create(const struct cs_sched_instance *in,
                                                       const struct cs_sched_policy *policy,
                                                       const double *param, struct cs_arena *arena,
                                                       struct cs_error *err);

/* Called for every attempt when it starts. */
typedef void cs_rigid_watch_f(void *who, int job, double start, double end);

/* Run the scenario in which job j fails failures[j] times.  Returns the makespan; watch may be
 * NULL. */
double cs_rigid_simulation_run(struct cs_rigid_simulation *simulation, const int64_t *failures,
                               cs_rigid_watch_f *watch, void *who);

#endif
