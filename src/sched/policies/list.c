/* list.c - R-LIST: list scheduling with m reservations, on one pool of processors, and below on any
 * machine.
 *
 * Source: Benoit et al. 2021, Algorithm 1; spec/rigid.md 4 and II 1.1 to 1.3.
 *
 * Idea: m = 0 is greedy, each waiting job that fits starts, in rank order.  With m = 1 a job
 * behind a head that does not fit starts only if it does not delay the head (the paper calls it
 * EASY).  With m = all each job has a reservation, and a job that returns or arrives voids only
 * those behind it (the paper calls it conservative; see conservative.c).  Any other m drops all
 * reservations at each decision and makes m of them again.
 *
 * Invariants:
 * - The queue holds the jobs that wait, except (m < all) the last arrival: it joins the queue at
 *   the next arrival, withdrawal or decision (list_settle), or starts without having been in it.
 * - `decide` differs from `usual` only between an arrival and the decision that follows it.
 * - Each ticket in start[] has left the queue, and all of them fit in view->free together.
 * - The profile holds only during one decision if 2 <= m < all; the plan of m = all is kept.
 *
 * Complexity of one decision, in queries of the queue (queue.c) and S steps of the profile:
 * - m = 0: one query for each start;
 * - m = 1: the same, and O(R) for the shadow time of R attempts that run;
 * - m >= 2: at most m reservations and one for each start, O(S) each, and one query for each
 *   candidate;
 * - m = all: see conservative.c.
 *
 * Constant                                           | found        | at half, at double
 * FEW: 2 reservations before candidates are searched | not recorded | not measured
 *
 * Parameter m, normalised makespan with LERT, q = 0.3, P = 10,000, 90 scenarios (spec/rigid.md II
 * 2): m = 0 1.068, 1 1.052, 2 1.050, 3 1.050, 5 1.051, 10 1.053, all 1.052.
 */
#include "sched/arrival.h"
#include "sched/conservative.h"
#include "sched/planner.h"

#include <math.h>

#define FEW 2 /* reservations made before candidates are searched */

struct list;

typedef int decide_f(struct list *list, const struct cs_sched_view *view, int *start);

struct list {
    const struct cs_sched_instance *in;
    struct cs_sched_queue queue;
    double reservations;
    struct cs_sched_free_times profile;        /* 2 <= m */
    struct cs_sched_conservative conservative; /* m = all */
    bool all;
    decide_f *decide, *usual; /* they differ after an arrival */
    /* Where jobs arrive. */
    int arrivals; /* since the last decision */
    struct cs_sched_arrival arrival;
};

static void list_settle(struct list *list)
{
    cs_sched_arrival_settle(&list->arrival, &list->queue);
}

static int decide_greedy(struct list *list, const struct cs_sched_view *view, int *start)
{
    return cs_sched_queue_take_fitting(&list->queue, view->free, start);
}

static int decide_easy(struct list *list, const struct cs_sched_view *view, int *start)
{
    int head = cs_sched_queue_head(&list->queue);
    struct cs_sched_shadow shadow;

    list->arrival.known = false;
    if (list->in->procs[head] <= view->free)
        return cs_sched_queue_take_fitting(&list->queue, view->free, start);
    shadow = cs_sched_shadow_of(view, list->in->procs[head]);
    return cs_sched_queue_take_backfill(&list->queue, view->now, view->free, shadow.at,
                                        shadow.extra, start);
}

/* A fresh round of reservations. */
struct round {
    struct list *list;
    double now;
    struct cs_sched_cursor next; /* all before it are done */
    int left;                    /* reservations */
};

/* Reservations for those before the candidate, as they only matter to it; can it still start? */
static bool reserve_before(struct round *r, int candidate)
{
    struct list *list = r->list;
    double end = cs_sched_plan_end(list->in, candidate, r->now);
    int procs = list->in->procs[candidate], ticket;

    for (; r->left > 0 && (ticket = cs_sched_queue_at(&list->queue, &r->next)) != candidate;
         r->next.at++) {
        double start = cs_sched_free_times_reserve(&list->profile, ticket);

        r->left--;
        if (start < end && !cs_sched_free_times_free_until(&list->profile, procs, end)) {
            r->next.at++;
            return false;
        }
    }
    return true;
}

