/* simulate_parts.c - tickets, places and names of processors in the driver of simulate.c.
 *
 * Source: spec/replay.md 4 (numbers), 5.1 (order: tier, key, arrival, number).
 *
 * Idea: a ticket is a small number that a job has while it is unfinished; it indexes all arrays
 * and is used again afterwards, so that memory does not grow with the log.
 *
 * Invariants: spare tickets form a list through kept[].next_spare, the lowest first when they are
 * made; all arrays by ticket grow together; in->count is their common room.  waiting[] and
 * kept[].where are inverse to each other.
 *
 * Complexity: O(1) for each ticket, amortised; order_again O(waiting jobs) for each round.
 *
 * Constant                                      | found        | at half, at double
 * FIRST_TICKETS: 64 tickets, then twice as many | not recorded | not measured
 */
#include "problems/queue/simulate_parts.h"
#include "base/bug.h"
#include "sched/policy.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Begin, end and announcement of outages in the driver (simulate.c).
 *
 * Source: spec/replay.md 8.2 and step 2 of 4.
 *
 * Invariants: at an instant ends come first, then begins, then announcements, each in file order.
 * A node that is down ends attempts in its pool, the last started first, until the pool has enough
 * free; maintenance waits for attempts to end.  An end notes *early*, a begin that was not
 * announced and an announcement note *shrunk*.
 *
 * Complexity: O(R) for each attempt that is ended, R attempts that run; O(outages) otherwise.
 */

static void operate_outages_note(struct cs_queue_run *r, bool more, bool less)
{
    r->dispatcher.early |= more;
    r->dispatcher.shrunk |= less;
    r->dispatcher.view.changed = true;
}

/* The attempt in this pool that started last, then with the largest number; -1 for none. */
static int last_in(const struct cs_queue_run *r, int pool)
{
    int last = -1;

    for (int e = 0; e < r->ends.count; e++) {
        int ticket = r->ends.entry[e].id;
        const struct cs_queue_history *a = &r->kept[ticket].history, *b;
        bool there = false;

        for (int h = 0; h < r->in.hold[ticket].count; h++)
            there |= r->in.hold[ticket].taken[h].pool == pool;
        b = last < 0 ? NULL : &r->kept[last].history;
        if (there && (!b || a->start > b->start || (a->start == b->start && a->number > b->number)))
            last = ticket;
    }
    return last;
}

static bool queue_pools_lack(const struct cs_queue_pools *p, const struct cs_queue_part *part);

static void cut_attempts(struct cs_queue_run *r, const struct cs_queue_part *part)
{
    int ticket;

    while (queue_pools_lack(&r->pools, part) && (ticket = last_in(r, part->pool)) >= 0)
        cs_queue_run_end(r, ticket, true);
}

static void queue_pools_begin(struct cs_queue_pools *p, struct cs_queue_part *part);

static void begin_part(struct cs_queue_run *r, struct cs_queue_part *part)
{
    if (r->pools.outage[part->outage].kind == CS_SITE_DOWN)
        cut_attempts(r, part);
    queue_pools_begin(&r->pools, part);
}

static void queue_pools_end(struct cs_queue_pools *p, struct cs_queue_part *part);

static void operate_outages_over(struct cs_queue_run *r, int outage)
{
    struct cs_queue_pools *p = &r->pools;

    p->phase[outage] = CS_QUEUE_OVER;
    for (int k = 0; k < p->parts; k++)
        if (p->part[k].outage == outage)
            queue_pools_end(p, &p->part[k]);
    operate_outages_note(r, true, false);
}

static void operate_outages_away(struct cs_queue_run *r, int outage)
{
    struct cs_queue_pools *p = &r->pools;

    p->phase[outage] = CS_QUEUE_AWAY;
    for (int k = 0; k < p->parts; k++)
        if (p->part[k].outage == outage)
            begin_part(r, &p->part[k]);
    operate_outages_note(r, false,
                         p->outage[outage].kind != CS_SITE_MAINTENANCE || !p->known[outage]);
    p->known[outage] = true;
}

