/* operate_tickets.c - tickets, places and names of processors in the driver of operate.c.
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
#include "problems/queue/operate_run.h"

#include "base/bug.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

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
