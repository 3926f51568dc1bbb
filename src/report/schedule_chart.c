/* schedule_chart.c - select the chart of a schedule, and its options. */
#include "report/schedule_chart.h"

#include "model/workload.h"
#include "report/hosts_chart.h"
#include "report/page_scene.h"
#include "report/ribbons_chart.h"

static int draw_processors(const struct cs_page_scene *scene,
                           const struct cs_chart_style *appearance, struct cs_strbuf *svg,
                           struct cs_error *err)
{
    const struct cs_moldable_declared *moldable = scene->file->moldable;
    const struct cs_bag_declared *bag = moldable ? moldable->bag : NULL;
    const struct cs_gantt_options options = {
        .width = appearance->width,
        .height = appearance->height,
        .title = appearance->title,
        .style = appearance->style,
        .least_type = appearance->least_type,
        .resources = bag ? bag->resources : 0,
        .resource = bag ? bag->resource : NULL,
        .modes = bag && scene->file->workload ? scene->file->workload->modes : NULL,
        .processor = scene->unit,
        .group = scene->group,
        .faults = scene->faults,
        .fault = scene->fault,
        .owners = scene->owners,
        .owner = scene->owner,
        .owner_name = (const char *const *)scene->owner_name,
        .color_by = appearance->color_by,
        .submit = scene->file->rigid ? scene->file->rigid->submit : NULL,
        .user = scene->file->rigid ? scene->file->rigid->user : NULL,
        .strips = appearance->strips,
    };

    return cs_gantt_svg(scene->schedule, &options, svg, err);
}

static int draw_applications(const struct cs_page_scene *scene,
                             const struct cs_chart_style *appearance, struct cs_strbuf *svg,
                             struct cs_error *err)
{
    const struct cs_ribbons_chart_options options = {
        .width = appearance->width,
        .height = appearance->height,
        .title = appearance->title,
        .subtitle = "",
        .style = appearance->style,
        .least_type = appearance->least_type,
        .processor = scene->unit,
        .lower_bound = scene->bound,
        .faults = scene->faults,
        .fault = scene->fault,
    };

    return cs_ribbons_chart_svg(scene->schedule, &options, svg, err);
}

static int draw_hosts(const struct cs_page_scene *scene, const struct cs_chart_style *appearance,
                      struct cs_strbuf *svg, struct cs_error *err)
{
    const struct cs_hosts_chart_options options = {.width = appearance->width,
                                                   .title = appearance->title,
                                                   .style = appearance->style,
                                                   .color_by = appearance->color_by};

    return cs_hosts_chart_svg(scene->schedule, scene->file->trial, &options, svg, err);
}

int cs_page_scene_draw(const struct cs_page_scene *scene, const struct cs_chart_style *appearance,
                       struct cs_strbuf *svg, struct cs_error *err)
{
    const bool ribbons = scene->file->malleable && appearance->color_by == CS_COLOR_TASK;

    return scene->file->trial ? draw_hosts(scene, appearance, svg, err)
           : ribbons          ? draw_applications(scene, appearance, svg, err)
                              : draw_processors(scene, appearance, svg, err);
}

int cs_schedule_chart(const struct cs_schedule_file *file, const struct cs_chart_style *appearance,
                      struct cs_strbuf *svg, struct cs_error *err)
{
    struct cs_arena *arena;
    struct cs_page_scene scene;
    int status;

    if (cs_gantt_possible(file->schedule, appearance->width, appearance->height, err))
        return -1;
    arena = cs_arena_create();
    scene = cs_page_scene_of(file, arena);
    status = cs_page_scene_draw(&scene, appearance, svg, err);
    cs_arena_destroy(arena);
    return status;
}

void cs_schedule_chart_colors(const struct cs_schedule_file *file, enum cs_style style,
                              struct cs_strbuf *json)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_page_scene scene = cs_page_scene_of(file, arena);
    const struct cs_gantt *g = &scene.gantt;
    struct cs_jsonw w = cs_jsonw_begin(json);

    cs_jsonw_open_flat(&w, '[');
    for (int i = 0; i < g->tasks; i++) {
        const int app = scene.owners ? scene.owner[i] : i;

        cs_jsonw_string(
            &w, cs_color_text(cs_palette_bar(g->hue[app] % CS_PALETTE_BARS, cs_theme(style))).text);
    }
    cs_jsonw_close(&w);
    cs_arena_destroy(arena);
}
