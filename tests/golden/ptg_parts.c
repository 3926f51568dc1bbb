/* ptg_parts.c - golden cases of the ptg problem that are no plan: generators, what is refused,
 * files, contention. */
#include "golden/golden.h"
#include "golden/ptg_kit.h"

#include "base/splitmix.h"
#include "io/graph_json.h"
#include "problems/ptg/run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const json_t *get(const json_t *json, const char *key)
{
    return json_object_get(json, key);
}

static double real(const json_t *json, const char *key)
{
    return json_number_value(get(json, key));
}

static int whole(const json_t *json, const char *key)
{
    return (int)json_integer_value(get(json, key));
}

static int check_source(const json_t *json, struct cs_error *err)
{
    const json_t *words = get(json, "splitmix64"), *values = get(json, "uniform");
    struct cs_splitmix random = {(uint64_t)json_integer_value(get(words, "seed"))};
    size_t i;
    json_t *want;

    json_array_foreach(get(words, "next"), i, want)
    {
        if (cs_splitmix_next(&random) != strtoull(json_string_value(want), NULL, 10))
            return cs_error_set(err, "splitmix64: number %zu", i);
    }
    random.state = (uint64_t)json_integer_value(get(values, "seed"));
    json_array_foreach(get(values, "values"), i, want)
    {
        double u = (double)(cs_splitmix_next(&random) >> 11) * 0x1p-53;

        if (golden_number(want, u, "a uniform number", err))
            return -1;
    }
    return 0;
}

static int check_graph(const json_t *want, const struct cs_graph *graph, struct cs_error *err)
{
    const json_t *widths = get(want, "widths");
    double bytes = 0;

    for (int a = 0; a < graph->arcs; a++)
        bytes += graph->arc[a].bytes;
    if (whole(want, "tasks") != graph->tasks || whole(want, "arcs") != graph->arcs)
        return cs_error_set(err, "%d tasks and %d arcs", graph->tasks, graph->arcs);
    if (golden_number(get(want, "work"), graph->work, "work", err) ||
        golden_number(get(want, "bytes"), bytes, "bytes", err))
        return -1;
    if (json_array_size(widths) != (size_t)graph->levels)
        return cs_error_set(err, "%d levels", graph->levels);
    for (int l = 0; l < graph->levels; l++)
        if (json_integer_value(json_array_get(widths, (size_t)l)) != graph->members[l])
            return cs_error_set(err, "level %d has %d tasks", l, graph->members[l]);
    return 0;
}

static int check_generators(const json_t *json, struct cs_error *err)
{
    size_t i;
    json_t *want;

    if (check_source(json, err))
        return -1;
    json_array_foreach(get(json, "graphs"), i, want)
    {
        struct cs_ptg_generator generator = {
            .cost = (enum cs_ptg_cost)whole(want, "scenario"),
            .tasks = whole(want, "n"),
            .width = real(want, "width"),
            .regular = real(want, "regular"),
            .density = real(want, "density"),
            .jump = whole(want, "jump"),
            .points = whole(want, "points"),
            .seed = (uint64_t)json_integer_value(get(want, "seed")),
        };
        struct cs_graph *graph;
        int status;

        while (
            strcmp(cs_ptg_family_name((int)generator.family), json_string_value(get(want, "type"))))
            generator.family++;
        graph = cs_ptg_generate(NULL, &generator, err);
        status = graph ? check_graph(want, graph, err) : -1;
        cs_graph_destroy(graph);
        if (status)
            return cs_error_prefix(err, "graph %zu", i);
    }
    return 0;
}

/* How our message says what the file calls by another name. */
static const char *our_words(const char *theirs)
{
    static const char *const words[][2] = {
        {"no processor", "has 0 processors"},
        {"beta outside (0,1]", "must be above 0 and at most 1"},
        {"mu outside [0,1]", "mu"},
        {"no cluster", "no cluster"},
    };

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i][0], theirs))
            return words[i][1];
    return theirs;
}

