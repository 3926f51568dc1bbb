/* availability.h - traces of when machines were there, made into slots.
 *
 * Files that are known, by what is in them:
 *
 *   event table   of the Failure Trace Archive (event_trace.tab): tab-separated, a line for each
 *                 stretch of a component of a node: event_type 1 is available, 2 (user present) and
 *                 3 (CPU threshold exceeded) are reclaimed, all others down; a header line, with #
 *                 or without, names the columns, else they are in the archive's order
 *   spot counts   JSON {"metadata": {"gap_seconds": 300}, "data": [4, 3, ...]}, or lines
 *                 "2021-12-11, 11:11:30, 55": how many instances there were; host i is up while
 *                 there are more than i
 *   spot events   lines "60000,add,node19": milliseconds, add or remove, and the instance
 *   scenario      the traces of a file cosched-volatile-1 (io/hosts.h)
 *
 * The state of a slot is the worst in it: down before reclaimed before up; what no event covers is
 * down.  Several files become one set of hosts, each file beginning at its own first moment; the
 * shortest says how long the traces are.
 */
#ifndef CS_IO_AVAILABILITY_H
#define CS_IO_AVAILABILITY_H

#include "base/arena.h"

#include <cosched/fleet.h>
#include <stddef.h>
#include <stdint.h>

struct cs_availability {
    const char *kind; /* of the first file: "event table", ... */
    double slot;      /* seconds */
    int hosts;
    int64_t slots;
    const char *const *name;
    const char *const *trace; /* by host: letters u, r, d */
    struct cs_arena *arena;
};

struct cs_availability_options {
    double slot; /* seconds; 0: what the first file says, else 60 */
    int hosts;   /* keep the first so many; 0: all */
};

/* "-" is standard input, gzip and xz are unpacked.  NULL with err. */
struct cs_availability *cs_availability_read(const char *const *path, int count,
                                             const struct cs_availability_options *options,
                                             struct cs_error *err);

/* One file, as bytes; `name` is for messages. */
struct cs_availability *cs_availability_read_memory(const char *name, const void *bytes,
                                                    size_t size,
                                                    const struct cs_availability_options *options,
                                                    struct cs_error *err);

/* A file as bytes, with its component table or NULL, made into a fleet (cosched/fleet.h). */
struct cs_fleet_bytes {
    const char *name;
    const void *bytes;
    size_t size;
    const void *components;
    size_t components_size;
};

struct cs_fleet *cs_fleet_read_memory(const struct cs_fleet_bytes *file,
                                      const struct cs_fleet_options *options, struct cs_error *err);

void cs_availability_destroy(struct cs_availability *availability); /* NULL is fine */

#endif
