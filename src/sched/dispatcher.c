/* dispatcher.c - the deciding half of a driver: events go to the policy, starts to what runs.
 *
 * Source: spec/replay.md 4 (early, shrunk, one round for an instant); priority `lert-learnt`:
 * beyond the paper.
 *
 * Idea: the driver reports events and requests a round; between the two, surprises are collected
 * and reported once, before the policy decides.  On an instance that learns, a layer between
 * driver and policy estimates the error rate (rate.c), sorts the jobs by log(t) + lambda a, and
 * translates ranks: the driver keeps the ranks of the beginning, the policy has those of the
 * moment.
 *
 * Invariants:
 * - view.free + view.lost + processors in use = machine, unless processors are owed: lost while in
 *   use.  They leave when attempts end (dispatcher_pay).
 * - An attempt past its expected end is expected to end at the next double after now, at each
 *   round.
 * - `added` numbers starts: it orders attempts with equal ends.
 * - Learning: outer_rank and inner_rank are permutations of the jobs; the policy is informed of
 *   new ranks only when the order changed, and the order is made again only after an attempt
 *   ended.
 *
 * Complexity: O(log R + 64) for each event; learning O(n log n) for each decision after an end.
 */
#include "sched/dispatcher.h"
#include "base/bug.h"
#include "base/order.h"
#include "sched/policy.h"
#include "sched/rate.h"

#include <math.h>

/* ranks of the driver outside, ranks of the moment inside. */

struct learner {
    const struct cs_sched_instance *outer; /* ranks as the driver has them, for good */
    struct cs_sched_instance inner;        /* ranks as the policy has them now */
    const struct cs_sched_policy *policy;
    void *state; /* of the policy */
    struct cs_sched_rate rate;
    int waiting;
    bool *waits;                  /* each job */
    bool ended;                   /* an attempt, since the order was made */
    int *job, *procs;             /* of inner */
    double *seconds;              /* of inner */
    int *outer_rank, *inner_rank; /* of each job */
    double *log_seconds, *key;    /* of each job */
    int *order, *moved;
    struct cs_arena *scratch;
};

static void take_order(struct learner *l, const int *order)
{
    for (int k = 0; k < l->inner.count; k++) {
        int j = order[k], outer = l->outer_rank[j];

        l->job[k] = j;
        l->seconds[k] = l->outer->seconds[outer];
        l->procs[k] = l->outer->procs[outer];
        l->inner_rank[j] = k;
    }
}

static void init_inner(struct learner *l, struct cs_arena *arena)
{
    int count = l->outer->count;

    l->job = CS_NEW_ARRAY(arena, int, count);
    l->procs = CS_NEW_ARRAY(arena, int, count);
    l->seconds = CS_NEW_ARRAY(arena, double, count);
    l->outer_rank = CS_NEW_ARRAY(arena, int, count);
    l->inner_rank = CS_NEW_ARRAY(arena, int, count);
    l->log_seconds = CS_NEW_ARRAY(arena, double, count);
    l->key = CS_NEW_ARRAY(arena, double, count);
    l->waits = CS_NEW_ARRAY(arena, bool, count);
    l->order = CS_NEW_ARRAY(arena, int, count);
    l->moved = CS_NEW_ARRAY(arena, int, count);
    l->inner = *l->outer;
    l->inner.job = l->job;
    l->inner.procs = l->procs;
    l->inner.seconds = l->seconds;
    for (int k = 0; k < count; k++) {
        l->outer_rank[l->outer->job[k]] = k;
        l->log_seconds[l->outer->job[k]] = log(l->outer->seconds[k]);
    }
    take_order(l, l->outer->job);
}

static bool same_order(const struct learner *l)
{
    for (int k = 0; k < l->inner.count; k++)
        if (l->order[k] != l->job[k])
            return false;
    return true;
}

