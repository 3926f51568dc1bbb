/* error.c - messages for users, and the end of the line for bugs of ours. */
#include <cosched/error.h>

#include "base/bug.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cs_error_set(struct cs_error *err, const char *format, ...)
{
    va_list args;

    if (!err || err->text[0])
        return -1;
    va_start(args, format);
    vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    return -1;
}

int cs_error_prefix(struct cs_error *err, const char *format, ...)
{
    struct cs_error old;
    va_list args;
    int length;

    if (!err)
        return -1;
    old = *err;
    va_start(args, format);
    length = vsnprintf(err->text, sizeof err->text, format, args);
    va_end(args);
    if (length >= 0 && (size_t)length < sizeof err->text)
        snprintf(err->text + length, sizeof err->text - (size_t)length, ": %s", old.text);
    return -1;
}

void cs_bug(const char *format, ...)
{
    va_list args;

    fputs("cosched: internal error: ", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fputc('\n', stderr);
    abort();
}

void cs_bug_no_memory(size_t bytes)
{
    fprintf(stderr, "cosched: out of memory: %zu more bytes were needed\n", bytes);
    abort();
}
