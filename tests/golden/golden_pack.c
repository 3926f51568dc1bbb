/* golden_pack.c - the golden cases of the pack problem: the repair, one pack, and every method. */
#include "base/arena.h"
#include "golden/golden.h"
#include "model/allocation.h"
#include "problems/pack/policy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A workload of the rows of a JSON array; null is +inf, anything that is not a number is NaN. */
static struct cs_workload *read_rows(const json_t *rows, struct cs_arena *arena)
{
    size_t n = json_array_size(rows);
    struct cs_profile *profile = CS_NEW_ARRAY(arena, struct cs_profile, n);

    for (size_t i = 0; i < n; i++) {
        const json_t *row = json_array_get(rows, i);
        size_t count = json_array_size(row);
        double *seconds = CS_NEW_ARRAY(arena, double, count);

        for (size_t j = 0; j < count; j++) {
            const json_t *value = json_array_get(row, j);

            seconds[j] = json_is_null(value) ? INFINITY : NAN;
            if (json_is_number(value))
                seconds[j] = json_number_value(value);
        }
        profile[i] =
            (struct cs_profile){.kind = CS_PROFILE_TABLE, .count = (int)count, .seconds = seconds};
    }
    return cs_workload_create((int)n, NULL, profile, NULL);
}

/* The repaired table, entry by entry to a relative 1e-12; null where a task cannot run. */
static int check_repair(const json_t *rows, const struct cs_pack_instance *in, struct cs_error *err)
{
    for (int i = 0; i < in->tasks->count; i++)
        for (int j = 1; j <= in->tasks->procs; j++) {
            const json_t *value = json_array_get(json_array_get(rows, (size_t)i), (size_t)j - 1);
            double want = json_is_null(value) ? INFINITY : json_number_value(value);
            double got = cs_pack_time(in, i, j);

            if (got != want && !(fabs(got - want) <= 1e-12 * want))
                return cs_error_set(err, "repaired time of task %d on %d is %.17g, expected %.17g",
                                    i, j, got, want);
        }
    return 0;
}

static double share_all(const struct cs_pack_instance *in, bool select, int *share,
                        struct cs_arena *scratch)
{
    int n = in->tasks->count, *task = CS_NEW_ARRAY(scratch, int, n);

    for (int i = 0; i < n; i++)
        task[i] = i;
    return (select ? cs_allocation_share_select : cs_allocation_share_heap)(in->tasks, task, n,
                                                                            share, scratch);
}

static int check_one_pack(const json_t *want, const struct cs_pack_instance *in,
                          struct cs_arena *scratch, struct cs_error *err)
{
    const json_t *procs = json_object_get(want, "procs");
    int n = in->tasks->count, *share = CS_NEW_ARRAY(scratch, int, n);

    for (int select = 0; select < 2; select++) {
        double cost = share_all(in, select, share, scratch);

        if (golden_number(json_object_get(want, "cost"), cost, "one_pack_all.cost", err))
            return -1;
        for (int i = 0; i < n; i++)
            if (share[i] != json_integer_value(json_array_get(procs, (size_t)i)))
                return cs_error_set(err, "one_pack_all.procs[%d] is %d by %s", i, share[i],
                                    select ? "selection" : "heap");
    }
    return 0;
}

static int check_numbers(const json_t *want, const int *got, int count, const char *what,
                         struct cs_error *err)
{
    if (json_array_size(want) != (size_t)count)
        return cs_error_set(err, "%d %s, expected %zu", count, what, json_array_size(want));
    for (int a = 0; a < count; a++) {
        long long expected = json_integer_value(json_array_get(want, (size_t)a));

        if (got[a] != expected)
            return cs_error_set(err, "%s[%d] is %d, expected %lld", what, a, got[a], expected);
    }
    return 0;
}

/* A pack is {tasks, procs, cost}, or for the random methods just [tasks]. */
static int check_pack(const json_t *pack, const struct cs_pack_plan *plan, int b,
                      struct cs_error *err)
{
    const json_t *tasks = json_is_array(pack) ? pack : json_object_get(pack, "tasks");
    const json_t *procs = json_object_get(pack, "procs"), *cost = json_object_get(pack, "cost");
    int first = plan->first[b], size = plan->first[b + 1] - first;

    if (check_numbers(tasks, plan->task + first, size, "tasks", err))
        return -1;
    if (procs && check_numbers(procs, plan->procs + first, size, "procs", err))
        return -1;
    return cost ? golden_number(cost, plan->cost[b], "cost", err) : 0;
}

static int check_packs(const json_t *want, const struct cs_pack_plan *plan, struct cs_error *err)
{
    if (json_array_size(want) != (size_t)plan->packs)
        return cs_error_set(err, "%d packs, expected %zu", plan->packs, json_array_size(want));
    for (int b = 0; b < plan->packs; b++)
        if (check_pack(json_array_get(want, (size_t)b), plan, b, err))
            return cs_error_prefix(err, "pack %d", b);
    return 0;
}

static int check_note(const json_t *want, const struct cs_pack_plan *plan, const char *name,
                      struct cs_error *err)
{
    int at = 0;

