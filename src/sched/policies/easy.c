/* easy.c - EASY backfilling: the first job that does not fit gets the reservation.  On one pool,
 * and below on any machine.
 *
 * Source: Lifka 1995; Mu'alem and Feitelson 2001; spec/replay.md 7.3, strict EASY of spec/rigid.md
 * 4.3.  R-LIST with m = 1 (list.c) differs: there a head that fits uses up the reservation.
 *
 * Idea: heads of the queue start as long as they fit.  For the first that does not, the shadow
 * time is when the attempts that run, and the heads that start now, leave enough processors;
 * `extra` counts the processors left over then.  Another job starts if it fits now and ends by the
 * shadow time or fits in `extra`.
 *
 * Invariants:
 * - A backfilled job never delays the head, if attempts end no later than expected.
 * - `calm`: since the last decision, which left a head that does not fit, only arrivals were
 *   reported; then only the last arrival can start, and only that one is examined.
 * - The arrival is not in the queue until it is settled (arrival.h).
 *
 * Complexity: one query of the queue for each start, O(R) for the shadow time (arrival.c).
 * Measured (bench/README.md, `strict-easy`): 9.9 us for a scenario of 100 jobs.  There are no
 * tuned constants.
 */
#include "sched/arrival.h"
#include "sched/free_times.h"
#include "sched/planner.h"
#include "sched/urgency.h"

#include <math.h>
#include <string.h>

struct strict {
    struct cs_sched_queue queue;
    struct cs_sched_running starting; /* heads, in this decision */
    struct cs_sched_arrival arrival;
    bool calm; /* since the last decision, which left a head that does not fit, the queue and what
                  runs are as they were: only the last arrival can start */
};

static void *easy_create(const struct cs_sched_instance *in, const double *param,
                         struct cs_arena *arena, struct cs_error *err)
{
    struct strict *strict = CS_NEW(arena, struct strict);

    (void)param;
    (void)err;
    cs_sched_queue_init(&strict->queue, in, arena);
    cs_sched_running_init(&strict->starting, arena);
    return strict;
}

static void easy_begin(void *state)
{
    struct strict *strict = state;

    cs_sched_queue_begin(state);
    cs_sched_arrival_begin(&strict->arrival);
    strict->calm = false;
}

static void easy_settle(struct strict *strict)
{
    cs_sched_arrival_settle(&strict->arrival, &strict->queue);
}

static void easy_failed(void *state, int ticket)
{
    struct strict *strict = state;

    strict->calm = false;
    cs_sched_queue_add(&strict->queue, ticket);
}

static void easy_arrived(void *state, int ticket)
{
    struct strict *strict = state;

    strict->calm &= strict->arrival.ticket < 0;
    easy_settle(strict);
    strict->arrival.ticket = ticket;
}

static void easy_withdrawn(void *state, int ticket)
{
    struct strict *strict = state;

    strict->calm = false;
    easy_settle(strict);
    cs_sched_queue_withdrawn(state, ticket);
}

static void easy_reranked(void *state, const int *rank)
{
    struct strict *strict = state;

    strict->calm = false;
    easy_settle(strict);
    cs_sched_queue_reranked(state, rank);
}

/* Heads that fit, in order; *head is the one that does not, or -1.  Returns how many. */
static int start_heads(struct strict *strict, double now, int *free, int *head, int *start)
{
    const struct cs_sched_instance *in = strict->queue.in;
    struct cs_sched_cursor first = {0, 0};
    int count = 0, next;

    cs_sched_running_clear(&strict->starting);
    while ((next = cs_sched_queue_at(&strict->queue, &first)) >= 0 && in->procs[next] <= *free) {
        cs_sched_queue_remove_at(&strict->queue, first);
        cs_sched_running_add(&strict->starting, cs_sched_end(in, next, now), in->procs[next], next);
        *free -= in->procs[next];
        start[count++] = next;
    }
    *head = next;
    return count;
}

