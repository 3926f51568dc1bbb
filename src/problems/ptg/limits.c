/* limits.c - the least and the greatest number of processors of a task: memory, and measured cores.
 *
 * Source: spec/ptg.md III.1, "Limits".
 *
 * A task needs as many processors of a cluster as its memory fills; a cluster without a memory
 * size, or a task without a demand, sets no limit.  Cores are ignored, an upper limit, or exact.
 *
 * Invariants
 *   - low > high on a cluster: the task never runs there; a task for which that holds on all
 *     clusters is rejected with its demand and the largest cluster.
 *   - low and high of an instance are NULL when no limit binds, so that planners without limits
 *     accept it (cs_ptg_instance_unlimited).
 *
 * Complexity: O(V K), K clusters.  The 1e-9 is for rounding of memory over memory; no tuned
 * constants.
 */
#include "base/arena.h"
#include "base/guard.h"
#include "problems/ptg/instance.h"

#include <limits.h>
#include <math.h>

struct range {
    int low, high;
};

static struct range range_of(const struct cs_graph_task *task, const struct cs_cluster *cluster,
                             enum cs_ptg_cores cores)
{
    struct range r = {1, cluster->procs};
    double needed =
        task->memory > 0 && cluster->memory > 0 ? ceil(task->memory / cluster->memory - 1e-9) : 1;

    if (needed > 1)
        r.low = needed < INT_MAX ? (int)needed : INT_MAX;
    if (task->cores == 0 || cores == CS_PTG_CORES_IGNORE)
        return r;
    if (cores == CS_PTG_CORES_EXACT && task->cores > r.low)
        r.low = task->cores;
    if (cores == CS_PTG_CORES_MOST && task->cores > r.low)
        r.high = task->cores < r.high ? task->cores : r.high;
    else
        r.high = r.low < r.high ? r.low : r.high;
    return r;
}

/* The cluster with most memory, or with most processors when memory is not the matter. */
static const struct cs_cluster *limits_largest(const struct cs_platform *p, bool memory)
{
    const struct cs_cluster *best = &p->cluster[0];

    for (int k = 1; k < p->clusters; k++) {
        const struct cs_cluster *c = &p->cluster[k];

        if (memory ? c->procs * c->memory > best->procs * best->memory : c->procs > best->procs)
            best = c;
    }
    return best;
}

static int limits_refuse(const struct cs_ptg_instance *in, int number, struct cs_error *err)
{
    const struct cs_graph_task *task = cs_ptg_task(in, number);
    const struct cs_graph *graph = in->graph[in->graph_of[number]];
    const struct cs_cluster *c = limits_largest(in->platform, true);

    if (task->memory > c->procs * c->memory * (1 + 1e-9) && c->memory > 0)
        return cs_error_set(err,
                            "task %.60s of graph %.60s needs %.10g bytes of memory: the largest "
                            "cluster, %.60s, has %d processors of %.10g bytes",
                            task->name, graph->name, task->memory, c->name, c->procs, c->memory);
    c = limits_largest(in->platform, false);
    return cs_error_set(err,
                        "task %.60s of graph %.60s needs %d cores: the largest cluster, %.60s, has "
                        "%d processors%s",
                        task->name, graph->name, task->cores, c->name, c->procs,
                        task->memory > 0 ? ", or too little memory where it has so many" : "");
}

/* -1: a task fits nowhere; 1: some limit binds. */
static int find_ranges(const struct cs_ptg_instance *in, enum cs_ptg_cores cores, int *low,
                       int *high, struct cs_error *err)
{
    int binds = 0, at = 0;

    for (int v = 0; v < in->tasks; v++) {
        bool fits = false;

        for (int k = 0; k < in->platform->clusters; k++, at++) {
            const struct cs_cluster *c = &in->platform->cluster[k];
            struct range r = range_of(cs_ptg_task(in, v), c, cores);

            low[at] = r.low;
            high[at] = r.high;
            fits |= r.low <= r.high;
            binds |= r.low > 1 || r.high < c->procs;
        }
        if (!fits)
            return limits_refuse(in, v, err);
    }
    return binds;
}

static bool any_memory(const struct cs_ptg_instance *in)
{
    for (int k = 0; k < in->platform->clusters; k++)
        if (in->platform->cluster[k].memory > 0)
            return true;
    return false;
}

int cs_ptg_instance_limit(struct cs_ptg_instance *instance, enum cs_ptg_cores cores,
                          struct cs_error *err)
{
    CS_ASK(instance, err, -1);
    CS_GUARD(err, -1);
    size_t cells = (size_t)instance->tasks * (size_t)instance->platform->clusters;
    int *low, *high, binds = 0;

    if (cores == CS_PTG_CORES_IGNORE && !any_memory(instance)) {
        instance->low = instance->high = NULL;
        return 0;
    }
    low = CS_NEW_ARRAY(instance->storage, int, cells);
    high = CS_NEW_ARRAY(instance->storage, int, cells);
    binds = find_ranges(instance, cores, low, high, err);
    if (binds < 0)
        return -1;
    instance->low = binds ? low : NULL;
    instance->high = binds ? high : NULL;
    return 0;
}

int cs_ptg_instance_unlimited(const struct cs_ptg_instance *in, const char *who,
                              struct cs_error *err)
{
    for (int v = 0; v < in->tasks && in->low; v++)
        for (int k = 0; k < in->platform->clusters; k++) {
            const struct cs_cluster *c = &in->platform->cluster[k];
            int low = cs_ptg_low(in, v, k), high = cs_ptg_high(in, v, k);

            if (low <= 1 && high >= c->procs)
                continue;
            return cs_error_set(
                err,
                "%s knows no limits, and task %.60s of graph %.60s may have %d to "
                "%d processors of cluster %.60s by its memory and cores: use joint, "
                "joint-level, joint-ready or dispatch",
                who, cs_ptg_task(in, v)->name, in->graph[in->graph_of[v]]->name, low, high,
                c->name);
        }
    return 0;
}
