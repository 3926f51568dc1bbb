/* run_malleable.c - one life of a set of malleable applications, on processors that fail. */
#include "campaign/identity.h"
#include "campaign/runner.h"

#include <cosched/malleable.h>
#include <limits.h>
#include <math.h>
#include <string.h>

#define YEAR (365 * 86400.0)
#define DAY 86400.0

enum {
    MAKESPAN,
    RATIO,
    STRUCK,
    MOVED,
    FATAL,
    WORK,
    CHECKPOINT,
    LOST,
    DOWN,
    MOVE,
    IDLE,
    EXPECTED,
    DEVIATION,
    METRICS,
};

static const struct cs_metric metrics[] = {
    [MAKESPAN] = {.name = "makespan", .summary = "seconds"},
    [RATIO] = {.name = "ratio", .summary = "makespan / lower bound"},
    [STRUCK] = {.name = "struck", .summary = "failures that made a task roll back"},
    [MOVED] = {.name = "moved", .summary = "allocations changed by redistributions"},
    [FATAL] = {.name = "fatal", .summary = "failures that would have been fatal in reality"},
    [WORK] = {.name = "work", .summary = "share of the processors' time"},
    [CHECKPOINT] = {.name = "checkpoint", .summary = "share of the processors' time"},
    [LOST] = {.name = "lost", .summary = "share of the processors' time"},
    [DOWN] = {.name = "down", .summary = "downtime and recovery, share of the processors' time"},
    [MOVE] = {.name = "move", .summary = "share of the processors' time"},
    [IDLE] = {.name = "idle", .summary = "share of the processors' time"},
    [EXPECTED] = {.name = "expected_makespan",
                  .summary = "after at_days days of the run, in days; none after its end"},
    [DEVIATION] = {.name = "procs_deviation",
                   .summary = "standard deviation of the processors of a running task then"},
    [METRICS] = {0},
};

static const struct cs_parameter parameters[] = {
    {.name = "on_end", .kind = CS_PARAMETER_TEXT, .summary = "policy when a task ends; none"},
    {.name = "on_failure",
     .kind = CS_PARAMETER_TEXT,
     .summary = "policy when a failure has made a task the longest; none"},
    {.name = "input",
     .kind = CS_PARAMETER_FILE,
     .summary = "applications with checkpoints and data; a synthetic set when not given"},
    {.name = "tasks",
     .kind = CS_PARAMETER_INTEGER,
     .low = 1,
     .high = 10000000,
     .summary = "of a synthetic set; 100"},
    {.name = "size_low",
     .kind = CS_PARAMETER_REAL,
     .low = 1,
     .high = 1e15,
     .summary = "smallest size of a synthetic task; 1500000"},
    {.name = "size_high",
     .kind = CS_PARAMETER_REAL,
     .low = 1,
     .high = 1e15,
     .summary = "largest; 2500000"},
    {.name = "seq_fraction",
     .kind = CS_PARAMETER_REAL,
     .low = 0,
     .high = 1,
     .summary = "of synthetic tasks; 0.08"},
    {.name = "checkpoint_factor",
     .kind = CS_PARAMETER_REAL,
     .low = 0,
     .high = 1e9,
     .summary = "checkpoint / size of synthetic tasks; 1"},
    {.name = "procs",
     .kind = CS_PARAMETER_INTEGER,
     .low = 2,
     .high = INT_MAX - 1,
     .summary = "of the machine; 1000"},
    {.name = "mtbf_years",
     .kind = CS_PARAMETER_REAL,
     .low = 1e-9,
     .high = 1e12,
     .summary = "mean time between failures of one processor; 100"},
    {.name = "downtime",
     .kind = CS_PARAMETER_REAL,
     .low = 0,
     .high = 1e12,
     .summary = "seconds between a failure and the recovery; 60"},
    {.name = "fault_free",
     .kind = CS_PARAMETER_INTEGER,
     .low = 0,
     .high = 1,
     .summary = "1: no failures and no checkpoints; 0"},
    {.name = "rules",
     .kind = CS_PARAMETER_TEXT,
     .summary = "paper or recommended: what the four below are when not given; paper"},
    {.name = "period_factor",
     .kind = CS_PARAMETER_REAL,
     .low = 1e-6,
     .high = 1e6,
     .summary = "between checkpoints, in Young's periods"},
    {.name = "hysteresis",
     .kind = CS_PARAMETER_REAL,
     .low = 0,
     .high = 0.999999,
     .summary = "the share that a redistribution has to gain"},
    {.name = "minimal_disruption",
     .kind = CS_PARAMETER_INTEGER,
     .low = 0,
     .high = 1,
     .summary = "1: greedy plans leave tasks alone where they can"},
    {.name = "wake",
     .kind = CS_PARAMETER_INTEGER,
     .low = 0,
     .high = 1,
     .summary = "1: the end of a restart is an event"},
    {.name = "at_days",
     .kind = CS_PARAMETER_REAL,
     .low = 0,
     .high = 1e9,
     .summary = "when expected_makespan and procs_deviation are read"},
    {0},
};