/* In order, with the reservation of the first job that does not fit. */
static int decide_all(struct strict *strict, const struct cs_sched_view *view, int *start)
{
    struct cs_sched_shadow shadow;
    int count, head, free = view->free;

    count = start_heads(strict, view->now, &free, &head, start);
    strict->calm = head >= 0;
    if (head < 0 || free == 0)
        return count;
    shadow =
        count ? cs_sched_shadow_among(view, &strict->starting, free, strict->queue.in->procs[head])
              : cs_sched_shadow_of(view, strict->queue.in->procs[head]);
    count += cs_sched_queue_take_backfill(&strict->queue, view->now, free, shadow.at, shadow.extra,
                                          start + count);
    return count;
}

/* No other job waits. */
static int decide_alone(struct strict *strict, const struct cs_sched_view *view, int *start)
{
    strict->arrival.known = false;
    strict->calm = strict->queue.in->procs[strict->arrival.ticket] > view->free;
    if (!strict->calm)
        return cs_sched_arrival_start(&strict->arrival, start);
    easy_settle(strict);
    return 0;
}

/* No other job can start. */
static int decide_arrival(struct strict *strict, const struct cs_sched_view *view, int *start)
{
    if (cs_sched_arrival_fits(&strict->arrival, &strict->queue, view))
        return cs_sched_arrival_start(&strict->arrival, start);
    easy_settle(strict);
    return 0;
}

static int easy_decide(void *state, const struct cs_sched_view *view, int *start)
{
    struct strict *strict = state;
    const int arrival = strict->arrival.ticket;

    if (arrival >= 0 && strict->queue.waiting == 0)
        return decide_alone(strict, view, start);
    if (arrival >= 0 && strict->calm && !view->changed &&
        !cs_sched_before(strict->queue.in, arrival, cs_sched_queue_head(&strict->queue)))
        return decide_arrival(strict, view, start);
    easy_settle(strict);
    strict->arrival.known = false;
    if (strict->queue.waiting == 0 || view->free == 0) {
        strict->calm = false;
        return 0;
    }
    return decide_all(strict, view, start);
}

/* The form for any machine, with k reservations in each partition and an order for the jobs behind
 * them that may differ from the order of the queue (spec/replay.md 7.3; `backfill=spt` with
 * predictions is EASY++, Tsafrir et al. 2007).
 *
 * In queue order each job takes the earliest slot while its partition has fewer than k reservations
 * (a slot that begins now is a start, which does not count).  The jobs left over are candidates: in
 * queue order or by `backfill` each starts if it fits now.  Reservations live for one decision;
 * candidates with equal keys keep the order of the queue; limits of users are examined again before
 * a candidate starts.  O(n) searches of the space; the insertion sort of c candidates O(c^2) at
 * worst. */

struct easy {
    struct cs_sched_planner planner;
    double reservations;                     /* of each partition */
    const struct cs_sched_urgency *backfill; /* NULL: the order of the queue */
    int *made;                               /* reservations, by partition */
    int room;
    int *candidate; /* places in the line */
    double *key;    /* by candidate */
};

static void *easy_general_create(const struct cs_sched_instance *in, const double *param,
                                 struct cs_arena *arena, struct cs_error *err)
{
    struct easy *easy = CS_NEW(arena, struct easy);

    (void)err;
    cs_sched_planner_init(&easy->planner, in, arena);
    easy->reservations = param[0];
    easy->backfill = cs_sched_urgency_of_choice((int)param[1]);
    easy->made = CS_NEW_ARRAY(arena, int, in->site ? in->site->partitions : 1);
    return easy;
}

static void easy_general_make_room(struct easy *easy)
{
    if (easy->room >= easy->planner.waiting)
        return;
    easy->room = 2 * easy->planner.waiting;
    easy->candidate = CS_NEW_ARRAY(easy->planner.arena, int, easy->room);
    easy->key = CS_NEW_ARRAY(easy->planner.arena, double, easy->room);
}

