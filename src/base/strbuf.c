/* strbuf.c - text that grows by doubling. */
#include "base/strbuf.h"

#include "base/bug.h"
#include "base/decimal.h"
#include "base/guard.h"
#include "base/plain.h"
#include "base/utf8.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define USUAL 32 /* bytes that one printf adds, mostly */

char cs_strbuf_empty[1];

/* A text has this in front of it, which keeps it aligned for anything. */
struct head {
    struct cs_guarded guarded;
};

static struct head *head_of(const struct cs_strbuf *buf)
{
    return buf->capacity ? (struct head *)(void *)buf->text - 1 : NULL;
}

static void strbuf_drop(struct cs_guarded *head)
{
    free(head);
}

static void strbuf_grow(struct cs_strbuf *buf, size_t more)
{
    size_t capacity = buf->capacity ? buf->capacity : 64;
    struct head *head = head_of(buf), *larger;

    while (capacity - buf->length <= more)
        capacity *= 2;
    larger = cs_guard_resize(head, sizeof *larger + capacity, strbuf_drop);
    buf->text = (char *)(larger + 1);
    buf->capacity = capacity;
}

static inline void strbuf_reserve(struct cs_strbuf *buf, size_t more)
{
    if (more >= buf->capacity - buf->length)
        strbuf_grow(buf, more);
}

char *cs_strbuf_room(struct cs_strbuf *buf, size_t more)
{
    strbuf_reserve(buf, more);
    return buf->text + buf->length;
}

void cs_strbuf_wrote(struct cs_strbuf *buf, size_t length)
{
    CS_REQUIRE(length < buf->capacity - buf->length);
    buf->length += length;
    buf->text[buf->length] = '\0';
}

void cs_strbuf_release(struct cs_strbuf *buf)
{
    if (buf->capacity) {
        cs_guard_discard(&head_of(buf)->guarded);
        free(head_of(buf));
    }
    *buf = (struct cs_strbuf)CS_STRBUF_INIT;
}

char *cs_strbuf_take(struct cs_strbuf *buf)
{
    char *copy = malloc(buf->length + 1);

    if (!copy)
        cs_bug_no_memory(buf->length + 1);
    memcpy(copy, buf->text, buf->length + 1);
    cs_strbuf_release(buf);
    return copy;
}

void cs_strbuf_clear(struct cs_strbuf *buf)
{
    buf->length = 0;
    if (buf->capacity)
        buf->text[0] = '\0';
}

void cs_strbuf_append(struct cs_strbuf *buf, const char *bytes, size_t length)
{
    strbuf_reserve(buf, length);
    if (length)
        memcpy(buf->text + buf->length, bytes, length);
    buf->length += length;
    buf->text[buf->length] = '\0';
}

void cs_strbuf_puts(struct cs_strbuf *buf, const char *text)
{
    cs_strbuf_append(buf, text, strlen(text));
}

void cs_strbuf_putc(struct cs_strbuf *buf, char c)
{
    strbuf_reserve(buf, 1);
    buf->text[buf->length++] = c;
    buf->text[buf->length] = '\0';
}

/* Two digits in front of `end`. */
static inline char *print_pair(char *end, unsigned value)
{
    end[-1] = (char)('0' + value % 10);
    end[-2] = (char)('0' + value / 10);
    return end - 2;
}

/* The digits, at the end of `end`. */
static char *print_digits(char *end, uint64_t value)
{
    for (; value >= 100; value /= 100)
        end = print_pair(end, (unsigned)(value % 100));
    if (value >= 10)
        return print_pair(end, (unsigned)value);
    *--end = (char)('0' + value);
    return end;
}

void cs_strbuf_put_uint(struct cs_strbuf *buf, uint64_t value)
{
    char text[20], *end = text + sizeof text, *start = print_digits(end, value);

    cs_strbuf_append(buf, start, (size_t)(end - start));
}

