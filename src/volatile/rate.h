/* rate.h - the policies rate and proactive-rate: expected safe progress, in iterations, per slot
 * spent until it is safe or lost (renewal reward); spec/volatile.md III.4.
 *
 * A configuration is sent what it needs, and computes; it ends when its workload is done or one of
 * its hosts is lost.  Without checkpoints the whole iteration is gained or nothing; with them what
 * each save makes safe.
 */
#ifndef CS_VOLATILE_RATE_H
#define CS_VOLATILE_RATE_H

#include "volatile/belief.h"
#include "volatile/view.h"

struct cs_volatile_rater;

/* Lives in the arena, as the instance and the belief must. */
struct cs_volatile_rater *cs_volatile_rater_create(const struct cs_volatile_instance *in,
                                                   const struct cs_volatile_belief *belief,
                                                   struct cs_arena *arena);

/* Tasks given out one by one to hosts that are up, and the score of the whole.  False when they
 * cannot hold all tasks: the plan then is as before. */
bool cs_volatile_rate_choose(struct cs_volatile_rater *rater, const struct cs_volatile_view *view,
                             struct cs_volatile_plan *plan, double *score);

/* The score of the running configuration. */
double cs_volatile_rate_of(struct cs_volatile_rater *rater, const struct cs_volatile_view *view);

#endif
