/* instance.c - graphs on a platform.
 *
 * Source: spec/ptg.md 1 and 12.
 *
 * Invariants
 *   - tasks of all graphs are numbered graph by graph: first[g] + v.
 *   - sequence[] is Kahn's order of each graph with the smallest index first (O(V log V + A)); all
 *     ties between tasks are broken by it or by the number.
 *   - times that could overflow, and platforms with more than POWER_MOST reference processors, are
 *     rejected here, so planners need no such tests.  POWER_MOST is a guard, not tuned.
 */
#include "problems/ptg/instance.h"

#include "base/arena.h"
#include "base/bug.h"
#include "base/guard.h"
#include "base/heap.h"

#include <limits.h>
#include <math.h>

#define POWER_MOST 1e7 /* in processors of the slowest cluster */

static int check_platform(const struct cs_platform *platform, struct cs_error *err)
{
    for (int k = 0; k < platform->clusters; k++) {
        const struct cs_cluster *c = &platform->cluster[k];

        if (!(c->speed > 0))
            return cs_error_set(err, "cluster %.60s has no speed: task graphs need flop/s",
                                c->name);
        if (!(c->bandwidth > 0))
            return cs_error_set(err, "cluster %.60s has no bandwidth: task graphs need bytes/s",
                                c->name);
    }
    if (platform->clusters > 1 && !platform->backbone.shared_switch &&
        !(platform->backbone.bandwidth > 0))
        return cs_error_set(err, "the platform has neither a shared switch nor a backbone");
    return 0;
}

/* No date may overflow: all tasks one after the other on the slowest processor, and all data over
 * the slowest link, as often as the fan rule may count them. */
static int check_times(const struct cs_platform *platform, int graphs,
                       const struct cs_graph *const *graph, struct cs_error *err)
{
    double speed = INFINITY, bandwidth = INFINITY, latency = platform->backbone.latency, sum = 0;

    for (int k = 0; k < platform->clusters; k++) {
        speed = fmin(speed, platform->cluster[k].speed);
        bandwidth = fmin(bandwidth, platform->cluster[k].bandwidth);
        latency += platform->cluster[k].latency;
    }
    if (platform->backbone.bandwidth > 0)
        bandwidth = fmin(bandwidth, platform->backbone.bandwidth);
    for (int g = 0; g < graphs; g++) {
        sum += graph[g]->work / speed + 2 * latency * graph[g]->arcs;
        for (int a = 0; a < graph[g]->arcs; a++)
            sum += graph[g]->arc[a].bytes / bandwidth * graph[g]->tasks;
    }
    if (!(sum < 1e290))
        return cs_error_set(err, "the times of these graphs on this platform are too large for "
                                 "numbers: work, data, speeds or bandwidths are out of proportion");
    return 0;
}

static int instance_check(const struct cs_platform *platform, int graphs,
                          const struct cs_graph *const *graph, const double *release,
                          struct cs_error *err)
{
    long long tasks = 0;

    if (graphs < 1)
        return cs_error_set(err, "there is no graph, at least one is needed");
    if (check_platform(platform, err))
        return -1;
    for (int g = 0; g < graphs; g++) {
        tasks += graph[g]->tasks;
        if (release && !(release[g] >= 0 && isfinite(release[g])))
            return cs_error_set(err,
                                "graph %.60s is released at %g s: it must be a number from 0 on",
                                graph[g]->name, release[g]);
    }
    if (tasks + graphs > INT_MAX / 2)
        return cs_error_set(err, "%lld tasks are more than the %d that are possible", tasks,
                            INT_MAX / 2 - graphs);
    return check_times(platform, graphs, graph, err);
}

/* Kahn's order, the lowest task first. */
static void order_tasks(const struct cs_graph *graph, int first, int *sequence,
                        struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    int *waits = CS_NEW_ARRAY(scratch, int, graph->tasks);
    struct cs_heap next;

    cs_heap_init(&next, graph->tasks, scratch);
    for (int v = 0; v < graph->tasks; v++) {
        waits[v] = graph->first_in[v + 1] - graph->first_in[v];
        if (waits[v] == 0)
            cs_heap_push(&next, v, 0);
    }
    for (int i = 0; i < graph->tasks; i++) {
        int v = cs_heap_pop(&next);

        sequence[i] = first + v;
        for (int a = graph->first_out[v]; a < graph->first_out[v + 1]; a++)
            if (--waits[graph->arc[a].to] == 0)
                cs_heap_push(&next, graph->arc[a].to, 0);
    }
    cs_arena_rewind(scratch, mark);
}

static void number_tasks(struct cs_ptg_instance *in, struct cs_arena *arena)
{
    int *first = CS_NEW_ARRAY(arena, int, in->graphs + 1), *graph_of, *sequence;

    for (int g = 0; g < in->graphs; g++)
        first[g + 1] = first[g] + in->graph[g]->tasks;
    in->tasks = first[in->graphs];
    graph_of = CS_NEW_ARRAY(arena, int, in->tasks);
    for (int g = 0; g < in->graphs; g++)
        for (int v = first[g]; v < first[g + 1]; v++)
            graph_of[v] = g;
    sequence = CS_NEW_ARRAY(arena, int, in->tasks);
    for (int g = 0; g < in->graphs; g++)
        order_tasks(in->graph[g], first[g], sequence + first[g], arena);
    in->first = first;
    in->graph_of = graph_of;
    in->sequence = sequence;
}

