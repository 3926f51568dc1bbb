/* golden_moldable.c - the golden cases of the moldable problem. */
#include "base/arena.h"
#include "base/splitmix.h"
#include "golden/moldable_kit.h"
#include "model/workload.h"
#include "problems/moldable/bound.h"
#include "problems/moldable/draw.h"
#include "problems/moldable/fit.h"

#include <stdio.h>
#include <string.h>

int moldable_int(const json_t *object, const char *key)
{
    return (int)json_integer_value(json_object_get(object, key));
}

/* Points, as the task has them; what is not a number is NaN. */
static struct cs_profile read_profile(const json_t *task, struct cs_arena *arena)
{
    const json_t *counts = json_object_get(task, "counts"),
                 *times = json_object_get(task, "seconds");
    size_t count = json_array_size(counts);
    int *procs = CS_NEW_ARRAY(arena, int, count);
    double *seconds = CS_NEW_ARRAY(arena, double, count);

    for (size_t a = 0; a < count; a++) {
        const json_t *time = json_array_get(times, a);

        procs[a] = (int)json_integer_value(json_array_get(counts, a));
        seconds[a] = json_is_number(time) ? json_number_value(time) : NAN;
    }
    return (struct cs_profile){
        .kind = CS_PROFILE_POINTS,
        .fill = CS_FILL_STEP,
        .count = (int)count,
        .procs = procs,
        .seconds = seconds,
    };
}

static struct cs_workload *read_tasks(const json_t *tasks, struct cs_arena *arena)
{
    size_t n = json_array_size(tasks);
    struct cs_profile *profile = CS_NEW_ARRAY(arena, struct cs_profile, n);
    struct cs_task_limit *limit = CS_NEW_ARRAY(arena, struct cs_task_limit, n);
    const char **name = CS_NEW_ARRAY(arena, const char *, n);
    struct cs_workload *workload;

    for (size_t i = 0; i < n; i++) {
        const json_t *task = json_array_get(tasks, i);

        name[i] = json_string_value(json_object_get(task, "name"));
        profile[i] = read_profile(task, arena);
        limit[i].min_procs = moldable_int(task, "min_procs");
        limit[i].max_procs = moldable_int(task, "max_procs");
        limit[i].walltime = json_number_value(json_object_get(task, "walltime"));
        limit[i].release = json_number_value(json_object_get(task, "release"));
    }
    workload = cs_workload_create((int)n, name, profile, NULL);
    if (workload)
        cs_workload_set_limits(workload, limit);
    return workload;
}

static int check_candidates(const json_t *want, struct scene *s)
{
    if (json_array_size(want) != (size_t)s->bag->tasks)
        return cs_error_set(s->err, "candidates of %zu tasks", json_array_size(want));
    for (int i = 0; i < s->bag->tasks; i++) {
        const json_t *row = json_array_get(want, (size_t)i);
        int count = cs_moldable_candidates(s->bag, i);

        if (json_array_size(row) != (size_t)count)
            return cs_error_set(s->err, "task %d has %d candidates, expected %zu", i, count,
                                json_array_size(row));
        for (int x = 0; x < count; x++) {
            const json_t *pair = json_array_get(row, (size_t)x);

            if (json_integer_value(json_array_get(pair, 0)) != cs_moldable_width(s->bag, i, x))
                return cs_error_set(s->err, "candidate %d of task %d has %d processors", x, i,
                                    cs_moldable_width(s->bag, i, x));
            if (golden_number(json_array_get(pair, 1), cs_moldable_seconds(s->bag, i, x),
                              "candidate", s->err))
                return -1;
        }
    }
    return 0;
}

static int check_bounds(const json_t *want, struct scene *s)
{
    const struct {
        const char *name;
        double value;
    } bound[] = {
        {"critical", s->bounds.critical},
        {"area", s->bounds.area},
        {"area_threshold", s->bounds.area_threshold},
        {"knapsack", s->bounds.knapsack},
        {"dff", s->bounds.width},
        {"best", s->bounds.best},
    };

    for (size_t b = 0; b < sizeof bound / sizeof *bound; b++)
        if (golden_number(json_object_get(want, bound[b].name), bound[b].value, bound[b].name,
                          s->err))
            return -1;
    return 0;
}

static int check_close(const json_t *want, double got, const char *what, int task,
                       struct cs_error *err)
{
    double expected = json_number_value(want);

