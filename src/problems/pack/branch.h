/* branch.h - branch and price on the vector of pack costs.
 *
 * F(v) is the number of packs that cost at least v.  Where it is fractional in the linear
 * program, one half of the plans has F(v) <= floor, the other F(v) >= ceil; such rows only
 * add a constant to the worth of a pack, so that pricing stays the same knapsack.  The v
 * with the largest cost x fractionality is taken, the node with the least bound first.
 * When all F are whole the pack costs are fixed, and an assignment test decides: either a
 * plan is found, or some pack must cost more, which makes one child for each cost.
 */
#ifndef CS_PACK_BRANCH_H
#define CS_PACK_BRANCH_H

#include "problems/pack/candidate.h"
#include "problems/pack/colgen.h"

/* Can all tasks be placed into packs of these costs? */
enum cs_pack_leaf { CS_PACK_LEAF_FITS = 1, CS_PACK_LEAF_NEVER, CS_PACK_LEAF_UNKNOWN };

/* Pack b may cost as much as candidate cost[b], falling.  On FITS, pack_of[i] is the pack of
 * task i.  By CBC; UNKNOWN when patience (or its node limit) ends. */
enum cs_pack_leaf cs_pack_leaf_assign(const struct cs_pack_candidates *c, const int *cost,
                                      int packs, const struct cs_policy_context *context,
                                      int *pack_of);

struct cs_pack_branch_result {
    double bound; /* proven for all plans */
    long nodes;
    bool closed; /* every node is done: the plan is optimal */
};

/* Improve `plan`, a valid plan, until no plan is cheaper by more than a relative 1e-9 or
 * patience ends.  `g` is new, with seeds; every cost has a separate candidate. */
void cs_pack_branch_run(struct cs_pack_colgen *g, const struct cs_policy_context *context,
                        struct cs_pack_plan *plan, struct cs_pack_branch_result *result);

#endif
