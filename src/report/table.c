/* table.c - typed cells, and three output formats. */
#include "report/table.h"

#include "base/arena.h"
#include "base/bug.h"
#include "base/jsonw.h"
#include "report/human.h"
#include "report/text_metrics.h"

#include <limits.h>
#include <math.h>
#include <string.h>

enum { NARROWEST = 8, NARROWEST_FIT = 12, GAP = 2 };

struct cell {
    bool known;
    const char *text;
    double number;
    long long count;
};

struct cs_table {
    struct cs_arena *arena;
    struct cs_column *column;
    int columns;
    struct cell *cell;
    size_t cells, room;
};

struct cs_table *cs_table_create(const struct cs_column *columns, int count)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_table *table = CS_NEW(arena, struct cs_table);

    CS_REQUIRE(count > 0);
    table->arena = arena;
    table->columns = count;
    table->column = CS_NEW_ARRAY(arena, struct cs_column, count);
    memcpy(table->column, columns, (size_t)count * sizeof *columns);
    return table;
}

void cs_table_destroy(struct cs_table *table)
{
    if (table)
        cs_arena_destroy(table->arena);
}

static void table_grow(struct cs_table *table)
{
    size_t room = table->room ? 2 * table->room : 64;
    struct cell *cell = CS_NEW_ARRAY(table->arena, struct cell, room);

    if (table->cells)
        memcpy(cell, table->cell, table->cells * sizeof *cell);
    table->cell = cell;
    table->room = room;
}

static struct cell *next_cell(struct cs_table *table)
{
    if (table->cells == table->room)
        table_grow(table);
    return &table->cell[table->cells++];
}

static enum cs_column_kind next_kind(const struct cs_table *table)
{
    return table->column[table->cells % (size_t)table->columns].kind;
}

void cs_table_text(struct cs_table *table, const char *text)
{
    CS_REQUIRE(next_kind(table) == CS_COLUMN_WORD);
    if (text)
        text = cs_arena_strdup(table->arena, text);
    *next_cell(table) = (struct cell){.known = text != NULL, .text = text};
}

void cs_table_number(struct cs_table *table, double value)
{
    enum cs_column_kind kind = next_kind(table);

    CS_REQUIRE(kind >= CS_COLUMN_NUMBER && kind <= CS_COLUMN_FRACTION);
    *next_cell(table) = (struct cell){.known = !isnan(value), .number = value};
}

void cs_table_count(struct cs_table *table, long long value)
{
    enum cs_column_kind kind = next_kind(table);

    CS_REQUIRE(kind == CS_COLUMN_COUNT || kind == CS_COLUMN_BOOLEAN);
    *next_cell(table) = (struct cell){.known = true, .count = value};
}

void cs_table_unknown(struct cs_table *table)
{
    *next_cell(table) = (struct cell){.known = false};
}

int cs_table_rows(const struct cs_table *table)
{
    return (int)(table->cells / (size_t)table->columns);
}

static const struct cell *cell_at(const struct cs_table *table, int row, int column)
{
    return &table->cell[(size_t)row * (size_t)table->columns + (size_t)column];
}

/* For machines. */

void cs_table_put_csv(struct cs_strbuf *out, const char *text)
{
    size_t length = strlen(text);
    bool quote = text[strcspn(text, ",\"\r\n")] != '\0' || text[0] == ' ' ||
                 (length && text[length - 1] == ' ');

    if (!quote) {
        cs_strbuf_puts(out, text);
        return;
    }
    cs_strbuf_putc(out, '"');
    for (; *text; text++) {
        if (*text == '"')
            cs_strbuf_putc(out, '"');
        cs_strbuf_putc(out, *text);
    }
    cs_strbuf_putc(out, '"');
}

static void put_field(struct cs_strbuf *out, const struct cs_column *column,
                      const struct cell *cell)
{
    if (!cell->known)
        return;
    if (column->kind == CS_COLUMN_WORD)
        cs_table_put_csv(out, cell->text);
    else if (column->kind == CS_COLUMN_BOOLEAN)
        cs_strbuf_puts(out, cell->count ? "true" : "false");
    else if (column->kind == CS_COLUMN_COUNT)
        cs_strbuf_printf(out, "%lld", cell->count);
    else
        cs_strbuf_put_double(out, cell->number);
}

static void write_csv(const struct cs_table *table, struct cs_strbuf *out)
{
    for (int c = 0; c < table->columns; c++) {
        cs_strbuf_puts(out, c ? "," : "");
        cs_table_put_csv(out, table->column[c].key);
    }
    cs_strbuf_putc(out, '\n');
    for (int r = 0; r < cs_table_rows(table); r++) {
        for (int c = 0; c < table->columns; c++) {
            cs_strbuf_puts(out, c ? "," : "");
            put_field(out, &table->column[c], cell_at(table, r, c));
        }
        cs_strbuf_putc(out, '\n');
    }
}

