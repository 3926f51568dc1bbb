/* simulate_malleable_files.c - every scenario as a row, one as a schedule and as a picture. */
#include "base/file.h"
#include "base/jsonw.h"
#include "cli/base/output.h"
#include "cli/simulate_malleable.h"
#include "io/schedule_json.h"
#include "malleable/declare.h"
#include "report/png.h"

#include <inttypes.h>
#include <string.h>

static const char *const files[] = {"per-scenario", "schedule", "gantt", NULL};

static bool is_all(const struct cs_arguments *args, const char *name)
{
    const char *text = cs_arguments_text(args, name);

    return text && !strcmp(text, "all");
}

int cs_simulate_malleable_check_line(const struct cs_arguments *args, struct cs_error *err)
{
    const char *gantt = cs_arguments_text(args, "gantt");
    bool all = is_all(args, "on-end") || is_all(args, "on-failure");
    bool named = cs_arguments_text(args, "on-end") || cs_arguments_text(args, "on-failure");

    if (cs_arguments_given(args, "tune") && named)
        return cs_error_set(err,
                            "--tune chooses the policies: leave --on-end and --on-failure out");
    if (cs_arguments_given(args, "tune") && cs_arguments_given(args, "fault-free"))
        return cs_error_set(err, "--tune needs failures to choose by: leave --fault-free out");
    if (all && cs_output_refuse_options(
                   args, files, "is for one policy on end and one on failure: name them", err))
        return -1;
    return gantt ? cs_picture_check(gantt, err) : 0;
}

int cs_simulate_malleable_check_outputs(const struct cs_arguments *args, struct cs_error *err)
{
    return cs_output_check_options(args, files, cs_arguments_operand(args, 0), "the input", err);
}

static int write_scenarios(const struct cs_simulate_malleable *run, const char *path,
                           struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_puts(&text, "scenario,makespan,lower_bound,failures,struck,fatal,plans,moved,work,"
                          "checkpoint,lost,down,move,idle\n");
    for (int s = 0; s < run->scenarios; s++) {
        const struct cs_malleable_outcome *o = &run->outcome[s];
        const struct cs_malleable_areas *a = &o->area;

        cs_strbuf_printf(&text,
                         "%d,%.17g,%.17g,%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64 ",%" PRId64
                         ",%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n",
                         s, o->makespan, o->lower_bound, o->failures, o->struck,
                         o->fatal_in_reality, o->plans, o->moved, a->work, a->checkpoint, a->lost,
                         a->down, a->move, a->idle);
    }
    return cs_output_save(path, &text, err);
}

static int write_schedule(const struct cs_simulate_malleable *run,
                          const struct cs_malleable_record *record, const char *path,
                          struct cs_error *err)
{
    const struct cs_malleable_job *job = &run->job;
    struct cs_strbuf text = CS_STRBUF_INIT, policy = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);
    int status;

    cs_strbuf_printf(&policy, "%s, %s", cs_simulate_malleable_end(run, 0),
                     cs_simulate_malleable_failure(run, 0));
    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, record->schedule, policy.text);
    cs_arguments_put_command(job->args, "simulate malleable", &w);
    cs_schedule_json_put_malleable(
        &w, cs_malleable_declare(job->instance, &run->way[0], record, job->arena));
    cs_schedule_json_put_tail(&w, record->schedule, job->workload);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    status = cs_file_write(path, text.text, text.length, err);
    cs_strbuf_release(&text);
    cs_strbuf_release(&policy);
    return status;
}

static void name_processors(const struct cs_malleable_job *job, struct cs_schedule *schedule)
{
    struct cs_platform *platform = cs_platform_homogeneous(job->unit, job->platform.procs);

    cs_schedule_set_platform(schedule, platform);
    cs_platform_destroy(platform);
}

/* One scenario once more, kept this time. */
static int write_one(const struct cs_simulate_malleable *run, struct cs_error *err)
{
    const struct cs_malleable_job *job = &run->job;
    const char *schedule = cs_arguments_text(job->args, "schedule");
    const char *gantt = cs_arguments_text(job->args, "gantt");
    int scenario = (int)cs_arguments_integer(job->args, "scenario"), status = 0;
    struct cs_malleable_trace *trace;
    struct cs_malleable_record *record;

    if (scenario >= run->scenarios)
        return cs_error_set(err, "there is no scenario %d: they are 0 to %d", scenario,
                            run->scenarios - 1);
    trace = cs_malleable_source_trace(&job->source, scenario, err);
    record = trace ? cs_malleable_record_create(job->instance, &run->way[0], trace, err) : NULL;
    if (record)
        name_processors(job, record->schedule);
    if (!record || (schedule && write_schedule(run, record, schedule, err)) ||
        (gantt && cs_simulate_malleable_draw(run, record, gantt, err)))
        status = -1;
    cs_malleable_record_destroy(record);
    cs_malleable_trace_destroy(trace);
    return status;
}

int cs_simulate_malleable_files(const struct cs_simulate_malleable *run, struct cs_error *err)
{
    const struct cs_arguments *args = run->job.args;
    const char *rows = cs_arguments_text(args, "per-scenario");

    if (rows && write_scenarios(run, rows, err))
        return -1;
    if (!cs_arguments_text(args, "schedule") && !cs_arguments_text(args, "gantt"))
        return 0;
    return write_one(run, err);
}
