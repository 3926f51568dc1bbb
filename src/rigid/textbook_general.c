/* textbook_general.c - conservative backfilling on any machine: reservations that are kept.
 *
 * A reservation is made when a job arrives and moves only to an earlier time, in one pass over the
 * queue when something ended early; only when there is less than there was to be are all made anew.
 */
#include "rigid/general.h"
#include "rigid/planner.h"
#include "rigid/textbook.h"

#include <math.h>

struct textbook {
    struct cs_rigid_planner planner;
    double compress; /* how many are moved to the earliest; the others are moved to now, or not */
    bool others;
    int room;
    bool *had;     /* a reservation; by place in the line */
    double *begin; /* of the reservation, by ticket; NAN: none */
    struct cs_rigid_hold old;
    bool early, shrunk;
    double next; /* begin of a reservation */
};

static void *create(const struct cs_rigid_instance *in, const double *param, struct cs_arena *arena,
                    struct cs_error *err)
{
    struct textbook *t = CS_NEW(arena, struct textbook);

    (void)err;
    cs_rigid_planner_init(&t->planner, in, arena);
    t->compress = cs_rigid_compress_moved(param[0]);
    t->others = cs_rigid_compress_others(param[0]);
    return t;
}

static void begin(void *state)
{
    struct textbook *t = state;

    t->early = t->shrunk = false;
    t->next = INFINITY;
    for (int k = 0; k < t->room; k++)
        t->begin[k] = NAN;
    cs_rigid_planner_fill(t);
}

static void make_room(struct textbook *t)
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

static void off_plan(void *state, enum cs_rigid_surprise surprise)
{
    struct textbook *t = state;

    t->early |= surprise == CS_RIGID_EARLY;
    t->shrunk |= surprise == CS_RIGID_SHRUNK;
}

/* A job has its reservation no more. */
static void forget(struct textbook *t, int ticket)
{
    if (isnan(t->begin[ticket]))
        return;
    t->begin[ticket] = NAN;
    cs_rigid_ledger_add(t->planner.in, ticket, -1);
}

static void withdrawn(void *state, int ticket)
{
    struct textbook *t = state;

    make_room(t);
    forget(t, ticket);
    t->early = true;
    cs_rigid_planner_withdraw(t, ticket);
}

static void reranked(void *state, const int *rank)
{
    struct textbook *t = state;

    cs_rigid_planner_permute(&t->planner, rank, t->room, t->begin, sizeof *t->begin);
    cs_rigid_planner_rerank(t, rank);
}

static void take(struct textbook *t, int ticket, double start)
{
    cs_rigid_space_take(&t->planner.space, ticket, cs_rigid_planner_hold(&t->planner, ticket),
                        start, cs_rigid_plan_end(t->planner.in, ticket, start));
}

static void take_all(struct textbook *t)
{
    for (int k = 0; k < t->planner.waiting; k++)
        if (!isnan(t->begin[t->planner.line[k]]))
            take(t, t->planner.line[k], t->begin[t->planner.line[k]]);
}

/* Should somebody have begun before now? */
static bool is_late(const struct textbook *t)
{
    for (int k = 0; k < t->planner.waiting; k++)
        if (t->begin[t->planner.line[k]] < t->planner.now)
            return true;
    return false;
}

/* Out of the plan, and where it is earliest (then it takes from the first pools that offer it
 * something, also when it stays), or now if it fits. */
static void move(struct textbook *t, int ticket, bool earliest)
{
    struct cs_rigid_planner *p = &t->planner;
    struct cs_rigid_hold *hold = cs_rigid_planner_hold(p, ticket), kept = *hold;
    double before = t->begin[ticket], to = before;

    cs_rigid_space_give(&p->space, ticket, hold, before, cs_rigid_plan_end(p->in, ticket, before));
    *hold = t->old;
    if (earliest)
        to = cs_rigid_space_earliest(&p->space, ticket, hold);
    else if (cs_rigid_space_fits(&p->space, ticket, p->now, NULL, hold))
        to = p->now;
    t->old = *hold;
    if (to < before && p->in->tally)
        p->in->tally->moves++;
    if (to < before || (earliest && to == before)) {
        struct cs_rigid_hold spare = kept;

        kept = t->old;
        t->old = spare;
    } else {
        to = before;
    }
    *hold = kept;
    t->begin[ticket] = to;
    take(t, ticket, to);
}

