/* schedule_rigid.c - what a schedule of the rigid problem says about itself, as JSON. */
#include "io/schedule_json.h"

#include "io/workload.h"

#include <limits.h>
#include <math.h>

static void schedule_rigid_put_job(struct cs_jsonw *w, const struct cs_rigid_declared *declared,
                                   int job)
{
    cs_jsonw_open_flat(w, '{');
    cs_jsonw_put_int(w, "procs", declared->procs[job]);
    cs_jsonw_put_double(w, "seconds", declared->seconds[job]);
    if (declared->submit)
        cs_jsonw_put_double(w, "submit", declared->submit[job]);
    if (declared->estimate)
        cs_jsonw_put_double(w, "estimate", declared->estimate[job]);
    cs_jsonw_close(w);
}

void cs_schedule_json_put_rigid(struct cs_jsonw *w, const struct cs_schedule *schedule,
                                const struct cs_rigid_declared *declared)
{
    int tasks = cs_schedule_tasks(schedule);

    cs_jsonw_put_string(w, "priority", declared->priority);
    if (declared->scenario >= 0)
        cs_jsonw_put_int(w, "scenario", declared->scenario);
    cs_jsonw_put_double(w, "verification", declared->verification);
    cs_jsonw_put_double(w, "lower_bound", declared->lower_bound);
    cs_jsonw_put_bool(w, "shelves", declared->shelves);
    if (declared->failures) {
        cs_jsonw_key(w, "failures");
        cs_jsonw_open_flat(w, '[');
        for (int j = 0; j < tasks; j++)
            cs_jsonw_int(w, declared->failures[j]);
        cs_jsonw_close(w);
    }
    cs_jsonw_key(w, "jobs");
    cs_jsonw_open(w, '[');
    for (int j = 0; j < tasks; j++)
        schedule_rigid_put_job(w, declared, j);
    cs_jsonw_close(w);
}

/* The member as an array of one element for each task. */
static int open_array(const struct cs_json_at *root, const char *key, int tasks,
                      struct cs_json_at *array, struct cs_error *err)
{
    size_t count;

    if (cs_json_member(root, key, array, err) || cs_json_array(array, &count, err))
        return -1;
    if (count != (size_t)tasks)
        return cs_json_error(
            array, err, "found %zu elements, expected one for each of the %d tasks", count, tasks);
    return 0;
}

/* What is told of each job. */
struct jobs {
    int *procs;
    double *seconds, *submit, *estimate;
    bool submits, estimates; /* some job has one */
};

/* Without them a job is there at 0, and its estimate is right. */
static int read_arrival(const struct cs_json_at *at, int j, struct jobs *out, struct cs_error *err)
{
    bool submit = cs_json_has(at, "submit"), estimate = cs_json_has(at, "estimate");

    out->submits |= submit;
    out->estimates |= estimate;
    out->estimate[j] = out->seconds[j];
    if (submit && cs_json_get_double(at, "submit", CS_NUMBER_NOT_NEGATIVE, &out->submit[j], err))
        return -1;
    return estimate ? cs_json_get_double(at, "estimate", CS_NUMBER_POSITIVE, &out->estimate[j], err)
                    : 0;
}

static int read_jobs(const struct cs_json_at *root, int tasks, struct jobs *out,
                     struct cs_error *err)
{
    struct cs_json_at jobs;

    if (open_array(root, "jobs", tasks, &jobs, err))
        return -1;
    for (int j = 0; j < tasks; j++) {
        struct cs_json_at job = cs_json_element(&jobs, (size_t)j);

        if (cs_json_keys(&job, "procs|seconds|submit|estimate", err) ||
            cs_json_get_int(&job, "procs", 1, CS_IO_PROCS_MOST, &out->procs[j], err) ||
            cs_json_get_double(&job, "seconds", CS_NUMBER_POSITIVE, &out->seconds[j], err) ||
            read_arrival(&job, j, out, err))
            return -1;
    }
    return 0;
}

static int read_failures(const struct cs_json_at *root, int tasks, int64_t *failures,
                         struct cs_error *err)
{
    struct cs_json_at array;

    if (open_array(root, "failures", tasks, &array, err))
        return -1;
    for (int j = 0; j < tasks; j++) {
        struct cs_json_at at = cs_json_element(&array, (size_t)j);
        int count;

        if (cs_json_int(&at, 0, INT_MAX - 1, &count, err))
            return -1;
        failures[j] = count;
    }
    return 0;
}

static int read_scalars(const struct cs_json_at *root, struct cs_rigid_declared *d,
                        struct cs_error *err)
{
    d->priority = "";
    d->scenario = -1;
    d->lower_bound = NAN;
    if ((cs_json_has(root, "priority") &&
         cs_json_get_string(root, "priority", &d->priority, err)) ||
        (cs_json_has(root, "scenario") &&
         cs_json_get_int(root, "scenario", 0, INT_MAX, &d->scenario, err)) ||
        (cs_json_has(root, "verification") &&
         cs_json_get_double(root, "verification", CS_NUMBER_NOT_NEGATIVE, &d->verification, err)) ||
        (cs_json_has(root, "lower_bound") &&
         cs_json_get_double(root, "lower_bound", CS_NUMBER_FINITE, &d->lower_bound, err)) ||
        (cs_json_has(root, "shelves") && cs_json_get_bool(root, "shelves", &d->shelves, err)))
        return -1;
    return 0;
}

const struct cs_rigid_declared *cs_schedule_json_get_rigid(const struct cs_json_at *root, int tasks,
                                                           struct cs_arena *arena,
                                                           struct cs_error *err)
{
    struct cs_rigid_declared *d = CS_NEW(arena, struct cs_rigid_declared);
    struct jobs jobs = {
        CS_NEW_ARRAY(arena, int, tasks),
        CS_NEW_ARRAY(arena, double, tasks),
        CS_NEW_ARRAY(arena, double, tasks),
        CS_NEW_ARRAY(arena, double, tasks),
        false,
        false,
    };
    int64_t *failures = CS_NEW_ARRAY(arena, int64_t, tasks);

    if (read_scalars(root, d, err) || read_jobs(root, tasks, &jobs, err))
        return NULL;
    if (cs_json_has(root, "failures")) {
        if (read_failures(root, tasks, failures, err))
            return NULL;
        d->failures = failures;
    }
    d->priority = cs_arena_strdup(arena, d->priority);
    d->seconds = jobs.seconds;
    d->procs = jobs.procs;
    d->submit = jobs.submits ? jobs.submit : NULL;
    d->estimate = jobs.estimates ? jobs.estimate : NULL;
    return d;
}