/* 1: accepted; 0: refused, with the reason in `reason`. */
static int accepted(const json_t *c, struct cs_arena *arena, struct cs_error *reason)
{
    const struct cs_graph_task one = {NULL, 1, 0, 0, 0};
    struct cs_graph *graph = NULL;
    struct cs_platform *platform = NULL;
    struct cs_ptg_instance *in = NULL;
    struct cs_ptg_plan *plan = NULL;
    struct cs_policy_call call;
    double beta = real(c, "beta");
    int fine = 0;

    if (get(c, "input")) {
        graph = golden_ptg_graph(get(c, "input"), NULL, NULL, arena, reason);
        fine = graph != NULL;
    } else if (get(c, "platform")) {
        platform = golden_ptg_platform(get(c, "platform"), NULL, reason);
        fine = platform &&
               cs_ptg_instance_create(platform, 1,
                                      (const struct cs_graph *[]){
                                          graph = cs_graph_create("g", 1, &one, 0, NULL, NULL)},
                                      NULL, reason);
    } else if (get(c, "mu")) {
        fine = golden_ptg_call("wps-width", get(c, "mu"), &call, reason) == 0;
    } else {
        graph = cs_graph_create("g", 1, &one, 0, NULL, NULL);
        platform = cs_platform_site("grid5000-lille", NULL);
        in = cs_ptg_instance_create(platform, 1, (const struct cs_graph *[]){graph}, NULL, NULL);
        plan = cs_ptg_plan_with_shares(in, NULL, &beta, reason);
        fine = plan != NULL;
    }
    cs_ptg_plan_destroy(plan);
    cs_ptg_instance_destroy(in);
    cs_platform_destroy(platform);
    cs_graph_destroy(graph);
    return fine;
}

static int check_errors(const json_t *json, struct cs_arena *arena, struct cs_error *err)
{
    size_t i;
    json_t *c;

    json_array_foreach(get(json, "cases"), i, c)
    {
        const char *words = our_words(json_string_value(get(c, "error")));
        struct cs_error reason = {0};

        if (accepted(c, arena, &reason))
            return cs_error_set(err, "case %zu is not refused", i);
        if (!strstr(reason.text, words))
            return cs_error_set(err, "case %zu says \"%s\", expected something with \"%s\"", i,
                                reason.text, words);
    }
    return 0;
}

/* Tasks with places of their own, one graph each side of every arc, all alpha 0. */
struct scene {
    struct cs_platform *platform;
    struct cs_graph *graph;
    struct cs_ptg_instance *in;
    struct cs_ptg_plan *plan;
};

static double replayed_end(const json_t *json, int tasks, int arcs, struct cs_arena *arena)
{
    struct cs_graph_task *task = CS_NEW_ARRAY(arena, struct cs_graph_task, tasks);
    struct cs_graph_arc *arc = CS_NEW_ARRAY(arena, struct cs_graph_arc, arcs);
    struct scene s = {.platform = cs_platform_site("grid5000-sophia", NULL)};
    struct cs_ptg_plan *replayed;
    double end;

    for (int v = 0; v < tasks; v++) {
        const json_t *t = json_array_get(get(json, "tasks"), (size_t)v);

        task[v].flops = real(t, "flops_each") * whole(t, "count");
    }
    for (int a = 0; a < arcs; a++) {
        const json_t *list = json_array_get(get(json, "arcs"), (size_t)a);

        arc[a] = (struct cs_graph_arc){(int)json_integer_value(json_array_get(list, 0)),
                                       (int)json_integer_value(json_array_get(list, 1)),
                                       json_number_value(json_array_get(list, 2))};
    }
    s.graph = cs_graph_create("pairs", tasks, task, arcs, arc, NULL);
    s.in = cs_ptg_instance_create(s.platform, 1, (const struct cs_graph *[]){s.graph}, NULL, NULL);
    s.plan = cs_ptg_plan_create(s.in);
    for (int v = 0; v < tasks; v++) {
        const json_t *t = json_array_get(get(json, "tasks"), (size_t)v);
        struct cs_interval *set = CS_NEW(arena, struct cs_interval);
        int k = 0;

        while (strcmp(s.platform->cluster[k].name, json_string_value(get(t, "cluster"))))
            k++;
        set->first = s.platform->cluster[k].first + whole(t, "first");
        set->last = set->first + whole(t, "count") - 1;
        s.plan->place[v] = (struct cs_ptg_place){k, whole(t, "count"), 1, set, v, v + 1, false};
    }
    replayed = cs_ptg_replay_fluid(s.in, s.plan);
    end = replayed->makespan;
    cs_ptg_plan_destroy(replayed);
    cs_ptg_plan_destroy(s.plan);
    cs_ptg_instance_destroy(s.in);
    cs_graph_destroy(s.graph);
    cs_platform_destroy(s.platform);
    return end;
}

