/* run_rigid.c - one set of rigid jobs, or a log cut by day, through many failure scenarios.
 *
 * A set with a job that would fail more often than the specification allows (draw.h) is left out
 * and counted, so that one such day does not cost the others of the month.
 */
#include "base/arena.h"
#include "base/stats.h"
#include "base/strbuf.h"
#include "campaign/identity.h"
#include "campaign/runner.h"
#include "rigid/input.h"
#include "rigid/study.h"
#include "rigid/trap.h"

#include <limits.h>
#include <math.h>

enum {
    RATIO,
    RATIO_DEVIATION,
    RATIO_MAX,
    MAKESPAN,
    FAILURES,
    WASTE,
    UTILISATION,
    JOBS,
    LEFT_OUT,
    METRICS
};

static const struct cs_metric metrics[] = {
    [RATIO] = {.name = "ratio", .summary = "makespan / lower bound, mean over the scenarios"},
    [RATIO_DEVIATION] = {.name = "ratio_deviation", .summary = "its standard deviation"},
    [RATIO_MAX] = {.name = "ratio_max", .summary = "its maximum"},
    [MAKESPAN] = {.name = "makespan", .summary = "mean makespan, seconds"},
    [FAILURES] = {.name = "failures", .summary = "mean number of failed attempts"},
    [WASTE] = {.name = "waste", .summary = "mean processor seconds of failed attempts"},
    [UTILISATION] = {.name = "utilisation", .summary = "mean busy share of the processors' time"},
    [JOBS] = {.name = "jobs", .summary = "mean number of jobs in a set"},
    [LEFT_OUT] = {.name = "left_out",
                  .summary = "sets left out: some job would fail more than ten million times",
                  .warning = "sets of jobs were left out, because a job of theirs would fail "
                             "more than ten million times"},
    [METRICS] = {0},
};

static const struct cs_parameter parameters[] = {
    {.name = "policy", .kind = CS_PARAMETER_TEXT, .required = true, .summary = "NAME:param=value"},
    {.name = "priority", .kind = CS_PARAMETER_TEXT, .summary = "of the jobs; lpt"},
    {.name = "input",
     .kind = CS_PARAMETER_FILE,
     .summary = "a log, cut by day; a synthetic set when not given"},
    {.name = "month", .kind = CS_PARAMETER_TEXT, .summary = "of the log, such as 2019-06"},
    {.name = "day",
     .kind = CS_PARAMETER_INTEGER,
     .low = 1,
     .high = 10000000,
     .summary = "only the n-th day of the log that has jobs; all when not given"},
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
    {.name = "trap",
     .kind = CS_PARAMETER_TEXT,
     .summary = "the jobs and failures of Proposition 3 (shelf) or 4 (shelf-fill) on so many procs "
                "instead of what is drawn"},
    {0},
};

struct sums {
    struct cs_stats ratio, makespan, failures, waste, utilisation, jobs;
    int left_out;
    struct cs_digest digest; /* of all sets of jobs */
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
    study->policy = cs_rigid_policy_parse(cs_parameter_text(given, "policy", ""), call, err);
    if (!study->policy)
        return -1;
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
    int count = cs_parameter_integer(given, "scenarios", 1000), status;
    struct cs_arena *arena = cs_arena_create();
    struct cs_rigid_outcome *outcome = CS_NEW_ARRAY(arena, struct cs_rigid_outcome, count);
    struct cs_rigid_scenarios *drawn;

