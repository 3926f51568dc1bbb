/* assign.h - processor numbers for a plan. */
#ifndef CS_MOLDABLE_ASSIGN_H
#define CS_MOLDABLE_ASSIGN_H

#include "model/blocks.h"
#include "problems/moldable/instance.h"

/* set[i]: the processors of task i.  By (start, index), which is `order`, each task takes free ones
 * in whole blocks, or the lowest numbers; where they are consecutive, those of the plan. */
struct cs_blocks_set *cs_moldable_assign(const struct cs_moldable_bag *bag,
                                         const struct cs_moldable_plan *plan, const int *order,
                                         bool lowest, struct cs_arena *arena);

#endif
