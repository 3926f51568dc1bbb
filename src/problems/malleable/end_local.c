/* end_local.c - Algorithm 3: free processors go to the tasks that are expected to end last.
 *
 * Source: the paper, Algorithm 3 (EndLocal); spec/malleable.md 7 and gap A19; at a wake, section
 * 5.
 *
 * Idea: the latest (ties: the lower index) gets the fewest more that let it end earlier; a task
 * that no number of them lets end earlier is left out for this event.  Most tasks are left out
 * by a floor of F (rows.h) before their members are filled in.
 *
 * Invariants: no share falls; the sum of the growth is at most plan->free; plan->expected of a
 * row falls with each gain.  A member that is left out stays out: `left` only becomes smaller.
 *
 * Complexity: O(n) for the floors, O(c) for the c that pass, O(log c) and a search (plan.c) for
 * each gain.
 */
#include "problems/malleable/policy.h"

#include <math.h>

/* The rows that more processors may let end earlier, into plan->row; their finish goes to the
 * queue. */
static int end_local_call(struct cs_malleable_plan *plan, int left)
{
    const double *expected = plan->expected, *floor = plan->floor;
    const int count = plan->rows->count;
    int some = 0, *row = plan->row;
    double *queue;

    cs_malleable_rows_floor_more(plan->rows, plan->time, left, plan->floor);
    for (int a = 0; a < count; a++) {
        row[some] = a;
        some += (expected[a] > -INFINITY) & !(floor[a] >= expected[a]);
    }
    queue = cs_tournament_begin(&plan->queue, some);
    for (int c = 0; c < some; c++)
        queue[c] = expected[row[c]];
    cs_tournament_play(&plan->queue);
    return some;
}

/* The fewest more that let member a end earlier; returns how many, 0 if none of `left` do. */
static int end_local_give(struct cs_malleable_plan *plan, int a, double next, int left)
{
    struct cs_malleable_member *m = cs_malleable_meet(plan, a);
    double finish;
    const int k = cs_malleable_gain(plan, m, plan->expected[a], next, left, &finish),
              more = k - m->share;

    if (k == 0)
        return 0;
    m->share = k;
    plan->expected[a] = finish;
    return more;
}

/* Algorithm 3: free processors to the members that are expected to end last. */
static void share_free(struct cs_malleable_plan *plan)
{
    struct cs_tournament *queue = &plan->queue;
    int left = plan->free;

    if (left < 2 || end_local_call(plan, left) == 0)
        return;
    while (left >= 2 && cs_tournament_largest(queue) > -INFINITY) {
        const int c = cs_tournament_winner(queue), a = plan->row[c];
        const int more = end_local_give(plan, a, cs_tournament_largest_but(queue, c), left);

        left -= more;
        cs_tournament_set(queue, c, more ? plan->expected[a] : -INFINITY);
    }
}

const struct cs_malleable_policy cs_malleable_end_local = {
    .info =
        {
            .name = "local",
            .problem = "malleable",
            .summary = "when a task ends: its processors go to the tasks that will end last",
            .source = "Benoit, Pottier, Robert, Inria RR-8795, Algorithm 3 (EndLocal)",
            .aliases = "end-local|el",
        },
    .only_free = true,
    .decide = share_free,
};
