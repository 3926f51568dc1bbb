/* golden_rigid.c - the golden cases of the rigid problem: every policy under every priority. */
#include "base/arena.h"
#include "golden/golden.h"
#include "rigid/draw.h"
#include "rigid/priority.h"
#include "rigid/simulate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
    {"R-LIST-1E", "strict-easy"},
};

#define HEURISTICS ((int)(sizeof heuristics / sizeof *heuristics))

static struct cs_rigid_simulation *simulation_of(const char *key,
                                                 const struct cs_rigid_instance *in,
                                                 struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_policy *info[16];
    struct cs_policy_call call;
    int count, h = 0;
    const struct cs_rigid_policy *const *list = cs_rigid_policies(&count);

    while (h < HEURISTICS && strcmp(heuristics[h].key, key))
        h++;
    if (h == HEURISTICS) {
        cs_error_set(err, "this program does not know the heuristic %s", key);
        return NULL;
    }
    for (int i = 0; i < count; i++)
        info[i] = &list[i]->info;
    if (cs_policy_parse(heuristics[h].policy, info, count, &call, err))
        return NULL;
    return cs_rigid_simulation_create(in, list[call.policy], call.param, arena, err);
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

static struct record *record_create(const struct cs_rigid_jobs *jobs, const int64_t *failures,
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

static int check_heuristic(const char *key, const json_t *want, const struct cs_rigid_instance *in,
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

static int check_rank(const char *name, const json_t *rank, const struct cs_rigid_jobs *jobs,
                      int *order, struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_rigid_priority *priority = cs_rigid_priority_find(name, err);

    if (!priority)
        return -1;
    cs_rigid_priority_order(priority, jobs, &(struct cs_rigid_draw){0}, order, arena);
    for (int j = 0; j < jobs->count; j++) {
        int want = (int)json_integer_value(json_array_get(rank, (size_t)j));

        if (priority->per_scenario)
            order[want] = j;
        if (order[want] != j)
            return cs_error_set(err, "the job of rank %d is %d, expected %d", want, order[want], j);
    }
    return 0;
}

static int check_priority(const char *name, const json_t *want, const struct cs_rigid_jobs *jobs,
                          const int64_t *failures, struct cs_arena *arena, struct cs_error *err)
{
    int *order = CS_NEW_ARRAY(arena, int, jobs->count);
    const struct cs_rigid_instance *in;
    const char *key;
    json_t *value;

    if (check_rank(name, json_object_get(want, "rank"), jobs, order, arena, err))
        return -1;
    in = cs_rigid_instance_create(jobs, order, arena);
    json_object_foreach((json_t *)want, key, value)
    {
        if (strcmp(key, "rank") && check_heuristic(key, value, in, failures, arena, err))
            return cs_error_prefix(err, "%s", key);
    }
    return 0;
}

static struct cs_rigid_jobs read_jobs(const json_t *json, struct cs_arena *arena)
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
    return (struct cs_rigid_jobs){
        .count = (int)n,
        .machine = (int)json_integer_value(json_object_get(json, "P")),
        .verification = json_number_value(json_object_get(json, "v")),
        .seconds = seconds,
        .procs = procs,
    };
}

static int check_case(const json_t *json, struct cs_arena *arena, struct cs_error *err)
{
    struct cs_rigid_jobs jobs = read_jobs(json, arena);
    int64_t *failures = CS_NEW_ARRAY(arena, int64_t, jobs.count);
    const json_t *counts = json_object_get(json, "failures");
    const char *name;
    json_t *want;

    for (int j = 0; j < jobs.count; j++)
        failures[j] = json_integer_value(json_array_get(counts, (size_t)j));
    if (cs_rigid_jobs_check(&jobs, err) ||
        same_number(json_object_get(json, "lower_bound"), cs_rigid_lower_bound(&jobs, failures, 0),
                    "lower_bound", err) ||
        same_number(json_object_get(json, "lower_bound_without_v"),
                    cs_rigid_lower_bound(&jobs, failures, 1), "lower_bound_without_v", err))
        return -1;
    json_object_foreach(json_object_get(json, "expected"), name, want)
    {
        if (check_priority(name, want, &jobs, failures, arena, err))
            return cs_error_prefix(err, "%s", name);
    }
    return 0;
}

static int run_case(const json_t *json, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();
    int status = json_object_get(json, "expected")
                     ? check_case(json, arena, err)
                     : cs_error_set(err, "not a kind of file that this program knows");

    cs_arena_destroy(arena);
    return status;
}

int main(int argc, char **argv)
{
    return golden_main(argc, argv, NULL, run_case);
}
