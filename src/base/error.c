/* error.c - messages for users, and the end of the line for bugs of ours. */
#include <cosched/error.h>

#include "base/bug.h"
#include "base/error.h"
#include "base/guard.h"
#include "base/plain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int error_set(struct cs_error *err, enum cs_error_kind kind, const char *format,
                     va_list args)
{
    if (!err || err->text[0])
        return -1;
    cs_plain_vprint(err->text, sizeof err->text, format, args);
    err->kind = kind;
    return -1;
}

int cs_error_set(struct cs_error *err, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    error_set(err, CS_ERROR_INPUT, format, args);
    va_end(args);
    return -1;
}

int cs_error_set_as(struct cs_error *err, enum cs_error_kind kind, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    error_set(err, kind, format, args);
    va_end(args);
    return -1;
}

static void put_where(struct cs_error *err, const char *where, long line)
{
    cs_plain_print(err->where, sizeof err->where, "%s", where);
    err->line = line;
}

int cs_error_set_at(struct cs_error *err, enum cs_error_kind kind, const char *where, long line,
                    const char *format, ...)
{
    char error_text[CS_ERROR_SIZE];
    va_list args;

    if (!err || err->text[0])
        return -1;
    where = where ? where : "";
    va_start(args, format);
    cs_plain_vprint(error_text, sizeof error_text, format, args);
    va_end(args);
    put_where(err, where, line);
    return line > 0 ? cs_error_set_as(err, kind, "%s:%ld: %s", where, line, error_text)
                    : cs_error_set_as(err, kind, "%s: %s", where, error_text);
}

int cs_error_pass(struct cs_error *err, const struct cs_error *why)
{
    if (err && why && !err->text[0])
        *err = *why;
    return -1;
}

int cs_error_prefix(struct cs_error *err, const char *format, ...)
{
    char prefix[CS_ERROR_SIZE];
    size_t length, rest;
    va_list args;

    if (!err)
        return -1;
    va_start(args, format);
    cs_plain_vprint(prefix, sizeof prefix - 2, format, args);
    va_end(args);
    strcat(prefix, ": ");
    length = strlen(prefix);
    rest = CS_ERROR_SIZE - 1 - length;
    memmove(err->text + length, err->text, rest);
    memcpy(err->text, prefix, length);
    err->text[CS_ERROR_SIZE - 1] = '\0';
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
    cs_guard_fail(bytes);
    fprintf(stderr, "cosched: out of memory: %zu more bytes were needed\n", bytes);
    abort();
}
