/* waiting.c - Fenwick's trees that are made anew when they are full. */
#include "rigid/waiting.h"

#include "base/guard.h"

#include <string.h>

static int64_t *resized(int64_t *memory, int64_t count)
{
    return cs_block_resize(memory, (size_t)count * sizeof *memory);
}

static void add(int64_t *sum, int64_t room, int64_t at, int64_t change)
{
    for (at++; at <= room; at += at & -at)
        sum[at] += change;
}

/* Of the first `count`. */
static int64_t total(const int64_t *sum, int64_t count)
{
    int64_t result = 0;

    for (; count > 0; count -= count & -count)
        result += sum[count];
    return result;
}

/* The first of `count` ascending values that is `value` or more. */
static int64_t find(const int64_t *list, int64_t count, int64_t value)
{
    int64_t low = 0, high = count;

    while (low < high) {
        const int64_t middle = (low + high) / 2;

        if (list[middle] < value)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- widths ---- */

static void insert_width(struct cs_rigid_widths *w, int64_t at, int64_t width)
{
    int64_t *each = resized(NULL, w->count + 1);

    for (int i = 0; i < w->count; i++)
        each[i] = total(w->sum, i + 1) - total(w->sum, i);
    if (w->count == w->room) {
        w->room = w->room ? 2 * w->room : 64;
        w->width = resized(w->width, w->room);
        w->sum = resized(w->sum, w->room + 1);
    }
    memmove(w->width + at + 1, w->width + at, (size_t)(w->count - at) * sizeof *w->width);
    w->width[at] = width;
    w->count++;
    memset(w->sum, 0, (size_t)(w->room + 1) * sizeof *w->sum);
    for (int i = 0, old = 0; i < w->count; i++)
        if (i != at)
            add(w->sum, w->room, i, each[old++]);
    cs_block_free(each);
}

void cs_rigid_widths_add(struct cs_rigid_widths *w, int64_t width, int change)
{
    int64_t at = find(w->width, w->count, width);

    if (at == w->count || w->width[at] != width)
        insert_width(w, at, width);
    add(w->sum, w->room, at, change);
}

int64_t cs_rigid_widths_at_most(const struct cs_rigid_widths *w, int64_t width)
{
    return total(w->sum, find(w->width, w->count, width + 1));
}

void cs_rigid_widths_release(struct cs_rigid_widths *w)
{
    cs_block_free(w->width);
    cs_block_free(w->sum);
    *w = (struct cs_rigid_widths){0};
}

/* ---- numbers ---- */

/* Seats for those that are left, and as many more. */
static void seat_anew(struct cs_rigid_numbers *n)
{
    int64_t used = 0;

    for (int64_t i = 0; i < n->used; i++)
        if (total(n->sum, i + 1) > total(n->sum, i))
            n->number[used++] = n->number[i];
    n->used = used;
    if (n->room < 2 * used + 64) {
        n->room = 4 * used + 1024;
        n->number = resized(n->number, n->room);
        n->sum = resized(n->sum, n->room + 1);
    }
    memset(n->sum, 0, (size_t)(n->room + 1) * sizeof *n->sum);
    for (int64_t i = 0; i < used; i++)
        add(n->sum, n->room, i, 1);
}

void cs_rigid_numbers_add(struct cs_rigid_numbers *n, int64_t number)
{
    if (n->used == n->room)
        seat_anew(n);
    n->number[n->used] = number;
    add(n->sum, n->room, n->used++, 1);
    n->count++;
}

void cs_rigid_numbers_remove(struct cs_rigid_numbers *n, int64_t number)
{
    add(n->sum, n->room, find(n->number, n->used, number), -1);
    n->count--;
}

int64_t cs_rigid_numbers_below(const struct cs_rigid_numbers *n, int64_t number)
{
    return n->count ? total(n->sum, find(n->number, n->used, number)) : 0;
}

void cs_rigid_numbers_release(struct cs_rigid_numbers *n)
{
    cs_block_free(n->number);
    cs_block_free(n->sum);
    *n = (struct cs_rigid_numbers){0};
}
