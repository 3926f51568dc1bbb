/* learn.h - any policy under an order that is learnt while it runs: priority lert-learnt.
 *
 * The order is that of lert, longest expected remaining time t exp(lambda a) first, ties to the
 * lower index, with lambda as estimated from the attempts that have ended (rate.h).  It is made
 * anew whenever the policy is asked what to start and an attempt has ended; reservations that the
 * policy holds are then forgotten, unless the order has stayed the same.
 *
 * The learner stands between the driver and the policy and looks like a policy.  It knows nothing
 * but the events.  A decision costs O(n log n) for n jobs more than without it.
 */
#ifndef CS_RIGID_LEARN_H
#define CS_RIGID_LEARN_H

#include "rigid/policy.h"

/* The policy on an instance that learns.  *policy becomes the interface to drive in its stead, and
 * the result is its state; both live in the arena.  NULL with err when the policy refuses its
 * parameters. */
void *cs_rigid_learn_create(const struct cs_rigid_policy **policy,
                            const struct cs_rigid_instance *in, const double *param,
                            struct cs_arena *arena, struct cs_error *err);

#endif
