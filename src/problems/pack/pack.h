/* pack.h - moldable tasks grouped into packs that run one after the other.
 *
 * The problem k-IN-p-COSCHEDULE of Aupy, Shantharam, Benoit, Robert, Raghavan,
 * "Co-scheduling algorithms for high-throughput workload execution": partition n
 * tasks into packs of at most k tasks and give each task of a pack processors, at
 * most p in all, so that the sum over the packs of their longest task is least.
 *
 * Tasks are numbered from 0.  Times and costs are in seconds.
 */
#ifndef CS_PACK_PACK_H
#define CS_PACK_PACK_H

#include "model/policy.h"
#include "model/schedule.h"

#include <cosched/error.h>
#include <cosched/workload.h>

struct cs_pack_instance;

/* A pack size that limits nothing. */
#define CS_PACK_UNLIMITED 2147483647

/* The problem of running `workload` on `procs` processors with at most `pack_size`
 * tasks in a pack (more than procs is as good as procs; CS_PACK_UNLIMITED).  The profiles are
 * repaired so that times never rise (1) and work never falls (2) with more processors.  Refuses
 * procs < 1, pack_size < 1, a task that cannot run on procs processors, and times so long that
 * their sums overflow.  The workload must outlive the instance.  NULL with err on failure. */
struct cs_pack_instance *cs_pack_instance_create(const struct cs_workload *workload, int procs,
                                                 int pack_size, struct cs_error *err);

/* The same with the times as given: a task is launched on an allowed count only (a measured one,
 * one of a formula, what its fill and fewer add, less what its limits forbid), and holding more
 * processors than that does not change its time.  A count is allowed if margin (at least 1) times
 * its time is within the walltime.  Refuses release dates too, and tasks without an allowed count.
 */
struct cs_pack_instance *cs_pack_instance_create_measured(const struct cs_workload *workload,
                                                          int procs, int pack_size, double margin,
                                                          struct cs_error *err);

void cs_pack_instance_destroy(struct cs_pack_instance *instance);

int cs_pack_instance_procs(const struct cs_pack_instance *instance);
int cs_pack_instance_pack_size(const struct cs_pack_instance *instance);

/* The repaired or given time of a task on 1 .. procs processors; +inf where it cannot run. */
double cs_pack_instance_time(const struct cs_pack_instance *instance, int task, int procs);

/* The count on which a task that holds so many processors is launched, where it can run. */
int cs_pack_instance_launched(const struct cs_pack_instance *instance, int task, int procs);

#define CS_PACK_NOTES 4

/* Packs in the order in which they were made.  Pack b holds the tasks
 * task[first[b]] .. task[first[b + 1] - 1], each on procs[] processors. */
struct cs_pack_plan {
    int room; /* the tasks that it was made for */
    int tasks, packs;
    int *first;   /* packs + 1 */
    int *task;    /* tasks */
    int *procs;   /* tasks, parallel to task */
    double *cost; /* packs */
    double total; /* the sum of cost, added in this order */
    double bound; /* a lower bound that the policy proved, or 0 */
    bool optimal; /* the policy proved that no plan is cheaper */
    struct {
        const char *name; /* such as "iterations" */
        const char *word; /* a word, or NULL for a number */
        double number;
    } note[CS_PACK_NOTES]; /* the notes of the policy; ends with a NULL name */
};

/* Room for a plan of so many tasks, empty.  The caller destroys it. */
struct cs_pack_plan *cs_pack_plan_create(int tasks);
void cs_pack_plan_destroy(struct cs_pack_plan *plan);

/* Take away the processors that do not shorten a pack: every task keeps the fewest with which it
 * ends with its pack, and costs stay. */
int cs_pack_plan_trim(const struct cs_pack_instance *instance, struct cs_pack_plan *plan);

/* The policies, *count of them, in the order of policies.def. */
const struct cs_policy *const *cs_pack_policies(int *count);

struct cs_pack_request {
    struct cs_policy_call call;
    uint64_t seed;
    int threads;                      /* 0: one */
    bool (*expired)(const void *who); /* called now and then, by any thread; NULL: no limit */
    const void *who;
};

/* Fill `plan` (made for as many tasks) by the policy of the request.  On failure -1
 * with err, and the plan is empty. */
