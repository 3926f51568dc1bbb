/* stamp.c - scanners without a copy of the text. */
#include "io/stamp.h"

#include "base/plain.h"
#include "base/zone.h"

#include <stdbool.h>
#include <string.h>

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Exactly `count` digits; NULL when there are not so many. */
static const char *stamp_digits(const char *at, int count, int *out)
{
    for (*out = 0; count > 0; count--, at++) {
        if (!is_digit(*at))
            return NULL;
        *out = 10 * *out + (*at - '0');
    }
    return at;
}

/* As many digits as there are, at most 15. */
static const char *stamp_number(const char *at, int64_t *out)
{
    const char *start = at;

    for (*out = 0; is_digit(*at) && at - start < 15; at++)
        *out = 10 * *out + (*at - '0');
    return at == start || is_digit(*at) ? NULL : at;
}

static const char *skip_fraction(const char *at)
{
    if (*at == '.' || *at == ',')
        for (at++; is_digit(*at); at++)
            ;
    return at;
}

/* Z, +HH:MM, +HHMM or +HH. */
static bool read_offset(const char *at, int64_t *seconds)
{
    const bool negative = *at == '-';
    int hours, minutes = 0;

    if (*at == 'Z' && !at[1])
        return true;
    if (*at != '+' && *at != '-')
        return false;
    at = stamp_digits(at + 1, 2, &hours);
    if (at && *at)
        at = stamp_digits(at + (*at == ':'), 2, &minutes);
    if (!at || *at || hours > 15 || minutes > 59)
        return false;
    *seconds += (negative ? 1 : -1) * (int64_t)(hours * 60 + minutes) * 60;
    return true;
}

static bool is_none(const char *text)
{
    return !*text || !cs_plain_compare(text, "Unknown") || !cs_plain_compare(text, "None") ||
           !cs_plain_compare(text, "N/A");
}

static const char *read_date(const char *at, int part[6])
{
    static const char between[] = "--T::";

    at = stamp_digits(at, 4, &part[0]);
    for (int i = 1; at && i < 6; i++) {
        if (*at != between[i - 1] && !(i == 3 && *at == ' '))
            return NULL;
        at = stamp_digits(at + 1, 2, &part[i]);
    }
    return at;
}

enum cs_stamp cs_stamp_read(const char *text, const struct cs_zone *zone, int64_t *seconds)
{
    const char *at;
    int part[6];

    at = is_digit(*text) ? stamp_number(text, seconds) : NULL;
    if (at && !*at)
        return CS_STAMP_FIXED;
    at = is_digit(*text) ? read_date(text, part) : NULL;
    if (!at)
        return is_none(text) ? CS_STAMP_NONE : CS_STAMP_WRONG;
    if (cs_calendar_seconds(part[0], part[1], part[2], part[3], part[4], part[5], seconds))
        return CS_STAMP_WRONG;
    at = skip_fraction(at);
    if (*at)
        return read_offset(at, seconds) ? CS_STAMP_FIXED : CS_STAMP_WRONG;
    *seconds = cs_zone_universal(zone, *seconds);
    return CS_STAMP_LOCAL;
}

int64_t cs_stamp_duration(const char *text)
{
    int64_t part, days = 0, sum = 0;
    const char *at = stamp_number(text, &part);
    int parts = 1;

    if (at && *at == '-') {
        days = part;
        at = stamp_number(at + 1, &part);
    }
    for (; at; parts++) {
        sum = sum * 60 + part;
        if (*at != ':' || parts == 3)
            break;
        at = stamp_number(at + 1, &part);
    }
    if (!at || *skip_fraction(at) || days > 1000000 || sum > INT64_C(1000000000000000))
        return -1;
    return days * 86400 + sum;
}

int64_t cs_stamp_minutes(const char *text)
{
    int64_t part[3] = {0, 0, 0}, days = 0;
    const char *at = stamp_number(text, &part[0]), *dash = strchr(text, '-');
    int parts = 1;

    if (dash && at == dash) {
        days = part[0];
        at = stamp_number(dash + 1, &part[0]);
    }
    for (; at && *at == ':' && parts < 3; parts++)
        at = stamp_number(at + 1, &part[parts]);
    if (!at || *at || days > 1000000 || part[0] > INT64_C(1000000000000))
        return -1;
    if (dash || parts == 3)
        return days * 86400 + (part[0] * 60 + part[1]) * 60 + part[2];
    return part[0] * 60 + part[1];
}
