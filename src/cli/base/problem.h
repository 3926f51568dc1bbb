/* problem.h - the problems that cosched knows, for `list` and completion. */
#ifndef CS_CLI_PROBLEM_H
#define CS_CLI_PROBLEM_H

#include "base/strbuf.h"

#include <cosched/policy.h>

/* An order of jobs that policies can be given. */
struct cs_problem_priority {
    const char *name, *summary, *source;
};

/* Policies of which one is chosen. */
struct cs_problem_choice {
    const char *option;  /* "policy": chosen by --policy NAME */
    const char *heading; /* what is chosen */
    const struct cs_policy *const *(*policies)(int *count);
};

#define CS_PROBLEM_CHOICES 4

struct cs_problem {
    const char *name;
    const char *summary;                                 /* the question it answers */
    struct cs_problem_choice choice[CS_PROBLEM_CHOICES]; /* the first ones have an option */
    struct cs_problem_priority (*priorities)(int index); /* past the last: no name; or NULL */
};

#define CS_PROBLEM_NAMES "pack|malleable|ptg|rigid|volatile"

/* Ends with a NULL name. */
extern const struct cs_problem cs_problems[];

#endif
