/* problem.h - options and studies of the problem malleable, for its views. */
#ifndef CS_MALLEABLE_PROBLEM_H
#define CS_MALLEABLE_PROBLEM_H

#include "malleable/study.h"
#include "study/problem.h"

struct cs_malleable_options {
    struct cs_study_options study;
    int64_t procs;
    double mtbf, downtime;
    bool fault_free;
    double checkpoint, data;
    int fill, fewer;
    bool strict;
    const char *on_end, *on_failure, *policy_program;
    double patience; /* with the program */
    int64_t tune;
    int rules;
    double period_factor;
    int layout;
    double kappa, hysteresis;
    int minimal_disruption, wake;
    int law;
    double shape;
    const char *faults;
    int64_t system, scenarios;
    double at;
    int gantt_view;
    int64_t tasks;
    double size_low, size_high, seq_fraction, checkpoint_factor;
    int64_t set;
};

struct cs_malleable_case {
    struct cs_study study;
    const struct cs_malleable_options *options;
    struct cs_workload *workload;
    struct cs_malleable_platform platform;
    struct cs_malleable_instance *instance;
    struct cs_malleable_source source; /* of failures */
    const char *kind;                  /* what the file of failures is; NULL: they are drawn */
    struct cs_malleable_rules *rules;  /* of each way */
    struct cs_outside *outside;        /* what the policy `program` asks, or NULL */
};

/* One run, kept: its record's schedule is the one of `run`. */
struct cs_malleable_kept {
    struct cs_kept record;
    int way;
    struct cs_malleable_record *run;
};

extern const struct cs_problem cs_problem_malleable;

#endif
