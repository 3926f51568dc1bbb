/* picture.c - schedules, replays and figures as pictures, for any program. */
#include "face/picture.h"
#include "base/guard.h"
#include "base/source.h"
#include "campaign/output.h"
#include "campaign/store.h"
#include "face/document.h"
#include "io/schedule_json.h"
#include "report/gantt.h"
#include "report/replay_page.h"
#include "study/field.h"

#include <cosched/picture.h>
#include <string.h>

static const struct cs_picture_options usual = {.size = sizeof usual};

int cs_picture_understand(const struct cs_picture_options *how, struct cs_picture_look *look,
                          struct cs_error *err)
{
    static const char styles[] = "color|dark|grey"; /* as enum cs_style */
    const int style = how->style ? cs_choice_index(styles, how->style) : CS_STYLE_COLOR;

    if (cs_ask_size("the options of a picture", how->size, sizeof *how, err))
        return -1;
    if (style < 0)
        return cs_choice_error("style", how->style, styles, err);
    *look = (struct cs_picture_look){.width = how->width,
                                     .height = how->height,
                                     .style = (enum cs_style)style,
                                     .title = how->title,
                                     .least_type = how->least_type};
    return 0;
}

/* ---- a schedule ---- */

static int check_planned(const struct cs_schedule *schedule, const struct cs_schedule *planned,
                         struct cs_error *err)
{
    const int tasks = cs_schedule_tasks(schedule);

    if (!planned)
        return 0;
    if (cs_schedule_tasks(planned) != tasks)
        return cs_error_set(err, "what was planned has %d tasks, what is drawn has %d",
                            cs_schedule_tasks(planned), tasks);
    return cs_gantt_possible(planned, 0, 0, err) ? cs_error_prefix(err, "what was planned") : 0;
}

char *cs_schedule_svg(const struct cs_schedule *schedule, const struct cs_schedule *planned,
                      const struct cs_picture_options *how, size_t *length, struct cs_error *err)
{
    CS_ASK(schedule, err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_picture_options *given = how ? how : &usual;
    struct cs_strbuf svg = CS_STRBUF_INIT;
    struct cs_gantt_options options = {.planned = planned};
    struct cs_picture_look look;

    if (cs_picture_understand(given, &look, err) || check_planned(schedule, planned, err))
        return NULL;
    options.width = look.width;
    options.height = look.height;
    options.style = look.style;
    options.title = look.title;
    options.least_type = look.least_type;
    options.subtitle = given->subtitle;
    options.processor = given->processor;
    options.group = given->group;
    return cs_document_take(&svg, cs_gantt_svg(schedule, &options, &svg, err), length);
}

/* ---- what is in files ---- */

struct drawing {
    const char *figure;
    struct cs_figure_look look;
    struct cs_strbuf svg;
};

static int draw_schedule(const struct cs_json_at *top, void *who, struct cs_error *err)
{
    struct drawing *d = who;
    struct cs_schedule_file *file;
    struct cs_error why = {0};
    int status;

    if (d->look.metric || d->figure)
        return cs_error_set(err, "%s: is a schedule, which is one figure without metrics",
                            top->key);
    file = cs_schedule_file_read_at(top, err);
    if (!file)
        return -1;
    status = cs_schedule_picture(file, &d->look.picture, &d->svg, &why);
    if (status)
        cs_error_set_at(err, why.kind, file->source, 0, "%s", why.text);
    cs_schedule_file_destroy(file);
    return status;
}

static int draw_replay(const struct cs_json_at *top, void *who, struct cs_error *err)
{
    static const char words[] = "time|shares"; /* as enum cs_replay_picture */
    struct drawing *d = who;
    const int which = d->figure ? cs_choice_index(words, d->figure) : CS_REPLAY_ALL;
    struct cs_arena *arena;
    struct cs_replay_view view;
    int status;

    if (d->look.metric)
        return cs_error_set(err,
                            "%s: is a replay, whose figures are time and shares: --metric is "
                            "for stores",
                            top->key);
    if (which < 0)
        return cs_choice_error("the figure of a replay", d->figure, words, err);
    arena = cs_arena_create();
    status =
        cs_replay_view_read(top, arena, &view, err) ||
        cs_replay_picture(&view, (enum cs_replay_picture)which, &d->look.picture, &d->svg, err);
    cs_replay_view_release(&view);
    cs_arena_destroy(arena);
    return status ? -1 : 0;
}

char *cs_picture_svg(const struct cs_picture_source *source, const char *figure,
                     const struct cs_picture_options *how, size_t *length, struct cs_error *err)
{
    CS_ASK(source && source->name, err, NULL);
    CS_GUARD(err, NULL);
    static const struct cs_document_faces faces = {draw_schedule, draw_replay};
    const struct cs_picture_options *given = how ? how : &usual;
    struct drawing d = {.figure = figure, .look = {.metric = given->metric}, .svg = CS_STRBUF_INIT};
    int status;

    if (cs_picture_understand(given, &d.look.picture, err))
        return NULL;
    if (cs_document_is_store(source))
        status = cs_output_svg_of_store(source->name, figure, &d.look, &d.svg, err);
    else
        status = cs_document_read(source, &faces, &d, err);
    return cs_document_take(&d.svg, status, length);
}