static void table_put_value(struct cs_jsonw *w, const struct cs_column *column,
                            const struct cell *cell)
{
    cs_jsonw_key(w, column->key);
    if (!cell->known)
        cs_jsonw_null(w);
    else if (column->kind == CS_COLUMN_WORD)
        cs_jsonw_string(w, cell->text);
    else if (column->kind == CS_COLUMN_BOOLEAN)
        cs_jsonw_bool(w, cell->count != 0);
    else if (column->kind == CS_COLUMN_COUNT)
        cs_jsonw_int(w, cell->count);
    else
        cs_jsonw_double(w, cell->number);
}

static void write_json(const struct cs_table *table, struct cs_strbuf *out)
{
    struct cs_jsonw w = cs_jsonw_begin(out);

    cs_jsonw_open(&w, '[');
    for (int r = 0; r < cs_table_rows(table); r++) {
        cs_jsonw_open_flat(&w, '{');
        for (int c = 0; c < table->columns; c++)
            table_put_value(&w, &table->column[c], cell_at(table, r, c));
        cs_jsonw_close(&w);
    }
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
}

/* For people. */

static void put_friendly(struct cs_strbuf *out, const struct cs_column *column,
                         const struct cell *cell)
{
    if (!cell->known) {
        cs_strbuf_putc(out, '-');
        return;
    }
    switch (column->kind) {
    case CS_COLUMN_WORD:
        cs_strbuf_puts(out, cell->text);
        break;
    case CS_COLUMN_COUNT:
        cs_human_count(out, cell->count);
        break;
    case CS_COLUMN_NUMBER:
        cs_human_fixed(out, cell->number, column->digits);
        break;
    case CS_COLUMN_DIGITS:
        cs_human_digits(out, cell->number, column->digits);
        break;
    case CS_COLUMN_SECONDS:
        cs_human_duration(out, cell->number);
        break;
    case CS_COLUMN_FRACTION:
        cs_human_percent(out, cell->number, column->digits);
        break;
    case CS_COLUMN_BOOLEAN:
        cs_strbuf_puts(out, cell->count ? "yes" : "");
        break;
    }
}

/* The text of every visible cell, headings first, ready to be aligned. */
struct sheet {
    int lines, columns, units;
    int kept;          /* columns that are shown, from the left */
    int least;         /* words are not made narrower than that */
    const char **text; /* lines * columns */
    int *width;
    const struct cs_column **column;
};

/* Control characters would break the lines. */
static const char *one_line(struct cs_arena *arena, const char *text)
{
    char *copy = cs_arena_strdup(arena, text);

    for (char *at = copy; *at; at++)
        if ((unsigned char)*at < 0x20 || *at == 0x7f)
            *at = ' ';
    return copy;
}

static void fill_heading(const struct cs_table *table, struct sheet *sheet)
{
    int at = 0;

    for (int c = 0; c < table->columns; c++) {
        const struct cs_column *column = &table->column[c];

        if (column->hidden)
            continue;
        sheet->column[at] = column;
        sheet->text[at] = column->heading ? column->heading : column->key;
        if (sheet->units)
            sheet->text[sheet->columns + at] = column->unit ? column->unit : "";
        at++;
    }
}

static void fill_rows(const struct cs_table *table, struct sheet *sheet, struct cs_arena *arena)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int at = sheet->columns * (1 + sheet->units);

    for (int r = 0; r < cs_table_rows(table); r++)
        for (int c = 0; c < table->columns; c++) {
            if (table->column[c].hidden)
                continue;
            cs_strbuf_clear(&text);
            put_friendly(&text, &table->column[c], cell_at(table, r, c));
            sheet->text[at++] = one_line(arena, text.text);
        }
    cs_strbuf_release(&text);
}

static void table_measure(struct sheet *sheet)
{
    for (int i = 0; i < sheet->lines * sheet->columns; i++) {
        int width = cs_text_columns(sheet->text[i]);

        if (width > sheet->width[i % sheet->columns])
            sheet->width[i % sheet->columns] = width;
    }
}

static void sheet_make(const struct cs_table *table, struct sheet *sheet, struct cs_arena *arena)
{
    *sheet = (struct sheet){0};
    for (int c = 0; c < table->columns; c++) {
        sheet->columns += !table->column[c].hidden;
        sheet->units |= !table->column[c].hidden && table->column[c].unit;
    }
    CS_REQUIRE(sheet->columns > 0);
    sheet->kept = sheet->columns;
    sheet->least = NARROWEST;
    sheet->lines = 1 + sheet->units + cs_table_rows(table);
    sheet->text = CS_NEW_ARRAY(arena, const char *, (size_t)sheet->lines *(size_t)sheet->columns);
    sheet->width = CS_NEW_ARRAY(arena, int, sheet->columns);
    sheet->column = CS_NEW_ARRAY(arena, const struct cs_column *, sheet->columns);
    fill_heading(table, sheet);
    fill_rows(table, sheet, arena);
    table_measure(sheet);
}

/* How wide a column is at least. */
static int table_narrowest(const struct sheet *sheet, int column)
{
    const bool word = sheet->column[column]->kind == CS_COLUMN_WORD;

    return word && sheet->width[column] > sheet->least ? sheet->least : sheet->width[column];
}

