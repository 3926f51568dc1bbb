/* heap.h - a priority queue of the ids 0..n-1 with keys that may change.
 *
 * The id with the smallest key comes first, among equal keys the smallest id: a total order, so the
 * sequence of pops depends only on the content of the heap. For the largest first, push the negated
 * key. An id is in the heap at most once. A key that is NaN is a bug, as is an id out of range,
 * pushing an id that is in the heap, and querying one that is not.
 *
 * Push, pop, update and remove take O(log n), everything else O(1) - reset too, so that one heap
 * serves every scenario.  Memory belongs to the arena that was given to init.
 */
#ifndef CS_BASE_HEAP_H
#define CS_BASE_HEAP_H

#include "base/arena.h"
#include "base/bug.h"

#include <stdbool.h>

struct cs_heap_entry {
    double key;
    int id;
};

struct cs_heap {
    int count, ids;              /* in the heap; possible at all */
    struct cs_heap_entry *entry; /* [0] is the first */
    int *slot;                   /* where an id was last seen in `entry` */
};

/* An empty heap for the ids 0..ids-1. */
void cs_heap_init(struct cs_heap *heap, int ids, struct cs_arena *arena);

/* Room for more ids, in the arena; what is in the heap stays. */
void cs_heap_grow(struct cs_heap *heap, int ids, struct cs_arena *arena);

/* Empty it again. */
static inline void cs_heap_reset(struct cs_heap *heap)
{
    heap->count = 0;
}

/* Fill it with all ids, key[id] each, in O(n). */
void cs_heap_fill(struct cs_heap *heap, const double *key);

/* Push an id without keeping the order: call cs_heap_order after the last of them, before any other
 * call. Much faster than to push all of them, O(n). */
static inline void cs_heap_append(struct cs_heap *heap, int id, double key)
{
    CS_REQUIRE(heap->count < heap->ids && id >= 0 && id < heap->ids && key == key);
    heap->slot[id] = heap->count;
    heap->entry[heap->count++] = (struct cs_heap_entry){.key = key, .id = id};
}

void cs_heap_order(struct cs_heap *heap);

static inline bool cs_heap_contains(const struct cs_heap *heap, int id)
{
    const int slot = heap->slot[id];

    return slot < heap->count && heap->entry[slot].id == id;
}

static inline double cs_heap_key(const struct cs_heap *heap, int id)
{
    CS_REQUIRE(cs_heap_contains(heap, id));
    return heap->entry[heap->slot[id]].key;
}

/* The first id and its key; the heap is not empty. */
static inline int cs_heap_top(const struct cs_heap *heap)
{
    CS_REQUIRE(heap->count > 0);
    return heap->entry[0].id;
}

static inline double cs_heap_top_key(const struct cs_heap *heap)
{
    CS_REQUIRE(heap->count > 0);
    return heap->entry[0].key;
}

void cs_heap_push(struct cs_heap *heap, int id, double key);
int cs_heap_pop(struct cs_heap *heap); /* the first id, which leaves */
void cs_heap_update(struct cs_heap *heap, int id, double key);
void cs_heap_remove(struct cs_heap *heap, int id);

#endif
