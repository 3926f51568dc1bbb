/* run_pack.c - one plan of the pack problem. */
#include "base/arena.h"
#include "base/clock.h"
#include "base/stats.h"
#include "campaign/identity.h"
#include "campaign/runner.h"

#include <cosched/pack.h>

#include <limits.h>
#include <math.h>

enum {
    COST,
    ONE_PACK_COST,
    RELATIVE_COST,
    PACKING_RATIO,
    PACKING_RATIO_MINIMAL,
    RELATIVE_RESPONSE_TIME,
    SMITH_RESPONSE_TIME,
    PACKS,
    BOUND,
    GAP,
    OPTIMAL,
    MILLISECONDS,
    METRICS
};

static const struct cs_metric metrics[] = {
    [COST] = {.name = "cost", .summary = "sum of the pack costs, seconds"},
    [ONE_PACK_COST] = {.name = "one_pack_cost", .summary = "cost of one pack per task, seconds"},
    [RELATIVE_COST] = {.name = "relative_cost", .summary = "cost / one_pack_cost"},
    [PACKING_RATIO] = {.name = "packing_ratio", .summary = "busy share of the processors' time"},
    [PACKING_RATIO_MINIMAL] = {.name = "packing_ratio_minimal",
                               .summary = "the same with no processor given in vain"},
    [RELATIVE_RESPONSE_TIME] = {.name = "relative_response_time",
                                .summary = "mean response / that of shortest task first"},
    [SMITH_RESPONSE_TIME] = {.name = "smith_response_time",
                             .summary = "the same, packs in the best order"},
    [PACKS] = {.name = "packs", .summary = "number of packs"},
    [BOUND] = {.name = "bound", .summary = "a lower bound on the cost, seconds"},
    [GAP] = {.name = "gap", .summary = "cost / bound - 1"},
    [OPTIMAL] = {.name = "optimal", .summary = "1 when proven, else 0"},
    [MILLISECONDS] = {.name = "milliseconds",
                      .measured = true,
                      .summary = "time to plan, median of `repeat` times"},
    [METRICS] = {0},
};

static const struct cs_parameter parameters[] = {
    {.name = "policy", .kind = CS_PARAMETER_TEXT, .required = true, .summary = "NAME:param=value"},
    {.name = "workload", .kind = CS_PARAMETER_TEXT, .summary = "of `generate pack`"},
    {.name = "input", .kind = CS_PARAMETER_FILE, .summary = "a file, instead of workload"},
    {.name = "tasks",
     .kind = CS_PARAMETER_INTEGER,
     .low = 0,
     .high = INT_MAX,
     .summary = "of random workloads"},
    {.name = "workload_seed",
     .kind = CS_PARAMETER_INTEGER,
     .low = 0,
     .high = INT_MAX,
     .summary = "of random workloads; the replicate's own when not given"},
    {.name = "procs",
     .kind = CS_PARAMETER_INTEGER,
     .low = 0,
     .high = INT_MAX,
     .summary = "processors; 0: those of the workload"},
    {.name = "pack_size",
     .kind = CS_PARAMETER_INTEGER,
     .low = 0,
     .high = INT_MAX,
     .summary = "tasks in a pack; 0: as many as processors"},
    {.name = "time_limit",
     .kind = CS_PARAMETER_REAL,
     .low = 0,
     .high = 1e9,
     .summary = "seconds of patience with exact policies"},
    {.name = "repeat",
     .kind = CS_PARAMETER_INTEGER,
     .low = 1,
     .high = 1000000,
     .summary = "how often the planning is timed; not timed when not given"},
    {0},
};

static struct cs_workload *get_workload(const json_t *given, uint64_t seed, struct cs_error *err)
{
    const char *name = cs_parameter_text(given, "workload", NULL);
    const char *input = cs_parameter_text(given, "input", NULL);
    const json_t *own = json_object_get(given, "workload_seed");
    struct cs_pack_recipe recipe = {
        .tasks = cs_parameter_integer(given, "tasks", 0),
        .procs = cs_parameter_integer(given, "procs", 0),
        .seed = own ? (uint64_t)json_integer_value(own) : seed,
    };

    if (!name == !input) {
        cs_error_set(err, "expected either workload or input");
        return NULL;
    }
    return name ? cs_pack_generate(name, &recipe, err) : cs_workload_read(input, NULL, err);
}

