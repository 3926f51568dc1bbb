/* packs.h - what barriers cost. */
#ifndef CS_MOLDABLE_PACKS_H
#define CS_MOLDABLE_PACKS_H

#include "problems/moldable/policy.h"

/* Are the packs optimal among packs: so few tasks? */
bool cs_moldable_packs_exact(const struct cs_moldable_bag *bag);

/* Packs without release dates as a plan; returns how many. */
int cs_moldable_packs(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                      struct cs_arena *scratch);

#endif