void cs_strbuf_put_int(struct cs_strbuf *buf, int64_t value)
{
    if (value < 0)
        cs_strbuf_putc(buf, '-');
    cs_strbuf_put_uint(buf, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static int print_into_room(struct cs_strbuf *buf, const char *format, va_list args)
{
    return cs_plain_vprint(buf->text + buf->length, buf->capacity - buf->length, format, args);
}

void cs_strbuf_printf(struct cs_strbuf *buf, const char *format, ...)
{
    va_list args, again;
    int length;

    va_start(args, format);
    va_copy(again, args);
    strbuf_reserve(buf, USUAL);
    length = print_into_room(buf, format, args);
    va_end(args);
    CS_REQUIRE(length >= 0);
    if ((size_t)length >= buf->capacity - buf->length) {
        strbuf_reserve(buf, (size_t)length);
        print_into_room(buf, format, again);
    }
    va_end(again);
    buf->length += (size_t)length;
}

/* With zeros in front as far as the point wants them. */
static void put_decimal(struct cs_strbuf *buf, struct cs_decimal decimal)
{
    char text[48], *end = text + sizeof text, *start = end;
    int left = decimal.places;

    for (; left >= 2; left -= 2, decimal.digits /= 100)
        start = print_pair(start, (unsigned)(decimal.digits % 100));
    for (; left > 0; left--, decimal.digits /= 10)
        *--start = (char)('0' + decimal.digits % 10);
    if (decimal.places)
        *--start = '.';
    start = print_digits(start, decimal.digits);
    cs_strbuf_append(buf, start, (size_t)(end - start));
}

/* Less common values: "1e+300", "5e-324". */
static void put_by_trial(struct cs_strbuf *buf, double value)
{
    char text[40];

    for (int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG; digits <= 17; digits++) {
        cs_plain_print(text, sizeof text, "%.*g", digits, value);
        if (cs_plain_double(text, NULL) == value)
            break;
    }
    cs_strbuf_puts(buf, text);
}

void cs_strbuf_put_double(struct cs_strbuf *buf, double value)
{
    struct cs_decimal decimal;

    if (!isfinite(value)) {
        cs_strbuf_puts(buf, isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        return;
    }
    if (!cs_decimal_shortest(fabs(value), &decimal)) {
        put_by_trial(buf, value);
        return;
    }
    if (value < 0)
        cs_strbuf_putc(buf, '-');
    put_decimal(buf, decimal);
}

void cs_strbuf_put_shown(struct cs_strbuf *buf, const char *text, size_t length, bool lines)
{
    char form[CS_UTF8_FORM];
    size_t plain = 0;

    for (size_t at = 0; at < length;) {
        const unsigned char c = (unsigned char)text[at];
        int used = 1;

        if ((c >= 0x20 && c < 0x7f) || (lines && (c == '\n' || c == '\t'))) {
            plain++;
        } else {
            cs_strbuf_append(buf, text + at - plain, plain);
            plain = 0;
            used = cs_utf8_show(text + at, form);
            cs_strbuf_puts(buf, form);
        }
        at += (size_t)used;
    }
    cs_strbuf_append(buf, text + length - plain, plain);
}

void cs_strbuf_put_excerpt(struct cs_strbuf *buf, const char *text)
{
    const size_t start = buf->length;
    char form[CS_UTF8_FORM];

    cs_strbuf_putc(buf, '"');
    while (*text && buf->length - start < 60) {
        text += cs_utf8_show(text, form);
        cs_strbuf_puts(buf, form);
    }
    cs_strbuf_puts(buf, *text ? "...\"" : "\"");
}

void cs_strbuf_put_shell(struct cs_strbuf *buf, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=,+@%-";

    if (*word && !word[strspn(word, plain)]) {
        cs_strbuf_puts(buf, word);
        return;
    }
    cs_strbuf_putc(buf, '\'');
    for (; *word; word++)
        if (*word == '\'')
            cs_strbuf_puts(buf, "'\\''");
        else
            cs_strbuf_putc(buf, *word);
    cs_strbuf_putc(buf, '\'');
}

void cs_strbuf_put_ranges(struct cs_strbuf *buf, const bool *set, int count)
{
    const char *comma = "";

    for (int first = 0, last; first < count; first = last + 1) {
        last = first;
        if (!set[first])
            continue;
        while (last + 1 < count && set[last + 1])
            last++;
        cs_strbuf_printf(buf, "%s%d", comma, first + 1);
        if (last > first)
            cs_strbuf_printf(buf, "-%d", last + 1);
        comma = ",";
    }
}
