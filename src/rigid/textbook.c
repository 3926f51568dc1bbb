/* conservative - backfilling of Mu'alem and Feitelson 2001: everybody has a reservation from the
 * decision after the arrival on, and starts then or earlier.
 *
 * R-LIST with m = all differs: it makes reservations anew when something ends early, and so breaks
 * promises.
 *
 * Here for one pool: the plan is kept from one decision to the next, and changes only where
 * something does.  In a pass a reservation is looked at without being taken out: its own slot
 * counts as free, so that only what is before it matters.
 */
#include "rigid/textbook.h"

#include "base/heap.h"
#include "rigid/free_times.h"
#include "rigid/general.h"

#include <string.h>

/* Who waits, in order. */
struct entry {
    double begin; /* of the reservation; NAN: none yet */
    int procs, ticket;
};

/* An attempt that ended before the plan is brought up to now. */
struct past {
    double end;
    int procs;
};

struct textbook {
    const struct cs_rigid_instance *in;
    struct cs_arena *arena;
    double moved; /* how many are moved to the earliest */
    bool others;  /* are moved to now */
    struct cs_rigid_free_times plan;
    int waiting, room;
    struct entry *line;
    int fresh; /* entries without a reservation */
    int due_room;
    struct cs_heap due;   /* reservations by their begin */
    double *end;          /* of attempts that run, by ticket */
    int pasts, past_room; /* that ended since the last decision */
    struct past *past;
    bool early, shrunk, stale; /* stale: the plan is to be made anew from what runs */
    double moment;             /* see cs_rigid_textbook_moment */
    int lost;
};

static void *create(const struct cs_rigid_instance *in, const double *param, struct cs_arena *arena,
                    struct cs_error *err)
{
    struct textbook *t = CS_NEW(arena, struct textbook);

    (void)err;
    *t = (struct textbook){.in = in,
                           .arena = arena,
                           .moved = cs_rigid_compress_moved(param[0]),
                           .others = cs_rigid_compress_others(param[0])};
    cs_rigid_free_times_init(&t->plan, in, arena);
    return t;
}

/* Tickets may have become more. */
static void make_tickets(struct textbook *t)
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
static int find(const struct textbook *t, int ticket)
{
    int low = 0, high = t->waiting;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (cs_rigid_before(t->in, t->line[middle].ticket, ticket))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void waits(void *state, int ticket)
{
    struct textbook *t = state;
    int at = find(t, ticket);

    make_tickets(t);
    if (t->waiting == t->room) {
        t->room = 2 * t->room + 16;
        t->line =
            cs_arena_grow(t->arena, t->line, (size_t)t->waiting, (size_t)t->room, sizeof *t->line);
    }
    memmove(t->line + at + 1, t->line + at, (size_t)(t->waiting - at) * sizeof *t->line);
    t->line[at] = (struct entry){NAN, t->in->procs[ticket], ticket};
    t->waiting++;
    t->fresh++;
}

static void begin(void *state)
{
    struct textbook *t = state;

    make_tickets(t);
    cs_heap_reset(&t->due);
    t->waiting = t->fresh = t->pasts = 0;
    t->early = t->shrunk = false;
    t->stale = true;
    for (int k = 0; k < (t->in->place ? 0 : t->in->count); k++)
        waits(t, k);
}

/* The ticket may serve another job before the next decision. */
static void over(void *state, int ticket)
{
    struct textbook *t = state;

    if (t->pasts == t->past_room) {
        t->past_room = 2 * t->past_room + 16;
        t->past = cs_arena_grow(t->arena, t->past, (size_t)t->pasts, (size_t)t->past_room,
                                sizeof *t->past);
    }
    t->past[t->pasts++] = (struct past){t->end[ticket], t->in->procs[ticket]};
}

static void failed(void *state, int ticket)
{
    over(state, ticket);
    waits(state, ticket);
}

/* Somebody who waits, or whose attempt ended with an error. */
static void withdrawn(void *state, int ticket)
{
    struct textbook *t = state;
    int at = find(t, ticket);

    t->stale = t->early = true;
    if (at == t->waiting || t->line[at].ticket != ticket)
        return;
    t->fresh -= isnan(t->line[at].begin);
    if (cs_heap_contains(&t->due, ticket))
        cs_heap_remove(&t->due, ticket);
    t->waiting--;
    memmove(t->line + at, t->line + at + 1, (size_t)(t->waiting - at) * sizeof *t->line);
}

static void off_plan(void *state, enum cs_rigid_surprise surprise)
{
    struct textbook *t = state;

    t->early |= surprise == CS_RIGID_EARLY;
    t->shrunk |= surprise == CS_RIGID_SHRUNK;
}

static void reserve(struct textbook *t, struct entry *e)
{
    e->begin = cs_rigid_free_times_reserve(&t->plan, e->ticket);
    cs_heap_push(&t->due, e->ticket, e->begin);
    if (t->in->promise && isnan(t->in->promise[e->ticket]))
        t->in->promise[e->ticket] = e->begin;
}

/* Some may have been put off. */
static void see_ends(struct textbook *t, const struct cs_rigid_running *running)
{
    for (int b = 0; b < running->blocks; b++)
        for (int a = 0; a < cs_rigid_running_count_in(running, b); a++)
            t->end[running->block[b]->attempt[a].ticket] = running->block[b]->attempt[a].end;
}

/* The plan from what runs, and from the reservations that are kept. */
static void make_plan(struct textbook *t, const struct cs_rigid_view *view)
{
    make_tickets(t);
    see_ends(t, view->running);
    cs_rigid_free_times_begin(&t->plan, view);
    for (int k = 0; k < t->waiting; k++)
        if (!isnan(t->line[k].begin) && !t->shrunk)
            cs_rigid_free_times_take(&t->plan, t->line[k].ticket,
                                     fmax(t->line[k].begin, view->now));
    if (!t->shrunk)
        return;
    if (t->due.count && t->in->tally)
        t->in->tally->new_plans++;
    cs_heap_reset(&t->due);
    for (int k = 0; k < t->waiting; k++)
        if (!isnan(t->line[k].begin))
            reserve(t, &t->line[k]);
}

/* What ended early is free from now on. */
static void advance(struct textbook *t, double now)
{
    cs_rigid_free_times_advance(&t->plan, now);
    for (int k = 0; k < t->pasts; k++)
        cs_rigid_free_times_add(&t->plan, now, t->past[k].end, t->past[k].procs);
}

/* The slot moves to this step of the plan. */
static void move(struct textbook *t, struct entry *e, int step)
{
    e->begin = cs_rigid_free_times_move(&t->plan, e->ticket, e->begin, step);
    cs_heap_remove(&t->due, e->ticket);
    cs_heap_push(&t->due, e->ticket, e->begin);
    if (t->in->tally)
        t->in->tally->moves++;
}

/* Could it start now if its own slot were free?  There are enough processors at the moment. */
static bool fits_before(const struct textbook *t, const struct entry *e, double now)
{
    double until = fmin(cs_rigid_plan_end(t->in, e->ticket, now), e->begin);

    return cs_rigid_free_times_free_until(&t->plan, e->procs, until);
}

/* One pass in the order of the queue: the first to the earliest, the others to now or nowhere. */
static void compress(struct textbook *t, double now)
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
            step = cs_rigid_free_times_before(&t->plan, e->ticket, e->begin);
        if (step >= 0)
            move(t, e, step);
    }
    for (; k < t->waiting && t->others && t->plan.free[t->plan.first] > 0; k++) {
        struct entry *e = &t->line[k];

        if (e->procs <= t->plan.free[t->plan.first] && e->begin > now && fits_before(t, e, now))
            move(t, e, t->plan.first);
    }
}

