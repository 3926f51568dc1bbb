/* schedule_chart.c - select the chart of a schedule, and its options. */
#include "report/schedule_chart.h"

#include "model/bars.h"
#include "report/hosts_chart.h"
#include "report/page_scene.h"
#include "report/ribbons_chart.h"

#include <math.h>

enum { CLASSES = 5 };

/* Facts for the classes of a task: its most processors, when it first started, its attempts. */
struct task_facts {
    double procs, start;
    int attempts;
    bool lost; /* its last bar is lost work */
};

static struct task_facts *schedule_chart_facts(const struct cs_page_scene *scene)
{
    const struct cs_gantt *g = &scene->gantt;
    struct task_facts *fact = CS_NEW_ARRAY(scene->arena, struct task_facts, g->tasks);

    for (size_t b = 0; b < g->bars; b++) {
        struct task_facts *f = &fact[g->bar[b].task];

        f->start = f->attempts ? fmin(f->start, g->bar[b].start) : g->bar[b].start;
        f->procs = fmax(f->procs, (double)cs_bar_procs(&g->bar[b]));
        if (g->bar[b].attempt >= f->attempts)
            f->lost = g->bar[b].kind == CS_BAR_LOST;
        f->attempts = g->bar[b].attempt > f->attempts ? g->bar[b].attempt : f->attempts;
    }
    return fact;
}

/* The first class whose limit the value does not exceed. */
static int class_up_to(double value, const double *limit)
{
    int c = 0;

    while (c < CLASSES - 1 && value > limit[c])
        c++;
    return c;
}

/* Classes of tasks as owners of the bars: names for the legend, and the class of each task. */
static void schedule_chart_classify(const struct cs_page_scene *scene, enum cs_color_by by,
                                    struct cs_gantt_options *options)
{
    static const char *const name[][CLASSES] = {
        [CS_COLOR_WIDTH] = {"at most 1 % of the machine", "1 to 5 %", "5 to 20 %", "20 to 50 %",
                            "more than 50 %"},
        [CS_COLOR_WAIT] = {"no wait", "up to 10 min", "up to 1 h", "up to 12 h", "more than 12 h"},
        [CS_COLOR_STATE] = {"ended at the first try", "ended at a later try", "did not end", "",
                            ""},
    };
    static const double share[] = {0.01, 0.05, 0.2, 0.5}, wait[] = {0, 600, 3600, 43200};
    const struct task_facts *fact = schedule_chart_facts(scene);
    const double *submit = scene->file->rigid ? scene->file->rigid->submit : NULL;
    int *owner = CS_NEW_ARRAY(scene->arena, int, scene->gantt.tasks);

    for (int i = 0; i < scene->gantt.tasks; i++)
        if (by == CS_COLOR_WIDTH)
            owner[i] = class_up_to(fact[i].procs / scene->gantt.procs, share);
        else if (by == CS_COLOR_WAIT)
            owner[i] = class_up_to(fact[i].start - (submit ? submit[i] : 0), wait);
        else
            owner[i] = fact[i].lost ? 2 : fact[i].attempts > 1;
    options->owners = CLASSES;
    options->owner = owner;
    options->owner_name = name[by];
}

static int draw_processors(const struct cs_page_scene *scene,
                           const struct cs_chart_style *appearance, struct cs_strbuf *svg,
                           struct cs_error *err)
{
    struct cs_gantt_options options = {
        .width = appearance->width,
        .height = appearance->height,
        .title = appearance->title,
        .style = appearance->style,
        .least_type = appearance->least_type,
        .processor = scene->unit,
        .group = scene->group,
        .faults = scene->faults,
        .fault = scene->fault,
        .owners = scene->owners,
        .owner = scene->owner,
        .owner_name = (const char *const *)scene->owner_name,
    };

    if (appearance->color_by != CS_COLOR_TASK)
        schedule_chart_classify(scene, appearance->color_by, &options);
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
    const struct cs_hosts_chart_options options = {
        .width = appearance->width, .title = appearance->title, .style = appearance->style};

    return cs_hosts_chart_svg(scene->schedule, scene->file->trial, &options, svg, err);
}

int cs_page_scene_draw(const struct cs_page_scene *scene, const struct cs_chart_style *appearance,
                       struct cs_strbuf *svg, struct cs_error *err)
{
    return scene->file->trial       ? draw_hosts(scene, appearance, svg, err)
           : scene->file->malleable ? draw_applications(scene, appearance, svg, err)
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
    if (appearance->color_by != CS_COLOR_TASK && (file->trial || file->malleable))
        return cs_error_set(err, "the chart of a %s schedule has no classes of tasks as colours",
                            cs_schedule_problem(file->schedule));
    arena = cs_arena_create();
    scene = cs_page_scene_of(file, arena);
    status = cs_page_scene_draw(&scene, appearance, svg, err);
    cs_arena_destroy(arena);
    return status;
}

void cs_schedule_picture_colors(const struct cs_schedule_file *file, enum cs_style style,
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
