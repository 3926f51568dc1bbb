/* schedule.h - the machine of a schedule, and the declarations of its file.
 *
 * Declarations of a file are unverified claims: see check/check.h.
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
    int launched; /* of these; 0 if not in the file */
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

/* A proof of the lower bound that can be checked if cheaper arguments fail: prices of the tasks and
 * of expensive packs, under which no pack is worth more than its cost, and the required content of
 * every plan is worth the bound. */
struct cs_pack_certificate {
    const double *price; /* of every task, seconds; NULL: none */
    int steps;
    const struct cs_pack_step *step;
    bool search; /* it comes from a search, which cannot be shown by numbers */
};

/* The declarations of a plan of the pack problem. Numbers that it leaves out, or gives as null
 * because they are not defined, are NaN; counts that it leaves out are 0. */
struct cs_pack_declared {
    int pack_size;
    double cost, one_pack_cost, relative_cost, packing_ratio, relative_response_time;
    double lower_bound;
    double gap;    /* (cost - lower_bound) / lower_bound */
    bool optimal;  /* declared as proven */
    bool supplied; /* times are those of the instance, not repaired */
    int packs;
    const struct cs_pack_declared_pack *pack; /* in the order in which they were made */
    struct cs_pack_certificate certificate;   /* of the bound; all 0: none */
    double smith_response_time; /* relative, with packs by rising cost / tasks; NaN, 0: unset */
    double packing_ratio_used,
        packing_ratio_minimal; /* as in problems/pack/pack.h; NaN, 0: unset */
    bool says_optimal;         /* the file states whether it is optimal */
};

/* The declarations of a schedule of the rigid problem; arrays are by task. */
struct cs_rigid_declared {
    const char *priority;    /* "" if not in the file */
    int scenario;            /* -1 if not in the file */
    double verification;     /* seconds added to each attempt */
    double lower_bound;      /* on the makespan; NaN if not in the file */
    bool shelves;            /* jobs run in shelves, the groups of the bars */
    const double *seconds;   /* of an attempt without verification */
    const int *procs;        /* of each attempt */
    const int64_t *failures; /* how often each job failed; NULL if not in the file */
    const double *submit;    /* seconds: no earlier start; NULL: all jobs are there at 0 */
    const double *estimate;  /* of an attempt, as given to the policy; NULL: the same as seconds */
    const char *const *user; /* whose job it is, NULL for unknown; NULL: not in the file */
};

/* One failure.  The effects are idle, ignored, initial-checkpoint, rollback,
 * rollback-not-longest, rollback-redistributed and rollback-no-better-plan. */
struct cs_malleable_declared_fault {
    double time;   /* seconds */
    int processor; /* from 0; beyond the machine: idle */
    const char *effect;
    bool disk; /* of patterns: only the checkpoint on disk is left after it */
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
    CS_MALLEABLE_PATTERN, /* patterns of verifications, memory and disk checkpoints
                             (model/pattern.h) */
};

/* The rules of the malleable problem. */
struct cs_malleable_rules {
    int on_end, on_failure;
    enum cs_malleable_layout layout;
    double period_factor;    /* k > 0: the period is k sqrt(2 mtbf C) / j + C / j; 1: Young's */
    double kappa;            /* > 0; of the tail layout */
    double hysteresis;       /* 0 <= h < 1: a plan is carried out only when the expected maximum,
                                from now on, falls by more than this share; 0: always */
    bool minimal_disruption; /* greedy plans: tasks keep their processors if this is as good */
    bool wake;               /* free processors are offered to a task whose restart is over */
};

/* The declarations of a schedule of the malleable problem; its tasks are those of the workload,
 * with checkpoints and data. In a bar `attempt` counts the segments of computation of the task:
 * downtime, recovery, move and the checkpoint after a move belong to the segment that they lead
 * to. */
struct cs_malleable_declared {
    double mtbf;                     /* of a processor, seconds; +inf: no failures */
    double silent_mtbf;              /* between its silent errors; +inf: none */
    double downtime;                 /* seconds */
    bool fault_free;                 /* no failures and no checkpoints */
    struct cs_malleable_rules rules; /* but the policies, hysteresis and minimal disruption */
    const char *on_end, *on_failure; /* policies; "" if not in the file */
    int faults;
    const struct cs_malleable_declared_fault *fault; /* those up to the makespan, by time */
    int fatal;      /* how many would be fatal in reality; -1 if not in the file */
    bool has_areas; /* are they in the file? */
    struct cs_malleable_declared_areas areas;
    double lower_bound; /* on the makespan; NaN if not in the file */
};

