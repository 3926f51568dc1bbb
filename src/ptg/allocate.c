/* allocate.c - SCRAP-MAX and SCRAP, exactly and in batches. */
#include "ptg/allocate.h"

#include "base/heap.h"

#include <math.h>
#include <string.h>

#define EXACT_MOST 2000
#define BATCH_LARGE 0.01

struct state {
    const struct cs_graph *graph;
    const struct cs_ptg_reference *reference;
    const struct cs_ptg_options *options;
    double share;    /* flop/s that the graph may use */
    int *procs;      /* by task, as all that follow */
    double *bottom;  /* bottom level */
    double *seconds; /* on procs */
    double *gain;    /* of one more processor */
    int *most;       /* where it must stop growing; its allocation when it is blocked */
    int *best;       /* the successor of the largest bottom level, or -1 */
    int *place;      /* in graph->order */
    bool *dirty;
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

/* Compute a bottom level from those of the successors; has it changed? */
static bool sink(struct state *s, int task)
{
    const struct cs_graph *g = s->graph;
    double before = s->bottom[task], after = 0;
    int best = -1;

    for (int a = g->first_out[task]; a < g->first_out[task + 1]; a++) {
        int to = g->arc[a].to;

        if (best < 0 || s->bottom[to] > after) {
            after = s->bottom[to];
            best = to;
        }
    }
    s->best[task] = best;
    s->bottom[task] = s->seconds[task] + after;
    return s->bottom[task] != before;
}

static void sink_all(struct state *s)
{
    for (int i = s->graph->tasks - 1; i >= 0; i--) {
        int v = s->graph->order[i];

        if (sink(s, v) && cs_heap_contains(&s->entries, v))
            cs_heap_update(&s->entries, v, -s->bottom[v]);
    }
}

/* The time of one task has changed: bring the bottom levels up to date. */
static void sweep(struct state *s, int task)
{
    const struct cs_graph *g = s->graph;
    int left = 1;

    s->dirty[task] = true;
    for (int i = s->place[task]; left > 0; i--) {
        int v = g->order[i];

        if (!s->dirty[v])
            continue;
        s->dirty[v] = false;
        left--;
        if (!sink(s, v))
            continue;
        if (g->first_in[v] == g->first_in[v + 1])
            cs_heap_update(&s->entries, v, -s->bottom[v]);
        for (int a = g->first_in[v]; a < g->first_in[v + 1]; a++) {
            int from = g->arc[g->in[a]].from;

            left += !s->dirty[from];
            s->dirty[from] = true;
        }
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
        sweep(s, task);
        if (scrap && power_used(s, path_length(s)) > s->share * (1 + 1e-9)) {
            grow(s, task, -1);
            sweep(s, task);
            return;
        }
    }
}

/* Grow one path until its length has fallen to `target`; false: no task of it could grow. */
static bool grow_path(struct state *s, struct cs_heap *path, double length, double target)
{
    bool grew = false;

    cs_heap_reset(path);
    for (int v = cs_heap_top(&s->entries); v >= 0; v = s->best[v])
        if (s->gain[v] > 0 && can_grow(s, v))
            cs_heap_push(path, v, -s->gain[v]);
    while (path->count > 0 && (length > target || !grew)) {
        int v = cs_heap_top(path);
        double before = s->seconds[v];

        if (!can_grow(s, v) || !(s->gain[v] > 0)) {
            cs_heap_pop(path);
            continue;
        }
        grow(s, v, 1);
        length -= before - s->seconds[v];
        grew = true;
        cs_heap_update(path, v, -s->gain[v]);
    }
    return grew;
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

        memcpy(before, s->procs, (size_t)tasks * sizeof *before);
        if (!grow_path(s, &path, length, length * (1 - batch)))
            return;
        sink_all(s);
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

static void prepare(struct state *s, struct cs_arena *scratch)
{
    const struct cs_graph *g = s->graph;

    s->seconds = CS_NEW_ARRAY(scratch, double, g->tasks);
    s->gain = CS_NEW_ARRAY(scratch, double, g->tasks);
    s->most = CS_NEW_ARRAY(scratch, int, g->tasks);
    s->best = CS_NEW_ARRAY(scratch, int, g->tasks);
    s->place = CS_NEW_ARRAY(scratch, int, g->tasks);
    s->dirty = CS_NEW_ARRAY(scratch, bool, g->tasks);
    s->use = CS_NEW_ARRAY(scratch, int, g->levels);
    cs_heap_init(&s->entries, g->tasks, scratch);
    memcpy(s->use, g->members, (size_t)g->levels * sizeof *s->use);
    for (int i = 0; i < g->tasks; i++) {
        int v = g->order[i];

        s->place[v] = i;
        s->most[v] = cs_ptg_reference_most(s->reference, g->task[v].alpha, s->options);
        set_procs(s, v, 1);
    }
    for (int i = g->tasks - 1; i >= 0; i--)
        sink(s, g->order[i]);
    for (int v = 0; v < g->tasks; v++)
        if (g->level[v] == 0)
            cs_heap_push(&s->entries, v, -s->bottom[v]);
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
    if (batch > 0)
        run_in_batches(&s, batch, scratch);
    else
        run_exactly(&s);
    cs_arena_rewind(scratch, mark);
}
