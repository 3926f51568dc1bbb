/* problem.c - the problem rigid, described once (study/problem.h). */
#include "study/problem.h"
#include "rigid/policy.h"
#include "rigid/priority.h"

static struct cs_problem_priority priority(int index)
{
    int count;
    const struct cs_rigid_priority *list = cs_rigid_priorities(&count);

    if (index >= count)
        return (struct cs_problem_priority){0};
    return (struct cs_problem_priority){list[index].name, list[index].summary, list[index].source};
}

const struct cs_problem cs_problem_rigid = {
    .name = "rigid",
    .summary = "jobs of fixed width, which may have to run again because of silent errors: in "
               "which order and when they start",
    .choice = {{"policy", "policies", cs_rigid_policies}},
    .priorities = priority,
};
