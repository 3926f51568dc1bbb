/* conservative.c - slots are planned on demand, and cut by who comes back. */
#include "rigid/conservative.h"

#include <math.h>
#include <string.h>

/* So many are looked at, one by one, faster than it is asked who may come in the way. */
#define FEW 4

static const struct cs_rigid_place before_all = {.key = -INFINITY};

static void plan_init(struct cs_rigid_plan *plan, const struct cs_rigid_instance *in,
                      struct cs_arena *arena)
{
    cs_rigid_free_times_init(&plan->profile, in, arena);
    plan->room = in->count;
    plan->reservation = CS_NEW_ARRAY(arena, struct cs_rigid_reservation, in->count);
}

static void plan_copy(struct cs_rigid_plan *plan, const struct cs_rigid_plan *from)
{
    cs_rigid_free_times_copy(&plan->profile, &from->profile);
    plan->next = from->next;
    plan->planned = from->planned;
    plan->earliest = from->earliest;
    memcpy(plan->reservation, from->reservation, (size_t)from->planned * sizeof *plan->reservation);
}

void cs_rigid_conservative_init(struct cs_rigid_conservative *c, const struct cs_rigid_instance *in,
                                struct cs_rigid_queue *queue, struct cs_arena *arena)
{
    *c = (struct cs_rigid_conservative){.in = in,
                                        .queue = queue,
                                        .arena = arena,
                                        .in_order = in->place,
                                        .room = in->count,
                                        .first_starts = -1};
    if (queue->kind == CS_RIGID_QUEUE_OF_BITS) {
        c->bits = CS_NEW(arena, struct cs_rigid_conservative_bits);
        cs_rigid_conservative_bits_init(c->bits, in, queue, arena);
        return;
    }
    plan_init(&c->plan, in, arena);
    c->changed = CS_NEW_ARRAY(arena, int, in->count);
    if (in->place || in->learns)
        return;
    plan_init(&c->first, in, arena);
    c->first_start = CS_NEW_ARRAY(arena, int, in->count);
}

void cs_rigid_conservative_begin(struct cs_rigid_conservative *c)
{
    if (c->bits) {
        cs_rigid_conservative_bits_begin(c->bits);
        return;
    }
    cs_rigid_conservative_forget(c);
    c->beginning = !c->in->place && !c->in->learns;
}

void cs_rigid_conservative_forget(struct cs_rigid_conservative *c)
{
    if (c->bits) {
        cs_rigid_conservative_bits_forget(c->bits);
        return;
    }
    c->fresh = true;
    c->beginning = false;
    c->plan.next = before_all;
    c->plan.planned = c->changes = 0;
    c->plan.earliest = INFINITY;
}

static bool is_before(const struct cs_rigid_conservative *c, int ticket,
                      const struct cs_rigid_place *place)
{
    return c->in->place ? cs_rigid_place_before(&c->in->place[ticket], place)
                        : ticket < place->number;
}

static bool is_before_plan(const struct cs_rigid_conservative *c, int ticket)
{
    const struct cs_rigid_plan *plan = &c->plan;

    return is_before(c, ticket, &plan->next) ||
           (plan->planned > 0 &&
            cs_rigid_before(c->in, ticket, plan->reservation[plan->planned - 1].ticket));
}

/* Keep them in order: they are few. */
void cs_rigid_conservative_waits(struct cs_rigid_conservative *c, int ticket)
{
    int at = c->changes;

    if (c->bits) {
        cs_rigid_conservative_bits_waits(c->bits, ticket);
        return;
    }
    if (!is_before_plan(c, ticket))
        return;
    if (c->changes == c->room) {
        c->room = 2 * c->room + 16;
        c->changed = cs_arena_grow(c->arena, c->changed, (size_t)c->changes, (size_t)c->room,
                                   sizeof *c->changed);
    }
    for (; at > 0 && cs_rigid_before(c->in, ticket, c->changed[at - 1]); at--)
        c->changed[at] = c->changed[at - 1];
    c->changed[at] = ticket;
    c->changes++;
}

/* The profile from nothing: what runs, what starts now, and the reservations that are kept. */
static void rebuild(struct cs_rigid_conservative *c, const struct cs_rigid_view *view,
                    const int *start, int starting)
{
    cs_rigid_free_times_begin(&c->plan.profile, view);
    for (int a = 0; a < starting; a++)
        cs_rigid_free_times_take(&c->plan.profile, start[a], view->now);
    for (int a = 0; a < c->plan.planned; a++)
        cs_rigid_free_times_take(&c->plan.profile, c->plan.reservation[a].ticket,
                                 c->plan.reservation[a].start);
}

/* The reservations behind this job are given up.  Many are given up faster by making the profile
 * anew. */