/* The order by the current estimate; the policy gets its new ranks. */
static void dispatcher_learn(struct learner *l)
{
    double rate = cs_sched_rate_estimate(&l->rate);

    l->ended = false;
    for (int j = 0; j < l->inner.count; j++)
        l->key[j] = l->log_seconds[j] + rate * l->rate.area[j];
    cs_order_descending(l->key, l->inner.count, l->order, l->scratch);
    if (same_order(l))
        return;
    for (int k = 0; k < l->inner.count; k++)
        l->moved[l->order[k]] = k;
    for (int k = 0; k < l->inner.count; k++)
        l->inner_rank[k] = l->moved[l->job[k]];
    for (int k = 0; k < l->inner.count; k++)
        l->moved[k] = l->inner_rank[k];
    take_order(l, l->order);
    l->policy->reranked(l->state, l->moved);
}

static void dispatcher_begin(void *state)
{
    struct learner *l = state;

    cs_sched_rate_begin(&l->rate);
    l->waiting = l->inner.count;
    for (int j = 0; j < l->inner.count; j++)
        l->waits[j] = true;
    l->ended = true;
    l->policy->begin(l->state);
}

/* Returns the ticket that the policy knows. */
static int dispatcher_wait(struct learner *l, int job, bool waits)
{
    l->waiting += waits - l->waits[job];
    l->waits[job] = waits;
    return l->inner_rank[job];
}

static void dispatcher_arrived(void *state, int rank)
{
    struct learner *l = state;

    l->policy->arrived(l->state, dispatcher_wait(l, l->outer->job[rank], true));
}

static void dispatcher_failed(void *state, int rank)
{
    struct learner *l = state;
    int job = l->outer->job[rank];

    cs_sched_rate_failed(&l->rate, job);
    l->ended = true;
    l->policy->failed(l->state, dispatcher_wait(l, job, true));
}

static void dispatcher_withdrawn(void *state, int rank)
{
    struct learner *l = state;

    l->policy->withdrawn(l->state, dispatcher_wait(l, l->outer->job[rank], false));
}

static void off_plan(void *state, enum cs_sched_surprise surprise)
{
    struct learner *l = state;

    if (l->policy->off_plan)
        l->policy->off_plan(l->state, surprise);
}

static int dispatcher_shelf(void *state)
{
    struct learner *l = state;

    return l->policy->shelf(l->state);
}

static double dispatcher_wake(void *state)
{
    struct learner *l = state;

    return l->policy->wake(l->state);
}

static void dispatcher_succeeded(void *state, int rank)
{
    struct learner *l = state;

    cs_sched_rate_succeeded(&l->rate, l->outer->job[rank]);
    l->ended = true;
}

static int dispatcher_decide(void *state, const struct cs_sched_view *view, int *start)
{
    struct learner *l = state;
    int count;

    if (l->ended && l->waiting > 1)
        dispatcher_learn(l);
    count = l->policy->decide(l->state, view, start);
    for (int a = 0; a < count; a++) {
        int job = l->job[start[a]];

        dispatcher_wait(l, job, false);
        start[a] = l->outer_rank[job];
    }
    return count;
}

/* The policy on an instance that learns.  *policy becomes the interface to drive in its stead, and
 * the result is its state; both live in the arena.  NULL with err when the policy refuses its
 * parameters. */
static void *rigid_learn_create(const struct cs_sched_policy **policy,
                                const struct cs_sched_instance *in, const double *param,
                                struct cs_arena *arena, struct cs_error *err)
{
    struct learner *l = CS_NEW(arena, struct learner);
    struct cs_sched_policy *shown = CS_NEW(arena, struct cs_sched_policy);

    *l = (struct learner){.outer = in, .policy = *policy, .scratch = arena};
    init_inner(l, arena);
    cs_sched_rate_init(&l->rate, in->jobs, arena);
    l->state = l->policy->create(&l->inner, param, arena, err);
    if (!l->state)
        return NULL;
    *shown = **policy;
    shown->begin = dispatcher_begin;
    shown->arrived = dispatcher_arrived;
    shown->failed = dispatcher_failed;
    shown->succeeded = dispatcher_succeeded;
    shown->withdrawn = dispatcher_withdrawn;
    shown->off_plan = off_plan;
    shown->shelf = l->policy->shelf ? dispatcher_shelf : NULL;
    shown->wake = l->policy->wake ? dispatcher_wake : NULL;
    shown->decide = dispatcher_decide;
    *policy = shown;
    return l;
}

