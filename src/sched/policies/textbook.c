/* textbook.c - policy `conservative`: backfilling with reservations that are promises.
 *
 * Source: Mu'alem and Feitelson 2001; spec/replay.md 7.4.  R-LIST with m = all (conservative.c)
 * differs: it makes reservations again when an attempt ends early, and so breaks promises.
 *
 * Idea: a job gets the earliest slot in the decision after its arrival, and no later one after
 * that. When an attempt ended early, one pass over the queue moves reservations to an earlier time
 * (compression: all to the earliest, or the first N and the others only if they can start now).
 * When the machine shrank or an attempt went past its expected end, all reservations are made
 * again in queue order.
 *
 * Two forms with the same starts: the first half keeps the plan of one pool from one decision to
 * the next (free_times.c) and moves a slot without taking it out; the second half, for any
 * machine, makes the space (availability.c) from what runs and from the reservations at each
 * decision.
 *
 * Invariants:
 * - A reservation moves only to an earlier time, unless the plan was made again (`new_plans`).
 * - in->promise[ticket] is the first reservation of the job; it is written once.
 * - First form: `due` holds each job that has a reservation, by its begin; `fresh` counts the
 *   entries without one; the plan is brought up to date when a decision begins, or made again if
 *   `stale` or `shrunk` is set.
 * - A job starts in the first decision at or after its begin in which enough processors are free;
 *   wake() requests a decision at the next begin.
 *
 * Complexity of one decision, with n waiting jobs and S steps: first form O(S) for each arrival,
 * and O(n S) for a full compression; second form O(n S) always, as all reservations are taken
 * again.  Measured (spec/replay.md 7.4): compress=20 is 1.2 to 20 times as fast as full in ten
 * logs.
 *
 * There are no tuned constants.  With compress=20 mean waits are from 2 % longer to 30 %
 * shorter than full in ten logs (spec/replay.md 7.4).
 */
#include "base/heap.h"
#include "base/vector.h"
#include "sched/free_times.h"
#include "sched/planner.h"
#include "sched/policy.h"

#include <math.h>
#include <string.h>

/* conservative - backfilling of Mu'alem and Feitelson 2001: each job has a reservation from the
 * decision after the arrival on, and starts then or earlier.
 *
 * R-LIST with m = all differs: it makes reservations again when an attempt ends early, and so
 * breaks promises.
 *
 * Here for one pool: the plan is kept from one decision to the next, and changes only where
 * something does.  In a pass a reservation is examined without being taken out: its own slot
 * counts as free, so that only what is before it matters.
 */

#define CS_SCHED_COMPRESS_CHOICES "full|now|none"

/* The parameter `compress`: the number of first reservations in the order of the queue that are
 * moved to the earliest time, and whether the others are moved to now. */
static inline double cs_rigid_compress_moved(double compress)
{
    return compress == -1 ? INFINITY : compress < 0 ? 0 : compress;
}

static inline bool cs_rigid_compress_others(double compress)
{
    return compress != -3;
}

/* wake() requests a decision for reservations that begin after this.  If an attempt may end at any
 * moment (dispatcher.h), a reservation that begins with that end needs no request: the end causes
 * the decision. */
static inline double cs_rigid_textbook_moment(const struct cs_sched_view *view)
{
    double moment = nextafter(view->now, INFINITY);

    return cs_sched_running_count(view->running) &&
                   cs_sched_running_first(view->running)->end <= moment
               ? moment
               : view->now;
}

/* A job that waits, in order. */
struct entry {
    double begin; /* of the reservation; NAN: none yet */
    int procs, ticket;
};

/* An attempt that ended before the plan is brought up to now. */
struct past {
    double end;
    int procs;
};