static void operate_outages_announce(struct cs_queue_run *r, int outage)
{
    r->pools.known[outage] = true;
    operate_outages_note(r, false, true);
}

static void queue_pools_settle(struct cs_queue_pools *p, double now);

void cs_queue_run_outages(struct cs_queue_run *r)
{
    struct cs_queue_pools *p = &r->pools;

    for (int o = 0; o < p->outages; o++) {
        if (p->phase[o] != CS_QUEUE_OVER && p->outage[o].end <= r->now)
            operate_outages_over(r, o);
    }
    for (int o = 0; o < p->outages; o++)
        if (p->phase[o] == CS_QUEUE_COMING && p->outage[o].start <= r->now)
            operate_outages_away(r, o);
    for (int o = 0; o < p->outages; o++)
        if (p->phase[o] == CS_QUEUE_COMING && !p->known[o] &&
            p->outage[o].kind == CS_SITE_MAINTENANCE && p->outage[o].announced <= r->now)
            operate_outages_announce(r, o);
    queue_pools_settle(p, r->now);
}

/* Free resources of each pool, and the outages that take from them.
 *
 * Source: spec/replay.md 2.1 (pools) and 8.2 (outages).
 *
 * Idea: an outage is split into parts, one for each pool that it affects.  While it lasts a part
 * owes its resources: what is free leaves immediately (`gone`), the rest when attempts give back.
 *
 * Invariants:
 * - While the outage of a part lasts, owed + gone = count for each resource; otherwise both are 0.
 * - free + held by attempts + gone of all parts = capacity of the pool.
 * - `next` is the next begin, end or announcement, otherwise INFINITY.
 *
 * Complexity: O(parts) for each give-back in a machine with outages, O(outages) for each change.
 */

#define EVERY(r) (int r = 0; r < CS_LOG_RESOURCES; r++)

static int pools_check(const struct cs_site *site, const struct cs_site_outage *o, int index,
                       struct cs_error *err)
{
    if (o->group < 0 || o->group >= site->groups)
        return cs_error_set(err, "outage %d: there is no group %d", index + 1, o->group);
    if (o->count < 1 || o->count > site->group[o->group].nodes)
        return cs_error_set(err, "outage %d: it takes %lld of group \"%s\", it must be 1 to %d",
                            index + 1, (long long)o->count, site->group[o->group].name,
                            site->group[o->group].nodes);
    if (!(o->start < o->end && isfinite(o->start) && isfinite(o->end)))
        return cs_error_set(err, "outage %d: it lasts from %.15g to %.15g, it must end later",
                            index + 1, o->start, o->end);
    return 0;
}

/* The first pool of a group, and how many there are. */
static int pools_of_group(const struct cs_site *site, int group, int *count)
{
    int first = 0;

    while (site->pool[first].group != group)
        first++;
    *count = site->kind == CS_SITE_PACKED ? site->group[group].nodes : 1;
    return first;
}

static void add_parts(struct cs_queue_pools *p, int outage)
{
    const struct cs_site_outage *o = &p->outage[outage];
    int count, first = pools_of_group(p->site, o->group, &count);
    int64_t nodes = p->site->kind == CS_SITE_PACKED ? 1 : p->site->group[o->group].nodes;
    int taken = p->site->kind == CS_SITE_PACKED ? (int)o->count : 1;

    for (int n = count - taken; n < count; n++) {
        struct cs_queue_part *part = &p->part[p->parts++];

        *part = (struct cs_queue_part){.outage = outage, .pool = first + n};
        for
            EVERY(r)
        part->count[r] = p->site->pool[part->pool].capacity[r] / nodes *
                         (p->site->kind == CS_SITE_PACKED ? 1 : o->count);
    }
}

int cs_queue_pools_init(struct cs_queue_pools *p, const struct cs_site *site,
                        const struct cs_site_outage *outage, int outages, struct cs_arena *arena,
                        struct cs_error *err)
{
    size_t parts = 0;