    if (!want)
        return 0;
    while (at < CS_PACK_NOTES && plan->note[at].name && strcmp(plan->note[at].name, name))
        at++;
    if (at == CS_PACK_NOTES || !plan->note[at].name)
        return cs_error_set(err, "no note of %s", name);
    if (json_is_string(want) && strcmp(plan->note[at].word, json_string_value(want)))
        return cs_error_set(err, "%s is %s, expected %s", name, plan->note[at].word,
                            json_string_value(want));
    return json_is_number(want) ? golden_number(want, plan->note[at].number, name, err) : 0;
}

static int check_metrics(const json_t *want, const struct cs_pack_instance *in,
                         const struct cs_pack_plan *plan, struct cs_error *err)
{
    struct cs_pack_metrics m;

    if (!want)
        return 0;
    cs_pack_metrics_compute(in, plan, &m);
    if (golden_number(json_object_get(want, "relative_cost"), m.relative_cost, "relative_cost",
                      err) ||
        golden_number(json_object_get(want, "packing_ratio"), m.packing_ratio, "packing_ratio",
                      err))
        return -1;
    return golden_number(json_object_get(want, "relative_response"), m.relative_response_time,
                         "relative_response", err);
}

static int make_plan(const struct cs_pack_instance *in, const char *policy, uint64_t seed,
                     struct cs_pack_plan *plan, struct cs_error *err)
{
    struct cs_pack_request request = {.seed = seed};
    int count;
    const struct cs_policy *const *list = cs_pack_policies(&count);

    if (cs_policy_parse(policy, list, count, &request.call, err))
        return -1;
    return cs_pack_plan_make(in, &request, plan, err);
}

static int check_plan(const json_t *want, const struct cs_pack_instance *in,
                      const struct cs_pack_plan *plan, struct cs_error *err)
{
    const json_t *packs = json_object_get(want, "packs");

    if (golden_number(json_object_get(want, "cost"), plan->total, "cost", err) ||
        (packs && check_packs(packs, plan, err)) ||
        check_note(json_object_get(want, "iterations"), plan, "iterations", err) ||
        check_note(json_object_get(want, "exit"), plan, "exit", err) ||
        check_note(json_object_get(want, "best_eps"), plan, "epsilon", err))
        return -1;
    return check_metrics(json_object_get(want, "metrics"), in, plan, err);
}

static int check_policy(const json_t *want, const struct cs_pack_instance *in, const char *policy,
                        uint64_t seed, struct cs_error *err)
{
    struct cs_pack_plan *plan = cs_pack_plan_create(in->tasks->count);
    int status = make_plan(in, policy, seed, plan, err);

    if (!status)
        status = check_plan(want, in, plan, err);
    cs_pack_plan_destroy(plan);
    return status ? cs_error_prefix(err, "%s, seed %d", policy, (int)seed) : 0;
}

static int check_each_epsilon(const json_t *want, const struct cs_pack_instance *in,
                              struct cs_error *err)
{
    const char *epsilon;
    json_t *cost;

    json_object_foreach((json_t *)want, epsilon, cost)
    {
        json_t *method = json_pack("{s:O}", "cost", cost);
        char policy[64];
        int status;

        snprintf(policy, sizeof policy, "pack-by-pack:epsilon=%s", epsilon);
        status = check_policy(method, in, policy, 0, err);
        json_decref(method);
        if (status)
            return -1;
    }
    return 0;
}

/* Every exact policy that takes the instance and claims a proof must find the optimum. */
static int check_optimal(const json_t *want, const struct cs_pack_instance *in,
                         struct cs_error *err)
{
    int count, status = 0;
    const struct cs_policy *const *list = cs_pack_policies(&count);
    struct cs_pack_plan *plan = cs_pack_plan_create(in->tasks->count);

    for (int i = 0; i < count && !status; i++) {
        struct cs_error refused = {0};

        if (list[i]->exact && strcmp(list[i]->name, "ilp") &&
            !make_plan(in, list[i]->name, 0, plan, &refused) && plan->optimal &&
            golden_number(json_object_get(want, "cost"), plan->total, "cost", err))
            status = cs_error_prefix(err, "%s", list[i]->name);
    }
    cs_pack_plan_destroy(plan);
    return status;
}

static const struct {
    const char *key, *policy;
    uint64_t seed;
} methods[] = {
    {"pack_approx_literal", "pack-approx:mode=printed", 0},
    {"pack_approx_then_alg1", "pack-approx:mode=end", 0},
    {"pack_approx_alg1_each_iteration", "pack-approx", 0},
    {"pack_by_pack_1", "pack-by-pack:epsilon=0.5", 0},
    {"pack_by_pack_9", "pack-by-pack", 0},
    {"random_pack_1_seed1", "random-pack:runs=1", 1},
    {"random_pack_1_seed2", "random-pack:runs=1", 2},
    {"random_pack_9_seed1", "random-pack:runs=9", 1},
    {"random_proc_1_seed1", "random-proc:runs=1", 1},
    {"random_proc_1_seed2", "random-proc:runs=1", 2},
    {"random_proc_9_seed1", "random-proc:runs=9", 1},
};

