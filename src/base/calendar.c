/* calendar.c - Howard Hinnant's civil calendar: years begin in March, eras of 400 years have
 * 146097 days. */
#include "base/calendar.h"

#include "base/plain.h"

#include <inttypes.h>
#include <stdio.h>

int64_t cs_calendar_days(int year, int month, int day)
{
    int y = year - (month <= 2);
    int era = (y >= 0 ? y : y - 399) / 400, of_era = y - era * 400;
    int of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;

    return (int64_t)era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int days_in(int year, int month)
{
    return (int)(month == 12 ? cs_calendar_days(year + 1, 1, 1)
                             : cs_calendar_days(year, month + 1, 1)) -
           (int)cs_calendar_days(year, month, 1);
}

int cs_calendar_seconds(int year, int month, int day, int hour, int minute, int second,
                        int64_t *seconds)
{
    if (month < 1 || month > 12 || day < 1 || (day > 28 && day > days_in(year, month)) ||
        hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60)
        return -1;
    *seconds = cs_calendar_days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second;
    return 0;
}

int64_t cs_calendar_day(int64_t seconds)
{
    return seconds / 86400 - (seconds % 86400 < 0);
}

void cs_calendar_date(int64_t day, char date[32])
{
    int64_t z = day + 719468, era = (z >= 0 ? z : z - 146096) / 146097;
    int64_t of_era = z - era * 146097;
    int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * year + year / 4 - year / 100), m = (5 * of_year + 2) / 153;
    int month = (int)(m < 10 ? m + 3 : m - 9);

    cs_plain_print(date, 32, "%04" PRId64 "-%02d-%02d", year + era * 400 + (month <= 2), month,
                   (int)(of_year - (153 * m + 2) / 5 + 1));
}

int cs_calendar_month(const char *text, int *year, int *month, struct cs_error *err)
{
    int used = 0;

    if (sscanf(text, "%4d-%2d%n", year, month, &used) == 2 && used == 7 && !text[7] &&
        *month >= 1 && *month <= 12)
        return 0;
    return cs_error_set(err, "the month is \"%.60s\", expected one such as 2019-06", text);
}