    cs_identity_rigid_put(&sums->digest, jobs);
    drawn = cs_rigid_scenarios_create(jobs, law, seed, (uint64_t)set, count, NULL);
    study.jobs = jobs;
    study.scenarios = drawn;
    sums->left_out += !drawn;
    status = drawn ? cs_rigid_study_run(&study, outcome, err) : 0;
    for (int s = 0; drawn && !status && s < count; s++)
        add_outcome(sums, &outcome[s]);
    cs_stats_add(&sums->jobs, jobs->count);
    cs_rigid_scenarios_destroy(drawn);
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

static int run_trap(const json_t *given, struct cs_rigid_study study, const char *name,
                    struct sums *sums, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_rigid_trap *trap =
        cs_rigid_trap_create(name, cs_parameter_integer(given, "procs", 0), arena, err);
    struct cs_rigid_scenarios *given_one =
        trap ? cs_rigid_scenarios_given(&trap->jobs, 1, trap->failures, err) : NULL;
    struct cs_rigid_outcome outcome;
    int status = -1;

    if (given_one) {
        cs_identity_rigid_put(&sums->digest, &trap->jobs);
        study.jobs = &trap->jobs;
        study.scenarios = given_one;
        status = cs_rigid_study_run(&study, &outcome, err);
    }
    if (!status) {
        add_outcome(sums, &outcome);
        cs_stats_add(&sums->jobs, trap->jobs.count);
    }
    cs_rigid_scenarios_destroy(given_one);
    cs_arena_destroy(arena);
    return status;
}

struct log {
    const char *path;
    struct cs_rigid_input_options options;
};

static void *read_log(const void *how, struct cs_error *err)
{
    const struct log *log = how;

    return cs_rigid_input_read(log->path, &log->options, err);
}

static void destroy_log(void *input)
{
    cs_rigid_input_destroy(input);
}

static const struct cs_cache_kind kind_of_log = {.make = read_log, .destroy = destroy_log};

/* The log is read once and cut in the same way for all. */
static const struct cs_rigid_input *get_log(const json_t *given, const char *path,
                                            struct cs_cache *keep, struct cs_error *err)
{
    const struct log log = {.path = path,
                            .options = {
                                .procs = cs_parameter_integer(given, "procs", 0),
                                .verification = cs_parameter_real(given, "verification", NAN),
                                .month = cs_parameter_text(given, "month", NULL),
                                .by_day = true,
                            }};
    struct cs_strbuf key = CS_STRBUF_INIT;
    const struct cs_rigid_input *input;

    cs_strbuf_printf(&key, "rigid log, %d, %.17g, %s, %s", log.options.procs,
                     log.options.verification, log.options.month ? log.options.month : "", path);
    input = cs_cache_get(keep, key.text, &kind_of_log, &log, err);
    cs_strbuf_release(&key);
    return input;
}

static int run_log(const json_t *given, const struct cs_rigid_study *study, const char *path,
                   uint64_t seed, struct cs_cache *keep, struct sums *sums, struct cs_error *err)
{
    const struct cs_rigid_input *input = get_log(given, path, keep, err);
    int day = cs_parameter_integer(given, "day", 0), status = input ? 0 : -1;

    for (int s = 0; !status && s < input->sets; s++)
        if (!day || s == day - 1)
            status = run_set(given, *study, &input->set[s].jobs, seed, s, sums, err);
    return status;
}

static int check_mean(const json_t *given, struct cs_error *err)
{
    double mean = cs_parameter_real(given, "mean_failure_probability", 0);

    return mean < 1 ? 0
                    : cs_error_set(err,
                                   "mean_failure_probability: %g means that no average job "
                                   "ever succeeds; it must be below 1",
                                   mean);
}

static void put_values(const struct sums *sums, double *value)
{
    value[RATIO] = cs_stats_mean(&sums->ratio);
    value[RATIO_DEVIATION] = cs_stats_deviation(&sums->ratio);
    value[RATIO_MAX] = sums->ratio.count ? cs_stats_max(&sums->ratio) : NAN;
    value[MAKESPAN] = cs_stats_mean(&sums->makespan);
    value[FAILURES] = cs_stats_mean(&sums->failures);
    value[WASTE] = cs_stats_mean(&sums->waste);
    value[UTILISATION] = cs_stats_mean(&sums->utilisation);
    value[JOBS] = cs_stats_mean(&sums->jobs);
    value[LEFT_OUT] = sums->left_out;
}

static int run(const json_t *given, uint64_t seed, struct cs_cache *keep, double *value,
               char *identity, struct cs_error *err)
{
    const char *path = cs_parameter_text(given, "input", NULL);
    const char *trap = cs_parameter_text(given, "trap", NULL);
    struct cs_policy_call call;
    struct cs_rigid_study study = {0};
    struct sums sums = {0};

    if (path && trap)
        return cs_error_set(err, "input and trap both say which jobs there are: give one of them");
    cs_identity_rigid_begin(&sums.digest);
    if (get_study(given, &call, &study, err) || check_mean(given, err) ||
        (path   ? run_log(given, &study, path, seed, keep, &sums, err)
         : trap ? run_trap(given, study, trap, &sums, err)
                : run_synthetic(given, &study, seed, &sums, err)))
        return -1;
    put_values(&sums, value);
    cs_digest_finish(&sums.digest, identity);
    return 0;
}

const struct cs_runner cs_runner_rigid = {
    .name = "rigid",
    .summary = "simulate jobs of fixed width under silent errors",
    .parameters = parameters,
    .metrics = metrics,
    .run = run,
};
