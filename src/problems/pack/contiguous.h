/* contiguous.h - the best partition of a sorted list of tasks into packs of neighbours (C4). */
#ifndef CS_PACK_CONTIGUOUS_H
#define CS_PACK_CONTIGUOUS_H

#include "problems/pack/levels.h"
#include "problems/pack/policy.h"

/* How many levels it wants: all there are up to CS_PACK_LEVELS_MAX, a grid of fewer for large
 * instances; 0 where it cannot plan. */
int cs_pack_contiguous_levels(const struct cs_pack_instance *in);

/* The cheapest plan over several orders: tasks by falling time on j processors, for `orders`
 * values of j from 1 to all processors (0: every j).  Plans on the levels, ends with
 * Algorithm 1.  When patience ends the orders so far count; inside the first, tasks that are not
 * planned yet run alone. */
void cs_pack_contiguous_best(const struct cs_pack_instance *in,
                             const struct cs_policy_context *context,
                             const struct cs_pack_levels *levels, int orders,
                             struct cs_pack_plan *plan);

#endif
