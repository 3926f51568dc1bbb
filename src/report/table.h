/* table.h - one description of a table, three outputs.
 *
 *   TABLE  for people: headings, a row of units, numbers right and words left, aligned in a
 *          terminal, friendly numbers (columns set the number of digits); "-" for unknown values
 *   CSV    for machines: keys as header, the shortest digits that read back as the same double
 *   JSON   an array of objects, one to a row, keys in the order of the columns; numbers as in
 *          CSV, null for unknown values and numbers that are not finite
 *
 *   struct cs_table *t = cs_table_create(columns, 2);
 *   cs_table_text(t, "pack-approx");
 *   cs_table_number(t, 35.25);             the row is complete, the next cell begins a new one
 *   cs_table_write(t, CS_TABLE_TEXT, 0, &out);
 */
#ifndef CS_REPORT_TABLE_H
#define CS_REPORT_TABLE_H

#include "base/strbuf.h"

#include <cosched/error.h>
#include <stdbool.h>

enum cs_column_kind {
    CS_COLUMN_WORD = 1, /* words, left */
    CS_COLUMN_COUNT,    /* whole numbers: 12,345 */
    CS_COLUMN_NUMBER,   /* `digits` after the point: 12.50 */
    CS_COLUMN_DIGITS,   /* `digits` significant ones: 0.0123 */
    CS_COLUMN_SECONDS,  /* a duration in seconds: 1 h 12 min */
    CS_COLUMN_FRACTION, /* a fraction as per cent with `digits` after the point: 23.4 % */
    CS_COLUMN_BOOLEAN,  /* "yes" or ""; true and false for machines */
};

struct cs_column {
    const char *key;     /* CSV and JSON: lower case with underscores, the unit in it */
    const char *heading; /* for people; NULL: the key */
    const char *unit;    /* for people, in a separate row; or NULL */
    enum cs_column_kind kind;
    int digits;
    bool hidden; /* only in CSV and JSON */
};

enum cs_table_format { CS_TABLE_TEXT = 1, CS_TABLE_CSV, CS_TABLE_JSON };

struct cs_table;

/* The columns are copied, their texts must outlive the table.  The caller destroys it. */
struct cs_table *cs_table_create(const struct cs_column *columns, int count);
void cs_table_destroy(struct cs_table *table); /* NULL is fine */

/* The next cell of the row.  A cell of another kind than its column is a bug. */
void cs_table_text(struct cs_table *table, const char *text); /* copied; NULL: unknown */
void cs_table_number(struct cs_table *table, double value);   /* NUMBER .. FRACTION; NaN: unknown */
void cs_table_count(struct cs_table *table, long long value); /* COUNT, BOOLEAN */
void cs_table_unknown(struct cs_table *table);                /* any kind */

int cs_table_rows(const struct cs_table *table); /* complete ones */

/* Append the table.  `width` counts columns of the terminal (0: as wide as it gets): words are
 * elided in it, the widest first, never below 8 columns.  An incomplete row is a bug. */
void cs_table_write(const struct cs_table *table, enum cs_table_format format, int width,
                    struct cs_strbuf *out);

/* Append the table for people in so many columns of a terminal: words are elided, the widest first,
 * never below 12 columns, and columns that do not fit on the right are left out, except the first;
 * a line below states this. */
void cs_table_fit(const struct cs_table *table, int width, struct cs_strbuf *out);

/* Text as a field of CSV (RFC 4180): in quotes when it needs them. */
void cs_table_put_csv(struct cs_strbuf *out, const char *text);

#endif
