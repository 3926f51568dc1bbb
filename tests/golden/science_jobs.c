/* science_jobs.c - golden cases of sections 8 and 9 of docs/spec/science.md: jobs that arrive, and
 * policies of others for ptg. */
#include "golden/golden.h"
#include "golden/ptg_kit.h"
#include "golden/science_kit.h"
#include "model/profile.h"
#include "problems/ptg/baselines.h"
#include "problems/queue/arrivals.h"

#include <string.h>

static int64_t whole_of(const json_t *object, const char *key, int64_t fallback)
{
    const json_t *value = json_object_get(object, key);

    return value ? (int64_t)json_number_value(value) : fallback;
}

static int64_t whole_at(const json_t *list, size_t i)
{
    return json_integer_value(json_array_get(list, i));
}

static enum cs_lublin_model model_of(const char *word)
{
    return word && !strcmp(word, "batch") ? CS_LUBLIN_BATCH : CS_LUBLIN_ALL;
}

static int jobs_lublin(const json_t *in, const json_t *want, struct cs_arena *arena,
                       struct cs_error *err)
{
    const json_t *list = json_object_get(want, "jobs"), *gap = json_object_get(in, "gap_factor");
    const int count = (int)whole_of(in, "jobs", (int64_t)json_array_size(list));
    const struct cs_lublin how = {
        .model = model_of(json_string_value(json_object_get(in, "model"))),
        .procs = (int)whole_of(in, "procs", 0),
        .gap_factor = gap ? json_number_value(gap) : 1,
        .start_hour = (int)whole_of(in, "start_hour", 0),
        .seed = (uint64_t)whole_of(in, "seed", 1),
        .set = (uint64_t)whole_of(in, "set", 0),
    };
    struct cs_lublin_job *job = CS_NEW_ARRAY(arena, struct cs_lublin_job, count);

    if ((size_t)count != json_array_size(list))
        return cs_error_set(err, "%d jobs, expected %zu", count, json_array_size(list));
    cs_lublin_draw(&how, count, job);
    for (int j = 0; j < count; j++) {
        const json_t *row = json_array_get(list, (size_t)j);

        if (whole_at(row, 0) != job[j].submit || whole_at(row, 1) != job[j].procs ||
            whole_at(row, 2) != job[j].seconds)
            return cs_error_set(err, "job %d is [%lld, %d, %lld], expected [%lld, %lld, %lld]", j,
                                (long long)job[j].submit, job[j].procs, (long long)job[j].seconds,
                                (long long)whole_at(row, 0), (long long)whole_at(row, 1),
                                (long long)whole_at(row, 2));
    }
    return 0;
}

static int jobs_weights(const json_t *want, struct cs_error *err)
{
    const char *name;
    json_t *list;

    json_object_foreach((json_t *)(size_t)want, name, list)
    {
        double weight[CS_LUBLIN_SLOTS];

        cs_lublin_weights(model_of(name), weight);
        if (json_array_size(list) != CS_LUBLIN_SLOTS)
            return cs_error_set(err, "%s has %zu weights", name, json_array_size(list));
        for (size_t s = 0; s < CS_LUBLIN_SLOTS; s++)
            if (golden_number(json_array_get(list, s), weight[s], name, err))
                return cs_error_prefix(err, "slot %zu", s);
    }
    return 0;
}

static struct cs_estimates estimates_of(const json_t *in)
{
    return (struct cs_estimates){.largest = whole_of(in, "largest", 0),
                                 .seed = (uint64_t)whole_of(in, "seed", 1),
                                 .set = (uint64_t)whole_of(in, "set", 0)};
}

static int jobs_histogram(const json_t *in, const json_t *want, struct cs_arena *arena,
                          struct cs_error *err)
{
    const struct cs_estimates how = estimates_of(in);
    const json_t *list = json_object_get(want, "estimates");
    struct cs_estimates_bin *bin = CS_NEW_ARRAY(arena, struct cs_estimates_bin, CS_ESTIMATES_BINS);
    const int bins = cs_estimates_histogram(&how, (int)whole_of(in, "jobs", 0), bin);