    *p = (struct cs_queue_pools){.site = site, .outage = outage, .outages = outages};
    for (int o = 0; o < outages; o++) {
        if (pools_check(site, &outage[o], o, err))
            return -1;
        parts += site->kind == CS_SITE_PACKED ? (size_t)outage[o].count : 1;
    }
    p->free = cs_arena_alloc(arena, (size_t)site->pools, sizeof *p->free);
    for (int k = 0; k < site->pools; k++)
        memcpy(p->free[k], site->pool[k].capacity, sizeof *p->free);
    p->phase = CS_NEW_ARRAY(arena, enum cs_queue_phase, outages);
    p->known = CS_NEW_ARRAY(arena, bool, outages);
    p->part = CS_NEW_ARRAY(arena, struct cs_queue_part, parts);
    p->change = CS_NEW_ARRAY(arena, struct cs_sched_change, 2 * parts);
    for (int o = 0; o < outages; o++) {
        p->known[o] = outage[o].kind == CS_SITE_MAINTENANCE && outage[o].announced == -INFINITY;
        add_parts(p, o);
    }
    queue_pools_settle(p, -INFINITY);
    return 0;
}

static void pools_add(struct cs_queue_pools *p, const struct cs_sched_request *request,
                      const struct cs_sched_hold *hold, int sign)
{
    int64_t amount[CS_LOG_RESOURCES];

    for (int h = 0; h < hold->count; h++) {
        cs_sched_hold_amounts(p->site, request, hold, h, amount);
        for (int r = 0; r < p->site->resources; r++)
            p->free[hold->taken[h].pool][r] += sign * amount[r];
    }
}

void cs_queue_pools_take(struct cs_queue_pools *p, const struct cs_sched_request *request,
                         const struct cs_sched_hold *hold)
{
    pools_add(p, request, hold, -1);
}

/* Take the owed amount, or as much of it as is free, out of the pool. */
static void pools_pay(struct cs_queue_pools *p, int pool)
{
    for (int k = 0; k < p->parts; k++) {
        struct cs_queue_part *part = &p->part[k];

        if (part->pool != pool || p->phase[part->outage] != CS_QUEUE_AWAY)
            continue;
        for
            EVERY(r)
            {
                int64_t free = p->free[pool][r] > 0 ? p->free[pool][r] : 0;
                int64_t paid = part->owed[r] < free ? part->owed[r] : free;

                part->owed[r] -= paid;
                part->gone[r] += paid;
                p->free[pool][r] -= paid;
            }
    }
}

void cs_queue_pools_give(struct cs_queue_pools *p, const struct cs_sched_request *request,
                         const struct cs_sched_hold *hold)
{
    pools_add(p, request, hold, 1);
    for (int h = 0; p->parts && h < hold->count; h++)
        pools_pay(p, hold->taken[h].pool);
}

/* Has the pool less idle than the part wants? */
static bool queue_pools_lack(const struct cs_queue_pools *p, const struct cs_queue_part *part)
{
    for
        EVERY(r)
    if (p->free[part->pool][r] < part->count[r])
        return true;
    return false;
}

/* The outage takes what is idle of this part; it gives back all of it. */
static void queue_pools_begin(struct cs_queue_pools *p, struct cs_queue_part *part)
{
    for
        EVERY(r)
    part->owed[r] = part->count[r];
    pools_pay(p, part->pool);
}

static void queue_pools_end(struct cs_queue_pools *p, struct cs_queue_part *part)
{
    for
        EVERY(r)
        {
            p->free[part->pool][r] += part->gone[r];
            part->gone[r] = part->owed[r] = 0;
        }
    pools_pay(p, part->pool);
}

/* After the phases and what is known have changed: the next instant. */
static void queue_pools_settle(struct cs_queue_pools *p, double now)
{
    p->next = INFINITY;
    for (int o = 0; o < p->outages; o++) {
        const struct cs_site_outage *out = &p->outage[o];

        if (p->phase[o] == CS_QUEUE_OVER)
            continue;
        if (out->kind == CS_SITE_MAINTENANCE && !p->known[o] && out->announced > now &&
            out->announced < out->start)
            p->next = fmin(p->next, out->announced);
        p->next = fmin(p->next, p->phase[o] == CS_QUEUE_COMING ? out->start : out->end);
    }
}

