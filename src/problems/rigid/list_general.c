/* list_general.c - R-LIST on any machine: at each decision the first m in order have a reservation
 * at the earliest, the others start if they fit now.  All reservations are forgotten then.
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
