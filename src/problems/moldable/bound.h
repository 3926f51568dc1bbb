/* bound.h - lower bounds on the makespan (spec/moldable.md 5), and thresholds for allotments. */
#ifndef CS_MOLDABLE_BOUND_H
#define CS_MOLDABLE_BOUND_H

#include "model/schedule.h"
#include "problems/moldable/bag.h"
#include "problems/moldable/moldable.h"

/* Where procs * candidates is more, the knapsack is left out. */
#define CS_MOLDABLE_KNAPSACK_MOST 1e8

/* max release + fastest time. */
double cs_moldable_critical(const struct cs_moldable_bag *bag);

/* min over T of max(T, W(T) / procs), where W(T) adds up the least work of candidates of at most T.
 * *threshold is the T of the allotment to list.  Exact; no sort of all times, so that it suits bags
 * of a million candidates. */
double cs_moldable_area(const struct cs_moldable_bag *bag, double *threshold,
                        struct cs_arena *scratch);

/* Tasks longer than half the makespan run together at half time: the least lambda for which they
 * and the work fit.  `area` is that bound.  NaN when it would take too long. */
double cs_moldable_knapsack(const struct cs_moldable_bag *bag, double area,
                            struct cs_arena *scratch);

/* The area bound with widths replaced by dual feasible functions of them: the best of many. */
double cs_moldable_width_bound(const struct cs_moldable_bag *bag, struct cs_arena *scratch);

/* Asked now and then; NULL: for ever. */
struct cs_moldable_patience {
    bool (*expired)(const void *who);
    const void *who;
};

/* A bound from `low`, which is one, up to `high`, a makespan that is reached: one allotment has to
 * satisfy many dual feasible functions together (joint.c).  Takes up to half a second; `low` when
 * the bag is too large for that; the bound proved so far when patience ends. */
double cs_moldable_joint(const struct cs_moldable_bag *bag, double low, double high,
                         struct cs_moldable_patience patience, struct cs_arena *scratch);

/* A stronger one, by scales that are made for the tasks (cases.c).  Takes up to a second; `low`
 * when it does not apply: to bags of up to 64 tasks and 240 candidates on up to 4096 processors. */
bool cs_moldable_cases_apply(const struct cs_moldable_bag *bag);
double cs_moldable_cases(const struct cs_moldable_bag *bag, double low, double high,
                         struct cs_moldable_patience patience, struct cs_arena *scratch);

/* The bound of the default effort for such a plan, which may be of any origin: the best of all
 * bounds, and of up to 10 tasks the shortest makespan where that is found out in time. */
double cs_moldable_effort_bound(const struct cs_moldable_instance *instance,
                                const struct cs_moldable_request *request,
                                const struct cs_moldable_plan *plan);

/* The weights, or the scales, that prove such a bound: false when it has found no proof. */
bool cs_moldable_cases_certify(const struct cs_moldable_bag *bag, double bound,
                               struct cs_moldable_certificate *by, struct cs_arena *arena);
bool cs_moldable_joint_certify(const struct cs_moldable_bag *bag, double bound,
                               struct cs_moldable_certificate *by, struct cs_arena *arena);

#endif