/* Strategies count in processors of the slowest cluster, one by one. */
static int check_power(const struct cs_platform *platform, struct cs_error *err)
{
    const struct cs_cluster *slowest = &platform->cluster[0];
    double power = 0;

    for (int k = 0; k < platform->clusters; k++) {
        power += platform->cluster[k].procs * platform->cluster[k].speed;
        if (platform->cluster[k].speed < slowest->speed)
            slowest = &platform->cluster[k];
    }
    if (power / slowest->speed <= POWER_MOST)
        return 0;
    return cs_error_set(err,
                        "the platform is as fast as %.3g processors of its slowest cluster, %.60s "
                        "(%.3g flop/s); at most %.0f can be planned",
                        power / slowest->speed, slowest->name, slowest->speed, POWER_MOST);
}

struct cs_ptg_instance *cs_ptg_instance_create(const struct cs_platform *platform, int graphs,
                                               const struct cs_graph *const *graph,
                                               const double *release, struct cs_error *err)
{
    CS_ASK(platform && (graph || graphs < 1), err, NULL);
    CS_GUARD(err, NULL);
    struct cs_arena *arena;
    struct cs_ptg_instance *in;
    double *when;

    if (instance_check(platform, graphs, graph, release, err) || check_power(platform, err))
        return NULL;
    arena = cs_arena_create();
    in = CS_NEW(arena, struct cs_ptg_instance);
    when = CS_NEW_ARRAY(arena, double, graphs);
    *in = (struct cs_ptg_instance){
        .platform = platform, .graphs = graphs, .graph = graph, .release = when, .storage = arena};
    for (int g = 0; g < graphs; g++)
        when[g] = release ? release[g] : 0;
    for (int k = 0; k < platform->clusters; k++)
        in->power += platform->cluster[k].procs * platform->cluster[k].speed;
    number_tasks(in, arena);
    if (cs_ptg_instance_limit(in, CS_PTG_CORES_IGNORE, err)) {
        cs_arena_destroy(arena);
        return NULL;
    }
    return in;
}

struct cs_ptg_instance *cs_ptg_instance_single(const struct cs_ptg_instance *in, int graph)
{
    struct cs_ptg_instance *single =
        cs_ptg_instance_create(in->platform, 1, &in->graph[graph], NULL, NULL);
    size_t skip = (size_t)in->first[graph] * (size_t)in->platform->clusters;

    CS_REQUIRE(single != NULL);
    single->low = in->low ? in->low + skip : NULL;
    single->high = in->low ? in->high + skip : NULL;
    return single;
}

void cs_ptg_instance_destroy(struct cs_ptg_instance *instance)
{
    if (instance)
        cs_arena_destroy(instance->storage);
}

int cs_ptg_instance_graphs(const struct cs_ptg_instance *instance)
{
    CS_ASK(instance, NULL, 0);
    return instance->graphs;
}

int cs_ptg_instance_tasks(const struct cs_ptg_instance *instance)
{
    CS_ASK(instance, NULL, 0);
    return instance->tasks;
}

const struct cs_graph *cs_ptg_instance_graph(const struct cs_ptg_instance *instance, int graph)
{
    CS_ASK(instance && graph >= 0 && graph < instance->graphs, NULL, NULL);
    return instance->graph[graph];
}

double cs_ptg_instance_release(const struct cs_ptg_instance *instance, int graph)
{
    CS_ASK(instance && graph >= 0 && graph < instance->graphs, NULL, NAN);
    return instance->release[graph];
}

const struct cs_platform *cs_ptg_instance_platform(const struct cs_ptg_instance *instance)
{
    CS_ASK(instance, NULL, NULL);
    return instance->platform;
}

static int check_choices(const struct cs_ptg_options *o, struct cs_error *err)
{
    const struct {
        const char *name;
        int value, last;
    } choice[] = {
        {"procedure", (int)o->procedure, CS_PTG_SCRAP},
        {"gain", (int)o->gain, CS_PTG_GAIN_TIME},
        {"reference speed", (int)o->reference, CS_PTG_REFERENCE_FASTEST},
        {"cap", (int)o->cap, CS_PTG_CAP_PLATFORM},
        {"order", (int)o->order, CS_PTG_ORDER_GLOBAL},
        {"network", (int)o->network, CS_PTG_NETWORK_FAN},
    };

    for (size_t i = 0; i < sizeof choice / sizeof *choice; i++)
        if (choice[i].value < 0 || choice[i].value > choice[i].last)
            return cs_error_set(err, "there is no %s number %d, only 0 to %d", choice[i].name,
                                choice[i].value, choice[i].last);
    return 0;
}

int cs_ptg_options_check(const struct cs_ptg_options *options, struct cs_error *err)
{
    if (check_choices(options, err))
        return -1;
    if (!(options->efficiency >= 0 && options->efficiency <= 1))
        return cs_error_set(err, "the efficiency floor is %g, it must be in 0 .. 1",
                            options->efficiency);
    if (!(options->batch == CS_PTG_BATCH_AUTO || (options->batch >= 0 && options->batch < 1)))
        return cs_error_set(err,
                            "the batch factor of the allocation is %g, it must be in 0 .. 1, 1 "
                            "excluded",
                            options->batch);
    return 0;
}
