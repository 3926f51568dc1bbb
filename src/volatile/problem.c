/* problem.c - the problem volatile, described once (study/problem.h). */
#include "study/problem.h"

#include <cosched/volatile.h>

const struct cs_problem cs_problem_volatile = {
    .name = "volatile",
    .summary = "which of the hosts that come and go an iterative, tightly coupled application uses "
               "now",
    .choice = {{"policy", "policies", cs_volatile_policies}},
};
