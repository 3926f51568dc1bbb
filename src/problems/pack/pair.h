/* pair.h - the tasks of two packs, divided between them again, optimally (PAIR).
 *
 * For levels A >= B: can every task go to one of two packs, so that one fits at level A and the
 * other at B?  A table over the processors of the first pack, with the fewest processors of the
 * second (and over the number of its tasks where the pack size matters), answers that exactly.
 * Possible pairs (A, B) make a staircase; only those cheaper than the present packs are examined,
 * whole stretches of A together: if the largest A and the largest B that any A of the stretch may
 * go with are not enough, the stretch is skipped.
 *
 * This includes every move and swap, merging two packs and splitting one.
 */
#ifndef CS_PACK_PAIR_H
#define CS_PACK_PAIR_H

#include "problems/pack/loads.h"

struct cs_pack_pair;

/* The table for these loads, in their arena; NULL where there are too many processors for it. */
struct cs_pack_pair *cs_pack_pair_create(struct cs_pack_loads *loads);

/* Improve pairs of packs until no pair can be improved or patience ends.  Returns how many were.
 * Pairs too large for the table's memory are left alone. */
int cs_pack_pair_improve(struct cs_pack_pair *pair, const struct cs_policy_context *context);

/* Both in one; 0 where there is no table. */
int cs_pack_pair_search(struct cs_pack_loads *loads, const struct cs_policy_context *context);

/* Then so many kicks: shuffle the tasks of three packs (of many tasks some, in packs of near cost),
 * improve again by descent and pairs (many: by pairs), and go back unless that is cheaper.  Returns
 * how many were. */
int cs_pack_kick_search(struct cs_pack_pair *pair, struct cs_pack_loads *loads,
                        const struct cs_policy_context *context, int kicks);

/* cs_pack_descent_plan, then all this: a plan that costs no more than that of descent. */
void cs_pack_pair_plan(const struct cs_pack_instance *in, const struct cs_policy_context *context,
                       int orders, int kicks, struct cs_pack_plan *plan);

#endif
