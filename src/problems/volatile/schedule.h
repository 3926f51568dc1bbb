/* schedule.h - one trial as a schedule, with its metadata.
 *
 * The meaning of bars, hosts and slots is described at struct cs_volatile_declared
 * (model/schedule.h).
 */
#ifndef CS_VOLATILE_SCHEDULE_H
#define CS_VOLATILE_SCHEDULE_H

#include "model/schedule.h"
#include "problems/volatile/optimum.h"
#include "problems/volatile/simulate.h"

struct cs_volatile_trial {
    struct cs_schedule *schedule;
    struct cs_volatile_declared declared;
    struct cs_volatile_outcome outcome;
    struct cs_arena *arena;
};

/* Run a policy and write down what happens.  The names are those of the instance, which must live
 * as long.  NULL with err when the policy does not exist.  The caller destroys it. */
struct cs_volatile_trial *cs_volatile_trial_create(const struct cs_volatile_instance *in,
                                                   const struct cs_volatile_request *request,
                                                   struct cs_volatile_source *source,
                                                   struct cs_error *err);

/* The schedule of an optimum, which has one; the configurations begin when they first compute. */
struct cs_volatile_trial *cs_volatile_trial_of_optimum(const struct cs_volatile_instance *in,
                                                       struct cs_volatile_source *source,
                                                       const struct cs_volatile_optimum *optimum);
void cs_volatile_trial_destroy(struct cs_volatile_trial *trial); /* NULL is fine */

#endif
