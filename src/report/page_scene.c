/* page_scene.c - data of a schedule in addition to its bars: units, failures, owners, its bound. */
#include "report/page_scene.h"

#include <math.h>
#include <string.h>

static const char *group_word(const char *problem)
{
    return !strcmp(problem, "ptg")        ? "cluster"
           : !strcmp(problem, "rigid")    ? "shelf"
           : !strcmp(problem, "volatile") ? "configuration"
                                          : "pack";
}

static bool page_scene_strikes(const char *effect)
{
    return !strcmp(effect, "initial-checkpoint") || !strncmp(effect, "rollback", 8);
}

static void find_faults(struct cs_page_scene *scene)
{
    const struct cs_malleable_declared *d = scene->file->malleable;

    scene->faults = d ? d->faults : 0;
    scene->fault = CS_NEW_ARRAY(scene->arena, struct cs_bolt_fault, scene->faults);
    for (int i = 0; i < scene->faults; i++)
        scene->fault[i] = (struct cs_bolt_fault){d->fault[i].time, d->fault[i].processor,
                                                 page_scene_strikes(d->fault[i].effect)};
}

/* "climate" of "climate/t3": the graph by the name that the plan gave it. */
static const char *owner_of(const struct cs_page_scene *scene, const struct cs_graph *graph,
                            int task)
{
    const char *name = cs_schedule_task_name(scene->schedule, task);
    size_t length = strlen(name), own = strlen(graph->task[0].name);

    if (length <= own + 1 || name[length - own - 1] != '/')
        return graph->name;
    return cs_arena_strndup(scene->arena, name, length - own - 1);
}

/* Tasks belong to their graphs, if the file has as many as its graphs. */
static void find_owners(struct cs_page_scene *scene)
{
    const struct cs_ptg_declared *d = scene->file->ptg;
    long long tasks = 0;
    int task = 0;

    for (int g = 0; d && g < d->graphs; g++)
        tasks += d->graph[g]->tasks;
    if (!d || tasks != cs_schedule_tasks(scene->schedule))
        return;
    scene->owners = d->graphs;
    scene->owner = CS_NEW_ARRAY(scene->arena, int, tasks);
    scene->owner_name = CS_NEW_ARRAY(scene->arena, const char *, d->graphs);
    for (int g = 0; g < d->graphs; g++) {
        scene->owner_name[g] = owner_of(scene, d->graph[g], task);
        for (int v = 0; v < d->graph[g]->tasks; v++)
            scene->owner[task++] = g;
    }
}

static double page_scene_bound_of(const struct cs_schedule_file *file)
{
    return file->pack        ? file->pack->lower_bound
           : file->rigid     ? file->rigid->lower_bound
           : file->malleable ? file->malleable->lower_bound
           : file->ptg       ? file->ptg->lower_bound
           : file->moldable  ? file->moldable->lower_bound
           : file->trial     ? file->trial->lower_bound
                             : NAN;
}

static void page_scene_collect(struct cs_page_scene *scene)
{
    struct cs_gantt *g = &scene->gantt;

    *g = (struct cs_gantt){
        .schedule = scene->schedule,
        .options = {.owners = scene->owners,
                    .owner = scene->owner,
                    .owner_name = (const char *const *)scene->owner_name},
        .procs = cs_schedule_procs(scene->schedule),
        .tasks = cs_schedule_tasks(scene->schedule),
        .arena = scene->arena,
    };
    g->bar = cs_schedule_bars(scene->schedule, &g->bars);
    cs_gantt_collect(g);
    scene->stream = (struct cs_ribbons){.schedule = scene->schedule,
                                        .procs = g->procs,
                                        .theme = cs_theme(CS_STYLE_COLOR),
                                        .arena = scene->arena};
    if (scene->file->malleable)
        cs_ribbons_collect(&scene->stream);
}

struct cs_page_scene cs_page_scene_of(const struct cs_schedule_file *file, struct cs_arena *arena)
{
    const char *problem = cs_schedule_problem(file->schedule);
    const struct cs_platform *platform = cs_schedule_platform(file->schedule);
    struct cs_page_scene scene = {
        .file = file,
        .schedule = file->schedule,
        .group = group_word(problem),
        .slots = !strcmp(problem, "volatile"),
        .bound = page_scene_bound_of(file),
        .arena = arena,
    };

    scene.unit = platform ? platform->unit : scene.slots ? "host" : "processor";
    find_faults(&scene);
    find_owners(&scene);
    page_scene_collect(&scene);
    return scene;
}