/* Where jobs arrive, tickets may have become more. */
static void dispatcher_make_room(struct cs_sched_dispatcher *d)
{
    size_t old = (size_t)d->room, room = (size_t)d->in->count;

    d->added = cs_arena_grow(d->arena, d->added, old, room, sizeof *d->added);
    d->end = cs_arena_grow(d->arena, d->end, old, room, sizeof *d->end);
    d->start = CS_NEW_ARRAY(d->arena, int, room);
    d->room = d->in->count;
}

int cs_sched_dispatcher_init(struct cs_sched_dispatcher *d, const struct cs_sched_instance *in,
                             const struct cs_sched_policy *policy, const double *param,
                             struct cs_arena *arena, struct cs_error *err)
{
    *d = (struct cs_sched_dispatcher){.in = in, .arena = arena};
    d->policy = cs_sched_policy_choose(policy, in, param, err);
    if (!d->policy)
        return -1;
    cs_sched_running_init(&d->running, arena);
    dispatcher_make_room(d);
    d->state = in->learns ? rigid_learn_create(&d->policy, in, param, arena, err)
                          : d->policy->create(in, param, arena, err);
    return d->state ? 0 : -1;
}

void cs_sched_dispatcher_begin(struct cs_sched_dispatcher *d)
{
    cs_sched_running_clear(&d->running);
    d->view =
        (struct cs_sched_view){.free = d->in->machine, .changed = true, .running = &d->running};
    d->waiting = d->in->place ? 0 : d->in->count;
    d->wake = INFINITY;
    d->starts = 0;
    d->owed = 0;
    d->early = d->shrunk = false;
    d->policy->begin(d->state);
}

void cs_sched_dispatcher_arrived(struct cs_sched_dispatcher *d, int ticket)
{
    if (d->room < d->in->count)
        dispatcher_make_room(d);
    d->waiting++;
    d->policy->arrived(d->state, ticket);
}

void cs_sched_dispatcher_withdrawn(struct cs_sched_dispatcher *d, int ticket)
{
    d->waiting--;
    d->policy->withdrawn(d->state, ticket);
}

static void dispatcher_report(struct cs_sched_dispatcher *d, int ticket,
                              enum cs_sched_outcome_of_attempt outcome)
{
    if (outcome == CS_SCHED_AGAIN) {
        d->waiting++;
        d->policy->failed(d->state, ticket);
    } else if (outcome == CS_SCHED_ABANDONED) {
        d->policy->withdrawn(d->state, ticket);
    } else if (d->policy->succeeded) {
        d->policy->succeeded(d->state, ticket);
    }
}

/* Owed processors leave as far as they are free. */
static void dispatcher_pay(struct cs_sched_dispatcher *d)
{
    int procs = d->owed < d->view.free ? d->owed : d->view.free;

    d->owed -= procs;
    d->view.free -= procs;
    d->view.lost += procs;
}

void cs_sched_dispatcher_ended(struct cs_sched_dispatcher *d, int ticket, double now,
                               enum cs_sched_outcome_of_attempt outcome)
{
    double end = d->end[ticket];

    cs_sched_running_remove(&d->running, end, ticket, d->added);
    d->view.free += d->in->procs[ticket];
    d->view.changed = true;
    d->early |= now < end;
    d->shrunk |= now > end || d->owed > 0;
    if (d->owed)
        dispatcher_pay(d);
    dispatcher_report(d, ticket, outcome);
}

void cs_sched_dispatcher_put_off(struct cs_sched_dispatcher *d, int ticket, double end)
{
    cs_sched_running_remove(&d->running, d->end[ticket], ticket, d->added);
    d->added[ticket] = d->starts++;
    d->end[ticket] = end;
    cs_sched_running_add(&d->running, end, d->in->procs[ticket], ticket);
    d->view.changed = true;
    d->shrunk = true;
}