/* The first in order, as many as this, get their slots without a question. */
static int reserve_first(struct round *r, int most, int *start)
{
    struct list *list = r->list;
    int count = 0, ticket;

    for (; most > 0 && r->left > 0 && (ticket = cs_sched_queue_at(&list->queue, &r->next)) >= 0;
         most--) {
        r->left--;
        if (cs_sched_free_times_reserve(&list->profile, ticket) == r->now) {
            cs_sched_queue_remove_at(&list->queue, r->next);
            start[count++] = ticket;
        } else {
            r->next.at++;
        }
    }
    return count;
}

/* In order, the first m waiting jobs get the earliest slot (one that begins now is a start), the
 * others start if they fit next to those. */
static int decide_round(struct list *list, const struct cs_sched_view *view, int *start)
{
    struct round r = {.list = list, .now = view->now, .left = (int)list->reservations};
    int count;

    if (list->in->place && !cs_sched_queue_any_fits(&list->queue, view->free))
        return 0;
    cs_sched_free_times_begin(&list->profile, view);
    count = reserve_first(&r, FEW, start);
    for (;;) {
        struct cs_sched_cursor at = r.next;
        int ticket = cs_sched_free_times_candidate(&list->profile, &list->queue, &at);

        if (ticket < 0)
            return count;
        if (!reserve_before(&r, ticket))
            continue;
        cs_sched_free_times_reserve(&list->profile, ticket);
        r.left -= r.left > 0;
        cs_sched_queue_remove_at(&list->queue, at);
        r.next = at;
        start[count++] = ticket;
    }
}

static int decide_all(struct list *list, const struct cs_sched_view *view, int *start)
{
    return cs_sched_conservative_decide(&list->conservative, view, start);
}

static void *list_create(const struct cs_sched_instance *in, const double *param,
                         struct cs_arena *arena, struct cs_error *err)
{
    struct list *list = CS_NEW(arena, struct list);

    (void)err;
    list->in = in;
    list->reservations = param[0];
    list->all = isnan(param[0]);
    list->usual = list->all       ? decide_all
                  : param[0] == 0 ? decide_greedy
                  : param[0] == 1 ? decide_easy
                                  : decide_round;
    cs_sched_queue_init(&list->queue, in, arena);
    if (list->all)
        cs_sched_conservative_init(&list->conservative, in, &list->queue, arena);
    else if (param[0] >= 2)
        cs_sched_free_times_init(&list->profile, in, arena);
    return list;
}

static void list_begin(void *state)
{
    struct list *list = state;

    cs_sched_queue_fill(&list->queue);
    list->decide = list->usual;
    list->arrivals = 0;
    cs_sched_arrival_begin(&list->arrival);
    if (list->all)
        cs_sched_conservative_begin(&list->conservative);
}

static void list_failed(void *state, int ticket)
{
    struct list *list = state;

    cs_sched_queue_add(&list->queue, ticket);
    if (list->all)
        cs_sched_conservative_waits(&list->conservative, ticket);
}

static void list_discard(struct list *list)
{
    if (list->all)
        cs_sched_conservative_discard(&list->conservative);
}

static void list_withdrawn(void *state, int ticket)
{
    struct list *list = state;

    list_settle(list);
    list->arrivals++;
    if (cs_sched_queue_has(&list->queue, ticket))
        cs_sched_queue_remove(&list->queue, ticket);
    list_discard(list);
}

static void off_plan(void *state, enum cs_sched_surprise surprise)
{
    (void)surprise;
    list_discard(state);
}

static void list_reranked(void *state, const int *rank)
{
    struct list *list = state;

    list_settle(list);
    cs_sched_queue_rerank(&list->queue, rank);
    list_discard(list);
}

/* Behind a head that does not fit, or in an empty queue. */
static bool arrival_starts(struct list *list, const struct cs_sched_view *view)
{
    if (list->reservations == 0 || list->queue.waiting == 0)
        return list->in->procs[list->arrival.ticket] <= view->free;
    return cs_sched_arrival_fits(&list->arrival, &list->queue, view);
}

/* One that arrives behind the head is the only one to look at. */
static int decide_after_arrivals(struct list *list, const struct cs_sched_view *view, int *start)
{
    const int arrival = list->arrival.ticket;
    bool lone =
        list->arrivals == 1 && arrival >= 0 && list->reservations <= 1 &&
        (list->queue.waiting == 0 ||
         (!view->changed && cs_sched_before(list->in, cs_sched_queue_head(&list->queue), arrival)));

    list->decide = list->usual;
    list->arrivals = 0;
    list->arrival.known &= list->queue.waiting > 0;
    if (lone && arrival_starts(list, view))
        return cs_sched_arrival_start(&list->arrival, start);
    list_settle(list);
    return lone || view->free == 0 ? 0 : list->decide(list, view, start);
}

