/* log_window.c - a ring and a heap of slots. */
#include "io/log_window.h"

#include "base/guard.h"

#include <stdlib.h>

#define FIRST 1024

struct entry {
    double arrival;
    int64_t line;
    long slot;
};

struct cs_log_window {
    long most, room;
    struct cs_log_row *row;
    long *spare, spares;
    struct entry *ring, *heap; /* room for all each */
    long head, ringed, heaped;
};

static void *resized(void *memory, long count, size_t size)
{
    return cs_block_resize(memory, (size_t)count * size);
}

static struct entry *ring_at(const struct cs_log_window *w, long i)
{
    const long at = w->head + i;

    return &w->ring[at < w->room ? at : at - w->room];
}

static void grow(struct cs_log_window *w)
{
    long room = w->room ? 2 * w->room : FIRST;
    struct entry *ring;

    room = room < w->most ? room : w->most;
    ring = resized(NULL, room, sizeof *ring);
    for (long i = 0; i < w->ringed; i++)
        ring[i] = *ring_at(w, i);
    cs_block_free(w->ring);
    w->ring = ring;
    w->head = 0;
    w->heap = resized(w->heap, room, sizeof *w->heap);
    w->row = resized(w->row, room, sizeof *w->row);
    w->spare = resized(w->spare, room, sizeof *w->spare);
    for (long slot = room - 1; slot >= w->room; slot--)
        w->spare[w->spares++] = slot;
    w->room = room;
}

struct cs_log_window *cs_log_window_create(long most)
{
    struct cs_log_window *w = cs_block_zero(1, sizeof *w);

    w->most = most > 1 ? most : 1;
    return w;
}

void cs_log_window_destroy(struct cs_log_window *w)
{
    if (!w)
        return;
    for (long i = 0; i < w->ringed; i++)
        cs_log_label_free(w->row[ring_at(w, i)->slot].label);
    for (long i = 0; i < w->heaped; i++)
        cs_log_label_free(w->row[w->heap[i].slot].label);
    cs_block_free(w->row);
    cs_block_free(w->spare);
    cs_block_free(w->ring);
    cs_block_free(w->heap);
    cs_block_free(w);
}

bool cs_log_window_full(const struct cs_log_window *w)
{
    return w->ringed + w->heaped == w->most;
}

static bool before(const struct entry *a, const struct entry *b)
{
    return a->arrival < b->arrival || (a->arrival == b->arrival && a->line < b->line);
}

static void heap_push(struct cs_log_window *w, struct entry entry)
{
    long at = w->heaped++;

    for (; at > 0 && before(&entry, &w->heap[(at - 1) / 2]); at = (at - 1) / 2)
        w->heap[at] = w->heap[(at - 1) / 2];
    w->heap[at] = entry;
}

static void heap_pop(struct cs_log_window *w)
{
    struct entry last = w->heap[--w->heaped];
    long at = 0;

    for (long child = 1; child < w->heaped; child = 2 * at + 1) {
        child += child + 1 < w->heaped && before(&w->heap[child + 1], &w->heap[child]);
        if (!before(&w->heap[child], &last))
            break;
        w->heap[at] = w->heap[child];
        at = child;
    }
    w->heap[at] = last;
}

void cs_log_window_put(struct cs_log_window *w, const struct cs_log_row *row)
{
    struct entry entry = {row->arrival, row->line, 0};

    if (w->spares == 0)
        grow(w);
    entry.slot = w->spare[--w->spares];
    w->row[entry.slot] = *row;
    if (w->ringed == 0 || !before(&entry, ring_at(w, w->ringed - 1)))
        *ring_at(w, w->ringed++) = entry;
    else
        heap_push(w, entry);
}

static bool heap_is_next(const struct cs_log_window *w)
{
    return w->heaped && (!w->ringed || before(&w->heap[0], ring_at(w, 0)));
}

const struct cs_log_row *cs_log_window_next(const struct cs_log_window *w)
{
    if (heap_is_next(w))
        return &w->row[w->heap[0].slot];
    return w->ringed ? &w->row[ring_at(w, 0)->slot] : NULL;
}

void cs_log_window_take(struct cs_log_window *w, struct cs_log_row *row)
{
    long slot;

    if (heap_is_next(w)) {
        slot = w->heap[0].slot;
        heap_pop(w);
    } else {
        slot = ring_at(w, 0)->slot;
        w->head = w->head + 1 < w->room ? w->head + 1 : 0;
        w->ringed--;
    }
    *row = w->row[slot];
    w->spare[w->spares++] = slot;
}
