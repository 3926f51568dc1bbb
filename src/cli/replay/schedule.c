/* schedule.c - the schedule of a replay of one policy: as a file, as a picture. */
#include "cli/base/output.h"
#include "cli/replay/request.h"
#include "io/schedule_json.h"
#include "report/human.h"
#include "study/inputs.h"

#include <cosched/case.h>
#include <cosched/picture.h>
#include <string.h>

/* The logs, and the files that options name. */
static void put_inputs(const struct cs_replay_request *r, struct cs_jsonw *w)
{
    const struct cs_replay_options *o = r->options;
    const struct cs_schedule_input named[] = {
        {"machine", o->machine, ""}, {"outages", o->outages, ""}, {"failures", o->failures, ""}};
    struct cs_schedule_input *input =
        CS_NEW_ARRAY(r->arena, struct cs_schedule_input, (size_t)r->files + 3);
    int count = 0;

    for (int i = 0; i < r->files; i++)
        if (r->path[i] != r->spool)
            input[count++] = (struct cs_schedule_input){"input", r->path[i], ""};
    for (int i = 0; i < 3; i++)
        if (named[i].file)
            input[count++] = named[i];
    cs_inputs_digest(input, count, r->arena);
    cs_schedule_json_put_inputs(w, count, input);
}

static int write_file(const struct cs_replay_request *r, const struct cs_schedule *schedule,
                      const struct cs_rigid_declared *declared, const struct cs_arguments *args,
                      struct cs_error *err)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&text);

    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, schedule, r->study.way[0].policy);
    cs_arguments_put_command(args, "replay", &w);
    put_inputs(r, &w);
    cs_schedule_json_put_rigid(&w, schedule, declared);
    cs_schedule_json_put_tail(&w, schedule, NULL);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    return cs_output_save(r->options->output, &text, err);
}

const char *cs_replay_log_name(const struct cs_replay_request *r)
{
    const char *slash = strrchr(r->path[0], '/');

    if (r->path[0] == r->spool)
        return "standard input";
    return slash ? slash + 1 : r->path[0];
}

static int draw(const struct cs_replay_request *r, const struct cs_schedule *schedule,
                struct cs_error *err)
{
    struct cs_strbuf name = CS_STRBUF_INIT;
    struct cs_picture_options how = {
        .size = sizeof how,
        .title = cs_replay_log_name(r),
        .processor = cs_replay_unit(r),
        .group = "shelf",
    };
    char *svg;
    int status;

    cs_replay_put_row(r, 1, &name);
    cs_strbuf_puts(&name, " \xc2\xb7 ");
    cs_human_duration(&name, cs_schedule_makespan(schedule));
    how.subtitle = name.text;
    svg = cs_schedule_svg(schedule, NULL, &how, NULL, err);
    status = svg ? cs_picture_write(r->options->gantt, svg, CS_PICTURE_DPI, err) : -1;
    cs_free(svg);
    cs_strbuf_release(&name);
    return status;
}

int cs_replay_write_schedule(const struct cs_replay_request *r,
                             const struct cs_rigid_log_rows *rows, const struct cs_arguments *args,
                             struct cs_error *err)
{
    const struct cs_replay_options *o = r->options;
    struct cs_rigid_declared declared;
    struct cs_schedule *schedule = cs_rigid_log_kept_schedule(
        rows->row[1].kept, r->study.log.site->procs, &declared, r->arena, err);
    int status = 0;

    if (!schedule)
        return cs_error_prefix(err, "--%s", o->output ? "output" : "gantt");
    declared.priority = r->study.way[0].priority;
    declared.shelves = r->study.way[0].op.policy->shelf != NULL;
    if (o->output)
        status = write_file(r, schedule, &declared, args, err);
    if (!status && o->gantt)
        status = draw(r, schedule, err);
    cs_schedule_destroy(schedule);
    return status;
}