    if ((size_t)bins != json_array_size(list))
        return cs_error_set(err, "%d estimates, expected %zu", bins, json_array_size(list));
    for (int i = 0; i < bins; i++) {
        const json_t *row = json_array_get(list, (size_t)i);

        if (whole_at(row, 0) != bin[i].seconds || whole_at(row, 1) != bin[i].jobs)
            return cs_error_set(err, "estimate %d is [%lld, %lld], expected [%lld, %lld]", i,
                                (long long)bin[i].seconds, (long long)bin[i].jobs,
                                (long long)whole_at(row, 0), (long long)whole_at(row, 1));
    }
    return 0;
}

/* Estimates, or the sentence that there are none. */
static int jobs_estimates(const json_t *in, const json_t *want, struct cs_arena *arena,
                          struct cs_error *err)
{
    const struct cs_estimates how = estimates_of(in);
    const json_t *list = json_object_get(in, "seconds"),
                 *right = json_object_get(want, "estimates");
    const char *sentence = json_string_value(json_object_get(want, "error"));
    const int count = (int)json_array_size(list);
    int64_t *seconds = CS_NEW_ARRAY(arena, int64_t, count);
    int64_t *estimate = CS_NEW_ARRAY(arena, int64_t, count);
    struct cs_error refused = {0};
    int cut;

    for (int j = 0; j < count; j++)
        seconds[j] = whole_at(list, (size_t)j);
    if (cs_estimates_assign(&how, count, seconds, estimate, &cut, &refused))
        return sentence && strstr(refused.text, sentence)
                   ? 0
                   : cs_error_set(err, "refused: %s", refused.text);
    if (!json_is_array(right) || (int)json_array_size(right) != count)
        return cs_error_set(err, "%d estimates, expected none", count);
    for (int j = 0; j < count; j++)
        if (whole_at(right, (size_t)j) != estimate[j])
            return cs_error_set(err, "estimate %d is %lld, expected %lld", j,
                                (long long)estimate[j], (long long)whole_at(right, (size_t)j));
    return 0;
}

static int jobs_downey(const json_t *in, const json_t *want, struct cs_arena *arena,
                       struct cs_error *err)
{
    const json_t *cases = json_object_get(in, "cases"), *draws = json_object_get(in, "draws");
    const json_t *speedup = json_object_get(want, "speedup"), *one;
    const int count = (int)whole_of(draws, "count", 0);
    struct cs_downey_job *job = CS_NEW_ARRAY(arena, struct cs_downey_job, count);
    size_t i;

    json_array_foreach(cases, i, one)
    {
        const double got = cs_downey_speedup(json_number_value(json_array_get(one, 0)),
                                             json_number_value(json_array_get(one, 1)),
                                             json_number_value(json_array_get(one, 2)));

        if (golden_number(json_array_get(speedup, i), got, "speedup", err))
            return cs_error_prefix(err, "case %zu", i);
    }
    if (!draws)
        return 0;
    cs_downey_draw((uint64_t)whole_of(draws, "seed", 1), (uint64_t)whole_of(draws, "set", 0),
                   (int)whole_of(draws, "procs", 0), count, job);
    for (int j = 0; j < count; j++) {
        one = json_array_get(json_object_get(want, "drawn"), (size_t)j);
        if (golden_number(json_array_get(one, 0), job[j].parallelism, "parallelism", err) ||
            golden_number(json_array_get(one, 1), job[j].sigma, "sigma", err))
            return cs_error_prefix(err, "job %d", j);
    }
    return 0;
}

static int jobs_sequences(const json_t *in, const json_t *want, struct cs_arena *arena,
                          struct cs_error *err)
{
    const json_t *list = json_object_get(want, "starts");
    const int count = (int)whole_of(in, "count", 0);
    int64_t *start = CS_NEW_ARRAY(arena, int64_t, count);

    if (cs_sequences_draw((uint64_t)whole_of(in, "seed", 1), whole_of(in, "total", 0),
                          whole_of(in, "length", 0), count, start, err))
        return -1;
    for (int s = 0; s < count; s++)
        if (whole_at(list, (size_t)s) != start[s])
            return cs_error_set(err, "start %d is %lld, expected %lld", s, (long long)start[s],
                                (long long)whole_at(list, (size_t)s));
    return 0;
}

