/* operate_outages.c - begin, end and announcement of outages in the driver (operate.c).
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
#include "problems/queue/operate_run.h"

#include <math.h>

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

static void cut_attempts(struct cs_queue_run *r, const struct cs_queue_part *part)
{
    int ticket;

    while (cs_queue_pools_lack(&r->pools, part) && (ticket = last_in(r, part->pool)) >= 0)
        cs_queue_run_end(r, ticket, true);
}

static void begin_part(struct cs_queue_run *r, struct cs_queue_part *part)
{
    if (r->pools.outage[part->outage].kind == CS_SITE_DOWN)
        cut_attempts(r, part);
    cs_queue_pools_begin(&r->pools, part);
}

static void operate_outages_over(struct cs_queue_run *r, int outage)
{
    struct cs_queue_pools *p = &r->pools;

    p->phase[outage] = CS_QUEUE_OVER;
    for (int k = 0; k < p->parts; k++)
        if (p->part[k].outage == outage)
            cs_queue_pools_end(p, &p->part[k]);
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
    cs_queue_pools_settle(p, r->now);
}