static void cut(struct cs_rigid_conservative *c, int ticket, const struct cs_rigid_view *view,
                const int *start, int starting)
{
    const struct cs_rigid_reservation *reservation = c->plan.reservation;
    int kept = c->plan.planned;

    if (is_before(c, ticket, &c->plan.next))
        c->plan.next = cs_rigid_place_of(c->in, ticket);
    while (kept > 0 && cs_rigid_before(c->in, ticket, reservation[kept - 1].ticket))
        kept--;
    if (c->plan.planned - kept > kept + starting + cs_rigid_running_count(view->running) / 4) {
        c->plan.planned = kept;
        rebuild(c, view, start, starting);
        return;
    }
    for (; c->plan.planned > kept; c->plan.planned--)
        cs_rigid_free_times_give_back(&c->plan.profile, reservation[c->plan.planned - 1].ticket,
                                      reservation[c->plan.planned - 1].start);
}

/* The job has its slot in the profile, and comes behind all that have. */
static inline void append(struct cs_rigid_conservative *c, int ticket, double start)
{
    if (c->plan.planned == c->plan.room) {
        c->plan.room = 2 * c->plan.room + 16;
        c->plan.reservation = cs_arena_grow(c->arena, c->plan.reservation, (size_t)c->plan.planned,
                                            (size_t)c->plan.room, sizeof *c->plan.reservation);
    }
    c->plan.reservation[c->plan.planned++] = (struct cs_rigid_reservation){start, ticket};
    c->plan.earliest = start < c->plan.earliest ? start : c->plan.earliest;
}

/* The job gets its slot. */
static void plan(struct cs_rigid_conservative *c, int ticket, double start)
{
    struct cs_rigid_reservation *last;

    cs_rigid_free_times_take(&c->plan.profile, ticket, start);
    append(c, ticket, start);
    last = &c->plan.reservation[c->plan.planned - 1];
    for (; last > c->plan.reservation && cs_rigid_before(c->in, ticket, last[-1].ticket); last--)
        *last = last[-1];
    *last = (struct cs_rigid_reservation){start, ticket};
}

/* Who is before this one is planned, and so is it. */
static void pass(struct cs_rigid_conservative *c, int ticket)
{
    if (c->in->place)
        c->plan.next = c->in->place[ticket];
    else
        c->plan.next.number = ticket;
    c->plan.next.number++;
}

static bool is_planned(const struct cs_rigid_conservative *c, int ticket)
{
    int low = 0, high = c->plan.planned;

    while (low < high) {
        int middle = (low + high) / 2;

        if (cs_rigid_before(c->in, c->plan.reservation[middle].ticket, ticket))
            low = middle + 1;
        else
            high = middle;
    }
    return low < c->plan.planned && c->plan.reservation[low].ticket == ticket;
}

static void push(struct cs_rigid_conservative *c, int ticket)
{
    if (c->depth == c->depth_room) {
        c->depth_room = 2 * c->depth + 16;
        c->pending = cs_arena_grow(c->arena, c->pending, (size_t)c->depth, (size_t)c->depth_room,
                                   sizeof *c->pending);
    }
    c->pending[c->depth++] = (struct cs_rigid_pending){.ticket = ticket, .start = -INFINITY};
}

/* The first who is not planned. */
static struct cs_rigid_cursor first_open(struct cs_rigid_conservative *c)
{
    struct cs_rigid_cursor at = cs_rigid_queue_find(c->queue, &c->plan.next);
    int ticket;

    for (; (ticket = cs_rigid_queue_at(c->queue, &at)) >= 0 && is_planned(c, ticket); at.at++)
        pass(c, ticket);
    return at;
}

/* The slot of the last beside all that are planned, and who may come in its way. */
static struct cs_rigid_pending *look(struct cs_rigid_conservative *c)
{
    struct cs_rigid_pending *p = &c->pending[c->depth - 1];
    double start = cs_rigid_free_times_earliest(&c->plan.profile, p->ticket);

    if (start != p->start) {
        p->start = start;
        p->end = cs_rigid_plan_end(c->in, p->ticket, start);
        p->next = first_open(c);
        p->asked = 0;
    }
    return p;
}

/* The next from the cursor on who is not planned and may begin before the slot ends: at first
 * anybody; -1 for none. */
static int in_the_way(struct cs_rigid_conservative *c, struct cs_rigid_pending *p)
{
    bool any = p->asked++ < FEW;
    struct cs_rigid_stairs openings = {0};

    if (cs_rigid_queue_at(c->queue, &p->next) == p->ticket)
        return -1;
    if (!any)
        openings = cs_rigid_free_times_openings(&c->plan.profile, p->end);
    for (;; p->next.at++) {
        int ticket = any ? cs_rigid_queue_at(c->queue, &p->next)
                         : cs_rigid_queue_first_below(c->queue, &p->next, &openings);

        if (ticket < 0 || !cs_rigid_before(c->in, ticket, p->ticket))
            return -1;
        if (!is_planned(c, ticket))
            return ticket;
    }
}

/* Plan who comes in the way of a job that could start now, and before them who comes in theirs.
 * Returns whether it still can. */
