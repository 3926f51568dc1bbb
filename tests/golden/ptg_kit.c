/* ptg_kit.c - instances, options and strategies from golden files of the ptg problem. */
#include "golden/ptg_kit.h"

#include "golden/golden.h"
#include "problems/ptg/strategy.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static double number(const json_t *object, const char *key, double fallback)
{
    const json_t *value = json_object_get(object, key);

    return value ? json_number_value(value) : fallback;
}

struct cs_platform *golden_ptg_platform(const json_t *json, const json_t *memory,
                                        struct cs_error *err)
{
    const json_t *list = json_object_get(json, "clusters");
    const json_t *backbone = json_object_get(json, "backbone");
    struct cs_cluster cluster[16];
    size_t n = json_array_size(list);
    struct cs_backbone middle = {
        .shared_switch = json_is_true(json_object_get(json, "shared_switch")) || n < 2,
        .bandwidth = number(backbone, "bandwidth", CS_BACKBONE_BANDWIDTH),
        .latency = number(backbone, "latency", CS_BACKBONE_LATENCY),
    };

    for (size_t k = 0; k < n && k < 16; k++) {
        const json_t *c = json_array_get(list, k);

        cluster[k] = (struct cs_cluster){
            .name = json_string_value(json_object_get(c, "name")),
            .procs = (int)number(c, "procs", 0),
            .speed = number(c, "speed", 0),
            .bandwidth = number(c, "bandwidth", CS_LINK_BANDWIDTH),
            .latency = number(c, "latency", CS_LINK_LATENCY),
            .memory =
                memory ? json_number_value(json_array_get(memory, k)) : number(c, "memory", 0),
        };
    }
    return cs_platform_create_grid(json_string_value(json_object_get(json, "name")), "processor",
                                   (int)n, cluster, &middle, err);
}

struct cs_graph *golden_ptg_graph(const json_t *json, const json_t *memory, const json_t *cores,
                                  struct cs_arena *arena, struct cs_error *err)
{
    const json_t *tasks = json_object_get(json, "tasks"), *arcs = json_object_get(json, "arcs");
    const char *name = json_string_value(json_object_get(json, "name"));
    size_t n = json_array_size(tasks), m = json_array_size(arcs);
    struct cs_graph_task *task = CS_NEW_ARRAY(arena, struct cs_graph_task, n);
    struct cs_graph_arc *arc = CS_NEW_ARRAY(arena, struct cs_graph_arc, m);

    for (size_t v = 0; v < n; v++) {
        const json_t *t = json_array_get(tasks, v);

        task[v] = (struct cs_graph_task){
            json_string_value(json_object_get(t, "name")),
            number(t, "flops", 0),
            number(t, "alpha", 0),
            memory ? json_number_value(json_array_get(memory, v)) : number(t, "memory", 0),
            cores ? (int)json_integer_value(json_array_get(cores, v)) : (int)number(t, "cores", 0),
        };
    }
    for (size_t a = 0; a < m; a++) {
        const json_t *list = json_array_get(arcs, a);

        arc[a] = (struct cs_graph_arc){
            (int)json_integer_value(json_array_get(list, 0)),
            (int)json_integer_value(json_array_get(list, 1)),
            json_number_value(json_array_get(list, 2)),
        };
    }
    return cs_graph_create(name ? name : "g", (int)n, task, (int)m, arc, err);
}