struct textbook_state {
    const struct cs_sched_instance *in;
    struct cs_arena *arena;
    double moved; /* how many are moved to the earliest */
    bool others;  /* are moved to now */
    struct cs_sched_free_times plan;
    int waiting, room;
    struct entry *line;
    int fresh; /* entries without a reservation */
    int due_room;
    struct cs_heap due;   /* reservations by their begin */
    double *end;          /* of attempts that run, by ticket */
    int pasts, past_room; /* that ended since the last decision */
    struct past *past;
    bool early, shrunk, stale; /* stale: make the plan again from what runs */
    double moment;             /* see cs_rigid_textbook_moment */
    int lost;
};

static void *textbook_create(const struct cs_sched_instance *in, const double *param,
                             struct cs_arena *arena, struct cs_error *err)
{
    struct textbook_state *t = CS_NEW(arena, struct textbook_state);

    (void)err;
    *t = (struct textbook_state){.in = in,
                                 .arena = arena,
                                 .moved = cs_rigid_compress_moved(param[0]),
                                 .others = cs_rigid_compress_others(param[0])};
    cs_sched_free_times_init(&t->plan, in, arena);
    return t;
}

/* Tickets may have become more. */
static void make_tickets(struct textbook_state *t)
{
    struct cs_heap old = t->due;
    size_t before = (size_t)t->due_room;

    if (t->in->count <= t->due_room)
        return;
    t->due_room = t->in->count;
    cs_heap_init(&t->due, t->due_room, t->arena);
    for (int k = 0; k < old.count; k++)
        cs_heap_append(&t->due, old.entry[k].id, old.entry[k].key);
    cs_heap_order(&t->due);
    t->end = cs_arena_grow(t->arena, t->end, before, (size_t)t->due_room, sizeof *t->end);
}

