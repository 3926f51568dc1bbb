/* descent.c - moves and swaps until no change of one task helps (LS1).
 *
 * Source: docs/spec/pack.md, Part II 2.2; not in the paper.
 *
 * The start is the better of contiguous and pack-by-pack.  For every task in turn: move it to each
 * other pack (one slot is kept empty, so a new pack is among them), then swap it with each task of
 * each other pack; the first change that lowers the total is made.  It ends after n tasks in a row
 * without a change.
 *
 * Invariants: a change lowers the total by more than a relative 1e-12, so the search ends; no pack
 * has more than pack_size tasks; done[task] later than the stamps of two slots means that every
 * change of that task between them was tried since they changed, so it is not tried again.
 * Complexity: a trial is a binary search, O(log levels); a change that is made costs O(levels). The
 * number of changes has no bound that is known.
 *
 * constant    value  unit    found by              half, double
 * GRID         4096  levels  spec, Part II 2.2     not measured; costs of a grid are off by at most
 *                                                  the ratio of two levels (levels.h)
 * ASK_EVERY      16  tasks   a poll costs little   not measured; changes the reaction time only
 */
#include "problems/pack/descent.h"

#include "problems/pack/contiguous.h"
#include "problems/pack/pack_by_pack.h"

#define ASK_EVERY 16 /* tasks between two questions about patience */
#define GRID 4096    /* levels at most */

/* The changes to try around one task. */
struct scan {
    struct cs_pack_loads *loads;
    int task, from;       /* the task and its slot */
    double gain;          /* of its slot when it leaves */
    double least;         /* a change must lower the total by more */
    const uint16_t *need; /* of the task */
    int *limit;           /* for every slot: the highest level that pays when the task comes */
};

/* Nothing around this task and that slot has changed since all was tried. */
static bool descent_stale(const struct scan *scan, int other)
{
    const struct cs_pack_loads *loads = scan->loads;
    int64_t done = loads->done[scan->task];

    return done > loads->slot[scan->from].changed && done > loads->slot[other].changed;
}

static void descent_change(struct scan *scan, int other)
{
    cs_pack_loads_settle(scan->loads, scan->from);
    cs_pack_loads_settle(scan->loads, other);
}

static bool try_move(struct scan *scan, int other)
{
    struct cs_pack_loads *loads = scan->loads;
    const struct cs_pack_slot *slot = &loads->slot[other];
    int limit = scan->limit[other];

    if (limit < 0 || slot->size == loads->pack_size)
        return false;
    if (slot->load[limit] + scan->need[limit] > (uint32_t)loads->levels->capacity)
        return false;
    cs_pack_loads_move(loads, scan->task, other);
    descent_change(scan, other);
    return true;
}

static bool swap_pays(const struct scan *scan, int other, int partner, double most)
{
    const struct cs_pack_loads *loads = scan->loads;
    const struct cs_pack_levels *levels = loads->levels;
    const uint16_t *need = cs_pack_levels_need(levels, partner);
    int here = cs_pack_loads_fit(levels, loads->slot[scan->from].load, scan->need, need,
                                 loads->without[scan->task] < 0 ? 0 : loads->without[scan->task]);
    int without = loads->without[partner];

    if (here == levels->count || levels->cost[here] + cs_pack_levels_cost(levels, without) >= most)
        return false;

    int there = cs_pack_loads_fit(levels, loads->slot[other].load, need, scan->need,
                                  without < 0 ? 0 : without);

    return there < levels->count && levels->cost[here] + levels->cost[there] < most;
}

static bool try_swaps(struct scan *scan, int other)
{
    struct cs_pack_loads *loads = scan->loads;
    const struct cs_pack_slot *slot = &loads->slot[other];
    int limit = scan->limit[other], from = scan->from;

    if (limit < 0 || slot->size == 0)
        return false;

    double most = cs_pack_loads_cost(loads, from) + cs_pack_loads_cost(loads, other) - scan->least;
    int64_t changed =
        loads->slot[from].changed > slot->changed ? loads->slot[from].changed : slot->changed;
    int64_t over = (int64_t)slot->load[limit] + scan->need[limit] - loads->levels->capacity;

    for (int k = 0; k < slot->size; k++) {
        int partner = slot->member[k];

        if (cs_pack_levels_need(loads->levels, partner)[limit] < over ||
            loads->done[partner] > changed)
            continue;
        if (!swap_pays(scan, other, partner, most))
            continue;
        cs_pack_loads_move(loads, partner, from);
        cs_pack_loads_move(loads, scan->task, other);
        descent_change(scan, other);
        return true;
    }
    return false;
}

