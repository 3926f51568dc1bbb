/* schedule.c - a plan as bars. */
#include "base/strbuf.h"
#include "ptg/instance.h"

#include "base/arena.h"

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

/* Graph names that are told apart. */
static const char **graph_names(const struct cs_ptg_instance *in, struct cs_arena *arena)
{
    const char **name = CS_NEW_ARRAY(arena, const char *, in->graphs);
    struct named *list = CS_NEW_ARRAY(arena, struct named, in->graphs);
    struct cs_strbuf text = CS_STRBUF_INIT;

    for (int g = 0; g < in->graphs; g++) {
        list[g] = (struct named){in->graph[g]->name, g};
        name[g] = in->graph[g]->name;
    }
    qsort(list, (size_t)in->graphs, sizeof *list, by_name);
    for (int i = 0; i < in->graphs; i++) {
        bool twin = (i > 0 && !strcmp(list[i].name, list[i - 1].name)) ||
                    (i + 1 < in->graphs && !strcmp(list[i].name, list[i + 1].name));

        if (!twin)
            continue;
        cs_strbuf_clear(&text);
        cs_strbuf_printf(&text, "%s#%d", list[i].name, list[i].graph);
        name[list[i].graph] = cs_arena_strdup(arena, text.text);
    }
    cs_strbuf_release(&text);
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
    struct cs_arena *arena = cs_arena_create();
    struct cs_schedule *schedule = cs_schedule_create("ptg", instance->platform->procs,
                                                      instance->tasks, task_names(instance, arena));

    cs_schedule_set_platform(schedule, instance->platform);
    for (int v = 0; v < plan->tasks; v++) {
        const struct cs_ptg_place *place = &plan->place[v];

        cs_schedule_add(schedule, &(struct cs_bar){
                                      .kind = CS_BAR_WORK,
                                      .task = v,
                                      .attempt = 1,
                                      .group = place->cluster,
                                      .start = place->start,
                                      .end = place->finish,
                                      .intervals = place->intervals,
                                      .procs = place->set,
                                  });
    }
    cs_arena_destroy(arena);
    return schedule;
}
