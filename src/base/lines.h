/* lines.h - the lines of a file.
 *
 * Plain, gzip, xz or zstd by the first bytes; "-" is standard input.  Lines end with LF, before
 * which CRs are dropped, the last one may lack it; a byte order mark of UTF-8 at the start is
 * skipped.  UTF-16, a NUL byte and a line of more than CS_LINES_LONGEST bytes are refused.  Memory
 * use depends on the longest line, not on the file.  Messages read "FILE:LINE: what".
 */
#ifndef CS_BASE_LINES_H
#define CS_BASE_LINES_H

#include "base/strbuf.h"

#include <cosched/error.h>
#include <stddef.h>

#define CS_LINES_LONGEST ((size_t)1 << 20)

struct cs_lines;

/* The caller closes it.  NULL when it cannot be opened. */
struct cs_lines *cs_lines_open(const char *path, struct cs_error *err);

/* The same, called otherwise in messages. */
struct cs_lines *cs_lines_open_as(const char *path, const char *name, struct cs_error *err);

/* The bytes stay the caller's and must outlive the reader; `name` is for messages and is copied.
 * Packed bytes are unpacked here too. */
struct cs_lines *cs_lines_open_memory(const char *name, const void *bytes, size_t size);

void cs_lines_close(struct cs_lines *lines); /* NULL is fine */

/* 1: *line holds the next line without its end, followed by a NUL; the caller may scribble on
 * it, it lasts until the next call.  0: there are no more lines.  -1: an error, for good. */
int cs_lines_next(struct cs_lines *lines, char **line, size_t *length, struct cs_error *err);

/* The bytes that come next, as many as are at hand: none only at the end.  They stay where they
 * are. */
int cs_lines_peek(struct cs_lines *lines, const char **bytes, size_t *size, struct cs_error *err);

/* Append all that is left, as it is in the file, for readers of other things than lines.  More than
 * `limit` bytes are refused. */
int cs_lines_rest(struct cs_lines *lines, size_t limit, struct cs_strbuf *out,
                  struct cs_error *err);

/* The number of the line that came last, from 1; 0 before the first. */
long cs_lines_number(const struct cs_lines *lines);

/* The file as messages call it. */
const char *cs_lines_name(const struct cs_lines *lines);

/* Put "FILE:LINE: " and the sentence into err, for the line that came last.  Returns -1. */
int cs_lines_error(const struct cs_lines *lines, struct cs_error *err, const char *format, ...)
    CS_PRINTF(3, 4);

#endif
