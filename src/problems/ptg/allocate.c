/* allocate.c - SCRAP-MAX and SCRAP, exactly and in batches.
 *
 * Source: N'takpe, Suter, RR-6774, the constrained allocation procedures; spec/ptg.md 3 and 3.1.
 *
 * Idea: every task begins with one reference processor.  The task of the critical path that gains
 * most gets one more, until the share (SCRAP-MAX: of each precedence level; SCRAP: of the whole
 * graph) lets no task of that path grow.  Exactly, only the critical path is settled after a step;
 * in batches a path grows until it is shorter by the part `batch`; in bulk all paths that are
 * nearly as long grow with it.
 *
 * Invariants
 *   - use[l] is the sum of procs[v] over level l.  SCRAP-MAX: use[l] * speed stays within the
 *     share, except in levels that have more tasks than the share has processors (these stay at
 *     1).
 *   - procs[v] only grows, so a bottom level of an earlier round is an upper bound.  Steps that
 *     SCRAP takes back are the exception: either all levels are recomputed or the procedure ends.
 *   - seen[v] == round (not in bulk): bottom[v] is exact; `entries` has the entry tasks by falling
 *     bottom level.
 *   - most[v] == procs[v]: the task is blocked for good (a level never gets room back).
 *   - seconds[v] and gain[v] belong to procs[v].
 *
 * Complexity, V tasks, A arcs: at most the sum over levels of beta P_ref steps.  A step
 * costs the path and the arcs of the tasks that are settled again, at most V + A (bench/README.md:
 * about the length of the path).  In batches about ln(first / last path) / batch rounds; in bulk a
 * round is two sweeps of V + A and a heap.  Memory O(V).
 *
 * Constants
 *   name         value      unit           found by                    half, double
 *   EXACT_MOST   2000       tasks          spec/ptg.md 3.1, suggested  not measured
 *   BATCH_LARGE  0.01       part of path   spec/ptg.md 3.1, see below  not measured
 *   BULK_ABOVE   20000      tasks          see below                   not measured
 *   FEW          16         tasks          not measured                not measured
 *   ALIKE        1 - 1e-12  ratio          rounding of equal gains     not measured
 *   LOWER        0.5        part of gain   not measured                not measured
 *   HIGHER       0.999      part of gain   not measured                not measured
 * BATCH_LARGE: the last critical path is 0 to 2 % longer than the exact one; with 0.001 it is 0 to
 * 0.1 %, with 0.05 0 to 7 % (spec/ptg.md 3.1).  10,000 tasks in 101 levels took the reference 1.5
 * s, with 0.001 5.6 s and with 0.05 0.48 s.  BULK_ABOVE: a graph of 100,000 tasks takes 1.8 to 5.2
 * s in bulk and took minutes path by path (bench/README.md, "Task graphs"); the threshold was not
 * varied.  FEW, LOWER and HIGHER decide only which steps are tried together, not their order (up
 * to rounding).
 */
#include "problems/ptg/allocate.h"

#include "base/heap.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define EXACT_MOST 2000
#define BATCH_LARGE 0.01
#define BULK_ABOVE 20000
#define FEW 16            /* tasks that are searched for the best one at each step */
#define ALIKE (1 - 1e-12) /* gains at least this part of another count as equal */
#define LOWER 0.5         /* the range of the gain that is tried first, relative to the largest */
#define HIGHER 0.999

struct state {
    const struct cs_graph *graph;
    const struct cs_ptg_reference *reference;
    const struct cs_ptg_options *options;
    double share;    /* flop/s that the graph may use */
    int *procs;      /* by task, as all that follow */
    double *bottom;  /* bottom level */
    double *after;   /* of its best successor, when it was settled */
    double *seconds; /* on procs */
    double *gain;    /* of one more processor */
    int *most;       /* where it must stop growing; its allocation when it is blocked */
    int *best;       /* the successor of the largest bottom level, or -1 */
    int64_t *seen;   /* the round in which its bottom level was right for sure */
    int64_t round;
    int *stack;
    int *use;               /* by level: processors */
    struct cs_heap entries; /* by -bottom */
};

