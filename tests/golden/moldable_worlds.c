/* moldable_worlds.c - golden cases of uncertain times and silent errors. */
#include "golden/moldable_kit.h"

#include "problems/moldable/draw.h"
#include "problems/moldable/simulate.h"

/* The plan of the file. */
static int read_plan(const json_t *json, struct scene *s)
{
    int n = s->bag->tasks, *choice = CS_NEW_ARRAY(s->arena, int, n);
    double *start = CS_NEW_ARRAY(s->arena, double, n);

    for (int i = 0; i < n; i++) {
        int procs =
            (int)json_integer_value(json_array_get(json_object_get(json, "counts"), (size_t)i));

        choice[i] = cs_moldable_within(s->bag, i, procs);
        start[i] = json_number_value(json_array_get(json_object_get(json, "starts"), (size_t)i));
        if (choice[i] < 0 || cs_moldable_width(s->bag, i, choice[i]) != procs)
            return cs_error_set(s->err, "the plan has task %d on %d processors", i, procs);
    }
    cs_moldable_plan_set(s->bag, s->plan, choice, start, NULL);
    return 0;
}

/* A way that waits for scenarios. */
static struct cs_moldable_simulator *make_variant(struct scene *s, const char *variant, double qbar,
                                                  struct cs_moldable_scene *scene)
{
    struct cs_policy_call call;
    int count, *order = CS_NEW_ARRAY(s->arena, int, s->bag->tasks);
    const struct cs_policy *const *list = cs_moldable_variants(&count);
    double *expected = CS_NEW_ARRAY(s->arena, double, s->bag->tasks);

    cs_moldable_expected(s->bag, qbar, expected);
    cs_moldable_sort_starts(s->bag, s->plan->start, order, s->arena);
    *scene = (struct cs_moldable_scene){s->bag, s->plan, order, expected};
    if (cs_policy_parse(variant, list, count, &call, s->err))
        return NULL;
    return cs_moldable_simulator_create(scene, &call, NULL, s->err);
}

static int check_noisy_variant(const char *variant, const json_t *want, const json_t *noise,
                               struct scene *s)
{
    const json_t *first = json_object_get(want, "first");
    const struct cs_moldable_world world = {
        .sigma = json_number_value(json_object_get(noise, "sigma")),
        .seed = (uint64_t)json_integer_value(json_object_get(noise, "seed"))};
    struct cs_moldable_scene scene;
    struct cs_moldable_simulator *simulator = make_variant(s, variant, 0, &scene);
    double *factor = CS_NEW_ARRAY(s->arena, double, s->bag->tasks), sum = 0;
    int *failures = CS_NEW_ARRAY(s->arena, int, s->bag->tasks), status = simulator ? 0 : -1;
    int scenarios = moldable_int(noise, "scenarios");

    for (int k = 0; k < scenarios && !status; k++) {
        const struct cs_moldable_truth truth = {.factor = factor};
        struct cs_moldable_outcome outcome;

        status = cs_moldable_world_draw(s->in, &world, (uint64_t)k, factor, failures, s->err);
        cs_moldable_simulator_run(simulator, &truth, &outcome);
        sum += outcome.makespan;
        if (!status && (size_t)k < json_array_size(first))
            status =
                golden_number(json_array_get(first, (size_t)k), outcome.makespan, "first", s->err);
    }
    cs_moldable_simulator_destroy(simulator);
    if (!status)
        status = golden_number(json_object_get(want, "mean"), sum / scenarios, "mean", s->err);
    return status ? cs_error_prefix(s->err, "%s", variant) : 0;
}

int moldable_check_noise(const json_t *want, struct scene *s)
{
    double sigma = json_number_value(json_object_get(want, "sigma"));
    uint64_t seed = (uint64_t)json_integer_value(json_object_get(want, "seed"));
    const json_t *factors = json_object_get(want, "factors0");
    const char *variant;
    json_t *value;

    for (size_t i = 0; i < json_array_size(factors); i++)
        if (golden_number(json_array_get(factors, i), cs_moldable_noise(sigma, seed, 0, 0, i),
                          "factors0", s->err))
            return -1;
    if (read_plan(json_object_get(want, "plan"), s))
        return -1;
    json_object_foreach(json_object_get(want, "policies"), variant, value)
    {
        if (check_noisy_variant(variant, value, want, s))
            return -1;
    }
    return 0;
}

/* One way in the scenarios of the file, whose failures are checked too. */
static int check_failing_variant(const char *variant, const json_t *want, const json_t *silent,
                                 struct scene *s)
{
    const struct cs_moldable_world world = {
        .qbar = json_number_value(json_object_get(silent, "qbar")),
        .seed = (uint64_t)json_integer_value(json_object_get(silent, "seed"))};
    const json_t *rows = json_object_get(silent, "failures");
    struct cs_moldable_scene scene;
    struct cs_moldable_simulator *simulator = make_variant(s, variant, world.qbar, &scene);
    double *factor = CS_NEW_ARRAY(s->arena, double, s->bag->tasks);
    int *failures = CS_NEW_ARRAY(s->arena, int, s->bag->tasks), status = simulator ? 0 : -1;

    for (size_t k = 0; k < json_array_size(rows) && !status; k++) {
        const json_t *row = json_array_get(rows, k);
        const struct cs_moldable_truth truth = {.failures = failures};
        struct cs_moldable_outcome outcome;

        status = cs_moldable_world_draw(s->in, &world, k, factor, failures, s->err);
        for (size_t i = 0; i < json_array_size(row) && !status; i++)
            if (failures[i] != json_integer_value(json_array_get(row, i)))
                status = cs_error_set(s->err, "failures[%zu][%zu] is %d", k, i, failures[i]);
        if (status)
            break;
        cs_moldable_simulator_run(simulator, &truth, &outcome);
        if (golden_number(json_array_get(json_object_get(silent, "bounds"), k),
                          cs_moldable_real_bound(s->bag, &truth, s->arena), "bounds", s->err) ||
            golden_number(json_array_get(want, k), outcome.makespan, "makespan", s->err))
            status = cs_error_prefix(s->err, "scenario %zu", k);
    }
    cs_moldable_simulator_destroy(simulator);
    return status ? cs_error_prefix(s->err, "%s", variant) : 0;
}

int moldable_check_silent(const json_t *want, struct scene *s)
{
    const json_t *counts = json_object_get(want, "lpa_counts");
    const char *variant;
    json_t *value;

    for (size_t i = 0; i < json_array_size(counts); i++) {
        int procs = cs_moldable_width(s->bag, (int)i, cs_moldable_lpa_choice(s->bag, (int)i));

        if (procs != json_integer_value(json_array_get(counts, i)))
            return cs_error_set(s->err, "lpa_counts[%zu] is %d", i, procs);
    }
    if (moldable_plan(s, "ludwig-tiwari", 1, false))
        return -1;
    json_object_foreach(json_object_get(want, "makespans"), variant, value)
    {
        if (check_failing_variant(variant, value, want, s))
            return -1;
    }
    return 0;
}
