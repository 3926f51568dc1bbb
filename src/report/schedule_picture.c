/* schedule_picture.c - which picture shows a schedule, and what it is told. */
#include "report/schedule_picture.h"

#include "report/hosts_chart.h"
#include "report/page_scene.h"
#include "report/ribbons_chart.h"

static int draw_processors(const struct cs_page_scene *scene, const struct cs_picture_look *look,
                           struct cs_strbuf *svg, struct cs_error *err)
{
    const struct cs_gantt_options options = {
        .width = look->width,
        .height = look->height,
        .title = look->title,
        .style = look->style,
        .least_type = look->least_type,
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

static int draw_applications(const struct cs_page_scene *scene, const struct cs_picture_look *look,
                             struct cs_strbuf *svg, struct cs_error *err)
{
    const struct cs_ribbons_chart_options options = {
        .width = look->width,
        .height = look->height,
        .title = look->title,
        .subtitle = "",
        .style = look->style,
        .least_type = look->least_type,
        .processor = scene->unit,
        .lower_bound = scene->bound,
        .faults = scene->faults,
        .fault = scene->fault,
    };

    return cs_ribbons_chart_svg(scene->schedule, &options, svg, err);
}

static int draw_hosts(const struct cs_page_scene *scene, const struct cs_picture_look *look,
                      struct cs_strbuf *svg, struct cs_error *err)
{
    const struct cs_hosts_chart_options options = {
        .width = look->width, .title = look->title, .style = look->style};

    return cs_hosts_chart_svg(scene->schedule, scene->file->trial, &options, svg, err);
}

int cs_page_scene_draw(const struct cs_page_scene *scene, const struct cs_picture_look *look,
                       struct cs_strbuf *svg, struct cs_error *err)
{
    return scene->file->trial       ? draw_hosts(scene, look, svg, err)
           : scene->file->malleable ? draw_applications(scene, look, svg, err)
                                    : draw_processors(scene, look, svg, err);
}

int cs_schedule_picture(const struct cs_schedule_file *file, const struct cs_picture_look *look,
                        struct cs_strbuf *svg, struct cs_error *err)
{
    struct cs_arena *arena;
    struct cs_page_scene scene;
    int status;

    if (cs_gantt_possible(file->schedule, look->width, look->height, err))
        return -1;
    arena = cs_arena_create();
    scene = cs_page_scene_of(file, arena);
    status = cs_page_scene_draw(&scene, look, svg, err);
    cs_arena_destroy(arena);
    return status;
}
