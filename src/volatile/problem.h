/* problem.h - options and studies of the problem volatile. */
#ifndef CS_VOLATILE_PROBLEM_H
#define CS_VOLATILE_PROBLEM_H

#include "study/problem.h"
#include "volatile/study.h"

struct cs_volatile_settings {
    struct cs_study_options study;
    const char *policy;
    int64_t hosts, tasks, transfers, wmin, iterations, cap;
    int law;
    double shape;
    int64_t history, scenarios;
    int64_t slots, set;
};

struct cs_volatile_case {
    struct cs_study study;
    const struct cs_volatile_settings *settings;
    struct cs_cache *cache;
    struct cs_volatile_instance *truth, *believed; /* may be the same */
    struct cs_volatile_world world;
    struct cs_policy_call *call; /* of each way */
    const int64_t *reference;    /* makespans of IE by run, -1 where it failed; once it has run */
};

extern const struct cs_problem cs_problem_volatile;

#endif