static void give_back(struct cs_sched_dispatcher *d, int procs)
{
    int owed = procs < d->owed ? procs : d->owed;

    d->owed -= owed;
    d->view.lost -= procs - owed;
    d->view.free += procs - owed;
    CS_REQUIRE(d->view.lost >= 0);
}

void cs_sched_dispatcher_lose(struct cs_sched_dispatcher *d, int procs)
{
    if (procs < 0)
        give_back(d, -procs);
    else
        d->owed += procs;
    dispatcher_pay(d);
    d->view.changed = true;
    d->shrunk |= procs > 0;
    d->early |= procs < 0;
}

void cs_sched_dispatcher_grow(struct cs_sched_dispatcher *d, int procs)
{
    d->view.lost += procs;
}

void cs_sched_dispatcher_expect_again(struct cs_sched_dispatcher *d)
{
    d->view.changed = true;
    d->early = d->shrunk = true;
}

void cs_sched_dispatcher_again(struct cs_sched_dispatcher *d, int ticket)
{
    d->waiting++;
    d->policy->failed(d->state, ticket);
}

/* How many are late, if no other ends until `end`: then they may do so without any of them
 * changing its place.  Else -1. */
static int count_late(const struct cs_sched_running *r, double now, double end)
{
    int late = 0;

    for (int b = r->blocks - 1; b >= 0; b--)
        for (int i = cs_sched_running_count_in(r, b) - 1; i >= 0; i--, late++)
            if (r->block[b]->attempt[i].end > now)
                return r->block[b]->attempt[i].end > end ? late : -1;
    return late;
}

/* All that are late, which may be most of thousands; the order of ends stays, as the
 * first to end is the last that was added. */
static void put_off_in_place(struct cs_sched_dispatcher *d, int late, double end)
{
    struct cs_sched_running *r = &d->running;
    const int64_t before = d->starts;

    d->starts += late;
    for (int b = r->blocks - 1; late > 0; b--)
        for (int i = cs_sched_running_count_in(r, b) - 1; i >= 0 && late > 0; i--, late--) {
            struct cs_sched_attempt *attempt = &r->block[b]->attempt[i];

            attempt->end = d->end[attempt->ticket] = end;
            d->added[attempt->ticket] = before + late - 1;
            d->view.changed = d->shrunk = true;
        }
}

static void put_off_late(struct cs_sched_dispatcher *d, double now)
{
    const double end = nextafter(now, INFINITY);
    const int late = count_late(&d->running, now, end);

    if (late >= 0) {
        put_off_in_place(d, late, end);
        return;
    }
    while (cs_sched_running_first(&d->running)->end <= now)
        cs_sched_dispatcher_put_off(d, cs_sched_running_first(&d->running)->ticket, end);
}

static void report_surprises(struct cs_sched_dispatcher *d)
{
    if (d->policy->off_plan && d->shrunk)
        d->policy->off_plan(d->state, CS_SCHED_SHRUNK);
    if (d->policy->off_plan && d->early)
        d->policy->off_plan(d->state, CS_SCHED_EARLY);
    d->early = d->shrunk = false;
}

static void start_attempt(struct cs_sched_dispatcher *d, int ticket)
{
    double end = cs_sched_end(d->in, ticket, d->view.now);

    d->added[ticket] = d->starts++;
    d->end[ticket] = end;
    cs_sched_running_add(&d->running, end, d->in->procs[ticket], ticket);
    d->view.free -= d->in->procs[ticket];
}

int cs_sched_dispatcher_round(struct cs_sched_dispatcher *d, double now)
{
    int count;

    d->view.now = now;
    put_off_late(d, now);
    report_surprises(d);
    count = d->policy->decide(d->state, &d->view, d->start);
    d->view.changed = false;
    for (int a = 0; a < count; a++)
        start_attempt(d, d->start[a]);
    d->waiting -= count;
    CS_REQUIRE(d->view.free >= 0);
    d->wake = d->policy->wake ? d->policy->wake(d->state) : INFINITY;
    return count;
}
