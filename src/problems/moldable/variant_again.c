/* policy again - the allotment of the area bound at every event, for the attempts expected.
 *
 * Source: spec/moldable.md 8.4 (not from a paper); spare and ties: docs/papers.md, "The bags of
 * moldable".
 * Idea: the bag of an event: the tasks that wait, with their times multiplied by the expected
 * attempts, and those that run, with one candidate each.  rolling tries smaller thresholds too,
 * each judged by a list.  With spare=widen, processors that no task waits for go to the longest of
 * those that start; with ties=judged, counts that cost the same work are wide where the list of
 * all is shorter so: narrow ones leave a long tail where speed-up is perfect up to a limit.
 * Invariants: members 0 .. waiting - 1 of the bag wait, the others run; real times and failures
 * are not read; all memory of an event is released at its end.
 * Complexity: an area bound and a sort for each event; rolling and ties=judged add up to 14
 * lists.
 *
 *   constant  value      unit          how found             half, double
 *   factors   1 .. 0.1   of threshold  spec/moldable.md 8.4  not measured
 *   SAME      1 + 1e-9   of work       not recorded          not measured
 */
#include "problems/moldable/bound.h"
#include "problems/moldable/variant.h"

#include "base/order.h"

#include <math.h>
#include <string.h>

struct state {
    const struct cs_moldable_scene *scene;
    bool rolling, widens, judges;
    struct cs_moldable_bag bag; /* of the event: waiting, then running tasks */
    int *task;                  /* of the bag's members */
    int *first, *count, *choice, *best, *order;
    double *seconds, *start, *key;
    struct cs_moldable_room room; /* while launches are chosen */
    struct cs_arena *scratch;
};

#define SAME (1 + 1e-9) /* work, up to rounding */

enum { SPARE, TIES };

static void *variant_again_create(const struct cs_moldable_scene *scene, const double *param,
                                  struct cs_arena *arena, bool rolling)
{
    struct state *s = CS_NEW(arena, struct state);
    int n = scene->bag->tasks, most = scene->bag->first[n];

    s->scene = scene;
    s->rolling = rolling;
    s->widens = param[SPARE] > 0;
    s->judges = param[TIES] > 0;
    s->scratch = arena;
    s->task = CS_NEW_ARRAY(arena, int, n);
    s->first = CS_NEW_ARRAY(arena, int, n + 1);
    s->choice = CS_NEW_ARRAY(arena, int, n);
    s->best = CS_NEW_ARRAY(arena, int, n);
    s->order = CS_NEW_ARRAY(arena, int, n);
    s->start = CS_NEW_ARRAY(arena, double, n);
    s->key = CS_NEW_ARRAY(arena, double, n);
    s->count = CS_NEW_ARRAY(arena, int, most);
    s->seconds = CS_NEW_ARRAY(arena, double, most);
    cs_moldable_room_init(&s->room, scene->bag, arena);
    return s;
}

static void *create_again(const struct cs_moldable_scene *scene, const double *param,
                          struct cs_arena *arena, struct cs_error *err)
{
    (void)err;
    return variant_again_create(scene, param, arena, false);
}

static void *create_rolling(const struct cs_moldable_scene *scene, const double *param,
                            struct cs_arena *arena, struct cs_error *err)
{
    (void)err;
    return variant_again_create(scene, param, arena, true);
}

static void variant_again_begin(void *state)
{
    (void)state;
}

static void variant_again_wait(void *state, int task)
{
    (void)state;
    (void)task;
}

static void add_waiting(struct state *s, int task)
{
    const struct cs_moldable_bag *bag = s->scene->bag;
    int at = s->first[s->bag.tasks];

    for (int a = bag->first[task]; a < bag->first[task + 1]; a++, at++) {
        s->count[at] = bag->count[a];
        s->seconds[at] = bag->seconds[a] * s->scene->expected[task];
    }
    s->task[s->bag.tasks++] = task;
    s->first[s->bag.tasks] = at;
}

/* One candidate: what is left of it, and the attempts that may follow. */
static void add_running(struct state *s, const struct cs_moldable_view *view,
                        const struct cs_moldable_attempt *attempt)
{
    const struct cs_moldable_bag *bag = s->scene->bag;
    int at = s->first[s->bag.tasks];
    double seconds = cs_moldable_seconds(bag, attempt->task, attempt->choice);
    double rest = cs_moldable_seems_to_end(bag, view->now, attempt) - view->now;

    s->count[at] = cs_moldable_width(bag, attempt->task, attempt->choice);
    s->seconds[at] = rest + (s->scene->expected[attempt->task] - 1) * seconds;
    s->task[s->bag.tasks++] = attempt->task;
    s->first[s->bag.tasks] = at + 1;
}

/* The bag of this event; returns how many of its members wait, which come first. */
static int fill_bag(struct state *s, const struct cs_moldable_view *view)
{
    int waiting;

    s->bag = (struct cs_moldable_bag){.procs = s->scene->bag->procs,
                                      .first = s->first,
                                      .count = s->count,
                                      .seconds = s->seconds,
                                      .contiguous = s->scene->bag->contiguous};
    for (int i = 0; i < s->scene->bag->tasks; i++)
        if (view->waits[i])
            add_waiting(s, i);
    waiting = s->bag.tasks;
    for (int r = 0; r < view->running; r++)
        add_running(s, view, &view->attempt[r]);
    cs_moldable_bag_finish(&s->bag, s->scratch);
    return waiting;
}

