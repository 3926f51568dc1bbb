/* rows.h - convert JSON of the library to rows of a table. */
#ifndef CS_CLI_ROWS_H
#define CS_CLI_ROWS_H

#include "report/table.h"

#include <jansson.h>

/* Texts that the library made, which are freed; NULL for NULL. */
json_t *cs_rows_parse(char *text);

/* A row: of each column the value of its key; null, or a key that is missing: not known. */
void cs_rows_put(struct cs_table *table, const struct cs_column *column, size_t columns,
                 const json_t *row);

/* The same of values in the order of the columns. */
void cs_rows_put_list(struct cs_table *table, const struct cs_column *column, size_t columns,
                      const json_t *row);

/* How a table is written for a choice of --format (enum cs_format). */
enum cs_table_format cs_rows_format(int choice);

#endif
