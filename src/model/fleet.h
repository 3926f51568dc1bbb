/* fleet.h - for those who make fleets: runs of a host, put together in order. */
#ifndef CS_MODEL_FLEET_H
#define CS_MODEL_FLEET_H

#include "base/arena.h"

#include <cosched/fleet.h>

/* Room that is used again for every host. */
struct cs_fleet_strip {
    struct cs_fleet_run *run;
    int64_t runs, room;
    struct cs_arena *arena;
};

/* The host is in this state from the end of the last run on, up to slot `end`; nothing when that is
 * no slot. */
void cs_fleet_strip_add(struct cs_fleet_strip *strip, enum cs_fleet_state state, int64_t end);

/* A host of these runs, copied; the strip is empty again. */
struct cs_fleet_host cs_fleet_strip_host(struct cs_fleet_strip *strip, const char *name,
                                         struct cs_arena *arena);

/* The runs of a text: "uuud" with a letter a slot, or "u3 d1" with numbers of slots.  -1 with err.
 */
int cs_fleet_strip_text(struct cs_fleet_strip *strip, const char *text, struct cs_error *err);

/* The slots of a host. */
int64_t cs_fleet_host_slots(const struct cs_fleet_host *host);

/* A fleet of one zone of these hosts, all as long and at least one; they must live as long.  It
 * lives in the arena. */
struct cs_fleet *cs_fleet_of_hosts(int hosts, const struct cs_fleet_host *host, double slot,
                                   const char *kind, struct cs_arena *arena);

/* The state of a letter, -1 when it is none. */
int cs_fleet_state_of(char letter);

#endif