static void pools_change(struct cs_sched_view *view, struct cs_sched_change *to,
                         const struct cs_queue_part *part, double time, const int64_t *amount,
                         int sign)
{
    to += view->changes++;
    *to = (struct cs_sched_change){.time = time, .pool = part->pool};
    for
        EVERY(r)
    to->delta[r] = sign * amount[r];
}

void cs_queue_pools_show(struct cs_queue_pools *p, struct cs_sched_view *view)
{
    view->pool = (const int64_t(*)[CS_LOG_RESOURCES])p->free;
    view->changes = 0;
    view->change = p->change;
    for (int k = 0; k < p->parts; k++) {
        const struct cs_queue_part *part = &p->part[k];
        const struct cs_site_outage *out = &p->outage[part->outage];
        bool away = p->phase[part->outage] == CS_QUEUE_AWAY;

        if (p->phase[part->outage] == CS_QUEUE_OVER || (!away && !p->known[part->outage]))
            continue;
        pools_change(view, p->change, part, away ? -INFINITY : out->start,
                     away ? part->owed : part->count, -1);
        pools_change(view, p->change, part, out->end, part->count, 1);
    }
}

#define FIRST_TICKETS 64

static void *operate_tickets_grown(const struct cs_queue_run *r, const void *old, int count,
                                   size_t size)
{
    return cs_arena_grow(r->arena, old, (size_t)r->in.count, (size_t)count, size);
}

static void add_tickets(struct cs_queue_run *r)
{
    int old = r->in.count, count = old ? 2 * old : FIRST_TICKETS;

    CS_REQUIRE(old < INT_MAX / 4);
    r->in.seconds = r->seconds = operate_tickets_grown(r, r->seconds, count, sizeof *r->seconds);
    r->in.procs = r->procs = operate_tickets_grown(r, r->procs, count, sizeof *r->procs);
    r->in.place = r->place = operate_tickets_grown(r, r->place, count, sizeof *r->place);
    r->in.promise = operate_tickets_grown(r, r->in.promise, count, sizeof *r->in.promise);
    r->in.request = r->request = operate_tickets_grown(r, r->request, count, sizeof *r->request);
    if (r->general)
        r->in.hold = operate_tickets_grown(r, r->in.hold, count, sizeof *r->in.hold);
    r->kept = operate_tickets_grown(r, r->kept, count, sizeof *r->kept);
    r->ending = operate_tickets_grown(r, r->ending, count, sizeof *r->ending);
    r->staying = operate_tickets_grown(r, r->staying, count, sizeof *r->staying);
    r->waiting = operate_tickets_grown(r, r->waiting, count, sizeof *r->waiting);
    cs_heap_grow(&r->ends, count, r->arena);
    cs_heap_grow(&r->lates, count, r->arena);
    for (int ticket = count - 1; ticket >= old; ticket--)
        cs_queue_run_give_ticket(r, ticket);
    r->in.count = count;
}

int cs_queue_run_ticket(struct cs_queue_run *r)
{
    int ticket;

    if (r->spare < 0)
        add_tickets(r);
    ticket = r->spare;
    r->spare = r->kept[ticket].next_spare;
    return ticket;
}

void cs_queue_run_give_ticket(struct cs_queue_run *r, int ticket)
{
    r->kept[ticket].next_spare = r->spare;
    r->spare = ticket;
}

