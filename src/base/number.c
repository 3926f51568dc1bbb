/* number.c - a scanner for the grammar, then the nearest value.
 *
 * A decimal with at most 19 digits whose value is below 2^53 and whose power of ten is at most 22
 * is one exact product or quotient of doubles (Clinger 1990); with up to 27 digits behind the
 * point it is a quotient of whole numbers of 64 bits (base/decimal.h); strtod, in the C locale,
 * does the others.
 */
#include "base/number.h"
#include "base/decimal.h"
#include "base/plain.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Times as people write them: 90, 1e4, 500ms, 2m, 10y, 1:30:00, 1-12:00:00. */

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

struct scan {
    bool negative, whole, lost;
    uint64_t digits;
    int exponent;
};

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static const char *skip_sign(const char *text, bool *negative)
{
    *negative = *text == '-';
    return text + (*text == '-' || *text == '+');
}

static const char *scan_digits(const char *at, struct scan *s, int step)
{
    for (; is_digit(*at); at++) {
        if (s->digits >= UINT64_C(900000000000000000))
            s->lost = true;
        else
            s->digits = s->digits * 10 + (uint64_t)(*at - '0');
        s->exponent += step;
    }
    return at;
}

/* NULL when there is no exponent after the letter. */
static const char *scan_exponent(const char *at, struct scan *s)
{
    bool negative;
    int value = 0;

    at = skip_sign(at, &negative);
    if (!is_digit(*at))
        return NULL;
    for (; is_digit(*at); at++) {
        if (value < 100000)
            value = value * 10 + (*at - '0');
    }
    s->exponent += negative ? -value : value;
    return at;
}

/* Where the number ends; NULL if there is no number. */
static const char *scan_real(const char *text, struct scan *s)
{
    const char *at = skip_sign(text, &s->negative), *start = at, *point = NULL;

    s->whole = true;
    at = scan_digits(at, s, 0);
    if (*at == '.') {
        point = at++;
        s->whole = false;
        at = scan_digits(at, s, -1);
    }
    if (at - start == (point ? 1 : 0))
        return NULL;
    if (*at == 'e' || *at == 'E') {
        s->whole = false;
        at = scan_exponent(at + 1, s);
    }
    return at;
}

static enum cs_number number_word(const char *text, double *out)
{
    bool negative;
    const char *at = skip_sign(text, &negative);

    if (!*text)
        return CS_NUMBER_EMPTY;
    if (!cs_plain_compare(at, "nan")) {
        *out = NAN;
        return CS_NUMBER_NAN;
    }
    if (!cs_plain_compare(at, "inf") || !cs_plain_compare(at, "infinity")) {
        *out = negative ? -INFINITY : INFINITY;
        return CS_NUMBER_INFINITE;
    }
    return CS_NUMBER_NOT_ONE;
}

static double number_nearest(const char *text, const struct scan *s)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    double value;

    if (s->digits <= (UINT64_C(1) << 53) && abs(s->exponent) <= 22 && !s->lost)
        value = s->exponent < 0 ? (double)s->digits / power[-s->exponent]
                                : (double)s->digits * power[s->exponent];
    else if (s->lost || !cs_decimal_quotient(s->digits, -s->exponent, &value))
        return cs_plain_double(text, NULL);
    return s->negative ? -value : value;
}

enum cs_number cs_number_double(const char *text, double *out)
{
    struct scan s = {0};
    const char *end = scan_real(text, &s);
    double value;

    if (!end || *end)
        return number_word(text, out);
    value = number_nearest(text, &s);
    if (isinf(value))
        return CS_NUMBER_RANGE;
    *out = value;
    return CS_NUMBER_FINE;
}

double cs_number_prefix(const char *text)
{
    struct scan s = {0};

    return scan_real(text, &s) ? number_nearest(text, &s) : NAN;
}

/* The size of a whole number and its sign. */
static enum cs_number number_whole(const char *text, bool *negative, uint64_t *size)
{
    const char *at = skip_sign(text, negative);
    uint64_t value = 0;
    double ignored;

    if (!is_digit(*at) || at[strspn(at, "0123456789")]) {
        const enum cs_number what = cs_number_double(text, &ignored);
        return what == CS_NUMBER_FINE ? CS_NUMBER_FRACTION : what;
    }
    for (; *at; at++) {
        const uint64_t d = (uint64_t)(*at - '0');

        if (value > (UINT64_MAX - d) / 10)
            return CS_NUMBER_RANGE;
        value = value * 10 + d;
    }
    *size = value;
    return CS_NUMBER_FINE;
}

enum cs_number cs_number_uint64(const char *text, uint64_t *out)
{
    bool negative;
    uint64_t size;
    const enum cs_number what = number_whole(text, &negative, &size);

    if (what)
        return what;
    if (negative && size)
        return CS_NUMBER_RANGE;
    *out = size;
    return CS_NUMBER_FINE;
}

enum cs_number cs_number_int64(const char *text, int64_t *out)
{
    bool negative;
    uint64_t size;
    const enum cs_number what = number_whole(text, &negative, &size);

    if (what)
        return what;
    if (size > (uint64_t)INT64_MAX + negative)
        return CS_NUMBER_RANGE;
    *out = negative ? (int64_t)(0 - size) : (int64_t)size;
    return CS_NUMBER_FINE;
}

enum cs_number cs_number_int(const char *text, int *out)
{
    int64_t value;
    const enum cs_number what = cs_number_int64(text, &value);

    if (what)
        return what;
    if (value < INT32_MIN || value > INT32_MAX)
        return CS_NUMBER_RANGE;
    *out = (int)value;
    return CS_NUMBER_FINE;
}

bool cs_number_meets(double value, enum cs_number_want want)
{
    switch (want) {
    case CS_NUMBER_POSITIVE:
        return isfinite(value) && value > 0;
    case CS_NUMBER_NOT_NEGATIVE:
        return isfinite(value) && value >= 0;
    case CS_NUMBER_POSITIVE_OR_INF:
        return value > 0;
    case CS_NUMBER_FINITE:
        break;
    }
    return isfinite(value);
}

const char *cs_number_wanted(enum cs_number_want want)
{
    switch (want) {
    case CS_NUMBER_POSITIVE:
        return "a positive number";
    case CS_NUMBER_NOT_NEGATIVE:
        return "a number that is not negative";
    case CS_NUMBER_POSITIVE_OR_INF:
        return "a positive number or inf";
    case CS_NUMBER_FINITE:
        break;
    }
    return "a number";
}
