/* slots.c - two flags a slot; the lowest free one is remembered. */
#include "run/slots.h"

#include "base/bug.h"

#include <string.h>

void cs_run_slots_init(struct cs_run_slots *slots, int count, struct cs_arena *arena)
{
    *slots = (struct cs_run_slots){
        .count = count,
        .free = count,
        .up = count,
        .room = count,
        .held = CS_NEW_ARRAY(arena, bool, count),
        .down = CS_NEW_ARRAY(arena, bool, count),
    };
}

static bool is_free(const struct cs_run_slots *slots, int slot)
{
    return !slots->held[slot] && !slots->down[slot];
}

bool cs_run_slots_take(struct cs_run_slots *slots, int count, int *slot)
{
    int taken = 0;

    if (count > slots->free)
        return false;
    for (int s = slots->lowest; taken < count; s++) {
        CS_REQUIRE(s < slots->count);
        if (!is_free(slots, s))
            continue;
        slots->held[s] = true;
        slot[taken++] = s;
        slots->lowest = s + 1;
    }
    slots->free -= count;
    return true;
}

bool cs_run_slots_take_these(struct cs_run_slots *slots, int count, const int *slot)
{
    for (int k = 0; k < count; k++)
        if (slot[k] < 0 || slot[k] >= slots->count || !is_free(slots, slot[k]))
            return false;
    for (int k = 0; k < count; k++)
        slots->held[slot[k]] = true;
    slots->free -= count;
    return true;
}

void cs_run_slots_give(struct cs_run_slots *slots, int count, const int *slot)
{
    for (int k = 0; k < count; k++) {
        CS_REQUIRE(slots->held[slot[k]]);
        slots->held[slot[k]] = false;
        if (slots->down[slot[k]])
            continue;
        slots->free++;
        if (slot[k] < slots->lowest)
            slots->lowest = slot[k];
    }
}

static bool *copy_flags(const bool *flags, int count, int room, struct cs_arena *arena)
{
    bool *copy = CS_NEW_ARRAY(arena, bool, room);

    memcpy(copy, flags, (size_t)count * sizeof *copy);
    return copy;
}

void cs_run_slots_grow(struct cs_run_slots *slots, int count, struct cs_arena *arena)
{
    if (count > slots->room) {
        slots->room = count + slots->count;
        slots->held = copy_flags(slots->held, slots->count, slots->room, arena);
        slots->down = copy_flags(slots->down, slots->count, slots->room, arena);
    }
    for (; slots->count < count; slots->count++)
        slots->down[slots->count] = true;
}

void cs_run_slots_set(struct cs_run_slots *slots, int slot, bool down)
{
    if (slots->down[slot] == down)
        return;
    slots->down[slot] = down;
    slots->up += down ? -1 : 1;
    if (slots->held[slot])
        return;
    slots->free += down ? -1 : 1;
    if (!down && slot < slots->lowest)
        slots->lowest = slot;
}
