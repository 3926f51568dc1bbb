/* problem.h - the problems that cosched knows, for `list` and completion. */
#ifndef CS_CLI_PROBLEM_H
#define CS_CLI_PROBLEM_H

#include "base/strbuf.h"

#include <cosched/policy.h>

struct cs_problem {
    const char *name;
    const char *summary; /* the question it answers */
    const struct cs_policy *const *(*policies)(int *count);
};

#define CS_PROBLEM_NAMES "pack"

/* Ends with a NULL name. */
extern const struct cs_problem cs_problems[];

#endif