static void reserve_fresh(struct textbook *t)
{
    int k = t->waiting;

    for (int left = t->fresh; left > 0;)
        left -= isnan(t->line[--k].begin);
    for (; k < t->waiting; k++)
        if (isnan(t->line[k].begin))
            reserve(t, &t->line[k]);
    t->fresh = 0;
}

/* It has begun, maybe later than was planned: then the plan is to be made anew.  An attempt too
 * short for the clock is over before its slot is, and the reservations behind it are made anew. */
static void begun(struct textbook *t, const struct entry *e, double now)
{
    t->end[e->ticket] = cs_rigid_end(t->in, e->ticket, now);
    t->stale |= e->begin < now;
    t->shrunk |= t->end[e->ticket] <= now;
}

/* Those whose reservation begins now, in order.  Where somebody began late, and has the processors
 * still, they are due a little longer. */
static int start_due(struct textbook *t, const struct cs_rigid_view *view, int *start)
{
    int count = 0, from = t->waiting, kept, free = view->free;

    while (t->due.count && cs_heap_top_key(&t->due) <= view->now) {
        int at = find(t, cs_heap_pop(&t->due));

        from = at < from ? at : from;
    }
    kept = from;
    for (int k = from; k < t->waiting; k++) {
        struct entry *e = &t->line[k];

        if (e->begin <= view->now && e->procs <= free) {
            begun(t, e, view->now);
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

static int decide(void *state, const struct cs_rigid_view *view, int *start)
{
    struct textbook *t = state;

    if (t->stale || t->shrunk || view->lost != t->lost)
        make_plan(t, view);
    else
        advance(t, view->now);
    if (t->early && !t->shrunk)
        compress(t, view->now);
    if (t->fresh)
        reserve_fresh(t);
    t->stale = t->early = t->shrunk = false;
    t->lost = view->lost;
    t->pasts = 0;
    t->moment = cs_rigid_textbook_moment(view);
    return start_due(t, view, start);
}

static double wake(void *state)
{
    const struct textbook *t = state;
    double next = INFINITY;

    if (t->due.count && cs_heap_top_key(&t->due) > t->moment)
        return cs_heap_top_key(&t->due);
    for (int k = 0; k < t->waiting; k++)
        if (t->line[k].begin > t->moment)
            next = fmin(next, t->line[k].begin);
    return next;
}

static const struct cs_rigid_policy *choose(const struct cs_rigid_instance *in, const double *param)
{
    (void)param;
    return cs_rigid_is_general(in) || in->learns ? &cs_rigid_textbook_general : NULL;
}

static const struct cs_param params[] = {
    {
        .name = "compress",
        .kind = CS_PARAM_INTEGER,
        .fallback = "full",
        .choices = CS_RIGID_COMPRESS_CHOICES,
        .low = 0,
        .high = 1000000000,
        .summary = "who is moved when something ends early: all to the earliest (full), the first "
                   "so many and the others if they can start now, all if they can start now, none",
    },
    {0},
};

const struct cs_rigid_policy cs_rigid_policy_textbook = {
    .info =
        {
            .name = "conservative",
            .problem = "rigid",
            .summary = "conservative backfilling: a reservation for everybody, which is kept",
            .source = "Mu'alem and Feitelson 2001",
            .params = params,
        },
    .choose = choose,
    .create = create,
    .begin = begin,
    .arrived = waits,
    .failed = failed,
    .succeeded = over,
    .withdrawn = withdrawn,
    .off_plan = off_plan,
    .decide = decide,
    .wake = wake,
};
