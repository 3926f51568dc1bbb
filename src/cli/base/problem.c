/* problem.c - the problems. */
#include "cli/base/problem.h"

#include "rigid/policy.h"
#include "rigid/priority.h"

#include <cosched/malleable.h>
#include <cosched/pack.h>
#include <cosched/ptg.h>
#include <cosched/volatile.h>

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
     .choice = {{"policy", "policies", cs_pack_policies}}},
    {.name = "malleable",
     .summary = "how processors move between running applications when one ends, or when a failure "
                "has made one the longest",
     .choice = {{"on-end", "when an application ends", cs_malleable_end_policies},
                {"on-failure", "when a failure has made an application the longest",
                 cs_malleable_failure_policies}}},
    {.name = "ptg",
     .summary = "which share of a platform of several clusters each of several graphs of parallel "
                "tasks gets, so that all end soon and none is slowed down more than others",
     .choice = {{"strategy", "strategies", cs_ptg_policies}}},
    {.name = "rigid",
     .summary = "jobs of fixed width, which may have to run again because of silent errors: in "
                "which order and when they start",
     .choice = {{"policy", "policies", cs_rigid_policies}},
     .priorities = rigid_priority},
    {.name = "volatile",
     .summary =
         "which of the hosts that come and go an iterative, tightly coupled application uses "
         "now",
     .choice = {{"policy", "policies", cs_volatile_policies}}},
    {0},
};
