/* csv.c - rows parsed from lines.
 *
 * A row is one line, or several when a quoted field contains line ends; then the lines are joined
 * in `row` first. Fields are unquoted in place and stored by their offset.
 */
#include "base/csv.h"

#include "base/bug.h"
#include "base/error.h"
#include "base/guard.h"
#include "base/lines.h"
#include "base/plain.h"
#include "base/vector.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_COLUMNS 65536

struct cs_csv {
    struct cs_lines *lines;
    struct cs_strbuf row;   /* its text, cut up into fields */
    struct cs_strbuf names; /* the same of the header */
    struct cs_strbuf known; /* the comment "# known: ...", without these words */
    size_t *field, *name;   /* offsets in `row` and `names` */
    int fields, columns, room;
    int comments;   /* lines that have as many fields as the header */
    long line;      /* where the row begins */
    char separator; /* a comma, semicolon, tab, or a blank for any number of blanks and tabs */
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Blanks around fields are not part of them. */
static bool is_around(const struct cs_csv *csv, char c)
{
    return is_blank(c) && c != csv->separator && csv->separator != ' ';
}

static bool is_separator(const struct cs_csv *csv, char c)
{
    return csv->separator == ' ' ? is_blank(c) : c == csv->separator;
}

/* How many fields a line has that is not cut up. */
static int count_fields(const struct cs_csv *csv, const char *line)
{
    int count = csv->separator != ' ';
    bool quoted = false, before = true;

    for (; *line; line++) {
        const bool separates = !quoted && is_separator(csv, *line);

        quoted ^= *line == '"';
        count += csv->separator == ' ' ? before && !separates : separates;
        before = separates;
    }
    return count;
}

#define KNOWN "# known: "

/* Blank, or a comment.  A comment that could be a row is counted; a '#' behind blanks begins a row
 * that has as many fields as the header. */
static bool is_skipped(struct cs_csv *csv, const char *line)
{
    const char *first = line;
    bool fits;

    while (is_blank(*first))
        first++;
    if (*first != '#')
        return !*first;
    if (first == line && !strncmp(line, KNOWN, sizeof KNOWN - 1) && !csv->known.length) {
        cs_strbuf_puts(&csv->known, line + sizeof KNOWN - 1);
        return true;
    }
    fits = csv->columns > 0 && count_fields(csv, line) == csv->columns;
    csv->comments += fits && first == line;
    return first == line || !fits;
}

static int error_at(const struct cs_csv *csv, struct cs_error *err, const char *error_text)
{
    return cs_error_set_at(err, CS_ERROR_INPUT, cs_lines_name(csv->lines), csv->line, "%s",
                           error_text);
}

/* The state of the parser within a row. */
enum place { BEFORE_FIELD, IN_BARE_FIELD, IN_QUOTES, AT_QUOTE, AFTER_QUOTES };

static enum place csv_advance(const struct cs_csv *csv, enum place place, char c)
{
    if (place == IN_QUOTES)
        return c == '"' ? AT_QUOTE : IN_QUOTES;
    if (is_separator(csv, c))
        return BEFORE_FIELD;
    if (c == '"' && (place == BEFORE_FIELD || place == AT_QUOTE))
        return IN_QUOTES;
    if (is_around(csv, c) && place == BEFORE_FIELD)
        return BEFORE_FIELD;
    return place == AT_QUOTE || place == AFTER_QUOTES ? AFTER_QUOTES : IN_BARE_FIELD;
}

static bool ends_quoted(const struct cs_csv *csv, const char *piece, bool quoted)
{
    enum place place = quoted ? IN_QUOTES : BEFORE_FIELD;

    if (!quoted && !strchr(piece, '"'))
        return false;
    for (; *piece; piece++)
        place = csv_advance(csv, place, *piece);
    return place == IN_QUOTES;
}

/* The most frequent separator of the header outside quotes; blanks if it has no other. */
static char find_separator(const char *header)
{
    static const char separators[] = ",;\t";
    int count[3] = {0}, best = 0;
    bool quoted = false;

    for (; *header; header++) {
        const char *found = strchr(separators, *header);

        quoted ^= *header == '"';
        if (found && !quoted)
            count[found - separators]++;
    }
    for (int s = 1; s < 3; s++)
        best = count[s] > count[best] ? s : best;
    return count[best] ? separators[best] : ' ';
}

/* Put the lines of the next row together.  1, 0 or -1 as next. */
static int csv_gather(struct cs_csv *csv, struct cs_error *err)
{
    bool quoted;
    size_t length;
    char *line;
    int more;

    do {
        more = cs_lines_next(csv->lines, &line, &length, err);
        if (more <= 0)
            return more;
    } while (is_skipped(csv, line));
    if (!csv->separator)
        csv->separator = find_separator(line);
    csv->line = cs_lines_number(csv->lines);
    cs_strbuf_clear(&csv->row);
    cs_strbuf_append(&csv->row, line, length);
    quoted = ends_quoted(csv, line, false);
    while (quoted) {
        more = cs_lines_next(csv->lines, &line, &length, err);
        if (more < 0)
            return -1;
        if (!more)
            return error_at(csv, err, "a quote of this row is never closed");
        if (csv->row.length + length > CS_LINES_LONGEST)
            return error_at(csv, err, "the row is longer than a mebibyte: is a quote not closed?");
        cs_strbuf_putc(&csv->row, '\n');
        cs_strbuf_append(&csv->row, line, length);
        quoted = ends_quoted(csv, line, true);
    }
    return 1;
}

static void add_field(struct cs_csv *csv, const char *field)
{
    CS_BLOCK_ROOM(csv->field, csv->fields, csv->room, 16);
    csv->field[csv->fields++] = (size_t)(field - csv->row.text);
}

/* Undo the quotes of the field that begins at `at`; returns what follows the closing quote. */
static char *csv_unquote(char *at)
{
    char *to = at;

    for (at++; *at != '"' || at[1] == '"'; at++) {
        at += *at == '"';
        *to++ = *at;
    }
    *to = '\0';
    return at + 1;
}

static char *skip_around(const struct cs_csv *csv, char *at)
{
    while (is_around(csv, *at))
        at++;
    return at;
}

static void trim_end(const struct cs_csv *csv, char *start, char *end)
{
    while (end > start && is_around(csv, end[-1]))
        end--;
    *end = '\0';
}

/* The end of a field that begins at `start`, quotes undone; NULL if text follows its closing
 * quote. */
static char *end_field(const struct cs_csv *csv, char *start)
{
    char *end = start;

    if (*start == '"') {
        end = skip_around(csv, csv_unquote(start));
        return *end && !is_separator(csv, *end) ? NULL : end;
    }
    while (*end && !is_separator(csv, *end))
        end++;
    return end;
}

static char *skip_blanks(const struct cs_csv *csv, char *at)
{
    while (csv->separator == ' ' && is_blank(*at))
        at++;
    return at;
}

/* Cut the row into fields. */
static int csv_cut(struct cs_csv *csv, struct cs_error *err)
{
    char *at = skip_blanks(csv, csv->row.text);
    bool more = true;

    csv->fields = 0;
    while (more) {
        char *start = skip_around(csv, at), *end = end_field(csv, start);
        bool quoted = *start == '"';

        if (!end)
            return cs_csv_error(csv, -1, err,
                                "field %d: found text after its closing quote, expected %s",
                                csv->fields + 1, csv->separator == ',' ? "a comma" : "its end");
        if (csv->fields == MOST_COLUMNS)
            return error_at(csv, err, "the row has more than 65536 fields");
        at = skip_blanks(csv, *end ? end + 1 : end);
        more = csv->separator == ' ' ? *at : *end;
        if (!quoted)
            trim_end(csv, start, end);
        add_field(csv, start);
    }
    return 0;
}

struct named {
    const char *name;
    int column;
};

static int by_name(const void *left, const void *right)
{
    const struct named *a = left, *b = right;
    const int difference = cs_plain_compare(a->name, b->name);

    return difference ? difference : a->column - b->column;
}

static int neighbours_alike(const struct cs_csv *csv, const struct named *named,
                            struct cs_error *err)
{
    for (int c = 1; c < csv->columns; c++) {
        const struct named *a = &named[c - 1], *b = &named[c];

        if (*a->name && !cs_plain_compare(a->name, b->name))
            return cs_csv_error(csv, -1, err, "columns %d and %d are both called %s", a->column + 1,
                                b->column + 1, b->name);
    }
    return 0;
}

static int same_name_twice(const struct cs_csv *csv, struct cs_error *err)
{
    const size_t size = (size_t)csv->columns * sizeof(struct named);
    struct named *named = cs_block_resize(NULL, size);
    int status;

    for (int c = 0; c < csv->columns; c++)
        named[c] = (struct named){.name = cs_csv_column_name(csv, c), .column = c};
    qsort(named, (size_t)csv->columns, sizeof *named, by_name);
    status = neighbours_alike(csv, named, err);
    cs_block_free(named);
    return status;
}

/* The row that was read becomes the header. */
static void keep_header(struct cs_csv *csv)
{
    csv->names = csv->row;
    csv->name = csv->field;
    csv->columns = csv->fields;
    csv->row = (struct cs_strbuf)CS_STRBUF_INIT;
    csv->field = NULL;
    csv->room = csv->fields = 0;
    for (int c = 0; c < csv->columns; c++)
        add_field(csv, csv->row.text);
}

static int read_header(struct cs_csv *csv, struct cs_error *err)
{
    const int more = csv_gather(csv, err);

    if (more < 0)
        return -1;
    if (!more)
        return cs_error_set(err, "%s: empty, expected a row with the names of the columns",
                            cs_lines_name(csv->lines));
    if (csv_cut(csv, err))
        return -1;
    keep_header(csv);
    return same_name_twice(csv, err);
}

static struct cs_csv *csv_create(struct cs_lines *lines, char separator, struct cs_error *err)
{
    struct cs_csv *csv;