static void set_limits(struct scan *scan)
{
    const struct cs_pack_loads *loads = scan->loads;

    for (int b = 0; b < loads->slots; b++)
        if (b == scan->from || descent_stale(scan, b))
            scan->limit[b] = -1;
        else
            scan->limit[b] = cs_pack_levels_below(loads->levels, cs_pack_loads_cost(loads, b) +
                                                                     scan->gain - scan->least);
}

/* Try everything around the task; true when a change was made. */
static bool improve_task(struct cs_pack_loads *loads, int task)
{
    int from = loads->slot_of[task];
    struct scan scan = {
        .loads = loads,
        .task = task,
        .from = from,
        .gain = cs_pack_loads_cost(loads, from) -
                cs_pack_levels_cost(loads->levels, loads->without[task]),
        .least = 1e-12 * loads->total,
        .need = cs_pack_levels_need(loads->levels, task),
        .limit = loads->limit,
    };

    loads->clock++;
    cs_pack_loads_empty_slot(loads);
    set_limits(&scan);
    for (int b = 0; b < loads->slots; b++)
        if (try_move(&scan, b))
            return true;
    for (int b = 0; b < loads->slots; b++)
        if (try_swaps(&scan, b))
            return true;
    loads->done[task] = loads->clock;
    return false;
}

int cs_pack_descent(struct cs_pack_loads *loads, const struct cs_policy_context *context)
{
    int changes = 0, idle = 0;

    for (int64_t turn = 0; idle < loads->tasks; turn++) {
        if (turn % ASK_EVERY == 0 && cs_pack_expired(context))
            break;
        if (improve_task(loads, (int)(turn % loads->tasks))) {
            changes++;
            idle = 0;
        } else {
            idle++;
        }
    }
    return changes;
}

static int descent_levels(const struct cs_pack_instance *in, int packs)
{
    return cs_pack_levels_affordable((size_t)in->tasks->count + 2 * ((size_t)packs + 1), GRID);
}

static void keep_cheaper(struct cs_pack_plan *plan, const struct cs_pack_plan *other)
{
    if (other->total < plan->total)
        cs_pack_plan_copy(plan, other);
}

/* The better start.  Returns the levels that contiguous used, or NULL. */
static const struct cs_pack_levels *descent_start(const struct cs_pack_instance *in,
                                                  const struct cs_policy_context *context,
                                                  int orders, struct cs_pack_plan *plan,
                                                  struct cs_pack_plan *other)
{
    int limit = cs_pack_contiguous_levels(in);
    const struct cs_pack_levels *levels;

    cs_pack_by_pack_best(in, context, CS_PACK_BY_PACK_TRIES, plan);
    if (limit == 0 || cs_pack_expired(context))
        return NULL;
    levels = cs_pack_levels_create(
        in, limit, cs_pack_levels_ceiling(in, plan->total, context->scratch), context->scratch);
    cs_pack_contiguous_best(in, context, levels, orders, other);
    keep_cheaper(plan, other);
    return levels;
}

/* The levels for descent on so many packs: those there are if they are few, or a grid. */
static const struct cs_pack_levels *descent_coarser(const struct cs_pack_instance *in,
                                                    const struct cs_pack_levels *levels,
                                                    const struct cs_pack_plan *plan,
                                                    struct cs_arena *scratch)
{
    int limit = descent_levels(in, plan->packs);

    if (limit == 0 || (levels && levels->count <= limit))
        return limit == 0 ? NULL : levels;
    return cs_pack_levels_create(in, limit, cs_pack_levels_ceiling(in, plan->total, scratch),
                                 scratch);
}

struct cs_pack_loads *cs_pack_descent_plan(const struct cs_pack_instance *in,
                                           const struct cs_policy_context *context, int orders,
                                           struct cs_pack_plan *plan)
{
    struct cs_pack_plan *other = cs_pack_plan_create(in->tasks->count);
    const struct cs_pack_levels *levels = descent_start(in, context, orders, plan, other);
    struct cs_pack_loads *loads = NULL;

    if (!cs_pack_expired(context))
        levels = descent_coarser(in, levels, plan, context->scratch);
    if (levels && !cs_pack_expired(context))
        loads = cs_pack_loads_create(levels, in, plan, context->scratch);
    if (loads) {
        cs_pack_descent(loads, context);
        cs_pack_loads_write(loads, in, other);
        keep_cheaper(plan, other);
    } else if (!cs_pack_expired(context)) {
        cs_pack_plan_note(plan, "search", "too large", 0);
    }
    cs_pack_plan_destroy(other);
    return loads;
}
