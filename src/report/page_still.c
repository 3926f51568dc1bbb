/* page_still.c - the picture of a schedule that is printed: the same that the commands draw. */
#include "report/hosts_chart.h"
#include "report/page_scene.h"
#include "report/ribbons_chart.h"

#define WIDTH 900 /* pixels: text stays readable on paper */

static int still_processors(const struct cs_page_scene *scene, struct cs_strbuf *svg,
                            struct cs_error *err)
{
    const struct cs_gantt_options options = {
        .width = WIDTH,
        .processor = scene->unit,
        .group = scene->group,
        .faults = scene->faults,
        .fault = scene->fault,
        .owners = scene->owners,
        .owner = scene->owner,
        .owner_name = (const char *const *)scene->owner_name,
    };

    return cs_gantt_svg(scene->schedule, &options, svg, err);
}

static int still_applications(const struct cs_page_scene *scene, struct cs_strbuf *svg,
                              struct cs_error *err)
{
    const struct cs_ribbons_chart_options options = {
        .width = WIDTH,
        .subtitle = "",
        .processor = scene->unit,
        .lower_bound = scene->bound,
        .faults = scene->faults,
        .fault = scene->fault,
    };

    return cs_ribbons_chart_svg(scene->schedule, &options, svg, err);
}

bool cs_page_scene_still(const struct cs_page_scene *scene, struct cs_strbuf *svg)
{
    const struct cs_volatile_declared *trial = scene->file->trial;
    const struct cs_hosts_chart_options plain = {0};
    struct cs_error err = {{0}};

    if (trial)
        return !cs_hosts_chart_svg(scene->schedule, trial, &plain, svg, &err);
    if (scene->file->malleable)
        return !still_applications(scene, svg, &err);
    return !still_processors(scene, svg, &err);
}