/* The tasks of the critical path that may grow. */
struct path {
    int count, *task;
    int *procs;         /* what a trial would make of them */
    double least, most; /* gains of one step */
    double lower;       /* the gain to try first, relative: where the last path was short enough */
};

static double time_on(const struct state *s, int task, int procs)
{
    return cs_graph_task_time(&s->graph->task[task], procs, s->reference->speed);
}

/* Of one more processor, which changes the seconds from `now` to `next`. */
static double gain_of(const struct state *s, double now, double next, int procs)
{
    return s->options->gain == CS_PTG_GAIN_TIME ? now - next
                                                : now / procs - next / ((double)procs + 1);
}

static void set_procs(struct state *s, int task, int procs)
{
    double now = time_on(s, task, procs), next = time_on(s, task, procs + 1);

    s->procs[task] = procs;
    s->seconds[task] = now;
    s->gain[task] = gain_of(s, now, next, procs);
}

/* The successor of the largest bottom level that is known, ties to the lowest; -1: none. */
static int best_successor(const struct state *s, int task)
{
    const struct cs_graph *g = s->graph;
    int best = -1;

    for (int a = g->first_out[task]; a < g->first_out[task + 1]; a++)
        if (best < 0 || s->bottom[g->arc[a].to] > s->bottom[best])
            best = g->arc[a].to;
    return best;
}

static void allocate_sink(struct state *s, int task, int best)
{
    s->best[task] = best;
    s->after[task] = best < 0 ? 0 : s->bottom[best];
    s->bottom[task] = s->seconds[task] + s->after[task];
    s->seen[task] = s->round;
}

/* Bottom levels of all, from scratch. */
static void sink_all(struct state *s)
{
    s->round++;
    for (int i = s->graph->tasks - 1; i >= 0; i--) {
        int v = s->graph->order[i];

        allocate_sink(s, v, best_successor(s, v));
        if (s->graph->level[v] == 0)
            cs_heap_update(&s->entries, v, -s->bottom[v]);
    }
}

/* The same for those that never settle single paths: bottom levels and best successors only.  One
 * sweep over the arcs in the order in which they lie in memory. */
static void allocate_sweep(struct state *s)
{
    const struct cs_graph *g = s->graph;
    const struct cs_graph_arc *arc = g->arc;
    double *bottom = s->bottom;

    for (int i = g->tasks - 1; i >= 0; i--) {
        int v = g->order[i], best = -1, end = g->first_out[v + 1];
        double after = 0;

        for (int a = g->first_out[v]; a < end; a++)
            if (best < 0 || bottom[arc[a].to] > after) {
                best = arc[a].to;
                after = bottom[best];
            }
        s->best[v] = best;
        bottom[v] = s->seconds[v] + after;
    }
    for (int i = 0; i < g->members[0]; i++)
        cs_heap_update(&s->entries, g->order[i], -bottom[g->order[i]]);
}

/* The bottom level of one task.  Those that are known from earlier rounds are upper bounds: a task
 * is settled when its best successor is, which is still the one that it was if that has not
 * changed. */
static void allocate_settle(struct state *s, int task)
{
    int depth = 1;

    s->stack[0] = task;
    while (depth > 0) {
        int v = s->stack[depth - 1], best = s->best[v];

        if (best >= 0 && s->seen[best] == s->round && s->bottom[best] != s->after[v])
            best = best_successor(s, v);
        if (best < 0 || s->seen[best] == s->round) {
            allocate_sink(s, v, best);
            depth--;
        } else {
            s->stack[depth++] = best;
        }
    }
}

/* Settle the critical path: that of the first entry, whose bottom level no other bound exceeds. */
static void settle_path(struct state *s)
{
    s->round++;
    for (;;) {
        int entry = cs_heap_top(&s->entries);

        if (s->seen[entry] == s->round)
            return;
        allocate_settle(s, entry);
        cs_heap_update(&s->entries, entry, -s->bottom[entry]);
    }
}

/* May its level have so many processors more? */
static bool level_open(const struct state *s, int task, int more)
{
    double use = s->use[s->graph->level[task]] + (double)more;

    return s->options->procedure == CS_PTG_SCRAP ||
           use * s->reference->speed <= s->share + 1e-9 * s->reference->power;
}

