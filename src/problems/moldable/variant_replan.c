/* policy replan - as list, but decided again at every event while tasks wait.
 *
 * Source: spec/moldable.md 7.3 (not from a paper).
 * Idea: running tasks are expected to end after their planned times.  The plan as it is, is
 * compared with allotments around the area that is left, each carried out by FIT from here.  FIT
 * sees the waiting tasks alone: where others are still to arrive, its counts are taken only if the
 * list of all ends sooner with them.
 * Invariants: no new decision at time 0 or when no processor is free; counts change only for a
 * predicted makespan shorter by more than 1e-9; running tasks keep their processors.
 * Complexity: 21 FITs for each event; with release dates also two lists where counts would
 * change.
 *
 *   constant         value        unit          how found             half, double
 *   step of g        4 of 80      thresholds    spec/moldable.md 7.3  not measured
 *   0.2 + 0.02 g     0.2 .. 1.72  of area left  spec/moldable.md 7.3  not measured
 *   gain             1e-9         of makespan   spec/moldable.md 7.3  not measured
 */
#include "problems/moldable/fit.h"
#include "problems/moldable/variant.h"

#include "base/order.h"

#include <math.h>
#include <string.h>

struct state {
    const struct cs_moldable_scene *scene;
    struct cs_moldable_fit fit;
    int *choice, *order; /* what holds now: of all tasks */
    int *line, *sorted;  /* the tasks that wait */
    int *trial, *found;
    double *key;
    struct ahead *ahead;          /* NULL: all tasks are there from the start */
    struct cs_moldable_room room; /* while launches are chosen */
    struct cs_arena *scratch;
};

/* The state of a list of all tasks that wait or are to arrive. */
struct ahead {
    struct cs_tournament waiting; /* by place in the order: minus the count */
    struct cs_heap running;       /* by end */
    int *arrival;                 /* tasks by (release, index) */
    int *place, *order, *choice, *width, *first;
    struct cs_moldable_room room;
};

static struct ahead *find_lookahead(const struct cs_moldable_bag *bag, struct cs_arena *arena)
{
    struct ahead *a = CS_NEW(arena, struct ahead);

    cs_tournament_init(&a->waiting, bag->tasks, arena);
    cs_heap_init(&a->running, bag->tasks, arena);
    a->arrival = CS_NEW_ARRAY(arena, int, bag->tasks);
    a->place = CS_NEW_ARRAY(arena, int, bag->tasks);
    a->order = CS_NEW_ARRAY(arena, int, bag->tasks);
    a->choice = CS_NEW_ARRAY(arena, int, bag->tasks);
    a->width = CS_NEW_ARRAY(arena, int, bag->tasks);
    a->first = CS_NEW_ARRAY(arena, int, bag->tasks);
    cs_moldable_room_init(&a->room, bag, arena);
    cs_order_ascending(bag->release, bag->tasks, a->arrival, arena);
    return a;
}

static void *variant_replan_create(const struct cs_moldable_scene *scene, const double *param,
                                   struct cs_arena *arena, struct cs_error *err)
{
    struct state *s = CS_NEW(arena, struct state);
    int n = scene->bag->tasks;

    (void)param;
    (void)err;
    s->scene = scene;
    s->scratch = arena;
    s->choice = CS_NEW_ARRAY(arena, int, n);
    s->order = CS_NEW_ARRAY(arena, int, n);
    s->line = CS_NEW_ARRAY(arena, int, n);
    s->sorted = CS_NEW_ARRAY(arena, int, n);
    s->trial = CS_NEW_ARRAY(arena, int, n);
    s->found = CS_NEW_ARRAY(arena, int, n);
    s->key = CS_NEW_ARRAY(arena, double, n);
    cs_moldable_room_init(&s->room, scene->bag, arena);
    s->ahead = scene->bag->release && n > 0 ? find_lookahead(scene->bag, arena) : NULL;
    cs_moldable_fit_init(&s->fit, scene->bag, arena);
    return s;
}

static void variant_replan_begin(void *state)
{
    struct state *s = state;
    size_t bytes = (size_t)s->scene->bag->tasks * sizeof(int);

    if (bytes) {
        memcpy(s->choice, s->scene->plan->choice, bytes);
        memcpy(s->order, s->scene->order, bytes);
    }
}

static void variant_replan_wait(void *state, int task)
{
    (void)state;
    (void)task;
}