    if (json_is_number(want) && fabs(got - expected) <= 1e-9 * fmax(1, fabs(expected)))
        return 0;
    return cs_error_set(err, "%s[%d] is %.17g, expected %.17g", what, task, got, expected);
}

/* A plan of the file; a makespan of null is that of a planner that had nothing to try. */
static int check_plan(const json_t *want, const struct cs_moldable_plan *plan, const char *what,
                      struct cs_error *err)
{
    const json_t *counts = json_object_get(want, "counts"),
                 *starts = json_object_get(want, "starts");
    const json_t *makespan = json_object_get(want, "makespan");

    if (!json_is_null(makespan) && golden_number(makespan, plan->makespan, "makespan", err))
        return cs_error_prefix(err, "%s", what);
    for (int i = 0; i < plan->tasks; i++) {
        if (json_integer_value(json_array_get(counts, (size_t)i)) != plan->procs[i])
            return cs_error_set(err, "%s: counts[%d] is %d, expected %d", what, i, plan->procs[i],
                                (int)json_integer_value(json_array_get(counts, (size_t)i)));
        if (check_close(json_array_get(starts, (size_t)i), plan->start[i], "starts", i, err))
            return cs_error_prefix(err, "%s", what);
    }
    return 0;
}

int moldable_plan(struct scene *s, const char *policy, uint64_t seed, bool thrift)
{
    struct cs_moldable_request request = {.seed = seed, .thrift = thrift};
    int count;
    const struct cs_policy *const *list = cs_moldable_policies(&count);

    if (cs_policy_parse(policy, list, count, &request.call, s->err))
        return -1;
    return cs_moldable_plan_make(s->in, &request, s->plan, s->err);
}

static int check_policy(const json_t *want, struct scene *s, const char *policy)
{
    return moldable_plan(s, policy, 1, false) ? -1 : check_plan(want, s->plan, policy, s->err);
}

static int check_lists(const json_t *want, struct scene *s)
{
    static const char *const allotments[] = {"gamma", "thrifty"};
    static const char *const orders[] = {"area", "index", "lpt", "wide"};
    static const char *const decoders[] = {"list", "earliest"};
    char key[32], policy[96];

    for (int a = 0; a < 2; a++)
        for (int o = 0; o < 4; o++)
            for (int d = 0; d < 2; d++) {
                const json_t *plan;

                snprintf(key, sizeof key, "%s-%s", allotments[a], orders[o]);
                snprintf(policy, sizeof policy, "list:allotment=%s,order=%s,decoder=%s",
                         allotments[a], orders[o], decoders[d]);
                plan = json_object_get(json_object_get(want, key), decoders[d]);
                if (!plan)
                    return cs_error_set(s->err, "the file has no %s of %s", decoders[d], key);
                if (check_policy(plan, s, policy))
                    return -1;
            }
    return 0;
}

static double note_of(const struct cs_moldable_plan *plan, const char *name)
{
    for (int a = 0; a < CS_MOLDABLE_NOTES && plan->note[a].name; a++)
        if (strcmp(plan->note[a].name, name) == 0)
            return plan->note[a].number;
    return NAN;
}

static int check_mounie(const json_t *want, struct scene *s)
{
    if (check_policy(want, s, "mounie-rapine-trystram"))
        return -1;
    if (s->bag->tasks == 0)
        return 0;
    if (golden_number(json_object_get(want, "d"), note_of(s->plan, "d"), "d", s->err) ||
        golden_number(json_object_get(want, "constructed"), note_of(s->plan, "constructed"),
                      "constructed", s->err))
        return -1;
    return 0;
}

/* Gamma at the threshold, longest first, below D. */
static int check_fit(const json_t *want, struct scene *s)
{
    int n = s->bag->tasks, *choice = CS_NEW_ARRAY(s->arena, int, n);
    int *order = CS_NEW_ARRAY(s->arena, int, n);
    struct cs_moldable_fit fit;

    cs_moldable_gamma(s->bag, json_number_value(json_object_get(want, "threshold")), choice);
    cs_moldable_sort(s->bag, choice, CS_MOLDABLE_LPT, order, s->arena);
    cs_moldable_fit_init(&fit, s->bag, s->arena);
    cs_moldable_fit_clear(&fit);
    cs_moldable_fit(&fit, choice, order, n, json_number_value(json_object_get(want, "D")),
                    INFINITY);
    cs_moldable_plan_set(s->bag, s->plan, fit.choice, fit.start, fit.first);
    if (fit.last != moldable_int(want, "ends_last"))
        return cs_error_set(s->err, "fit: task %d ends last, expected %d", fit.last,
                            moldable_int(want, "ends_last"));
    return check_plan(json_object_get(want, "plan"), s->plan, "fit", s->err);
}