/* May the task grow?  If not, it never may again. */
static bool can_grow(struct state *s, int task)
{
    if (s->procs[task] >= s->most[task])
        return false;
    if (level_open(s, task, 1))
        return true;
    s->most[task] = s->procs[task];
    return false;
}

/* The task of the critical path that gains most, or -1. */
static int allocate_pick(struct state *s)
{
    int best = -1;
    double gain = 0;

    for (int v = cs_heap_top(&s->entries); v >= 0; v = s->best[v])
        if (s->gain[v] > gain && can_grow(s, v)) {
            gain = s->gain[v];
            best = v;
        }
    return best;
}

static void allocate_grow(struct state *s, int task, int by)
{
    set_procs(s, task, s->procs[task] + by);
    s->use[s->graph->level[task]] += by;
}

/* The power that tasks use on average while a path of this length lasts. */
static double power_used(const struct state *s, double path)
{
    double area = 0;

    for (int v = 0; v < s->graph->tasks; v++)
        area += s->procs[v] * s->seconds[v];
    return area * s->reference->speed / path;
}

static double path_length(const struct state *s)
{
    return -cs_heap_top_key(&s->entries);
}

/* One step after the other (spec/ptg.md 3).  SCRAP tests its bound before each step, and takes a
 * step back that exceeds it. */
static void run_exactly(struct state *s)
{
    bool scrap = s->options->procedure == CS_PTG_SCRAP;
    int task;

    for (;;) {
        if (scrap && !(power_used(s, path_length(s)) < s->share))
            return;
        task = allocate_pick(s);
        if (task < 0)
            return;
        allocate_grow(s, task, 1);
        settle_path(s);
        if (scrap && power_used(s, path_length(s)) > s->share * (1 + 1e-9)) {
            allocate_grow(s, task, -1);
            return;
        }
    }
}

static struct path new_path(const struct cs_graph *graph, struct cs_arena *scratch)
{
    return (struct path){.task = CS_NEW_ARRAY(scratch, int, graph->levels),
                         .procs = CS_NEW_ARRAY(scratch, int, graph->levels),
                         .lower = LOWER};
}

static void allocate_put(struct path *path, int task, double gain)
{
    path->task[path->count++] = task;
    path->least = gain < path->least ? gain : path->least;
    path->most = gain > path->most ? gain : path->most;
}

static void list_path(struct state *s, struct path *path)
{
    path->count = 0;
    path->least = INFINITY;
    path->most = 0;
    for (int v = cs_heap_top(&s->entries); v >= 0; v = s->best[v])
        if (s->gain[v] > 0 && can_grow(s, v))
            allocate_put(path, v, s->gain[v]);
}

/* Only those stay whose next step gains more than `low`. */
static void keep_above(const struct state *s, struct path *path, double low)
{
    int count = path->count;

    path->count = 0;
    path->least = INFINITY;
    path->most = 0;
    for (int i = 0; i < count; i++) {
        int v = path->task[i];

        if (s->gain[v] > low && s->procs[v] < s->most[v])
            allocate_put(path, v, s->gain[v]);
    }
}

/* The effect of steps that are only tried. */
struct trial {
    double saved; /* of the length of the path */
    double last;  /* the least gain of a step */
};

/* How many processors a task has after all of its steps that gain more than `least`.  A path has
 * one task of a level at most, so no other step of the path fills that level. */
static int after_steps(const struct state *s, int task, double least, struct trial *trial)
{
    int had = s->procs[task], procs = had, most = s->most[task];
    double gain = s->gain[task], now = s->seconds[task], next = -1;

    while (gain > least && procs < most && level_open(s, task, procs + 1 - had)) {
        trial->last = gain < trial->last ? gain : trial->last;
        procs++;
        now = next < 0 ? time_on(s, task, procs) : next;
        next = time_on(s, task, procs + 1);
        gain = gain_of(s, now, next, procs);
    }
    trial->saved += s->seconds[task] - now;
    return procs;
}

/* All steps of the path that gain more than `least`, or as many as save more than `enough`. */
static struct trial try_steps(const struct state *s, struct path *path, double least, double enough)
{
    struct trial trial = {0, INFINITY};

