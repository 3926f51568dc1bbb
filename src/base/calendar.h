/* calendar.h - dates of the Gregorian calendar, in universal time. */
#ifndef CS_BASE_CALENDAR_H
#define CS_BASE_CALENDAR_H

#include <cosched/error.h>
#include <stdint.h>

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

#endif
