/* heap.c - a binary heap in an array, with the slot of every id beside it.
 *
 * Slots are not cleared when ids leave: an id is in the heap when its slot is among the first
 * `count` and the entry there names it.  That makes reset a single store.
 */
#include "base/heap.h"

#include <math.h>

void cs_heap_init(struct cs_heap *heap, int ids, struct cs_arena *arena)
{
    CS_REQUIRE(ids >= 0);
    *heap = (struct cs_heap){
        .ids = ids,
        .entry = CS_NEW_ARRAY(arena, struct cs_heap_entry, ids),
        .slot = CS_NEW_ARRAY(arena, int, ids),
    };
}

static inline bool before(struct cs_heap_entry a, struct cs_heap_entry b)
{
    return (a.key < b.key) | ((a.key == b.key) & (a.id < b.id));
}

static inline void place(struct cs_heap *heap, int slot, struct cs_heap_entry e)
{
    heap->entry[slot] = e;
    heap->slot[e.id] = slot;
}

static void rise(struct cs_heap *heap, int slot, struct cs_heap_entry e)
{
    while (slot > 0) {
        const int parent = (slot - 1) / 2;

        if (!before(e, heap->entry[parent]))
            break;
        place(heap, slot, heap->entry[parent]);
        slot = parent;
    }
    place(heap, slot, e);
}

static void sink(struct cs_heap *heap, int slot, struct cs_heap_entry e)
{
    const int inner = heap->count / 2;

    while (slot < inner) {
        int child = 2 * slot + 1;

        if (child + 1 < heap->count)
            child += before(heap->entry[child + 1], heap->entry[child]);
        if (!before(heap->entry[child], e))
            break;
        place(heap, slot, heap->entry[child]);
        slot = child;
    }
    place(heap, slot, e);
}

static void settle(struct cs_heap *heap, int slot, struct cs_heap_entry e)
{
    if (slot > 0 && before(e, heap->entry[(slot - 1) / 2]))
        rise(heap, slot, e);
    else
        sink(heap, slot, e);
}

void cs_heap_fill(struct cs_heap *heap, const double *key)
{
    heap->count = heap->ids;
    for (int id = 0; id < heap->ids; id++) {
        CS_REQUIRE(!isnan(key[id]));
        place(heap, id, (struct cs_heap_entry){.key = key[id], .id = id});
    }
    cs_heap_order(heap);
}

void cs_heap_order(struct cs_heap *heap)
{
    for (int slot = heap->count / 2 - 1; slot >= 0; slot--)
        sink(heap, slot, heap->entry[slot]);
}

void cs_heap_push(struct cs_heap *heap, int id, double key)
{
    CS_REQUIRE(id >= 0 && id < heap->ids && !isnan(key));
    CS_REQUIRE(!cs_heap_contains(heap, id));
    heap->count++;
    rise(heap, heap->count - 1, (struct cs_heap_entry){.key = key, .id = id});
}

int cs_heap_pop(struct cs_heap *heap)
{
    const int first = cs_heap_top(heap);

    cs_heap_remove(heap, first);
    return first;
}

void cs_heap_update(struct cs_heap *heap, int id, double key)
{
    CS_REQUIRE(cs_heap_contains(heap, id) && !isnan(key));
    settle(heap, heap->slot[id], (struct cs_heap_entry){.key = key, .id = id});
}

void cs_heap_remove(struct cs_heap *heap, int id)
{
    struct cs_heap_entry last;
    int slot;

    CS_REQUIRE(cs_heap_contains(heap, id));
    slot = heap->slot[id];
    heap->count--;
    last = heap->entry[heap->count];
    if (slot < heap->count)
        settle(heap, slot, last);
}

void cs_heap_grow(struct cs_heap *heap, int ids, struct cs_arena *arena)
{
    const struct cs_heap old = *heap;

    cs_heap_init(heap, ids, arena);
    for (int i = 0; i < old.count; i++)
        cs_heap_append(heap, old.entry[i].id, old.entry[i].key);
    cs_heap_order(heap);
}
