/* shortest_tasks_first.c - Algorithm 4: the task that failed is helped, by free processors, then
 * by the tasks that will end first.
 *
 * Source: the paper, Algorithm 4 (ShortestTasksFirst); spec/malleable.md 7, gaps A20 to A25.
 *
 * Idea: phase 1 gives free processors to the failed task as long as they help.  Phase 2 takes
 * them from the task that is expected to end first (ties: the lower index), if that one then
 * still ends before the failed task would have; it stops when the shortest cannot give.
 *
 * As printed, phase 2 is only reached after a gain in phase 1, so that it never runs when no
 * processor is free, which is the usual case; repaired, it runs unless phase 1 has found that
 * more processors do not help.  With EndLocal and the paper's 100 tasks on 1,000 processors the
 * normalized time is 0.789 as printed, 0.729 repaired (gap A22).
 *
 * Invariants: a donor keeps at least 2 processors and ends before the failed task did before the
 * transfer; the failed task ends earlier after each transfer.
 *
 * Complexity: phase 1 one search (plan.c) for each gain; phase 2 O(n) to build the queue, then
 * O(log n) and at most share / 2 searches for each transfer.  No tuned constants.
 */
#include "problems/malleable/policy.h"

#include <float.h>
#include <math.h>

/* Free processors; returns whether phase 2 makes sense. */
static bool take_free(struct cs_malleable_plan *plan, struct cs_malleable_member *f,
                      bool improvable)
{
    double *expected = &plan->expected[plan->faulty];
    int left = plan->free;

    while (left >= 2) {
        double finish;
        const int k =
            cs_malleable_first(plan, f, f->share + 2, f->share + left, *expected, &finish);

        if (k == 0)
            return false;
        improvable = true;
        left -= k - f->share;
        f->share = k;
        *expected = finish;
    }
    return improvable;
}

/* Fewest processors from d that make f end earlier and d before f ends now, or 0. */
static int first_transfer(const struct cs_malleable_plan *plan, const struct cs_malleable_member *f,
                          const struct cs_malleable_member *d)
{
    const double before = plan->expected[plan->faulty];
    const int most = d->share - 2;
    double finish;

    for (int q = 0; q < most;) {
        const int k =
            cs_malleable_first(plan, f, f->share + q + 2, f->share + most, before, &finish);

        if (k == 0)
            return 0;
        q = k - f->share;
        if (cs_malleable_finish(plan, d, d->share - q) < before)
            return q;
    }
    return 0;
}

/* The shortest is the largest; one that never ends comes last, but is there. */
static double shortest_tasks_first_rank(double expected)
{
    return cs_malleable_larger(-expected, -DBL_MAX);
}

/* Members that may give, the shortest first. */
static void shortest_tasks_first_call(struct cs_malleable_plan *plan)
{
    const double *procs = plan->rows->column[CS_ROW_PROCS];
    double *queue = cs_tournament_begin(&plan->queue, plan->rows->count);

    for (int a = 0; a < plan->rows->count; a++)
        queue[a] = ((plan->expected[a] > -INFINITY) & (procs[a] >= 4))
                       ? shortest_tasks_first_rank(plan->expected[a])
                       : -INFINITY;
    queue[plan->faulty] = -INFINITY;
    cs_tournament_play(&plan->queue);
}

/* One donor after the other. */
static void take_from_shortest(struct cs_malleable_plan *plan, struct cs_malleable_member *f)
{
    shortest_tasks_first_call(plan);
    while (cs_tournament_largest(&plan->queue) > -INFINITY) {
        const int a = cs_tournament_winner(&plan->queue);
        struct cs_malleable_member *d = cs_malleable_meet(plan, a);
        const int q = first_transfer(plan, f, d);

        if (q == 0)
            return;
        f->share += q;
        d->share -= q;
        plan->expected[plan->faulty] = cs_malleable_finish(plan, f, f->share);
        plan->expected[a] = cs_malleable_finish(plan, d, d->share);
        if (plan->expected[a] > plan->expected[plan->faulty])
            return;
        cs_tournament_set(&plan->queue, a,
                          d->share >= 4 ? shortest_tasks_first_rank(plan->expected[a]) : -INFINITY);
    }
}

static void shortest_tasks_first_decide(struct cs_malleable_plan *plan, bool improvable)
{
    struct cs_malleable_member *f = cs_malleable_meet(plan, plan->faulty);

    if (take_free(plan, f, improvable))
        take_from_shortest(plan, f);
}

static void decide_repaired(struct cs_malleable_plan *plan)
{
    shortest_tasks_first_decide(plan, true);
}

static void decide_printed(struct cs_malleable_plan *plan)
{
    shortest_tasks_first_decide(plan, false);
}

const struct cs_malleable_policy cs_malleable_failure_shortest = {
    .info =
        {
            .name = "shortest-tasks-first",
            .problem = "malleable",
            .summary = "after a failure: free processors, then those of the tasks that end first",
            .source = "Benoit, Pottier, Robert, Inria RR-8795, Algorithm 4, repaired",
            .aliases = "stf",
        },
    .decide = decide_repaired,
};

const struct cs_malleable_policy cs_malleable_failure_shortest_printed = {
    .info =
        {
            .name = "shortest-tasks-first-printed",
            .problem = "malleable",
            .summary = "the same as the paper prints it: others give only if some were free",
            .source = "Benoit, Pottier, Robert, Inria RR-8795, Algorithm 4 (ShortestTasksFirst)",
            .aliases = "stf-printed",
        },
    .decide = decide_printed,
};
