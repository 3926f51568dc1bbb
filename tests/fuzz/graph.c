/* graph: task graphs in all formats, one or several, by what is inside. */
#include "fuzz/fuzz.h"
#include "io/graph_list.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

static void insist(bool condition)
{
    if (!condition)
        abort();
}

static void judge(const struct cs_graph *graph)
{
    insist(graph->tasks > 0 && graph->levels > 0 && graph->width > 0);
    for (int v = 0; v < graph->tasks; v++) {
        insist(graph->task[v].name[0]);
        insist(graph->task[v].flops >= 0 && isfinite(graph->task[v].flops));
        insist(graph->task[v].alpha >= 0 && graph->task[v].alpha <= 1);
    }
    for (int a = 0; a < graph->arcs; a++) {
        insist(graph->level[graph->arc[a].from] < graph->level[graph->arc[a].to]);
        insist(graph->arc[a].bytes >= 0 && isfinite(graph->arc[a].bytes));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct cs_error err = {0};
    struct cs_graph_list list = {0};
    struct cs_strbuf text = CS_STRBUF_INIT;
    int status;

    cs_strbuf_append(&text, (const char *)data, size);
    status = cs_graph_list_read_memory(&list, "fuzz", &text, NULL, &err);
    insist((status == 0) == (err.text[0] == '\0') && (status == 0) == (list.graphs > 0));
    for (int g = 0; g < list.graphs; g++)
        judge(list.graph[g]);
    cs_graph_list_release(&list);
    cs_strbuf_release(&text);
    return 0;
}