/* Limits as they are given, or as they follow from memory and cores. */
static int limit(struct golden_ptg *kit, const json_t *json, struct cs_error *err)
{
    const json_t *limits = json_object_get(json, "limits");
    const char *cores = json_string_value(json_object_get(json, "cores"));
    int clusters = kit->platform->clusters, *bound[2];

    if (cores && cs_ptg_instance_limit(kit->in,
                                       !strcmp(cores, "exact")  ? CS_PTG_CORES_EXACT
                                       : !strcmp(cores, "most") ? CS_PTG_CORES_MOST
                                                                : CS_PTG_CORES_IGNORE,
                                       err))
        return -1;
    if (!limits)
        return 0;
    for (int side = 0; side < 2; side++)
        bound[side] = CS_NEW_ARRAY(kit->arena, int, kit->in->tasks *clusters);
    for (int v = 0; v < kit->in->tasks; v++)
        for (int i = 0; i < 2 * clusters; i++) {
            int g = kit->in->graph_of[v], k = i / 2;
            const json_t *of =
                json_object_get(json_array_get(limits, (size_t)g), i % 2 ? "hi" : "lo");
            const json_t *task = json_array_get(of, (size_t)(v - kit->in->first[g]));
            int want = (int)json_integer_value(json_array_get(task, (size_t)k));
            int got = i % 2 ? cs_ptg_high(kit->in, v, k) : cs_ptg_low(kit->in, v, k);

            if (json_object_get(json, "task_memory") && got != want)
                return cs_error_set(err, "task %d, cluster %d: limit %d, expected %d", v, k, got,
                                    want);
            bound[i % 2][v * clusters + k] = want;
        }
    kit->in->low = bound[0];
    kit->in->high = bound[1];
    return 0;
}

int golden_ptg_read(struct golden_ptg *kit, const json_t *json, struct cs_error *err)
{
    const json_t *list = json_object_get(json, "ptgs"), *dates = json_object_get(json, "release");
    const json_t *memory = json_object_get(json, "task_memory");
    const json_t *cores = json_object_get(json, "task_cores");
    size_t n = json_array_size(list);
    double *release = CS_NEW_ARRAY(kit->arena, double, n);

    kit->platform = golden_ptg_platform(json_object_get(json, "platform"),
                                        json_object_get(json, "processor_memory"), err);
    if (!kit->platform)
        return -1;
    kit->graph = CS_NEW_ARRAY(kit->arena, struct cs_graph *, n);
    for (size_t g = 0; g < n; g++) {
        kit->graph[g] = golden_ptg_graph(json_array_get(list, g), json_array_get(memory, g),
                                         json_array_get(cores, g), kit->arena, err);
        if (!kit->graph[g])
            return -1;
        kit->graphs++;
        release[g] = json_number_value(json_array_get(dates, g));
    }
    if (n == 0)
        return 0;
    kit->in = cs_ptg_instance_create(kit->platform, kit->graphs,
                                     (const struct cs_graph *const *)kit->graph, release, err);
    return kit->in ? limit(kit, json, err) : -1;
}

void golden_ptg_release(struct golden_ptg *kit)
{
    cs_ptg_instance_destroy(kit->in);
    for (int g = 0; g < kit->graphs; g++)
        cs_graph_destroy(kit->graph[g]);
    cs_platform_destroy(kit->platform);
    cs_arena_destroy(kit->arena);
}

static bool is(const json_t *object, const char *key, const char *value)
{
    const char *found = json_string_value(json_object_get(object, key));

    return found && !strcmp(found, value);
}

struct cs_ptg_options golden_ptg_options(const json_t *json)
{
    struct cs_ptg_options options = CS_PTG_OPTIONS;
    const json_t *efficiency = json_object_get(json, "efficiency");

    if (is(json, "procedure", "scrap"))
        options.procedure = CS_PTG_SCRAP;
    if (is(json, "gain", "time"))
        options.gain = CS_PTG_GAIN_TIME;
    if (json_object_get(json, "cap") && !is(json, "cap", "cluster"))
        options.cap = CS_PTG_CAP_PLATFORM;
    if (is(json, "reference", "fastest"))
        options.reference = CS_PTG_REFERENCE_FASTEST;
    if (is(json, "order", "global"))
        options.order = CS_PTG_ORDER_GLOBAL;
    options.pack = !json_is_false(json_object_get(json, "packing"));
    options.late_transfer = json_is_true(json_object_get(json, "late_transfer"));
    if (json_is_true(json_object_get(json, "fan")))
        options.network = CS_PTG_NETWORK_FAN;
    if (efficiency)
        options.efficiency = json_number_value(efficiency);
    return options;
}

