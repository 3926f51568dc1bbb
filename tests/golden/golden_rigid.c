/* golden_rigid.c - the golden cases of the rigid problem: every policy under every priority. */
#include "base/arena.h"
#include "base/mix.h"
#include "golden/golden.h"
#include "io/joblog.h"
#include "problems/rigid/simulate.h"
#include "sched/bound.h"
#include "sched/input.h"
#include "sched/priority.h"
#include "sched/random_jobs.h"
#include "sched/scenarios.h"
#include "sched/sets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *key, *policy;
} heuristics[] = {
    {"R-LIST-0", "list:reservations=0"},
    {"R-LIST-1", "list:reservations=1"},
    {"R-LIST-Q", "list"},
    {"R-SHELF-B", "shelf"},
    {"R-SHELF-NB", "shelf:backfill=no"},
    {"R-SHELFILL-B", "shelf-fill"},
    {"R-SHELFILL-NB", "shelf-fill:backfill=no"},
    {"R-LIST-1E", "easy"},
};

#define HEURISTICS ((int)(sizeof heuristics / sizeof *heuristics))

static struct cs_rigid_simulation *simulation_of(const char *key,
                                                 const struct cs_sched_instance *in,
                                                 struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_sched_policy *policy;
    struct cs_policy_call call;
    int h = 0;

    while (h < HEURISTICS && strcmp(heuristics[h].key, key))
        h++;
    if (h == HEURISTICS) {
        cs_error_set(err, "this program does not know the heuristic %s", key);
        return NULL;
    }
    policy = cs_sched_policy_parse(heuristics[h].policy, &call, err);
    return policy ? cs_rigid_simulation_create(in, policy, call.param, arena, err) : NULL;
}

struct record {
    struct cs_arena *arena;
    double **start; /* by job */
    int *count;
};

static void watch(void *who, int job, double start, double end)
{
    struct record *record = who;

    (void)end;
    record->start[job][record->count[job]++] = start;
}

static struct record *record_create(const struct cs_sched_jobs *jobs, const int64_t *failures,
                                    struct cs_arena *arena)
{
    struct record *record = CS_NEW(arena, struct record);

    record->start = CS_NEW_ARRAY(arena, double *, jobs->count);
    record->count = CS_NEW_ARRAY(arena, int, jobs->count);
    for (int j = 0; j < jobs->count; j++)
        record->start[j] = CS_NEW_ARRAY(arena, double, failures[j] + 1);
    return record;
}

static int same_number(const json_t *want, double got, const char *what, struct cs_error *err)
{
    if (json_number_value(want) == got)
        return 0;
    return cs_error_set(err, "%s is %.17g, expected %.17g", what, got, json_number_value(want));
}

static int check_starts(const json_t *want, const struct record *record, struct cs_error *err)
{
    size_t j, f;
    json_t *starts, *start;

    json_array_foreach((json_t *)want, j, starts)
    {
        if (json_array_size(starts) != (size_t)record->count[j])
            return cs_error_set(err, "job %zu has %d attempts, expected %zu", j, record->count[j],
                                json_array_size(starts));
        json_array_foreach(starts, f, start)
        {
            if (same_number(start, record->start[j][f], "a start", err))
                return cs_error_prefix(err, "job %zu, attempt %zu", j, f);
        }
    }
    return 0;
}

static int check_heuristic(const char *key, const json_t *want, const struct cs_sched_instance *in,
                           const int64_t *failures, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_rigid_simulation *simulation = simulation_of(key, in, arena, err);
    struct record *record = record_create(in->jobs, failures, arena);
    double makespan;

    if (!simulation)
        return -1;
    makespan = cs_rigid_simulation_run(simulation, failures, watch, record);
    if (same_number(json_object_get(want, "makespan"), makespan, "makespan", err) ||
        same_number(json_object_get(want, "makespan"),
                    cs_rigid_simulation_run(simulation, failures, NULL, NULL), "second makespan",
                    err))
        return -1;
    return check_starts(json_object_get(want, "starts"), record, err);
}

static int check_rank(const char *name, const json_t *rank, const struct cs_sched_jobs *jobs,
                      int *order, struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_sched_priority *priority = cs_sched_priority_find(name, err);

    if (!priority)
        return -1;
    cs_sched_priority_order(priority, jobs, &(struct cs_sched_draw){0}, order, arena);
    for (int j = 0; j < jobs->count; j++) {
        int want = (int)json_integer_value(json_array_get(rank, (size_t)j));

        if (priority->per_scenario)
            order[want] = j;
        if (order[want] != j)
            return cs_error_set(err, "the job of rank %d is %d, expected %d", want, order[want], j);
    }
    return 0;
}

