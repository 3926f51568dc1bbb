/* schedule.c - a plan as bars. */
#include "base/arena.h"
#include "base/guard.h"
#include "base/strbuf.h"
#include "problems/ptg/run.h"

#include <stdlib.h>
#include <string.h>

struct named {
    const char *name;
    int graph;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->graph > y->graph) - (x->graph < y->graph);
}

static const char *schedule_numbered(const char *name, int number, struct cs_arena *arena)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    const char *copy;

    cs_strbuf_printf(&text, "%s#%d", name, number);
    copy = cs_arena_strdup(arena, text.text);
    cs_strbuf_release(&text);
    return copy;
}

/* Distinct names of graphs, by their numbers where two are alike; slashes are for tasks. */
static const char **graph_names(const struct cs_ptg_instance *in, struct cs_arena *arena)
{
    const char **name = CS_NEW_ARRAY(arena, const char *, in->graphs);
    struct named *list = CS_NEW_ARRAY(arena, struct named, in->graphs);
    bool twins = false;

    for (int g = 0; g < in->graphs; g++) {
        char *copy = cs_arena_strdup(arena, in->graph[g]->name);

        for (char *at = strchr(copy, '/'); at; at = strchr(at, '/'))
            *at = '_';
        name[g] = copy;
        list[g] = (struct named){copy, g};
    }
    qsort(list, (size_t)in->graphs, sizeof *list, by_name);
    for (int i = 1; i < in->graphs; i++)
        twins |= !strcmp(list[i].name, list[i - 1].name);
    for (int g = 0; g < in->graphs && twins; g++)
        name[g] = schedule_numbered(name[g], g, arena);
    return name;
}

static const char **task_names(const struct cs_ptg_instance *in, struct cs_arena *arena)
{
    const char **graph = graph_names(in, arena);
    const char **name = CS_NEW_ARRAY(arena, const char *, in->tasks);
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (int v = 0; v < in->tasks; v++) {
        cs_strbuf_clear(&text);
        cs_strbuf_printf(&text, "%s/%s", graph[in->graph_of[v]], cs_ptg_task(in, v)->name);
        name[v] = cs_arena_strdup(arena, text.text);
    }
    cs_strbuf_release(&text);
    return name;
}

struct cs_schedule *cs_ptg_schedule(const struct cs_ptg_instance *instance,
                                    const struct cs_ptg_plan *plan)
{
    CS_ASK(instance && plan && cs_ptg_plan_fits(instance, plan), NULL, NULL);
    CS_GUARD(NULL, NULL);
    struct cs_arena *arena = cs_arena_create();
    struct cs_schedule *schedule = cs_schedule_create("ptg", instance->platform->procs,
                                                      instance->tasks, task_names(instance, arena));

    cs_schedule_set_platform(schedule, instance->platform, NULL);
    for (int v = 0; v < plan->tasks; v++) {
        const struct cs_ptg_place *place = &plan->place[v];

        cs_schedule_add(schedule,
                        &(struct cs_bar){
                            .kind = CS_BAR_WORK,
                            .task = v,
                            .attempt = 1,
                            .group = place->cluster,
                            .start = place->start,
                            .end = place->finish,
                            .intervals = place->intervals,
                            .procs = place->set,
                        },
                        NULL);
    }
    cs_arena_destroy(arena);
    return schedule;
}