/* ---- policies of others for ptg ---- */

/* A graph whose tasks are [flops, alpha]. */
static struct cs_graph *jobs_graph(const json_t *json, struct cs_arena *arena, struct cs_error *err)
{
    const json_t *tasks = json_object_get(json, "tasks"), *arcs = json_object_get(json, "arcs");
    const size_t n = json_array_size(tasks), m = json_array_size(arcs);
    struct cs_graph_task *task = CS_NEW_ARRAY(arena, struct cs_graph_task, n);
    struct cs_graph_arc *arc = CS_NEW_ARRAY(arena, struct cs_graph_arc, m);

    for (size_t v = 0; v < n; v++) {
        const json_t *t = json_array_get(tasks, v);

        task[v].flops = json_number_value(json_array_get(t, 0));
        task[v].alpha = json_number_value(json_array_get(t, 1));
    }
    for (size_t a = 0; a < m; a++) {
        const json_t *list = json_array_get(arcs, a);

        arc[a] = (struct cs_graph_arc){(int)whole_at(list, 0), (int)whole_at(list, 1),
                                       json_number_value(json_array_get(list, 2))};
    }
    return cs_graph_create("g", (int)n, task, (int)m, arc, err);
}

static int jobs_instance(struct golden_ptg *kit, const json_t *in, struct cs_error *err)
{
    const json_t *list = json_object_get(in, "graphs");
    const size_t n = json_array_size(list);

    kit->platform = golden_ptg_platform(json_object_get(in, "platform"), NULL, err);
    kit->graph = CS_NEW_ARRAY(kit->arena, struct cs_graph *, n);
    for (size_t g = 0; g < n; g++) {
        kit->graph[g] = jobs_graph(json_array_get(list, g), kit->arena, err);
        if (!kit->graph[g])
            return -1;
        kit->graphs++;
    }
    kit->in = kit->platform
                  ? cs_ptg_instance_create(kit->platform, kit->graphs,
                                           (const struct cs_graph *const *)kit->graph, NULL, err)
                  : NULL;
    return kit->in ? 0 : -1;
}

/* [graph, task, cluster, start, finish, processors]. */
static int jobs_place(const json_t *row, const struct cs_ptg_plan *plan,
                      const struct cs_platform *platform, struct cs_error *err)
{
    const struct cs_ptg_place *place =
        &plan->place[plan->first[whole_at(row, 0)] + whole_at(row, 1)];
    const json_t *procs = json_array_get(row, 5);
    size_t at = 0;

    if (place->cluster != whole_at(row, 2))
        return cs_error_set(err, "cluster is %d, expected %d", place->cluster,
                            (int)whole_at(row, 2));
    for (int i = 0; i < place->intervals; i++)
        for (int p = place->set[i].first; p <= place->set[i].last; p++)
            if (whole_at(procs, at++) != p - platform->cluster[place->cluster].first)
                return cs_error_set(err, "processors differ");
    if (at != json_array_size(procs))
        return cs_error_set(err, "%zu processors, expected %zu", at, json_array_size(procs));
    return golden_number(json_array_get(row, 3), place->start, "start", err) ||
                   golden_number(json_array_get(row, 4), place->finish, "finish", err)
               ? -1
               : 0;
}

static int jobs_plan(const struct golden_ptg *kit, const char *policy, const json_t *want,
                     struct cs_error *err)
{
    const json_t *ends = json_object_get(want, "makespans"), *row;
    struct cs_ptg_request request = {.mode = CS_PTG_OFFLINE};
    struct cs_ptg_plan *plan;
    int count, status;
    const struct cs_policy *const *list = cs_ptg_policies(&count);
    size_t i;