static int check_priority(const char *name, const json_t *want, const struct cs_sched_jobs *jobs,
                          const int64_t *failures, struct cs_arena *arena, struct cs_error *err)
{
    int *order = CS_NEW_ARRAY(arena, int, jobs->count);
    const struct cs_sched_instance *in;
    const char *key;
    json_t *value;

    if (check_rank(name, json_object_get(want, "rank"), jobs, order, arena, err))
        return -1;
    in = cs_sched_instance_create(jobs, order, arena);
    json_object_foreach((json_t *)want, key, value)
    {
        if (strcmp(key, "rank") && check_heuristic(key, value, in, failures, arena, err))
            return cs_error_prefix(err, "%s", key);
    }
    return 0;
}

static struct cs_sched_jobs read_jobs(const json_t *json, struct cs_arena *arena)
{
    const json_t *list = json_object_get(json, "jobs");
    size_t n = json_array_size(list);
    double *seconds = CS_NEW_ARRAY(arena, double, n);
    int *procs = CS_NEW_ARRAY(arena, int, n);

    for (size_t j = 0; j < n; j++) {
        const json_t *job = json_array_get(list, j);

        seconds[j] = json_number_value(json_object_get(job, "t"));
        procs[j] = (int)json_integer_value(json_object_get(job, "p"));
    }
    return (struct cs_sched_jobs){
        .count = (int)n,
        .machine = (int)json_integer_value(json_object_get(json, "P")),
        .verification = json_number_value(json_object_get(json, "v")),
        .seconds = seconds,
        .procs = procs,
    };
}

static int check_case(const json_t *json, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_sched_jobs jobs = read_jobs(json, arena);
    int64_t *failures = CS_NEW_ARRAY(arena, int64_t, jobs.count);
    const json_t *counts = json_object_get(json, "failures");
    const char *name;
    json_t *want;

    for (int j = 0; j < jobs.count; j++)
        failures[j] = json_integer_value(json_array_get(counts, (size_t)j));
    if (cs_sched_jobs_check(&jobs, err) ||
        same_number(json_object_get(json, "lower_bound"), cs_sched_lower_bound(&jobs, failures, 0),
                    "lower_bound", err) ||
        same_number(json_object_get(json, "lower_bound_without_v"),
                    cs_sched_lower_bound(&jobs, failures, 1), "lower_bound_without_v", err))
        return -1;
    json_object_foreach(json_object_get(json, "expected"), name, want)
    {
        if (check_priority(name, want, &jobs, failures, arena, err))
            return cs_error_prefix(err, "%s", name);
    }
    return 0;
}

/* synthetic_set0: the paper's jobs and scenarios from the seed; every policy under every priority.
 */
static struct cs_sched_jobs draw_jobs(const json_t *json, struct cs_arena *arena)
{
    uint64_t seed = (uint64_t)json_integer_value(json_object_get(json, "seed"));
    uint64_t set = (uint64_t)json_integer_value(json_object_get(json, "set"));
    int n = (int)json_integer_value(json_object_get(json, "n"));
    double *seconds = CS_NEW_ARRAY(arena, double, n);
    int *procs = CS_NEW_ARRAY(arena, int, n);

    cs_sched_draw_jobs(seed, set, n, seconds, procs);
    return (struct cs_sched_jobs){
        .count = n,
        .machine = (int)json_integer_value(json_object_get(json, "P")),
        .verification = json_number_value(json_object_get(json, "v")),
        .seconds = seconds,
        .procs = procs,
    };
}

static const struct cs_sched_instance *ranked(const char *priority,
                                              const struct cs_sched_jobs *jobs,
                                              const struct cs_sched_draw *draw,
                                              struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_sched_priority *found = cs_sched_priority_find(priority, err);
    int *order = CS_NEW_ARRAY(arena, int, jobs->count);

    if (!found)
        return NULL;
    cs_sched_priority_order(found, jobs, draw, order, arena);
    return cs_sched_instance_create(jobs, order, arena);
}

/* "R-LIST-0 LPT" in one scenario. */
static int check_scenario(const char *key, double want, const struct cs_sched_jobs *jobs,
                          const struct cs_sched_draw *draw, const int64_t *failures,
                          struct cs_arena *arena, struct cs_error *err)
{
    const char *blank = strchr(key, ' ');
    const struct cs_sched_instance *in;
    struct cs_rigid_simulation *simulation;
    double makespan;