/* What a run looked like at a moment. */
struct glance {
    double time, expected, deviation;
    int tasks;
};

/* The state after the last event that is not later than the moment holds then. */
static void look(void *who, const struct cs_malleable_event *event)
{
    struct glance *glance = who;
    double sum = 0, squares = 0, longest = 0;
    int running = 0;

    if (event->time > glance->time)
        return;
    for (int i = 0; i < glance->tasks; i++) {
        double procs = event->state[i].procs;

        longest = fmax(longest, event->state[i].expected_finish);
        running += procs > 0;
        sum += procs;
        squares += procs * procs;
    }
    glance->expected = longest / DAY;
    glance->deviation =
        running ? sqrt(fmax(0, squares / running - sum / running * sum / running)) : NAN;
}

static int find_policy(const json_t *given, const char *name, const struct cs_policy *const *list,
                       int count, int *index, struct cs_error *err)
{
    struct cs_policy_call call;

    if (cs_policy_parse(cs_parameter_text(given, name, "none"), list, count, &call, err))
        return cs_error_prefix(err, "%s", name);
    *index = call.policy;
    return 0;
}

static int read_rules(const json_t *given, struct cs_malleable_rules *rules, struct cs_error *err)
{
    const char *base = cs_parameter_text(given, "rules", "paper");
    int count;
    const struct cs_policy *const *list;

    if (strcmp(base, "paper") && strcmp(base, "recommended"))
        return cs_error_set(err, "rules: found \"%s\", expected paper or recommended", base);
    *rules = strcmp(base, "paper") ? cs_malleable_rules_recommended() : cs_malleable_rules_paper();
    rules->period_factor = cs_parameter_real(given, "period_factor", rules->period_factor);
    rules->hysteresis = cs_parameter_real(given, "hysteresis", rules->hysteresis);
    rules->minimal_disruption =
        cs_parameter_integer(given, "minimal_disruption", rules->minimal_disruption) == 1;
    rules->wake = cs_parameter_integer(given, "wake", rules->wake) == 1;
    list = cs_malleable_end_policies(&count);
    if (find_policy(given, "on_end", list, count, &rules->on_end, err))
        return -1;
    list = cs_malleable_failure_policies(&count);
    return find_policy(given, "on_failure", list, count, &rules->on_failure, err);
}

static struct cs_workload *make_workload(const json_t *given, uint64_t seed, struct cs_error *err)
{
    const char *input = cs_parameter_text(given, "input", NULL);
    struct cs_malleable_recipe recipe = cs_malleable_recipe_paper();

