/* states.h - from options to hosts, what rules their states and what policies believe of them. */
#ifndef CS_VOLATILE_STATES_H
#define CS_VOLATILE_STATES_H

#include "problems/volatile/problem.h"

/* Those of --law and --shape, or what the hosts say, which then say the same.  -1 with err. */
int cs_volatile_states_law(const struct cs_volatile_settings *o, struct cs_hosts *hosts,
                           struct cs_volatile_world *world, struct cs_error *err);

/* What is generated. */
struct cs_volatile_generator cs_volatile_states_generator(const struct cs_volatile_settings *o);

/* The paths of --trace. */
const char *const *cs_volatile_states_paths(const char *text, struct cs_arena *arena, int *count);

/* The hosts, read or generated, and all that c has of them.  -1 with err. */
int cs_volatile_states_find(struct cs_volatile_case *c, struct cs_error *err);
void cs_volatile_states_destroy(struct cs_volatile_case *c);

#endif
