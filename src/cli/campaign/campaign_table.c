/* campaign_table.c - combinations and their means. */
#include "cli/campaign/campaign_table.h"
#include "base/arena.h"
#include "cli/base/output.h"
#include "cli/base/rows.h"

#include <string.h>

#define ROWS 200 /* for people */

static const char *word_of(const json_t *column, const char *key)
{
    return json_string_value(json_object_get(column, key));
}

/* Has any combination a value? */
static bool is_there(const json_t *rows, size_t column)
{
    const json_t *row;
    size_t r;

    json_array_foreach(rows, r, row)
    {
        if (!json_is_null(json_array_get(row, column)))
            return true;
    }
    return false;
}

static struct cs_column axis_of(const json_t *axis)
{
    const bool numbers = json_is_true(json_object_get(axis, "numbers"));

    return (struct cs_column){.key = word_of(axis, "name"),
                              .kind = numbers ? CS_COLUMN_DIGITS : CS_COLUMN_WORD,
                              .digits = 9};
}

/* The mean of a metric, or the column behind it, which is not shown without it or of one replicate.
 */
static struct cs_column figure_of(const json_t *found, size_t c)
{
    const json_t *figure = json_array_get(json_object_get(found, "columns"), c);
    const bool mean = !strcmp(word_of(figure, "kind"), "mean");
    const bool empty = !is_there(json_object_get(found, "rows"), mean ? c : c - 1);
    const bool once = json_integer_value(json_object_get(found, "replicates")) == 1;

    return (struct cs_column){.key = word_of(figure, "name"),
                              .heading = mean ? word_of(figure, "metric") : "± 95 %",
                              .kind = CS_COLUMN_DIGITS,
                              .digits = mean ? 5 : 2,
                              .hidden = empty || (!mean && once)};
}

static struct cs_column column_of(const json_t *found, size_t c)
{
    const json_t *column = json_array_get(json_object_get(found, "columns"), c);
    const char *kind = word_of(column, "kind");

    if (!strcmp(kind, "axis"))
        return axis_of(column);
    if (!strcmp(kind, "runs"))
        return (struct cs_column){.key = word_of(column, "name"), .kind = CS_COLUMN_COUNT};
    return figure_of(found, c);
}

void cs_campaign_table(const json_t *found, enum cs_table_format format, struct cs_strbuf *out)
{
    const json_t *rows = json_object_get(found, "rows"), *row;
    const size_t columns = json_array_size(json_object_get(found, "columns"));
    struct cs_arena *arena = cs_arena_create();
    struct cs_column *column = CS_NEW_ARRAY(arena, struct cs_column, columns);
    struct cs_table *table;
    size_t r;

    for (size_t c = 0; c < columns; c++)
        column[c] = column_of(found, c);
    table = cs_table_create(column, (int)columns);
    json_array_foreach(rows, r, row)
    {
        if (r < ROWS || format != CS_TABLE_TEXT)
            cs_rows_put_list(table, column, columns, row);
    }
    cs_output_table(table, format, 0, out);
    if (r > ROWS && format == CS_TABLE_TEXT)
        cs_strbuf_printf(out, "... and %zu more; --format csv shows them all\n", r - ROWS);
    cs_table_destroy(table);
    cs_arena_destroy(arena);
}
