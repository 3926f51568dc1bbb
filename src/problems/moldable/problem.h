/* problem.h - options and studies of the problem moldable, for its views. */
#ifndef CS_MOLDABLE_PROBLEM_H
#define CS_MOLDABLE_PROBLEM_H

#include "base/clock.h"
#include "problem/launch.h"
#include "problem/problem.h"
#include "problem/traps.h"
#include "problems/moldable/bag/general.h"
#include "problems/moldable/frontier.h"
#include "problems/moldable/policy.h"
#include "problems/moldable/simulate.h"

#include <cosched/workload.h>

#include <stdint.h>

enum cs_moldable_model {
    CS_MOLDABLE_ROOFLINE, /* max(w / p, w / l) */
    CS_MOLDABLE_LINEAR,   /* w / p + (p - 1) o: "communication" in the papers */
    CS_MOLDABLE_AMDAHL,   /* w (f + (1 - f) / p) */
    CS_MOLDABLE_MIX,      /* max(w / p, w / l) + s + (p - 1) o */
};

struct cs_moldable_generator {
    enum cs_moldable_model model;
    int tasks, procs;
    uint64_t seed, set;
};

/* Tables of `procs` times; Amdahl's law as a formula.  The caller destroys it. */
struct cs_workload *cs_moldable_generate(const struct cs_moldable_generator *generator);

struct cs_moldable_asked {
    struct cs_study_options study;
    int64_t tasks;
    int model;
    int64_t set;
    int64_t procs;
    const char *sizes;  /* of plans, instead of procs */
    const char *within; /* of a range of sizes: "5%" */
    double deadline;    /* of a range of sizes; NaN: none */
    const char *plot;   /* of a range of sizes: the chart's file */
    struct cs_launch_options launch;
    bool contiguous;
    int64_t nodes;
    const char *resource, *budget; /* lines */
    const char *capacity;
    const char *planner, *policy, *policy_program;
    double patience;         /* with the program */
    int effort, plan_effort; /* of plans the second, which is -1 if it is not given */
    double time_limit;
    const char *plan;
    double sigma, qbar;
    int64_t scenarios;
    struct cs_trap_options trap;
};

/* A run, or a plan. */
struct cs_moldable_seen {
    double makespan, bound;
    double held, useful; /* shares of procs * makespan */
    double hours;        /* node-hours held */
    double completion;   /* mean end of a task, seconds */
    double stretch;      /* mean of completion over the task's fastest time */
    double attempts, stopped;
    double seconds; /* to make the plan; NaN for runs */
};

/* The limit of a plan, and the smallest machine with its makespan (spec/bag.md 7.7). */
struct cs_moldable_advice {
    enum cs_bag_limit_kind limit;
    int enough;   /* 0: unknown */
    int task;     /* critical: the longest one; -1: none */
    int measure;  /* critical: the count to measure that task on; 0: none */
    double saved; /* resource: seconds by which the bound falls with one more processor */
    struct cs_bag_limit general; /* of a general bag */
};

struct cs_moldable_case {
    struct cs_study study;
    const struct cs_moldable_asked *options;
    struct cs_workload *workload;
    struct cs_workload *unsized; /* of a general bag: as read, for machines of other sizes */
    const char *runs;            /* how far repeated measurements lie apart, or "" */
    struct cs_moldable_instance *instance; /* of a general bag one without its resources */
    const struct cs_bag_general *general;  /* NULL: a plain bag */
    struct cs_moldable_bounds bounds;
    double bound; /* what no plan is shorter than, by them or by a plan of this study */
    struct cs_policy_call *call;    /* of each variant: a planner, or a policy that executes a plan;
                                     * NULL: the effort */
    struct cs_moldable_plan **plan; /* of each variant: the result of `plan`; of simulations one, or
                                     * one for each variant */
    int plans;
    struct cs_frontier_sizes sizes;   /* of plans */
    bool ranged;                      /* several sizes were requested */
    double within;                    /* a share */
    struct cs_frontier frontier;      /* of several sizes; the plan is that of its first answer */
    struct cs_moldable_advice advice; /* of the only plan */
    struct cs_extpol *extpol;         /* the external policy of the planner `program`, or NULL */
    struct cs_deadline deadline;
    struct cs_moldable_world world;
    struct cs_moldable_scene *scene; /* of each variant, of simulations */
    const double *walltime;          /* of each task, or NULL */
    bool sure;                       /* times and attempts of simulations are those of the plan */
};

struct cs_moldable_kept {
    struct cs_kept record;
    const struct cs_moldable_plan *plan; /* NULL: a run */
    const double *factor;
    const int *failures;
    const bool *stopped;
    double bound, makespan;
};

enum cs_moldable_effort cs_moldable_case_effort(const struct cs_moldable_case *c);

/* A plan of the study's bag by a planner, or by the effort when `call` is NULL.  -1 with err. */
int cs_moldable_case_plan(struct cs_moldable_case *c, const struct cs_policy_call *call,
                          struct cs_moldable_plan *plan, struct cs_error *err);

/* The general bag of a size, and its workload, which the caller destroys.  -1 with err. */
struct cs_moldable_sized {
    struct cs_workload *workload;
    struct cs_bag_general general;
    const char *remark;
};

int cs_moldable_case_size(const struct cs_moldable_case *c, int procs,
                          struct cs_moldable_sized *sized, struct cs_arena *arena,
                          struct cs_error *err);

/* The study's machine becomes this size. */
int cs_moldable_case_resize(struct cs_moldable_case *c, int procs, struct cs_error *err);

/* The instance of a size; NULL with err. */
struct cs_moldable_instance *cs_moldable_case_instance(const struct cs_moldable_case *c, int procs,
                                                       struct cs_error *err);

extern const struct cs_problem cs_problem_moldable;

#endif
