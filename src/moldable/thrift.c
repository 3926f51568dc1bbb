/* thrift.c - fewer node-seconds for the same makespan: tasks change their counts, never their
 * starts.
 */
#include "base/order.h"
#include "moldable/policy.h"

/* The candidate of least work among those that fit where the task starts. */
static int find_cheapest(const struct cs_moldable_bag *bag, const struct cs_moldable_plan *plan,
                         const struct cs_moldable_skyline *skyline, int task)
{
    int best = plan->choice[task], most = cs_moldable_candidates(bag, task);

    for (int x = 0; x < most; x++) {
        double end = plan->start[task] + cs_moldable_seconds(bag, task, x);

        if (cs_moldable_work(bag, task, x) < cs_moldable_work(bag, task, best) &&
            end <= plan->makespan &&
            cs_moldable_skyline_fits(skyline, plan->start[task], end,
                                     cs_moldable_width(bag, task, x)))
            best = x;
    }
    return best;
}

void cs_moldable_thrift(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                        struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    int *order = CS_NEW_ARRAY(scratch, int, bag->tasks);
    struct cs_moldable_skyline skyline;

    cs_order_descending(plan->end, bag->tasks, order, scratch);
    cs_moldable_skyline_init(&skyline, bag, scratch);
    cs_moldable_skyline_clear(&skyline);
    for (int i = 0; i < bag->tasks; i++)
        cs_moldable_skyline_take(&skyline, plan->start[i], plan->end[i], plan->procs[i]);
    for (int p = 0; p < bag->tasks; p++) {
        int i = order[p];

        if (plan->choice[i] == bag->thrifty[bag->first[i]] - bag->first[i])
            continue;
        cs_moldable_skyline_take(&skyline, plan->start[i], plan->end[i], -plan->procs[i]);
        plan->choice[i] = find_cheapest(bag, plan, &skyline, i);
        plan->procs[i] = cs_moldable_width(bag, i, plan->choice[i]);
        plan->end[i] = plan->start[i] + cs_moldable_seconds(bag, i, plan->choice[i]);
        cs_moldable_skyline_take(&skyline, plan->start[i], plan->end[i], plan->procs[i]);
    }
    plan->makespan = 0;
    for (int i = 0; i < bag->tasks; i++)
        plan->makespan = fmax(plan->makespan, plan->end[i]);
    cs_arena_rewind(scratch, mark);
}
