/* desk.c - what happened goes to the policy, what it starts goes to what runs. */
#include "rigid/desk.h"

#include "base/bug.h"
#include "rigid/learn.h"

#include <math.h>

/* Where jobs arrive, tickets may have become more. */
static void make_room(struct cs_rigid_desk *d)
{
    size_t old = (size_t)d->room, room = (size_t)d->in->count;

    d->added = cs_arena_grow(d->arena, d->added, old, room, sizeof *d->added);
    d->end = cs_arena_grow(d->arena, d->end, old, room, sizeof *d->end);
    d->start = CS_NEW_ARRAY(d->arena, int, room);
    d->room = d->in->count;
}

int cs_rigid_desk_init(struct cs_rigid_desk *d, const struct cs_rigid_instance *in,
                       const struct cs_rigid_policy *policy, const double *param,
                       struct cs_arena *arena, struct cs_error *err)
{
    *d = (struct cs_rigid_desk){.in = in, .arena = arena};
    d->policy = cs_rigid_policy_choose(policy, in, param, err);
    if (!d->policy)
        return -1;
    cs_rigid_running_init(&d->running, arena);
    make_room(d);
    d->state = in->learns ? cs_rigid_learn_create(&d->policy, in, param, arena, err)
                          : d->policy->create(in, param, arena, err);
    return d->state ? 0 : -1;
}

void cs_rigid_desk_begin(struct cs_rigid_desk *d)
{
    cs_rigid_running_clear(&d->running);
    d->view =
        (struct cs_rigid_view){.free = d->in->machine, .changed = true, .running = &d->running};
    d->waiting = d->in->place ? 0 : d->in->count;
    d->wake = INFINITY;
    d->starts = 0;
    d->owed = 0;
    d->early = d->shrunk = false;
    d->policy->begin(d->state);
}

void cs_rigid_desk_arrived(struct cs_rigid_desk *d, int ticket)
{
    if (d->room < d->in->count)
        make_room(d);
    d->waiting++;
    d->policy->arrived(d->state, ticket);
}

void cs_rigid_desk_withdrawn(struct cs_rigid_desk *d, int ticket)
{
    d->waiting--;
    d->policy->withdrawn(d->state, ticket);
}

static void tell(struct cs_rigid_desk *d, int ticket, enum cs_rigid_outcome_of_attempt outcome)
{
    if (outcome == CS_RIGID_AGAIN) {
        d->waiting++;
        d->policy->failed(d->state, ticket);
    } else if (outcome == CS_RIGID_GIVEN_UP) {
        d->policy->withdrawn(d->state, ticket);
    } else if (d->policy->succeeded) {
        d->policy->succeeded(d->state, ticket);
    }
}

/* What is owed leaves as far as it is free. */
static void pay(struct cs_rigid_desk *d)
{
    int procs = d->owed < d->view.free ? d->owed : d->view.free;

    d->owed -= procs;
    d->view.free -= procs;
    d->view.lost += procs;
}

void cs_rigid_desk_ended(struct cs_rigid_desk *d, int ticket, double now,
                         enum cs_rigid_outcome_of_attempt outcome)
{
    double end = d->end[ticket];

    cs_rigid_running_remove(&d->running, end, ticket, d->added);
    d->view.free += d->in->procs[ticket];
    d->view.changed = true;
    d->early |= now < end;
    d->shrunk |= now > end || d->owed > 0;
    if (d->owed)
        pay(d);
    tell(d, ticket, outcome);
}

void cs_rigid_desk_put_off(struct cs_rigid_desk *d, int ticket, double end)
{
    cs_rigid_running_remove(&d->running, d->end[ticket], ticket, d->added);
    d->added[ticket] = d->starts++;
    d->end[ticket] = end;
    cs_rigid_running_add(&d->running, end, d->in->procs[ticket], ticket);
    d->view.changed = true;
    d->shrunk = true;
}