    for (int i = 0; i < path->count && trial.saved < enough; i++) {
        int v = path->task[i];

        path->procs[i] = s->gain[v] > least ? after_steps(s, v, least, &trial) : s->procs[v];
    }
    return trial;
}

/* Returns what the path is shorter by. */
static double allocate_take(struct state *s, int task, int by)
{
    double before = s->seconds[task];

    allocate_grow(s, task, by);
    can_grow(s, task);
    return before - s->seconds[task];
}

static void take_steps(struct state *s, const struct path *path)
{
    for (int i = 0; i < path->count; i++)
        if (path->procs[i] > s->procs[path->task[i]])
            allocate_take(s, path->task[i], path->procs[i] - s->procs[path->task[i]]);
}

/* All that are left gain the same: one step each, in the order of the path. */
static double step_in_turn(struct state *s, const struct path *path, double length, double target)
{
    for (int i = 0; i < path->count && length > target; i++)
        length -= allocate_take(s, path->task[i], 1);
    return length;
}

/* Few are left, the best one goes first. */
static double step_best(struct state *s, const struct path *path, double length)
{
    int best = path->task[0];

    for (int i = 1; i < path->count; i++)
        if (s->gain[path->task[i]] > s->gain[best])
            best = path->task[i];
    return length - allocate_take(s, best, 1);
}

/* Grow the critical path, best gain first, until its length has fallen to `target`.  The gain of
 * the last step; -1: no task of it could grow.
 *
 * Steps are not taken one by one: all that gain more than some gain are tried in one pass, and
 * taken if the path is then still too long.  If not, only they are left, and the gain to try next
 * lies halfway between `low`, with which the path gets short enough, and the largest gain. */
static double grow_path(struct state *s, struct path *path, double length, double target)
{
    double low = 0, last = -1, first;

    list_path(s, path);
    for (first = path->most; path->count > 0; keep_above(s, path, low)) {
        double least = path->most * (low > 0 ? (1 + low / path->most) / 2 : path->lower);

        if (path->least >= path->most * ALIKE || (low > 0 && path->count <= FEW)) {
            last = path->most;
            length = path->least >= path->most * ALIKE ? step_in_turn(s, path, length, target)
                                                       : step_best(s, path, length);
            if (!(length > target))
                break;
        } else {
            struct trial trial = try_steps(s, path, least, length - target);

            if (trial.saved < length - target) {
                take_steps(s, path);
                length -= trial.saved;
                last = trial.last;
            } else {
                low = least;
            }
        }
    }
    if (last > 0)
        path->lower = fmin(fmax(last / first, LOWER), HIGHER);
    return last;
}

/* SCRAP bounds the whole graph: is the average power used up?  Never so for SCRAP-MAX. */
static bool allocate_over(struct state *s)
{
    return s->options->procedure == CS_PTG_SCRAP && !(power_used(s, path_length(s)) < s->share);
}

/* Rounds that shorten the critical path by the part `batch`.  SCRAP: a round that exceeds the bound
 * is taken back and its steps are repeated exactly. */
static void run_in_batches(struct state *s, double batch, struct cs_arena *scratch)
{
    int tasks = s->graph->tasks;
    int *before = CS_NEW_ARRAY(scratch, int, tasks);
    struct path path = new_path(s->graph, scratch);

    while (!allocate_over(s)) {
        double length = path_length(s);

        if (s->options->procedure == CS_PTG_SCRAP)
            memcpy(before, s->procs, (size_t)tasks * sizeof *before);
        if (grow_path(s, &path, length, length * (1 - batch)) < 0)
            return;
        settle_path(s);
        if (!allocate_over(s))
            continue;
        for (int v = 0; v < tasks; v++)
            if (s->procs[v] != before[v])
                allocate_grow(s, v, before[v] - s->procs[v]);
        sink_all(s);
        run_exactly(s);
        return;
    }
}

/* All tasks on paths longer than `target` that gain more than `least` grow, best gain first. */
static void grow_others(struct state *s, struct cs_heap *heap, const double *head, double target,
                        double least)
{
    cs_heap_reset(heap);
    for (int v = 0; v < s->graph->tasks; v++)
        if (s->gain[v] > least && head[v] + s->bottom[v] > target && can_grow(s, v))
            cs_heap_append(heap, v, -s->gain[v]);
    cs_heap_order(heap);
    while (heap->count > 0) {
        int v = cs_heap_top(heap);

        if (s->gain[v] > least && can_grow(s, v)) {
            allocate_grow(s, v, 1);
            cs_heap_update(heap, v, -s->gain[v]);
        } else {
            cs_heap_pop(heap);
        }
    }
}

