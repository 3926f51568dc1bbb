/* heap.c - a binary heap in an array, and the slot of every id.
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

static inline bool heap_before(struct cs_heap_entry a, struct cs_heap_entry b)
{
    return (a.key < b.key) | ((a.key == b.key) & (a.id < b.id));
}

static inline void heap_place(struct cs_heap *heap, int slot, struct cs_heap_entry e)
{
    heap->entry[slot] = e;
    heap->slot[e.id] = slot;
}

static void heap_rise(struct cs_heap *heap, int slot, struct cs_heap_entry e)
{
    while (slot > 0) {
        const int parent = (slot - 1) / 2;

        if (!heap_before(e, heap->entry[parent]))
            break;
        heap_place(heap, slot, heap->entry[parent]);
        slot = parent;
    }
    heap_place(heap, slot, e);
}

static void heap_sink(struct cs_heap *heap, int slot, struct cs_heap_entry e)
{
    const int inner = heap->count / 2;

    while (slot < inner) {
        int child = 2 * slot + 1;

        if (child + 1 < heap->count)
            child += heap_before(heap->entry[child + 1], heap->entry[child]);
        if (!heap_before(heap->entry[child], e))
            break;
        heap_place(heap, slot, heap->entry[child]);
        slot = child;
    }
    heap_place(heap, slot, e);
}

static void heap_settle(struct cs_heap *heap, int slot, struct cs_heap_entry e)
{
    if (slot > 0 && heap_before(e, heap->entry[(slot - 1) / 2]))
        heap_rise(heap, slot, e);
    else
        heap_sink(heap, slot, e);
}

void cs_heap_fill(struct cs_heap *heap, const double *key)
{
    heap->count = heap->ids;
    for (int id = 0; id < heap->ids; id++) {
        CS_REQUIRE(!isnan(key[id]));
        heap_place(heap, id, (struct cs_heap_entry){.key = key[id], .id = id});
    }
    cs_heap_order(heap);
}

void cs_heap_order(struct cs_heap *heap)
{
    for (int slot = heap->count / 2 - 1; slot >= 0; slot--)
        heap_sink(heap, slot, heap->entry[slot]);
}

void cs_heap_push(struct cs_heap *heap, int id, double key)
{
    CS_REQUIRE(id >= 0 && id < heap->ids && !isnan(key));
    CS_REQUIRE(!cs_heap_contains(heap, id));
    heap->count++;
    heap_rise(heap, heap->count - 1, (struct cs_heap_entry){.key = key, .id = id});
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
    heap_settle(heap, heap->slot[id], (struct cs_heap_entry){.key = key, .id = id});
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
        heap_settle(heap, slot, last);
}

void cs_heap_grow(struct cs_heap *heap, int ids, struct cs_arena *arena)
{
    const struct cs_heap old = *heap;

    cs_heap_init(heap, ids, arena);
    for (int i = 0; i < old.count; i++)
        cs_heap_append(heap, old.entry[i].id, old.entry[i].key);
    cs_heap_order(heap);
}
