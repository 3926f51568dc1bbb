/* simulate_rigid_arrivals_files.c - what replays leave in files: scenarios as rows; one of them as
 * a table of its jobs, as a schedule, as a picture. */
#include "cli/base/output.h"
#include "cli/simulate_rigid.h"
#include "io/jobs_csv.h"
#include "rigid/replay_schedule.h"

#include <inttypes.h>
#include <string.h>

static int write_scenarios(const struct cs_simulate_rigid *job, const char *path,
                           struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int sets = job->input->sets;

    cs_strbuf_printf(&text,
                     "%sscenario,makespan,lower_bound,failures,mean_wait,max_wait,"
                     "mean_bounded_slowdown,max_bounded_slowdown\n",
                     sets > 1 ? "set," : "");
    for (int s = 0; s < sets; s++)
        for (int i = 0; i < job->scenarios; i++) {
            const struct cs_rigid_replay_outcome *o = &cs_simulate_rigid_replayed(job, 0, s)[i];
            const struct cs_rigid_replay_result *r = &o->result;

            if (sets > 1)
                cs_strbuf_printf(&text, "%s,", job->input->set[s].name);
            cs_strbuf_printf(&text, "%d,%.17g,%.17g,%" PRId64 ",%.17g,%.17g,%.17g,%.17g\n", i,
                             r->makespan, o->bound, r->failures, r->mean_wait, r->max_wait,
                             r->mean_slowdown, r->max_slowdown);
        }
    return cs_output_save(path, &text, err);
}

/* The one scenario of the one set that files show. */
struct scene {
    int scenario;
    const struct cs_rigid_arrivals *arrivals;
    int64_t *failures;
    struct cs_rigid_replay replay;
};

static int set_scene(const struct cs_simulate_rigid *job, struct scene *scene, struct cs_error *err)
{
    int scenario = (int)cs_arguments_integer(job->args, "scenario");

    if (job->input->sets != 1)
        return cs_error_set(err,
                            "--jobs, --schedule and --gantt are for one set of jobs, not for the "
                            "%d sets of %s",
                            job->input->sets, job->path);
    if (scenario >= job->scenarios)
        return cs_error_set(err, "there is no scenario %d: they are 0 to %d", scenario,
                            job->scenarios - 1);
    scene->scenario = scenario;
    scene->arrivals = job->arriving[0].arrivals;
    scene->failures = CS_NEW_ARRAY(job->arena, int64_t, scene->arrivals->count);
    scene->replay = job->way[0].replay;
    scene->replay.machine = job->input->machine;
    scene->replay.verification = job->input->set[0].jobs.verification;
    scene->replay.draw = cs_rigid_replay_draw(job->drawn[0], scenario);
    return cs_rigid_scenarios_get(job->drawn[0], scenario, scene->failures, err);
}

static int write_jobs(const struct cs_simulate_rigid *job, const struct scene *scene,
                      const char *path, struct cs_error *err)
{
    const char *slash = strrchr(job->path, '/');
    struct cs_jobs_csv table = {CS_STRBUF_INIT, slash ? slash + 1 : job->path};
    struct cs_rigid_arrivals_at at = {scene->arrivals->job, scene->arrivals->count, 0,
                                      scene->failures};
    struct cs_rigid_replay replay = scene->replay;
    struct cs_rigid_replay_result result;
    int status;

    replay.sets = true;
    replay.watch = cs_jobs_csv_add;
    replay.who = &table;
    status = cs_rigid_replay_run(&replay, cs_rigid_arrivals_next, &at, &result, err);
    if (!status)
        status = cs_jobs_csv_write(&table, path, err);
    cs_jobs_csv_release(&table);
    return status;
}

static int write_schedule(const struct cs_simulate_rigid *job, const struct scene *scene,
                          const struct cs_schedule *schedule, const char *path,
                          struct cs_error *err)
{
    const struct cs_simulate_rigid_way *way = &job->way[0];
    const struct cs_arrival *arrival = scene->arrivals->job;
    int count = scene->arrivals->count;
    double *submit = CS_NEW_ARRAY(job->arena, double, count);
    double *estimate = CS_NEW_ARRAY(job->arena, double, count);
    const struct cs_rigid_jobs *jobs = &job->input->set[0].jobs;
    const struct cs_rigid_declared declared = {
        .priority = way->priority_name,
        .scenario = scene->scenario,
        .verification = jobs->verification,
        .lower_bound = cs_simulate_rigid_replayed(job, 0, 0)[scene->scenario].bound,
        .shelves = way->run->shelf != NULL,
        .seconds = jobs->seconds,
        .procs = jobs->procs,
        .failures = scene->failures,
        .submit = submit,
        .estimate = estimate,
    };

    for (int j = 0; j < count; j++) {
        submit[j] = arrival[j].submit - arrival[0].submit;
        estimate[j] = arrival[j].estimate;
    }
    return cs_simulate_rigid_schedule(job, schedule, &declared, path, err);
}

static int write_picture(const struct cs_simulate_rigid *job, const struct scene *scene,
                         const char *path, const char *gantt, struct cs_error *err)
{
    struct cs_schedule *schedule =
        cs_rigid_replay_schedule(&scene->replay, scene->arrivals->job, scene->arrivals->count,
                                 scene->failures, job->input->set[0].job, err);
    int status = schedule ? 0 : -1;

    if (!status && path)
        status = write_schedule(job, scene, schedule, path, err);
    if (!status && gantt)
        status = cs_simulate_rigid_gantt(job, schedule, scene->scenario, gantt, err);
    cs_schedule_destroy(schedule);
    return status;
}

int cs_simulate_rigid_arrivals_files(const struct cs_simulate_rigid *job, struct cs_error *err)
{
    const char *rows = cs_arguments_text(job->args, "per-scenario");
    const char *jobs = cs_arguments_text(job->args, "jobs");
    const char *path = cs_arguments_text(job->args, "schedule");
    const char *gantt = cs_arguments_text(job->args, "gantt");
    struct scene scene;

    if ((jobs || path || gantt) && set_scene(job, &scene, err))
        return -1;
    if (jobs && write_jobs(job, &scene, jobs, err))
        return -1;
    if ((path || gantt) && write_picture(job, &scene, path, gantt, err))
        return -1;
    return rows ? write_scenarios(job, rows, err) : 0;
}