int golden_ptg_call(const char *strategy, const json_t *mu, struct cs_policy_call *call,
                    struct cs_error *err)
{
    char text[80];
    int count, length;
    const struct cs_policy *const *list = cs_ptg_policies(&count);

    length = snprintf(text, sizeof text, "%.40s", strategy);
    for (int i = 0; i < length; i++)
        text[i] = (char)tolower((unsigned char)text[i]);
    if (json_is_object(mu))
        mu = strchr(text, '-') ? json_object_get(mu, strchr(text, '-') + 1) : NULL;
    if (mu && text[0] == 'w')
        snprintf(text + length, sizeof text - (size_t)length, ":mu=%.17g", json_number_value(mu));
    return cs_policy_parse(text, list, count, call, err);
}

int golden_ptg_share(struct golden_ptg *kit, const char *strategy, const json_t *mu,
                     const json_t *want, double *beta, struct cs_error *err)
{
    const struct cs_ptg_options options = CS_PTG_OPTIONS;
    struct cs_ptg_reference reference =
        cs_ptg_reference_of(kit->platform, CS_PTG_REFERENCE_SLOWEST);
    struct cs_ptg_scene scene = cs_ptg_scene_of(kit->in, &reference, &options, kit->arena);
    struct cs_policy_call call;
    int count;

    if (golden_ptg_call(strategy, mu, &call, err))
        return -1;
    cs_ptg_strategies(&count)[call.policy]->shares(&scene, call.param, beta);
    for (int g = 0; g < kit->graphs; g++)
        if (golden_number(json_array_get(want, (size_t)g), beta[g], "beta", err))
            return cs_error_prefix(err, "graph %d", g);
    return 0;
}

static int check_place(const json_t *want, const struct cs_ptg_place *place,
                       const struct cs_platform *platform, struct cs_error *err)
{
    const struct cs_cluster *cluster = &platform->cluster[place->cluster];
    const json_t *procs = json_object_get(want, "procs");
    size_t at = 0;

    if (strcmp(cluster->name, json_string_value(json_object_get(want, "cluster"))))
        return cs_error_set(err, "cluster is %s, expected %s", cluster->name,
                            json_string_value(json_object_get(want, "cluster")));
    for (int i = 0; i < place->intervals; i++)
        for (int p = place->set[i].first; p <= place->set[i].last; p++)
            if (json_integer_value(json_array_get(procs, at++)) != p - cluster->first)
                return cs_error_set(err, "processor %d of cluster %s is used", p - cluster->first,
                                    cluster->name);
    if (at != json_array_size(procs) || (int)at != place->procs)
        return cs_error_set(err, "%zu processors, expected %zu", at, json_array_size(procs));
    if (golden_number(json_object_get(want, "start"), place->start, "start", err) ||
        golden_number(json_object_get(want, "finish"), place->finish, "finish", err))
        return -1;
    if (json_object_get(want, "packed") &&
        json_is_true(json_object_get(want, "packed")) != place->packed)
        return cs_error_set(err, "packed is %d", place->packed);
    return 0;
}

int golden_ptg_places(const json_t *want, const struct cs_ptg_plan *plan,
                      const struct cs_platform *platform, struct cs_error *err)
{
    for (int g = 0; g < plan->graphs; g++)
        for (int v = plan->first[g]; v < plan->first[g + 1]; v++) {
            const json_t *task =
                json_array_get(json_array_get(want, (size_t)g), (size_t)(v - plan->first[g]));

            if (check_place(task, &plan->place[v], platform, err))
                return cs_error_prefix(err, "graph %d, task %d", g, v - plan->first[g]);
        }
    return 0;
}
