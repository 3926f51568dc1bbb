/* graph.c - task graphs: validation, and common orders of tasks. */

#include "model/graph.h"
#include "base/arena.h"
#include "base/bug.h"
#include "base/guard.h"
#include "base/plain.h"
#include "model/known.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct named {
    const char *name;
    int task;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    int order = strcmp(x->name, y->name);

    return order ? order : (x->task > y->task) - (x->task < y->task);
}

static int check_task(const struct cs_graph_task *task, int at, struct cs_error *err)
{
    char number[16];
    const char *name = task->name;

    cs_plain_print(number, sizeof number, "%d", at);
    if (!name)
        name = number;
    if (!name[0])
        return cs_error_set(err, "task %d has an empty name", at);
    if (!(task->flops >= 0 && isfinite(task->flops)))
        return cs_error_set(
            err, "task %.60s: the amount of work is %g flop, it must be a number from 0 on", name,
            task->flops);
    if (!(task->memory >= 0 && isfinite(task->memory)))
        return cs_error_set(err, "task %.60s: memory is %g bytes, it must be a number from 0 on",
                            name, task->memory);
    if (task->cores < 0)
        return cs_error_set(err, "task %.60s: cores is %d, it must be a number from 0 on", name,
                            task->cores);
    if (!(task->alpha >= 0 && task->alpha <= 1))
        return cs_error_set(err, "task %.60s: alpha is %g, it must be in 0 .. 1", name,
                            task->alpha);
    return 0;
}

static int graph_check_names(const struct cs_graph_task *task, int tasks, struct cs_arena *scratch,
                             struct cs_error *err)
{
    struct named *list = CS_NEW_ARRAY(scratch, struct named, tasks);
    int count = 0;

    for (int v = 0; v < tasks; v++)
        if (task[v].name)
            list[count++] = (struct named){task[v].name, v};
    if (count > 0)
        qsort(list, (size_t)count, sizeof *list, by_name);
    for (int i = 1; i < count; i++)
        if (!strcmp(list[i].name, list[i - 1].name))
            return cs_error_set(err, "task %d: the name %.60s is that of task %d too", list[i].task,
                                list[i].name, list[i - 1].task);
    return 0;
}

static int check_arc(const struct cs_graph_arc *arc, int at, int tasks, struct cs_error *err)
{
    if (arc->from < 0 || arc->from >= tasks || arc->to < 0 || arc->to >= tasks)
        return cs_error_set(err, "arc %d from %d to %d: unknown task, there are %d", at, arc->from,
                            arc->to, tasks);
    if (arc->from == arc->to)
        return cs_error_set(err, "arc %d is a self loop of task %d", at, arc->from);
    if (!(arc->bytes >= 0 && isfinite(arc->bytes)))
        return cs_error_set(
            err, "arc %d from %d to %d: the arc weight is %g bytes, it must be a number from 0 on",
            at, arc->from, arc->to, arc->bytes);
    return 0;
}

static int check_all(int tasks, const struct cs_graph_task *task, int arcs,
                     const struct cs_graph_arc *arc, struct cs_error *err)
{
    struct cs_arena *scratch;
    double work = 0, bytes = 0;
    int status;

    if (tasks < 1)
        return cs_error_set(err, "the graph is empty: it has no task");
    for (int v = 0; v < tasks; v++) {
        if (check_task(&task[v], v, err))
            return -1;
        work += task[v].flops;
    }
    for (int a = 0; a < arcs; a++) {
        if (check_arc(&arc[a], a, tasks, err))
            return -1;
        bytes += arc[a].bytes;
    }
    if (!isfinite(work) || !isfinite(bytes))
        return cs_error_set(err, "the sum of all %s is too large for a number",
                            isfinite(work) ? "bytes" : "work");
    scratch = cs_arena_create();
    status = graph_check_names(task, tasks, scratch, err);
    cs_arena_destroy(scratch);
    return status;
}

static void copy_tasks(struct cs_graph *graph, const struct cs_graph_task *task,
                       struct cs_arena *arena)
{
    struct cs_graph_task *copy = CS_NEW_ARRAY(arena, struct cs_graph_task, graph->tasks);
    char number[16];