static bool can_start(struct cs_rigid_conservative *c, int candidate, double now)
{
    c->depth = 0;
    push(c, candidate);
    for (;;) {
        struct cs_rigid_pending *p = look(c);
        bool is_candidate = c->depth == 1;
        int ticket;

        if (is_candidate && p->start > now)
            return false;
        if (!is_candidate && !(p->start < p[-1].end)) {
            p[-1].next.at++;
            c->depth--;
        } else if ((ticket = in_the_way(c, p)) >= 0) {
            push(c, ticket);
        } else if (is_candidate) {
            return true;
        } else {
            plan(c, p->ticket, p->start);
            c->depth--;
        }
    }
}

/* Plan who is before a job that could start now, as long as it can. */
static bool can_start_in_order(struct cs_rigid_conservative *c, int candidate, double now)
{
    struct cs_rigid_cursor at = cs_rigid_queue_find(c->queue, &c->plan.next);
    double end = cs_rigid_plan_end(c->in, candidate, now);
    int procs = c->in->procs[candidate], ticket;
    bool can = true;

    for (; can && (ticket = cs_rigid_queue_at(c->queue, &at)) != candidate; at.at++) {
        double start = cs_rigid_free_times_reserve(&c->plan.profile, ticket);

        append(c, ticket, start);
        can = start >= end || cs_rigid_free_times_free_until(&c->plan.profile, procs, end);
    }
    pass(c, ticket);
    return can;
}

/* Who came back or arrived starts at once, or makes the plan behind it void. */
static int start_changed(struct cs_rigid_conservative *c, const struct cs_rigid_view *view,
                         int *start)
{
    int count = 0;

    for (int a = 0; a < c->changes; a++) {
        int ticket = c->changed[a];

        if (!is_before_plan(c, ticket))
            break;
        if (cs_rigid_free_times_fits_now(&c->plan.profile, ticket) &&
            (c->in_order || can_start(c, ticket, view->now))) {
            cs_rigid_free_times_reserve(&c->plan.profile, ticket);
            cs_rigid_queue_remove(c->queue, ticket);
            start[count++] = ticket;
        } else {
            cut(c, ticket, view, start, count);
        }
    }
    c->changes = 0;
    return count;
}

/* The jobs whose reservations begin now. */
static int start_planned(struct cs_rigid_conservative *c, double now, int *start)
{
    struct cs_rigid_reservation *reservation = c->plan.reservation;
    double earliest = INFINITY;
    int kept = 0, count = 0;

    if (c->plan.earliest > now)
        return 0;
    for (int a = 0; a < c->plan.planned; a++) {
        double at = reservation[a].start;

        if (at <= now) {
            cs_rigid_queue_remove(c->queue, reservation[a].ticket);
            start[count++] = reservation[a].ticket;
            continue;
        }
        earliest = at < earliest ? at : earliest;
        reservation[kept++] = reservation[a];
    }
    c->plan.earliest = earliest;
    c->plan.planned = kept;
    return count;
}

/* Everybody who is not planned and can start now. */
static int start_others(struct cs_rigid_conservative *c, double now, int *start)
{
    int count = 0;

    for (;;) {
        struct cs_rigid_cursor at = cs_rigid_queue_find(c->queue, &c->plan.next);
        int ticket = cs_rigid_free_times_candidate(&c->plan.profile, c->queue, &at);

        if (ticket < 0)
            return count;
        if (!(c->in_order ? can_start_in_order(c, ticket, now) : can_start(c, ticket, now)))
            continue;
        cs_rigid_free_times_reserve(&c->plan.profile, ticket);
        cs_rigid_queue_remove_at(c->queue, at);
        start[count++] = ticket;
    }
}

/* The first decision of a scenario is that of every scenario. */
static int decide_first(struct cs_rigid_conservative *c, const struct cs_rigid_view *view,
                        int *start)
{
    if (c->first_starts < 0) {
        cs_rigid_free_times_begin(&c->plan.profile, view);
        c->first_starts = start_others(c, view->now, c->first_start);
        plan_copy(&c->first, &c->plan);
    } else {
        plan_copy(&c->plan, &c->first);
        for (int a = 0; a < c->first_starts; a++)
            cs_rigid_queue_remove(c->queue, c->first_start[a]);
    }
    memcpy(start, c->first_start, (size_t)c->first_starts * sizeof *start);
    return c->first_starts;
}

int cs_rigid_conservative_decide(struct cs_rigid_conservative *c, const struct cs_rigid_view *view,
                                 int *start)
{
    bool fresh = c->fresh, beginning = c->beginning;
    int count;

    if (c->bits)
        return cs_rigid_conservative_bits_decide(c->bits, view, start);
    c->fresh = c->beginning = false;
    if (beginning && view->now == 0 && view->free == c->in->machine)
        return decide_first(c, view, start);
    if (fresh)
        cs_rigid_free_times_begin(&c->plan.profile, view);
    else
        cs_rigid_free_times_advance(&c->plan.profile, view->now);
    count = start_changed(c, view, start);
    count += start_planned(c, view->now, start + count);
    count += start_others(c, view->now, start + count);
    if (cs_rigid_end_at_once(c->in, start, count, view->now))
        cs_rigid_conservative_forget(c);
    return count;
}