/* Replacements for shares of a whole that preserve feasibility: the share itself; with FAMILY
 * floor((at + 1) share) / at where (at + 1) share is not whole; with STEP 0 below `at`, and the
 * whole above the whole less `at`. */
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

/* The weight of a task on a number of processors: `time` per processor and `width` per time. These
 * are conservative scales: of tasks that fit one after the other within the bound the times, and of
 * tasks that fit side by side the widths, add up to no more than a most, so that in a plan sum of
 * c/procs time + t/bound width is no more than both mosts. */
struct cs_moldable_scale {
    int task, count;
    double time, width;
};

/* A proof of the lower bound that can be checked if areas and paths do not show it: in every plan
 * that ends by then the weights of the tasks under the pairs add up to at most the total of the
 * weights. */
struct cs_moldable_certificate {
    int pairs;
    const struct cs_moldable_pair *pair;
    int scales; /* in addition to pairs: other counts have weight 0 */
    const struct cs_moldable_scale *scale;
    bool search; /* it comes from a search, which cannot be shown by numbers */
    /* Case distinction if pairs and scales are not sufficient for all counts: `task` on up to
     * `most` processors, and on more; NULL: sufficient. */
    const struct cs_moldable_certificate *narrow, *wide;
    int task, most;
};

/* A number with a name, of a general bag (model/modes.h). */
struct cs_bag_amount {
    const char *name;
    double value;
};

struct cs_bag_flow {
    int from, to; /* tasks; to -1: the end */
    double amount;
};

/* A proof of the lower bound of a general bag (spec/bag.md 5.6): prices of resources, tasks that
 * never run at the same time, or a flow with prices of resources and budgets. */
struct cs_bag_certificate {
    int prices, budgets, flows, tasks;
    const struct cs_bag_amount *price, *budget;
    const struct cs_bag_flow *flow;
    const int *task;
    bool has_flow;
};

/* The declarations of a schedule of a general bag that are lists by name. */
struct cs_bag_declared {
    int areas, spends, budgets, uses, resources;
    const struct cs_bag_amount *area;     /* bounds of resources */
    const struct cs_bag_amount *spend;    /* what is spent of budgets, */
    const struct cs_bag_amount *budget;   /* and their limits */
    const struct cs_bag_amount *use;      /* mean shares of resources in use */
    const struct cs_bag_amount *resource; /* capacities */
    const struct cs_bag_amount *per_node; /* by resource: of a node; 0: of the machine */
    struct cs_bag_certificate certificate;
};

/* The declarations of a schedule of the moldable problem. Arrays are by task and NULL if not in the
 * file; missing numbers are NaN, seed and moves -1. */
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
    /* Of a general bag (model/modes.h); else NULL, 0 and NaN. */
    const int *mode; /* by task: the index of its mode in the instance */
    int nodes;
    double late;                            /* seconds after their deadlines, of all tasks */
    double prices, disjunctive, relaxation; /* bounds */
    const struct cs_bag_declared *bag;
};

/* The declarations of a schedule of the ptg problem: the tasks of the schedule are those of the
 * first graph, then those of the second, and so on. */
struct cs_ptg_declared {
    int graphs;
    const struct cs_graph *const *graph;
    const double *release; /* by graph, seconds; NULL: all at 0 */
    bool fan;              /* transfers share the links at both ends with those of the other arcs */
    double lower_bound;    /* on the makespan; NaN if not in the file */
    const double *share;   /* of the platform, by graph, from 0 to 1; NULL: not given */
};

/* Tasks that hosts got at the beginning of a slot. */
struct cs_volatile_declared_configuration {
    int iteration;    /* from 0 */
    long long slot;   /* its first */
    const int *tasks; /* by host */
};

/* The declarations of a schedule of the problem volatile. Its processors are hosts, its tasks are
 * iterations, a second is a slot. A bar is one host in slots in which it computes (work, or lost
 * when the configuration did not end its iteration), receives the program (program) or data (move);
 * `attempt` counts the configurations of the iteration, 1 before the first; `group` is the number
 * of the configuration, -1 for hosts outside. Hosts and tasks from 0. */
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
    double lower_bound; /* on the makespan; NaN if missing */
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
