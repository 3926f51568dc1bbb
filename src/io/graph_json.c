/* graph_json.c - task graphs in our own words. */
#include "io/graph_json.h"

#include "io/graph_build.h"
#include "model/known.h"

#include <limits.h>
#include <math.h>
#include <string.h>

static int check_format(const struct cs_json_at *at, struct cs_error *err)
{
    const char *format;

    if (!cs_json_has(at, "format"))
        return 0;
    if (cs_json_get_string(at, "format", &format, err))
        return -1;
    if (strcmp(format, CS_GRAPH_FORMAT))
        return cs_json_error(at, err, "format is %.60s, expected " CS_GRAPH_FORMAT, format);
    return 0;
}

static int read_task(const struct cs_json_at *at, struct cs_graph_task *task, struct cs_error *err)
{
    const char *fault;

    if (cs_json_keys(at, "name|flops|alpha|memory|cores", err) ||
        cs_json_get_double(at, "flops", CS_NUMBER_FINITE, &task->flops, err) ||
        (cs_json_has(at, "alpha") &&
         cs_json_get_double(at, "alpha", CS_NUMBER_FINITE, &task->alpha, err)) ||
        (cs_json_has(at, "memory") &&
         cs_json_get_double(at, "memory", CS_NUMBER_FINITE, &task->memory, err)) ||
        (cs_json_has(at, "cores") && cs_json_get_int(at, "cores", 0, INT_MAX, &task->cores, err)))
        return -1;
    if (!cs_json_has(at, "name"))
        return 0;
    if (cs_json_get_string(at, "name", &task->name, err))
        return -1;
    fault = cs_names_fault(task->name);
    return fault ? cs_json_error(at, err, "the name of a task: %s", fault) : 0;
}

static int read_arc(const struct cs_json_at *at, int tasks, struct cs_graph_arc *arc,
                    struct cs_error *err)
{
    struct cs_json_at item;
    size_t count;

    if (cs_json_array(at, &count, err))
        return -1;
    if (count != 2 && count != 3)
        return cs_json_error(at, err, "found %zu values, expected from, to and bytes", count);
    item = cs_json_element(at, 0);
    if (cs_json_int(&item, 0, INT_MAX, &arc->from, err))
        return -1;
    item = cs_json_element(at, 1);
    if (cs_json_int(&item, 0, INT_MAX, &arc->to, err))
        return -1;
    if (arc->from >= tasks || arc->to >= tasks)
        return cs_json_error(at, err, "unknown task %d, there are %d, counted from 0",
                             arc->from >= tasks ? arc->from : arc->to, tasks);
    if (count == 2)
        return 0;
    item = cs_json_element(at, 2);
    return cs_json_double(&item, CS_NUMBER_FINITE, &arc->bytes, err);
}

static struct cs_graph *read_lists(const struct cs_json_at *at, const char *name,
                                   struct cs_arena *scratch, struct cs_error *err)
{
    struct cs_error fault = {0};
    struct cs_json_at tasks, arcs, item;
    struct cs_graph_task *task;
    struct cs_graph_arc *arc;
    struct cs_graph *graph;
    size_t n, m;

    if (cs_json_member(at, "tasks", &tasks, err) || cs_json_array(&tasks, &n, err) ||
        cs_json_member(at, "arcs", &arcs, err) || cs_json_array(&arcs, &m, err))
        return NULL;
    task = CS_NEW_ARRAY(scratch, struct cs_graph_task, n);
    arc = CS_NEW_ARRAY(scratch, struct cs_graph_arc, m);
    for (size_t v = 0; v < n; v++) {
        item = cs_json_element(&tasks, v);
        if (read_task(&item, &task[v], err))
            return NULL;
    }
    for (size_t a = 0; a < m; a++) {
        item = cs_json_element(&arcs, a);
        if (read_arc(&item, (int)n, &arc[a], err))
            return NULL;
    }
    graph = cs_graph_create(name, (int)n, task, (int)m, arc, &fault);
    if (!graph)
        cs_json_error(at, err, "%s", fault.text);
    return graph;
}

struct cs_graph *cs_graph_json_read(const struct cs_json_at *at, const char *file,
                                    struct cs_error *err)
{
    const char *name = "";
    struct cs_arena *scratch;
    struct cs_graph *graph;

    if (cs_json_keys(at, "format|note|name|known|tasks|arcs", err) || check_format(at, err) ||
        (cs_json_has(at, "name") && cs_json_get_string(at, "name", &name, err)))
        return NULL;
    scratch = cs_arena_create();
    graph =
        read_lists(at, cs_names_fault(name) ? cs_graph_stem(file, scratch) : name, scratch, err);
    cs_arena_destroy(scratch);
    if (!graph || !cs_known_get(at, &graph->known, graph->storage, err))
        return graph;
    cs_graph_destroy(graph);
    return NULL;
}

void cs_graph_json_put(struct cs_jsonw *w, const struct cs_graph *graph)
{
    cs_jsonw_open(w, '{');
    cs_jsonw_put_string(w, "format", CS_GRAPH_FORMAT);
    cs_jsonw_put_string(w, "name", graph->name);
    if (graph->known)
        cs_known_put(graph->known, w);
    cs_jsonw_key(w, "tasks");
    cs_jsonw_open(w, '[');
    for (int v = 0; v < graph->tasks; v++) {
        cs_jsonw_open_flat(w, '{');
        cs_jsonw_put_string(w, "name", graph->task[v].name);
        cs_jsonw_put_double(w, "flops", graph->task[v].flops);
        cs_jsonw_put_double(w, "alpha", graph->task[v].alpha);
        if (graph->task[v].memory > 0)
            cs_jsonw_put_double(w, "memory", graph->task[v].memory);
        if (graph->task[v].cores > 0)
            cs_jsonw_put_int(w, "cores", graph->task[v].cores);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
    cs_jsonw_key(w, "arcs");
    cs_jsonw_open(w, '[');
    for (int a = 0; a < graph->arcs; a++) {
        cs_jsonw_open_flat(w, '[');
        cs_jsonw_int(w, graph->arc[a].from);
        cs_jsonw_int(w, graph->arc[a].to);
        cs_jsonw_double(w, graph->arc[a].bytes);
        cs_jsonw_close(w);
    }
    cs_jsonw_close(w);
    cs_jsonw_close(w);
}