static double node_seconds(const struct scene *s)
{
    double sum = 0;

    for (int i = 0; i < s->bag->tasks; i++)
        sum += cs_moldable_work(s->bag, i, s->plan->choice[i]);
    return sum;
}

static int check_search(const json_t *want, struct scene *s)
{
    const json_t *thrift = json_object_get(want, "thrift");
    uint64_t seed = (uint64_t)json_integer_value(json_object_get(want, "seed"));
    char policy[64];

    snprintf(policy, sizeof policy, "search:moves=%d", moldable_int(want, "moves"));
    if (moldable_plan(s, policy, seed, false) ||
        golden_number(json_object_get(want, "start"), note_of(s->plan, "start"), "start", s->err) ||
        check_plan(json_object_get(want, "plan"), s->plan, "search", s->err) ||
        golden_number(json_object_get(want, "node_seconds"), node_seconds(s), "node_seconds",
                      s->err))
        return -1;
    if (!thrift)
        return 0;
    if (moldable_plan(s, policy, seed, true) ||
        check_plan(json_object_get(thrift, "plan"), s->plan, "thrift", s->err))
        return -1;
    return golden_number(json_object_get(thrift, "node_seconds"), node_seconds(s),
                         "thrift.node_seconds", s->err);
}

static int check_each(const json_t *list, struct scene *s,
                      int (*check)(const json_t *want, struct scene *s))
{
    for (size_t k = 0; k < json_array_size(list); k++)
        if (check(json_array_get(list, k), s))
            return cs_error_prefix(s->err, "entry %zu", k);
    return 0;
}

static int check_fits(const json_t *want, struct scene *s)
{
    return check_each(want, s, check_fit);
}

static int check_searches(const json_t *want, struct scene *s)
{
    return check_each(want, s, check_search);
}

static int check_ludwig(const json_t *want, struct scene *s)
{
    return check_policy(want, s, "ludwig-tiwari");
}

static int check_turek(const json_t *want, struct scene *s)
{
    return check_policy(want, s, "turek-wolf-yu");
}

static int check_sweep(const json_t *want, struct scene *s)
{
    return check_policy(want, s, "sweep");
}

/* Only the makespan: there may be other optimal plans. */
static int check_optimum(const json_t *want, struct scene *s)
{
    if (moldable_plan(s, "exact", 1, false))
        return -1;
    if (!s->plan->optimal)
        return cs_error_set(s->err, "exact proved nothing");
    return golden_number(json_object_get(want, "makespan"), s->plan->makespan, "makespan", s->err);
}

static int check_packs(const json_t *want, struct scene *s)
{
    double optimum;

    if (moldable_plan(s, "exact", 1, false))
        return -1;
    optimum = s->plan->makespan;
    if (moldable_plan(s, "packs", 1, false) ||
        golden_number(json_object_get(want, "cost"), s->plan->makespan, "cost", s->err))
        return -1;
    return golden_number(json_object_get(want, "price_of_packs"), s->plan->makespan / optimum,
                         "price_of_packs", s->err);
}

static int check_nothing(const json_t *want, struct scene *s)
{
    (void)want;
    (void)s;
    return 0;
}

static const struct {
    const char *key;
    int (*check)(const json_t *want, struct scene *s);
} parts[] = {
    {"candidates", check_candidates},
    {"bounds", check_bounds},
    {"lists", check_lists},
    {"ludwig_tiwari", check_ludwig},
    {"turek_wolf_yu", check_turek},
    {"sweep", check_sweep},
    {"mounie_rapine_trystram", check_mounie},
    {"fit", check_fits},
    {"search", check_searches},
    {"optimum", check_optimum},
    {"best_packs", check_packs},
    {"noise", moldable_check_noise},
    {"silent", moldable_check_silent},
    {"verified_by", check_nothing},
};

