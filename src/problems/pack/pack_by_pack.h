/* pack_by_pack.h - PACK-BY-PACK as a step for other policies. */
#ifndef CS_PACK_PACK_BY_PACK_H
#define CS_PACK_PACK_BY_PACK_H

#include "problems/pack/policy.h"

#define CS_PACK_BY_PACK_TRIES 9 /* as in the paper: PACK-BY-PACK-9 */

/* The best of epsilon = k / (tries + 1), k = 1 .. tries, ties to the smaller one.  Uses the
 * context's threads, scratch and patience: when that ends the best so far is the answer, which is
 * always complete.  O((n + a) log n) for each epsilon, a the processors added. */
void cs_pack_by_pack_best(const struct cs_pack_instance *in,
                          const struct cs_policy_context *context, int tries,
                          struct cs_pack_plan *plan);

#endif
