/* declare.h - the metadata of a plan of packs in a file. */
#ifndef CS_PACK_DECLARE_H
#define CS_PACK_DECLARE_H

#include "base/arena.h"
#include "model/schedule.h"
#include "problems/pack/pack.h"

/* The packs, costs and metrics of the plan, with the better of `lower_bound` (0 or NaN: none)
 * and the bound that its policy proved, without a certificate.  Lives in the arena and does not
 * need the plan.  A bound above the cost by rounding becomes the cost, so that a gap is never
 * negative. */
struct cs_pack_declared *cs_pack_declare(const struct cs_pack_instance *instance,
                                         const struct cs_pack_plan *plan, double lower_bound,
                                         struct cs_arena *arena);

#endif
