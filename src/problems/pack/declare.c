/* declare.c - a plan and its metrics in the words of a schedule file. */
#include "problems/pack/declare.h"

#include "problems/pack/instance.h"

#include <math.h>

static const struct cs_pack_declared_pack *declare_packs(const struct cs_pack_instance *in,
                                                         const struct cs_pack_plan *plan,
                                                         struct cs_arena *arena)
{
    struct cs_pack_declared_pack *pack =
        CS_NEW_ARRAY(arena, struct cs_pack_declared_pack, plan->packs);
    struct cs_pack_declared_task *entry =
        CS_NEW_ARRAY(arena, struct cs_pack_declared_task, plan->tasks);

    for (int b = 0; b < plan->packs; b++) {
        pack[b] = (struct cs_pack_declared_pack){
            .cost = plan->cost[b],
            .tasks = plan->first[b + 1] - plan->first[b],
            .task = entry + plan->first[b],
        };
        for (int a = plan->first[b]; a < plan->first[b + 1]; a++)
            entry[a] = (struct cs_pack_declared_task){
                .task = plan->task[a],
                .procs = plan->procs[a],
                .launched = in->tasks->supplied
                                ? cs_moldable_launched(in->tasks, plan->task[a], plan->procs[a])
                                : 0,
                .seconds = cs_pack_time(in, plan->task[a], plan->procs[a]),
            };
    }
    return pack;
}

static void declare_bound(struct cs_pack_declared *declared, double bound)
{
    declared->lower_bound = declared->gap = NAN;
    if (!(bound > 0))
        return;
    declared->lower_bound = fmin(bound, declared->cost);
    declared->gap = (declared->cost - declared->lower_bound) / declared->lower_bound;
}

struct cs_pack_declared *cs_pack_declare(const struct cs_pack_instance *instance,
                                         const struct cs_pack_plan *plan, double lower_bound,
                                         struct cs_arena *arena)
{
    struct cs_pack_declared *declared = CS_NEW(arena, struct cs_pack_declared);
    struct cs_pack_metrics metrics;

    cs_pack_metrics_compute(instance, plan, &metrics);
    *declared = (struct cs_pack_declared){
        .pack_size = instance->pack_size,
        .supplied = instance->tasks->supplied,
        .cost = metrics.cost,
        .one_pack_cost = metrics.one_pack_cost,
        .relative_cost = metrics.relative_cost,
        .packing_ratio = metrics.packing_ratio,
        .relative_response_time = metrics.relative_response_time,
        .packs = plan->packs,
        .pack = declare_packs(instance, plan, arena),
        .optimal = plan->optimal,
        .says_optimal = true,
        .packing_ratio_used = metrics.packing_ratio_used,
        .packing_ratio_minimal = metrics.packing_ratio_minimal,
        .smith_response_time = metrics.smith_response_time,
    };
    declare_bound(declared, fmax(lower_bound, plan->bound));
    return declared;
}
