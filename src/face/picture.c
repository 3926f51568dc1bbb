/* picture.c - schedules as pictures, for any program. */
#include "base/guard.h"
#include "report/gantt.h"
#include "study/field.h"

#include <cosched/picture.h>

/* What is asked, with its words understood. */
static int understand(const struct cs_picture_options *how, enum cs_style *style,
                      struct cs_error *err)
{
    static const char styles[] = "color|dark|grey"; /* as enum cs_style */
    const int index = how->style ? cs_choice_index(styles, how->style) : CS_STYLE_COLOR;

    if (how->size != sizeof *how)
        return cs_error_set(
            err, "the options of a picture say that they have %zu bytes, this library knows %zu",
            how->size, sizeof *how);
    if (index < 0)
        return cs_choice_error("style", how->style, styles, err);
    *style = (enum cs_style)index;
    return 0;
}

static char *take(struct cs_strbuf *text, int failed, size_t *length)
{
    if (failed) {
        cs_strbuf_release(text);
        return NULL;
    }
    if (length)
        *length = text->length;
    return cs_strbuf_take(text);
}

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
    static const struct cs_picture_options usual = {.size = sizeof usual};
    CS_ASK(schedule, err, NULL);
    CS_GUARD(err, NULL);
    const struct cs_picture_options *given = how ? how : &usual;
    struct cs_strbuf svg = CS_STRBUF_INIT;
    struct cs_gantt_options options = {0};
    int failed = understand(given, &options.style, err) || check_planned(schedule, planned, err);

    options.width = given->width;
    options.height = given->height;
    options.title = given->title;
    options.subtitle = given->subtitle;
    options.processor = given->processor;
    options.group = given->group;
    options.least_type = given->least_type;
    options.planned = planned;
    failed = failed || cs_gantt_svg(schedule, &options, &svg, err);
    return take(&svg, failed, length);
}
