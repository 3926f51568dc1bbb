/* pools.c - free resources of each pool, and the outages that take from them.
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
#include "problems/queue/pools.h"

#include <math.h>
#include <string.h>

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
    cs_queue_pools_settle(p, -INFINITY);
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

bool cs_queue_pools_lack(const struct cs_queue_pools *p, const struct cs_queue_part *part)
{
    for
        EVERY(r)
    if (p->free[part->pool][r] < part->count[r])
        return true;
    return false;
}

void cs_queue_pools_begin(struct cs_queue_pools *p, struct cs_queue_part *part)
{
    for
        EVERY(r)
    part->owed[r] = part->count[r];
    pools_pay(p, part->pool);
}

void cs_queue_pools_end(struct cs_queue_pools *p, struct cs_queue_part *part)
{
    for
        EVERY(r)
        {
            p->free[part->pool][r] += part->gone[r];
            part->gone[r] = part->owed[r] = 0;
        }
    pools_pay(p, part->pool);
}

void cs_queue_pools_settle(struct cs_queue_pools *p, double now)
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
