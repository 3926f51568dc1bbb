/* problem.c - the problem ptg, described once (study/problem.h). */
#include "study/problem.h"

#include <cosched/ptg.h>

const struct cs_problem cs_problem_ptg = {
    .name = "ptg",
    .summary = "which share of a platform of several clusters each of several graphs of parallel "
               "tasks gets, so that all end soon and none is slowed down more than others",
    .choice = {{"strategy", "strategies", cs_ptg_policies}},
};
