/* policy follow - the processors of the plan: a task starts when each of them is free of the task
 * before it.
 *
 * Source: spec/moldable.md 7.2 and 4.6.
 * Idea: the plan gives each processor a sequence of tasks; the pairs of neighbours in these are a
 * graph, and a task starts when all tasks before it are done and its release has passed.
 * Invariants: left[i] is the number of tasks before i that are not done; with exact times the
 * makespan is at most that of the plan (spec/moldable.md 11).
 * Complexity: that of assign.c to build the graph, O(tasks) a decision.
 */
#include "problems/moldable/assign.h"
#include "problems/moldable/variant.h"

struct state {
    const struct cs_moldable_scene *scene;
    int *first, *after; /* the tasks that wait for task i: after[first[i]] .. after[first[i+1]-1] */
    int *before;        /* how many tasks a task waits for */
    int *left;          /* of those, not done yet */
    bool *waits;
};

/* Every pair (task, the task before it on a processor) once. */
struct pairs {
    int count;
    int *from, *to;
};

/* The task before on each of these processors, which the task has from now on. */
static void add_pairs(struct pairs *pairs, int task, struct cs_interval procs, int *on, int *met)
{
    for (int q = procs.first; q <= procs.last; q++) {
        int other = on[q];

        on[q] = task;
        if (other < 0 || met[other] == task)
            continue;
        met[other] = task;
        pairs->from[pairs->count] = other;
        pairs->to[pairs->count++] = task;
    }
}

static struct pairs find_pairs(const struct cs_moldable_scene *scene, struct cs_arena *arena)
{
    const struct cs_moldable_bag *bag = scene->bag;
    const struct cs_blocks_set *set =
        cs_moldable_assign(bag, scene->plan, scene->order, true, arena);
    int *on = CS_NEW_ARRAY(arena, int, bag->procs), *met = CS_NEW_ARRAY(arena, int, bag->tasks);
    struct pairs pairs = {0};
    size_t most = 0;

    for (int i = 0; i < bag->tasks; i++) {
        most += (size_t)scene->plan->procs[i];
        met[i] = -1;
    }
    for (int q = 0; q < bag->procs; q++)
        on[q] = -1;
    pairs.from = CS_NEW_ARRAY(arena, int, most);
    pairs.to = CS_NEW_ARRAY(arena, int, most);
    for (int p = 0; p < bag->tasks; p++) {
        int task = scene->order[p];

        for (int k = 0; k < set[task].count; k++)
            add_pairs(&pairs, task, set[task].interval[k], on, met);
    }
    return pairs;
}

static void *variant_follow_create(const struct cs_moldable_scene *scene, const double *param,
                                   struct cs_arena *arena, struct cs_error *err)
{
    struct state *s = CS_NEW(arena, struct state);
    struct pairs pairs = find_pairs(scene, arena);
    int n = scene->bag->tasks, *fill = CS_NEW_ARRAY(arena, int, n);

    (void)param;
    (void)err;
    s->scene = scene;
    s->first = CS_NEW_ARRAY(arena, int, n + 1);
    s->after = CS_NEW_ARRAY(arena, int, pairs.count);
    s->before = CS_NEW_ARRAY(arena, int, n);
    s->left = CS_NEW_ARRAY(arena, int, n);
    s->waits = CS_NEW_ARRAY(arena, bool, n);
    for (int a = 0; a < pairs.count; a++) {
        s->first[pairs.from[a] + 1]++;
        s->before[pairs.to[a]]++;
    }
    for (int i = 0; i < n; i++) {
        s->first[i + 1] += s->first[i];
        fill[i] = s->first[i];
    }
    for (int a = 0; a < pairs.count; a++)
        s->after[fill[pairs.from[a]]++] = pairs.to[a];
    return s;
}

static void variant_follow_begin(void *state)
{
    struct state *s = state;

    for (int i = 0; i < s->scene->bag->tasks; i++) {
        s->left[i] = s->before[i];
        s->waits[i] = false;
    }
}

static void variant_follow_wait(void *state, int task)
{
    struct state *s = state;

    s->waits[task] = true;
}

static void variant_follow_finished(void *state, int task)
{
    struct state *s = state;

    for (int a = s->first[task]; a < s->first[task + 1]; a++)
        s->left[s->after[a]]--;
}

static int variant_follow_decide(void *state, const struct cs_moldable_view *view,
                                 struct cs_moldable_launch *launch)
{
    struct state *s = state;
    int count = 0;

    (void)view;
    for (int p = 0; p < s->scene->bag->tasks; p++) {
        int task = s->scene->order[p];

        if (!s->waits[task] || s->left[task] > 0)
            continue;
        s->waits[task] = false;
        launch[count++] = (struct cs_moldable_launch){task, s->scene->plan->choice[task],
                                                      s->scene->plan->first[task]};
    }
    return count;
}

const struct cs_moldable_variant cs_moldable_variant_follow = {
    .info =
        {
            .name = "follow",
            .problem = "moldable",
            .summary = "the very processors of the plan, each left by the task before",
            .source = "cosched",
        },
    .follows = true,
    .create = variant_follow_create,
    .begin = variant_follow_begin,
    .wait = variant_follow_wait,
    .failed = variant_follow_wait,
    .finished = variant_follow_finished,
    .decide = variant_follow_decide,
};