static void list_arrived(void *state, int ticket)
{
    struct list *list = state;

    list_settle(list);
    list->decide = decide_after_arrivals;
    list->arrivals++;
    if (list->all)
        list_failed(state, ticket);
    else
        list->arrival.ticket = ticket;
}

static int list_decide(void *state, const struct cs_sched_view *view, int *start)
{
    struct list *list = state;

    return list->queue.waiting || list->arrival.ticket >= 0 ? list->decide(list, view, start) : 0;
}

/* m = 0 in a batch: no arrivals and no reservations, so the queue is the whole state. */

static void *create_batch(const struct cs_sched_instance *in, const double *param,
                          struct cs_arena *arena, struct cs_error *err)
{
    struct cs_sched_queue *queue = CS_NEW(arena, struct cs_sched_queue);

    (void)param;
    (void)err;
    cs_sched_queue_init(queue, in, arena);
    return queue;
}

static int decide_batch(void *state, const struct cs_sched_view *view, int *start)
{
    return cs_sched_queue_take_fitting(state, view->free, start);
}

static const struct cs_sched_policy greedy_batch = {
    .tail = true,
    .create = create_batch,
    .begin = cs_sched_queue_begin,
    .arrived = cs_sched_queue_waits,
    .failed = cs_sched_queue_waits,
    .withdrawn = cs_sched_queue_withdrawn,
    .reranked = cs_sched_queue_reranked,
    .decide = decide_batch,
};

/* The form for any machine: several pools, places that move with time, limits of users
 * (spec/replay.md 7.5 and 8.1).
 *
 * At each decision the first m jobs in order take the earliest slot (a slot that begins now is a
 * start), the others start if they fit now next to those slots.  A reservation lives for one
 * decision; a job that starts counts among the m; a job over a limit of its user is skipped and
 * does not count.  O(n) searches of the space (availability.c) for n waiting jobs. */

struct rounds {
    struct cs_sched_planner planner;
    double reservations;
};

static void *list_general_create(const struct cs_sched_instance *in, const double *param,
                                 struct cs_arena *arena, struct cs_error *err)
{
    struct rounds *rounds = CS_NEW(arena, struct rounds);

    (void)err;
    cs_sched_planner_init(&rounds->planner, in, arena);
    rounds->reservations = isnan(param[0]) ? INFINITY : param[0];
    return rounds;
}

static int list_general_decide(void *state, const struct cs_sched_view *view, int *start)
{
    struct rounds *rounds = state;
    struct cs_sched_planner *p = &rounds->planner;
    double left = rounds->reservations;

    if (!p->waiting)
        return 0;
    cs_sched_planner_begin(p, view, start);
    for (int k = 0; k < p->waiting; k++) {
        if (!cs_sched_planner_admits(p, p->line[k]))
            continue;
        if (left-- > 0)
            cs_sched_planner_reserve(p, k);
        else
            cs_sched_planner_try(p, k, NULL);
    }
    return cs_sched_planner_end(p);
}

static const struct cs_sched_policy list_general = {
    .create = list_general_create,
    .begin = cs_sched_planner_fill,
    .arrived = cs_sched_planner_add,
    .failed = cs_sched_planner_add,
    .withdrawn = cs_sched_planner_withdraw,
    .reranked = cs_sched_planner_rerank,
    .decide = list_general_decide,
};

static const struct cs_sched_policy *list_choose(const struct cs_sched_instance *in,
                                                 const double *param)
{
    if (cs_sched_is_general(in))
        return &list_general;
    return param[0] == 0 && !in->place ? &greedy_batch : NULL;
}

static const struct cs_policy_param params[] = {
    {
        .name = "reservations",
        .kind = CS_POLICY_PARAM_INTEGER,
        .default_text = "all",
        .low = 0,
        .high = 1000000000,
        .summary =
            "how many of the first in order get a reservation at each decision, for that decision",
    },
    {0},
};

static const struct cs_policy_preset presets[] = {
    {"greedy", "reservations=0"},
    {"r-list-0", "reservations=0"},
    {"r-list-1", "reservations=1"},
    {"r-list-q", ""},
    {0},
};

const struct cs_sched_policy cs_sched_policy_list = {
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
    .choose = list_choose,
    .create = list_create,
    .begin = list_begin,
    .arrived = list_arrived,
    .failed = list_failed,
    .withdrawn = list_withdrawn,
    .off_plan = off_plan,
    .reranked = list_reranked,
    .decide = list_decide,
};
