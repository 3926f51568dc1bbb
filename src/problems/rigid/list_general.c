/* list_general.c - R-LIST on any machine: several pools, places that move with time, user limits.
 *
 * Source: Benoit et al. 2021, Algorithm 1; spec/replay.md 7.5 and 8.1.
 *
 * Idea: at each decision the first m jobs in order take the earliest slot (a slot that begins now
 * is a start), the others start if they fit now next to those slots.
 *
 * Invariants: a reservation lives for one decision; a job that starts counts among the m; a job
 * over a limit of its user is skipped and does not count.
 *
 * Complexity: O(n) searches of the space (space.c) for n waiting jobs; the form for one pool,
 * list.c, asks the queue for candidates instead.
 */
#include "problems/rigid/general.h"
#include "problems/rigid/planner.h"

#include <math.h>

struct rounds {
    struct cs_rigid_planner planner;
    double reservations;
};

static void *list_general_create(const struct cs_rigid_instance *in, const double *param,
                                 struct cs_arena *arena, struct cs_error *err)
{
    struct rounds *rounds = CS_NEW(arena, struct rounds);

    (void)err;
    cs_rigid_planner_init(&rounds->planner, in, arena);
    rounds->reservations = isnan(param[0]) ? INFINITY : param[0];
    return rounds;
}

static int list_general_decide(void *state, const struct cs_rigid_view *view, int *start)
{
    struct rounds *rounds = state;
    struct cs_rigid_planner *p = &rounds->planner;
    double left = rounds->reservations;

    if (!p->waiting)
        return 0;
    cs_rigid_planner_begin(p, view, start);
    for (int k = 0; k < p->waiting; k++) {
        if (!cs_rigid_planner_admits(p, p->line[k]))
            continue;
        if (left-- > 0)
            cs_rigid_planner_reserve(p, k);
        else
            cs_rigid_planner_try(p, k, NULL);
    }
    return cs_rigid_planner_end(p);
}

const struct cs_rigid_policy cs_rigid_list_general = {
    .create = list_general_create,
    .begin = cs_rigid_planner_fill,
    .arrived = cs_rigid_planner_add,
    .failed = cs_rigid_planner_add,
    .withdrawn = cs_rigid_planner_withdraw,
    .reranked = cs_rigid_planner_rerank,
    .decide = list_general_decide,
};
