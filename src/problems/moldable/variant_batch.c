/* policy batch - BATCH-LIST: batch after batch, every task is tried up to 1, 2, 4, ... times.
 *
 * Source: spec/moldable.md 8.3; Benoit et al., IEEE TC 2021.
 * Idea: all tries of a task in a batch use one count, that of the area bound with times multiplied
 * by the tries; the paper's program mixes counts over the tries.  Ratio of this one to theirs:
 * 0.96 to 1.12, mean 1.03 in 30 scenarios (spec/moldable.md 8.3).
 * Invariants: a batch ends when no attempt runs and no arrived task of it may start; the next one
 * holds all tasks that are not done, with twice the tries; in a batch a failed attempt returns at
 * its rank.
 * Complexity: an area bound and a sort for each batch, O(log tasks) for each attempt.
 */
#include "problems/moldable/bound.h"
#include "problems/moldable/variant.h"

#include <math.h>

struct state {
    const struct cs_moldable_bag *bag;
    struct cs_moldable_queue queue;
    double tries; /* of the batch; 0: none yet */
    int *tried, *member, *first, *count, *choice;
    double *seconds;
    bool *in; /* the batch */
    struct cs_arena *scratch;
};

static void *variant_batch_create(const struct cs_moldable_scene *scene, const double *param,
                                  struct cs_arena *arena, struct cs_error *err)
{
    struct state *s = CS_NEW(arena, struct state);
    int n = scene->bag->tasks;

    (void)param;
    (void)err;
    s->bag = scene->bag;
    s->scratch = arena;
    s->tried = CS_NEW_ARRAY(arena, int, n);
    s->member = CS_NEW_ARRAY(arena, int, n);
    s->first = CS_NEW_ARRAY(arena, int, n + 1);
    s->choice = CS_NEW_ARRAY(arena, int, n);
    s->count = CS_NEW_ARRAY(arena, int, scene->bag->first[n]);
    s->seconds = CS_NEW_ARRAY(arena, double, scene->bag->first[n]);
    s->in = CS_NEW_ARRAY(arena, bool, n);
    cs_moldable_queue_init(&s->queue, scene->bag, arena);
    return s;
}

static void variant_batch_begin(void *state)
{
    struct state *s = state;

    s->tries = 0;
    for (int i = 0; i < s->bag->tasks; i++) {
        s->in[i] = false;
        s->queue.order[i] = i;
        s->queue.choice[i] = 0;
    }
    cs_moldable_queue_begin(&s->queue);
}

static void variant_batch_wait(void *state, int task)
{
    struct state *s = state;

    if (s->in[task])
        cs_moldable_queue_add(&s->queue, task);
}

static void variant_batch_failed(void *state, int task)
{
    struct state *s = state;

    s->tried[task]++;
    if (s->tried[task] < s->tries)
        cs_moldable_queue_add(&s->queue, task);
}

/* The bag of what is left, times multiplied by the tries. */
static struct cs_moldable_bag variant_batch_leftover(struct state *s, const bool *done)
{
    struct cs_moldable_bag left = {
        .procs = s->bag->procs, .first = s->first, .contiguous = s->bag->contiguous};
    int at = 0;

    for (int i = 0; i < s->bag->tasks; i++) {
        if (done[i])
            continue;
        s->member[left.tasks++] = i;
        for (int a = s->bag->first[i]; a < s->bag->first[i + 1]; a++) {
            s->count[at] = s->bag->count[a];
            s->seconds[at++] = s->tries * s->bag->seconds[a];
        }
        s->first[left.tasks] = at;
    }
    left.count = s->count;
    left.seconds = s->seconds;
    cs_moldable_bag_finish(&left, s->scratch);
    return left;
}

/* The next batch: all tasks that are not done, with twice the tries of the one before. */
static void form_batch(struct state *s, const struct cs_moldable_view *view)
{
    struct cs_arena_mark mark = cs_arena_mark(s->scratch);
    struct cs_moldable_bag left;
    double threshold;

    s->tries = s->tries > 0 ? 2 * s->tries : 1;
    left = variant_batch_leftover(s, view->done);
    cs_moldable_area(&left, &threshold, s->scratch);
    cs_moldable_thrifty(&left, threshold, s->choice);
    for (int i = 0; i < s->bag->tasks; i++)
        s->in[i] = false;
    for (int m = 0; m < left.tasks; m++) {
        s->queue.choice[s->member[m]] = s->choice[m];
        s->in[s->member[m]] = true;
        s->tried[s->member[m]] = 0;
    }
    cs_moldable_sort(s->bag, s->queue.choice, CS_MOLDABLE_LPT, s->queue.order, s->scratch);
    cs_moldable_queue_begin(&s->queue);
    for (int i = 0; i < s->bag->tasks; i++)
        if (view->waits[i])
            cs_moldable_queue_add(&s->queue, i);
    cs_arena_rewind(s->scratch, mark);
}

static int variant_batch_decide(void *state, const struct cs_moldable_view *view,
                                struct cs_moldable_launch *launch)
{
    struct state *s = state;
    int count = s->tries > 0 ? cs_moldable_queue_take(&s->queue, view, launch) : 0;

    if (count > 0 || view->running > 0)
        return count;
    form_batch(s, view);
    return cs_moldable_queue_take(&s->queue, view, launch);
}

const struct cs_moldable_variant cs_moldable_variant_batch = {
    .info =
        {
            .name = "batch",
            .problem = "moldable",
            .summary = "batches in which every task is tried up to 1, 2, 4, ... times",
            .source = "Benoit et al. 2021: BATCH-LIST",
        },
    .create = variant_batch_create,
    .begin = variant_batch_begin,
    .wait = variant_batch_wait,
    .failed = variant_batch_failed,
    .decide = variant_batch_decide,
};