    if (!lines)
        return NULL;
    csv = cs_block_resize(NULL, sizeof *csv);
    *csv = (struct cs_csv){
        .lines = lines, .row = CS_STRBUF_INIT, .names = CS_STRBUF_INIT, .separator = separator};
    if (!read_header(csv, err))
        return csv;
    cs_csv_close(csv);
    return NULL;
}

struct cs_csv *cs_csv_open(const char *path, struct cs_error *err)
{
    return csv_create(cs_lines_open(path, err), ',', err);
}

struct cs_csv *cs_csv_open_memory(const char *name, const void *bytes, size_t size,
                                  struct cs_error *err)
{
    return csv_create(cs_lines_open_memory(name, bytes, size), ',', err);
}

struct cs_csv *cs_csv_open_any(const char *name, const void *bytes, size_t size,
                               struct cs_error *err)
{
    return csv_create(cs_lines_open_memory(name, bytes, size), '\0', err);
}

void cs_csv_close(struct cs_csv *csv)
{
    if (!csv)
        return;
    cs_lines_close(csv->lines);
    cs_strbuf_release(&csv->row);
    cs_strbuf_release(&csv->names);
    cs_strbuf_release(&csv->known);
    cs_block_free(csv->field);
    cs_block_free(csv->name);
    cs_block_free(csv);
}

int cs_csv_columns(const struct cs_csv *csv)
{
    return csv->columns;
}

int cs_csv_comments(const struct cs_csv *csv)
{
    return csv->comments;
}

const char *cs_csv_known(const struct cs_csv *csv)
{
    return csv->known.length ? csv->known.text : NULL;
}

const char *cs_csv_column_name(const struct cs_csv *csv, int column)
{
    CS_REQUIRE(column >= 0 && column < csv->columns);
    return csv->names.text + csv->name[column];
}

int cs_csv_find(const struct cs_csv *csv, const char *name)
{
    for (int c = 0; c < csv->columns; c++) {
        if (!cs_plain_compare(cs_csv_column_name(csv, c), name))
            return c;
    }
    return -1;
}

static void list_columns(const struct cs_csv *csv, struct cs_strbuf *out)
{
    for (int c = 0; c < csv->columns && out->length < 400; c++) {
        const char *name = cs_csv_column_name(csv, c);

        if (*name)
            cs_strbuf_printf(out, "%s%.60s", out->length ? ", " : "", name);
    }
    if (out->length >= 400)
        cs_strbuf_puts(out, ", ...");
}

static int csv_missing(const struct cs_csv *csv, const char *name, const char *first,
                       struct cs_error *err)
{
    struct cs_strbuf names = CS_STRBUF_INIT;

