/* problem.h - options and studies of the problem malleable, for its views. */
#ifndef CS_MALLEABLE_PROBLEM_H
#define CS_MALLEABLE_PROBLEM_H

#include "base/arena.h"
#include "model/schedule.h"
#include "problem/problem.h"
#include "problem/traps.h"
#include "problems/malleable/malleable.h"

/* The functions of the problem malleable's description (problem/problem.h). */
/* The keys of a schedule file that describe a run of malleable applications. */
/* The machine, the rules and what happened.  Lives in the arena and needs the record no longer. */
const struct cs_malleable_declared *
cs_malleable_declare(const struct cs_malleable_instance *instance,
                     const struct cs_malleable_rules *rules,
                     const struct cs_malleable_record *record, struct cs_arena *arena);

struct cs_extpol;

/* Failures drawn from a law, or those of a list: scenario 0 is the list itself; the others begin
 * at a moment of it that is drawn from the seed, and continue at its beginning when it ends. */
struct cs_malleable_source {
    struct cs_malleable_failures law; /* its seed also serves the list */
    size_t listed;
    const struct cs_fault *list; /* by time; NULL: the law */
};

/* The outcome of a run, and its state at a moment: the state after the last event that is
 * not later holds then.  NaN when the run was over, or no moment was requested. */
struct cs_malleable_seen {
    struct cs_malleable_outcome outcome; /* its `end` is NULL */
    double planning;                     /* seconds in policies; NaN: not measured */
    double expected;                     /* makespan as expected then */
    double deviation;                    /* standard deviation of the processors of running tasks */
    double optimum_gap; /* of the optimum: 0 if proven, else above its bound; NaN for policies */
    bool patterns;      /* a policy with the pattern layout */
};

struct cs_malleable_study {
    const struct cs_malleable_instance *instance;
    int variants;
    const struct cs_malleable_rules *rules; /* of each variant */
    const struct cs_malleable_source *source;
    struct cs_extpol *extpol; /* the external policy of `program`, or NULL */
    int scenarios, threads;
    double at;                                /* the moment, seconds; NaN: none */
    int optimum;                              /* a variant, or -1 */
    bool exact;                               /* it may take long */
    bool timed;                               /* measure the time in policies */
    const struct cs_study_progress *progress; /* or NULL */
};

/* The failures of a scenario, ready to be played.  The caller destroys it; NULL with err. */
struct cs_malleable_trace *cs_malleable_source_trace(const struct cs_malleable_source *source,
                                                     int scenario, struct cs_error *err);

/* out[variant * scenarios + s] for every scenario.  -1 with err. */
int cs_malleable_study_run(const struct cs_malleable_study *study, struct cs_malleable_seen *out,
                           struct cs_error *err);

struct cs_malleable_options {
    struct cs_study_options study;
    struct cs_trap_options trap;
    int64_t procs;
    double mtbf, silent_mtbf, downtime;
    bool fault_free;
    double checkpoint, data, verification, disk;
    int fill, fewer;
    bool strict;
    const char *on_end, *on_failure, *policy_program;
    bool optimum;
    int effort;      /* 1: exact */
    double patience; /* with the program */
    int64_t tune;
    int rules;
    double period_factor;
    int layout;
    double kappa, hysteresis;
    int minimal_disruption, wake;
    bool time_planning;
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
    struct cs_malleable_rules *rules;  /* of each variant */
    int optimum;                       /* the variant with known failures; -1: none */
    struct cs_extpol *extpol;          /* the external policy of `program`, or NULL */
};

/* One run, kept: its record's schedule is the one of `run`. */
struct cs_malleable_kept {
    struct cs_kept record;
    int variant;
    struct cs_malleable_record *run;
};

extern const struct cs_problem cs_problem_malleable;

#endif
