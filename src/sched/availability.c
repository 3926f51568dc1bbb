/* availability.c - the availability profile of a machine of pools: a vector of free resources over
 * time.
 *
 * Source: spec/replay.md 2.1 (pools) and 4 (the plan, earliest).
 *
 * Idea: a step function for each pool; a step has the free amount of each resource.  A pool offers
 * a job the least, over the steps of its attempt and over its resources, of free / demand units.
 * A job takes its units from the pools of its partition in their order; the earliest start is now
 * or the first step of one of these pools at which the offers are enough.
 *
 * Invariants:
 * - time[0] of each pool is now, times ascend strictly; the last step lasts forever.
 * - A job takes at most `most` units of a pool, and the hold of a job lists each pool once, in the
 *   order of the partition: the choice depends on nothing else.
 * - give() of a hold restores what take() took; steps that became equal stay (rounds are short).
 * - A job that takes any type of a resource (request->any) holds amounts by type, in the order of
 *   the node's list (share_types); these are fixed when the hold is made.
 *
 * Complexity: fits O(pools (log S + steps of the attempt) resources); earliest the same for each
 * step that is tried, O(S) of one pool in one pass; take O(S) to insert.  There are no tuned
 * constants.
 */
#include "sched/availability.h"

#include "base/bug.h"

#include <limits.h>
#include <math.h>
#include <string.h>

void cs_sched_availability_init(struct cs_sched_availability *space,
                                const struct cs_sched_instance *in, struct cs_arena *arena)
{
    *space = (struct cs_sched_availability){.in = in, .arena = arena, .pools = 1, .resources = 1};
    if (in->site) {
        space->pools = in->site->pools;
        space->resources = in->site->resources;
    }
    space->pool = CS_NEW_ARRAY(arena, struct cs_sched_steps, space->pools);
    space->at = CS_NEW_ARRAY(arena, int, space->pools);
}

static void space_make_room(struct cs_sched_availability *space, struct cs_sched_steps *steps,
                            int count)
{
    size_t width = (size_t)space->resources * sizeof *steps->free, kept = (size_t)steps->count;

    if (count <= steps->room)
        return;
    CS_REQUIRE(count < INT_MAX / 4);
    steps->room = 2 * count + 8;
    steps->time =
        cs_arena_grow(space->arena, steps->time, kept, (size_t)steps->room, sizeof *steps->time);
    steps->free = cs_arena_grow(space->arena, steps->free, kept, (size_t)steps->room, width);
}

static int64_t *free_at(const struct cs_sched_availability *space,
                        const struct cs_sched_steps *steps, int step)
{
    return steps->free + (size_t)step * (size_t)space->resources;
}

