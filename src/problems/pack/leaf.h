/* leaf.h - can all tasks be placed into packs of these costs? */
#ifndef CS_PACK_LEAF_H
#define CS_PACK_LEAF_H

#include "problems/pack/candidate.h"

enum cs_pack_leaf { CS_PACK_LEAF_FITS = 1, CS_PACK_LEAF_NEVER, CS_PACK_LEAF_UNKNOWN };

/* Pack b may cost as much as candidate cost[b], falling.  On FITS, pack_of[i] is the pack of
 * task i.  By CBC; UNKNOWN when patience (or its node limit) ends. */
enum cs_pack_leaf cs_pack_leaf_assign(const struct cs_pack_candidates *c, const int *cost,
                                      int packs, const struct cs_policy_context *context,
                                      int *pack_of);

#endif