static int get_call(const json_t *given, struct cs_policy_call *call, struct cs_error *err)
{
    int count;
    const struct cs_policy *const *policies = cs_pack_policies(&count);

    return cs_policy_parse(cs_parameter_text(given, "policy", ""), policies, count, call, err);
}

static bool is_missing(const struct cs_policy_call *call)
{
    int count;

    return cs_pack_policies(&count)[call->policy]->missing != NULL;
}

static double get_bound(const struct cs_pack_instance *instance, const struct cs_pack_plan *plan)
{
    struct cs_pack_bounds bounds;

    if (plan->optimal)
        return plan->total;
    cs_pack_bounds_compute(instance, &bounds);
    return fmax(bounds.best, plan->bound);
}

static void put_values(const struct cs_pack_instance *instance, const struct cs_pack_plan *plan,
                       double *value)
{
    struct cs_pack_metrics found;

    cs_pack_metrics_compute(instance, plan, &found);
    value[COST] = found.cost;
    value[ONE_PACK_COST] = found.one_pack_cost;
    value[RELATIVE_COST] = found.relative_cost;
    value[PACKING_RATIO] = found.packing_ratio;
    value[PACKING_RATIO_MINIMAL] = found.packing_ratio_minimal;
    value[RELATIVE_RESPONSE_TIME] = found.relative_response_time;
    value[SMITH_RESPONSE_TIME] = found.smith_response_time;
    value[PACKS] = plan->packs;
    value[BOUND] = get_bound(instance, plan);
    value[GAP] = plan->total / value[BOUND] - 1;
    value[OPTIMAL] = plan->optimal;
}

/* Plan once, or as often as it is timed. */
static int make_plan(const json_t *given, const struct cs_pack_instance *instance,
                     struct cs_pack_request *request, struct cs_pack_plan *plan, double *value,
                     struct cs_error *err)
{
    int repeat = cs_parameter_integer(given, "repeat", 0), runs = repeat ? repeat : 1;
    double limit = cs_parameter_real(given, "time_limit", INFINITY);
    struct cs_arena *arena = cs_arena_create();
    double *seconds = CS_NEW_ARRAY(arena, double, runs);
    int status = 0;

    for (int r = 0; r < runs && !status; r++) {
        double start = cs_clock_now();
        struct cs_deadline deadline = cs_deadline_in(limit);

        request->expired = isfinite(limit) ? cs_deadline_expired : NULL;
        request->who = &deadline;
        status = cs_pack_plan_make(instance, request, plan, err);
        seconds[r] = cs_clock_now() - start;
    }
    value[MILLISECONDS] = repeat ? 1000 * cs_stats_quantile(seconds, runs, 0.5, arena) : NAN;
    cs_arena_destroy(arena);
    return status;
}

/* A policy that this build lacks leaves the values as they are. */
static int run_instance(const json_t *given, const struct cs_workload *workload,
                        struct cs_pack_request *request, double *value, char *identity,
                        struct cs_error *err)
{
    int procs = cs_parameter_integer(given, "procs", 0);
    int pack_size = cs_parameter_integer(given, "pack_size", 0);
    struct cs_pack_instance *instance;
    struct cs_pack_plan *plan;
    int status = 0;

    instance = cs_pack_instance_create(workload, procs ? procs : workload->procs,
                                       pack_size ? pack_size : CS_PACK_UNLIMITED, err);
    if (!instance)
        return -1;
    cs_identity_pack(instance, workload, identity);
    plan = cs_pack_plan_create(workload->count);
    if (!is_missing(&request->call)) {
        status = make_plan(given, instance, request, plan, value, err);
        if (!status)
            put_values(instance, plan, value);
    }
    cs_pack_plan_destroy(plan);
    cs_pack_instance_destroy(instance);
    return status;
}

static int run(const json_t *given, uint64_t seed, struct cs_cache *keep, double *value,
               char *identity, struct cs_error *err)
{
    struct cs_pack_request request = {.seed = seed};
    struct cs_workload *workload;
    int status;

    (void)keep;
    for (int m = 0; m < METRICS; m++)
        value[m] = NAN;
    if (get_call(given, &request.call, err))
        return -1;
    workload = get_workload(given, seed, err);
    if (!workload)
        return -1;
    status = run_instance(given, workload, &request, value, identity, err);
    cs_workload_destroy(workload);
    return status;
}

const struct cs_runner cs_runner_pack = {
    .name = "pack",
    .summary = "plan a workload in packs",
    .parameters = parameters,
    .metrics = metrics,
    .run = run,
};
