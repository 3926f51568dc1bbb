/* policies order, list, lpa, mintime, minarea, lt, expected - counts and an order that do not
 * change.
 *
 * Source: spec/moldable.md 7.2 (order, list), 8.2 (lpa) and 8.4 (mintime, minarea, lt, expected);
 * lpa, mintime, minarea: Benoit, Le Fevre, Perotin, Raghavan, Robert, Sun, "Resilient scheduling
 * of moldable jobs to cope with silent errors", IEEE TC 2021.
 * Idea: counts and order come from the plan or from a rule before the run; then LIST with the
 * queue of variant.c, where a failed task returns at its rank.  `order` does not let a task
 * overtake.
 * Invariants: counts never change in a run; lpa takes the first candidate of least ratio, which is
 * the one of fewest processors.
 * Complexity: O(candidates + tasks log tasks) once (lt, expected: and an area bound), O(log tasks)
 * for each attempt.
 */
#include "problems/moldable/bound.h"
#include "problems/moldable/variant.h"

#include <math.h>
#include <string.h>

struct state {
    struct cs_moldable_queue queue;
    bool first_only;
};

static struct state *create_empty(const struct cs_moldable_scene *scene, struct cs_arena *arena)
{
    struct state *s = CS_NEW(arena, struct state);

    cs_moldable_queue_init(&s->queue, scene->bag, arena);
    return s;
}

static void *create_from_plan(const struct cs_moldable_scene *scene, struct cs_arena *arena)
{
    struct state *s = create_empty(scene, arena);
    size_t bytes = (size_t)scene->bag->tasks * sizeof(int);

    if (bytes) {
        memcpy(s->queue.choice, scene->plan->choice, bytes);
        memcpy(s->queue.order, scene->order, bytes);
        s->queue.request = scene->plan->first;
    }
    return s;
}

static void *create_list(const struct cs_moldable_scene *scene, const double *param,
                         struct cs_arena *arena, struct cs_error *err)
{
    (void)param;
    (void)err;
    return create_from_plan(scene, arena);
}

static void *create_order(const struct cs_moldable_scene *scene, const double *param,
                          struct cs_arena *arena, struct cs_error *err)
{
    struct state *s = create_from_plan(scene, arena);

    (void)param;
    (void)err;
    s->first_only = true;
    return s;
}

/* Longest first. */
static void *variant_list_sorted(const struct cs_moldable_scene *scene, struct state *s,
                                 struct cs_arena *arena)
{
    cs_moldable_sort(scene->bag, s->queue.choice, CS_MOLDABLE_LPT, s->queue.order, arena);
    return s;
}

int cs_moldable_lpa_choice(const struct cs_moldable_bag *bag, int task)
{
    double least = cs_moldable_least_work(bag, task), procs = bag->procs, best = INFINITY;
    double fastest = cs_moldable_fastest(bag, task);
    int choice = 0;

    for (int x = 0; x < cs_moldable_candidates(bag, task); x++) {
        double alpha = cs_moldable_work(bag, task, x) / least;
        double beta = cs_moldable_seconds(bag, task, x) / fastest;
        double ratio = alpha >= beta || bag->procs == 1
                           ? 2 * alpha
                           : procs / (procs - 1) * alpha + (procs - 2) / (procs - 1) * beta;

        if (ratio < best) {
            best = ratio;
            choice = x;
        }
    }
    return choice;
}

static void *create_lpa(const struct cs_moldable_scene *scene, const double *param,
                        struct cs_arena *arena, struct cs_error *err)
{
    struct state *s = create_empty(scene, arena);

    (void)param;
    (void)err;
    for (int i = 0; i < scene->bag->tasks; i++)
        s->queue.choice[i] = cs_moldable_lpa_choice(scene->bag, i);
    return variant_list_sorted(scene, s, arena);
}

static void *create_mintime(const struct cs_moldable_scene *scene, const double *param,
                            struct cs_arena *arena, struct cs_error *err)
{
    struct state *s = create_empty(scene, arena);

