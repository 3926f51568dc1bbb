/* dive.h - a plan out of the linear program: fix a pack, solve again, until every task has one.
 *
 * Of the packs that the program uses, the ones it is surest of are fixed; columns for the tasks
 * that remain are generated anew, so that the last packs are as good as the first.  The plan
 * then goes through descent, and when it is the best so far through the search of pairs.
 */
#ifndef CS_PACK_DIVE_H
#define CS_PACK_DIVE_H

#include "pack/colgen.h"

struct cs_pack_dive;

/* Memory comes from `arena`. */
struct cs_pack_dive *cs_pack_dive_create(struct cs_pack_colgen *g, struct cs_arena *arena);

/* Dive from the master's solution; `plan` becomes cheaper or stays.  The limits of the master
 * are changed: whoever goes on sets them again and restarts. */
void cs_pack_dive_run(struct cs_pack_dive *d, const struct cs_policy_context *context,
                      struct cs_pack_plan *plan);

#endif
