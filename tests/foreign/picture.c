/* picture.c - calls on pictures, which are never written. */
#include "calls.h"

#include <cosched/case.h>
#include <cosched/chart.h>

static struct cs_chart_options options_of(struct caller *c)
{
    return (struct cs_chart_options){
        .size = is_wild(c) ? 5 : sizeof(struct cs_chart_options),
        .width = whole(c, 240, 900),
        .height = is_wild(c) ? whole(c, 160, 900) : 0,
        .style = word(c, "grey"),
        .title = word(c, "a title"),
        .subtitle = word(c, "a subtitle"),
        .processor = word(c, "slot"),
        .group = word(c, "shelf"),
        .least_type = real(c, 0, 12),
    };
}

static void schedule(struct caller *c)
{
    const struct cs_chart_options how = options_of(c);
    size_t length;
    char *svg = cs_schedule_svg(pick(c, SCHEDULE), pick(c, SCHEDULE), is_wild(c) ? NULL : &how,
                                is_wild(c) ? NULL : &length, err_of(c));

    if (!c->tame || c->starved)
        reported(c, !svg);
    cs_free(svg);
}

static const char plan[] = "{\"format\": \"cosched-schedule-1\", \"problem\": \"mine\", "
                           "\"procs\": 2, \"tasks\": [\"a\"], \"makespan\": 3, \"bars\": "
                           "[{\"task\": 0, \"start\": 0, \"end\": 3, \"procs\": \"0-1\"}]}";

static struct cs_chart_source source_of(struct caller *c)
{
    const bool in_file = is_wild(c);

    return (struct cs_chart_source){.name = word(c, in_file ? "nosuch.db" : "plan"),
                                    .bytes = in_file ? NULL : plan,
                                    .length = (size_t)whole(c, sizeof plan - 1, sizeof plan - 1) %
                                              sizeof plan};
}

static void document(struct caller *c)
{
    const struct cs_chart_source source = source_of(c);
    const struct cs_chart_options how = options_of(c);
    size_t length;
    char *svg = cs_chart_svg(is_wild(c) ? NULL : &source, is_wild(c) ? "time" : NULL,
                             is_wild(c) ? NULL : &how, is_wild(c) ? NULL : &length, err_of(c));

    reported(c, !svg);
    cs_free(svg);
}

static void page(struct caller *c)
{
    const struct cs_chart_source source[2] = {source_of(c), source_of(c)};
    const struct cs_report_options how = {.size = is_wild(c) ? 1 : sizeof how,
                                          .title = word(c, "a title"),
                                          .command = word(c, "a command"),
                                          .papers = is_wild(c) ? word(c, "papers") : NULL};
    size_t length;
    char *html = cs_report_html(is_wild(c) ? NULL : source, count(c, 2), is_wild(c) ? NULL : &how,
                                is_wild(c) ? NULL : &length, err_of(c));

    reported(c, !html);
    cs_free(html);
    reported(c, cs_report_write(is_wild(c) ? NULL : source, count(c, 2), is_wild(c) ? NULL : &how,
                                is_wild(c) ? NULL : "/dev/null", err_of(c)) != 0);
}

static void file(struct caller *c)
{
    reported(c, cs_chart_check(word(c, "plan.svg"), err_of(c)) != 0);
    if (c->tame)
        return;
    reported(c, cs_chart_write(word(c, "/nowhere/plan.svg"), word(c, "<svg/>"), real(c, 24, 300),
                               err_of(c)) != 0);
    reported(c, !cs_chart_image(word(c, "<svg/>"), word(c, "gif"), 96, NULL, err_of(c)));
}

const struct call picture_calls[] = {
    {"schedule_svg", schedule},
    {"picture_svg", document},
    {"report_html", page},
    {"picture_file", file},
    {NULL, NULL},
};
