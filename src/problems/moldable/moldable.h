/* moldable.h - a bag of moldable tasks without barriers.
 *
 * Every task gets its number of processors before it starts and keeps it; no task waits for a pack.
 * The objective is the least makespan, the end of the last task.  Turek, Wolf, Yu (SPAA 1992);
 * Ludwig, Tiwari (SODA 1994); Mounie, Rapine, Trystram (SIAM J. Comput. 37(2), 2007); Garey, Graham
 * (1975); Benoit, Le Fevre, Perotin, Raghavan, Robert, Sun (IEEE TC 2021) for silent errors.
 *
 * Times are those given, never repaired: a task runs on counts that are allowed, which are the
 * measured ones, those of a formula, and those that interpolation and extrapolation of its profile
 * add.  A plan uses candidates only: allowed counts on which the task is strictly faster than on
 * every smaller one.
 *
 * Tasks are numbered from 0, the candidates of a task from 0 on by rising count.  Seconds.
 */
#ifndef CS_MOLDABLE_MOLDABLE_H
#define CS_MOLDABLE_MOLDABLE_H

#include "model/policy.h"
#include "model/profile.h"
#include "model/schedule.h"

#include <cosched/error.h>
#include <cosched/workload.h>

struct cs_moldable_instance;

struct cs_moldable_options {
    double margin;   /* a count is allowed if margin * seconds <= walltime; 0: 1 */
    bool contiguous; /* each task holds processors of consecutive numbers; guarantees are void */
};

/* The problem of running `workload`, which must outlive the instance, on `procs` processors;
 * options may be NULL.  Rejects procs < 1, times that are not positive numbers, counts that do not
 * rise from 1, limits that contradict each other, two tasks of one name, a task without an allowed
 * count (with the reason), and times so long that their sums overflow.  NULL with err on failure.
 */
struct cs_moldable_instance *cs_moldable_instance_create(const struct cs_workload *workload,
                                                         int procs,
                                                         const struct cs_moldable_options *options,
                                                         struct cs_error *err);
void cs_moldable_instance_destroy(struct cs_moldable_instance *instance);

struct cs_moldable_candidate {
    int procs;
    double seconds;
    enum cs_time_origin origin;
};

/* The candidates of a task, *count of them. */
int cs_moldable_instance_candidates(const struct cs_moldable_instance *instance, int task);
struct cs_moldable_candidate
cs_moldable_instance_candidate(const struct cs_moldable_instance *instance, int task, int index);

#define CS_MOLDABLE_NOTES 8

/* Arrays are by task. */
struct cs_moldable_plan {
    int tasks;
    int *choice;     /* index of the candidate */
    int *procs;      /* its count: launched and held */
    double *start;   /* seconds */
    double *end;     /* start + the candidate's time */
    int *first;      /* the lowest number of its processors where they are consecutive; else -1 */
    double makespan; /* the latest end; 0 without tasks */
    double bound;    /* a lower bound that the policy proved, or 0 */
    bool optimal;    /* the policy proved that no plan is shorter */
    struct {
        const char *name; /* such as "moves" */
        const char *word; /* a word, or NULL for a number */
        double number;
    } note[CS_MOLDABLE_NOTES]; /* the notes of the policy; ends with a NULL name */
};

/* Room for a plan of so many tasks.  The caller destroys it. */
struct cs_moldable_plan *cs_moldable_plan_create(int tasks);
void cs_moldable_plan_destroy(struct cs_moldable_plan *plan);

/* The planners, *count of them, in the order of policies.def. */
const struct cs_policy *const *cs_moldable_policies(int *count);

struct cs_moldable_request {
    struct cs_policy_call call;
    uint64_t seed;
    int threads;                      /* 0: one */
    bool thrift;                      /* then the cheapest counts that keep starts and makespan */
    bool (*expired)(const void *who); /* called now and then, by any thread; NULL: no limit */
    const void *who;
};

/* Fill `plan` (made for as many tasks) by the planner of the request.  On failure -1 with err. */
int cs_moldable_plan_make(const struct cs_moldable_instance *instance,
                          const struct cs_moldable_request *request, struct cs_moldable_plan *plan,
                          struct cs_error *err);

/* The policies that execute a bag when times are uncertain and attempts fail, *count of them. */
const struct cs_policy *const *cs_moldable_variants(int *count);

/* The plan as it would run: one work bar a task, by start, on whole blocks of free processors, or
 * on those of the plan where they are consecutive.  The caller destroys it.  NULL for
 * a plan that is not of this instance and holds more processors than it has. */
struct cs_schedule *cs_moldable_schedule(const struct cs_moldable_instance *instance,
                                         const struct cs_moldable_plan *plan);

/* The data that is unknown beforehand: times, and which attempts fail. */
struct cs_moldable_world {
    double sigma;  /* of the logarithm of the factor on a task's times, whose mean is 1; 0: exact */
    double qbar;   /* failure probability of an attempt of an average task; 0: none */
    uint64_t seed; /* scenarios are drawn from (seed, set, scenario) alone */
    uint64_t set;
};

/* Refuses sigma < 0 and qbar outside [0, 1).  -1 with err. */
int cs_moldable_world_check(const struct cs_moldable_world *world, struct cs_error *err);

/* One scenario, by task: the factor on its times, and how many of its attempts fail.  -1 with err
 * when a task would fail a million times. */
int cs_moldable_world_draw(const struct cs_moldable_instance *instance,
                           const struct cs_moldable_world *world, uint64_t scenario, double *factor,
                           int *failures, struct cs_error *err);

/* For callers that do not choose a planner; each effort costs more time than the one before:
 *
 *     FAST     ludwig-tiwari and every fourth list of sweep: milliseconds
 *     DEFAULT  all lists, then the search for about a second (by a number of moves, so that the
 *              answer does not depend on the machine); bags of up to 10 tasks are proved if that is
 *              quick
 *     HIGH     8 seeds of six times as many moves
 *     EXACT    DEFAULT, then exact with many nodes
 *
 * Thrift comes last; plan->bound is the best bound. */
enum cs_moldable_effort {
    CS_MOLDABLE_EFFORT_FAST,
    CS_MOLDABLE_EFFORT_DEFAULT,
    CS_MOLDABLE_EFFORT_HIGH,
    CS_MOLDABLE_EFFORT_EXACT,
};

/* "fast", "default", "high", "exact"; NULL for others. */
const char *cs_moldable_effort_name(int effort);

/* Fill `plan` with the plan of an effort; the request's call and thrift play no part. */
int cs_moldable_effort_plan(const struct cs_moldable_instance *instance,
                            enum cs_moldable_effort effort,
                            const struct cs_moldable_request *request,
                            struct cs_moldable_plan *plan, struct cs_error *err);

/* Lower bounds on the makespan of every plan (on the times as given). */
struct cs_moldable_bounds {
    double critical;       /* of the longest task, on its fastest candidate, after its release */
    double area;           /* least T with work(T) / procs <= T: Ludwig and Tiwari */
    double area_threshold; /* the T of the allotment that goes with it */
    double knapsack; /* long tasks run together at half time; NaN when left out as too large */
    double width;    /* dual feasible functions: wide tasks */
    double best;     /* the largest */
};

int cs_moldable_bounds_compute(const struct cs_moldable_instance *instance,
                               struct cs_moldable_bounds *bounds);

#endif
