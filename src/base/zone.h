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

/* Dates of the Gregorian calendar, in universal time. */
/* Days from 1970-01-01 to a date; the month is 1 .. 12, the day may be any number. */
int64_t cs_calendar_days(int year, int month, int day);

/* Seconds from 1970-01-01 00:00 on; -1 when there is no such time of day or date.  Second 60 is a
 * leap second. */
int cs_calendar_seconds(int year, int month, int day, int hour, int minute, int second,
                        int64_t *seconds);

/* The day, counted from 1970-01-01, of a time in seconds; and its date, "2019-06-01". */
int64_t cs_calendar_day(int64_t seconds);
void cs_calendar_date(int64_t day, char date[32]);

/* "2019-06": a month from 1 to 12 of a year.  -1 with err. */
int cs_calendar_month(const char *text, int *year, int *month, struct cs_error *err);

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
