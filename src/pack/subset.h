/* subset.h - optimal plans of a few tasks, by dynamic programming over all sets of tasks. */
#ifndef CS_PACK_SUBSET_H
#define CS_PACK_SUBSET_H

#include "pack/policy.h"

/* Beyond so many tasks 3^tasks steps take too long, and 2^tasks numbers too much memory. */
#define CS_PACK_SUBSET_MAX 20

/* The cheapest plan; at most CS_PACK_SUBSET_MAX tasks.  Returns false, with `plan` as it was,
 * when patience ended before. */
bool cs_pack_subset_plan(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                         struct cs_pack_plan *plan);

#endif
