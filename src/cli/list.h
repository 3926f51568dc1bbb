/* list.h - the parts of "list": policies (list.c), parameters and metrics (list_fields.c). */
#ifndef CS_CLI_LIST_H
#define CS_CLI_LIST_H

#include "base/strbuf.h"
#include "cli/base/format.h"
#include "study/problem.h"

/* Append a name and what it is, which stays right of it. */
void cs_list_put_line(struct cs_strbuf *out, const char *left, const char *right);

/* "pack - which applications run together, ..." */
void cs_list_put_problem(struct cs_strbuf *out, const struct cs_problem *problem);

/* Append the fields, or the values, of the problem of that name, or of all (NULL). */
void cs_list_parameters(struct cs_strbuf *out, const char *name, enum cs_format format);
void cs_list_metrics(struct cs_strbuf *out, const char *name, enum cs_format format);

#endif