/* Keep the columns for which there is room, the first one in any case. */
static void leave_out(struct sheet *sheet, int width)
{
    int total = table_narrowest(sheet, 0);

    for (sheet->kept = 1; sheet->kept < sheet->columns; sheet->kept++) {
        total += GAP + table_narrowest(sheet, sheet->kept);
        if (total > width)
            return;
    }
}

static int widest_word(const struct sheet *sheet)
{
    int best = -1;

    for (int c = 0; c < sheet->kept; c++)
        if (sheet->column[c]->kind == CS_COLUMN_WORD && sheet->width[c] > sheet->least &&
            (best < 0 || sheet->width[c] > sheet->width[best]))
            best = c;
    return best;
}

/* Returns by how much the words became shorter. */
static int table_squeeze(struct sheet *sheet, int width)
{
    int total = -GAP, by = 0, c;

    for (c = 0; c < sheet->kept; c++)
        total += sheet->width[c] + GAP;
    for (; total - by > width && (c = widest_word(sheet)) >= 0; by++)
        sheet->width[c]--;
    return by;
}

static void put_spaces(struct cs_strbuf *out, int count)
{
    while (count-- > 0)
        cs_strbuf_putc(out, ' ');
}

/* Blanks are owed until something follows them: no line ends in one. */
static void put_line(struct cs_strbuf *out, const struct sheet *sheet, int line)
{
    struct cs_strbuf cell = CS_STRBUF_INIT;
    int owed = 0;

    for (int c = 0; c < sheet->kept; c++) {
        bool left =
            sheet->column[c]->kind == CS_COLUMN_WORD || sheet->column[c]->kind == CS_COLUMN_BOOLEAN;
        int room;

        cs_strbuf_clear(&cell);
        cs_text_elide_columns(&cell, sheet->text[line * sheet->columns + c], sheet->width[c]);
        room = sheet->width[c] - cs_text_columns(cell.text);
        if (cell.length) {
            put_spaces(out, owed + (left ? 0 : room));
            cs_strbuf_puts(out, cell.text);
            owed = left ? room + GAP : GAP;
        } else {
            owed += sheet->width[c] + GAP;
        }
    }
    cs_strbuf_putc(out, '\n');
    cs_strbuf_release(&cell);
}

static void put_rule(struct cs_strbuf *out, const struct sheet *sheet)
{
    for (int c = 0; c < sheet->kept; c++) {
        put_spaces(out, c ? GAP : 0);
        for (int i = 0; i < sheet->width[c]; i++)
            cs_strbuf_putc(out, '-');
    }
    cs_strbuf_putc(out, '\n');
}

static void put_sheet(struct cs_strbuf *out, const struct sheet *sheet)
{
    for (int line = 0; line < sheet->lines; line++) {
        put_line(out, sheet, line);
        if (line == sheet->units)
            put_rule(out, sheet);
    }
}

static void write_text(const struct cs_table *table, int width, struct cs_strbuf *out)
{
    struct cs_arena *arena = cs_arena_create();
    struct sheet sheet;

    sheet_make(table, &sheet, arena);
    table_squeeze(&sheet, width > 0 ? width : INT_MAX);
    put_sheet(out, &sheet);
    cs_arena_destroy(arena);
}

/* The name of a column that was left out. */
static const char *table_name_of(const struct cs_column *column)
{
    if (column->heading && *column->heading)
        return column->heading;
    return column->heading && column->unit ? column->unit : column->key;
}

static void put_note(struct cs_strbuf *out, const struct sheet *sheet, int width)
{
    cs_strbuf_printf(out, "(made to fit %d columns", width);
    for (int c = sheet->kept; c < sheet->columns; c++)
        cs_strbuf_printf(out, "%s%s", c == sheet->kept ? "; left out: " : ", ",
                         table_name_of(sheet->column[c]));
    cs_strbuf_puts(out, "; \"| less -S\" shows all of it)\n");
}

void cs_table_fit(const struct cs_table *table, int width, struct cs_strbuf *out)
{
    struct cs_arena *arena = cs_arena_create();
    struct sheet sheet;
    int shorter;

    CS_REQUIRE(table->cells % (size_t)table->columns == 0 && width > 0);
    sheet_make(table, &sheet, arena);
    sheet.least = NARROWEST_FIT;
    leave_out(&sheet, width);
    shorter = table_squeeze(&sheet, width);
    put_sheet(out, &sheet);
    if (shorter || sheet.kept < sheet.columns)
        put_note(out, &sheet, width);
    cs_arena_destroy(arena);
}

void cs_table_write(const struct cs_table *table, enum cs_table_format format, int width,
                    struct cs_strbuf *out)
{
    CS_REQUIRE(table->cells % (size_t)table->columns == 0);
    if (format == CS_TABLE_CSV)
        write_csv(table, out);
    else if (format == CS_TABLE_JSON)
        write_json(table, out);
    else
        write_text(table, width, out);
}
