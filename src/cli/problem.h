/* problem.h - the problems that cosched knows, for `list` and completion. */
#ifndef CS_CLI_PROBLEM_H
#define CS_CLI_PROBLEM_H

#include "base/strbuf.h"

#include <cosched/policy.h>

/* An order of jobs that policies can be given. */
struct cs_problem_priority {
    const char *name, *summary, *source;
};

struct cs_problem {
    const char *name;
    const char *summary; /* the question it answers */
    const struct cs_policy *const *(*policies)(int *count);
    struct cs_problem_priority (*priorities)(int index); /* past the last: no name; or NULL */
};

#define CS_PROBLEM_NAMES "pack|rigid"

/* Ends with a NULL name. */
extern const struct cs_problem cs_problems[];

#endif
