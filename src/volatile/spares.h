/* spares.h - warm spares: who outside the configuration is sent the program; section III.5. */
#ifndef CS_VOLATILE_SPARES_H
#define CS_VOLATILE_SPARES_H

#include "volatile/belief.h"
#include "volatile/view.h"

struct cs_volatile_spares;

/* Lives in the arena, as the instance and the belief must. */
struct cs_volatile_spares *cs_volatile_spares_create(const struct cs_volatile_instance *in,
                                                     const struct cs_volatile_belief *belief,
                                                     struct cs_arena *arena);

/* The hosts that are up, have no task and may get one, likeliest to stay for the workload of the
 * running configuration first, as many as there are spares at most; valid until the next call. */
int cs_volatile_spares_list(struct cs_volatile_spares *spares, const struct cs_volatile_view *view,
                            const int **host);

/* Does any host that could be among them lack some of the program?  Who is likeliest to stay may be
 * another in the next slot. */
bool cs_volatile_spares_wanting(const struct cs_volatile_view *view);

#endif
