/* general.h - plans of general bags: efforts, planners, bounds with their certificates, and the
 * schedule (spec/bag.md 4.5, 5.6, 6.5, 6.6). */
#ifndef CS_MOLDABLE_BAG_GENERAL_H
#define CS_MOLDABLE_BAG_GENERAL_H

#include "problems/moldable/bag/bag.h"
#include "problems/moldable/moldable.h"

struct cs_bag_general {
    const struct cs_modes *modes;
    struct cs_bag bag;
    struct cs_bag_bounds bounds;
    struct cs_bag_relaxation relaxation;
    bool relaxed;
    double cheap;      /* the largest bound without a search */
    long long hurried; /* conflicts of effort fast; 0: lists only */
    struct cs_arena *arena;
};

/* The modes must outlive it.  -1 with err: a circle, no plan at all.  *remark: a deadline that no
 * plan meets, for people, or "". */
int cs_bag_general_create(const struct cs_modes *modes, struct cs_bag_general *general,
                          const char **remark, struct cs_arena *arena, struct cs_error *err);

/* By an effort, or by one of the planners list, search, exact; others refuse.  The choices of the
 * plan are candidates of the bag. */
int cs_bag_general_plan(const struct cs_bag_general *general, enum cs_moldable_effort effort,
                        const struct cs_moldable_request *request, bool by_policy,
                        struct cs_moldable_plan *plan, struct cs_error *err);

/* Why only planners of general bags take it: "the tasks need gpus". */
const char *cs_bag_general_reason(const struct cs_modes *modes, struct cs_arena *arena);

/* Seconds late, of all tasks. */
double cs_bag_general_late(const struct cs_bag_general *general,
                           const struct cs_moldable_plan *plan);

/* Where the time of a candidate comes from. */
enum cs_time_origin cs_bag_general_origin(const struct cs_bag_general *general, int task,
                                          int choice);

/* The amount of a budget that the plan spends. */
double cs_bag_general_spent(const struct cs_bag_general *general,
                            const struct cs_moldable_plan *plan, int budget);

/* One bar a task, by start, with numbers of processors and GPUs, and what else it holds. */
struct cs_schedule *cs_bag_general_schedule(const struct cs_bag_general *general,
                                            const char *const *name,
                                            const struct cs_moldable_plan *plan);

/* The declarations of a plan with this bound that only general bags have; arrays are in the arena.
 */
void cs_bag_general_declare(const struct cs_bag_general *general,
                            const struct cs_moldable_plan *plan, double bound,
                            struct cs_moldable_declared *said, struct cs_arena *arena);

/* The mean share of a resource in use, and the most of it at any time in O(tasks^2). */
double cs_bag_general_use(const struct cs_bag_general *general, const struct cs_moldable_plan *plan,
                          int resource);
int64_t cs_bag_general_peak(const struct cs_bag_general *general,
                            const struct cs_moldable_plan *plan, int resource);

#endif
