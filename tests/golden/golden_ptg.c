/* golden_ptg.c - the golden cases of the ptg problem: whole plans with everything on the way to
 * them, plans online, and every part alone. */
#include "golden/golden.h"
#include "golden/ptg_kit.h"
#include "problems/ptg/allocate.h"
#include "problems/ptg/network.h"
#include "problems/ptg/strategy.h"

#include <math.h>
#include <string.h>

static const json_t *get(const json_t *json, const char *key)
{
    return json_object_get(json, key);
}

static int same_numbers(const json_t *want, const double *got, int count, const char *what,
                        struct cs_error *err)
{
    if ((int)json_array_size(want) != count)
        return cs_error_set(err, "%s: %d of them, expected %zu", what, count,
                            json_array_size(want));
    for (int i = 0; i < count; i++)
        if (golden_number(json_array_get(want, (size_t)i), got[i], what, err))
            return cs_error_prefix(err, "%d", i);
    return 0;
}

static int same_whole(const json_t *want, long long got, const char *what, struct cs_error *err)
{
    if (json_integer_value(want) == got && json_is_integer(want))
        return 0;
    return cs_error_set(err, "%s is %lld, expected %lld", what, got,
                        (long long)json_integer_value(want));
}

/* Levels, gammas, allocations and bottom levels of every graph. */
static int check_graph(const json_t *want, const struct cs_ptg_scene *scene, int g, double beta,
                       struct cs_error *err)
{
    const struct cs_graph *graph = scene->graph[g];
    const json_t *gammas = get(want, "gammas");
    int *procs = CS_NEW_ARRAY(scene->scratch, int, graph->tasks);
    double *bottom = CS_NEW_ARRAY(scene->scratch, double, graph->tasks), path = 0;
    size_t at = (size_t)g;

    cs_ptg_allocate(graph, scene->reference, scene->options, beta, procs, bottom, scene->scratch);
    for (int v = 0; v < graph->tasks; v++) {
        if (same_whole(json_array_get(json_array_get(get(want, "levels"), at), (size_t)v),
                       graph->level[v], "level", err) ||
            same_whole(json_array_get(json_array_get(get(want, "allocations"), at), (size_t)v),
                       procs[v], "allocation", err))
            return cs_error_prefix(err, "task %d", v);
        path = fmax(path, bottom[v]);
    }
    if (same_numbers(json_array_get(get(want, "bottom_levels"), at), bottom, graph->tasks,
                     "bottom level", err) ||
        golden_number(json_array_get(get(want, "critical_paths"), at), path, "critical path",
                      err) ||
        golden_number(json_array_get(get(gammas, "cp"), at), cs_ptg_gamma_cp(scene, graph), "cp",
                      err) ||
        golden_number(json_array_get(get(gammas, "width"), at), cs_ptg_gamma_width(scene, graph),
                      "width", err) ||
        golden_number(json_array_get(get(gammas, "work"), at), cs_ptg_gamma_work(scene, graph),
                      "work", err))
        return -1;
    return 0;
}

static int check_metrics(const json_t *want, const struct cs_ptg_instance *in,
                         const struct cs_ptg_plan *plan, const struct cs_ptg_options *options,
                         struct cs_arena *arena, struct cs_error *err)
{
    double *own = CS_NEW_ARRAY(arena, double, in->graphs);
    struct cs_ptg_metrics *m;
    struct cs_ptg_bounds bounds;
    int status;

    if (cs_ptg_own(in, options, false, own, err))
        return -1;
    m = cs_ptg_metrics_create(in, plan, own);
    cs_ptg_bounds_compute(in, &bounds);
    status =
        same_numbers(get(want, "makespans"), m->shared, m->graphs, "makespan", err) ||
        golden_number(get(want, "total"), m->makespan, "total", err) ||
        same_numbers(get(want, "own"), m->own, m->graphs, "own", err) ||
        same_numbers(get(want, "slowdowns"), m->slowdown, m->graphs, "slowdown", err) ||
        golden_number(get(want, "average_slowdown"), m->average_slowdown, "average slowdown",
                      err) ||
        (m->graphs > 1 && golden_number(get(want, "unfairness"), m->unfairness, "unfairness", err));
    cs_ptg_metrics_destroy(m);
    want = get(want, "lower_bounds");
    return status || golden_number(get(want, "area"), bounds.area, "area bound", err) ||
                   golden_number(get(want, "path"), bounds.path, "path bound", err) ||
                   golden_number(get(want, "window"), bounds.window, "window bound", err)
               ? -1
               : 0;
}

