/* range.c - ranges in decimals, as people write them.
 *
 * A number of the file is digits * 10^power, the shortest decimal that reads as this double.  Sums
 * and products of decimals are exact while their digits fit into 63 bits; beyond that the nearest
 * double of the extended one is taken.
 */
#include "campaign/range.h"

#include "base/json_make.h"
#include "base/plain.h"
#include "base/strbuf.h"
#include "campaign/field.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 9007199254740992 /* 2^53: quotients of whole numbers below it are rounded once */
#define LARGEST (INT64_MAX / 4) /* two of these can be added */
#define POWERS 18               /* of ten that fit into 63 bits */

struct decimal {
    int64_t digits;
    int power;
};

enum scale { LINEAR, LOG };

struct range {
    const struct cs_json_at *at;
    bool whole;
    double from, to, by; /* by: step or times */
    int count;
    enum scale scale;
    json_t *values;
    struct cs_error *err;
};

static struct decimal to_decimal(double value)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct decimal decimal = {0, 0};
    bool point = false;
    const char *c;

    cs_strbuf_put_double(&text, fabs(value));
    for (c = text.text; *c && *c != 'e'; c++) {
        if (*c == '.') {
            point = true;
            continue;
        }
        decimal.digits = 10 * decimal.digits + (*c - '0');
        decimal.power -= point;
    }
    if (*c == 'e')
        decimal.power += atoi(c + 1);
    while (decimal.digits && decimal.digits % 10 == 0) {
        decimal.digits /= 10;
        decimal.power++;
    }
    if (value < 0)
        decimal.digits = -decimal.digits;
    cs_strbuf_release(&text);
    return decimal;
}

/* The nearest double. */
static double to_double(struct decimal decimal)
{
    char text[48];

    if (decimal.power == 0 && llabs(decimal.digits) < DIGITS)
        return (double)decimal.digits;
    cs_plain_print(text, sizeof text, "%" PRId64 "e%d", decimal.digits, decimal.power);
    return cs_plain_double(text, NULL) + 0.0;
}

/* digits * 10^power as a multiple of 10^to, which is not larger; false when it does not fit. */
static bool scale_to(struct decimal decimal, int to, int64_t *out)
{
    *out = decimal.digits;
    if (!decimal.digits)
        return true;
    if (decimal.power - to > POWERS)
        return false;
    for (int p = decimal.power; p > to; p--) {
        if (llabs(*out) > LARGEST / 10)
            return false;
        *out *= 10;
    }
    return llabs(*out) <= LARGEST;
}

static int range_least(int a, int b)
{
    return a < b ? a : b;
}

static int range_add(struct range *range, double value)
{
    size_t count = json_array_size(range->values);
    bool integral = value == floor(value) && fabs(value) < (double)DIGITS;
    json_t *last = count ? json_array_get(range->values, count - 1) : NULL;

    if (range->whole && !integral)
        return cs_json_error(range->at, range->err,
                             "comes to %g, and only whole numbers are allowed here", value);
    if (last && json_number_value(last) == value)
        return 0;
    cs_json_append(range->values, integral ? json_integer((json_int_t)value) : json_real(value));
    return 0;
}

static int too_many(const struct range *range)
{
    return cs_json_error(range->at, range->err, "has more than %d values", CS_RANGE_VALUES);
}

static int range_misses(const struct range *range, double before, double after)
{
    return cs_json_error(range->at, range->err,
                         "does not meet its end %.15g: before it comes %.15g, then %.15g",
                         range->to, before, after);
}

static int read_steps(struct range *range)
{
    struct decimal from = to_decimal(range->from), to = to_decimal(range->to),
                   by = to_decimal(range->by);
    int power = range_least(from.power, range_least(to.power, by.power));
    int64_t first, last, step, steps;

    if (!range->by || (range->to - range->from) / range->by < 0)
        return cs_json_error(range->at, range->err,
                             "steps of %.15g do not lead from %.15g to %.15g", range->by,
                             range->from, range->to);
    if (!scale_to(from, power, &first) || !scale_to(to, power, &last) ||
        !scale_to(by, power, &step))
        return cs_json_error(range->at, range->err,
                             "from, to and step differ too much in size; write a list, or a count");
    steps = (last - first) / step;
    if (steps >= CS_RANGE_VALUES)
        return too_many(range);
    if (first + steps * step != last)
        return range_misses(range, to_double((struct decimal){first + steps * step, power}),
                            to_double((struct decimal){first + (steps + 1) * step, power}));
    for (int64_t i = 0; i <= steps; i++)
        if (range_add(range, to_double((struct decimal){first + i * step, power})))
            return -1;
    return 0;
}

/* from * by^i */
static double range_multiply(double from, double by, int i)
{
    struct decimal product = to_decimal(from), factor = to_decimal(by);

    for (int k = 0; k < i; k++) {
        if (llabs(product.digits) > INT64_MAX / llabs(factor.digits))
            return (double)((long double)from * powl((long double)by, (long double)i));
        product.digits *= factor.digits;
        product.power += factor.power;
        while (product.digits % 10 == 0) {
            product.digits /= 10;
            product.power++;
        }
    }
    return to_double(product);
}