static int check_contention(const json_t *json, struct cs_arena *arena, struct cs_error *err)
{
    const json_t *want = get(json, "expect");
    double alone = replayed_end(json, 2, 1, arena), both = replayed_end(json, 4, 2, arena);
    double tolerance = real(want, "tolerance");

    if (fabs(alone - real(want, "end_alone_without_the_second_pair")) > tolerance)
        return cs_error_set(err, "one pair ends at %.9g s", alone);
    if (fabs(both - real(want, "end_with_both")) > tolerance)
        return cs_error_set(err, "both pairs end at %.9g s", both);
    return 0;
}

static int check_tasks(const json_t *want, const struct cs_graph *graph, struct cs_error *err)
{
    const json_t *tasks = get(want, "tasks"), *arcs = get(want, "arcs");

    if ((int)json_array_size(tasks) != graph->tasks || (int)json_array_size(arcs) != graph->arcs)
        return cs_error_set(err, "%d tasks and %d arcs", graph->tasks, graph->arcs);
    for (int v = 0; v < graph->tasks; v++) {
        const json_t *t = json_array_get(tasks, (size_t)v);

        if (strcmp(graph->task[v].name, json_string_value(get(t, "name"))))
            return cs_error_set(err, "task %d is called %s", v, graph->task[v].name);
        if (golden_number(get(t, "flops"), graph->task[v].flops, "flops", err) ||
            golden_number(get(t, "alpha"), graph->task[v].alpha, "alpha", err))
            return cs_error_prefix(err, "task %d", v);
    }
    for (int a = 0; a < graph->arcs; a++) {
        const json_t *arc = json_array_get(arcs, (size_t)a);

        if (json_integer_value(json_array_get(arc, 0)) != graph->arc[a].from ||
            json_integer_value(json_array_get(arc, 1)) != graph->arc[a].to)
            return cs_error_set(err, "arc %d goes from %d to %d", a, graph->arc[a].from,
                                graph->arc[a].to);
        if (golden_number(json_array_get(arc, 2), graph->arc[a].bytes, "bytes", err))
            return cs_error_prefix(err, "arc %d", a);
    }
    return 0;
}

static int check_file(const json_t *json, struct cs_error *err)
{
    const char *text = json_string_value(get(json, "text"));
    struct cs_graph_reading how = CS_GRAPH_READING;
    struct cs_graph *graph;
    int status;

    if (get(json, "reference_speed"))
        how.speed = real(json, "reference_speed");
    how.alpha = real(json, "alpha");
    graph = cs_graph_read_memory("golden", text, strlen(text), &how, err);
    status = graph ? check_tasks(get(json, "expect"), graph, err) : -1;
    cs_graph_destroy(graph);
    if (status && strstr(err->text, "without libexpat"))
        return GOLDEN_SKIP;
    return status;
}

int golden_ptg_part(const char *kind, const json_t *json, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    int status;

    if (!strcmp(kind, "generators"))
        status = check_generators(json, err);
    else if (!strcmp(kind, "errors"))
        status = check_errors(json, arena, err);
    else if (!strcmp(kind, "parse"))
        status = check_file(json, err);
    else if (!strcmp(kind, "simgrid"))
        status = check_contention(json, arena, err);
    else
        status = cs_error_set(err, "%s is not a kind of file that this program knows", kind);
    cs_arena_destroy(arena);
    return status;
}
