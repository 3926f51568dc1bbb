/* easy.c - EASY backfilling on one pool: the first job that does not fit gets the reservation.
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
 * Complexity: one query of the queue for each start, O(R) for the shadow time (shadow.c).
 * Measured (bench/README.md, `strict-easy`): 9.9 us for a scenario of 100 jobs.  There are no
 * tuned constants.
 */
#include "problems/rigid/arrival.h"
#include "problems/rigid/free_times.h"
#include "problems/rigid/general.h"

struct strict {
    struct cs_rigid_queue queue;
    struct cs_rigid_running starting; /* heads, in this decision */
    struct cs_rigid_arrival arrival;
    bool calm; /* since the last decision, which left a head that does not fit, the queue and what
                  runs are as they were: only the last arrival can start */
};

static void *easy_create(const struct cs_rigid_instance *in, const double *param,
                         struct cs_arena *arena, struct cs_error *err)
{
    struct strict *strict = CS_NEW(arena, struct strict);

    (void)param;
    (void)err;
    cs_rigid_queue_init(&strict->queue, in, arena);
    cs_rigid_running_init(&strict->starting, arena);
    return strict;
}

static void easy_begin(void *state)
{
    struct strict *strict = state;

    cs_rigid_queue_begin(state);
    cs_rigid_arrival_begin(&strict->arrival);
    strict->calm = false;
}

static void easy_settle(struct strict *strict)
{
    cs_rigid_arrival_settle(&strict->arrival, &strict->queue);
}

static void easy_failed(void *state, int ticket)
{
    struct strict *strict = state;

    strict->calm = false;
    cs_rigid_queue_add(&strict->queue, ticket);
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
    cs_rigid_queue_withdrawn(state, ticket);
}

static void easy_reranked(void *state, const int *rank)
{
    struct strict *strict = state;

    strict->calm = false;
    easy_settle(strict);
    cs_rigid_queue_reranked(state, rank);
}

/* Heads that fit, in order; *head is the one that does not, or -1.  Returns how many. */
static int start_heads(struct strict *strict, double now, int *free, int *head, int *start)
{
    const struct cs_rigid_instance *in = strict->queue.in;
    struct cs_rigid_cursor first = {0, 0};
    int count = 0, next;

    cs_rigid_running_clear(&strict->starting);
    while ((next = cs_rigid_queue_at(&strict->queue, &first)) >= 0 && in->procs[next] <= *free) {
        cs_rigid_queue_remove_at(&strict->queue, first);
        cs_rigid_running_add(&strict->starting, cs_rigid_end(in, next, now), in->procs[next], next);
        *free -= in->procs[next];
        start[count++] = next;
    }
    *head = next;
    return count;
}

/* In order, with the reservation of the first job that does not fit. */
static int decide_all(struct strict *strict, const struct cs_rigid_view *view, int *start)
{
    struct cs_rigid_shadow shadow;
    int count, head, free = view->free;

    count = start_heads(strict, view->now, &free, &head, start);
    strict->calm = head >= 0;
    if (head < 0 || free == 0)
        return count;
    shadow =
        count ? cs_rigid_shadow_among(view, &strict->starting, free, strict->queue.in->procs[head])
              : cs_rigid_shadow_of(view, strict->queue.in->procs[head]);
    count += cs_rigid_queue_take_backfill(&strict->queue, view->now, free, shadow.at, shadow.extra,
                                          start + count);
    return count;
}

/* No other job waits. */
static int decide_alone(struct strict *strict, const struct cs_rigid_view *view, int *start)
{
    strict->arrival.known = false;
    strict->calm = strict->queue.in->procs[strict->arrival.ticket] > view->free;
    if (!strict->calm)
        return cs_rigid_arrival_start(&strict->arrival, start);
    easy_settle(strict);
    return 0;
}

/* No other job can start. */
static int decide_arrival(struct strict *strict, const struct cs_rigid_view *view, int *start)
{
    if (cs_rigid_arrival_fits(&strict->arrival, &strict->queue, view))
        return cs_rigid_arrival_start(&strict->arrival, start);
    easy_settle(strict);
    return 0;
}

static int easy_decide(void *state, const struct cs_rigid_view *view, int *start)
{
    struct strict *strict = state;
    const int arrival = strict->arrival.ticket;

    if (arrival >= 0 && strict->queue.waiting == 0)
        return decide_alone(strict, view, start);
    if (arrival >= 0 && strict->calm && !view->changed &&
        !cs_rigid_before(strict->queue.in, arrival, cs_rigid_queue_head(&strict->queue)))
        return decide_arrival(strict, view, start);
    easy_settle(strict);
    strict->arrival.known = false;
    if (strict->queue.waiting == 0 || view->free == 0) {
        strict->calm = false;
        return 0;
    }
    return decide_all(strict, view, start);
}

static const struct cs_rigid_policy *easy_choose(const struct cs_rigid_instance *in,
                                                 const double *param)
{
    return cs_rigid_is_general(in) || param[0] != 1 || param[1] > 0 ? &cs_rigid_easy_general : NULL;
}

static const struct cs_param params[] = {
    {
        .name = "reservations",
        .kind = CS_PARAM_INTEGER,
        .fallback = "1",
        .low = 1,
        .high = 1000000000,
        .summary = "how many waiting jobs of a partition get a reservation",
    },
    {
        .name = "backfill",
        .kind = CS_PARAM_CHOICE,
        .fallback = "queue",
        .choices = CS_RIGID_URGENCY_CHOICES,
        .summary = "in which order the others are tried",
    },
    {0},
};

const struct cs_rigid_policy cs_rigid_policy_easy = {
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