    if (input)
        return cs_workload_read(input, NULL, err);
    recipe.tasks = cs_parameter_integer(given, "tasks", recipe.tasks);
    recipe.size_low = cs_parameter_real(given, "size_low", recipe.size_low);
    recipe.size_high = cs_parameter_real(given, "size_high", recipe.size_high);
    recipe.sequential_fraction =
        cs_parameter_real(given, "seq_fraction", recipe.sequential_fraction);
    recipe.checkpoint_factor =
        cs_parameter_real(given, "checkpoint_factor", recipe.checkpoint_factor);
    recipe.seed = seed;
    return cs_malleable_generate(&recipe, err);
}

static void fill(const struct cs_malleable_outcome *o, int procs, const struct glance *glance,
                 double *value)
{
    double all = procs * o->makespan;

    value[MAKESPAN] = o->makespan;
    value[RATIO] = o->makespan / o->lower_bound;
    value[STRUCK] = (double)o->struck;
    value[MOVED] = (double)o->moved;
    value[FATAL] = (double)o->fatal_in_reality;
    value[WORK] = o->area.work / all;
    value[CHECKPOINT] = o->area.checkpoint / all;
    value[LOST] = o->area.lost / all;
    value[DOWN] = o->area.down / all;
    value[MOVE] = o->area.move / all;
    value[IDLE] = o->area.idle / all;
    value[EXPECTED] = glance->time < o->makespan ? glance->expected : NAN;
    value[DEVIATION] = glance->time < o->makespan ? glance->deviation : NAN;
}

static int simulate(const json_t *given, const struct cs_malleable_instance *instance,
                    const struct cs_malleable_rules *rules, uint64_t seed, double *value,
                    struct cs_error *err)
{
    const struct cs_malleable_platform *platform = cs_malleable_instance_platform(instance);
    const struct cs_malleable_failures law = {
        .procs = platform->procs,
        .mtbf = platform->mtbf,
        .law = CS_MALLEABLE_EXPONENTIAL,
        .seed = seed,
    };
    struct glance glance = {cs_parameter_real(given, "at_days", INFINITY) * DAY, NAN, NAN,
                            cs_malleable_instance_tasks(instance)};
    const struct cs_malleable_observer observer = {.event = look, .who = &glance};
    struct cs_malleable_trace *trace = cs_malleable_trace_draw(&law, err);
    struct cs_malleable_simulation *simulation =
        trace ? cs_malleable_simulation_create(instance, rules, err) : NULL;
    struct cs_malleable_outcome outcome;

    if (simulation) {
        cs_malleable_simulation_run(simulation, trace, isfinite(glance.time) ? &observer : NULL,
                                    &outcome);
        fill(&outcome, platform->procs, &glance, value);
    }
    cs_malleable_simulation_destroy(simulation);
    cs_malleable_trace_destroy(trace);
    return simulation ? 0 : -1;
}

static int run(const json_t *given, uint64_t seed, struct cs_cache *keep, double *value,
               char *identity, struct cs_error *err)
{
    const struct cs_malleable_platform platform = {
        .procs = cs_parameter_integer(given, "procs", 1000),
        .mtbf = cs_parameter_real(given, "mtbf_years", 100) * YEAR,
        .downtime = cs_parameter_real(given, "downtime", CS_MALLEABLE_DOWNTIME),
        .fault_free = cs_parameter_integer(given, "fault_free", 0) == 1,
    };
    struct cs_malleable_rules rules;
    struct cs_workload *workload;
    struct cs_malleable_instance *instance = NULL;
    int status = -1;

    (void)keep;
    if (read_rules(given, &rules, err))
        return -1;
    workload = make_workload(given, seed, err);
    if (workload)
        instance = cs_malleable_instance_from_workload(workload, NAN, NAN, &platform, err);
    if (instance) {
        cs_identity_malleable(instance, identity);
        status = simulate(given, instance, &rules, seed, value, err);
    }
    cs_malleable_instance_destroy(instance);
    cs_workload_destroy(workload);
    return status;
}

const struct cs_runner cs_runner_malleable = {
    .name = "malleable",
    .summary = "run applications that change their processors, on processors that fail",
    .parameters = parameters,
    .metrics = metrics,
    .run = run,
};
