/* simulate_rigid_files.c - what goes to files: every scenario as a row, one as a schedule. */
#include "cli/base/output.h"
#include "cli/simulate_rigid.h"
#include "io/schedule_json.h"
#include "report/gantt.h"
#include "report/human.h"
#include "report/png.h"

#include <inttypes.h>
#include <string.h>

static const char *const files[] = {"per-scenario", "schedule", "gantt", "jobs", NULL};

static int check_failure_options(const struct cs_arguments *args, struct cs_error *err)
{
    static const char *const laws[] = {"mean-failure-probability", "mtbe", "failures"};
    int given = 0;

    for (int l = 0; l < 3; l++)
        given += cs_arguments_given(args, laws[l]) ||
                 (l == 2 && cs_arguments_text(args, laws[l]) != NULL);
    if (given > 1)
        return cs_error_set(err, "--mean-failure-probability, --mtbe and --failures each say which "
                                 "attempts fail: give one of them");
    if (cs_arguments_given(args, "by-day") && cs_arguments_given(args, "by-count"))
        return cs_error_set(err, "--by-day and --by-count both cut the log: give one of them");
    if (cs_arguments_given(args, "mtbe") && !(cs_arguments_real(args, "mtbe") > 0))
        return cs_error_set(err, "--mtbe must be longer than 0 s");
    return 0;
}

int cs_simulate_rigid_check_files(const struct cs_arguments *args, struct cs_error *err)
{
    const char *gantt = cs_arguments_text(args, "gantt");
    bool several = cs_simulate_rigid_several(args);

    if (check_failure_options(args, err) || (gantt && cs_picture_check(gantt, err)))
        return -1;
    return several ? cs_output_refuse_options(args, files,
                                              "is for one policy and one priority: name them", err)
                   : 0;
}

int cs_simulate_rigid_check_outputs(const struct cs_arguments *args, struct cs_error *err)
{
    return cs_output_check_options(args, files, cs_arguments_operand(args, 0), "the input", err);
}

static int write_scenarios(const struct cs_simulate_rigid *job, const char *path,
                           struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    int sets = job->input->sets;

    cs_strbuf_printf(&text, "%sscenario,makespan,lower_bound,failures\n", sets > 1 ? "set," : "");
    for (int s = 0; s < sets; s++) {
        const struct cs_rigid_outcome *outcome = cs_simulate_rigid_outcome(job, 0, s);

        for (int i = 0; i < job->scenarios; i++) {
            if (sets > 1)
                cs_strbuf_printf(&text, "%s,", job->input->set[s].name);
            cs_strbuf_printf(&text, "%d,%.17g,%.17g,%" PRId64 "\n", i, outcome[i].makespan,
                             outcome[i].bound, outcome[i].failures);
        }
    }
    return cs_output_save(path, &text, err);
}

int cs_simulate_rigid_gantt(const struct cs_simulate_rigid *job, const struct cs_schedule *schedule,
                            int scenario, const char *path, struct cs_error *err)
{
    const struct cs_simulate_rigid_way *way = &job->way[0];
    const char *slash = strrchr(job->path, '/'), *title = cs_arguments_text(job->args, "title");
    struct cs_strbuf svg = CS_STRBUF_INIT, subtitle = CS_STRBUF_INIT;
    struct cs_gantt_options options = {
        .title = title   ? title
                 : slash ? slash + 1
                         : job->path,
        .processor = cs_arguments_text(job->args, "unit"),
        .group = "shelf",
        .dark = cs_arguments_given(job->args, "dark"),
    };
    int status;

    cs_strbuf_printf(&subtitle, "%s · %s · scenario %d · ", way->policy, way->priority_name,
                     scenario);
    cs_human_duration(&subtitle, cs_schedule_makespan(schedule));
    options.subtitle = subtitle.text;
    status = cs_gantt_svg(schedule, &options, &svg, err);
    if (!status)
        status = cs_picture_write(path, svg.text, err);
    cs_strbuf_release(&svg);
    cs_strbuf_release(&subtitle);
    return status;
}

int cs_simulate_rigid_schedule(const struct cs_simulate_rigid *job,
                               const struct cs_schedule *schedule,
                               const struct cs_rigid_declared *declared, const char *path,
                               struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, schedule, job->way[0].policy);
    cs_arguments_put_command(job->args, "simulate rigid", &w);
    cs_schedule_json_put_rigid(&w, schedule, declared);
    cs_schedule_json_put_tail(&w, schedule, NULL);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    return cs_output_save(path, &text, err);
}

static int write_schedule(const struct cs_simulate_rigid *job, const struct cs_schedule *schedule,
                          const int64_t *failures, int scenario, const char *path,
                          struct cs_error *err)
{
    const struct cs_simulate_rigid_way *way = &job->way[0];
    const struct cs_rigid_jobs *jobs = &job->input->set[0].jobs;
    const struct cs_rigid_declared declared = {
        .priority = way->priority_name,
        .scenario = scenario,
        .verification = jobs->verification,
        .lower_bound = cs_simulate_rigid_outcome(job, 0, 0)[scenario].bound,
        .shelves = way->run->shelf != NULL,
        .seconds = jobs->seconds,
        .procs = jobs->procs,
        .failures = failures,
    };

    return cs_simulate_rigid_schedule(job, schedule, &declared, path, err);
}

static int write_scene(const struct cs_simulate_rigid *job, struct cs_error *err)
{
    const char *path = cs_arguments_text(job->args, "schedule");
    const char *gantt = cs_arguments_text(job->args, "gantt");
    const struct cs_rigid_input_set *set = &job->input->set[0];
    int64_t *failures = CS_NEW_ARRAY(job->arena, int64_t, set->jobs.count);
    int scenario = (int)cs_arguments_integer(job->args, "scenario"), status = 0;
    const struct cs_rigid_study study = {
        .jobs = &set->jobs,
        .policy = job->way[0].run,
        .param = job->way[0].call.param,
        .priority = job->way[0].priority,
        .scenarios = job->drawn[0],
    };
    struct cs_schedule *schedule;

    if (job->input->sets > 1)
        return cs_error_set(err,
                            "--schedule and --gantt are for one set of jobs, not for the %d "
                            "sets of %s",
                            job->input->sets, job->path);
    if (scenario >= job->scenarios)
        return cs_error_set(err, "there is no scenario %d: they are 0 to %d", scenario,
                            job->scenarios - 1);
    if (cs_rigid_scenarios_get(job->drawn[0], scenario, failures, err))
        return -1;
    schedule = cs_rigid_study_schedule(&study, scenario, set->job, err);
    if (!schedule)
        return -1;
    if (path)
        status = write_schedule(job, schedule, failures, scenario, path, err);
    if (gantt && !status)
        status = cs_simulate_rigid_gantt(job, schedule, scenario, gantt, err);
    cs_schedule_destroy(schedule);
    return status;
}

int cs_simulate_rigid_files(const struct cs_simulate_rigid *job, struct cs_error *err)
{
    const char *rows = cs_arguments_text(job->args, "per-scenario");

    if ((cs_arguments_text(job->args, "schedule") || cs_arguments_text(job->args, "gantt")) &&
        write_scene(job, err))
        return -1;
    return rows ? write_scenarios(job, rows, err) : 0;
}
