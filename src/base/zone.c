/* zone.c - RFC 8536: a list of changes, then a rule for all that comes after it. */
#include "base/zone.h"
#include "base/file.h"
#include "base/guard.h"
#include "base/plain.h"

#include <cosched/error.h>

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Howard Hinnant's civil calendar: years begin in March, eras of 400 years have
 * 146097 days. */

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

#define DAY 86400
#define HEADER 44
#define LARGEST ((size_t)1 << 20)
#define MOST_CHANGES 100000

/* When summer time begins or ends: month.week.day, or a day of the year. */
struct date_rule {
    char kind; /* 'M', 'J' (1 .. 365, no leap days) or 'n' (0 .. 365) */
    int month, week, day;
    int64_t time; /* of that day, local */
};

struct cs_zone {
    int count;
    int64_t *when, *offset; /* from when[i] on it is offset[i] */
    int64_t first;          /* before the first change */
    bool ruled, summer;     /* a rule follows; it has summer time */
    int64_t standard, saving;
    struct date_rule from, to;
};

/* ---- the rule ---- */

static const char *skip_name(const char *at)
{
    const char *start = at;

    if (*at == '<') {
        at += strcspn(at, ">");
        return *at ? at + 1 : NULL;
    }
    while ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z'))
        at++;
    return at > start ? at : NULL;
}

static const char *read_whole(const char *at, int most, int *out)
{
    const char *start = at;

    for (*out = 0; *at >= '0' && *at <= '9' && *out <= most; at++)
        *out = 10 * *out + (*at - '0');
    return at > start && *out <= most ? at : NULL;
}

/* [+-]h[h[h]][:mm[:ss]] as seconds. */
static const char *read_time(const char *at, int64_t *out)
{
    const bool negative = *at == '-';
    int part[3] = {0, 0, 0};

    at += *at == '-' || *at == '+';
    for (int i = 0; i < 3; i++) {
        at = read_whole(at, i ? 59 : 167, &part[i]);
        if (!at || *at != ':' || i == 2)
            break;
        at++;
    }
    *out = (part[0] * 60 + part[1]) * 60 + part[2];
    if (negative)
        *out = -*out;
    return at;
}

static const char *read_date(const char *at, struct date_rule *out)
{
    *out = (struct date_rule){.kind = 'n', .time = 7200};
    if (*at++ != ',')
        return NULL;
    if (*at == 'M') {
        out->kind = 'M';
        at = read_whole(at + 1, 12, &out->month);
        at = at && *at == '.' ? read_whole(at + 1, 5, &out->week) : NULL;
        at = at && *at == '.' ? read_whole(at + 1, 6, &out->day) : NULL;
    } else {
        if (*at == 'J')
            out->kind = *at++;
        at = read_whole(at, 366, &out->day);
    }
    if (!at || (out->kind == 'M' && (out->month < 1 || out->week < 1)))
        return NULL;
    return *at == '/' ? read_time(at + 1, &out->time) : at;
}

/* "CET-1CEST,M3.5.0,M10.5.0/3". */
static bool read_rule(const char *at, struct cs_zone *zone)
{
    at = skip_name(at);
    at = at ? read_time(at, &zone->standard) : NULL;
    if (!at)
        return false;
    zone->standard = -zone->standard;
    zone->summer = *at != '\0';
    if (!zone->summer)
        return true;
    zone->saving = zone->standard + 3600;
    at = skip_name(at);
    if (at && *at && *at != ',') {
        at = read_time(at, &zone->saving);
        zone->saving = -zone->saving;
    }
    at = at ? read_date(at, &zone->from) : NULL;
    at = at ? read_date(at, &zone->to) : NULL;
    return at && !*at;
}