int cs_queue_run_order(struct cs_queue_run *r, struct cs_error *err)
{
    const struct cs_sched_urgency *priority = r->op->priority;

    r->tier = CS_NEW_ARRAY(r->arena, int, r->site->partitions);
    for (int p = 0; p < r->site->partitions; p++)
        for (int other = 0; other < r->site->partitions; other++) {
            bool again = false;

            for (int before = 0; before < other; before++)
                again |= r->site->partition[before].tier == r->site->partition[other].tier;
            r->tier[p] += !again && r->site->partition[other].tier > r->site->partition[p].tier;
        }
    if (priority->key)
        return 0;
    if (priority->multifactor) {
        cs_sched_fairshare_init(&r->fairshare, r->site, r->op->multifactor, r->arena);
        return 0;
    }
    r->batch = cs_sched_priority_find(priority->name, err);
    return r->batch ? 0 : -1;
}

static struct cs_sched_place place_in_batch(const struct cs_queue_run *r,
                                            const struct cs_queue_history *history)
{
    const struct cs_sched_priority *priority = r->batch;
    int procs = (int)history->job.procs, machine = (int)r->site->procs;
    const struct cs_sched_jobs one = {1, machine, r->op->verification, &history->estimate, &procs};
    int index = priority->per_scenario ? (int)(history->number % INT_MAX) : 0;
    bool late = priority->first_class && !priority->first_class(&one, 0);
    double key = (late ? priority->rest_key : priority->key)(&one, index, &r->op->draw);

    return (struct cs_sched_place){.key = priority->descending ? -key : key, .late = late};
}

static double key_of(const struct cs_queue_run *r, const struct cs_queue_history *history)
{
    double since = history->job.submit - r->in.origin;
    const struct cs_sched_urgent job = {
        .r = history->estimate,
        .q = (double)history->job.procs,
        .w = r->now - history->job.submit,
        .a = since > 1 ? since : 1,
        .arrival = history->job.submit,
    };

    return r->op->priority->key(&job);
}

struct cs_sched_place cs_queue_run_place(const struct cs_queue_run *r, int ticket)
{
    const struct cs_queue_history *history = &r->kept[ticket].history;
    struct cs_sched_place place = {0};

    if (r->batch)
        place = place_in_batch(r, history);
    else if (r->op->priority->multifactor)
        place.key = -cs_sched_fairshare_priority(&r->fairshare, &history->job, r->now);
    else
        place.key = key_of(r, history);
    place.late += 2 * r->tier[history->job.partition];
    place.number = history->number;
    return place;
}

void cs_queue_run_order_again(struct cs_queue_run *r)
{
    if (!r->waits)
        return;
    if (r->op->priority->multifactor)
        cs_sched_fairshare_advance(&r->fairshare, r->now);
    for (int k = 0; k < r->waits; k++)
        r->place[r->waiting[k]] = cs_queue_run_place(r, r->waiting[k]);
}

/* Where units are cores of no node in particular there is nothing to name; where pools are nodes
 * they have numbers. */
void cs_queue_run_names(struct cs_queue_run *r)
{
    if (!r->op->sets || r->site->kind == CS_SITE_POOLED || r->site->kind == CS_SITE_PACKED)
        return;
    r->names = CS_NEW_ARRAY(r->arena, struct cs_blocks, r->site->pools);
    for (int p = 0; p < r->site->pools; p++)
        cs_blocks_init(&r->names[p], (int)r->site->pool[p].capacity[0], r->arena);
}

static void put_interval(struct cs_queue_run *r, struct cs_queue_holder *c, int first, int last)
{
    struct cs_queue_history *history = &c->history;
    int at = history->intervals;

    if (at > 0 && c->interval[at - 1].last + 1 == first) {
        c->interval[at - 1].last = last;
        return;
    }
    if (at == c->room) {
        c->room = 2 * c->room + 1;
        c->interval =
            cs_arena_grow(r->arena, c->interval, (size_t)at, (size_t)c->room, sizeof *c->interval);
    }
    c->interval[at] = (struct cs_interval){first, last};
    history->intervals++;
}

/* Processors in whole blocks, nodes by the lowest numbers. */
static void take_names(struct cs_queue_run *r, int ticket, int pool, int units,
                       struct cs_blocks_set *set)
{
    const double end = r->dispatcher.end[ticket];