    if (!blank)
        return cs_error_set(err, "%s names no priority", key);
    in = ranked(blank + 1, jobs, draw, arena, err);
    simulation =
        in ? simulation_of(cs_arena_strndup(arena, key, (size_t)(blank - key)), in, arena, err)
           : NULL;
    if (!simulation)
        return -1;
    makespan = cs_rigid_simulation_run(simulation, failures, NULL, NULL);
    if (makespan != want)
        return cs_error_set(err, "%s, scenario %d: makespan is %.17g, expected %.17g", key,
                            (int)draw->scenario, makespan, want);
    return 0;
}

static int check_synthetic(const json_t *json, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_sched_jobs jobs = draw_jobs(json, arena);
    double mean = json_number_value(json_object_get(json, "qbar"));
    struct cs_sched_draw draw = {
        .seed = (uint64_t)json_integer_value(json_object_get(json, "seed")),
        .set = (uint64_t)json_integer_value(json_object_get(json, "set")),
    };
    int64_t *failures = CS_NEW_ARRAY(arena, int64_t, jobs.count);
    const char *key;
    json_t *values;

    for (; draw.scenario < (uint64_t)json_integer_value(json_object_get(json, "scenarios"));
         draw.scenario++) {
        if (cs_sched_draw_failures(&jobs, mean, draw.seed, draw.set, draw.scenario, failures, err))
            return -1;
        json_object_foreach((json_t *)json, key, values)
        {
            const json_t *want = json_array_get(values, draw.scenario);

            if (!strcmp(key, "lower_bound") &&
                same_number(want, cs_sched_lower_bound(&jobs, failures, 0), key, err))
                return -1;
            if (json_is_array(values) && strcmp(key, "lower_bound") &&
                check_scenario(key, json_number_value(want), &jobs, &draw, failures, arena, err))
                return -1;
        }
    }
    return 0;
}

static int check_hashes(const json_t *json, struct cs_error *err)
{
    size_t i;
    json_t *row;

    json_array_foreach(json_object_get(json, "splitmix"), i, row)
    {
        uint64_t x = (uint64_t)json_integer_value(json_array_get(row, 0));

        if (cs_mix_hash(x) != strtoull(json_string_value(json_array_get(row, 1)), NULL, 16))
            return cs_error_set(err, "splitmix, row %zu", i);
    }
    json_array_foreach(json_object_get(json, "mix"), i, row)
    {
        const json_t *args = json_object_get(row, "args");
        uint64_t a[5], h;

        for (size_t k = 0; k < 5; k++)
            a[k] = (uint64_t)json_integer_value(json_array_get(args, k));
        h = cs_sched_mix(a[0], a[1], a[2], a[3], a[4]);
        if (h != strtoull(json_string_value(json_object_get(row, "h")), NULL, 16) ||
            same_number(json_object_get(row, "u"), cs_sched_uniform(h), "u", err))
            return cs_error_set(err, "mix, row %zu", i);
    }
    json_array_foreach(json_object_get(json, "geometric"), i, row)
    {
        double f = cs_sched_geometric(json_number_value(json_object_get(row, "x")),
                                      json_number_value(json_object_get(row, "U")));

        if (same_number(json_object_get(row, "f"), f, "geometric", err))
            return cs_error_prefix(err, "row %zu", i);
    }
    return 0;
}

/* "qbar=0.1 scenario=0": [failures of each job]. */
static int check_drawn(const char *key, const json_t *want, const struct cs_sched_jobs *jobs,
                       int64_t *failures, struct cs_error *err)
{
    double mean;
    int scenario;

    if (sscanf(key, "qbar=%lf scenario=%d", &mean, &scenario) != 2)
        return cs_error_set(err, "what is %s?", key);
    if (cs_sched_draw_failures(jobs, mean, 2021, 0, (uint64_t)scenario, failures, err))
        return -1;
    for (int j = 0; j < jobs->count; j++)
        if (failures[j] != json_integer_value(json_array_get(want, (size_t)j)))
            return cs_error_set(err, "%s: job %d fails %d times", key, j, (int)failures[j]);
    return 0;
}

