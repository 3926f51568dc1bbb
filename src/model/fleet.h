/* fleet.h - hosts that come and go, as runs of slots in which nothing changes.
 *
 * Time is cut into slots 0, 1, 2, ... of equal length.  A host is a list of runs, ascending and
 * without gaps; neighbours differ in state.  Nothing is kept slot by slot, so that a fleet of
 * thousands of hosts over years takes less than a megabyte, however short the slots.
 */
#ifndef CS_MODEL_FLEET_H
#define CS_MODEL_FLEET_H

#include "base/arena.h"

#include <cosched/error.h>
#include <stdbool.h>
#include <stdint.h>

/* Unknown: nobody watched.  Such slots are never down time; in a simulation the host is not there.
 */
enum cs_fleet_state { CS_FLEET_UP, CS_FLEET_RECLAIMED, CS_FLEET_DOWN, CS_FLEET_UNKNOWN };

/* 'u', 'r', 'd', '?' */
char cs_fleet_letter(enum cs_fleet_state state);

/* It ends before slot `end`; the first run begins in slot 0, others where the one before ended. */
struct cs_fleet_run {
    int64_t end;
    enum cs_fleet_state state;
};

struct cs_fleet_host {
    const char *name;
    int64_t runs; /* at least 1 */
    const struct cs_fleet_run *run;
};

/* How long an instance was there, in seconds, and whether its end was seen. */
struct cs_fleet_life {
    double length;
    bool ended;
};

/* Hosts that one file tells of: neighbours. */
struct cs_fleet_zone {
    const char *name;
    const char *kind;  /* of the file: "event table", ... */
    int first, hosts;  /* numbers first .. first + hosts - 1 */
    bool nested;       /* host i is up while there are more than i instances */
    double gap;        /* seconds between two counts or prices; 0 when the file does not say */
    int64_t slots;     /* that the file covers */
    int64_t lifetimes; /* of instances that live once; 0 for other files */
    const struct cs_fleet_life *life;
    int64_t prices; /* of an instance-hour, each for `gap` seconds; 0 when there are none */
    const double *price;
};

struct cs_fleet {
    int hosts;
    int64_t slots;
    double slot; /* seconds */
    const struct cs_fleet_host *host;
    int zones;
    const struct cs_fleet_zone *zone;
    int dropped;   /* hosts that the files name and of which nothing is ever known */
    void *storage; /* private */
};

/* Hosts as text, such as "u12 d3 ?5 u40": states and numbers of slots.  All are as long; they are
 * one zone and have their numbers as names.  NULL with err when a text is none. */
struct cs_fleet *cs_fleet_create_text(int hosts, const char *const *text, double slot,
                                      struct cs_error *err);
void cs_fleet_destroy(struct cs_fleet *fleet); /* NULL is fine */

/* The number of the run of a host in a slot of the fleet, by bisection. */
int64_t cs_fleet_run_at(const struct cs_fleet_host *host, int64_t slot);

/* Where a run begins. */
int64_t cs_fleet_run_begin(const struct cs_fleet_host *host, int64_t run);

/* What is known of files, and how it is cut into slots. */
struct cs_fleet_options {
    double slot;            /* seconds; 0: the coarsest that a file says, else 60 */
    int hosts;              /* keep the first so many; 0: all */
    const char *components; /* the component table of event tables; NULL: component.tab beside
                             * each, where there is one */
};

/* Files of when machines were there, one zone each, all beginning in slot 0; docs/formats.md tells
 * which.  "-" is standard input, gzip and xz are unpacked.  A slot is down when any part of it is,
 * else unknown, else reclaimed, else up.  Zones that end before others are unknown from there on.
 * Options may be NULL: nothing is said.  NULL with err. */
struct cs_fleet *cs_fleet_read(const char *const *path, int count,
                               const struct cs_fleet_options *options, struct cs_error *err);

/* ---- for those who make fleets ---- */

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
