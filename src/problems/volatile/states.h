/* states.h - from options to hosts, the law of their states and the model that policies use. */
#ifndef CS_VOLATILE_STATES_H
#define CS_VOLATILE_STATES_H

#include "problems/volatile/problem.h"

/* The law and shape of the options, or those of the hosts, which are set to the same.  -1 with
 * err. */
int cs_volatile_states_law(const struct cs_volatile_settings *o, struct cs_hosts *hosts,
                           struct cs_volatile_world *world, struct cs_error *err);

/* The generator parameters. */
struct cs_volatile_generator cs_volatile_states_generator(const struct cs_volatile_settings *o);

#define CS_VOLATILE_TRAPS "biclique|biclique-free"

/* The hosts of the trap of the options; NULL with err.  The caller destroys them. */
struct cs_hosts *cs_volatile_states_trap(const struct cs_volatile_settings *o,
                                         struct cs_error *err);

/* The hosts, read or generated, and all that c has of them.  -1 with err. */
int cs_volatile_states_find(struct cs_volatile_case *c, struct cs_error *err);
void cs_volatile_states_destroy(struct cs_volatile_case *c);

#endif
