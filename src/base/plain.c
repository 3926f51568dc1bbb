/* plain.c - the C locale, for this thread and as long as a call takes.
 *
 * Where there is no memory for a locale object (musl and glibc need none for "C") the locale stays.
 */
#include "base/plain.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

locale_t cs_plain_enter(void)
{
    const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);

    return c ? uselocale(c) : (locale_t)0;
}

void cs_plain_leave(locale_t before)
{
    if (before)
        freelocale(uselocale(before));
}

int cs_plain_vprint(char *text, size_t size, const char *format, va_list args)
{
    const locale_t before = cs_plain_enter();
    const int length = vsnprintf(text, size, format, args);

    cs_plain_leave(before);
    return length;
}

int cs_plain_print(char *text, size_t size, const char *format, ...)
{
    va_list args;
    int length;

    va_start(args, format);
    length = cs_plain_vprint(text, size, format, args);
    va_end(args);
    return length;
}

double cs_plain_double(const char *text, char **end)
{
    const locale_t before = cs_plain_enter();
    const double value = strtod(text, end);

    cs_plain_leave(before);
    return value;
}

char cs_plain_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

int cs_plain_compare(const char *a, const char *b)
{
    while (*a && cs_plain_lower(*a) == cs_plain_lower(*b)) {
        a++;
        b++;
    }
    return (unsigned char)cs_plain_lower(*a) - (unsigned char)cs_plain_lower(*b);
}

bool cs_plain_begins(const char *text, const char *word)
{
    while (*word && cs_plain_lower(*text) == cs_plain_lower(*word)) {
        text++;
        word++;
    }
    return !*word;
}

bool cs_plain_is_word(char c)
{
    const char small = cs_plain_lower(c);

    return (small >= 'a' && small <= 'z') || (c >= '0' && c <= '9');
}