/* Those at the front of their partitions; returns how many candidates are left. */
static int easy_general_reserve(struct easy *easy)
{
    struct cs_sched_planner *p = &easy->planner;
    const struct cs_sched_instance *in = p->in;
    int count = 0;

    memset(easy->made, 0, (size_t)(in->site ? in->site->partitions : 1) * sizeof *easy->made);
    for (int k = 0; k < p->waiting; k++) {
        int *made = &easy->made[in->site ? in->request[p->line[k]].partition : 0];

        if (!cs_sched_planner_admits(p, p->line[k]))
            continue;
        if (*made >= easy->reservations)
            easy->candidate[count++] = k;
        else if (cs_sched_planner_reserve(p, k) != p->now)
            ++*made;
    }
    return count;
}

static double key_of(const struct easy *easy, int ticket)
{
    const struct cs_sched_instance *in = easy->planner.in;
    double arrival = in->site ? in->request[ticket].arrival : 0;
    const struct cs_sched_urgent job = {
        .r = in->seconds[ticket],
        .q = in->procs[ticket],
        .w = easy->planner.now - arrival,
        .a = fmax(1, arrival - in->origin),
        .arrival = arrival,
    };

    return easy->backfill->key(&job);
}

/* By key, those with the same one in the order of the queue. */
static void sort_candidates(struct easy *easy, int count)
{
    for (int c = 0; c < count; c++) {
        int place = easy->candidate[c], at = c;
        double key = key_of(easy, easy->planner.line[place]);

        for (; at > 0 && easy->key[at - 1] > key; at--) {
            easy->key[at] = easy->key[at - 1];
            easy->candidate[at] = easy->candidate[at - 1];
        }
        easy->key[at] = key;
        easy->candidate[at] = place;
    }
}

static int easy_general_decide(void *state, const struct cs_sched_view *view, int *start)
{
    struct easy *easy = state;
    struct cs_sched_planner *p = &easy->planner;
    int count;

    if (!p->waiting)
        return 0;
    easy_general_make_room(easy);
    cs_sched_planner_begin(p, view, start);
    count = easy_general_reserve(easy);
    if (easy->backfill)
        sort_candidates(easy, count);
    for (int c = 0; c < count; c++)
        if (cs_sched_planner_admits(p, p->line[easy->candidate[c]]))
            cs_sched_planner_try(p, easy->candidate[c], NULL);
    return cs_sched_planner_end(p);
}

static const struct cs_sched_policy easy_general = {
    .create = easy_general_create,
    .begin = cs_sched_planner_fill,
    .arrived = cs_sched_planner_add,
    .failed = cs_sched_planner_add,
    .withdrawn = cs_sched_planner_withdraw,
    .reranked = cs_sched_planner_rerank,
    .decide = easy_general_decide,
};

static const struct cs_sched_policy *easy_choose(const struct cs_sched_instance *in,
                                                 const double *param)
{
    return cs_sched_is_general(in) || param[0] != 1 || param[1] > 0 ? &easy_general : NULL;
}

static const struct cs_policy_param params[] = {
    {
        .name = "reservations",
        .kind = CS_POLICY_PARAM_INTEGER,
        .default_text = "1",
        .low = 1,
        .high = 1000000000,
        .summary = "how many waiting jobs of a partition get a reservation",
    },
    {
        .name = "backfill",
        .kind = CS_POLICY_PARAM_CHOICE,
        .default_text = "queue",
        .choices = CS_SCHED_URGENCY_CHOICES,
        .summary = "in which order the others are tried",
    },
    {0},
};

const struct cs_sched_policy cs_sched_policy_easy = {
    .info =
        {
            .name = "easy",
            .problem = "rigid",
            .summary = "the first job that does not fit has a reservation, others may not delay it",
            .source = "Lifka 1995, EASY backfilling",
            .aliases = "strict-easy|r-list-1e",
            .params = params,
        },
    .tail = true,
    .choose = easy_choose,
    .create = easy_create,
    .begin = easy_begin,
    .arrived = easy_arrived,
    .failed = easy_failed,
    .withdrawn = easy_withdrawn,
    .reranked = easy_reranked,
    .decide = easy_decide,
};
