/* graph: task graphs in all formats, by what is inside. */
#include "fuzz/fuzz.h"
#include "io/graph_json.h"

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
    struct cs_error err = {{0}};
    struct cs_graph *graph = cs_graph_read_memory("fuzz", data, size, NULL, &err);

    insist((graph != NULL) == (err.text[0] == '\0'));
    if (graph)
        judge(graph);
    cs_graph_destroy(graph);
    return 0;
}