/* head[v]: the longest path to v, without it. */
static void find_heads(const struct state *s, double *head)
{
    const struct cs_graph *g = s->graph;

    memset(head, 0, (size_t)g->tasks * sizeof *head);
    for (int i = 0; i < g->tasks; i++) {
        int v = g->order[i];
        double end = head[v] + s->seconds[v];

        for (int a = g->first_out[v]; a < g->first_out[v + 1]; a++)
            if (head[g->arc[a].to] < end)
                head[g->arc[a].to] = end;
    }
}

/* Batches for large graphs: the tasks of all paths that are nearly as long grow with those of the
 * critical path, down to the gain of its last step.  SCRAP-MAX only. */
static void run_in_bulk(struct state *s, double batch, struct cs_arena *scratch)
{
    double *head = CS_NEW_ARRAY(scratch, double, s->graph->tasks);
    struct path path = new_path(s->graph, scratch);
    struct cs_heap heap;

    cs_heap_init(&heap, s->graph->tasks, scratch);
    for (;;) {
        double length = path_length(s), target = length * (1 - batch), gain;

        find_heads(s, head);
        gain = grow_path(s, &path, length, target);
        if (gain < 0)
            return;
        grow_others(s, &heap, head, target, gain);
        allocate_sweep(s);
    }
}

static void allocate_prepare(struct state *s, struct cs_arena *scratch)
{
    const struct cs_graph *g = s->graph;

    s->after = CS_NEW_ARRAY(scratch, double, g->tasks);
    s->seconds = CS_NEW_ARRAY(scratch, double, g->tasks);
    s->gain = CS_NEW_ARRAY(scratch, double, g->tasks);
    s->most = CS_NEW_ARRAY(scratch, int, g->tasks);
    s->best = CS_NEW_ARRAY(scratch, int, g->tasks);
    s->seen = CS_NEW_ARRAY(scratch, int64_t, g->tasks);
    s->stack = CS_NEW_ARRAY(scratch, int, g->levels);
    s->use = CS_NEW_ARRAY(scratch, int, g->levels);
    cs_heap_init(&s->entries, g->tasks, scratch);
    memcpy(s->use, g->members, (size_t)g->levels * sizeof *s->use);
    for (int v = 0; v < g->tasks; v++) {
        s->most[v] = cs_ptg_reference_most(s->reference, g->task[v].alpha, s->options);
        set_procs(s, v, 1);
        if (g->level[v] == 0)
            cs_heap_push(&s->entries, v, 0);
    }
    sink_all(s);
}

/* The part of the path that a round takes off; 0: exactly.  A part that is lost in rounding is
 * exact too: its rounds would be one step each, as many as the exact steps and more expensive. */
static double batch_of(const struct cs_graph *graph, const struct cs_ptg_options *options)
{
    if (options->batch == CS_PTG_BATCH_AUTO)
        return graph->tasks > EXACT_MOST ? BATCH_LARGE : 0;
    return 1 - options->batch < 1 ? options->batch : 0;
}

void cs_ptg_allocate(const struct cs_graph *graph, const struct cs_ptg_reference *reference,
                     const struct cs_ptg_options *options, double beta, int *procs, double *bottom,
                     struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    double batch = batch_of(graph, options);
    struct state s = {
        .graph = graph,
        .reference = reference,
        .options = options,
        .share = beta * reference->power,
        .procs = procs,
        .bottom = bottom,
    };

    allocate_prepare(&s, scratch);
    if (batch > 0 && graph->tasks > BULK_ABOVE && options->procedure == CS_PTG_SCRAP_MAX)
        run_in_bulk(&s, batch, scratch);
    else if (batch > 0)
        run_in_batches(&s, batch, scratch);
    else
        run_exactly(&s);
    allocate_sweep(&s);
    cs_arena_rewind(scratch, mark);
}