    list_columns(csv, &names);
    cs_csv_error(csv, -1, err, "there is no column %s, only: %s%s%s", name, names.text,
                 first ? "; a correct first line is " : "", first ? first : "");
    cs_strbuf_release(&names);
    return -1;
}

int cs_csv_require(const struct cs_csv *csv, const char *name, struct cs_error *err)
{
    const int column = cs_csv_find(csv, name);

    return column >= 0 ? column : csv_missing(csv, name, NULL, err);
}

int cs_csv_require_all(const struct cs_csv *csv, const char *names, int *column,
                       struct cs_error *err)
{
    char name[64];

    for (const char *at = names; *at; at += strspn(at, ",")) {
        const size_t length = strcspn(at, ",");

        CS_REQUIRE(length < sizeof name);
        memcpy(name, at, length);
        name[length] = '\0';
        *column = cs_csv_find(csv, name);
        if (*column++ < 0)
            return csv_missing(csv, name, names, err);
        at += length;
    }
    return 0;
}

static int wrong_count(const struct cs_csv *csv, struct cs_error *err)
{
    struct cs_strbuf names = CS_STRBUF_INIT;

    list_columns(csv, &names);
    cs_csv_error(csv, -1, err, "found %d field%s, expected %d: %s", csv->fields,
                 csv->fields == 1 ? "" : "s", csv->columns, names.text);
    cs_strbuf_release(&names);
    return -1;
}

int cs_csv_next(struct cs_csv *csv, struct cs_error *err)
{
    const int more = csv_gather(csv, err);

    if (more <= 0)
        return more;
    if (csv_cut(csv, err))
        return -1;
    return csv->fields == csv->columns ? 1 : wrong_count(csv, err);
}

long cs_csv_line(const struct cs_csv *csv)
{
    return csv->line;
}

const char *cs_csv_name(const struct cs_csv *csv)
{
    return cs_lines_name(csv->lines);
}

const char *cs_csv_text(const struct cs_csv *csv, int column)
{
    CS_REQUIRE(column >= 0 && column < csv->columns && column < csv->fields);
    return csv->row.text + csv->field[column];
}

int cs_csv_error(const struct cs_csv *csv, int column, struct cs_error *err, const char *format,
                 ...)
{
    char error_text[CS_ERROR_SIZE];
    va_list args;

    va_start(args, format);
    cs_plain_vprint(error_text, sizeof error_text, format, args);
    va_end(args);
    if (column < 0)
        return error_at(csv, err, error_text);
    return cs_error_set_at(err, CS_ERROR_INPUT, cs_csv_name(csv), csv->line, "column %.60s: %s",
                           cs_csv_column_name(csv, column), error_text);
}

int cs_csv_unexpected(const struct cs_csv *csv, int column, const char *wanted,
                      struct cs_error *err)
{
    const char *field = cs_csv_text(csv, column);
    struct cs_strbuf found = CS_STRBUF_INIT;

