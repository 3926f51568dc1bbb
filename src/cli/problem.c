/* problem.c - the problems. */
#include "cli/problem.h"

#include "rigid/policy.h"
#include "rigid/priority.h"

#include <cosched/pack.h>

static struct cs_problem_priority rigid_priority(int index)
{
    int count;
    const struct cs_rigid_priority *list = cs_rigid_priorities(&count);

    if (index >= count)
        return (struct cs_problem_priority){0};
    return (struct cs_problem_priority){list[index].name, list[index].summary, list[index].source};
}

const struct cs_problem cs_problems[] = {
    {.name = "pack",
     .summary = "which applications run together, on how many processors each, so that the packs "
                "run one after the other finish soonest",
     .policies = cs_pack_policies},
    {.name = "rigid",
     .summary = "jobs of fixed width, which may have to run again because of silent errors: in "
                "which order and when they start",
     .policies = cs_rigid_policies,
     .priorities = rigid_priority},
    {0},
};
