/* thrift.c - fewer node-seconds for the same makespan.
 *
 * Source: spec/moldable.md 6.8.
 * Idea: tasks change their counts, never their starts.  The last to end comes first; each takes
 * the candidate of least work that ends by the makespan and fits with all others as they are now.
 * Where tasks hold consecutive processors, a task keeps some of those that it has, and the last to
 * start comes first.
 * Invariants: starts stay, the makespan does not grow, the work of no task grows; ties: the count
 * of before, then the narrower.
 * Complexity: O(tasks candidates-of-a-task) looks at the skyline, O(tasks) each at worst; with
 * consecutive processors O(tasks log tasks) and the processors held.
 */
#include "base/order.h"
#include "problems/moldable/policy.h"

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

static void set_choice(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan, int task,
                       int choice)
{
    plan->choice[task] = choice;
    plan->procs[task] = cs_moldable_width(bag, task, choice);
    plan->end[task] = plan->start[task] + cs_moldable_seconds(bag, task, choice);
}

/* The candidate of least work that is no wider and ends before others need its processors, of which
 * number q is next needed at next[q]. */
static int find_cheapest_block(const struct cs_moldable_bag *bag,
                               const struct cs_moldable_plan *plan, const double *next, int task)
{
    int best = plan->choice[task], first = plan->first[task], held = 0;
    double until = plan->makespan;

    for (int x = 0; x < plan->choice[task]; x++) {
        for (; held < cs_moldable_width(bag, task, x); held++)
            until = next[first + held] < until ? next[first + held] : until;
        if (cs_moldable_work(bag, task, x) < cs_moldable_work(bag, task, best) &&
            plan->start[task] + cs_moldable_seconds(bag, task, x) <= until)
            best = x;
    }
    return best;
}

/* The last to start comes first. */
static void thrift_blocks(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                          struct cs_arena *scratch)
{
    int *order = CS_NEW_ARRAY(scratch, int, bag->tasks);
    double *next = CS_NEW_ARRAY(scratch, double, bag->procs);

    for (int q = 0; q < bag->procs; q++)
        next[q] = plan->makespan;
    cs_moldable_sort_plan(bag, plan, order, scratch);
    for (int p = bag->tasks - 1; p >= 0; p--) {
        int i = order[p];

        set_choice(bag, plan, i, find_cheapest_block(bag, plan, next, i));
        for (int q = plan->first[i]; q < plan->first[i] + plan->procs[i]; q++)
            next[q] = plan->start[i];
    }
}

static void thrift_any(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                       struct cs_arena *scratch)
{
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
        set_choice(bag, plan, i, find_cheapest(bag, plan, &skyline, i));
        cs_moldable_skyline_take(&skyline, plan->start[i], plan->end[i], plan->procs[i]);
    }
}

void cs_moldable_thrift(const struct cs_moldable_bag *bag, struct cs_moldable_plan *plan,
                        struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);

    if (bag->contiguous)
        thrift_blocks(bag, plan, scratch);
    else
        thrift_any(bag, plan, scratch);
    plan->makespan = 0;
    for (int i = 0; i < bag->tasks; i++)
        plan->makespan = fmax(plan->makespan, plan->end[i]);
    cs_arena_rewind(scratch, mark);
}
