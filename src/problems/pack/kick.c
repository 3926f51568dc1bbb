/* kick.c - leave a local optimum by shuffling some packs, return where that does not help.
 *
 * Source: iterated local search over docs/spec/pack.md, Part II 2.2 and 2.5; bench/README.md,
 * "Packs of many tasks, as measured".
 *
 * A kick swaps random tasks of a few packs; then descent (for up to MANY_TASKS tasks) and pair
 * search improve the plan.  If the total did not fall, the snapshot is restored.  A snapshot holds
 * the slot of every task and the stamps of what has been tried, so that the return costs no new
 * trials.
 *
 * Invariants: the total never rises over a kick; a swap is made only if both packs still fit at the
 * highest level; all draws come from the seed of the context.
 * Complexity: O(n) for a snapshot and O(levels) for each task that moves, then the searches.
 *
 * constant     value  unit   found by              half, double
 * SHUFFLED         3  packs  bench, 1,000 tasks    2 of 6 near in cost: 724,646 s, 3 of 6:
 *                                                  723,130 s (seed 1); 4 of 10: 723,887 s
 * NEAR            10  packs  bench, 1,000 tasks    6: 722,662 s with a fifth of the swaps, 10 with
 *                                                  0.3 and no descent: 722,158 s (seed 1)
 * GENTLE         0.3  share  bench, 1,000 tasks    see NEAR
 * MANY_TASKS     300  tasks  bench                 at 200 tasks no clear gain; double: not measured
 */
#include "base/rng.h"
#include "problems/pack/descent.h"
#include "problems/pack/pair.h"

#include <math.h>
#include <string.h>

#define PURPOSE 1101 /* of the random stream: which packs are shuffled, and how */
#define SHUFFLED 3   /* packs at a time */

/* With many tasks most packs have nothing to give each other: those that are shuffled are near in
 * cost, less is shuffled, and pairs of packs, which include every move and swap, are all that is
 * tried after it. */
#define MANY_TASKS 300
#define NEAR 10    /* packs to draw from */
#define GENTLE 0.3 /* of the swaps */

struct stamp {
    int64_t changed, tried;
};

struct snapshot {
    int slots;
    double total;
    int *slot_of;        /* for every task */
    int64_t *done;       /* for every task */
    struct stamp *stamp; /* for every slot */
    bool *moved;         /* scratch: for every slot */
};

static void snapshot_take(struct snapshot *shot, const struct cs_pack_loads *loads)
{
    size_t n = (size_t)loads->tasks;

    shot->slots = loads->slots;
    shot->total = loads->total;
    memcpy(shot->slot_of, loads->slot_of, n * sizeof *shot->slot_of);
    memcpy(shot->done, loads->done, n * sizeof *shot->done);
    for (int b = 0; b < loads->slots; b++)
        shot->stamp[b] = (struct stamp){loads->slot[b].changed, loads->slot[b].tried};
}

static void settle_moved(struct cs_pack_loads *loads, bool *moved)
{
    for (int b = 0; b < loads->slots; b++)
        if (moved[b])
            cs_pack_loads_settle(loads, b);
    memset(moved, 0, (size_t)loads->slots * sizeof *moved);
}

static void kick_put(struct cs_pack_loads *loads, int task, int to, bool *moved)
{
    int from = loads->slot_of[task];

    if (from == to)
        return;
    moved[from] = moved[to] = true;
    cs_pack_loads_move(loads, task, to);
}

static void snapshot_restore(struct snapshot *shot, struct cs_pack_loads *loads)
{
    for (int i = 0; i < loads->tasks; i++)
        kick_put(loads, i, shot->slot_of[i], shot->moved);
    settle_moved(loads, shot->moved);
    memcpy(loads->done, shot->done, (size_t)loads->tasks * sizeof *shot->done);
    for (int b = 0; b < shot->slots; b++) {
        loads->slot[b].changed = shot->stamp[b].changed;
        loads->slot[b].tried = shot->stamp[b].tried;
    }
    for (int b = shot->slots; b < loads->slots; b++)
        loads->slot[b].tried = 0;
    loads->total = shot->total;
}

static bool is_many(const struct cs_pack_loads *loads)
{
    return loads->tasks > MANY_TASKS;
}

static bool is_among(const int *chosen, int count, int slot)
{
    for (int k = 0; k < count; k++)
        if (chosen[k] == slot)
            return true;
    return false;
}