static int check_schedule(const json_t *json, struct golden_ptg *kit, struct cs_error *err)
{
    const json_t *want = get(json, "expect");
    const char *strategy = json_string_value(get(json, "strategy"));
    struct cs_ptg_options options = golden_ptg_options(get(json, "options"));
    struct cs_ptg_reference reference = cs_ptg_reference_of(kit->platform, options.reference);
    struct cs_ptg_scene scene = cs_ptg_scene_of(kit->in, &reference, &options, kit->arena);
    double *beta = CS_NEW_ARRAY(kit->arena, double, kit->graphs);
    struct cs_ptg_plan *plan;
    int status;

    if (golden_number(get(get(want, "reference"), "speed"), reference.speed, "speed", err) ||
        same_whole(get(get(want, "reference"), "procs"), reference.procs, "procs", err))
        return cs_error_prefix(err, "reference");
    if (strategy && golden_ptg_share(kit, strategy, get(json, "mu"), get(want, "betas"), beta, err))
        return -1;
    for (int g = 0; g < kit->graphs; g++) {
        if (!strategy)
            beta[g] = json_number_value(json_array_get(get(json, "betas"), (size_t)g));
        if (check_graph(want, &scene, g, beta[g], err))
            return cs_error_prefix(err, "graph %d", g);
    }
    plan = cs_ptg_plan_with_shares(kit->in, &options, beta, err);
    status = !plan || golden_ptg_places(get(want, "schedule"), plan, kit->platform, err) ||
             check_metrics(want, kit->in, plan, &options, kit->arena, err);
    cs_ptg_plan_destroy(plan);
    return status ? -1 : 0;
}

static int check_online(const json_t *json, struct golden_ptg *kit, struct cs_error *err)
{
    static const char *const modes[] = {"", "fixed", "arrival", "full"};
    const json_t *want = get(json, "expect");
    struct cs_ptg_options options = golden_ptg_options(get(json, "options"));
    struct cs_ptg_request request = {.options = &options};
    struct cs_ptg_plan *plan;
    struct cs_ptg_metrics *m;
    int status;

    for (int mode = 1; mode < 4; mode++)
        if (!strcmp(modes[mode], json_string_value(get(json, "mode"))))
            request.mode = (enum cs_ptg_mode)mode;
    if (golden_ptg_call(json_string_value(get(json, "strategy")), get(json, "mu"), &request.call,
                        err))
        return -1;
    plan = cs_ptg_plan_make(kit->in, &request, err);
    if (!plan)
        return -1;
    m = cs_ptg_metrics_create(kit->in, plan, plan->completion);
    status = same_whole(get(want, "recomputations"), plan->recomputations, "recomputations", err) ||
             same_whole(get(want, "revoked"), plan->revoked, "revoked", err) ||
             golden_ptg_places(get(want, "schedule"), plan, kit->platform, err) ||
             same_numbers(get(want, "flow"), m->shared, m->graphs, "flow", err) ||
             golden_number(get(want, "total"), m->makespan, "total", err);
    cs_ptg_metrics_destroy(m);
    cs_ptg_plan_destroy(plan);
    return status ? -1 : 0;
}

static int cluster_of(const struct cs_platform *p, const json_t *name)
{
    for (int k = 0; k < p->clusters; k++)
        if (!strcmp(p->cluster[k].name, json_string_value(name)))
            return k;
    return 0;
}

static const struct cs_interval *set_of(const json_t *list, int first, struct cs_arena *arena)
{
    size_t n = json_array_size(list);
    struct cs_interval *set = CS_NEW_ARRAY(arena, struct cs_interval, n);

    for (size_t i = 0; i < n; i++)
        set[i].first = set[i].last = first + (int)json_integer_value(json_array_get(list, i));
    return set;
}

static int check_redistribution(const json_t *json, struct golden_ptg *kit, struct cs_error *err)
{
    const struct cs_platform *p = kit->platform;
    size_t i;
    json_t *c;

    json_array_foreach(get(json, "cases"), i, c)
    {
        int n = (int)json_array_size(get(c, "src")), m = (int)json_array_size(get(c, "dst"));
        struct cs_ptg_transfer t = {
            .platform = p,
            .bytes = json_number_value(get(c, "bytes")),
            .fan_out = 1,
            .fan_in = 1,
            .from = cluster_of(p, get(c, "from")),
            .to = cluster_of(p, get(c, "to")),
            .senders = n,
            .receivers = m,
        };
        const struct cs_interval *from =
            set_of(get(c, "src"), p->cluster[t.from].first, kit->arena);
        const struct cs_interval *to = set_of(get(c, "dst"), p->cluster[t.to].first, kit->arena);

        if (golden_number(get(c, "seconds"), cs_ptg_transfer_time(&t, from, n, to, m), "seconds",
                          err) ||
            golden_number(get(c, "bound"), cs_ptg_transfer_bound(&t), "bound", err))
            return cs_error_prefix(err, "%s", json_string_value(get(c, "why")));
    }
    return 0;
}

