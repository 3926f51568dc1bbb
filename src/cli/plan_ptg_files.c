/* plan_ptg_files.c - a plan as a schedule and as a picture. */
#include "cli/base/output.h"
#include "cli/ptg.h"
#include "io/schedule_json.h"
#include "report/gantt.h"
#include "report/human.h"
#include "report/png.h"

static const char *const files[] = {"schedule", "gantt", NULL};

int cs_plan_ptg_check_line(const struct cs_arguments *args, struct cs_error *err)
{
    const char *gantt = cs_arguments_text(args, "gantt");

    if (cs_ptg_job_several(args) &&
        cs_output_refuse_options(args, files, "is for one strategy: name it with --strategy", err))
        return -1;
    return gantt ? cs_picture_check(gantt, err) : 0;
}

int cs_plan_ptg_check_outputs(const struct cs_arguments *args, struct cs_error *err)
{
    if (cs_output_check_options(args, files, cs_arguments_text(args, "platform"), "the platform",
                                err))
        return -1;
    for (int i = 0; i < args->operands; i++)
        if (cs_output_check_options(args, files, cs_arguments_operand(args, i), "an input", err))
            return -1;
    return cs_output_apart(cs_arguments_text(args, "gantt"), cs_arguments_text(args, "schedule"),
                           "where --schedule goes; give --gantt a file of its own", err);
}

static void put_shares(const struct cs_ptg_plan *plan, struct cs_jsonw *w)
{
    cs_jsonw_key(w, "shares");
    cs_jsonw_open_flat(w, '[');
    for (int g = 0; g < plan->graphs; g++)
        cs_jsonw_double(w, plan->beta[g]);
    cs_jsonw_close(w);
}

static int write_schedule(const struct cs_ptg_job *job, const struct cs_schedule *schedule,
                          const char *path, struct cs_error *err)
{
    const struct cs_ptg_declared declared = {
        .graphs = job->list.graphs,
        .graph = (const struct cs_graph *const *)job->list.graph,
        .release = job->release,
        .fan = job->options.network == CS_PTG_NETWORK_FAN,
        .lower_bound = job->bounds.window,
    };
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, schedule, job->way[0].name);
    cs_arguments_put_command(job->args, "plan ptg", &w);
    put_shares(job->way[0].plan, &w);
    cs_schedule_json_put_ptg(&w, &declared);
    cs_schedule_json_put_tail(&w, schedule, NULL);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    return cs_output_save(path, &text, err);
}

/* What the title does not say. */
static void put_subtitle(const struct cs_ptg_job *job, struct cs_strbuf *out)
{
    const struct cs_ptg_way *way = &job->way[0];

    cs_strbuf_printf(out, "%s · ", way->name);
    cs_human_duration(out, way->plan->makespan);
    if (job->bounds.window > 0) {
        cs_strbuf_puts(out, ", ");
        cs_human_percent(out, cs_ptg_job_gap(job, way->plan->makespan), 1);
        cs_strbuf_puts(out, " above the bound");
    }
    cs_strbuf_puts(out, " · unfairness ");
    cs_human_fixed(out, way->metrics->unfairness, 3);
}

static int draw(const struct cs_ptg_job *job, const struct cs_schedule *schedule, const char *path,
                struct cs_error *err)
{
    const char *title = cs_arguments_text(job->args, "title");
    struct cs_strbuf svg = CS_STRBUF_INIT, subtitle = CS_STRBUF_INIT, name = CS_STRBUF_INIT;
    int *owner = CS_NEW_ARRAY(job->arena, int, cs_schedule_tasks(schedule));
    struct cs_gantt_options options = {
        .group = "cluster",
        .owners = job->list.graphs,
        .owner_name = job->label,
        .owner = owner,
        .dark = cs_arguments_given(job->args, "dark"),
    };
    const struct cs_ptg_plan *plan = job->way[0].plan;
    int status;

    for (int g = 0; g < plan->graphs; g++)
        for (int v = plan->first[g]; v < plan->first[g + 1]; v++)
            owner[v] = g;
    put_subtitle(job, &subtitle);
    cs_human_units(&name, job->list.graphs, "graph");
    cs_strbuf_printf(&name, " on %s",
                     job->platform->name[0] ? job->platform->name : "one platform");
    options.title = title ? title : name.text;
    options.subtitle = subtitle.text;
    status = cs_gantt_svg(schedule, &options, &svg, err);
    if (!status)
        status = cs_picture_write(path, svg.text, err);
    cs_strbuf_release(&svg);
    cs_strbuf_release(&subtitle);
    cs_strbuf_release(&name);
    return status;
}

int cs_plan_ptg_files(const struct cs_ptg_job *job, struct cs_error *err)
{
    const char *file = cs_arguments_text(job->args, "schedule");
    const char *gantt = cs_arguments_text(job->args, "gantt");
    struct cs_schedule *schedule;
    int status = 0;

    if (!file && !gantt)
        return 0;
    schedule = cs_ptg_schedule(job->instance, job->way[0].plan);
    if ((file && write_schedule(job, schedule, file, err)) ||
        (gantt && draw(job, schedule, gantt, err)))
        status = -1;
    cs_schedule_destroy(schedule);
    return status;
}
