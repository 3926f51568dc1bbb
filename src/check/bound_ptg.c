/* bound_ptg.c - windows of tasks between the longest paths, as in bound.h. */
#include "base/arena.h"
#include "check/bound.h"

#include <math.h>

struct windows {
    int tasks;
    const struct cs_graph_task **task;
    double *around; /* by task: the longest path before it, its release included, and after it */
    double speed;   /* of the fastest processor */
    double power;   /* of all processors */
};

static double seconds_at_best(const struct cs_platform *p, const struct cs_graph_task *task)
{
    double best = INFINITY;

    for (int k = 0; k < p->clusters; k++) {
        double one = task->flops / p->cluster[k].speed;

        best = fmin(best, one * (task->alpha + (1 - task->alpha) / p->cluster[k].procs));
    }
    return best;
}

/* The longest path of the graph; around[] of its tasks. */
static double bound_ptg_walk(const struct cs_graph *graph, const struct cs_platform *p,
                             double release, double *around, struct cs_arena *arena)
{
    double *seconds = CS_NEW_ARRAY(arena, double, graph->tasks), longest = 0;
    double *after = CS_NEW_ARRAY(arena, double, graph->tasks);

    for (int v = 0; v < graph->tasks; v++) {
        seconds[v] = seconds_at_best(p, &graph->task[v]);
        around[v] = release;
    }
    for (int i = 0; i < graph->tasks; i++)
        for (int a = graph->first_out[graph->order[i]]; a < graph->first_out[graph->order[i] + 1];
             a++) {
            const struct cs_graph_arc *arc = &graph->arc[a];

            around[arc->to] = fmax(around[arc->to], around[arc->from] + seconds[arc->from]);
        }
    for (int i = graph->tasks; i-- > 0;)
        for (int a = graph->first_out[graph->order[i]]; a < graph->first_out[graph->order[i] + 1];
             a++) {
            const struct cs_graph_arc *arc = &graph->arc[a];

            after[arc->from] = fmax(after[arc->from], seconds[arc->to] + after[arc->to]);
        }
    for (int v = 0; v < graph->tasks; v++) {
        around[v] += after[v];
        longest = fmax(longest, around[v] + seconds[v]);
    }
    return longest;
}

/* The flops that a task takes on as few processors as end it within the seconds. */
static double least_area(const struct windows *w, int v, double seconds)
{
    const struct cs_graph_task *task = w->task[v];
    double one = task->flops / w->speed, share;

    if (!(one > 0))
        return 0;
    share = seconds / one - task->alpha;
    if (seconds >= one)
        return task->flops;
    return share > 0 ? task->flops * (1 - task->alpha) * (1 + task->alpha / share) : INFINITY;
}

static bool bound_ptg_fits(const struct windows *w, double length)
{
    double area = 0;

    for (int v = 0; v < w->tasks; v++)
        area += least_area(w, v, length - w->around[v]);
    return area <= length * w->power;
}

static double least_length(const struct windows *w, double low)
{
    double high = low;

    while (!bound_ptg_fits(w, high) && isfinite(high))
        high *= 2;
    for (int step = 0; step < 100 && high > low; step++) {
        double middle = low + (high - low) / 2;

        *(bound_ptg_fits(w, middle) ? &high : &low) = middle;
    }
    return high;
}

double cs_check_bound_ptg(const struct cs_ptg_declared *declared,
                          const struct cs_platform *platform)
{
    struct cs_arena *arena = cs_arena_create();
    struct windows w = {0};
    double path = 0, length;

    for (int k = 0; k < platform->clusters; k++) {
        w.speed = fmax(w.speed, platform->cluster[k].speed);
        w.power += platform->cluster[k].speed * platform->cluster[k].procs;
    }
    for (int g = 0; g < declared->graphs; g++)
        w.tasks += declared->graph[g]->tasks;
    w.task = CS_NEW_ARRAY(arena, const struct cs_graph_task *, w.tasks);
    w.around = CS_NEW_ARRAY(arena, double, w.tasks);
    for (int g = 0, first = 0; g < declared->graphs; first += declared->graph[g++]->tasks) {
        double release = declared->release ? declared->release[g] : 0;

        for (int v = 0; v < declared->graph[g]->tasks; v++)
            w.task[first + v] = &declared->graph[g]->task[v];
        path = fmax(path,
                    bound_ptg_walk(declared->graph[g], platform, release, w.around + first, arena));
    }
    length = least_length(&w, path);
    cs_arena_destroy(arena);
    return length;
}