    if (r->site->kind == CS_SITE_NODES)
        cs_blocks_take_lowest(&r->names[pool], units, end, set);
    else
        cs_blocks_take(&r->names[pool], units, end, set);
}

static void take_set(struct cs_queue_run *r, int ticket, int index, int pool, int units)
{
    struct cs_queue_holder *c = &r->kept[ticket];
    int first = (int)r->site->pool[pool].first;
    struct cs_blocks_set *set;

    if (!r->names) {
        put_interval(r, c, first, first);
        return;
    }
    if (index >= c->sets) {
        size_t old = (size_t)c->sets;

        c->sets = 2 * index + 1;
        c->set = cs_arena_grow(r->arena, c->set, old, (size_t)c->sets, sizeof *c->set);
    }
    set = &c->set[index];
    take_names(r, ticket, pool, units, set);
    for (int i = 0; i < set->count; i++)
        put_interval(r, c, first + set->interval[i].first, first + set->interval[i].last);
}

static int by_first(const void *a, const void *b)
{
    const struct cs_interval *x = a, *y = b;

    return (x->first > y->first) - (x->first < y->first);
}

/* Pools of a partition may come in any order; intervals go up. */
static void sort_intervals(struct cs_queue_holder *c)
{
    int kept = 0;

    qsort(c->interval, (size_t)c->history.intervals, sizeof *c->interval, by_first);
    for (int i = 1; i < c->history.intervals; i++)
        if (c->interval[kept].last + 1 == c->interval[i].first)
            c->interval[kept].last = c->interval[i].last;
        else
            c->interval[++kept] = c->interval[i];
    c->history.intervals = kept + 1;
}

/* From the only pool, whose processors are numbered from 0 on; or the only node. */
static void take_of_one(struct cs_queue_run *r, int ticket)
{
    struct cs_queue_holder *c = &r->kept[ticket];

    if (!r->names) {
        take_set(r, ticket, 0, 0, r->procs[ticket]);
        c->history.set = c->interval;
        return;
    }
    take_names(r, ticket, 0, r->procs[ticket], &c->only);
    c->history.intervals = c->only.count;
    c->history.set = c->only.interval;
}

void cs_queue_run_name(struct cs_queue_run *r, int ticket)
{
    struct cs_queue_holder *c = &r->kept[ticket];

    if (c->stays)
        return;
    c->history.intervals = 0;
    if (!r->op->sets || (!r->names && r->site->kind != CS_SITE_PACKED))
        return;
    if (!r->general) {
        take_of_one(r, ticket);
        return;
    }
    for (int h = 0; h < r->in.hold[ticket].count; h++)
        take_set(r, ticket, h, r->in.hold[ticket].taken[h].pool, r->in.hold[ticket].taken[h].units);
    if (c->history.intervals > 1)
        sort_intervals(c);
    c->history.set = c->interval;
}

void cs_queue_run_unname(struct cs_queue_run *r, int ticket)
{
    struct cs_queue_holder *c = &r->kept[ticket];

    if (!r->names)
        return;
    if (!r->general) {
        cs_blocks_release(&r->names[0], &c->only);
        return;
    }
    for (int h = 0; h < r->in.hold[ticket].count; h++)
        cs_blocks_release(&r->names[r->in.hold[ticket].taken[h].pool], &c->set[h]);
}

static void operate_tickets_leave(struct cs_queue_run *r, int ticket)
{
    r->kept[ticket].stays = false;
    cs_queue_run_unname(r, ticket);
}

void cs_queue_run_turn_shelf(struct cs_queue_run *r)
{
    const int before = r->shelf;

    r->shelf = r->dispatcher.policy->shelf(r->dispatcher.state);
    while (r->stays && r->shelf != before)
        operate_tickets_leave(r, r->staying[--r->stays]);
}

void cs_queue_run_leave_shelf(struct cs_queue_run *r)
{
    for (; r->stays; r->stays--)
        if (!cs_heap_contains(&r->ends, r->staying[r->stays - 1]))
            operate_tickets_leave(r, r->staying[r->stays - 1]);
}