#define METHODS (sizeof methods / sizeof *methods)

static int check_method(const char *key, const json_t *want, const struct cs_pack_instance *in,
                        struct cs_error *err)
{
    if (!strcmp(key, "optimal"))
        return check_optimal(want, in, err);
    if (check_each_epsilon(json_object_get(want, "cost_by_eps"), in, err))
        return -1;
    for (size_t k = 0; k < METHODS; k++)
        if (!strcmp(key, methods[k].key))
            return check_policy(want, in, methods[k].policy, methods[k].seed, err);
    return cs_error_set(err, "this program does not know the method %s", key);
}

static int check_pack_size(const struct cs_workload *workload, int procs, int pack_size,
                           const json_t *want, struct cs_error *err)
{
    struct cs_pack_instance *in = cs_pack_instance_create(workload, procs, pack_size, err);
    int status = in ? 0 : -1;
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)want, key, value)
    {
        if (!status && check_method(key, value, in, err))
            status = cs_error_prefix(err, "k = %d", pack_size);
    }
    cs_pack_instance_destroy(in);
    return status;
}

/* What does not depend on the pack size; no task at all: the same for every method. */
static int check_instance(const json_t *json, const struct cs_pack_instance *in,
                          struct cs_arena *scratch, struct cs_error *err)
{
    const json_t *expected = json_object_get(json, "expected");
    const json_t *one_pack = json_object_get(expected, "one_pack_all");
    const json_t *one_by_one = json_object_get(expected, "one_in_p");

    if (check_repair(json_object_get(json, "profile"), in, err) ||
        (one_pack && check_one_pack(one_pack, in, scratch, err)) ||
        (one_by_one && check_policy(one_by_one, in, "one-by-one", 0, err)))
        return -1;
    for (size_t k = 0; k < METHODS && json_object_get(expected, "packs"); k++)
        if (check_policy(expected, in, methods[k].policy, 1, err))
            return -1;
    return 0;
}

static int check_expected(const json_t *json, const struct cs_workload *workload,
                          struct cs_arena *scratch, struct cs_error *err)
{
    int procs = (int)json_integer_value(json_object_get(json, "p")), status;
    struct cs_pack_instance *in = cs_pack_instance_create(workload, procs, CS_PACK_UNLIMITED, err);
    const char *key;
    json_t *value;

    if (!in)
        return -1;
    status = check_instance(json, in, scratch, err);
    cs_pack_instance_destroy(in);
    json_object_foreach(json_object_get(json_object_get(json, "expected"), "by_k"), key, value)
    {
        if (!status)
            status = check_pack_size(workload, procs, atoi(key), value, err);
    }
    return status;
}

/* Does the library take the whole case: the instance, one pack of all tasks, the epsilon? */
static bool accepts(const json_t *json, const struct cs_workload *workload,
                    struct cs_arena *scratch)
{
    int procs = (int)json_integer_value(json_object_get(json, "p")),
        n = workload ? workload->count : 0;
    const json_t *k = json_object_get(json, "k"), *eps = json_object_get(json, "eps");
    struct cs_error refused = {0};
    struct cs_pack_instance *in = cs_pack_instance_create(
        workload, procs, k ? (int)json_integer_value(k) : CS_PACK_UNLIMITED, &refused);
    bool accepted = in && json_integer_value(json_object_get(json, "n")) == n;

    if (accepted && eps) {
        struct cs_pack_plan *plan = cs_pack_plan_create(n);
        char policy[64];

        snprintf(policy, sizeof policy, "pack-by-pack:epsilon=%g", json_number_value(eps));
        accepted = !make_plan(in, policy, 0, plan, &refused);
        cs_pack_plan_destroy(plan);
    }
    if (accepted && json_object_get(json, "call") && !eps)
        accepted = isfinite(share_all(in, false, CS_NEW_ARRAY(scratch, int, n), scratch));
    cs_pack_instance_destroy(in);
    return accepted;
}

static int check_refusals(const json_t *cases, struct cs_error *err)
{
    for (size_t i = 0; i < json_array_size(cases); i++) {
        const json_t *json = json_array_get(cases, i);
        struct cs_arena *arena = cs_arena_create();
        struct cs_workload *workload = read_rows(json_object_get(json, "profile"), arena);
        bool accepted = accepts(json, workload, arena);

        cs_workload_destroy(workload);
        cs_arena_destroy(arena);
        if (accepted)
            return cs_error_set(err, "case %zu was accepted: %s", i,
                                json_string_value(json_object_get(json, "error")));
    }
    return 0;
}

static int run_case(const json_t *json, const char *path, struct cs_error *err)
{
    struct cs_arena *arena;
    struct cs_workload *workload;
    int status;

    (void)path;
    if (json_object_get(json, "cases"))
        return check_refusals(json_object_get(json, "cases"), err);
    arena = cs_arena_create();
    workload = read_rows(json_object_get(json, "raw_profile"), arena);
    status = check_expected(json, workload, arena, err);
    cs_workload_destroy(workload);
    cs_arena_destroy(arena);
    return status;
}

int main(int argc, char **argv)
{
    return golden_main(argc, argv, "pack-golden-1", run_case);
}
