/* fleet.h - availability of hosts, as runs of slots with constant state.
 *
 * Time is cut into slots 0, 1, 2, ... of equal length. A host is a list of runs, ascending and
 * without gaps; neighbours differ in state. Slots are not stored separately, so a fleet of
 * thousands of hosts over years takes less than a megabyte, however short the slots.
 */
#ifndef CS_MODEL_FLEET_H
#define CS_MODEL_FLEET_H

#include "base/arena.h"

#include <cosched/error.h>
#include <stdbool.h>
#include <stdint.h>

/* Unknown: not monitored. Such slots are never down time; in a simulation the host is absent. */
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

/* The hosts of one file, which are adjacent. */
struct cs_fleet_zone {
    const char *name;
    const char *kind;  /* of the file: "event table", ... */
    int first, hosts;  /* numbers first .. first + hosts - 1 */
    bool nested;       /* host i is up while there are more than i instances */
    double gap;        /* seconds between two counts or prices; 0 if not in the file */
    int64_t slots;     /* that the file covers */
    int64_t lifetimes; /* of instances that live once; 0 for other files */
    const struct cs_fleet_life *life;
    int64_t prices; /* of an instance-hour, each for `gap` seconds; 0 if missing */
    const double *price;
};

struct cs_fleet {
    int hosts;
    int64_t slots;
    double slot; /* seconds */
    const struct cs_fleet_host *host;
    int zones;
    const struct cs_fleet_zone *zone;
    int dropped;   /* hosts of the files without any known state */
    void *storage; /* private */
};

/* Hosts as text, such as "u12 d3 ?5 u40": states and numbers of slots. All have the same length;
 * they are one zone and their names are their numbers. NULL with err for an invalid text. */
struct cs_fleet *cs_fleet_create_text(int hosts, const char *const *text, double slot,
                                      struct cs_error *err);
void cs_fleet_destroy(struct cs_fleet *fleet); /* NULL is fine */

/* The number of the run of a host in a slot of the fleet, by bisection. */
int64_t cs_fleet_run_at(const struct cs_fleet_host *host, int64_t slot);

/* Where a run begins. */
int64_t cs_fleet_run_begin(const struct cs_fleet_host *host, int64_t run);

/* Options for reading files and cutting time into slots. */
struct cs_fleet_options {
    double slot;            /* seconds; 0: the coarsest of the files, else 60 */
    int hosts;              /* keep the first so many; 0: all */
    const char *components; /* the component table of event tables; NULL: component.tab in the
                               directory of each, if it exists */
};

/* Read files of machine availability, one zone each, all beginning in slot 0; docs/formats.md lists
 * the formats. "-" is standard input, gzip and xz are unpacked. A slot is down when any part of it
 * is, else unknown, else reclaimed, else up. Zones that end before others are unknown from there
 * on. Options may be NULL. NULL with err. */
struct cs_fleet *cs_fleet_read(const char *const *path, int count,
                               const struct cs_fleet_options *options, struct cs_error *err);

/* ---- for those who make fleets ---- */

/* Room that is used again for every host. */
struct cs_fleet_strip {
    struct cs_fleet_run *run;
    int64_t runs, room;
    struct cs_arena *arena;
};

/* The host is in this state from the end of the last run on, up to slot `end`; no effect without a
 * whole slot. */
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

/* The state of a letter, -1 if unknown. */
int cs_fleet_state_of(char letter);

#endif
