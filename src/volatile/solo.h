/* solo.h - would all tasks go to one host?
 *
 * When times are hard the best configuration often is one host.  It is what the steps of a choice
 * come to when every other host that is up would be worse in every step, which is a matter of two
 * hosts and of what these have: whether it is so is worked out once, and remembered.  A yield
 * depends on the time since the iteration began too, T: the difference of two yields is monotonous
 * in T, so what holds at both ends of a range of T (powers of two) holds within.
 */
#ifndef CS_VOLATILE_SOLO_H
#define CS_VOLATILE_SOLO_H

#include "volatile/step.h"

struct cs_volatile_solo;

/* Lives in the arena, as the gauge must. */
struct cs_volatile_solo *cs_volatile_solo_create(const struct cs_volatile_gauge *gauge,
                                                 struct cs_arena *arena);

/* Certainly the choice is to give all tasks to this host, which is up. */
bool cs_volatile_solo_is_chosen(struct cs_volatile_solo *solo, const struct cs_volatile_view *view,
                                int host);

#endif