/* The first step at `time` or later. */
static int find_step(const struct cs_sched_steps *steps, double time)
{
    int low = 0, high = steps->count;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (steps->time[middle] < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The step that begins at `time`, inserted if missing; not before the first. */
static int step_at(struct cs_sched_availability *space, struct cs_sched_steps *steps, double time)
{
    int at = find_step(steps, time);
    size_t behind = (size_t)(steps->count - at), width = (size_t)space->resources;

    if (at < steps->count && steps->time[at] == time)
        return at;
    space_make_room(space, steps, steps->count + 1);
    memmove(steps->time + at + 1, steps->time + at, behind * sizeof *steps->time);
    memmove(free_at(space, steps, at + 1), free_at(space, steps, at),
            behind * width * sizeof *steps->free);
    steps->time[at] = time;
    memcpy(free_at(space, steps, at), free_at(space, steps, at - 1), width * sizeof *steps->free);
    steps->count++;
    return at;
}

/* The request of a job, with or without a site; without one `own` is filled. */
static const struct cs_sched_request *space_request_of(const struct cs_sched_instance *in,
                                                       int ticket, struct cs_sched_request *own)
{
    if (in->site)
        return &in->request[ticket];
    own->units = in->procs[ticket];
    own->demand[0] = 1;
    own->gres = own->any = false;
    return own;
}

static const int *pools_of(const struct cs_sched_instance *in,
                           const struct cs_sched_request *request, int *count)
{
    static const int only[] = {0};

    *count = in->site ? in->site->partition[request->partition].pools : 1;
    return in->site ? in->site->partition[request->partition].pool : only;
}

static int64_t most_of(const struct cs_sched_instance *in, int pool)
{
    return in->site ? in->site->pool[pool].most : INT_MAX;
}

/* Units that a pool offers at a step, when so many are enough. */
static int64_t offer_at(const struct cs_sched_availability *space,
                        const struct cs_sched_steps *steps, int step,
                        const struct cs_sched_request *request, int64_t most)
{
    const int64_t *free = free_at(space, steps, step);

    for (int r = 0; r < space->resources; r++)
        if (request->demand[r] > 0 && free[r] < most * request->demand[r])
            most = free[r] > 0 ? free[r] / request->demand[r] : 0;
    return most;
}

/* The least that is free of each resource from a step until `end`, at least 0. */
static void find_least(const struct cs_sched_availability *space, int pool, int step, double end,
                       int64_t *least)
{
    const struct cs_sched_steps *steps = &space->pool[pool];

    for (int r = 0; r < space->resources; r++)
        least[r] = INT64_MAX;
    for (; step < steps->count && steps->time[step] < end; step++)
        for (int r = 0; r < space->resources; r++) {
            const int64_t free = free_at(space, steps, step)[r];

            if (free < least[r])
                least[r] = free > 0 ? free : 0;
        }
}

/* Units that a pool offers, when so many are enough, to a job that takes any type. */
static int64_t offer_types(const struct cs_sched_availability *space, const int64_t *least,
                           const struct cs_sched_request *request, int64_t most)
{
    const struct cs_site *site = space->in->site;

    for (int d = 0; d < site->demands; d++) {
        int64_t has = d < site->resources ? least[d] : 0;

        if (request->demand[d] <= 0)
            continue;
        for (int r = 2; r < site->resources && d >= site->resources; r++)
            has += site->any[r] == d ? least[r] : 0;
        if (has / request->demand[d] < most)
            most = has / request->demand[d];
    }
    return most;
}

/* So many units of a job that takes any type, in the order of the node's list. */
static void share_types(const struct cs_sched_availability *space, int pool, const int64_t *least,
                        const struct cs_sched_request *request, int64_t units, int64_t *amount)
{
    const struct cs_site *site = space->in->site;
    const struct cs_site_group *group = &site->group[site->pool[pool].group];
    int64_t left[CS_LOG_RESOURCES] = {0};

    for (int d = 0; d < site->demands; d++)
        *(d < site->resources ? &amount[d] : &left[d]) = units * request->demand[d];
    for (int i = 0; i < group->gres; i++) {
        const int r = 2 + group->gres_list[i].kind, d = site->any[r];
        const int64_t some = left[d] < least[r] ? left[d] : least[r];

        if (!d || left[d] <= 0)
            continue;
        amount[r] += some;
        left[d] -= some;
    }
}

static bool may_use(const struct cs_sched_availability *space, int pool,
                    const struct cs_sched_request *request)
{
    const struct cs_site *site = space->in->site;

    for (int d = 2; d < site->demands; d++)
        if (request->demand[d] > 0 && !cs_site_may(site, &site->pool[pool], d, request->demand[d]))
            return false;
    return true;
}

/* Units that a pool offers from a step until `end`. */
static int64_t offer_until(const struct cs_sched_availability *space, int pool, int step,
                           double end, const struct cs_sched_request *request)
{
    const struct cs_sched_steps *steps = &space->pool[pool];
    int64_t most = most_of(space->in, pool);

    if (most > request->units)
        most = request->units;
    if (request->gres && !may_use(space, pool, request))
        return 0;
    if (request->any) {
        int64_t least[CS_LOG_RESOURCES];

        find_least(space, pool, step, end, least);
        return offer_types(space, least, request, most);
    }
    for (; most > 0 && step < steps->count && (steps->time[step] < end); step++)
        most = offer_at(space, steps, step, request, most);
    return most;
}

/* The step that holds at `time`. */
static int step_before(const struct cs_sched_steps *steps, double time)
{
    int at = find_step(steps, time);

    return at < steps->count && steps->time[at] == time ? at : at - 1;
}

static void hold_more(struct cs_sched_availability *space, struct cs_sched_hold *hold, int pool,
                      int units)
{
    if (hold->count == hold->room) {
        hold->room = 2 * hold->room + 1;
        hold->taken = cs_arena_grow(space->arena, hold->taken, (size_t)hold->count,
                                    (size_t)hold->room, sizeof *hold->taken);
    }
    hold->taken[hold->count++] = (struct cs_sched_taken){pool, units};
}

/* The amounts of the last taken, from a step until `end`. */
static void hold_types(struct cs_sched_availability *space, struct cs_sched_hold *hold, int step,
                       double end, const struct cs_sched_request *request)
{
    const struct cs_sched_taken *last = &hold->taken[hold->count - 1];
    const size_t width = (size_t)space->resources;
    int64_t least[CS_LOG_RESOURCES];

    if (hold->amounts < hold->room) {
        hold->amount = cs_arena_grow(space->arena, hold->amount, (size_t)hold->amounts * width,
                                     (size_t)hold->room * width, sizeof *hold->amount);
        hold->amounts = hold->room;
    }
    find_least(space, last->pool, step, end, least);
    share_types(space, last->pool, least, request, last->units,
                hold->amount + (size_t)(hold->count - 1) * width);
}

/* With the steps at `start` in at[]. */
static bool take_offers(struct cs_sched_availability *space, int ticket, double start,
                        const bool *closed, struct cs_sched_hold *hold)
{
    struct cs_sched_request own;
    const struct cs_sched_request *request = space_request_of(space->in, ticket, &own);
    double end = cs_sched_plan_end(space->in, ticket, start);
    int count, left = request->units;
    const int *pool = pools_of(space->in, request, &count);

    hold->count = 0;
    for (int p = 0; p < count && left > 0; p++) {
        int64_t units;

        if (closed && closed[pool[p]])
            continue;
        units = offer_until(space, pool[p], space->at[pool[p]], end, request);
        if (units > left)
            units = left;
        if (units > 0)
            hold_more(space, hold, pool[p], (int)units);
        if (units > 0 && request->any)
            hold_types(space, hold, space->at[pool[p]], end, request);
        left -= (int)units;
    }
    return left == 0;
}

bool cs_sched_availability_fits(struct cs_sched_availability *space, int ticket, double start,
                                const bool *closed, struct cs_sched_hold *hold)
{
    struct cs_sched_request own;
    int count;
    const int *pool = pools_of(space->in, space_request_of(space->in, ticket, &own), &count);

    for (int p = 0; p < count; p++)
        space->at[pool[p]] = step_before(&space->pool[pool[p]], start);
    return take_offers(space, ticket, start, closed, hold);
}

/* In one pool: past the last step with too little before the end of the attempt. */
static double earliest_in_pool(struct cs_sched_availability *space, int ticket, int pool,
                               const struct cs_sched_request *request, struct cs_sched_hold *hold)
{
    const struct cs_sched_steps *steps = &space->pool[pool];
    int from = 0;
    double end = cs_sched_plan_end(space->in, ticket, steps->time[0]);

    for (int step = 0; step < steps->count && steps->time[step] < end; step++) {
        if (offer_at(space, steps, step, request, request->units) == request->units)
            continue;
        from = step + 1;
        if (from < steps->count)
            end = cs_sched_plan_end(space->in, ticket, steps->time[from]);
    }
    if (from == steps->count)
        return INFINITY;
    hold->count = 0;
    hold_more(space, hold, pool, request->units);
    return steps->time[from];
}

/* The next time after which a pool has another step; the steps move on. */
static double next_start(struct cs_sched_availability *space, const int *pool, int count)
{
    double next = INFINITY;

    for (int p = 0; p < count; p++) {
        const struct cs_sched_steps *steps = &space->pool[pool[p]];
        int at = space->at[pool[p]] + 1;

        if (at < steps->count && steps->time[at] < next)
            next = steps->time[at];
    }
    for (int p = 0; p < count; p++) {
        const struct cs_sched_steps *steps = &space->pool[pool[p]];
        int at = space->at[pool[p]] + 1;

        if (at < steps->count && steps->time[at] == next)
            space->at[pool[p]] = at;
    }
    return next;
}

double cs_sched_availability_earliest(struct cs_sched_availability *space, int ticket,
                                      struct cs_sched_hold *hold)
{
    struct cs_sched_request own;
    const struct cs_sched_request *request = space_request_of(space->in, ticket, &own);
    int count;
    const int *pool = pools_of(space->in, request, &count);
    double start = space->pool[pool[0]].time[0];

    if (count == 1 && !request->any && (!request->gres || may_use(space, pool[0], request)) &&
        most_of(space->in, pool[0]) >= request->units)
        return earliest_in_pool(space, ticket, pool[0], request, hold);
    for (int p = 0; p < count; p++)
        space->at[pool[p]] = 0;
    while (start < INFINITY && !take_offers(space, ticket, start, NULL, hold))
        start = next_start(space, pool, count);
    return start;
}

/* More of a pool in [start, end), or less. */
static void space_add(struct cs_sched_availability *space, int pool, double start, double end,
                      const int64_t *amount)
{
    struct cs_sched_steps *steps = &space->pool[pool];
    int from = step_at(space, steps, start);
    int to = end < INFINITY ? step_at(space, steps, end) : steps->count;

    for (int step = from; step < to; step++)
        for (int r = 0; r < space->resources; r++)
            free_at(space, steps, step)[r] += amount[r];
}

static void add_hold(struct cs_sched_availability *space, int ticket,
                     const struct cs_sched_hold *hold, double start, double end, int sign)
{
    int64_t amount[CS_LOG_RESOURCES];

    if (!(start < end))
        return;
    for (int h = 0; h < hold->count; h++) {
        if (space->in->site)
            cs_sched_hold_amounts(space->in->site, &space->in->request[ticket], hold, h, amount);
        else
            amount[0] = hold->taken[h].units;
        for (int r = 0; r < space->resources; r++)
            amount[r] *= sign;
        space_add(space, hold->taken[h].pool, start, end, amount);
    }
}

void cs_sched_availability_take(struct cs_sched_availability *space, int ticket,
                                const struct cs_sched_hold *hold, double start, double end)
{
    add_hold(space, ticket, hold, start, end, -1);
}

void cs_sched_availability_give(struct cs_sched_availability *space, int ticket,
                                const struct cs_sched_hold *hold, double start, double end)
{
    add_hold(space, ticket, hold, start, end, 1);
}

/* An attempt that runs gives back at its end, which is no earlier than those before it. */
static void space_append(struct cs_sched_availability *space, int pool, double end,
                         const int64_t *amount)
{
    struct cs_sched_steps *steps = &space->pool[pool];
    int last = steps->count - 1;

    if (steps->time[last] != end) {
        space_make_room(space, steps, steps->count + 1);
        memcpy(free_at(space, steps, last + 1), free_at(space, steps, last),
               (size_t)space->resources * sizeof *steps->free);
        steps->time[++last] = end;
        steps->count++;
    }
    for (int r = 0; r < space->resources; r++)
        free_at(space, steps, last)[r] += amount[r];
}

static void append_attempt(struct cs_sched_availability *space,
                           const struct cs_sched_attempt *attempt)
{
    const struct cs_sched_instance *in = space->in;
    int64_t amount[CS_LOG_RESOURCES] = {attempt->procs};

    if (!in->site) {
        space_append(space, 0, attempt->end, amount);
        return;
    }
    for (int h = 0; h < in->hold[attempt->ticket].count; h++) {
        cs_sched_hold_amounts(in->site, &in->request[attempt->ticket], &in->hold[attempt->ticket],
                              h, amount);
        space_append(space, in->hold[attempt->ticket].taken[h].pool, attempt->end, amount);
    }
}

void cs_sched_availability_begin(struct cs_sched_availability *space,
                                 const struct cs_sched_view *view)
{
    const struct cs_sched_running *running = view->running;

    for (int p = 0; p < space->pools; p++) {
        struct cs_sched_steps *steps = &space->pool[p];

        steps->count = 0;
        space_make_room(space, steps, 2);
        steps->count = 1;
        steps->time[0] = view->now;
        for (int r = 0; r < space->resources; r++)
            steps->free[r] = space->in->site ? view->pool[p][r] : view->free;
    }
    for (int b = running->blocks - 1; b >= 0; b--)
        for (int a = cs_sched_running_count_in(running, b) - 1; a >= 0; a--)
            append_attempt(space, &running->block[b]->attempt[a]);
    for (int c = 0; c < view->changes; c++)
        space_add(space, view->change[c].pool, fmax(view->change[c].time, view->now), INFINITY,
                  view->change[c].delta);
}
