/* describe.h - problems as data: their parameters, values, policies and orders. */
#ifndef CS_PROBLEM_DESCRIBE_H
#define CS_PROBLEM_DESCRIBE_H

#include "problem/problem.h"

/* Append one JSON object per row, parameter, value or policy to the open array. */
void cs_describe_put_rows(const char *problem, const struct cs_param *params, struct cs_jsonw *w);
void cs_describe_put_params(const struct cs_problem *problem, struct cs_jsonw *w);
void cs_describe_put_values(const struct cs_problem *problem, struct cs_jsonw *w);
void cs_describe_put_policies(const struct cs_problem *problem, struct cs_jsonw *w);

#endif