    if (!*field)
        return cs_csv_error(csv, column, err, "empty, expected %s", wanted);
    cs_strbuf_put_excerpt(&found, field);
    cs_csv_error(csv, column, err, "found %s, expected %s", found.text, wanted);
    cs_strbuf_release(&found);
    return -1;
}

int cs_csv_word(const struct cs_csv *csv, int column, const char **out, struct cs_error *err)
{
    const char *field = cs_csv_text(csv, column);

    if (!*field)
        return cs_csv_unexpected(csv, column, "a name", err);
    *out = field;
    return 0;
}

int cs_csv_double(const struct cs_csv *csv, int column, enum cs_number_want want, double *out,
                  struct cs_error *err)
{
    double value;

    if (cs_number_double(cs_csv_text(csv, column), &value) > CS_NUMBER_NAN ||
        !cs_number_meets(value, want))
        return cs_csv_unexpected(csv, column, cs_number_wanted(want), err);
    *out = value;
    return 0;
}

int cs_csv_int(const struct cs_csv *csv, int column, int low, int high, int *out,
               struct cs_error *err)
{
    char wanted[80];
    int value;

    if (!cs_number_int(cs_csv_text(csv, column), &value) && value >= low && value <= high) {
        *out = value;
        return 0;
    }
    if (high == INT_MAX)
        cs_plain_print(wanted, sizeof wanted, "a whole number of at least %d", low);
    else
        cs_plain_print(wanted, sizeof wanted, "a whole number from %d to %d", low, high);
    return cs_csv_unexpected(csv, column, wanted, err);
}

static bool needs_quotes(const char *field)
{
    const size_t length = strlen(field);

    return field[strcspn(field, ",\"\r\n")] || field[0] == '#' || is_blank(field[0]) ||
           (length && is_blank(field[length - 1]));
}

void cs_csv_quote(struct cs_strbuf *out, const char *field)
{
    if (!needs_quotes(field)) {
        cs_strbuf_puts(out, field);
        return;
    }
    cs_strbuf_putc(out, '"');
    for (; *field; field++) {
        if (*field == '"')
            cs_strbuf_putc(out, '"');
        cs_strbuf_putc(out, *field);
    }
    cs_strbuf_putc(out, '"');
}

/* Where the cell that begins here ends: at its comma or the end of its line. */
static size_t csv_cell_length(const char *cell)
{
    size_t length = 0;

    for (bool quoted = false; cell[length]; length++) {
        quoted ^= cell[length] == '"';
        if (!quoted && strchr(",\n", cell[length]))
            break;
    }
    return length;
}

/* Do spreadsheets read the cell as a formula? Numbers are not formulas. */
static bool is_csv_formula(const char *cell, size_t length)
{
    char text[64] = "";
    double value;

    if (!length || !strchr("=+-@\t\r", *cell))
        return false;
    if (length < sizeof text)
        memcpy(text, cell, length);
    return !*text || cs_number_double(text, &value) > CS_NUMBER_INFINITE;
}

static void put_safe_csv(struct cs_strbuf *out, const char *text)
{
    while (*text) {
        const bool quoted = *text == '"';
        const size_t length = csv_cell_length(text);

        if (quoted)
            cs_strbuf_putc(out, '"');
        if (is_csv_formula(text + quoted, length - (quoted ? 2 : 0)))
            cs_strbuf_putc(out, '\'');
        cs_strbuf_append(out, text + quoted, length - quoted + (text[length] != '\0'));
        text += length + (text[length] != '\0');
    }
}

void cs_csv_make_safe(struct cs_strbuf *table)
{
    struct cs_strbuf safe = CS_STRBUF_INIT;

    put_safe_csv(&safe, table->text);
    cs_strbuf_release(table);
    *table = safe;
}