static int check_rng(const json_t *json, struct cs_arena *arena, struct cs_error *err)
{
    const json_t *set = json_object_get(json, "synthetic_2021_set0");
    const json_t *rows = json_object_get(set, "jobs");
    int n = (int)json_array_size(rows), procs[1000];
    double seconds[1000];
    struct cs_sched_jobs jobs = {n, 10000, 0, seconds, procs};
    int64_t *failures = CS_NEW_ARRAY(arena, int64_t, n);
    const char *key;
    json_t *value;

    if (check_hashes(json, err))
        return -1;
    cs_sched_draw_jobs(2021, 0, n, seconds, procs);
    for (int j = 0; j < n; j++) {
        const json_t *row = json_array_get(rows, (size_t)j);

        if (same_number(json_array_get(row, 0), seconds[j], "t", err) ||
            same_number(json_array_get(row, 1), procs[j], "p", err))
            return cs_error_prefix(err, "job %d", j);
    }
    if (same_number(json_object_get(set, "avg_area"), cs_sched_mean_area(&jobs), "avg_area", err))
        return -1;
    json_object_foreach(json_object_get(json, "failures_2021_set0"), key, value)
    {
        if (check_drawn(key, value, &jobs, failures, err))
            return -1;
    }
    return 0;
}

/* NAME.expected.json stands beside NAME.swf or NAME.csv. */
static struct cs_joblog *read_log(const char *path, struct cs_arena *arena, struct cs_error *err)
{
    size_t stem = strlen(path) - strlen("expected.json");
    char *log = cs_arena_alloc(arena, strlen(path) + 1, 1);

    memcpy(log, path, stem);
    memcpy(log + stem, "swf", 4);
    if (access(log, R_OK) == 0)
        return cs_joblog_read(log, &(struct cs_joblog_options){0}, err);
    memcpy(log + stem, "csv", 4);
    return cs_joblog_read(log, &(struct cs_joblog_options){.month = "2019-06"}, err);
}

static int check_skipped(const json_t *want, const struct cs_joblog *log, struct cs_error *err)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)want, key, value)
    {
        int64_t lines = log->counts.lines;

        for (int rule = 0; rule < CS_LOG_KEPT; rule++)
            if (!strcmp(key, cs_log_rule_name((enum cs_log_rule)rule)))
                lines = log->counts.rule[rule];
        if (!strcmp(key, "outside the month"))
            lines = log->counts.rule[CS_LOG_EXTPOL];
        if (lines != json_integer_value(value))
            return cs_error_set(err, "%s: %lld lines", key, (long long)lines);
    }
    return 0;
}

static int check_set(const json_t *want, const struct cs_joblog *log,
                     const struct cs_sched_set *set, struct cs_error *err)
{
    const json_t *jobs = json_object_get(want, "jobs");

    if (strcmp(set->name, json_string_value(json_object_get(want, "day"))) ||
        json_array_size(jobs) != (size_t)set->count)
        return cs_error_set(err, "day %s has %d jobs", set->name, set->count);
    for (int a = 0; a < set->count; a++) {
        const json_t *job = json_array_get(jobs, (size_t)a);
        const struct cs_joblog_job *got = &log->job[set->job[a]];

        if (got->id != json_integer_value(json_object_get(job, "id")) ||
            got->procs != json_integer_value(json_object_get(job, "p")) ||
            got->seconds != json_number_value(json_object_get(job, "t")))
            return cs_error_set(err, "day %s: job %d is number %d", set->name, a, (int)got->id);
    }
    return 0;
}

static int check_log(const json_t *json, const char *path, struct cs_arena *arena,
                     struct cs_error *err)
{
    const json_t *want = json_object_get(json, "sets");
    struct cs_joblog *log = read_log(path, arena, err);
    struct cs_sched_set *set;
    int sets, status;

    if (!log)
        return -1;
    set = cs_sched_sets_by_day(log, 0, &sets, arena);
    status = same_number(json_object_get(json, "P"), log->machine, "P", err) ||
             check_skipped(json_object_get(json, "skipped"), log, err);
    if (!status && json_array_size(want) != (size_t)sets)
        status = cs_error_set(err, "%d sets", sets);
    for (int s = 0; s < sets && !status; s++)
        status = check_set(json_array_get(want, (size_t)s), log, &set[s], err);
    cs_joblog_destroy(log);
    return status ? -1 : 0;
}

/* authors_sample_first50: jobs and failures are two files of the authors, which are not ours to
 * pass on.  They are looked for in the folder that COSCHED_AUTHORS_SAMPLE names, else beside the
 * golden file. */
static const char *sample_path(const char *prefix, const json_t *json, const char *path,
                               struct cs_arena *arena)
{
    const char *folder = getenv("COSCHED_AUTHORS_SAMPLE"), *slash = strrchr(path, '/');
    const char *name = json_string_value(json_object_get(json, "sample"));
    size_t length = strcspn(name, " "), size;
    char *text;

    if (!folder)
        folder = slash ? cs_arena_strndup(arena, path, (size_t)(slash - path)) : ".";
    size = strlen(folder) + strlen(prefix) + length + 2;
    text = cs_arena_alloc(arena, size, 1);
    snprintf(text, size, "%s/%s%.*s", folder, prefix, (int)length, name);
    return text;
}