/* The makespan of FIT from here on; deadline -1: counts stay. */
static double variant_replan_predict(struct state *s, const struct cs_moldable_view *view,
                                     const int *choice, const int *line, int waiting,
                                     double deadline)
{
    const struct cs_moldable_bag *bag = s->scene->bag;
    double most = 0;

    cs_moldable_fit_clear(&s->fit);
    s->fit.now = view->now;
    s->fit.plain = deadline < 0;
    for (int r = 0; r < view->running; r++) {
        const struct cs_moldable_attempt *attempt = &view->attempt[r];
        double end = cs_moldable_seems_to_end(bag, view->now, attempt);

        cs_moldable_fit_busy(&s->fit, end, attempt->first,
                             cs_moldable_width(bag, attempt->task, attempt->choice));
        most = fmax(most, end);
    }
    cs_moldable_fit(&s->fit, choice, line, waiting, deadline, INFINITY);
    return fmax(most, s->fit.makespan);
}

/* The work that is left, over the processors. */
static double area_left(const struct state *s, const struct cs_moldable_view *view, const int *line,
                        int waiting)
{
    const struct cs_moldable_bag *bag = s->scene->bag;
    double area = 0;

    for (int r = 0; r < view->running; r++) {
        const struct cs_moldable_attempt *a = &view->attempt[r];
        double rest = a->start + cs_moldable_seconds(bag, a->task, a->choice) - view->now;

        area += fmax(rest, 0) * cs_moldable_width(bag, a->task, a->choice);
    }
    for (int p = 0; p < waiting; p++)
        area += cs_moldable_least_work(bag, line[p]);
    return area / bag->procs;
}

/* gamma of the threshold for the tasks that wait, longest first. */
static void try_threshold(struct state *s, double threshold, int waiting)
{
    const struct cs_moldable_bag *bag = s->scene->bag;

    for (int p = 0; p < waiting; p++) {
        int i = s->line[p], at = cs_moldable_quick(bag, i, threshold);

        s->trial[i] = at - bag->first[i] - (at == bag->first[i + 1]);
        s->key[i] = cs_moldable_seconds(bag, i, s->trial[i]);
        s->sorted[p] = i;
    }
    cs_order_sort_descending(s->key, s->sorted, waiting, s->scratch);
}

/* The order of the tasks that wait goes before the rest. */
static void put_first(struct state *s, const int *line, int waiting, const bool *waits, int *order)
{
    int at = waiting;

    for (int p = 0; p < s->scene->bag->tasks; p++)
        if (!waits[s->order[p]])
            s->line[at++] = s->order[p];
    memmove(s->line, line, (size_t)waiting * sizeof *line);
    memcpy(order, s->line, (size_t)at * sizeof *order);
}

/* A list from here on, of the tasks that wait and of those that arrive later. */
struct listing {
    struct ahead *ahead;
    const struct cs_moldable_bag *bag;
    const int *choice, *order;
    double now, most;
    int arrived;
};

static void begin_list(struct listing *l, const struct cs_moldable_view *view)
{
    struct ahead *a = l->ahead;

    cs_heap_reset(&a->running);
    cs_moldable_room_copy(&a->room, view->room);
    for (int r = 0; r < view->running; r++) {
        const struct cs_moldable_attempt *it = &view->attempt[r];
        double end = cs_moldable_seems_to_end(l->bag, view->now, it);

        a->width[it->task] = cs_moldable_width(l->bag, it->task, it->choice);
        a->first[it->task] = it->first;
        l->most = fmax(l->most, end);
        cs_heap_push(&a->running, it->task, end);
    }
    cs_tournament_clear(&a->waiting, l->bag->tasks);
    for (int p = 0; p < l->bag->tasks; p++) {
        int task = l->order[p];

        a->place[task] = p;
        if (view->waits[task])
            cs_tournament_set(&a->waiting, p, -cs_moldable_width(l->bag, task, l->choice[task]));
    }
    while (l->arrived < l->bag->tasks && l->bag->release[a->arrival[l->arrived]] <= view->now)
        l->arrived++;
}

static void start_fitting(struct listing *l)
{
    struct ahead *a = l->ahead;
    int place;

    while (a->room.most > 0 && (place = cs_tournament_first(&a->waiting, -a->room.most)) >= 0) {
        int task = l->order[place];
        double end = l->now + cs_moldable_seconds(l->bag, task, l->choice[task]);

        a->width[task] = cs_moldable_width(l->bag, task, l->choice[task]);
        a->first[task] = cs_moldable_room_take(&a->room, -1, a->width[task]);
        l->most = fmax(l->most, end);
        cs_tournament_set(&a->waiting, place, -INFINITY);
        cs_heap_push(&a->running, task, end);
    }
}

