/* run_rigid.c - one set of rigid jobs, or a log cut by day, through many failure scenarios. */
#include "base/arena.h"
#include "base/stats.h"
#include "campaign/runner.h"
#include "rigid/input.h"
#include "rigid/study.h"

#include <limits.h>
#include <math.h>

enum { RATIO, RATIO_DEVIATION, RATIO_MAX, MAKESPAN, FAILURES, WASTE, UTILISATION, JOBS, METRICS };

static const struct cs_metric metrics[] = {
    [RATIO] = {.name = "ratio", .summary = "makespan / lower bound, mean over the scenarios"},
    [RATIO_DEVIATION] = {.name = "ratio_deviation", .summary = "its standard deviation"},
    [RATIO_MAX] = {.name = "ratio_max", .summary = "its maximum"},
    [MAKESPAN] = {.name = "makespan", .summary = "mean makespan, seconds"},
    [FAILURES] = {.name = "failures", .summary = "mean number of failed attempts"},
    [WASTE] = {.name = "waste", .summary = "mean processor seconds of failed attempts"},
    [UTILISATION] = {.name = "utilisation", .summary = "mean busy share of the processors' time"},
    [JOBS] = {.name = "jobs", .summary = "mean number of jobs in a set"},
    [METRICS] = {0},
};

static const struct cs_parameter parameters[] = {
    {.name = "policy", .kind = CS_PARAMETER_TEXT, .required = true, .summary = "NAME:param=value"},
    {.name = "priority", .kind = CS_PARAMETER_TEXT, .summary = "of the jobs; lpt"},
    {.name = "input",
     .kind = CS_PARAMETER_FILE,
     .summary = "a log, cut by day, or a list of jobs; a synthetic set when not given"},
    {.name = "month", .kind = CS_PARAMETER_TEXT, .summary = "of the log, such as 2019-06"},
    {.name = "jobs",
     .kind = CS_PARAMETER_INTEGER,
     .low = 1,
     .high = 10000000,
     .summary = "in a synthetic set; 100"},
    {.name = "procs",
     .kind = CS_PARAMETER_INTEGER,
     .low = 0,
     .high = INT_MAX - 1,
     .summary = "of the machine; 0: what the log says, 10000 for a synthetic set"},
    {.name = "mean_failure_probability",
     .kind = CS_PARAMETER_REAL,
     .low = 0,
     .high = 1,
     .summary = "of an attempt of mean area; 0"},
    {.name = "verification",
     .kind = CS_PARAMETER_REAL,
     .low = 0,
     .high = 1e12,
     .summary = "seconds added to each attempt; 0"},
    {.name = "scenarios",
     .kind = CS_PARAMETER_INTEGER,
     .low = 1,
     .high = 10000000,
     .summary = "of each set; 1000"},
    {0},
};

struct sums {
    struct cs_stats ratio, makespan, failures, waste, utilisation, jobs;
};

static void add_outcome(struct sums *sums, const struct cs_rigid_outcome *o)
{
    cs_stats_add(&sums->ratio, o->ratio);
    cs_stats_add(&sums->makespan, o->makespan);
    cs_stats_add(&sums->failures, (double)o->failures);
    cs_stats_add(&sums->waste, o->waste);
    cs_stats_add(&sums->utilisation, o->utilisation);
}

static int get_study(const json_t *given, struct cs_policy_call *call, struct cs_rigid_study *study,
                     struct cs_error *err)
{
    int count;
    const struct cs_policy *const *infos = cs_rigid_policy_infos(&count);

    if (cs_policy_parse(cs_parameter_text(given, "policy", ""), infos, count, call, err))
        return -1;
    study->policy = cs_rigid_policies(&count)[call->policy];
    study->param = call->param;
    study->priority = cs_rigid_priority_find(cs_parameter_text(given, "priority", "lpt"), err);
    study->threads = 1;
    return study->priority ? 0 : -1;
}

