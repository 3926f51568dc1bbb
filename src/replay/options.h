/* options.h - the options of a replay by their names. */
#ifndef CS_REPLAY_OPTIONS_H
#define CS_REPLAY_OPTIONS_H

#include "base/arena.h"
#include "problem/field.h"
#include "problems/queue/replay_request.h"

#include <cosched/replay.h>

/* All options unset. */
void cs_replay_defaults(struct cs_replay_options *options);

/* All of them, by the names of the tool; ends with a NULL name. */
const struct cs_field *cs_replay_fields(void);

/* The options that a JSON object says (NULL: none), the others as when nothing is said; their texts
 * are in the arena.  -1 with err. */
int cs_replay_take(const char *json, struct cs_arena *arena, struct cs_replay_options *options,
                   struct cs_error *err);

/* Their texts as copies in the arena. */
void cs_replay_own(struct cs_replay_options *options, struct cs_arena *arena);

#endif
