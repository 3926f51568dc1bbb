/* pack_approx.h - PACK-APPROX, Algorithm 3 of Aupy et al., as a step for other policies. */
#ifndef CS_PACK_PACK_APPROX_H
#define CS_PACK_PACK_APPROX_H

#include "pack/policy.h"

/* Where Algorithm 1 is applied: nowhere (as printed), to the answer, or at every state. */
enum cs_pack_approx_mode { CS_PACK_APPROX_PRINTED, CS_PACK_APPROX_END, CS_PACK_APPROX_EVERY };

/* Both leave the last step of CS_PACK_APPROX_END to the caller, and note "iterations" (states
 * looked at) and "exit" ("area", "p reached" or "time limit").
 *
 * Every state: up to n(p-1)+1 of them, O(n log n) each. */
void cs_pack_approx_every(const struct cs_pack_instance *in,
                          const struct cs_policy_context *context, enum cs_pack_approx_mode mode,
                          struct cs_pack_plan *plan);

/* The last two states, found by bisection: O(n log n + n log p log(np)) in all. */
void cs_pack_approx_two(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                        enum cs_pack_approx_mode mode, struct cs_pack_plan *plan);

#endif