/* Every makespan and bound of one scenario. */
static int check_sample_scenario(const json_t *want, const struct cs_sched_jobs *jobs,
                                 const struct cs_sched_draw *draw, const int64_t *failures,
                                 struct cs_arena *arena, struct cs_error *err)
{
    const char *key;
    json_t *values;

    json_object_foreach((json_t *)want, key, values)
    {
        const json_t *value = json_array_get(values, (size_t)draw->scenario);

        if (!value)
            return cs_error_set(err, "%s has no scenario %d", key, (int)draw->scenario);
        if (!strcmp(key, "lower_bound")
                ? same_number(value, cs_sched_lower_bound(jobs, failures, 0), key, err)
                : check_scenario(key, json_number_value(value), jobs, draw, failures, arena, err))
            return -1;
    }
    return 0;
}

static int check_random_rank(const json_t *rank, const struct cs_sched_jobs *jobs,
                             const struct cs_sched_draw *draw, struct cs_arena *arena,
                             struct cs_error *err)
{
    int *order = CS_NEW_ARRAY(arena, int, jobs->count);

    cs_sched_priority_order(cs_sched_priority_find("random", err), jobs, draw, order, arena);
    for (int j = 0; j < jobs->count; j++)
        if (order[json_integer_value(json_array_get(rank, (size_t)j))] != j)
            return cs_error_set(err, "random: job %d has another rank", j);
    return 0;
}

static int check_sample_scenarios(const json_t *json, struct cs_sched_jobs jobs,
                                  const struct cs_sched_scenarios *scenarios,
                                  struct cs_arena *arena, struct cs_error *err)
{
    static const double verification[] = {0, 10};
    static const char *const expected[] = {"v=0", "v=10"};
    int64_t *failures = CS_NEW_ARRAY(arena, int64_t, jobs.count);
    int count = (int)json_integer_value(json_object_get(json, "scenarios"));
    struct cs_sched_draw draw = {
        .seed = (uint64_t)json_integer_value(json_object_get(json, "random_seed"))};

    if (scenarios->count < count)
        return cs_error_set(err, "there are only %d scenarios", scenarios->count);
    if (check_random_rank(json_object_get(json, "random_first_rank"), &jobs, &draw, arena, err))
        return -1;
    for (; draw.scenario < (uint64_t)count; draw.scenario++) {
        if (cs_sched_scenarios_get(scenarios, (int)draw.scenario, failures, err))
            return -1;
        for (int v = 0; v < 2; v++) {
            jobs.verification = verification[v];
            if (check_sample_scenario(json_object_get(json, expected[v]), &jobs, &draw, failures,
                                      arena, err))
                return cs_error_prefix(err, "%s", expected[v]);
        }
    }
    return 0;
}

static int check_sample(const json_t *json, const char *path, struct cs_arena *arena,
                        struct cs_error *err)
{
    const struct cs_sched_input_options options = {.verification = NAN};
    const char *sample = sample_path("", json, path, arena);
    const char *failures = sample_path("failures_", json, path, arena);
    struct cs_sched_scenarios *scenarios;
    struct cs_sched_input *input;
    int status = -1;

    if (access(sample, R_OK) || access(failures, R_OK)) {
        cs_error_set(err, "the authors' sample is not beside it, nor in COSCHED_AUTHORS_SAMPLE");
        return GOLDEN_SKIP;
    }
    input = cs_sched_input_read(sample, &options, err);
    if (!input)
        return -1;
    scenarios = cs_sched_scenarios_read(&input->set[0].jobs, failures, err);
    if (scenarios)
        status = check_sample_scenarios(json, input->set[0].jobs, scenarios, arena, err);
    cs_sched_scenarios_destroy(scenarios);
    cs_sched_input_destroy(input);
    return status;
}

static int run_case(const json_t *json, const char *path, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    int status;

    if (json_object_get(json, "expected"))
        status = check_case(json, arena, err);
    else if (json_object_get(json, "qbar"))
        status = check_synthetic(json, arena, err);
    else if (json_object_get(json, "splitmix"))
        status = check_rng(json, arena, err);
    else if (json_object_get(json, "sets"))
        status = check_log(json, path, arena, err);
    else if (json_object_get(json, "sample"))
        status = check_sample(json, path, arena, err);
    else
        status = cs_error_set(err, "not a kind of file that this program knows");
    cs_arena_destroy(arena);
    return status;
}

int main(int argc, char **argv)
{
    return golden_main(argc, argv, NULL, run_case);
}
