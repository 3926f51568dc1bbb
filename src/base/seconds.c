/* seconds.c - times as people write them: 90, 1e4, 500ms, 2m, 10y, 1:30:00, 1-12:00:00. */
#include "base/seconds.h"

#include "base/plain.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Digits with at most one point; *end is their end. */
static int read_decimal(const char *text, double *number, const char **end)
{
    size_t whole = strspn(text, "0123456789");
    size_t part = text[whole] == '.' ? 1 + strspn(text + whole + 1, "0123456789") : 0;
    char digits[40] = "";

    if (whole + (part ? part - 1 : 0) == 0 || whole + part >= sizeof digits)
        return -1;
    memcpy(digits, text, whole + part);
    *number = cs_plain_double(digits, NULL);
    *end = text + whole + part;
    return 0;
}

static int unit_scale(const char *unit, double *scale)
{
    static const struct {
        const char *name;
        double scale;
    } units[] = {
        {"", 1},   {"us", 1e-6},  {"ms", 1e-3},   {"s", 1},           {"min", 60},
        {"m", 60}, {"h", 3600.0}, {"d", 86400.0}, {"w", 7 * 86400.0}, {"y", 365 * 86400.0}};

    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (strcmp(unit, units[i].name) == 0) {
            *scale = units[i].scale;
            return 0;
        }
    return -1;
}

/* A decimal, or one with an exponent. */
static int seconds_read_number(const char *text, double *number, const char **end)
{
    char *last;

    if (read_decimal(text, number, end))
        return -1;
    if (**end == 'e' || **end == 'E') {
        *number = cs_plain_double(text, &last);
        *end = last;
    }
    return 0;
}

/* [DAYS-][HOURS:]MINUTES:SECONDS, as Slurm writes it. */
static int read_clock(const char *text, double *seconds)
{
    double sum = 0, part, days = 0;
    int parts = 0;

    if (strchr(text, '-')) {
        if (read_decimal(text, &days, &text) || *text++ != '-')
            return -1;
    }
    do {
        if (parts == 3 || read_decimal(text, &part, &text) || (parts && part >= 60))
            return -1;
        sum = sum * 60 + part;
        parts++;
    } while (*text++ == ':');
    if (text[-1] || parts < 2)
        return -1;
    *seconds = days * 86400 + sum;
    return 0;
}

int cs_seconds_parse(const char *text, double *seconds)
{
    double number, scale;
    const char *unit;

    if (strchr(text, ':'))
        return read_clock(text, seconds);
    if (seconds_read_number(text, &number, &unit) || unit_scale(unit, &scale) ||
        !isfinite(number * scale))
        return -1;
    *seconds = number * scale;
    return 0;
}
