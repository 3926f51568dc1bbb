/* csv.h - tables in text: comma-separated values with a header row.
 *
 * The first row names the columns; names are looked up without regard to case.  Fields are
 * quoted as in RFC 4180: "a ""b"", c", also over several lines.  Blanks around names, fields and
 * quotes are not part of them (blanks inside quotes are).  Blank lines are skipped, and comments:
 * lines whose first byte is '#', or whose first character after blanks is and that have another
 * number of fields than the header.  Every row must have as many fields as the header.
 * The file is read as in base/lines.h: gzip, xz and "-" are fine.
 *
 * Messages read "FILE:LINE: column NAME: found "abc", expected a positive number".
 */
#ifndef CS_BASE_CSV_H
#define CS_BASE_CSV_H

#include "base/number.h"
#include "base/strbuf.h"

#include <cosched/error.h>
#include <stddef.h>

struct cs_csv;

/* Open and read the header.  The caller closes it.  NULL when it cannot be read, has no header,
 * or names a column twice. */
struct cs_csv *cs_csv_open(const char *path, struct cs_error *err);
struct cs_csv *cs_csv_open_memory(const char *name, const void *bytes, size_t size,
                                  struct cs_error *err);

/* The same, where commas, semicolons, tabs, or blanks may separate the fields: what the header has
 * most of. */
struct cs_csv *cs_csv_open_any(const char *name, const void *bytes, size_t size,
                               struct cs_error *err);

void cs_csv_close(struct cs_csv *csv); /* NULL is fine */

/* Comments so far that have as many fields as the header, as a row would whose name begins with '#'
 * and is not in quotes. */
int cs_csv_comments(const struct cs_csv *csv);

/* The rest of the first comment that begins with "# known: ", so far; or NULL. */
const char *cs_csv_known(const struct cs_csv *csv);

int cs_csv_columns(const struct cs_csv *csv);
const char *cs_csv_column_name(const struct cs_csv *csv, int column);

/* The index of the column, -1 if it does not exist. */
int cs_csv_find(const struct cs_csv *csv, const char *name);

/* The same, where its lack is an error; the message lists the columns that there are. */
int cs_csv_require(const struct cs_csv *csv, const char *name, struct cs_error *err);

/* The same for all of "a,b,c", which the message lists as expected; their indices in order. */
int cs_csv_require_all(const struct cs_csv *csv, const char *names, int *column,
                       struct cs_error *err);

/* 1: there is another row, 0: end, -1: an error, for good. */
int cs_csv_next(struct cs_csv *csv, struct cs_error *err);

/* The line on which the row begins (the header before the first next), and the file as messages
 * call it. */
long cs_csv_line(const struct cs_csv *csv);
const char *cs_csv_name(const struct cs_csv *csv);

/* A field of the row, never NULL; valid until the next row. */
const char *cs_csv_text(const struct cs_csv *csv, int column);

/* A field that must not be empty, as a name. */
int cs_csv_word(const struct cs_csv *csv, int column, const char **out, struct cs_error *err);

/* Set err: the value of a field is not the expected one, such as "a name". Returns -1. */
int cs_csv_unexpected(const struct cs_csv *csv, int column, const char *wanted,
                      struct cs_error *err);

/* A field as a number: -1 when it is not one, or not such a one. */
int cs_csv_double(const struct cs_csv *csv, int column, enum cs_number_want want, double *out,
                  struct cs_error *err);
int cs_csv_int(const struct cs_csv *csv, int column, int low, int high, int *out,
               struct cs_error *err);

/* Put "FILE:LINE: column NAME: " and the sentence into err; without the column when it is -1.
 * Returns -1. */
int cs_csv_error(const struct cs_csv *csv, int column, struct cs_error *err, const char *format,
                 ...) CS_PRINTF(4, 5);

/* Append the field, in quotes when it needs them to be read back unchanged. */
void cs_csv_quote(struct cs_strbuf *out, const char *field);

/* Put an apostrophe before each cell of a table that a spreadsheet would read as a formula: cells
 * that begin with = + - @ tab or CR and are not numbers. */
void cs_csv_make_safe(struct cs_strbuf *table);

#endif