/* Members of the bag, longest first. */
static void variant_again_sort(struct state *s, const int *choice, int members)
{
    for (int m = 0; m < members; m++) {
        s->key[m] = cs_moldable_seconds(&s->bag, m, choice[m]);
        s->order[m] = m;
    }
    cs_order_sort_descending(s->key, s->order, members, s->scratch);
}

/* Allotments by the lists that they give. */
struct contest {
    struct cs_moldable_lister lister;
    double best;
};

/* Is the list of s->choice shorter than the best?  Then s->best is it. */
static void variant_again_contend(struct state *s, struct contest *contest)
{
    double makespan;

    variant_again_sort(s, s->choice, s->bag.tasks);
    makespan = cs_moldable_list(&contest->lister, s->choice, s->order, contest->best, s->start);
    if (!(makespan < contest->best))
        return;
    contest->best = makespan;
    memcpy(s->best, s->choice, (size_t)s->bag.tasks * sizeof *s->best);
}

/* Of counts that cost the same work, up to rounding, the widest. */
static void variant_again_spread(struct state *s)
{
    for (int m = 0; m < s->bag.tasks; m++) {
        double work = cs_moldable_work(&s->bag, m, s->choice[m]);

        for (int x = s->choice[m] + 1; x < cs_moldable_candidates(&s->bag, m); x++)
            if (cs_moldable_work(&s->bag, m, x) <= work * SAME)
                s->choice[m] = x;
    }
}

/* The threshold of the bound, or also some below it, whose list is shortest; with counts of the
 * same work narrow, or also wide. */
static void variant_again_choose(struct state *s, double threshold)
{
    static const double factors[] = {1, 0.8, 0.6, 0.45, 0.3, 0.2, 0.1};
    struct contest contest = {.best = INFINITY};

    cs_moldable_lister_init(&contest.lister, &s->bag, s->scratch);
    for (int f = 0; f < (s->rolling ? 7 : 1); f++) {
        cs_moldable_thrifty(&s->bag, threshold * factors[f], s->choice);
        variant_again_contend(s, &contest);
        if (!s->judges)
            continue;
        variant_again_spread(s);
        variant_again_contend(s, &contest);
    }
}

/* The longest takes its next count, again and again, while it fits. */
static void variant_again_widen(const struct cs_moldable_bag *bag,
                                struct cs_moldable_launch *launch, int count,
                                struct cs_moldable_room *room)
{
    for (;;) {
        struct cs_moldable_launch *longest = launch;

        for (int a = 1; a < count; a++)
            if (cs_moldable_seconds(bag, launch[a].task, launch[a].choice) >
                cs_moldable_seconds(bag, longest->task, longest->choice))
                longest = &launch[a];
        if (longest->choice + 1 == cs_moldable_candidates(bag, longest->task))
            return;
        if (!cs_moldable_room_widen(room, &longest->first,
                                    cs_moldable_width(bag, longest->task, longest->choice),
                                    cs_moldable_width(bag, longest->task, longest->choice + 1)))
            return;
        longest->choice++;
    }
}

static int variant_again_decide(void *state, const struct cs_moldable_view *view,
                                struct cs_moldable_launch *launch)
{
    struct state *s = state;
    struct cs_arena_mark mark = cs_arena_mark(s->scratch);
    int waiting, count = 0;
    double threshold;

    if (view->room->most == 0)
        return 0;
    cs_moldable_room_copy(&s->room, view->room);
    waiting = fill_bag(s, view);
    cs_moldable_area(&s->bag, &threshold, s->scratch);
    if (s->rolling || s->judges)
        variant_again_choose(s, threshold);
    else
        cs_moldable_thrifty(&s->bag, threshold, s->best);
    variant_again_sort(s, s->best, waiting);
    for (int p = 0; p < waiting; p++) {
        int m = s->order[p], width = cs_moldable_width(&s->bag, m, s->best[m]);

        if (width > s->room.most)
            continue;
        launch[count++] = (struct cs_moldable_launch){s->task[m], s->best[m],
                                                      cs_moldable_room_take(&s->room, -1, width)};
    }
    if (s->widens && count > 0 && count == waiting)
        variant_again_widen(s->scene->bag, launch, count, &s->room);
    cs_arena_rewind(s->scratch, mark);
    return count;
}

static const struct cs_policy_param params[] = {
    [SPARE] = {.name = "spare",
               .kind = CS_POLICY_PARAM_CHOICE,
               .default_text = "idle",
               .choices = "idle|widen",
               .summary = "processors without a waiting task: idle, or for the longest that start"},
    [TIES] = {.name = "ties",
              .kind = CS_POLICY_PARAM_CHOICE,
              .default_text = "narrow",
              .choices = "narrow|judged",
              .summary = "of counts that cost the same work the narrowest, or, where its list is "
                         "shorter, the widest"},
    {0},
};

const struct cs_moldable_variant cs_moldable_variant_again = {
    .info =
        {
            .name = "again",
            .problem = "moldable",
            .summary = "the allotment of the area bound for the attempts expected, at every event",
            .source = "cosched",
            .params = params,
        },
    .create = create_again,
    .begin = variant_again_begin,
    .wait = variant_again_wait,
    .failed = variant_again_wait,
    .decide = variant_again_decide,
};

const struct cs_moldable_variant cs_moldable_variant_rolling = {
    .info =
        {
            .name = "rolling",
            .problem = "moldable",
            .summary = "again, with the best of seven thresholds by the list that they give",
            .source = "cosched",
            .params = params,
        },
    .create = create_rolling,
    .begin = variant_again_begin,
    .wait = variant_again_wait,
    .failed = variant_again_wait,
    .decide = variant_again_decide,
};