static void give_back(struct cs_rigid_desk *d, int procs)
{
    int owed = procs < d->owed ? procs : d->owed;

    d->owed -= owed;
    d->view.lost -= procs - owed;
    d->view.free += procs - owed;
    CS_REQUIRE(d->view.lost >= 0);
}

void cs_rigid_desk_lose(struct cs_rigid_desk *d, int procs)
{
    if (procs < 0)
        give_back(d, -procs);
    else
        d->owed += procs;
    pay(d);
    d->view.changed = true;
    d->shrunk |= procs > 0;
    d->early |= procs < 0;
}

void cs_rigid_desk_grow(struct cs_rigid_desk *d, int procs)
{
    d->view.lost += procs;
}

void cs_rigid_desk_expect_anew(struct cs_rigid_desk *d)
{
    d->view.changed = true;
    d->early = d->shrunk = true;
}

void cs_rigid_desk_again(struct cs_rigid_desk *d, int ticket)
{
    d->waiting++;
    d->policy->failed(d->state, ticket);
}

/* How many are late, if nobody else ends until `end`: then they may do so without any of them
 * changing its place.  Else -1. */
static int count_late(const struct cs_rigid_running *r, double now, double end)
{
    int late = 0;

    for (int b = r->blocks - 1; b >= 0; b--)
        for (int i = cs_rigid_running_count_in(r, b) - 1; i >= 0; i--, late++)
            if (r->block[b]->attempt[i].end > now)
                return r->block[b]->attempt[i].end > end ? late : -1;
    return late;
}

/* All that are late, which may be most of thousands; whoever was to end first still is, as the last
 * that was added. */
static void put_off_in_place(struct cs_rigid_desk *d, int late, double end)
{
    struct cs_rigid_running *r = &d->running;
    const int64_t before = d->starts;

    d->starts += late;
    for (int b = r->blocks - 1; late > 0; b--)
        for (int i = cs_rigid_running_count_in(r, b) - 1; i >= 0 && late > 0; i--, late--) {
            struct cs_rigid_attempt *attempt = &r->block[b]->attempt[i];

            attempt->end = d->end[attempt->ticket] = end;
            d->added[attempt->ticket] = before + late - 1;
            d->view.changed = d->shrunk = true;
        }
}

static void put_off_late(struct cs_rigid_desk *d, double now)
{
    const double end = nextafter(now, INFINITY);
    const int late = count_late(&d->running, now, end);

    if (late >= 0) {
        put_off_in_place(d, late, end);
        return;
    }
    while (cs_rigid_running_first(&d->running)->end <= now)
        cs_rigid_desk_put_off(d, cs_rigid_running_first(&d->running)->ticket, end);
}

static void tell_surprises(struct cs_rigid_desk *d)
{
    if (d->policy->off_plan && d->shrunk)
        d->policy->off_plan(d->state, CS_RIGID_SHRUNK);
    if (d->policy->off_plan && d->early)
        d->policy->off_plan(d->state, CS_RIGID_EARLY);
    d->early = d->shrunk = false;
}

static void start_attempt(struct cs_rigid_desk *d, int ticket)
{
    double end = cs_rigid_end(d->in, ticket, d->view.now);

    d->added[ticket] = d->starts++;
    d->end[ticket] = end;
    cs_rigid_running_add(&d->running, end, d->in->procs[ticket], ticket);
    d->view.free -= d->in->procs[ticket];
}

int cs_rigid_desk_round(struct cs_rigid_desk *d, double now)
{
    int count;

    d->view.now = now;
    put_off_late(d, now);
    tell_surprises(d);
    count = d->policy->decide(d->state, &d->view, d->start);
    d->view.changed = false;
    for (int a = 0; a < count; a++)
        start_attempt(d, d->start[a]);
    d->waiting -= count;
    CS_REQUIRE(d->view.free >= 0);
    d->wake = d->policy->wake ? d->policy->wake(d->state) : INFINITY;
    return count;
}
