/* problem.c - the problem pack, described once (study/problem.h). */
#include "study/problem.h"

#include <cosched/pack.h>

const struct cs_problem cs_problem_pack = {
    .name = "pack",
    .summary = "which applications run together, on how many processors each, so that the packs "
               "run one after the other finish soonest",
    .choice = {{"policy", "policies", cs_pack_policies}},
};
