/* approach.h - from nothing to prices that prove nearly all that the linear program does.
 *
 * Prices that tasks share (hats.h) take fractions of a second by the bundle method (bundle.h). From
 * there the costliest tasks get one each, which takes a second or two, and then all of up to a
 * thousand, which takes several; of more tasks the cheap ones share for good.
 */
#ifndef CS_PACK_APPROACH_H
#define CS_PACK_APPROACH_H

#include "problems/pack/bundle.h"
#include "problems/pack/colgen.h"

struct cs_pack_approach;

/* Is it for these?  Not for few tasks, nor where the number of packs has very many limits. */
bool cs_pack_approach_possible(const struct cs_pack_colgen *g);

struct cs_pack_approach *cs_pack_approach_create(struct cs_pack_colgen *g);
void cs_pack_approach_destroy(struct cs_pack_approach *a); /* NULL is fine */

/* Rounds until no more than this share of the bound is in doubt (bundle.h; DONE), or the bound is
 * at least `target`.  The bound and its prices are those of `g`.  Called again, it continues.
 */
enum cs_pack_colgen_end cs_pack_approach_run(struct cs_pack_approach *a, double near, double target,
                                             const struct cs_policy_context *context);

/* The packs that cost hardly more than they are worth, for the master of `g`. */
void cs_pack_approach_give(const struct cs_pack_approach *a);

#endif