int cs_pack_plan_make(const struct cs_pack_instance *instance,
                      const struct cs_pack_request *request, struct cs_pack_plan *plan,
                      struct cs_error *err);

/* For callers that do not choose a policy; each effort costs more time than the one before:
 *
 *     FAST     the best of pack-approx, pack-by-pack and contiguous: below a millisecond for a
 *              hundred tasks
 *     DEFAULT  and exact up to 16 tasks, pair-search with kicks up to about a hundred, without up
 *              to about five hundred, local-search for more: up to a second
 *     HIGH     and pair-search, from more starts and with more kicks: seconds for hundreds
 *     EXACT    and exact, which proves an optimum or, when patience ends, a bound
 *
 * Where there are too many tasks the policies of a lower effort are run instead, so that FAST
 * never does quadratic work and the others end in reasonable time; with a time limit the limits
 * are ten times as high. */
enum cs_pack_effort {
    CS_PACK_EFFORT_FAST,
    CS_PACK_EFFORT_DEFAULT,
    CS_PACK_EFFORT_HIGH,
    CS_PACK_EFFORT_EXACT,
};

/* Fill `plan` with the cheapest plan of an effort; the request's call plays no part.  The plan's
 * notes are those of the policy that made it and "chosen", its name; "too large for" names a policy
 * that was not run because of the instance's size.  -1 with err if a policy fails: only exact can,
 * in a build without CLP. */
int cs_pack_effort_plan(const struct cs_pack_instance *instance, enum cs_pack_effort effort,
                        const struct cs_pack_request *request, struct cs_pack_plan *plan,
                        struct cs_error *err);

/* Section 6 of the paper.  Ratios are NaN when there is no task. */
struct cs_pack_metrics {
    double cost;                   /* the sum of the pack costs */
    double one_pack_cost;          /* every task alone on all processors, one after the other */
    double relative_cost;          /* cost / one_pack_cost */
    double packing_ratio;          /* held processor time / (procs * cost) */
    double packing_ratio_used;     /* the same with the counts that tasks are launched on */
    double packing_ratio_minimal;  /* the same with the fewest processors that keep the costs */
    double relative_response_time; /* mean response, packs by rising cost / shortest task first */
    double smith_response_time;    /* the same, packs by rising cost / tasks (the best order) */
};
int cs_pack_metrics_compute(const struct cs_pack_instance *instance,
                            const struct cs_pack_plan *plan, struct cs_pack_metrics *metrics);

/* Lower bounds on the cost of every plan: area, cardinality, and the mix of both. */
struct cs_pack_bounds {
    double area, cardinality, mixed;
    double best; /* the largest */
};
int cs_pack_bounds_compute(const struct cs_pack_instance *instance, struct cs_pack_bounds *bounds);

enum cs_pack_order { CS_PACK_ORDER_CREATION, CS_PACK_ORDER_COST, CS_PACK_ORDER_SMITH };

/* The plan as it would run: packs one after the other in that order, tasks of a pack
 * side by side from processor 0 on, one work bar each, group = pack.  The caller
 * destroys it. */
struct cs_schedule *cs_pack_schedule(const struct cs_pack_instance *instance,
                                     const struct cs_pack_plan *plan, enum cs_pack_order order);

/* Workloads in the manner of the paper's section 6.  The paper does not define its workloads fully,
 * so these are substitutes, and their `source` states it (docs/papers.md). */
struct cs_pack_workload {
    const char *name;    /* "i", "ii-a", "ii-b", "iii-a", "iii-b", "random", "formula" */
    const char *summary; /* one line */
    int tasks;           /* 0: as many as the recipe wants */
    int procs;           /* the default */
};

/* The workloads, from index 0 on; NULL at the end. */
const struct cs_pack_workload *cs_pack_workload_at(int index);

struct cs_pack_generator {
    int tasks;     /* random and formula; 0: 65 */
    int procs;     /* length of the tables, suggested number of processors; 0: the default */
    uint64_t seed; /* random and formula */
};

/* Make the named workload; recipe may be NULL.  All but formula are tables, repaired as an
 * instance would repair them.  NULL with err on failure.  The caller destroys it. */
struct cs_workload *cs_pack_generate(const char *name, const struct cs_pack_generator *generator,
                                     struct cs_error *err);

#endif
