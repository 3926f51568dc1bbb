/* policy.h - the interface of a planner of the moldable problem and the steps that planners share.
 *
 * To add a planner: one .c file here that defines a `const struct cs_moldable_policy`, one line in
 * policies.def, one line in meson.build.
 */
#ifndef CS_MOLDABLE_POLICY_H
#define CS_MOLDABLE_POLICY_H

#include "problems/moldable/instance.h"
#include "problems/moldable/list.h"

#include <math.h>

struct cs_moldable_policy {
    struct cs_policy info;
    /* Fill `plan`, which is empty: its makespan is infinite.  0, or -1 with context->err.  There is
     * at least one task. */
    int (*plan)(const struct cs_moldable_instance *in, const struct cs_policy_context *context,
                struct cs_moldable_plan *plan);
};

/* Empty it; its makespan is infinite. */
void cs_moldable_plan_clear(struct cs_moldable_plan *plan);

/* -1 with err when it was made for another number of tasks. */
int cs_moldable_plan_check_room(const struct cs_moldable_instance *in,
                                const struct cs_moldable_plan *plan, struct cs_error *err);

/* Has it a candidate, a start and processors for every task of the instance? */
bool cs_moldable_plan_fits(const struct cs_moldable_instance *in,
                           const struct cs_moldable_plan *plan);

/* The first task, by start, that does not find its processors free; -1 for none.  order[] gets the
 * tasks by start. */
int cs_moldable_plan_crowded(const struct cs_moldable_bag *bag, const struct cs_moldable_plan *plan,
                             int *order, struct cs_arena *scratch);

/* Choice and start of every task, and the lowest number of its processors (NULL: any will do): what
 * follows from them is set.  Notes stay. */
void cs_moldable_plan_set(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                          const int *choice, const double *start, const int *first);

/* The same, if that makespan is less than what the plan has. */
bool cs_moldable_plan_offer(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                            double makespan, const int *choice, const double *start,
                            const int *first);

void cs_moldable_plan_copy(struct cs_moldable_plan *to, const struct cs_moldable_plan *from);
void cs_moldable_plan_note(struct cs_moldable_plan *plan, const char *name, const char *word,
                           double number);

/* The planners that others start from (spec/moldable.md 6.2 to 6.5): the best of the plan and their
 * results becomes the plan. */
void cs_moldable_ludwig_tiwari(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                               struct cs_arena *scratch);
void cs_moldable_turek_wolf_yu(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                               struct cs_arena *scratch);

/* Every stride-th threshold; `orders` of lpt, area, wide. */
void cs_moldable_sweep(const struct cs_moldable_bag *bag, int stride, int orders,
                       struct cs_moldable_plan *plan, struct cs_arena *scratch);

/* The bound and the guarantee of Mounie, Rapine and Trystram. */
struct cs_moldable_shelves {
    double d;           /* a lower bound for the repaired times */
    double constructed; /* at most 1.5 d; NaN when the shelves do not fit */
};

/* Is the method for such a bag: no release dates, any processors, not too large? */
bool cs_moldable_shelves_apply(const struct cs_moldable_bag *bag);
struct cs_moldable_shelves cs_moldable_mounie_rapine_trystram(const struct cs_moldable_bag *bag,
                                                              struct cs_moldable_plan *plan,
                                                              struct cs_arena *scratch);

/* The best of the four, in this sequence: where the search starts. */
void cs_moldable_start(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                       struct cs_arena *scratch);

/* Threshold accepting, which begins with counts and order of a plan; `plan`, whose makespan is the
 * first deadline of FIT, becomes the best found.  Returns the moves done. */
struct cs_moldable_hunt {
    uint64_t seed;
    long long moves; /* the cooling is made for so many */
    bool (*expired)(const void *who);
    const void *who;
    const struct cs_moldable_plan *from; /* where to begin; NULL: the plan */
};
long long cs_moldable_search(const struct cs_moldable_bag *bag, const struct cs_moldable_hunt *hunt,
                             struct cs_moldable_plan *plan, struct cs_arena *scratch);

/* Fewer node-seconds with the same starts, ending no later (spec/moldable.md 6.8). */
void cs_moldable_thrift(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                        struct cs_arena *scratch);

/* -1 with context->err when tasks hold consecutive processors, for which the planner has no answer.
 */
int cs_moldable_refuse_contiguous(const struct cs_moldable_instance *in,
                                  const struct cs_policy_context *context, const char *planner);

static inline bool cs_moldable_expired(const struct cs_policy_context *context)
{
    return context->expired && context->expired(context->who);
}

/* Shorten the plan, or raise its bound, by the exact method of general bags (spec/bag.md 6.4) with
 * so many conflicts; for any processors, not for consecutive ones. */
void cs_moldable_close(const struct cs_moldable_bag *bag, const struct cs_moldable_request *request,
                       long long conflicts, struct cs_moldable_plan *plan,
                       struct cs_arena *scratch);

#endif
