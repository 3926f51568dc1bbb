/* descent.h - first-improvement moves and swaps on load vectors (LS1).
 *
 * Task by task: move it to another pack or to an empty one, else swap it with a task of another
 * pack; the first change that lowers the total by more than a relative 1e-12 is made.  Ends when
 * no task has such a change.  A trial that cannot pay is mostly refused after one read: for each
 * task and pack there is a highest level that the pack may get, and at that level the swapped
 * task must make room.  Changes that were tried since both packs last changed are not tried again.
 */
#ifndef CS_PACK_DESCENT_H
#define CS_PACK_DESCENT_H

#include "problems/pack/loads.h"

/* Improve until nothing helps or patience ends.  Returns how many changes were made. */
int cs_pack_descent(struct cs_pack_loads *loads, const struct cs_policy_context *context);

/* The better of contiguous (over so many orders; 0: all) and pack-by-pack, improved by descent: a
 * plan that costs no more than both.  Returns the loads that descent left, in the context's
 * scratch, or NULL where the instance is too large for it (then the plan's note "search" is "too
 * large") or patience ended before. */
struct cs_pack_loads *cs_pack_descent_plan(const struct cs_pack_instance *in,
                                           const struct cs_policy_context *context, int orders,
                                           struct cs_pack_plan *plan);

/* `orders` as a parameter of a policy. */
#define CS_PACK_DESCENT_ORDERS                                                                     \
    {                                                                                              \
        .name = "orders", .kind = CS_POLICY_PARAM_INTEGER, .default_text = "4", .low = 0,          \
        .high = 1e6,                                                                               \
        .summary = "sort orders of the contiguous start; 0: on every number of processors",        \
    }

#endif
