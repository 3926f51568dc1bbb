/* problem.c - the problems. */
#include "cli/problem.h"

#include <cosched/pack.h>

const struct cs_problem cs_problems[] = {
    {.name = "pack",
     .summary = "which applications run together, on how many processors each, so that the packs "
                "run one after the other finish soonest",
     .policies = cs_pack_policies},
    {0},
};