/* One pass in the order of the queue. */
static void compress(struct textbook *t)
{
    struct cs_rigid_planner *p = &t->planner;
    double left = t->compress;

    for (int k = 0; k < p->waiting; k++) {
        int ticket = p->line[k];
        bool earliest = left > 0;

        if (isnan(t->begin[ticket]))
            continue;
        left--;
        if (t->begin[ticket] != p->now && (earliest || t->others))
            move(t, ticket, earliest);
    }
}

/* Unless its user has enough. */
static void reserve(struct textbook *t, int ticket)
{
    struct cs_rigid_planner *p = &t->planner;

    if (!cs_rigid_planner_admits(p, ticket))
        return;
    t->begin[ticket] = cs_rigid_space_earliest(&p->space, ticket, cs_rigid_planner_hold(p, ticket));
    take(t, ticket, t->begin[ticket]);
    cs_rigid_ledger_add(p->in, ticket, 1);
    if (p->in->promise && isnan(p->in->promise[ticket]))
        p->in->promise[ticket] = t->begin[ticket];
}

static void reserve_new(struct textbook *t)
{
    for (int k = 0; k < t->planner.waiting; k++)
        if (isnan(t->begin[t->planner.line[k]]))
            reserve(t, t->planner.line[k]);
}

/* All reservations are made anew, in the order of the queue. */
static void plan_anew(struct textbook *t)
{
    struct cs_rigid_planner *p = &t->planner;
    bool any = false;

    for (int k = 0; k < p->waiting; k++) {
        t->had[k] = !isnan(t->begin[p->line[k]]);
        any |= t->had[k];
        forget(t, p->line[k]);
    }
    for (int k = 0; k < p->waiting; k++)
        if (t->had[k])
            reserve(t, p->line[k]);
    if (any && p->in->tally)
        p->in->tally->new_plans++;
}

/* An attempt too short for the clock is over before its slot is, and the reservations behind it are
 * made anew. */
static void start_due(struct textbook *t, double moment)
{
    struct cs_rigid_planner *p = &t->planner;

    t->next = INFINITY;
    for (int k = 0; k < p->waiting; k++) {
        double at = t->begin[p->line[k]];

        if (at > moment)
            t->next = fmin(t->next, at);
        if (!(at <= p->now))
            continue;
        t->begin[p->line[k]] = NAN;
        t->shrunk |= cs_rigid_end(p->in, p->line[k], p->now) <= p->now;
        p->start[p->starts++] = p->line[k];
        p->line[k] = -1;
    }
}

static int decide(void *state, const struct cs_rigid_view *view, int *start)
{
    struct textbook *t = state;
    struct cs_rigid_planner *p = &t->planner;

    if (p->waiting) {
        make_room(t);
        cs_rigid_planner_begin(p, view, start);
        t->shrunk |= is_late(t);
        if (t->shrunk)
            plan_anew(t);
        else
            take_all(t);
        if (t->early && !t->shrunk)
            compress(t);
        reserve_new(t);
        t->early = t->shrunk = false;
        start_due(t, cs_rigid_textbook_moment(view));
        cs_rigid_planner_end(p);
    } else {
        p->starts = 0;
        t->next = INFINITY;
        t->early = t->shrunk = false;
    }
    return p->starts;
}

static double wake(void *state)
{
    return ((struct textbook *)state)->next;
}

const struct cs_rigid_policy cs_rigid_textbook_general = {
    .create = create,
    .begin = begin,
    .arrived = cs_rigid_planner_add,
    .failed = cs_rigid_planner_add,
    .withdrawn = withdrawn,
    .off_plan = off_plan,
    .reranked = reranked,
    .decide = decide,
    .wake = wake,
};