static int check_part(const char *key, const json_t *want, struct scene *s)
{
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        if (strcmp(key, parts[p].key) == 0)
            return parts[p].check(want, s) ? cs_error_prefix(s->err, "%s", key) : 0;
    return cs_error_set(s->err, "this program does not know %s", key);
}

static int check_expected(const json_t *json, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_workload *workload = read_tasks(json_object_get(json, "tasks"), arena);
    struct cs_moldable_instance *in =
        cs_moldable_instance_create(workload, moldable_int(json, "procs"), NULL, err);
    struct scene s = {.in = in, .bag = in ? &in->bag : NULL, .arena = arena, .err = err};
    int status = in ? 0 : -1;
    const char *key;
    json_t *value;

    if (in) {
        cs_moldable_bounds_compute(in, &s.bounds);
        s.plan = cs_moldable_plan_create(in->bag.tasks);
    }
    json_object_foreach(json_object_get(json, "expected"), key, value)
    {
        if (!status)
            status = check_part(key, value, &s);
    }
    cs_moldable_plan_destroy(s.plan);
    cs_moldable_instance_destroy(in);
    cs_workload_destroy(workload);
    return status;
}

/* Does the library take the tasks and, where the case has them, sigma and qbar? */
static bool accepts(const json_t *input, struct cs_arena *arena)
{
    const struct cs_moldable_world world = {
        .sigma = json_number_value(json_object_get(input, "sigma")),
        .qbar = json_number_value(json_object_get(input, "qbar"))};
    struct cs_error refused = {0};
    struct cs_workload *workload = read_tasks(json_object_get(input, "tasks"), arena);
    struct cs_moldable_instance *in =
        cs_moldable_instance_create(workload, moldable_int(input, "procs"), NULL, &refused);
    bool accepted = in && !cs_moldable_world_check(&world, &refused);

    cs_moldable_instance_destroy(in);
    cs_workload_destroy(workload);
    return accepted;
}

static int check_refusals(const json_t *cases, struct cs_arena *arena, struct cs_error *err)
{
    for (size_t k = 0; k < json_array_size(cases); k++) {
        const json_t *one = json_array_get(cases, k);

        if (accepts(json_object_get(one, "input"), arena))
            return cs_error_set(err, "case %zu was accepted: %s", k,
                                json_string_value(json_object_get(one, "why")));
    }
    return 0;
}

/* The stream of the search. */
static int check_below(const json_t *want, struct cs_error *err)
{
    struct cs_splitmix random = {(uint64_t)json_integer_value(json_object_get(want, "seed"))};
    const json_t *bounds = json_object_get(want, "bounds"),
                 *values = json_object_get(want, "values");

    for (size_t k = 0; k < json_array_size(bounds); k++) {
        uint64_t bound = (uint64_t)json_integer_value(json_array_get(bounds, k));
        long long got = (long long)cs_splitmix_below(&random, bound);

        if (got != json_integer_value(json_array_get(values, k)))
            return cs_error_set(err, "below.values[%zu] is %lld", k, got);
    }
    return 0;
}

static int check_factors(const json_t *list, struct cs_error *err)
{
    for (size_t k = 0; k < json_array_size(list); k++) {
        const json_t *one = json_array_get(list, k);
        double factor =
            cs_moldable_noise(json_number_value(json_object_get(one, "sigma")),
                              (uint64_t)json_integer_value(json_object_get(one, "seed")),
                              (uint64_t)json_integer_value(json_object_get(one, "set")),
                              (uint64_t)json_integer_value(json_object_get(one, "scenario")),
                              (uint64_t)json_integer_value(json_object_get(one, "task")));

        if (golden_number(json_object_get(one, "factor"), factor, "factor", err))
            return cs_error_prefix(err, "noise %zu", k);
    }
    return 0;
}

static int run_case(const json_t *json, const char *path, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    int status;

    (void)path;
    if (json_object_get(json, "cases"))
        status = check_refusals(json_object_get(json, "cases"), arena, err);
    else if (json_object_get(json, "below"))
        status = check_below(json_object_get(json, "below"), err) ||
                         check_factors(json_object_get(json, "noise"), err)
                     ? -1
                     : 0;
    else
        status = check_expected(json, arena, err);
    cs_arena_destroy(arena);
    return status;
}

int main(int argc, char **argv)
{
    return golden_main(argc, argv, "moldable-golden-1", run_case);
}
