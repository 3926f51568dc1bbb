/* simulate_malleable_draw.c - one scenario as a picture: applications as ribbons, or processors. */
#include "cli/simulate_malleable.h"
#include "report/gantt.h"
#include "report/human.h"
#include "report/png.h"
#include "report/ribbons_chart.h"

#include <string.h>

/* What both pictures say. */
struct captions {
    const char *title, *unit;
    struct cs_strbuf policy;
    int faults;
    struct cs_bolt_fault *fault;
    bool dark;
};

static bool strikes(enum cs_malleable_effect effect)
{
    return effect == CS_MALLEABLE_INITIAL_CHECKPOINT || effect >= CS_MALLEABLE_ROLLBACK;
}

static void list_faults(struct captions *c, const struct cs_malleable_record *record,
                        struct cs_arena *arena)
{
    c->fault = CS_NEW_ARRAY(arena, struct cs_bolt_fault, record->marks);
    for (int m = 0; m < record->marks; m++) {
        const struct cs_malleable_mark *mark = &record->mark[m];

        if (mark->kind == CS_MALLEABLE_FAILURE)
            c->fault[c->faults++] =
                (struct cs_bolt_fault){mark->time, mark->processor, strikes(mark->effect)};
    }
}

static struct captions describe(const struct cs_simulate_malleable *run,
                                const struct cs_malleable_record *record)
{
    const struct cs_malleable_job *job = &run->job;
    const char *slash = strrchr(job->path, '/'), *title = cs_arguments_text(job->args, "title");
    struct captions c = {.title = title   ? title
                                  : slash ? slash + 1
                                          : job->path,
                         .unit = job->unit,
                         .policy = CS_STRBUF_INIT,
                         .dark = cs_arguments_given(job->args, "dark")};

    cs_strbuf_printf(&c.policy, "on end %s \xc2\xb7 on failure %s",
                     cs_simulate_malleable_end(run, 0), cs_simulate_malleable_failure(run, 0));
    list_faults(&c, record, job->arena);
    return c;
}

static int draw_applications(const struct captions *c, const struct cs_malleable_record *record,
                             struct cs_strbuf *svg, struct cs_error *err)
{
    const struct cs_ribbons_chart_options options = {.title = c->title,
                                                     .policy = c->policy.text,
                                                     .processor = c->unit,
                                                     .lower_bound = record->outcome.lower_bound,
                                                     .faults = c->faults,
                                                     .fault = c->fault,
                                                     .dark = c->dark};

    return cs_ribbons_chart_svg(record->schedule, &options, svg, err);
}

static int draw_processors(struct captions *c, const struct cs_malleable_record *record,
                           struct cs_strbuf *svg, struct cs_error *err)
{
    struct cs_gantt_options options = {.title = c->title,
                                       .processor = c->unit,
                                       .faults = c->faults,
                                       .fault = c->fault,
                                       .dark = c->dark};

    cs_strbuf_puts(&c->policy, " \xc2\xb7 ");
    cs_human_duration(&c->policy, record->outcome.makespan);
    cs_strbuf_puts(&c->policy, ", ");
    cs_human_percent(&c->policy, record->outcome.gap, 1);
    cs_strbuf_puts(&c->policy, " above the bound");
    options.subtitle = c->policy.text;
    return cs_gantt_svg(record->schedule, &options, svg, err);
}

int cs_simulate_malleable_draw(const struct cs_simulate_malleable *run,
                               const struct cs_malleable_record *record, const char *path,
                               struct cs_error *err)
{
    struct captions c = describe(run, record);
    struct cs_strbuf svg = CS_STRBUF_INIT;
    int status;

    if (!strcmp(cs_arguments_text(run->job.args, "gantt-view"), "processors"))
        status = draw_processors(&c, record, &svg, err);
    else
        status = draw_applications(&c, record, &svg, err);
    if (!status)
        status = cs_picture_write(path, svg.text, err);
    cs_strbuf_release(&svg);
    cs_strbuf_release(&c.policy);
    return status;
}