/* One set of jobs; its number keeps its draws apart from those of the others. */
static int run_set(const json_t *given, struct cs_rigid_study study,
                   const struct cs_rigid_jobs *jobs, uint64_t seed, int set, struct sums *sums,
                   struct cs_error *err)
{
    const struct cs_rigid_law law = {.mean =
                                         cs_parameter_real(given, "mean_failure_probability", 0)};
    int count = cs_parameter_integer(given, "scenarios", 1000), status = -1;
    struct cs_arena *arena = cs_arena_create();
    struct cs_rigid_outcome *outcome = CS_NEW_ARRAY(arena, struct cs_rigid_outcome, count);

    study.jobs = jobs;
    study.scenarios = cs_rigid_scenarios_draw(jobs, law, seed, (uint64_t)set, count, arena, err);
    if (study.scenarios)
        status = cs_rigid_study_run(&study, outcome, err);
    for (int s = 0; !status && s < count; s++)
        add_outcome(sums, &outcome[s]);
    cs_stats_add(&sums->jobs, jobs->count);
    cs_arena_destroy(arena);
    return status;
}

static int run_synthetic(const json_t *given, const struct cs_rigid_study *study, uint64_t seed,
                         struct sums *sums, struct cs_error *err)
{
    int count = cs_parameter_integer(given, "jobs", 100);
    int machine = cs_parameter_integer(given, "procs", 0), status;
    struct cs_arena *arena = cs_arena_create();
    double *seconds = CS_NEW_ARRAY(arena, double, count);
    int *procs = CS_NEW_ARRAY(arena, int, count);
    const struct cs_rigid_jobs jobs = {count, machine ? machine : 10000,
                                       cs_parameter_real(given, "verification", 0), seconds, procs};

    cs_rigid_draw_jobs(seed, 0, count, seconds, procs);
    status = cs_rigid_jobs_check(&jobs, err);
    if (!status)
        status = run_set(given, *study, &jobs, seed, 0, sums, err);
    cs_arena_destroy(arena);
    return status;
}

static int run_input(const json_t *given, const struct cs_rigid_study *study, const char *path,
                     uint64_t seed, struct sums *sums, struct cs_error *err)
{
    const struct cs_rigid_input_options options = {
        .procs = cs_parameter_integer(given, "procs", 0),
        .verification = cs_parameter_real(given, "verification", NAN),
        .month = cs_parameter_text(given, "month", NULL),
        .by_day = true,
    };
    struct cs_rigid_input *input = cs_rigid_input_read(path, &options, err);
    int status = input ? 0 : -1;

    for (int s = 0; !status && s < input->sets; s++)
        status = run_set(given, *study, &input->set[s].jobs, seed, s, sums, err);
    cs_rigid_input_destroy(input);
    return status;
}

static int run(const json_t *given, uint64_t seed, double *value, struct cs_error *err)
{
    const char *path = cs_parameter_text(given, "input", NULL);
    struct cs_policy_call call;
    struct cs_rigid_study study = {0};
    struct sums sums = {0};

    if (get_study(given, &call, &study, err) ||
        (path ? run_input(given, &study, path, seed, &sums, err)
              : run_synthetic(given, &study, seed, &sums, err)))
        return -1;
    value[RATIO] = cs_stats_mean(&sums.ratio);
    value[RATIO_DEVIATION] = cs_stats_deviation(&sums.ratio);
    value[RATIO_MAX] = cs_stats_max(&sums.ratio);
    value[MAKESPAN] = cs_stats_mean(&sums.makespan);
    value[FAILURES] = cs_stats_mean(&sums.failures);
    value[WASTE] = cs_stats_mean(&sums.waste);
    value[UTILISATION] = cs_stats_mean(&sums.utilisation);
    value[JOBS] = cs_stats_mean(&sums.jobs);
    return 0;
}

const struct cs_runner cs_runner_rigid = {
    .name = "rigid",
    .summary = "simulate jobs of fixed width under silent errors",
    .parameters = parameters,
    .metrics = metrics,
    .run = run,
};
