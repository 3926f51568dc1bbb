/* zone.h - time zones, such as Europe/Berlin.
 *
 * Read from the system's files (TZif, versions 1 to 4, with the rule at their end), without
 * touching TZ or any other state of the process.  Times are Unix seconds; local time is the same
 * count as if the clock on the wall showed universal time.
 */
#ifndef CS_BASE_ZONE_H
#define CS_BASE_ZONE_H

#include <cosched/error.h>
#include <stddef.h>
#include <stdint.h>

struct cs_zone;

/* By name, below $TZDIR or /usr/share/zoneinfo; "UTC" needs no file, nor does an offset such as
 * +02:00.  The caller destroys it.  NULL with err. */
struct cs_zone *cs_zone_open(const char *name, struct cs_error *err);

/* The same from the bytes of a file. */
struct cs_zone *cs_zone_open_memory(const void *bytes, size_t size, struct cs_error *err);

void cs_zone_destroy(struct cs_zone *zone); /* NULL is fine */

/* Seconds that local time is ahead of universal time.  NULL is UTC. */
int64_t cs_zone_offset(const struct cs_zone *zone, int64_t seconds);

/* The Unix time of a local time. An ambiguous time is the first; a skipped time uses the offset
 * before the change. */
int64_t cs_zone_universal(const struct cs_zone *zone, int64_t local);

#endif