static bool is_leap(int year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Days from 1970 to the rule's day of that year. */
static int64_t day_of(const struct date_rule *rule, int year)
{
    int64_t first = cs_calendar_days(year, 1, 1), day;
    int next = rule->month == 12 ? 31 : 0, weekday;

    if (rule->kind == 'n')
        return first + rule->day;
    if (rule->kind == 'J')
        return first + rule->day - 1 + (is_leap(year) && rule->day >= 60);
    first = cs_calendar_days(year, rule->month, 1);
    next = next ? next : (int)(cs_calendar_days(year, rule->month + 1, 1) - first);
    weekday = (int)(((first + 4) % 7 + 7) % 7);
    day = (rule->day - weekday + 7) % 7 + 7 * (rule->week - 1);
    while (day >= next)
        day -= 7;
    return first + day;
}

static int year_of(int64_t seconds)
{
    int year = (int)(1970 + seconds / 31556952);

    while (cs_calendar_days(year, 1, 1) * DAY > seconds)
        year--;
    while (cs_calendar_days(year + 1, 1, 1) * DAY <= seconds)
        year++;
    return year;
}

static int64_t ruled_offset(const struct cs_zone *zone, int64_t seconds)
{
    int64_t from, to;
    int year;

    if (!zone->summer)
        return zone->standard;
    year = year_of(seconds + zone->standard);
    from = day_of(&zone->from, year) * DAY + zone->from.time - zone->standard;
    to = day_of(&zone->to, year) * DAY + zone->to.time - zone->saving;
    if (from < to)
        return seconds >= from && seconds < to ? zone->saving : zone->standard;
    return seconds >= to && seconds < from ? zone->standard : zone->saving;
}

/* ---- the file ---- */

struct block {
    const unsigned char *at;
    int64_t changes, types, chars, leaps, standards, universals;
    int width; /* bytes of a time */
};

static int64_t read_integer(const unsigned char *at, int bytes)
{
    uint64_t value = at[0] & 0x80 ? UINT64_MAX : 0;

    for (int i = 0; i < bytes; i++)
        value = value << 8 | at[i];
    return (int64_t)value;
}

static size_t length_of(const struct block *b)
{
    return (size_t)(b->changes * (b->width + 1) + b->types * 6 + b->chars +
                    b->leaps * (b->width + 4) + b->standards + b->universals);
}

/* False when the bytes from `start` on are no such block. */
static bool read_block(const unsigned char *bytes, size_t size, size_t start, int width,
                       struct block *b)
{
    const unsigned char *count = bytes + start + 20;
    int64_t *const into[] = {&b->universals, &b->standards, &b->leaps,
                             &b->changes,    &b->types,     &b->chars};

    if (size < start + HEADER || memcmp(bytes + start, "TZif", 4))
        return false;
    for (int i = 0; i < 6; i++) {
        *into[i] = read_integer(count + 4 * i, 4);
        if (*into[i] < 0 || *into[i] > MOST_CHANGES)
            return false;
    }
    b->at = bytes + start + HEADER;
    b->width = width;
    return b->types > 0 && length_of(b) <= size - start - HEADER;
}

static bool read_changes(const struct block *b, struct cs_zone *zone)
{
    const unsigned char *kind = b->at + b->changes * b->width, *type = kind + b->changes;

    zone->count = (int)b->changes;
    zone->when = cs_block_zero((size_t)b->changes + 1, sizeof *zone->when);
    zone->offset = cs_block_zero((size_t)b->changes + 1, sizeof *zone->offset);
    zone->first = read_integer(type, 4);
    for (int i = 0; i < zone->count; i++) {
        if (kind[i] >= b->types)
            return false;
        zone->when[i] = read_integer(b->at + i * b->width, b->width);
        zone->offset[i] = read_integer(type + 6 * kind[i], 4);
        if (i && zone->when[i] <= zone->when[i - 1])
            return false;
    }
    return true;
}

static bool read_footer(const unsigned char *at, size_t size, struct cs_zone *zone)
{
    char text[128];

    if (size < 2 || at[0] != '\n')
        return false;
    for (size_t i = 1; i < size && i < sizeof text; i++) {
        text[i - 1] = (char)at[i];
        if (at[i] != '\n')
            continue;
        text[i - 1] = '\0';
        zone->ruled = i > 1;
        return !zone->ruled || read_rule(text, zone);
    }
    return false;
}

static bool read_file(const unsigned char *bytes, size_t size, struct cs_zone *zone)
{
    struct block b;
    size_t second;

    if (!read_block(bytes, size, 0, 4, &b))
        return false;
    if (bytes[4] < '2')
        return read_changes(&b, zone);
    second = HEADER + length_of(&b);
    if (!read_block(bytes, size, second, 8, &b) || !read_changes(&b, zone))
        return false;
    second += HEADER + length_of(&b);
    return read_footer(bytes + second, size - second, zone);
}

static struct cs_zone *zone_create(void)
{
    return cs_block_zero(1, sizeof(struct cs_zone));
}

void cs_zone_destroy(struct cs_zone *zone)
{
    if (!zone)
        return;
    cs_block_free(zone->when);
    cs_block_free(zone->offset);
    cs_block_free(zone);
}

struct cs_zone *cs_zone_open_memory(const void *bytes, size_t size, struct cs_error *err)
{
    struct cs_zone *zone = zone_create();

    if (read_file(bytes, size, zone))
        return zone;
    cs_zone_destroy(zone);
    cs_error_set(err, "this is no file of a time zone (TZif)");
    return NULL;
}

static struct cs_zone *open_file(const char *name, struct cs_error *err)
{
    const char *folder = getenv("TZDIR");
    struct cs_strbuf path = CS_STRBUF_INIT, bytes = CS_STRBUF_INIT;
    struct cs_zone *zone = NULL;
    struct cs_error why = {0};

    cs_strbuf_printf(&path, "%s/%s", folder && *folder ? folder : "/usr/share/zoneinfo", name);
    if (*name && *name != '/' && !strstr(name, "..") &&
        cs_file_read(path.text, LARGEST, &bytes, &why) == 0)
        zone = cs_zone_open_memory(bytes.text, bytes.length, &why);
    if (!zone)
        cs_error_set(err, "there is no time zone \"%.60s\": expected one such as Europe/Berlin",
                     name);
    cs_strbuf_release(&path);
    cs_strbuf_release(&bytes);
    return zone;
}

struct cs_zone *cs_zone_open(const char *name, struct cs_error *err)
{
    struct cs_zone *zone;
    int64_t ahead;
    const char *end;

    if (!cs_plain_compare(name, "UTC"))
        return zone_create();
    if (*name != '+' && *name != '-')
        return open_file(name, err);
    end = read_time(name, &ahead);
    if (!end || *end) {
        cs_error_set(err, "\"%.60s\" is no offset of a time zone: expected one such as +02:00",
                     name);
        return NULL;
    }
    zone = zone_create();
    zone->first = ahead;
    return zone;
}

/* ---- questions ---- */

int64_t cs_zone_offset(const struct cs_zone *zone, int64_t seconds)
{
    int low = 0, high;

    if (!zone)
        return 0;
    high = zone->count;
    while (low < high) {
        const int middle = low + (high - low) / 2;

        if (zone->when[middle] <= seconds)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == zone->count && zone->ruled)
        return ruled_offset(zone, seconds);
    return low ? zone->offset[low - 1] : zone->first;
}

int64_t cs_zone_universal(const struct cs_zone *zone, int64_t local)
{
    int64_t before, after;

    if (!zone)
        return local;
    before = local - cs_zone_offset(zone, local - DAY);
    after = local - cs_zone_offset(zone, local + DAY);
    if (before + cs_zone_offset(zone, before) == local &&
        (before <= after || after + cs_zone_offset(zone, after) != local))
        return before;
    return after + cs_zone_offset(zone, after) == local ? after : before;
}
