/* assign.h - processor numbers for a plan. */
#ifndef CS_MOLDABLE_ASSIGN_H
#define CS_MOLDABLE_ASSIGN_H

#include "problems/moldable/instance.h"

/* Task i has the processors proc[first[i]] .. proc[first[i + 1] - 1], ascending. */
struct cs_moldable_places {
    int *first, *proc;
};

/* By (start, index), which is `order`, each task takes the lowest-numbered free processors; where
 * they are consecutive, those of the plan. */
struct cs_moldable_places cs_moldable_assign(const struct cs_moldable_bag *bag,
                                             const struct cs_moldable_plan *plan, const int *order,
                                             struct cs_arena *arena);

#endif