/* A random slot that holds tasks and is not among those already chosen; there is one. */
static int draw_slot(const struct cs_pack_loads *loads, const int *chosen, int count,
                     struct cs_rng *rng)
{
    for (;;) {
        int slot = loads->slot_of[cs_rng_below(rng, (uint64_t)loads->tasks)];

        if (!is_among(chosen, count, slot))
            return slot;
    }
}

/* One of those nearest in cost to the first chosen; there is one. */
static int draw_near(const struct cs_pack_loads *loads, const int *chosen, int count,
                     struct cs_rng *rng)
{
    double at = cs_pack_loads_cost(loads, chosen[0]), away[NEAR + 1];
    int near[NEAR + 1], found = 0;

    for (int b = 0; b < loads->slots; b++) {
        double far = fabs(cs_pack_loads_cost(loads, b) - at);
        int k = found;

        if (loads->slot[b].size == 0 || is_among(chosen, count, b))
            continue;
        for (; k > 0 && away[k - 1] > far; k--) {
            away[k] = away[k - 1];
            near[k] = near[k - 1];
        }
        away[k] = far;
        near[k] = b;
        found += found < NEAR;
    }
    return near[cs_rng_below(rng, (uint64_t)found)];
}

/* Swap two tasks of different slots if both packs still fit at the highest level. */
static void swap_if_possible(struct cs_pack_loads *loads, int i, int j, bool *moved)
{
    const struct cs_pack_levels *levels = loads->levels;
    int a = loads->slot_of[i], b = loads->slot_of[j], top = levels->count - 1;
    int64_t more =
        (int64_t)cs_pack_levels_need(levels, j)[top] - cs_pack_levels_need(levels, i)[top];

    if (a == b || loads->slot[a].load[top] + more > levels->capacity ||
        loads->slot[b].load[top] - more > levels->capacity)
        return;
    kick_put(loads, i, b, moved);
    kick_put(loads, j, a, moved);
}

static void pack_kick(struct cs_pack_loads *loads, int packs, bool *moved, struct cs_rng *rng)
{
    int chosen[SHUFFLED], count = packs < SHUFFLED ? packs : SHUFFLED, swaps = 0;

    for (int k = 0; k < count; k++) {
        chosen[k] = (k > 0 && is_many(loads) ? draw_near : draw_slot)(loads, chosen, k, rng);
        swaps += loads->slot[chosen[k]].size;
    }
    if (is_many(loads))
        swaps = 1 + (int)(GENTLE * swaps);
    loads->clock++;
    for (; swaps > 0; swaps--) {
        const struct cs_pack_slot *a = &loads->slot[chosen[cs_rng_below(rng, (uint64_t)count)]];
        const struct cs_pack_slot *b = &loads->slot[chosen[cs_rng_below(rng, (uint64_t)count)]];

        int j = b->member[cs_rng_below(rng, (uint64_t)b->size)];
        int i = a->member[cs_rng_below(rng, (uint64_t)a->size)];

        swap_if_possible(loads, i, j, moved);
    }
    settle_moved(loads, moved);
}

static int packs_of(const struct cs_pack_loads *loads)
{
    int packs = 0;

    for (int b = 0; b < loads->slots; b++)
        packs += loads->slot[b].size > 0;
    return packs;
}

int cs_pack_kick_search(struct cs_pack_pair *pair, struct cs_pack_loads *loads,
                        const struct cs_policy_context *context, int kicks)
{
    size_t n = (size_t)loads->tasks;
    struct snapshot shot = {
        .slot_of = CS_NEW_ARRAY(loads->arena, int, n),
        .done = CS_NEW_ARRAY(loads->arena, int64_t, n),
        .stamp = CS_NEW_ARRAY(loads->arena, struct stamp, n + 1),
        .moved = CS_NEW_ARRAY(loads->arena, bool, n + 1),
    };
    struct cs_rng rng;
    int better = 0;

    cs_rng_init(&rng, context->seed, PURPOSE, 0);
    for (int k = 0; k < kicks && packs_of(loads) > 1 && !cs_pack_expired(context); k++) {
        snapshot_take(&shot, loads);
        pack_kick(loads, packs_of(loads), shot.moved, &rng);
        if (!is_many(loads))
            cs_pack_descent(loads, context);
        cs_pack_pair_improve(pair, context);
        if (loads->total < shot.total * (1 - 1e-12))
            better++;
        else
            snapshot_restore(&shot, loads);
    }
    return better;
}
