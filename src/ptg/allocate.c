/* allocate.c - SCRAP-MAX and SCRAP, exactly and in batches. */
#include "ptg/allocate.h"

#include "base/heap.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define EXACT_MOST 2000
#define BATCH_LARGE 0.01
#define BULK_ABOVE 20000

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

static double time_on(const struct state *s, int task, int procs)
{
    return cs_graph_task_time(&s->graph->task[task], procs, s->reference->speed);
}

static void set_procs(struct state *s, int task, int procs)
{
    double now = time_on(s, task, procs), next = time_on(s, task, procs + 1);

    s->procs[task] = procs;
    s->seconds[task] = now;
    s->gain[task] = s->options->gain == CS_PTG_GAIN_TIME ? now - next
                                                         : now / procs - next / ((double)procs + 1);
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

static void sink(struct state *s, int task, int best)
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

        sink(s, v, best_successor(s, v));
        if (s->graph->level[v] == 0)
            cs_heap_update(&s->entries, v, -s->bottom[v]);
    }
}

/* The bottom level of one task.  Those that are known from earlier rounds are upper bounds: a task
 * is settled when its best successor is, which is still the one that it was if that has not
 * changed. */
static void settle(struct state *s, int task)
{
    int depth = 1;

    s->stack[0] = task;
    while (depth > 0) {
        int v = s->stack[depth - 1], best = s->best[v];

        if (best >= 0 && s->seen[best] == s->round && s->bottom[best] != s->after[v])
            best = best_successor(s, v);
        if (best < 0 || s->seen[best] == s->round) {
            sink(s, v, best);
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
        settle(s, entry);
        cs_heap_update(&s->entries, entry, -s->bottom[entry]);
    }
}

static bool level_open(const struct state *s, int task)
{
    double use = s->use[s->graph->level[task]] + 1.0;

    return s->options->procedure == CS_PTG_SCRAP ||
           use * s->reference->speed <= s->share + 1e-9 * s->reference->power;
}

/* May the task grow?  If not, it never may again. */
static bool can_grow(struct state *s, int task)
{
    if (s->procs[task] >= s->most[task])
        return false;
    if (level_open(s, task))
        return true;
    s->most[task] = s->procs[task];
    return false;
}

/* The task of the critical path that gains most, or -1. */
static int pick(struct state *s)
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

static void grow(struct state *s, int task, int by)
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

static void run_exactly(struct state *s)
{
    bool scrap = s->options->procedure == CS_PTG_SCRAP;
    int task;

    for (;;) {
        if (scrap && !(power_used(s, path_length(s)) < s->share))
            return;
        task = pick(s);
        if (task < 0)
            return;
        grow(s, task, 1);
        settle_path(s);
        if (scrap && power_used(s, path_length(s)) > s->share * (1 + 1e-9)) {
            grow(s, task, -1);
            return;
        }
    }
}

/* Grow the critical path until its length has fallen to `target`.  The gain of the last step; -1:
 * no task of it could grow. */
static double grow_path(struct state *s, struct cs_heap *path, double length, double target)
{
    double gain = -1;

    cs_heap_reset(path);
    for (int v = cs_heap_top(&s->entries); v >= 0; v = s->best[v])
        if (s->gain[v] > 0 && can_grow(s, v))
            cs_heap_push(path, v, -s->gain[v]);
    while (path->count > 0 && (length > target || gain < 0)) {
        int v = cs_heap_top(path);
        double before = s->seconds[v];

        if (!can_grow(s, v) || !(s->gain[v] > 0)) {
            cs_heap_pop(path);
            continue;
        }
        gain = s->gain[v];
        grow(s, v, 1);
        length -= before - s->seconds[v];
        cs_heap_update(path, v, -s->gain[v]);
    }
    return gain;
}

/* SCRAP bounds the whole: the last step that breaks the bound is taken back. */
static bool over(struct state *s)
{
    return s->options->procedure == CS_PTG_SCRAP && !(power_used(s, path_length(s)) < s->share);
}

static void run_in_batches(struct state *s, double batch, struct cs_arena *scratch)
{
    int tasks = s->graph->tasks;
    int *before = CS_NEW_ARRAY(scratch, int, tasks);
    struct cs_heap path;

    cs_heap_init(&path, tasks, scratch);
    while (!over(s)) {
        double length = path_length(s);

        if (s->options->procedure == CS_PTG_SCRAP)
            memcpy(before, s->procs, (size_t)tasks * sizeof *before);
        if (grow_path(s, &path, length, length * (1 - batch)) < 0)
            return;
        settle_path(s);
        if (!over(s))
            continue;
        for (int v = 0; v < tasks; v++)
            if (s->procs[v] != before[v])
                grow(s, v, before[v] - s->procs[v]);
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
            cs_heap_push(heap, v, -s->gain[v]);
    while (heap->count > 0) {
        int v = cs_heap_top(heap);

        if (s->gain[v] > least && can_grow(s, v)) {
            grow(s, v, 1);
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

    for (int i = 0; i < g->tasks; i++) {
        int v = g->order[i];

        head[v] = 0;
        for (int a = g->first_in[v]; a < g->first_in[v + 1]; a++) {
            int from = g->arc[g->in[a]].from;

            head[v] = fmax(head[v], head[from] + s->seconds[from]);
        }
    }
}

/* Batches for large graphs: what is grown on the critical path is grown on all paths that are
 * nearly as long, at once. */
static void run_in_bulk(struct state *s, double batch, struct cs_arena *scratch)
{
    double *head = CS_NEW_ARRAY(scratch, double, s->graph->tasks);
    struct cs_heap heap;

    cs_heap_init(&heap, s->graph->tasks, scratch);
    for (;;) {
        double length = path_length(s), target = length * (1 - batch), gain;

        find_heads(s, head);
        gain = grow_path(s, &heap, length, target);
        if (gain < 0)
            return;
        grow_others(s, &heap, head, target, gain);
        sink_all(s);
    }
}

static void prepare(struct state *s, struct cs_arena *scratch)
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

void cs_ptg_allocate(const struct cs_graph *graph, const struct cs_ptg_reference *reference,
                     const struct cs_ptg_options *options, double beta, int *procs, double *bottom,
                     struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    double batch = options->batch;
    struct state s = {
        .graph = graph,
        .reference = reference,
        .options = options,
        .share = beta * reference->power,
        .procs = procs,
        .bottom = bottom,
    };

    if (batch == CS_PTG_BATCH_AUTO)
        batch = graph->tasks > EXACT_MOST ? BATCH_LARGE : 0;
    prepare(&s, scratch);
    if (batch > 0 && graph->tasks > BULK_ABOVE && options->procedure == CS_PTG_SCRAP_MAX)
        run_in_bulk(&s, batch, scratch);
    else if (batch > 0)
        run_in_batches(&s, batch, scratch);
    else
        run_exactly(&s);
    sink_all(&s);
    cs_arena_rewind(scratch, mark);
}
