/* rows.c - cells of tables from values of JSON. */
#include "cli/base/rows.h"
#include "base/json_make.h"
#include "cli/base/format.h"

#include <cosched/case.h>
#include <string.h>

json_t *cs_rows_parse(char *text)
{
    json_t *parsed = text ? cs_json_parse(text, strlen(text), JSON_ALLOW_NUL) : NULL;

    cs_free(text);
    return parsed;
}

static void put_cell(struct cs_table *table, enum cs_column_kind kind, const json_t *value)
{
    if (!value || json_is_null(value))
        cs_table_unknown(table);
    else if (kind == CS_COLUMN_WORD)
        cs_table_text(table, json_string_value(value));
    else if (kind == CS_COLUMN_BOOLEAN)
        cs_table_count(table, json_is_true(value));
    else if (kind == CS_COLUMN_COUNT)
        cs_table_count(table, json_integer_value(value));
    else
        cs_table_number(table, json_number_value(value));
}

void cs_rows_put(struct cs_table *table, const struct cs_column *column, size_t columns,
                 const json_t *row)
{
    for (size_t c = 0; c < columns; c++)
        put_cell(table, column[c].kind, json_object_get(row, column[c].key));
}

void cs_rows_put_list(struct cs_table *table, const struct cs_column *column, size_t columns,
                      const json_t *row)
{
    for (size_t c = 0; c < columns; c++)
        put_cell(table, column[c].kind, json_array_get(row, c));
}

enum cs_table_format cs_rows_format(int choice)
{
    static const enum cs_table_format formats[] = {
        [CS_FORMAT_TABLE] = CS_TABLE_TEXT,
        [CS_FORMAT_JSON] = CS_TABLE_JSON,
        [CS_FORMAT_CSV] = CS_TABLE_CSV,
    };

    return formats[choice];
}