static int check_translation(const json_t *json, struct golden_ptg *kit, struct cs_error *err)
{
    struct cs_ptg_reference r = cs_ptg_reference_of(kit->platform, CS_PTG_REFERENCE_SLOWEST);
    size_t i;
    json_t *c;

    json_array_foreach(get(json, "cases"), i, c)
    {
        double alpha = json_number_value(get(c, "alpha"));
        int procs = (int)json_integer_value(get(c, "reference_procs"));

        for (int k = 0; k < kit->platform->clusters; k++)
            if (same_whole(json_array_get(get(c, "procs"), (size_t)k),
                           cs_ptg_reference_translate(&r, alpha, procs, k), "procs", err))
                return cs_error_prefix(err, "case %zu, cluster %d", i, k);
        if (json_is_true(get(c, "may_grow_to_this")) != cs_ptg_reference_fits(&r, alpha, procs))
            return cs_error_set(err, "case %zu: may_grow_to_this is wrong", i);
    }
    return 0;
}

/* Graphs that take as long as the case says; their tasks do not matter. */
static int check_supplied_metrics(const json_t *json, struct cs_arena *arena, struct cs_error *err)
{
    const json_t *want = get(json, "expect"), *list = get(json, "own");
    int n = (int)json_array_size(list);
    double *own = CS_NEW_ARRAY(arena, double, n), *end = CS_NEW_ARRAY(arena, double, n);
    double *release = CS_NEW_ARRAY(arena, double, n);
    int *first = CS_NEW_ARRAY(arena, int, n + 1);
    struct cs_ptg_instance in = {.graphs = n, .first = first, .release = release};
    struct cs_ptg_plan plan = {.graphs = n, .first = first, .completion = end};
    struct cs_ptg_metrics *m;
    int status;

    for (int g = 0; g < n; g++) {
        own[g] = json_number_value(json_array_get(list, (size_t)g));
        end[g] = json_number_value(json_array_get(get(json, "makespans"), (size_t)g));
    }
    m = cs_ptg_metrics_create(&in, &plan, own);
    status = same_numbers(get(want, "slowdowns"), m->slowdown, n, "slowdown", err) ||
             golden_number(get(want, "average_slowdown"), m->average_slowdown, "average", err) ||
             golden_number(get(want, "unfairness"), m->unfairness, "unfairness", err);
    cs_ptg_metrics_destroy(m);
    return status ? -1 : 0;
}

static int check_betas(const json_t *json, struct golden_ptg *kit, struct cs_error *err)
{
    double *beta = CS_NEW_ARRAY(kit->arena, double, kit->graphs);
    const char *name;
    json_t *want;

    json_object_foreach((json_t *)get(json, "expect"), name, want)
    {
        if (golden_ptg_share(kit, name, get(json, "mu"), want, beta, err))
            return cs_error_prefix(err, "%s", name);
    }
    return 0;
}

static int run_case(const json_t *json, const char *path, struct cs_error *err)
{
    static const struct {
        const char *kind;
        int (*check)(const json_t *json, struct golden_ptg *kit, struct cs_error *err);
    } kinds[] = {
        {"schedule", check_schedule},
        {"online", check_online},
        {"redistribution", check_redistribution},
        {"translation", check_translation},
        {"betas", check_betas},
    };
    const char *kind = json_string_value(get(json, "kind"));
    struct golden_ptg kit = {.arena = cs_arena_create()};
    int status = 1;

    (void)path;
    kind = kind ? kind : "missing";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && status == 1; i++)
        if (!strcmp(kind, kinds[i].kind)) {
            status = golden_ptg_read(&kit, json, err);
            status = status ? status : kinds[i].check(json, &kit, err);
        }
    if (status == 1)
        status = golden_ptg_part3(kind, json, &kit, err);
    if (status == 1 && !strcmp(kind, "metrics"))
        status = check_supplied_metrics(json, kit.arena, err);
    if (status == 1)
        status = golden_ptg_part(kind, json, err);
    golden_ptg_release(&kit);
    return status;
}

int main(int argc, char **argv)
{
    return golden_main(argc, argv, NULL, run_case);
}
