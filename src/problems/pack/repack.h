/* repack.h - the tasks of some packs, packed again: column generation, then a dive.
 *
 * For up to some thousand tasks the linear program over all packs is solved by the bundle method
 * (bundle.h), roughly where they are many.  Then the pack of most weight x cost is fixed, or some
 * of many tasks, their tasks leave, and so on, with some rounds of pricing in between; pairs
 * of packs are divided again at the end.
 */
#ifndef CS_PACK_REPACK_H
#define CS_PACK_REPACK_H

#include "base/rng.h"
#include "problems/pack/candidate.h"
#include "problems/pack/policy.h"

/* Pack the tasks of `plan`, all of the instance, again, in packs of these costs: up to the
 * costliest of the plan at least.  True when it was changed, which it is unless it would cost more
 * by this share; of many tasks a dive that promises to cost 0.05 % more is left.  When patience
 * ends after the first fixing, the others are made without pricing.  Memory grows with the square
 * of the tasks. */
bool cs_pack_repack(const struct cs_pack_candidates *c, const struct cs_policy_context *context,
                    struct cs_rng *rng, double margin, struct cs_pack_plan *plan);

/* So many times, or until patience ends: most packs, those of about the cost of one that is drawn
 * at random rather than others, packed again, and pairs of these packs with the others; kept where
 * that is cheaper.  Where all the tasks are few that is the whole plan, until two rounds gain
 * nothing.  At most CS_PACK_NEED_MAX processors. */
void cs_pack_repack_search(const struct cs_pack_instance *in,
                           const struct cs_policy_context *context, int times,
                           struct cs_pack_plan *plan);

#endif
