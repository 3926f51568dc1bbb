/* availability.h - files of the availability of machines.
 *
 * Supported files, detected from their content:
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
 * cs_fleet_read describes the cutting into slots (model/fleet.h).
 */
#ifndef CS_IO_AVAILABILITY_H
#define CS_IO_AVAILABILITY_H

#include "model/fleet.h"

#include <stddef.h>

/* A file as bytes, with its component table or NULL, made into a fleet (model/fleet.h). */
struct cs_fleet_bytes {
    const char *name;
    const void *bytes;
    size_t size;
    const void *components;
    size_t components_size;
};

struct cs_fleet *cs_fleet_read_memory(const struct cs_fleet_bytes *file,
                                      const struct cs_fleet_options *options, struct cs_error *err);

#endif
