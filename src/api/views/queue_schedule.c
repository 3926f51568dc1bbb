/* queue_schedule.c - the schedule of a replay of one policy: as a file, as a picture. */
#include "api/views/queue.h"

#include "io/schedule_json.h"
#include "io/schedule_keys.h"
#include "problem/inputs.h"
#include "report/gantt.h"
#include "report/human.h"

#include <string.h>

/* The logs, and the files that options name. */
static int put_inputs(const struct cs_replay_request *r, struct cs_jsonw *w, struct cs_error *err)
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
    if (cs_inputs_digest(input, count, r->arena, err))
        return -1;
    cs_schedule_json_put_inputs(w, count, input);
    return 0;
}

/* The schedule, and the metadata with the input of the policy in *declared; NULL with err. */
static struct cs_schedule *schedule_of(const struct cs_replay_request *r,
                                       const struct cs_queue_log_rows *rows,
                                       struct cs_rigid_declared *declared, struct cs_error *err)
{
    struct cs_schedule *schedule = cs_queue_log_kept_schedule(
        rows->row[1].kept, r->study.log.site->procs, declared, r->arena, err);

    if (!schedule)
        cs_error_prefix(err, "--%s", r->options->keep);
    declared->priority = r->study.variant[0].priority;
    declared->shelves = r->study.variant[0].op.policy->shelf != NULL;
    return schedule;
}

int cs_replay_schedule_json(const struct cs_replay_request *r, const struct cs_queue_log_rows *rows,
                            const char *command, struct cs_strbuf *out, struct cs_error *err)
{
    struct cs_rigid_declared declared;
    struct cs_schedule *schedule = schedule_of(r, rows, &declared, err);
    struct cs_jsonw w = cs_jsonw_begin(out);
    int status;

    if (!schedule)
        return -1;
    cs_jsonw_open(&w, '{');
    cs_schedule_json_put_head(&w, schedule, r->study.variant[0].policy);
    if (command)
        cs_jsonw_put_string(&w, "command", command);
    status = put_inputs(r, &w, err);
    cs_keys_put(&w, cs_keys_rigid, schedule, &declared);
    cs_schedule_json_put_tail(&w, schedule, NULL);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    cs_schedule_destroy(schedule);
    return status;
}

static const char *title_of(const struct cs_replay_request *r)
{
    const char *slash = strrchr(r->path[0], '/');

    if (r->path[0] == r->spool)
        return "standard input";
    return slash ? slash + 1 : r->path[0];
}

int cs_replay_gantt(const struct cs_replay_request *r, const struct cs_queue_log_rows *rows,
                    struct cs_strbuf *svg, struct cs_error *err)
{
    struct cs_rigid_declared declared;
    struct cs_schedule *schedule = schedule_of(r, rows, &declared, err);
    struct cs_strbuf name = CS_STRBUF_INIT;
    struct cs_gantt_options options = {
        .title = title_of(r),
        .processor = cs_replay_unit(r),
        .group = "shelf",
        .style = CS_STYLE_COLOR,
    };
    int status;

    if (!schedule)
        return -1;
    cs_replay_put_row(r, 1, &name);
    cs_strbuf_puts(&name, " \xc2\xb7 ");
    cs_human_duration(&name, cs_schedule_makespan(schedule));
    options.subtitle = name.text;
    status = cs_gantt_svg(schedule, &options, svg, err);
    cs_strbuf_release(&name);
    cs_schedule_destroy(schedule);
    return status;
}