/* Advance to the ends and arrivals of the next instant.  False if no event is left. */
static bool variant_replan_advance(struct listing *l)
{
    struct ahead *a = l->ahead;
    const struct cs_moldable_bag *bag = l->bag;

    l->now = a->running.count ? cs_heap_top_key(&a->running) : INFINITY;
    if (l->arrived < bag->tasks)
        l->now = fmin(l->now, bag->release[a->arrival[l->arrived]]);
    while (a->running.count && cs_heap_top_key(&a->running) <= l->now) {
        int task = cs_heap_pop(&a->running);

        cs_moldable_room_give(&a->room, a->first[task], a->width[task]);
    }
    for (; l->arrived < bag->tasks && bag->release[a->arrival[l->arrived]] <= l->now;
         l->arrived++) {
        int task = a->arrival[l->arrived];

        cs_tournament_set(&a->waiting, a->place[task],
                          -cs_moldable_width(bag, task, l->choice[task]));
    }
    return l->now < INFINITY;
}

static double list_all(struct state *s, const struct cs_moldable_view *view, const int *choice,
                       const int *order)
{
    struct listing l = {.ahead = s->ahead,
                        .bag = s->scene->bag,
                        .choice = choice,
                        .order = order,
                        .now = view->now};

    begin_list(&l, view);
    do
        start_fitting(&l);
    while (variant_replan_advance(&l));
    return l.most;
}

/* The counts found for the tasks that wait and their order hold from now on; not where they are
 * better for those alone. */
static void variant_replan_adopt(struct state *s, const struct cs_moldable_view *view,
                                 const int *line, int waiting)
{
    size_t bytes = (size_t)s->scene->bag->tasks * sizeof(int);
    struct ahead *a = s->ahead;

    if (a) {
        put_first(s, line, waiting, view->waits, a->order);
        memcpy(a->choice, s->choice, bytes);
        for (int p = 0; p < waiting; p++)
            a->choice[line[p]] = s->found[line[p]];
        if (!(list_all(s, view, a->choice, a->order) < list_all(s, view, s->choice, s->order)))
            return;
    }
    put_first(s, line, waiting, view->waits, s->order);
    for (int p = 0; p < waiting; p++)
        s->choice[line[p]] = s->found[line[p]];
}

/* The allotment of least predicted makespan among the present one and those of 20 thresholds. */
static void decide_again(struct state *s, const struct cs_moldable_view *view)
{
    int waiting = 0, *best = CS_NEW_ARRAY(s->scratch, int, s->scene->bag->tasks);
    double deadline, value, area;
    bool changed = false;

    for (int p = 0; p < s->scene->bag->tasks; p++)
        if (view->waits[s->order[p]])
            s->line[waiting++] = s->order[p];
    deadline = value = variant_replan_predict(s, view, s->choice, s->line, waiting, -1);
    area = area_left(s, view, s->line, waiting);
    for (int g = 0; g < 80; g += 4) {
        double here;

        try_threshold(s, area * (0.2 + 0.02 * g), waiting);
        here = variant_replan_predict(s, view, s->trial, s->sorted, waiting, deadline);
        if (!(here < value * (1 - 1e-9)))
            continue;
        value = here;
        changed = true;
        memcpy(best, s->sorted, (size_t)waiting * sizeof *best);
        for (int p = 0; p < waiting; p++)
            s->found[s->sorted[p]] = s->fit.choice[s->sorted[p]];
    }
    if (changed)
        variant_replan_adopt(s, view, best, waiting);
}

static int variant_replan_decide(void *state, const struct cs_moldable_view *view,
                                 struct cs_moldable_launch *launch)
{
    struct state *s = state;
    struct cs_arena_mark mark = cs_arena_mark(s->scratch);
    int count = 0;

    if (view->now > 0 && view->room->most > 0)
        decide_again(s, view);
    cs_moldable_room_copy(&s->room, view->room);
    for (int p = 0; p < s->scene->bag->tasks && s->room.most > 0; p++) {
        int task = s->order[p], width = cs_moldable_width(s->scene->bag, task, s->choice[task]);

        if (!view->waits[task] || width > s->room.most)
            continue;
        launch[count++] = (struct cs_moldable_launch){
            task, s->choice[task],
            cs_moldable_room_take(&s->room, s->scene->plan->first[task], width)};
    }
    cs_arena_rewind(s->scratch, mark);
    return count;
}

const struct cs_moldable_variant cs_moldable_variant_replan = {
    .info =
        {
            .name = "replan",
            .problem = "moldable",
            .summary = "the plan, decided again at every event while a task waits",
            .source = "cosched",
        },
    .follows = true,
    .create = variant_replan_create,
    .begin = variant_replan_begin,
    .wait = variant_replan_wait,
    .failed = variant_replan_wait,
    .decide = variant_replan_decide,
};