static int read_times(struct range *range)
{
    double variant, steps;

    if (!(range->from > 0 && range->to > 0 && range->by > 0))
        return cs_json_error(range->at, range->err,
                             "with times, from, to and times have to be above 0");
    variant = (log(range->to) - log(range->from)) / log(range->by);
    if (range->by == 1 || variant < 0)
        return cs_json_error(range->at, range->err, "times %.15g does not lead from %.15g to %.15g",
                             range->by, range->from, range->to);
    steps = round(variant);
    if (!(steps < CS_RANGE_VALUES))
        return too_many(range);
    if (fabs(range_multiply(range->from, range->by, (int)steps) - range->to) > 1e-12 * range->to) {
        int below = (int)floor(variant);

        return range_misses(range, range_multiply(range->from, range->by, below),
                            range_multiply(range->from, range->by, below + 1));
    }
    for (int i = 0; i < (int)steps; i++)
        if (range_add(range, range_multiply(range->from, range->by, i)))
            return -1;
    return range_add(range, range->to);
}

/* from + (to - from) i / n */
static double range_between(const struct range *range, int i, int n)
{
    struct decimal from = to_decimal(range->from), to = to_decimal(range->to);
    int power = range_least(0, range_least(from.power, to.power));
    int64_t first, last, unit;

    if (scale_to(from, power, &first) && scale_to(to, power, &last) &&
        scale_to((struct decimal){n, 0}, power, &unit) && llabs(first) < DIGITS / 2 / n &&
        llabs(last) < DIGITS / 2 / n)
        return (double)(first * (n - i) + last * i) / (double)unit;
    return (double)(((long double)range->from * (n - i) + (long double)range->to * i) / n);
}

/* from (to / from)^(i / n), to 15 digits: 0.01 and not 0.0099999999999999985. */
static double between_logs(const struct range *range, int i, int n)
{
    long double ratio = (long double)range->to / range->from;
    char text[48];

    cs_plain_print(text, sizeof text, "%.15Lg",
                   (long double)range->from * powl(ratio, (long double)i / n));
    return cs_plain_double(text, NULL);
}

static int range_read_count(struct range *range)
{
    int n = range->count - 1;

    if (range->scale == LOG && !(range->from > 0 && range->to > 0))
        return cs_json_error(range->at, range->err,
                             "on a log scale from and to have to be above 0");
    if (range->whole && (range->from != floor(range->from) || range->to != floor(range->to)))
        return cs_json_error(range->at, range->err, "from and to have to be whole numbers here");
    for (int i = 0; i <= n; i++) {
        double value = range->scale == LOG ? between_logs(range, i, n) : range_between(range, i, n);

        if (i == 0 || i == n)
            value = i ? range->to : range->from;
        if (range_add(range, range->whole ? round(value) : value))
            return -1;
    }
    return 0;
}

/* Which of the words is there?  Exactly one of them. */
static int find_kind(const struct range *range, const char **out)
{
    static const char *const kind[] = {"step", "times", "count"};
    int found = 0;

    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
        if (cs_json_has(range->at, kind[k])) {
            *out = kind[k];
            found++;
        }
    if (found == 1)
        return 0;
    return cs_json_error(range->at, range->err,
                         "a range has from, to, and one of step, times and count");
}

static int read_values(struct range *range)
{
    const char *kind = NULL;
    int scale = LINEAR;

    if (cs_json_keys(range->at, "from|to|step|times|count|scale", range->err) ||
        find_kind(range, &kind) ||
        cs_json_get_double(range->at, "from", CS_NUMBER_FINITE, &range->from, range->err) ||
        cs_json_get_double(range->at, "to", CS_NUMBER_FINITE, &range->to, range->err))
        return -1;
    if (cs_json_has(range->at, "scale") && strcmp(kind, "count"))
        return cs_json_error(range->at, range->err, "scale goes with count only");
    if (!strcmp(kind, "count")) {
        if (cs_json_get_int(range->at, "count", 2, CS_RANGE_VALUES, &range->count, range->err) ||
            cs_field_choice(range->at, "scale", "linear|log", &scale, range->err))
            return -1;
        range->scale = (enum scale)scale;
        return range_read_count(range);
    }
    if (cs_json_get_double(range->at, kind, CS_NUMBER_FINITE, &range->by, range->err))
        return -1;
    return strcmp(kind, "step") ? read_times(range) : read_steps(range);
}

json_t *cs_range_read(const struct cs_json_at *at, bool whole, struct cs_error *err)
{
    struct range range = {
        .at = at, .whole = whole, .values = cs_json_made(json_array()), .err = err};
    CS_HOLD(hold);

    cs_json_hold(&hold, range.values);
    return read_values(&range) ? NULL : cs_unhold(&hold);
}