    for (int v = 0; v < graph->tasks; v++) {
        cs_plain_print(number, sizeof number, "%d", v);
        copy[v] = task[v];
        copy[v].name = cs_arena_strdup(arena, task[v].name ? task[v].name : number);
        graph->work += task[v].flops;
    }
    graph->task = copy;
}

/* index[] sorted stably by key, which is below `keys`; first[k] is where key k begins. */
static void graph_bucket(const int *key, const int *index, int count, int keys, int *sorted,
                         int *first)
{
    memset(first, 0, ((size_t)keys + 1) * sizeof *first);
    for (int i = 0; i < count; i++)
        first[key[index[i]] + 1]++;
    for (int k = 0; k < keys; k++)
        first[k + 1] += first[k];
    for (int i = 0; i < count; i++)
        sorted[first[key[index[i]]]++] = index[i];
    memmove(first + 1, first, (size_t)keys * sizeof *first);
    first[0] = 0;
}

/* Arcs by (from, to), equal ones merged in the order in which they were given. */
static void sort_arcs(struct cs_graph *graph, const struct cs_graph_arc *arc, int arcs,
                      struct cs_arena *arena, struct cs_arena *scratch)
{
    int *key = CS_NEW_ARRAY(scratch, int, arcs), *index = CS_NEW_ARRAY(scratch, int, arcs);
    int *sorted = CS_NEW_ARRAY(scratch, int, arcs);
    int *first = CS_NEW_ARRAY(arena, int, graph->tasks + 1);
    struct cs_graph_arc *copy = CS_NEW_ARRAY(arena, struct cs_graph_arc, arcs);

    for (int a = 0; a < arcs; a++) {
        index[a] = a;
        key[a] = arc[a].to;
    }
    graph_bucket(key, index, arcs, graph->tasks, sorted, first);
    for (int a = 0; a < arcs; a++)
        key[a] = arc[a].from;
    graph_bucket(key, sorted, arcs, graph->tasks, index, first);
    for (int i = 0; i < arcs; i++) {
        const struct cs_graph_arc *next = &arc[index[i]];
        struct cs_graph_arc *last = &copy[graph->arcs - 1];

        if (graph->arcs > 0 && last->from == next->from && last->to == next->to)
            last->bytes += next->bytes;
        else
            copy[graph->arcs++] = *next;
    }
    memset(first, 0, ((size_t)graph->tasks + 1) * sizeof *first);
    for (int a = 0; a < graph->arcs; a++)
        first[copy[a].from + 1]++;
    for (int v = 0; v < graph->tasks; v++)
        first[v + 1] += first[v];
    graph->arc = copy;
    graph->first_out = first;
}

static void sort_in(struct cs_graph *graph, struct cs_arena *arena, struct cs_arena *scratch)
{
    int *key = CS_NEW_ARRAY(scratch, int, graph->arcs);
    int *index = CS_NEW_ARRAY(scratch, int, graph->arcs);
    int *in = CS_NEW_ARRAY(arena, int, graph->arcs);
    int *first = CS_NEW_ARRAY(arena, int, graph->tasks + 1);

    for (int a = 0; a < graph->arcs; a++) {
        index[a] = a;
        key[a] = graph->arc[a].to;
    }
    graph_bucket(key, index, graph->arcs, graph->tasks, in, first);
    graph->in = in;
    graph->first_in = first;
}

/* A task on a cycle: from a task that was never reached, backwards until one comes again. */
static int on_cycle(const struct cs_graph *graph, const int *waits)
{
    int at = 0;

    while (waits[at] == 0)
        at++;
    for (int step = 0; step < graph->tasks; step++)
        for (int i = graph->first_in[at]; i < graph->first_in[at + 1]; i++)
            if (waits[graph->arc[graph->in[i]].from] > 0) {
                at = graph->arc[graph->in[i]].from;
                break;
            }
    return at;
}

/* level[] by longest paths; -1 with err when there is a cycle. */
static int find_levels(struct cs_graph *graph, int *level, struct cs_arena *scratch,
                       struct cs_error *err)
{
    int *waits = CS_NEW_ARRAY(scratch, int, graph->tasks);
    int *queue = CS_NEW_ARRAY(scratch, int, graph->tasks), count = 0;

