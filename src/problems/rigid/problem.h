/* problem.h - options and studies of the problem rigid, for its views. */
#ifndef CS_RIGID_PROBLEM_H
#define CS_RIGID_PROBLEM_H

#include "model/schedule.h"
#include "problem/problem.h"
#include "problem/traps.h"
#include "problems/queue/problem.h"
#include "problems/rigid/study.h"
#include "sched/input.h"

struct cs_rigid_options {
    struct cs_study_options study;
    int64_t procs;
    bool by_day, strict;
    int64_t by_count, day;
    const char *month;
    bool arrivals;
    int estimates; /* 1: exact */
    double mean, mtbe;
    const char *failures;
    double verification;
    int64_t scenarios, set;
    const char *policy, *priority, *policy_program;
    double patience;
    int bound; /* 1: strong */
    int64_t jobs;
    struct cs_trap_options trap;
    int64_t groups, slots; /* of the trap ljf */
    double time_unit;      /* of the traps for shelves */
    const char *failures_output;
    struct cs_replay_options site; /* experiments: further options of cosched replay */
};

/* The outcome of one scenario. */
struct cs_rigid_seen {
    bool made;  /* false: the set was left out, and nothing below counts */
    bool first; /* scenario of its set */
    int jobs;   /* in the set */
    double makespan, bound, ratio, failures, waste, utilisation;
    bool arrives; /* else the rest is unset */
    struct cs_queue_totals arrivals;
};

struct cs_rigid_case {
    struct cs_study study;
    const struct cs_rigid_options *options;
    unsigned action;
    const struct cs_sched_input *input; /* NULL: the jobs are made */
    struct cs_sched_input *owned;       /* the same, when it is not shared */
    int machine, jobs;                  /* processors; in all sets */
    int first, sets;                    /* of the input's */
    const struct cs_sched_input_set *set;
    struct cs_sched_law law;
    int scenarios;                     /* of each set */
    struct cs_sched_scenarios **drawn; /* of each set; NULL: it is left out */
    int left_out;                      /* sets */
    const int64_t *failures;           /* of a trap; or NULL */
    const struct cs_known *known;      /* the same */
    struct cs_rigid_variant *variant;
    struct cs_extpol *extpol;    /* the external policy of `program`, or NULL */
    struct cs_queue_case *queue; /* what runs instead where jobs arrive (arrivals.c); or NULL */
};

struct cs_rigid_variant {
    const struct cs_sched_policy *policy;
    const double *param;
    const struct cs_sched_priority *priority;
};

/* One scenario, kept. */
struct cs_rigid_kept {
    struct cs_kept record;
    struct cs_rigid_declared declared;
};

extern const struct cs_problem cs_problem_rigid;

#endif
