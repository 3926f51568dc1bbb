/* schedule_ptg.c - the graphs of a schedule of the ptg problem, as JSON. */
#include "io/graph_json.h"
#include "io/graph_list.h"
#include "io/schedule_json.h"
#include "io/schedule_own.h"

/* The graphs of the list become the file's. */
static void keep_graphs(struct cs_graph_list *list, struct cs_arena *arena,
                        struct cs_ptg_declared *d)
{
    const struct cs_graph **graph = CS_NEW_ARRAY(arena, const struct cs_graph *, list->graphs);

    for (int g = 0; g < list->graphs; g++)
        graph[g] = list->graph[g];
    d->graphs = list->graphs;
    d->graph = graph;
    cs_block_free(list->graph);
}

void cs_key_put_ptg_graphs(struct cs_jsonw *w, const struct cs_schedule *schedule,
                           const void *declared)
{
    const struct cs_ptg_declared *d = declared;

    (void)schedule;
    cs_jsonw_key(w, "graphs");
    cs_jsonw_open(w, '[');
    for (int g = 0; g < d->graphs; g++)
        cs_graph_json_put(w, d->graph[g]);
    cs_jsonw_close(w);
}

int cs_key_get_ptg_graphs(const struct cs_json_at *at, const struct cs_key_source *source,
                          void *declared)
{
    struct cs_graph_list list = {0};

    if (cs_graph_list_json_read(&list, at, at->above->key, source->err)) {
        cs_graph_list_release(&list);
        return -1;
    }
    keep_graphs(&list, source->arena, declared);
    return 0;
}

void cs_schedule_json_drop_ptg(const struct cs_ptg_declared *declared)
{
    for (int g = 0; declared && g < declared->graphs; g++)
        cs_graph_destroy((struct cs_graph *)(uintptr_t)declared->graph[g]);
}
