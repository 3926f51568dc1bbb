/* schedule.h - the machine of a schedule, and what its file declares.
 *
 * What a file declares is only claimed: see check/check.h.
 */
#ifndef CS_MODEL_SCHEDULE_H
#define CS_MODEL_SCHEDULE_H

#include "model/graph.h"
#include "model/platform.h"

#include <cosched/schedule.h>
#include <stdint.h>

/* Set what the machine is made of; a copy is kept.  -1 with err when the platform has another
 * number of processors.  NULL while it is not set. */
int cs_schedule_set_platform(struct cs_schedule *schedule, const struct cs_platform *platform,
                             struct cs_error *err);
const struct cs_platform *cs_schedule_platform(const struct cs_schedule *schedule);

struct cs_pack_declared_task {
    int task;     /* index in the schedule */
    int procs;    /* held */
    int launched; /* of these; 0 when the file does not say */
    double seconds;
};

struct cs_pack_declared_pack {
    double cost;
    int tasks;
    const struct cs_pack_declared_task *task; /* `tasks` of them */
};

/* Packs that cost at least so many seconds are worth `price` seconds more. */
struct cs_pack_step {
    double seconds, price;
};

/* By what the lower bound can be shown anew where cheaper arguments do not: prices of the tasks and
 * of dear packs, under which no pack is worth more than it costs, and all that every plan must have
 * is worth the bound. */
struct cs_pack_certificate {
    const double *price; /* of every task, seconds; NULL: none */
    int steps;
    const struct cs_pack_step *step;
    bool search; /* it comes from a search, which cannot be shown by numbers */
};

/* What a plan of the pack problem says about itself.  Numbers that it leaves out, or
 * gives as null because they are not defined, are NaN; counts that it leaves out are 0. */
struct cs_pack_declared {
    int pack_size;
    double cost, one_pack_cost, relative_cost, packing_ratio, relative_response_time;
    double lower_bound;
    double gap;    /* (cost - lower_bound) / lower_bound */
    bool optimal;  /* said to be proven */
    bool supplied; /* times are those of the instance, not repaired */
    int packs;
    const struct cs_pack_declared_pack *pack; /* in the order in which they were made */
    struct cs_pack_certificate certificate;   /* of the bound; all 0: none */
    double smith_response_time; /* relative, with packs by rising cost / tasks; NaN, 0: not said */
    double packing_ratio_used,
        packing_ratio_minimal; /* as in problems/pack/pack.h; NaN, 0: not said */
    bool says_optimal;         /* the file states whether it is optimal */
};

/* What a schedule of the rigid problem says about itself; arrays are by task. */
struct cs_rigid_declared {
    const char *priority;    /* "" when the file does not say */
    int scenario;            /* -1 when the file does not say */
    double verification;     /* seconds added to each attempt */
    double lower_bound;      /* on the makespan; NaN when the file does not say */
    bool shelves;            /* jobs run in shelves, the groups of the bars */
    const double *seconds;   /* of an attempt without verification */
    const int *procs;        /* of each attempt */
    const int64_t *failures; /* how often each job failed; NULL when the file does not say */
    const double *submit;    /* seconds: no earlier start; NULL: all jobs are there at 0 */
    const double *estimate;  /* of an attempt, as the policy was told; NULL: the same as seconds */
};

/* One failure.  The effects are idle, ignored, initial-checkpoint, rollback,
 * rollback-not-longest, rollback-redistributed and rollback-no-better-plan. */
struct cs_malleable_declared_fault {
    double time;   /* seconds */
    int processor; /* from 0; beyond the machine: idle */
    const char *effect;
};

/* Processors times seconds; the six add up to procs times makespan. */
struct cs_malleable_declared_areas {
    double work, checkpoint;
    double lost; /* computation and unfinished checkpoints that failures threw away */
    double down; /* downtime and recovery */
    double move; /* redistribution and the checkpoint after it */
    double idle;
};

/* How a malleable task saves its state. */
enum cs_malleable_layout {
    CS_MALLEABLE_YOUNG, /* pieces of one period, and a rest */
    CS_MALLEABLE_TAIL,  /* K equal pieces; K minimises (K - 1) C + kappa (W + (K - 1) C) / K, where
                           W is the work left and C a checkpoint, both in seconds */
};

/* The rules of the malleable problem. */
struct cs_malleable_rules {
    int on_end, on_failure;
    enum cs_malleable_layout layout;
    double period_factor;    /* k > 0: the period is k sqrt(2 mtbf C) / j + C / j; 1: Young's */
    double kappa;            /* > 0; of the tail layout */
    double hysteresis;       /* 0 <= h < 1: a plan is carried out only when the expected maximum,
                                from now on, falls by more than this share; 0: always */
    bool minimal_disruption; /* greedy plans: tasks keep what they have where that is as good */
    bool wake;               /* free processors are offered to a task whose restart is over */
};

/* What a schedule of the malleable problem says about itself; its tasks are those of the
 * workload, with checkpoints and data.  In a bar `attempt` counts the segments of computation of
 * the task: downtime, recovery, move and the checkpoint after a move belong to the segment that
 * they lead to. */
struct cs_malleable_declared {
    double mtbf;                     /* of a processor, seconds; +inf: no failures */
    double downtime;                 /* seconds */
    bool fault_free;                 /* nothing fails and nothing is saved */
    struct cs_malleable_rules rules; /* but the policies, hysteresis and minimal disruption */
    const char *on_end, *on_failure; /* policies; "" when the file does not say */
    int faults;
    const struct cs_malleable_declared_fault *fault; /* those up to the makespan, by time */
    int fatal;      /* how many would be fatal in reality; -1 when the file does not say */
    bool has_areas; /* does the file say? */
    struct cs_malleable_declared_areas areas;
    double lower_bound; /* on the makespan; NaN when the file does not say */
};

