/* metrics.c - makespans, slowdowns and unfairness.
 *
 * Source: N'takpe, Suter, section 7; spec/ptg.md 7.
 *
 * The slowdown of a graph is its time alone over its time in the plan: 1 is undisturbed, and 1 is
 * also the value of a graph that takes no time alone.  Unfairness is the sum (not the mean) of the
 * distances from the average slowdown, so it grows with the number of graphs.  O(graphs).
 */
#include "base/arena.h"
#include "base/guard.h"
#include "problems/ptg/run.h"

#include <math.h>

struct cs_ptg_metrics *cs_ptg_metrics_create(const struct cs_ptg_instance *instance,
                                             const struct cs_ptg_plan *plan, const double *own)
{
    CS_ASK(instance && plan && own && cs_ptg_plan_fits(instance, plan), NULL, NULL);
    CS_GUARD(NULL, NULL);
    struct cs_arena *arena = cs_arena_create();
    struct cs_ptg_metrics *m = CS_NEW(arena, struct cs_ptg_metrics);
    int n = instance->graphs;
    double *alone = CS_NEW_ARRAY(arena, double, n), *shared = CS_NEW_ARRAY(arena, double, n);
    double *slowdown = CS_NEW_ARRAY(arena, double, n);

    *m = (struct cs_ptg_metrics){.graphs = n,
                                 .own = alone,
                                 .shared = shared,
                                 .slowdown = slowdown,
                                 .makespan = plan->makespan,
                                 .storage = arena};
    for (int g = 0; g < n; g++) {
        alone[g] = own[g];
        shared[g] = plan->completion[g] - instance->release[g];
        slowdown[g] = own[g] > 0 ? own[g] / shared[g] : 1;
        m->average_slowdown += slowdown[g];
        m->average_makespan += shared[g];
    }
    m->average_slowdown /= n;
    m->average_makespan /= n;
    for (int g = 0; g < n; g++)
        m->unfairness += fabs(slowdown[g] - m->average_slowdown);
    return m;
}

void cs_ptg_metrics_destroy(struct cs_ptg_metrics *metrics)
{
    if (metrics)
        cs_arena_destroy(metrics->storage);
}
