/* loads.c - load vectors: the state of local-search and pair-search.
 *
 * Source: docs/spec/pack.md, Part II 2.2.
 *
 * Invariants: load[v] of a slot is the sum of need[v] of its members and never rises with v;
 * place[] and slot_of[] are inverse to member[]; after cs_pack_loads_settle `total` is the sum of
 * the costs of all slots, and without[i] is the level of the pack of task i without it.
 * Complexity: a move O(levels), a fit O(log levels), a settle O(size log levels).
 */
#include "problems/pack/loads.h"

#include "base/bug.h"

#include <stdlib.h>
#include <string.h>

static void open_slot(struct cs_pack_loads *loads)
{
    struct cs_pack_slot *slot = &loads->slot[loads->slots++];

    slot->level = -1;
    slot->load = CS_NEW_ARRAY(loads->arena, uint32_t, loads->levels->stride);
}

static void loads_put(struct cs_pack_loads *loads, int task, int to)
{
    struct cs_pack_slot *slot = &loads->slot[to];
    const uint16_t *restrict need = cs_pack_levels_need(loads->levels, task);
    uint32_t *restrict load = slot->load;

    if (slot->size == slot->room) {
        int *old = slot->member;

        slot->room = slot->room ? 2 * slot->room : 8;
        slot->member = CS_NEW_ARRAY(loads->arena, int, slot->room);
        if (old)
            memcpy(slot->member, old, (size_t)slot->size * sizeof(*old));
    }
    loads->slot_of[task] = to;
    loads->place[task] = slot->size;
    slot->member[slot->size++] = task;
    for (int v = 0; v < loads->levels->count; v++)
        load[v] += need[v];
}

static void loads_take(struct cs_pack_loads *loads, int task)
{
    struct cs_pack_slot *slot = &loads->slot[loads->slot_of[task]];
    const uint16_t *restrict need = cs_pack_levels_need(loads->levels, task);
    uint32_t *restrict load = slot->load;
    int last = slot->member[--slot->size];

    slot->member[loads->place[task]] = last;
    loads->place[last] = loads->place[task];
    for (int v = 0; v < loads->levels->count; v++)
        load[v] -= need[v];
}

struct cs_pack_loads *cs_pack_loads_create(const struct cs_pack_levels *levels,
                                           const struct cs_pack_instance *in,
                                           const struct cs_pack_plan *plan, struct cs_arena *arena)
{
    struct cs_pack_loads *loads = CS_NEW(arena, struct cs_pack_loads);

    loads->levels = levels;
    loads->arena = arena;
    loads->tasks = in->tasks->count;
    loads->pack_size = in->pack_size;
    loads->slot = CS_NEW_ARRAY(arena, struct cs_pack_slot, loads->tasks + 1);
    loads->slot_of = CS_NEW_ARRAY(arena, int, loads->tasks);
    loads->place = CS_NEW_ARRAY(arena, int, loads->tasks);
    loads->without = CS_NEW_ARRAY(arena, int, loads->tasks);
    loads->done = CS_NEW_ARRAY(arena, int64_t, loads->tasks);
    loads->limit = CS_NEW_ARRAY(arena, int, loads->tasks + 1);
    for (int b = 0; b < plan->packs; b++) {
        open_slot(loads);
        for (int k = plan->first[b]; k < plan->first[b + 1]; k++)
            loads_put(loads, plan->task[k], b);
        if (loads->slot[b].load[levels->count - 1] > (uint32_t)levels->capacity)
            return NULL;
        cs_pack_loads_settle(loads, b);
    }
    open_slot(loads);
    return loads;
}

int cs_pack_loads_fit(const struct cs_pack_levels *levels, const uint32_t *load,
                      const uint16_t *minus, const uint16_t *plus, int from)
{
    uint32_t capacity = (uint32_t)levels->capacity;
    int base = from, length = levels->count - from;

    if (length <= 0)
        return levels->count;
    while (length > 1) {
        int half = length / 2, v = base + half - 1;

        base += load[v] - minus[v] + plus[v] > capacity ? half : 0;
        length -= half;
    }
    return base + (load[base] - minus[base] + plus[base] > capacity);
}

void cs_pack_loads_move(struct cs_pack_loads *loads, int task, int to)
{
    loads_take(loads, task);
    loads_put(loads, task, to);
}

void cs_pack_loads_settle(struct cs_pack_loads *loads, int which)
{
    const struct cs_pack_levels *levels = loads->levels;
    struct cs_pack_slot *slot = &loads->slot[which];

    loads->total -= cs_pack_loads_cost(loads, which);
    slot->changed = loads->clock;
    slot->level = -1;
    if (slot->size > 0)
        slot->level = cs_pack_loads_fit(levels, slot->load, levels->zero, levels->zero, 0);
    if (slot->level == levels->count)
        cs_bug("a pack of %d tasks fits at no level", slot->size);
    loads->total += cs_pack_loads_cost(loads, which);
    for (int k = 0; k < slot->size; k++) {
        int task = slot->member[k];
        const uint16_t *need = cs_pack_levels_need(levels, task);

        loads->without[task] =
            slot->size == 1 ? -1 : cs_pack_loads_fit(levels, slot->load, need, levels->zero, 0);
    }
}

int cs_pack_loads_empty_slot(struct cs_pack_loads *loads)
{
    for (int b = 0; b < loads->slots; b++)
        if (loads->slot[b].size == 0)
            return b;
    open_slot(loads);
    return loads->slots - 1;
}

static int by_index(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;

    return (x > y) - (x < y);
}

void cs_pack_loads_write(const struct cs_pack_loads *loads, const struct cs_pack_instance *in,
                         struct cs_pack_plan *plan)
{
    struct cs_arena_mark mark = cs_arena_mark(loads->arena);
    int *sorted = CS_NEW_ARRAY(loads->arena, int, loads->tasks);

    cs_pack_plan_clear(plan);
    for (int b = 0; b < loads->slots; b++) {
        const struct cs_pack_slot *slot = &loads->slot[b];

        if (slot->size == 0)
            continue;
        memcpy(sorted, slot->member, (size_t)slot->size * sizeof(*sorted));
        qsort(sorted, (size_t)slot->size, sizeof(*sorted), by_index);
        for (int k = 0; k < slot->size; k++)
            cs_pack_plan_add(plan, sorted[k], 1);
        cs_pack_plan_close(plan, cs_pack_loads_cost(loads, b));
    }
    cs_pack_plan_share(in, plan, loads->arena);
    cs_arena_rewind(loads->arena, mark);
}