/* What shares of a whole may be replaced by, so that shares that fit together still do: the share
 * itself; with FAMILY floor((at + 1) share) / at where (at + 1) share is not whole; with STEP
 * nothing below `at`, and the whole above the whole less `at`. */
enum cs_dual_kind { CS_DUAL_ITSELF, CS_DUAL_FAMILY, CS_DUAL_STEP, CS_DUAL_ROUND };

struct cs_dual {
    enum cs_dual_kind kind;
    double at; /* FAMILY: 1, 2, ...; STEP: processors, or a share of the time;
                ROUND (times only): such a share, to whose multiples it rounds down */
};

struct cs_moldable_pair {
    struct cs_dual width, time; /* of the processors, and of the lower bound */
    double weight;
};

/* What a task on so many processors takes, for `time` of each of them and for `width` of each
 * moment.  These are conservative scales: of tasks that fit one after the other within the bound
 * the times, and of tasks that fit side by side the widths, add up to no more than a most, so that
 * in a plan sum of c/procs time + t/bound width is no more than both mosts. */
struct cs_moldable_scale {
    int task, count;
    double time, width;
};

/* By what the lower bound can be shown anew where areas and paths do not: in every plan that ends
 * by then what the tasks take under the pairs adds up to no more than the weights do. */
struct cs_moldable_certificate {
    int pairs;
    const struct cs_moldable_pair *pair;
    int scales; /* beside pairs: counts that are not among them take nothing */
    const struct cs_moldable_scale *scale;
    bool search; /* it comes from a search, which cannot be shown by numbers */
    /* What pairs and scales do not show of all counts is shown of those that alone take no more,
     * with `task` on up to `most` processors and with more; NULL: they show it. */
    const struct cs_moldable_certificate *narrow, *wide;
    int task, most;
};

/* What a schedule of the moldable problem says about itself.  Arrays are by task and NULL when the
 * file does not say; numbers that it leaves out are NaN, seed and moves -1. */
struct cs_moldable_declared {
    double lower_bound, gap; /* on the makespan; makespan / lower_bound - 1 */
    double critical, area, knapsack, width;
    int64_t seed, moves;
    const int *counts;         /* on which each task is launched; of plans */
    const char *const *origin; /* of its time: measured, modelled, interpolated, scaled */
    const int *failures;       /* attempts that failed; of simulations */
    const double *factor;      /* of the real times on those of the instance */
    const bool *stopped;       /* at the walltime limit: the task is not done */
    bool contiguous;           /* each task holds processors of consecutive numbers */
    struct cs_moldable_certificate certificate; /* of the bound; all 0: none */
};

/* What a schedule of the ptg problem says about itself: the tasks of the schedule are those of the
 * first graph, then those of the second, and so on. */
struct cs_ptg_declared {
    int graphs;
    const struct cs_graph *const *graph;
    const double *release; /* by graph, seconds; NULL: all at 0 */
    bool fan;              /* transfers share the links at both ends with those of the other arcs */
    double lower_bound;    /* on the makespan; NaN when the file does not say */
    const double *share;   /* of the platform, by graph, from 0 to 1; NULL: not given */
};

/* Tasks that hosts got at the beginning of a slot. */
struct cs_volatile_declared_configuration {
    int iteration;    /* from 0 */
    long long slot;   /* its first */
    const int *tasks; /* by host */
};

/* What a schedule of the problem volatile says about itself.  Its processors are hosts, its tasks
 * are iterations, a second is a slot.  A bar is one host in slots in which it computes (work, or
 * lost when the configuration did not end its iteration), receives the program (program) or data
 * (move); `attempt` counts the configurations of the iteration, 1 before the first; `group` is
 * the number of the configuration, -1 for hosts outside of it.  Hosts and tasks from 0. */
struct cs_volatile_declared {
    int hosts, tasks, iterations, program, data, transfers; /* as in problems/volatile/volatile.h */
    int save_every, save_cost, spares;                      /* the same */
    int prefetch;                                           /* 0 none, 1 the program, 2 data too */
    long long slots;                                        /* simulated */
    int completed;                                          /* iterations that ended */
    const char *const *host;                                /* names */
    const int *slots_per_task;                              /* by host */
    const int *capacity;                                    /* by host: tasks */
    const char *const *trace;                               /* by host: `slots` letters u, r, d */
    int configurations;
    const struct cs_volatile_declared_configuration *configuration; /* by slot */
    double lower_bound; /* on the makespan; NaN when there is none */
};

/* The claims of a schedule of the problem spot.  Its only task is the job; processors 0 to
 * instances - 1 are spot, the others on demand.  A bar is the instances of one of them in whole
 * ticks in which the job does not progress (recovery: a change-over) or does (work); `attempt`
 * counts the starts.  Prices are those of a tick and of all instances. */
struct cs_spot_declared {
    int instances;              /* used at the same time */
    int work, deadline, change; /* ticks */
    double tick;                /* seconds */
    double spot, demand;        /* prices */
    int ticks;                  /* of the market, from the start of the job */
    const char *there;          /* by tick: 1 spot is available, 0 it is not */
    const double *price;        /* of spot, by tick; NULL: the constant */
    double cost;
    int starts, late; /* late: ticks after the deadline */
};

#endif
