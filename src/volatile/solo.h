/* solo.h - would all tasks go to one host?
 *
 * When times are hard the best configuration often is one host.  It is what the steps of a choice
 * come to when every other host that is up would be worse in every step, which is a matter of two
 * hosts and of what these have: whether it is so is worked out once, and remembered.  A yield
 * depends on the time since the iteration began too, T: the difference of two yields is monotonous
 * in T, so what holds at both ends of a range of T holds within.
 *
 * Hosts that have nothing and hosts that have the program and nothing else are looked up in sets of
 * bits, 64 hosts at once.
 */
#ifndef CS_VOLATILE_SOLO_H
#define CS_VOLATILE_SOLO_H

#include "volatile/step.h"

struct cs_volatile_solo;

/* Lives in the arena, as the gauge must. */
struct cs_volatile_solo *cs_volatile_solo_create(const struct cs_volatile_gauge *gauge,
                                                 struct cs_arena *arena);

/* Not all hosts that are not what they were will be listed in the next view. */
void cs_volatile_solo_forget(struct cs_volatile_solo *solo);

/* Hosts as they are now; those that are listed in the view may not be what they were. */
void cs_volatile_solo_look(struct cs_volatile_solo *solo, const struct cs_volatile_view *view);

/* Certainly the choice is to give all tasks to this host.  The last look was at this view. */
bool cs_volatile_solo_is_chosen(struct cs_volatile_solo *solo, const struct cs_volatile_view *view,
                                int host);

#endif
