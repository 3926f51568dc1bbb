/* list - R-LIST of Benoit et al. 2021, Algorithm 1: list scheduling with m reservations.
 *
 * m = 0 is greedy: every waiting job that fits starts, in rank order.  m = 1 is EASY: when the head
 * does not fit, others may start only if they do not delay it.  m = all is conservative: every job
 * has a reservation, and only those behind a failed job are made anew.  Any other m makes a fresh
 * round of m reservations at every event.
 */
#include "rigid/conservative.h"
#include "rigid/free_times.h"
#include "rigid/policy.h"
#include "rigid/queue.h"

#include <math.h>

struct list {
    const struct cs_rigid_instance *in;
    struct cs_rigid_queue queue;
    double reservations;
    struct cs_rigid_free_times profile;        /* 2 <= m */
    struct cs_rigid_conservative conservative; /* m = all */
    bool all;
    int (*decide)(struct list *list, const struct cs_rigid_view *view, int *start);
};

/* EASY's reservation: when so many processors are free, and how many are left over then. */
struct shadow {
    double at;
    int extra;
};

static struct shadow shadow_of(const struct cs_rigid_view *view, int procs)
{
    struct shadow shadow = {view->now, view->free};
    int a = view->running - 1;

    for (; a >= 0 && shadow.extra < procs; a--) {
        shadow.at = view->attempt[a].end;
        shadow.extra += view->attempt[a].procs;
    }
    for (; a >= 0 && view->attempt[a].end == shadow.at; a--)
        shadow.extra += view->attempt[a].procs;
    shadow.extra -= procs;
    return shadow;
}

static int decide_easy(struct list *list, const struct cs_rigid_view *view, int *start)
{
    int head = cs_rigid_queue_next(&list->queue, 0);
    struct shadow shadow;

    if (list->in->procs[head] <= view->free)
        return cs_rigid_queue_take_fitting(&list->queue, view->free, start);
    shadow = shadow_of(view, list->in->procs[head]);
    return cs_rigid_queue_take_backfill(&list->queue, view->now, view->free, shadow.at,
                                        shadow.extra, start);
}

/* A fresh round: reservations for the first m, then whoever can start now beside them. */
static int decide_round(struct list *list, const struct cs_rigid_view *view, int *start)
{
    struct cs_rigid_free_times *profile = &list->profile;
    int count = 0, rank = -1, left = (int)list->reservations;

    cs_rigid_free_times_begin(profile, view);
    for (; left > 0 && (rank = cs_rigid_queue_next(&list->queue, rank + 1)) >= 0; left--)
        if (cs_rigid_free_times_reserve(profile, rank) == view->now)
            start[count++] = rank;
    for (int a = 0; a < count; a++)
        cs_rigid_queue_remove(&list->queue, start[a]);
    while (left == 0 &&
           (rank = cs_rigid_free_times_candidate(profile, &list->queue, rank + 1)) >= 0) {
        cs_rigid_free_times_reserve(profile, rank);
        cs_rigid_queue_remove(&list->queue, rank);
        start[count++] = rank;
    }
    return count;
}

static int decide_greedy(struct list *list, const struct cs_rigid_view *view, int *start)
{
    return cs_rigid_queue_take_fitting(&list->queue, view->free, start);
}

static int decide_all(struct list *list, const struct cs_rigid_view *view, int *start)
{
    return cs_rigid_conservative_decide(&list->conservative, view, start);
}

static void *create(const struct cs_rigid_instance *in, const double *param, struct cs_arena *arena,
                    struct cs_error *err)
{
    struct list *list = CS_NEW(arena, struct list);

    (void)err;
    list->in = in;
    list->reservations = param[0];
    list->all = isnan(param[0]);
    list->decide = list->all       ? decide_all
                   : param[0] == 0 ? decide_greedy
                   : param[0] == 1 ? decide_easy
                                   : decide_round;
    cs_rigid_queue_init(&list->queue, in, arena);
    if (list->all)
        cs_rigid_conservative_init(&list->conservative, in, &list->queue, arena);
    else if (param[0] >= 2)
        cs_rigid_free_times_init(&list->profile, in, arena);
    return list;
}

static void begin(void *state)
{
    struct list *list = state;

    cs_rigid_queue_fill(&list->queue);
    if (list->all)
        cs_rigid_conservative_begin(&list->conservative);
}

static void failed(void *state, int rank)
{
    struct list *list = state;

    cs_rigid_queue_add(&list->queue, rank);
    if (list->all)
        cs_rigid_conservative_failed(&list->conservative, rank);
}

static void reranked(void *state, const int *rank)
{
    struct list *list = state;

    cs_rigid_queue_rerank(&list->queue, rank);
    if (list->all)
        cs_rigid_conservative_begin(&list->conservative);
}

static int decide(void *state, const struct cs_rigid_view *view, int *start)
{
    struct list *list = state;

    if (list->queue.waiting == 0)
        return 0;
    return list->decide(list, view, start);
}

static const struct cs_param params[] = {
    {
        .name = "reservations",
        .kind = CS_PARAM_INTEGER,
        .fallback = "all",
        .low = 0,
        .high = 1000000000,
        .summary = "how many waiting jobs get a reservation: 0 greedy, 1 EASY, all conservative",
    },
    {0},
};

static const struct cs_policy_preset presets[] = {
    {"greedy", "reservations=0"},
    {"r-list-0", "reservations=0"},
    {"easy", "reservations=1"},
    {"r-list-1", "reservations=1"},
    {"conservative", ""},
    {"r-list-q", ""},
    {0},
};

const struct cs_rigid_policy cs_rigid_policy_list = {
    .info =
        {
            .name = "list",
            .problem = "rigid",
            .summary = "jobs in order of priority, with reservations for the first of them",
            .source = "Benoit et al. 2021, Algorithm 1: R-LIST",
            .params = params,
            .presets = presets,
        },
    .tail = true,
    .create = create,
    .begin = begin,
    .failed = failed,
    .reranked = reranked,
    .decide = decide,
};
