/* list.h - the parts of "list": policies (list.c), parameters and metrics (list_fields.c), of the
 * array "problems" of what cs_case_describe says. */
#ifndef CS_CLI_LIST_H
#define CS_CLI_LIST_H

#include "base/jsonw.h"
#include "cli/base/format.h"
#include "report/table.h"

#include <jansson.h>

/* Append a name and what it is, which stays right of it. */
void cs_list_put_line(struct cs_strbuf *out, const char *left, const char *right);

/* "pack - which applications run together, ..." */
void cs_list_put_problem(struct cs_strbuf *out, const json_t *problem);

/* The text of a key; NULL for null. */
const char *cs_list_word(const json_t *row, const char *key);

/* Put the text, which is released, in the place of a value. */
void cs_list_set(json_t *row, const char *key, struct cs_strbuf *text);

/* Append the rows of that name of all problems: as they are, or as a table, for which `flatten`
 * makes texts of lists. */
void cs_list_json(struct cs_strbuf *out, const json_t *problems, const char *what);
void cs_list_csv(struct cs_strbuf *out, const json_t *problems, const char *what,
                 const struct cs_column *column, size_t columns, void (*flatten)(json_t *row));

/* Append the fields, or the values. */
void cs_list_parameters(struct cs_strbuf *out, const json_t *problems, enum cs_format format);
void cs_list_metrics(struct cs_strbuf *out, const json_t *problems, enum cs_format format);

#endif