    (void)param;
    (void)err;
    for (int i = 0; i < scene->bag->tasks; i++)
        s->queue.choice[i] = cs_moldable_candidates(scene->bag, i) - 1;
    return variant_list_sorted(scene, s, arena);
}

static void *create_minarea(const struct cs_moldable_scene *scene, const double *param,
                            struct cs_arena *arena, struct cs_error *err)
{
    struct state *s = create_empty(scene, arena);

    (void)param;
    (void)err;
    cs_moldable_thrifty(scene->bag, INFINITY, s->queue.choice);
    return variant_list_sorted(scene, s, arena);
}

static void *create_lt(const struct cs_moldable_scene *scene, const double *param,
                       struct cs_arena *arena, struct cs_error *err)
{
    struct state *s = create_empty(scene, arena);
    double threshold;

    (void)param;
    (void)err;
    cs_moldable_area(scene->bag, &threshold, arena);
    cs_moldable_thrifty(scene->bag, threshold, s->queue.choice);
    return variant_list_sorted(scene, s, arena);
}

/* As lt, all times multiplied by the expected attempts. */
static void *create_expected(const struct cs_moldable_scene *scene, const double *param,
                             struct cs_arena *arena, struct cs_error *err)
{
    const struct cs_moldable_bag *bag = scene->bag;
    struct state *s = create_empty(scene, arena);
    struct cs_moldable_bag longer = *bag;
    double *seconds = CS_NEW_ARRAY(arena, double, bag->first[bag->tasks]), threshold;

    (void)param;
    (void)err;
    for (int i = 0; i < bag->tasks; i++)
        for (int a = bag->first[i]; a < bag->first[i + 1]; a++)
            seconds[a] = bag->seconds[a] * scene->expected[i];
    longer.seconds = seconds;
    cs_moldable_bag_finish(&longer, arena);
    cs_moldable_area(&longer, &threshold, arena);
    cs_moldable_thrifty(&longer, threshold, s->queue.choice);
    cs_moldable_sort(&longer, s->queue.choice, CS_MOLDABLE_LPT, s->queue.order, arena);
    return s;
}

static void variant_list_begin(void *state)
{
    struct state *s = state;

    cs_moldable_queue_begin(&s->queue);
    for (int p = 0; s->first_only && p < s->queue.bag->tasks; p++)
        cs_moldable_queue_add(&s->queue, s->queue.order[p]);
}

static void variant_list_wait(void *state, int task)
{
    struct state *s = state;

    cs_moldable_queue_add(&s->queue, task);
}

static int variant_list_decide(void *state, const struct cs_moldable_view *view,
                               struct cs_moldable_launch *launch)
{
    struct state *s = state;

    return (s->first_only ? cs_moldable_queue_take_first : cs_moldable_queue_take)(&s->queue, view,
                                                                                   launch);
}

#define FIXED(word, text, from, plan)                                                              \
    const struct cs_moldable_variant cs_moldable_variant_##word = {                                \
        .info = {.name = #word, .problem = "moldable", .summary = text, .source = from},           \
        .follows = plan,                                                                           \
        .create = create_##word,                                                                   \
        .begin = variant_list_begin,                                                               \
        .wait = variant_list_wait,                                                                 \
        .failed = variant_list_wait,                                                               \
        .decide = variant_list_decide,                                                             \
    }

FIXED(order, "counts and order of the plan, on any processors; no task overtakes", "cosched", true);
FIXED(list, "counts and order of the plan; what fits starts", "Garey, Graham 1975", true);
FIXED(lpa, "counts chosen task by task between least work and least time, longest first",
      "Benoit et al. 2021: LPA-LIST", false);
FIXED(mintime, "the fastest count of each task, longest first", "Benoit et al. 2021", false);
FIXED(minarea, "the count of least work of each task, longest first", "Benoit et al. 2021", false);
FIXED(lt, "the allotment of Ludwig and Tiwari, longest first", "Ludwig, Tiwari 1994", false);
FIXED(expected, "that allotment for the times that failures let expect", "cosched", false);