/* The first place whose job is not before this one. */
static int textbook_general_find(const struct textbook_state *t, int ticket)
{
    int low = 0, high = t->waiting;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (cs_sched_before(t->in, t->line[middle].ticket, ticket))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void textbook_general_waits(void *state, int ticket)
{
    struct textbook_state *t = state;
    int at = textbook_general_find(t, ticket);

    make_tickets(t);
    CS_ARENA_ROOM(t->arena, t->line, t->waiting, t->room, 16);
    memmove(t->line + at + 1, t->line + at, (size_t)(t->waiting - at) * sizeof *t->line);
    t->line[at] = (struct entry){NAN, t->in->procs[ticket], ticket};
    t->waiting++;
    t->fresh++;
}

static void textbook_begin(void *state)
{
    struct textbook_state *t = state;

    make_tickets(t);
    cs_heap_reset(&t->due);
    t->waiting = t->fresh = t->pasts = 0;
    t->early = t->shrunk = false;
    t->stale = true;
    for (int k = 0; k < (t->in->place ? 0 : t->in->count); k++)
        textbook_general_waits(t, k);
}

/* The ticket may serve another job before the next decision. */
static void textbook_general_over(void *state, int ticket)
{
    struct textbook_state *t = state;

    CS_ARENA_ROOM(t->arena, t->past, t->pasts, t->past_room, 16);
    t->past[t->pasts++] = (struct past){t->end[ticket], t->in->procs[ticket]};
}

static void textbook_general_failed(void *state, int ticket)
{
    textbook_general_over(state, ticket);
    textbook_general_waits(state, ticket);
}

/* A job that waits, or whose attempt ended with an error. */
static void textbook_withdrawn(void *state, int ticket)
{
    struct textbook_state *t = state;
    int at = textbook_general_find(t, ticket);

    t->stale = t->early = true;
    if (at == t->waiting || t->line[at].ticket != ticket)
        return;
    t->fresh -= isnan(t->line[at].begin);
    if (cs_heap_contains(&t->due, ticket))
        cs_heap_remove(&t->due, ticket);
    t->waiting--;
    memmove(t->line + at, t->line + at + 1, (size_t)(t->waiting - at) * sizeof *t->line);
}

static void textbook_off_plan(void *state, enum cs_sched_surprise surprise)
{
    struct textbook_state *t = state;

    t->early |= surprise == CS_SCHED_EARLY;
    t->shrunk |= surprise == CS_SCHED_SHRUNK;
}

static void textbook_reserve(struct textbook_state *t, struct entry *e)
{
    e->begin = cs_sched_free_times_reserve(&t->plan, e->ticket);
    cs_heap_push(&t->due, e->ticket, e->begin);
    if (t->in->promise && isnan(t->in->promise[e->ticket]))
        t->in->promise[e->ticket] = e->begin;
}

/* Some may have been put off. */
static void see_ends(struct textbook_state *t, const struct cs_sched_running *running)
{
    for (int b = 0; b < running->blocks; b++)
        for (int a = 0; a < cs_sched_running_count_in(running, b); a++)
            t->end[running->block[b]->attempt[a].ticket] = running->block[b]->attempt[a].end;
}

/* The plan from what runs, and from the reservations that are kept. */
static void textbook_general_make_plan(struct textbook_state *t, const struct cs_sched_view *view)
{
    make_tickets(t);
    see_ends(t, view->running);
    cs_sched_free_times_begin(&t->plan, view);
    for (int k = 0; k < t->waiting; k++)
        if (!isnan(t->line[k].begin) && !t->shrunk)
            cs_sched_free_times_take(&t->plan, t->line[k].ticket,
                                     fmax(t->line[k].begin, view->now));
    if (!t->shrunk)
        return;
    if (t->due.count && t->in->counters)
        t->in->counters->new_plans++;
    cs_heap_reset(&t->due);
    for (int k = 0; k < t->waiting; k++)
        if (!isnan(t->line[k].begin))
            textbook_reserve(t, &t->line[k]);
}

/* Processors of attempts that ended early are free from now on. */
static void textbook_general_advance(struct textbook_state *t, double now)
{
    cs_sched_free_times_advance(&t->plan, now);
    for (int k = 0; k < t->pasts; k++)
        cs_sched_free_times_add(&t->plan, now, t->past[k].end, t->past[k].procs);
}

/* The slot moves to this step of the plan. */
static void textbook_move(struct textbook_state *t, struct entry *e, int step)
{
    e->begin = cs_sched_free_times_move(&t->plan, e->ticket, e->begin, step);
    cs_heap_remove(&t->due, e->ticket);
    cs_heap_push(&t->due, e->ticket, e->begin);
    if (t->in->counters)
        t->in->counters->moves++;
}

/* Could it start now if its own slot were free?  There are enough processors at the moment. */
static bool fits_before(const struct textbook_state *t, const struct entry *e, double now)
{
    double until = fmin(cs_sched_plan_end(t->in, e->ticket, now), e->begin);

    return cs_sched_free_times_free_until(&t->plan, e->procs, until);
}

/* One pass in the order of the queue: the first to the earliest, the others to now or nowhere. */
static void textbook_compress(struct textbook_state *t, double now)
{
    double left = t->moved;
    int k = 0;

    for (; k < t->waiting && left > 0; k++) {
        struct entry *e = &t->line[k];
        int step = -1;

        if (isnan(e->begin))
            continue;
        left--;
        if (e->begin > now)
            step = cs_sched_free_times_before(&t->plan, e->ticket, e->begin);
        if (step >= 0)
            textbook_move(t, e, step);
    }
    for (; k < t->waiting && t->others && t->plan.free[t->plan.first] > 0; k++) {
        struct entry *e = &t->line[k];

        if (e->procs <= t->plan.free[t->plan.first] && e->begin > now && fits_before(t, e, now))
            textbook_move(t, e, t->plan.first);
    }
}

static void reserve_fresh(struct textbook_state *t)
{
    int k = t->waiting;

    for (int left = t->fresh; left > 0;)
        left -= isnan(t->line[--k].begin);
    for (; k < t->waiting; k++)
        if (isnan(t->line[k].begin))
            textbook_reserve(t, &t->line[k]);
    t->fresh = 0;
}

/* It has begun, maybe later than was planned: then the plan is made again.  An attempt too
 * short for the clock is over before its slot is, and the reservations behind it are made again. */
static void textbook_general_begun(struct textbook_state *t, const struct entry *e, double now)
{
    t->end[e->ticket] = cs_sched_end(t->in, e->ticket, now);
    t->stale |= e->begin < now;
    t->shrunk |= t->end[e->ticket] <= now;
}

/* Those whose reservation begins now, in order.  If a job began late and still has the processors,
 * they stay due a little longer. */
static int textbook_start_due(struct textbook_state *t, const struct cs_sched_view *view,
                              int *start)
{
    int count = 0, from = t->waiting, kept, free = view->free;

    while (t->due.count && cs_heap_top_key(&t->due) <= view->now) {
        int at = textbook_general_find(t, cs_heap_pop(&t->due));

        from = at < from ? at : from;
    }
    kept = from;
    for (int k = from; k < t->waiting; k++) {
        struct entry *e = &t->line[k];

        if (e->begin <= view->now && e->procs <= free) {
            textbook_general_begun(t, e, view->now);
            free -= e->procs;
            start[count++] = e->ticket;
            continue;
        }
        if (e->begin <= view->now)
            cs_heap_push(&t->due, e->ticket, e->begin);
        t->line[kept++] = *e;
    }
    t->waiting = kept;
    return count;
}

static int textbook_decide(void *state, const struct cs_sched_view *view, int *start)
{
    struct textbook_state *t = state;

    if (t->stale || t->shrunk || view->lost != t->lost)
        textbook_general_make_plan(t, view);
    else
        textbook_general_advance(t, view->now);
    if (t->early && !t->shrunk)
        textbook_compress(t, view->now);
    if (t->fresh)
        reserve_fresh(t);
    t->stale = t->early = t->shrunk = false;
    t->lost = view->lost;
    t->pasts = 0;
    t->moment = cs_rigid_textbook_moment(view);
    return textbook_start_due(t, view, start);
}

static double textbook_wake(void *state)
{
    const struct textbook_state *t = state;
    double next = INFINITY;

    if (t->due.count && cs_heap_top_key(&t->due) > t->moment)
        return cs_heap_top_key(&t->due);
    for (int k = 0; k < t->waiting; k++)
        if (t->line[k].begin > t->moment)
            next = fmin(next, t->line[k].begin);
    return next;
}

static const struct cs_sched_policy textbook_general; /* the form for any machine, below */

static const struct cs_sched_policy *textbook_general_choose(const struct cs_sched_instance *in,
                                                             const double *param)
{
    (void)param;
    return cs_sched_is_general(in) || in->learns ? &textbook_general : NULL;
}

static const struct cs_policy_param params[] = {
    {
        .name = "compress",
        .kind = CS_POLICY_PARAM_INTEGER,
        .default_text = "full",
        .choices = CS_SCHED_COMPRESS_CHOICES,
        .low = 0,
        .high = 1000000000,
        .summary = "who is moved when something ends early: all to the earliest (full), the first "
                   "so many and the others if they can start now, all if they can start now, none",
    },
    {0},
};

const struct cs_sched_policy cs_sched_policy_textbook = {
    .info =
        {
            .name = "conservative",
            .problem = "rigid",
            .summary = "conservative backfilling: a fixed reservation for every job",
            .source = "Mu'alem and Feitelson 2001",
            .params = params,
        },
    .choose = textbook_general_choose,
    .create = textbook_create,
    .begin = textbook_begin,
    .arrived = textbook_general_waits,
    .failed = textbook_general_failed,
    .succeeded = textbook_general_over,
    .withdrawn = textbook_withdrawn,
    .off_plan = textbook_off_plan,
    .decide = textbook_decide,
    .wake = textbook_wake,
};

struct textbook {
    struct cs_sched_planner planner;
    double compress; /* how many are moved to the earliest; the others are moved to now, or not */
    bool others;
    int room;
    bool *had;     /* a reservation; by place in the line */
    double *begin; /* of the reservation, by ticket; NAN: none */
    struct cs_sched_hold old;
    bool early, shrunk;
    double next; /* begin of a reservation */
};

static void *textbook_general_create(const struct cs_sched_instance *in, const double *param,
                                     struct cs_arena *arena, struct cs_error *err)
{
    struct textbook *t = CS_NEW(arena, struct textbook);

    (void)err;
    cs_sched_planner_init(&t->planner, in, arena);
    t->compress = cs_rigid_compress_moved(param[0]);
    t->others = cs_rigid_compress_others(param[0]);
    return t;
}

static void textbook_general_begin(void *state)
{
    struct textbook *t = state;

    t->early = t->shrunk = false;
    t->next = INFINITY;
    for (int k = 0; k < t->room; k++)
        t->begin[k] = NAN;
    cs_sched_planner_fill(t);
}

static void textbook_general_make_room(struct textbook *t)
{
    int count = t->planner.in->count, old = t->room;

    if (count <= old)
        return;
    t->begin =
        cs_arena_grow(t->planner.arena, t->begin, (size_t)old, (size_t)count, sizeof *t->begin);
    for (int k = old; k < count; k++)
        t->begin[k] = NAN;
    t->had = CS_NEW_ARRAY(t->planner.arena, bool, count);
    t->room = count;
}

static void off_plan(void *state, enum cs_sched_surprise surprise)
{
    struct textbook *t = state;

    t->early |= surprise == CS_SCHED_EARLY;
    t->shrunk |= surprise == CS_SCHED_SHRUNK;
}

/* A job has its reservation no more. */
static void textbook_general_discard(struct textbook *t, int ticket)
{
    if (isnan(t->begin[ticket]))
        return;
    t->begin[ticket] = NAN;
    cs_sched_usage_add(t->planner.in, ticket, -1);
}

static void textbook_general_withdrawn(void *state, int ticket)
{
    struct textbook *t = state;

    textbook_general_make_room(t);
    textbook_general_discard(t, ticket);
    t->early = true;
    cs_sched_planner_withdraw(t, ticket);
}

static void textbook_general_reranked(void *state, const int *rank)
{
    struct textbook *t = state;

    cs_sched_planner_permute(&t->planner, rank, t->room, t->begin, sizeof *t->begin);
    cs_sched_planner_rerank(t, rank);
}

static void textbook_general_take(struct textbook *t, int ticket, double start)
{
    cs_sched_availability_take(&t->planner.space, ticket,
                               cs_sched_planner_hold(&t->planner, ticket), start,
                               cs_sched_plan_end(t->planner.in, ticket, start));
}

static void textbook_general_take_all(struct textbook *t)
{
    for (int k = 0; k < t->planner.waiting; k++)
        if (!isnan(t->begin[t->planner.line[k]]))
            textbook_general_take(t, t->planner.line[k], t->begin[t->planner.line[k]]);
}

/* Does a reservation begin before now? */
static bool is_late(const struct textbook *t)
{
    for (int k = 0; k < t->planner.waiting; k++)
        if (t->begin[t->planner.line[k]] < t->planner.now)
            return true;
    return false;
}

/* Out of the plan, and where it is earliest (then it takes from the first pools that offer it
 * something, also when it stays), or now if it fits. */
static void textbook_general_move(struct textbook *t, int ticket, bool earliest)
{
    struct cs_sched_planner *p = &t->planner;
    struct cs_sched_hold *hold = cs_sched_planner_hold(p, ticket), kept = *hold;
    double before = t->begin[ticket], to = before;

    cs_sched_availability_give(&p->space, ticket, hold, before,
                               cs_sched_plan_end(p->in, ticket, before));
    *hold = t->old;
    if (earliest)
        to = cs_sched_availability_earliest(&p->space, ticket, hold);
    else if (cs_sched_availability_fits(&p->space, ticket, p->now, NULL, hold))
        to = p->now;
    t->old = *hold;
    if (to < before && p->in->counters)
        p->in->counters->moves++;
    if (to < before || (earliest && to == before)) {
        struct cs_sched_hold spare = kept;

        kept = t->old;
        t->old = spare;
    } else {
        to = before;
    }
    *hold = kept;
    t->begin[ticket] = to;
    textbook_general_take(t, ticket, to);
}

/* One pass in the order of the queue. */
static void textbook_general_compress(struct textbook *t)
{
    struct cs_sched_planner *p = &t->planner;
    double left = t->compress;

    for (int k = 0; k < p->waiting; k++) {
        int ticket = p->line[k];
        bool earliest = left > 0;

        if (isnan(t->begin[ticket]))
            continue;
        left--;
        if (t->begin[ticket] != p->now && (earliest || t->others))
            textbook_general_move(t, ticket, earliest);
    }
}

/* Unless its user has enough. */
static void textbook_general_reserve(struct textbook *t, int ticket)
{
    struct cs_sched_planner *p = &t->planner;

    if (!cs_sched_planner_admits(p, ticket))
        return;
    t->begin[ticket] =
        cs_sched_availability_earliest(&p->space, ticket, cs_sched_planner_hold(p, ticket));
    textbook_general_take(t, ticket, t->begin[ticket]);
    cs_sched_usage_add(p->in, ticket, 1);
    if (p->in->promise && isnan(p->in->promise[ticket]))
        p->in->promise[ticket] = t->begin[ticket];
}

static void reserve_new(struct textbook *t)
{
    for (int k = 0; k < t->planner.waiting; k++)
        if (isnan(t->begin[t->planner.line[k]]))
            textbook_general_reserve(t, t->planner.line[k]);
}

/* All reservations are made again, in the order of the queue. */
static void plan_again(struct textbook *t)
{
    struct cs_sched_planner *p = &t->planner;
    bool any = false;

    for (int k = 0; k < p->waiting; k++) {
        t->had[k] = !isnan(t->begin[p->line[k]]);
        any |= t->had[k];
        textbook_general_discard(t, p->line[k]);
    }
    for (int k = 0; k < p->waiting; k++)
        if (t->had[k])
            textbook_general_reserve(t, p->line[k]);
    if (any && p->in->counters)
        p->in->counters->new_plans++;
}

/* An attempt too short for the clock is over before its slot is, and the reservations behind it are
 * made again. */
static void start_due(struct textbook *t, double moment)
{
    struct cs_sched_planner *p = &t->planner;

    t->next = INFINITY;
    for (int k = 0; k < p->waiting; k++) {
        double at = t->begin[p->line[k]];

        if (at > moment)
            t->next = fmin(t->next, at);
        if (!(at <= p->now))
            continue;
        t->begin[p->line[k]] = NAN;
        t->shrunk |= cs_sched_end(p->in, p->line[k], p->now) <= p->now;
        p->start[p->starts++] = p->line[k];
        p->line[k] = -1;
    }
}

static int textbook_general_decide(void *state, const struct cs_sched_view *view, int *start)
{
    struct textbook *t = state;
    struct cs_sched_planner *p = &t->planner;

    if (p->waiting) {
        textbook_general_make_room(t);
        cs_sched_planner_begin(p, view, start);
        t->shrunk |= is_late(t);
        if (t->shrunk)
            plan_again(t);
        else
            textbook_general_take_all(t);
        if (t->early && !t->shrunk)
            textbook_general_compress(t);
        reserve_new(t);
        t->early = t->shrunk = false;
        start_due(t, cs_rigid_textbook_moment(view));
        cs_sched_planner_end(p);
    } else {
        p->starts = 0;
        t->next = INFINITY;
        t->early = t->shrunk = false;
    }
    return p->starts;
}

static double textbook_general_wake(void *state)
{
    return ((struct textbook *)state)->next;
}

static const struct cs_sched_policy textbook_general = {
    .create = textbook_general_create,
    .begin = textbook_general_begin,
    .arrived = cs_sched_planner_add,
    .failed = cs_sched_planner_add,
    .withdrawn = textbook_general_withdrawn,
    .off_plan = off_plan,
    .reranked = textbook_general_reranked,
    .decide = textbook_general_decide,
    .wake = textbook_general_wake,
};
