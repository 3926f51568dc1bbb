/* problem.h - options and cases of the problem spot, for its views. */
#ifndef CS_SPOT_PROBLEM_H
#define CS_SPOT_PROBLEM_H

#include "model/fleet.h"
#include "model/schedule.h"
#include "problem/problem.h"
#include "problems/spot/simulate.h"

struct cs_spot_options {
    struct cs_study_options study;
    const char *components, *policy;
    double slot;
    int64_t history, scenarios;
    double deadline, work, change_over, demand_price, spot_price;
    int64_t instances, young;
};

/* The market of a zone, and what the policies derive from its history. */
struct cs_spot_zone {
    struct cs_spot_market market;
    struct cs_spot_phases phases;
    void **plan; /* of each variant, or NULL */
};

struct cs_spot_case {
    struct cs_study study;
    const struct cs_spot_options *options;
    struct cs_fleet *fleet;
    struct cs_spot_job job;
    int64_t history; /* ticks before the first start */
    int zones;
    struct cs_spot_zone *zone;
    struct cs_policy_call *call; /* of each variant */
};

/* One run, kept. */
struct cs_spot_kept {
    struct cs_kept record;
    struct cs_spot_declared declared;
};

/* Can no run be sure to end in time? */
bool cs_spot_case_hopeless(const struct cs_spot_case *c);

extern const struct cs_problem cs_problem_spot;

#endif
