/* allocate.c - SCRAP-MAX and SCRAP, exactly and in batches. */
#include "ptg/allocate.h"

#include "base/heap.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
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

/* Tasks of the critical path that are alike: as much work, alpha and processors.  They grow one
 * after the other, so that a path of many equal tasks needs no look at a heap for each step. */
struct class
{
    int first, last; /* tasks, in the order of the path */
    int procs;
    int older; /* a class of the same kind, or -1 */
};

struct classes {
    struct class *class;
    int count;
    int *kind;           /* by task: a task with the same work and alpha */
    int *newest;         /* by kind: its class made last, or -1 */
    int *next;           /* by task: in its class, or -1 */
    struct cs_heap heap; /* classes by -gain */
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

/* The same for those that never settle single paths: bottom levels and best successors only.  One
 * sweep over the arcs in the order in which they lie in memory. */
static void sweep(struct state *s)
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

/* The same for a task that is like another one that has just grown. */
static void grow_like(struct state *s, int task, int like)
{
    s->procs[task] = s->procs[like];
    s->seconds[task] = s->seconds[like];
    s->gain[task] = s->gain[like];
    s->use[s->graph->level[task]]++;
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

struct kind {
    double flops, alpha;
    int task;
};

static int by_kind(const void *a, const void *b)
{
    const struct kind *x = a, *y = b;

    if (x->flops != y->flops)
        return x->flops < y->flops ? -1 : 1;
    if (x->alpha != y->alpha)
        return x->alpha < y->alpha ? -1 : 1;
    return (x->task > y->task) - (x->task < y->task);
}

static struct classes new_classes(const struct cs_graph *graph, struct cs_arena *scratch)
{
    struct classes c = {
        .class = CS_NEW_ARRAY(scratch, struct class, graph->tasks),
        .kind = CS_NEW_ARRAY(scratch, int, graph->tasks),
        .newest = CS_NEW_ARRAY(scratch, int, graph->tasks),
        .next = CS_NEW_ARRAY(scratch, int, graph->tasks),
    };
    struct kind *kind = CS_NEW_ARRAY(scratch, struct kind, graph->tasks);

    cs_heap_init(&c.heap, graph->tasks, scratch);
    for (int v = 0; v < graph->tasks; v++)
        kind[v] = (struct kind){graph->task[v].flops, graph->task[v].alpha, v};
    qsort(kind, (size_t)graph->tasks, sizeof *kind, by_kind);
    for (int i = 0, like = 0; i < graph->tasks; i++) {
        if (kind[i].flops != kind[like].flops || kind[i].alpha != kind[like].alpha)
            like = i;
        c.kind[kind[i].task] = kind[like].task;
        c.newest[i] = -1;
    }
    return c;
}

/* The class of a task of the path: those of its kind with as many processors. */
static int class_of(const struct state *s, struct classes *c, int task)
{
    int kind = c->kind[task], at = c->newest[kind];

    while (at >= 0 && c->class[at].procs != s->procs[task])
        at = c->class[at].older;
    if (at >= 0)
        return at;
    at = c->count++;
    c->class[at] = (struct class){.first = -1, .procs = s->procs[task], .older = c->newest[kind]};
    c->newest[kind] = at;
    return at;
}

/* The tasks of the critical path that may grow, in classes, by gain. */
static void classify(struct state *s, struct classes *c)
{
    cs_heap_reset(&c->heap);
    for (int i = 0; i < c->count; i++)
        c->newest[c->kind[c->class[i].last]] = -1;
    c->count = 0;
    for (int v = cs_heap_top(&s->entries); v >= 0; v = s->best[v]) {
        int at;

        if (!(s->gain[v] > 0) || !can_grow(s, v))
            continue;
        at = class_of(s, c, v);
        c->next[v] = -1;
        if (c->class[at].first < 0) {
            c->class[at].first = v;
            cs_heap_push(&c->heap, at, -s->gain[v]);
        } else {
            c->next[c->class[at].last] = v;
        }
        c->class[at].last = v;
    }
}

/* One more processor for each task of a class that may have it, until the path is short enough;
 * returns how long it then is.  Those that may not leave the class.  *gain: that of the step. */
static double grow_class(struct state *s, struct classes *c, int at, double length, double target,
                         double *gain)
{
    int v = c->class[at].first, kept = -1, like = -1;
    double most = s->gain[v];

    for (int after = c->next[v]; v >= 0; v = after, after = v >= 0 ? c->next[v] : -1) {
        double before = s->seconds[v];

        if (!can_grow(s, v))
            continue;
        if (like < 0)
            grow(s, v, 1);
        else
            grow_like(s, v, like);
        like = v;
        *gain = most;
        length -= before - s->seconds[v];
        if (kept < 0)
            c->class[at].first = v;
        else
            c->next[kept] = v;
        kept = v;
        if (!(length > target))
            break;
    }
    if (kept < 0 || !(s->gain[kept] > 0)) {
        cs_heap_remove(&c->heap, at);
    } else {
        c->next[kept] = -1;
        cs_heap_update(&c->heap, at, -s->gain[kept]);
    }
    return length;
}

/* Grow the critical path until its length has fallen to `target`.  The gain of the last step; -1:
 * no task of it could grow. */
static double grow_path(struct state *s, struct classes *c, double length, double target)
{
    double gain = -1;

    classify(s, c);
    while (c->heap.count > 0 && (length > target || gain < 0)) {
        int at = cs_heap_top(&c->heap);

        length = grow_class(s, c, at, length, target, &gain);
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
    struct classes path = new_classes(s->graph, scratch);

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

    memset(head, 0, (size_t)g->tasks * sizeof *head);
    for (int i = 0; i < g->tasks; i++) {
        int v = g->order[i];
        double end = head[v] + s->seconds[v];

        for (int a = g->first_out[v]; a < g->first_out[v + 1]; a++)
            if (head[g->arc[a].to] < end)
                head[g->arc[a].to] = end;
    }
}

/* Batches for large graphs: what is grown on the critical path is grown on all paths that are
 * nearly as long, at once. */
static void run_in_bulk(struct state *s, double batch, struct cs_arena *scratch)
{
    double *head = CS_NEW_ARRAY(scratch, double, s->graph->tasks);
    struct classes path = new_classes(s->graph, scratch);
    struct cs_heap heap;

    cs_heap_init(&heap, s->graph->tasks, scratch);
    for (;;) {
        double length = path_length(s), target = length * (1 - batch), gain;

        find_heads(s, head);
        gain = grow_path(s, &path, length, target);
        if (gain < 0)
            return;
        grow_others(s, &heap, head, target, gain);
        sweep(s);
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
    sweep(&s);
    cs_arena_rewind(scratch, mark);
}
