/* lines.c - a window over a source, cut at line ends.
 *
 * Lines are returned inside the window, their LF replaced by a NUL. When no LF is left, the rest
 * moves to the front and the window is filled up again, growing when one line fills it.
 */
#include "base/lines.h"
#include "base/guard.h"

#include "base/error.h"
#include "base/plain.h"
#include "base/source.h"

#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#define LONGEST_TEXT "1048576"
#define FIRST_WINDOW ((size_t)128 << 10)
#define LARGEST_WINDOW (CS_LINES_LONGEST + 3)

struct cs_lines {
    struct cs_source *source;
    char *name;
    char *window;
    size_t size, start, end; /* unread bytes are window[start .. end-1]; one more holds a NUL */
    size_t searched;         /* no LF in window[start .. start+searched-1] */
    long line;
    bool begun, ended, failed, utf16;
};

static struct cs_lines *lines_create(const char *name, struct cs_source *source)
{
    struct cs_lines *t = cs_block_resize(NULL, sizeof *t);
    const size_t length = strlen(name) + 1;

    *t = (struct cs_lines){
        .source = source,
        .name = cs_block_resize(NULL, length),
        .window = cs_block_resize(NULL, FIRST_WINDOW + 1),
        .size = FIRST_WINDOW,
    };
    memcpy(t->name, name, length);
    return t;
}

struct cs_lines *cs_lines_open_as(const char *path, const char *name, struct cs_error *err)
{
    struct cs_error why = {0};
    struct cs_source *source = cs_source_open(path, &why);

    if (!source) {
        cs_error_set_at(err, why.kind, name, 0, "%s", why.text);
        return NULL;
    }
    return lines_create(name, source);
}

struct cs_lines *cs_lines_open(const char *path, struct cs_error *err)
{
    return cs_lines_open_as(path, cs_source_name(path), err);
}

struct cs_lines *cs_lines_open_memory(const char *name, const void *bytes, size_t size)
{
    return lines_create(name, cs_source_open_memory(bytes, size));
}

void cs_lines_close(struct cs_lines *t)
{
    if (!t)
        return;
    cs_source_close(t->source);
    cs_block_free(t->window);
    cs_block_free(t->name);
    cs_block_free(t);
}

static int lines_fail(struct cs_lines *t, struct cs_error *err, const char *why)
{
    t->failed = true;
    return cs_lines_error(t, err, "%s", why);
}

static void lines_make_room(struct cs_lines *t)
{
    if (t->start) {
        memmove(t->window, t->window + t->start, t->end - t->start);
        t->end -= t->start;
        t->start = 0;
    }
    if (t->end == t->size) {
        t->size = 2 * t->size < LARGEST_WINDOW ? 2 * t->size : LARGEST_WINDOW;
        t->window = cs_block_resize(t->window, t->size + 1);
    }
}

static void see_byte_order_mark(struct cs_lines *t)
{
    if (t->end - t->start >= 3 && !memcmp(t->window + t->start, "\xef\xbb\xbf", 3))
        t->start += 3;
    t->utf16 = t->end - t->start >= 2 && (!memcmp(t->window + t->start, "\xff\xfe", 2) ||
                                          !memcmp(t->window + t->start, "\xfe\xff", 2));
}

static int lines_fill(struct cs_lines *t, struct cs_error *err)
{
    struct cs_error why = {0};
    size_t got;

    lines_make_room(t);
    if (cs_source_read(t->source, t->window + t->end, t->size - t->end, &got, &why)) {
        t->line++;
        t->failed = true;
        return cs_error_set_at(err, why.kind, t->name, t->line, "%s", why.text);
    }
    t->end += got;
    t->ended = !got;
    if (!t->begun)
        see_byte_order_mark(t);
    t->begun = true;
    return 0;
}

/* 1 with the end of the next line, which is the end of the window when the file ends there or the
 * line is too long; 0 when there is no line. */
static int find_end(struct cs_lines *t, char **end, struct cs_error *err)
{
    for (;;) {
        const size_t left = t->end - t->start;

        *end = memchr(t->window + t->start + t->searched, '\n', left - t->searched);
        if (*end)
            return 1;
        *end = t->window + t->end;
        if (t->ended || left > CS_LINES_LONGEST + 1)
            return left > 0;
        t->searched = left;
        if (lines_fill(t, err))
            return -1;
    }
}

int cs_lines_next(struct cs_lines *t, char **line, size_t *length, struct cs_error *err)
{
    char *end, *start;
    int more;

    if (t->failed)
        return cs_lines_error(t, err, "an earlier error ended the reading");
    more = find_end(t, &end, err);
    t->searched = 0;
    if (more <= 0)
        return more;
    start = t->window + t->start;
    t->line++;
    t->start = (size_t)(end - t->window) + (end < t->window + t->end);
    while (end > start && end[-1] == '\r')
        end--;
    *end = '\0';
    *line = start;
    *length = (size_t)(end - start);
    if (*length > CS_LINES_LONGEST)
        return lines_fail(t, err, "the line is longer than " LONGEST_TEXT " bytes");
    if (t->utf16)
        return lines_fail(t, err, "the file is UTF-16, expected UTF-8");
    if (memchr(start, '\0', *length))
        return lines_fail(t, err, "found a NUL byte, expected text");
    return 1;
}

int cs_lines_peek(struct cs_lines *t, const char **bytes, size_t *size, struct cs_error *err)
{
    if (!t->failed && t->start == t->end && !t->ended && lines_fill(t, err))
        return -1;
    *bytes = t->window + t->start;
    *size = t->end - t->start;
    return 0;
}

int cs_lines_rest(struct cs_lines *t, size_t limit, struct cs_strbuf *out, struct cs_error *err)
{
    const size_t before = out->length;
    struct cs_error why = {0};

    while (!t->ended || t->start < t->end) {
        cs_strbuf_append(out, t->window + t->start, t->end - t->start);
        t->start = t->end;
        t->searched = 0;
        if (out->length - before > limit)
            return cs_lines_error(t, err, "more than %zu MiB", limit >> 20);
        if (!t->ended && lines_fill(t, err))
            return -1;
    }
    if (cs_source_weigh(t->source, out->text, out->length, &why))
        return cs_error_set_at(err, why.kind, t->name, 0, "%s", why.text);
    return 0;
}

long cs_lines_number(const struct cs_lines *t)
{
    return t->line;
}

const char *cs_lines_name(const struct cs_lines *t)
{
    return t->name;
}

int cs_lines_error(const struct cs_lines *t, struct cs_error *err, const char *format, ...)
{
    char error_text[CS_ERROR_SIZE];
    va_list args;

    va_start(args, format);
    cs_plain_vprint(error_text, sizeof error_text, format, args);
    va_end(args);
    return cs_error_set_at(err, CS_ERROR_INPUT, t->name, t->line, "%s", error_text);
}
