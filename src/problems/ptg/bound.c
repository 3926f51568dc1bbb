/* bound.c - lower bounds on the makespan: area, path, and the window of every task.
 *
 * Source: spec/ptg.md 8.  Data transfers count as free, so the bounds hold for every network.
 *
 * A schedule of length D leaves task v a window of D - head(v) - tail(v), where head and tail are
 * the longest paths before (releases included) and after it with every task at its fastest.  To
 * fit, v needs at least n(v) processors of the fastest kind, and hence the area W (alpha n + 1 -
 * alpha); all areas must fit in D times the power of the platform.  The least such D is found by
 * bisection.
 *
 * Invariants
 *   - bound_fits is monotone: with a larger D areas shrink and the room grows.
 *   - the result is a length that does not fit, or max(area, path): never above the optimum.
 *   - limits on processors (limits.c) are left out, which can only lower the bound.
 *
 * Complexity: O(V + A) for heads and tails, O(V) for a test of one D.  The bisection ends at a
 * relative width of 1e-12 (spec/ptg.md 8; half and double not measured), about 40 tests after the
 * doublings.
 */
#include "problems/ptg/bound.h"

#include "base/guard.h"

#include <math.h>

struct window {
    const struct cs_ptg_instance *in;
    double *around; /* by task: head + tail */
    double fastest; /* speed */
};

static double best_time(const struct cs_ptg_instance *in, const struct cs_graph_task *task)
{
    const struct cs_platform *p = in->platform;
    double best = INFINITY;

    for (int k = 0; k < p->clusters; k++)
        best = fmin(best, cs_graph_task_time(task, p->cluster[k].procs, p->cluster[k].speed));
    return best;
}

/* One graph; returns its longest path, the release included. */
static double find_paths(const struct cs_ptg_instance *in, int g, double *head, double *tail,
                         struct cs_arena *scratch)
{
    const struct cs_graph *graph = in->graph[g];
    double *seconds = CS_NEW_ARRAY(scratch, double, graph->tasks), longest = 0;

    for (int i = 0; i < graph->tasks; i++) {
        int v = graph->order[i];

        seconds[v] = best_time(in, &graph->task[v]);
        head[v] = in->release[g];
        for (int a = graph->first_in[v]; a < graph->first_in[v + 1]; a++) {
            int from = graph->arc[graph->in[a]].from;

            head[v] = fmax(head[v], head[from] + seconds[from]);
        }
    }
    for (int i = graph->tasks - 1; i >= 0; i--) {
        int v = graph->order[i];

        tail[v] = 0;
        for (int a = graph->first_out[v]; a < graph->first_out[v + 1]; a++) {
            int to = graph->arc[a].to;

            tail[v] = fmax(tail[v], seconds[to] + tail[to]);
        }
        longest = fmax(longest, head[v] + tail[v] + seconds[v]);
    }
    return longest;
}

double cs_ptg_bound_paths(const struct cs_ptg_instance *in, double *head, double *tail,
                          struct cs_arena *scratch)
{
    double longest = 0;

    for (int g = 0; g < in->graphs; g++)
        longest =
            fmax(longest, find_paths(in, g, head + in->first[g], tail + in->first[g], scratch));
    return longest;
}

/* The area of a task that has so many seconds; +inf when no number of processors does. */
static double area_of(const struct cs_graph_task *task, double seconds, double speed)
{
    double one = task->flops / speed, den, procs = 1;

    if (!(task->flops > 0))
        return 0;
    if (seconds < one) {
        den = seconds / one - task->alpha;
        if (!(den > 0))
            return INFINITY;
        procs = (1 - task->alpha) / den;
    }
    return task->flops * (task->alpha * procs + 1 - task->alpha);
}

static bool bound_fits(const struct window *w, double length)
{
    double area = 0, room = length * w->in->power;

    for (int v = 0; v < w->in->tasks && area <= room; v++)
        area += area_of(cs_ptg_task(w->in, v), length - w->around[v], w->fastest);
    return area <= room;
}

static double find_window(const struct window *w, double low)
{
    double high = low;

    if (bound_fits(w, low))
        return low;
    while (!bound_fits(w, high))
        high *= 2;
    while (high - low > 1e-12 * high) {
        double middle = low + (high - low) / 2;

        if (middle <= low || middle >= high)
            break;
        if (bound_fits(w, middle))
            high = middle;
        else
            low = middle;
    }
    return low;
}

int cs_ptg_bounds_compute(const struct cs_ptg_instance *instance, struct cs_ptg_bounds *bounds)
{
    CS_ASK(instance && bounds, NULL, -1);
    CS_GUARD(NULL, -1);
    const struct cs_ptg_instance *in = instance;
    struct cs_arena *scratch = cs_arena_create();
    struct window w = {.in = in, .around = CS_NEW_ARRAY(scratch, double, in->tasks)};
    double *tail = CS_NEW_ARRAY(scratch, double, in->tasks), work = 0;

    *bounds = (struct cs_ptg_bounds){.integer = NAN, .interval = NAN};
    for (int k = 0; k < in->platform->clusters; k++)
        w.fastest = fmax(w.fastest, in->platform->cluster[k].speed);
    for (int g = 0; g < in->graphs; g++)
        work += in->graph[g]->work;
    bounds->path = cs_ptg_bound_paths(in, w.around, tail, scratch);
    for (int v = 0; v < in->tasks; v++)
        w.around[v] += tail[v];
    bounds->area = work / in->power;
    bounds->window = find_window(&w, fmax(bounds->area, bounds->path));
    cs_arena_destroy(scratch);
    return 0;
}
