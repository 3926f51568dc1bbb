/* human.c - numbers as people read them. */
#include "report/human.h"

#include "base/plain.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Copy the digits with a comma before each third one counted from the end of the whole part. */
static void put_grouped(struct cs_strbuf *out, const char *digits)
{
    size_t whole = strspn(digits, "0123456789");

    for (size_t i = 0; digits[i]; i++) {
        if (i && i < whole && (whole - i) % 3 == 0)
            cs_strbuf_putc(out, ',');
        cs_strbuf_putc(out, digits[i]);
    }
}

static bool all_zero(const char *text)
{
    return strspn(text, "0.") == strlen(text);
}

static bool put_unbounded(struct cs_strbuf *out, double value)
{
    if (isfinite(value))
        return false;
    cs_strbuf_puts(out, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
    return true;
}

void cs_human_fixed(struct cs_strbuf *out, double value, int digits)
{
    char text[64];

    if (put_unbounded(out, value))
        return;
    if (fabs(value) >= 1e15) {
        cs_strbuf_printf(out, "%.*e", digits, value);
        return;
    }
    cs_plain_print(text, sizeof text, "%.*f", digits, fabs(value));
    if (value < 0 && !all_zero(text))
        cs_strbuf_putc(out, '-');
    put_grouped(out, text);
}

void cs_human_power(struct cs_strbuf *out, double value, int digits)
{
    char text[64], *exponent;
    size_t length;

    cs_plain_print(text, sizeof text, "%.*e", digits - 1, value);
    exponent = strchr(text, 'e');
    length = (size_t)(exponent - text);
    if (memchr(text, '.', length)) {
        while (text[length - 1] == '0')
            length--;
        length -= text[length - 1] == '.';
    }
    cs_strbuf_append(out, text, length);
    cs_strbuf_printf(out, "e%d", atoi(exponent + 1));
}

void cs_human_digits(struct cs_strbuf *out, double value, int digits)
{
    char text[64];
    int exponent, places;
    size_t length;

    if (put_unbounded(out, value))
        return;
    cs_plain_print(text, sizeof text, "%.*e", digits - 1, fabs(value));
    exponent = atoi(strchr(text, 'e') + 1);
    if (value != 0 && (exponent < -4 || exponent >= 15)) {
        cs_human_power(out, value, digits);
        return;
    }
    places = digits - 1 - exponent;
    places = places > 0 ? places : 0;
    length = (size_t)cs_plain_print(text, sizeof text, "%.*f", places, fabs(value));
    if (places) {
        while (text[length - 1] == '0')
            length--;
        length -= text[length - 1] == '.';
        text[length] = '\0';
    }
    if (value < 0)
        cs_strbuf_putc(out, '-');
    put_grouped(out, text);
}

void cs_human_count(struct cs_strbuf *out, long long count)
{
    char text[32];

    cs_plain_print(text, sizeof text, "%lld", count);
    if (text[0] == '-')
        cs_strbuf_putc(out, '-');
    put_grouped(out, text + (text[0] == '-'));
}

void cs_human_units(struct cs_strbuf *out, long long count, const char *unit)
{
    cs_human_count(out, count);
    cs_strbuf_printf(out, " %s%s", unit, count == 1 ? "" : "s");
}

void cs_human_percent(struct cs_strbuf *out, double fraction, int digits)
{
    if (!isfinite(fraction)) {
        cs_strbuf_putc(out, '?');
        return;
    }
    cs_human_fixed(out, 100 * fraction, digits);
    cs_strbuf_puts(out, " %");
}

/* Below a minute: three digits and a decimal unit. */
static void put_short(struct cs_strbuf *out, double seconds)
{
    static const struct {
        double size;
        const char *name;
    } unit[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "\xc2\xb5s"}, {1e-9, "ns"}};
    int u = 0;

    while (u < 3 && seconds < 0.9995 * unit[u].size)
        u++;
    cs_human_digits(out, seconds / unit[u].size, 3);
    cs_strbuf_printf(out, " %s", unit[u].name);
}

/* Two units, the smaller one rounded. */
static void put_long(struct cs_strbuf *out, double seconds)
{
    if (seconds < 3599.5) {
        long s = lround(seconds);

        cs_strbuf_printf(out, s % 60 ? "%ld min %02ld s" : "%ld min", s / 60, s % 60);
    } else if (seconds < 86370) {
        long m = lround(seconds / 60);

        cs_strbuf_printf(out, m % 60 ? "%ld h %02ld min" : "%ld h", m / 60, m % 60);
    } else if (seconds < 100 * 86400.0) {
        long h = lround(seconds / 3600);

        cs_strbuf_printf(out, h % 24 ? "%ld d %ld h" : "%ld d", h / 24, h % 24);
    } else {
        cs_human_digits(out, seconds / 86400, 3);
        cs_strbuf_puts(out, " d");
    }
}

void cs_human_duration(struct cs_strbuf *out, double seconds)
{
    if (!isfinite(seconds)) {
        cs_strbuf_puts(out, isinf(seconds) && seconds > 0 ? "never" : "?");
        return;
    }
    if (seconds < 0) {
        cs_strbuf_putc(out, '-');
        seconds = -seconds;
    }
    if (seconds == 0)
        cs_strbuf_puts(out, "0 s");
    else if (seconds < 59.95)
        put_short(out, seconds);
    else
        put_long(out, seconds);
}