    if (cs_policy_parse(policy, list, count, &request.call, err))
        return -1;
    plan = cs_ptg_plan_make(kit->in, &request, err);
    if (!plan)
        return -1;
    status = golden_number(json_object_get(want, "total"), plan->makespan, "total", err);
    json_array_foreach(json_object_get(want, "schedule"), i, row)
    {
        if (!status && jobs_place(row, plan, kit->platform, err))
            status = cs_error_prefix(err, "graph %d, task %d", (int)whole_at(row, 0),
                                     (int)whole_at(row, 1));
    }
    for (int g = 0; !status && g < plan->graphs; g++)
        status =
            golden_number(json_array_get(ends, (size_t)g), plan->completion[g], "makespan", err);
    cs_ptg_plan_destroy(plan);
    return status ? cs_error_prefix(err, "%s", policy) : 0;
}

static int jobs_baselines(const struct golden_ptg *kit, const json_t *want, struct cs_error *err)
{
    const char *policy;
    json_t *plan;

    json_object_foreach((json_t *)(size_t)want, policy, plan)
    {
        if (jobs_plan(kit, policy, plan, err))
            return -1;
    }
    return 0;
}

static int check_sizes(const struct cs_ptg_sizes *sizes, const json_t *want, struct cs_error *err)
{
    static const char *const rules[] = {"S", "M", "W", "E", "cpa"};
    const json_t *list = json_object_get(want, "sizes"), *chosen = json_object_get(want, "chosen");

    for (int s = 0; s < sizes->sizes; s++) {
        const json_t *row = json_array_get(list, (size_t)s);

        if (golden_number(json_array_get(row, 1), sizes->makespan[s], "makespan", err) ||
            golden_number(json_array_get(row, 2), sizes->work[s], "work", err))
            return cs_error_prefix(err, "size %d", s + 1);
    }
    for (int r = 0; r < 5; r++) {
        const int size = cs_ptg_sizes_choose(sizes, (enum cs_ptg_bicpa)r);

        if (whole_of(chosen, rules[r], size) != size)
            return cs_error_set(err, "%s chooses %d, expected %d", rules[r], size,
                                (int)whole_of(chosen, rules[r], 0));
    }
    return 0;
}

static int jobs_bicpa(const struct golden_ptg *kit, const json_t *want, struct cs_error *err)
{
    const struct cs_ptg_sizes sizes = cs_ptg_sizes_try(kit->in, false, kit->arena);
    static const char *const keys[] = {"bicpa-s", "bicpa-m", "bicpa-w", "bicpa-e", "bicpa-cpa"};
    static const char *const calls[] = {"bicpa", "bicpa:choose=M", "bicpa:choose=W",
                                        "bicpa:choose=E", "bicpa:choose=cpa"};

    if (check_sizes(&sizes, want, err))
        return -1;
    for (int r = 0; r < 5; r++) {
        const json_t *plan = json_object_get(want, keys[r]);

        if (plan && jobs_plan(kit, calls[r], plan, err))
            return -1;
    }
    return 0;
}

static int jobs_ptg(const char *kind, const json_t *in, const json_t *want, struct cs_error *err)
{
    struct golden_ptg kit = {.arena = cs_arena_create()};
    int status = jobs_instance(&kit, in, err);

    if (!status)
        status =
            !strcmp(kind, "bicpa") ? jobs_bicpa(&kit, want, err) : jobs_baselines(&kit, want, err);
    golden_ptg_release(&kit);
    return status;
}

int golden_science_jobs(const char *kind, const json_t *in, const json_t *want,
                        struct cs_arena *arena, struct cs_error *err)
{
    if (!strcmp(kind, "lublin"))
        return jobs_lublin(in, want, arena, err);
    if (!strcmp(kind, "lublin-weights"))
        return jobs_weights(want, err);
    if (!strcmp(kind, "estimates-histogram"))
        return jobs_histogram(in, want, arena, err);
    if (!strcmp(kind, "estimates"))
        return jobs_estimates(in, want, arena, err);
    if (!strcmp(kind, "downey"))
        return jobs_downey(in, want, arena, err);
    if (!strcmp(kind, "sequences"))
        return jobs_sequences(in, want, arena, err);
    return !strcmp(kind, "baselines") || !strcmp(kind, "bicpa") ? jobs_ptg(kind, in, want, err)
                                                                : GOLDEN_SKIP;
}