    for (int v = 0; v < graph->tasks; v++) {
        waits[v] = graph->first_in[v + 1] - graph->first_in[v];
        if (waits[v] == 0)
            queue[count++] = v;
    }
    for (int i = 0; i < count; i++) {
        int v = queue[i];

        graph->levels = level[v] + 1 > graph->levels ? level[v] + 1 : graph->levels;
        for (int a = graph->first_out[v]; a < graph->first_out[v + 1]; a++) {
            int to = graph->arc[a].to;

            level[to] = level[to] > level[v] + 1 ? level[to] : level[v] + 1;
            if (--waits[to] == 0)
                queue[count++] = to;
        }
    }
    if (count < graph->tasks)
        return cs_error_set(err, "the graph has a cycle, through task %.60s",
                            graph->task[on_cycle(graph, waits)].name);
    return 0;
}

static int sort_levels(struct cs_graph *graph, struct cs_arena *arena, struct cs_arena *scratch,
                       struct cs_error *err)
{
    int *level = CS_NEW_ARRAY(arena, int, graph->tasks);
    int *order = CS_NEW_ARRAY(arena, int, graph->tasks);
    int *index = CS_NEW_ARRAY(scratch, int, graph->tasks);
    int *members, *first;

    if (find_levels(graph, level, scratch, err))
        return -1;
    members = CS_NEW_ARRAY(arena, int, graph->levels);
    first = CS_NEW_ARRAY(scratch, int, graph->levels + 1);
    for (int v = 0; v < graph->tasks; v++)
        index[v] = v;
    graph_bucket(level, index, graph->tasks, graph->levels, order, first);
    for (int l = 0; l < graph->levels; l++) {
        members[l] = first[l + 1] - first[l];
        graph->width = members[l] > graph->width ? members[l] : graph->width;
    }
    graph->level = level;
    graph->members = members;
    graph->order = order;
    return 0;
}

struct cs_graph *cs_graph_create(const char *name, int tasks, const struct cs_graph_task *task,
                                 int arcs, const struct cs_graph_arc *arc, struct cs_error *err)
{
    CS_ASK(name && (task || tasks < 1) && (arc || arcs < 1), err, NULL);
    CS_GUARD(err, NULL);
    struct cs_arena *arena, *scratch;
    struct cs_graph *graph;
    int status;

    if (check_all(tasks, task, arcs, arc, err))
        return NULL;
    arena = cs_arena_create();
    scratch = cs_arena_create();
    graph = CS_NEW(arena, struct cs_graph);
    graph->name = cs_arena_strdup(arena, name);
    graph->tasks = tasks;
    graph->storage = arena;
    copy_tasks(graph, task, arena);
    sort_arcs(graph, arc, arcs, arena, scratch);
    sort_in(graph, arena, scratch);
    status = sort_levels(graph, arena, scratch, err);
    cs_arena_destroy(scratch);
    if (status == 0)
        return graph;
    cs_arena_destroy(arena);
    return NULL;
}

int cs_graph_set_known(struct cs_graph *graph, const char *text, struct cs_error *err)
{
    struct cs_known *known = CS_NEW((struct cs_arena *)graph->storage, struct cs_known);

    if (cs_known_parse(text, known, graph->storage, err))
        return -1;
    graph->known = known;
    return 0;
}

void cs_graph_destroy(struct cs_graph *graph)
{
    if (graph)
        cs_arena_destroy(graph->storage);
}

double cs_graph_task_time(const struct cs_graph_task *task, int procs, double speed)
{
    CS_ASK(task && procs >= 1, NULL, NAN);
    return (task->alpha + (1 - task->alpha) / procs) * task->flops / speed;
}

double cs_graph_critical_path(const struct cs_graph *graph, const int *procs, double speed,
                              double *bottom)
{
    CS_ASK(graph, NULL, NAN);
    CS_GUARD(NULL, NAN);
    struct cs_arena *scratch = cs_arena_create();
    double *length = bottom ? bottom : CS_NEW_ARRAY(scratch, double, graph->tasks);
    double longest = 0;

    for (int i = graph->tasks - 1; i >= 0; i--) {
        int v = graph->order[i];
        double after = 0;

        for (int a = graph->first_out[v]; a < graph->first_out[v + 1]; a++)
            after = fmax(after, length[graph->arc[a].to]);
        length[v] = cs_graph_task_time(&graph->task[v], procs ? procs[v] : 1, speed) + after;
        longest = fmax(longest, length[v]);
    }
    cs_arena_destroy(scratch);
    return longest;
}
