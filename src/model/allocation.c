/* allocation.c - Algorithm 1 by its heap, and by selection in the merge of the rows. */
#include "model/allocation.h"

#include "base/bug.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Everybody gets the minimum.  Returns the processors left, negative when they do not fit. */
static long long start_with_minimum(const struct cs_moldable *m, const int *task, int count,
                                    int *share)
{
    long long left = m->procs;

    for (int a = 0; a < count; a++) {
        share[a] = m->min_procs[task[a]];
        left -= share[a];
    }
    return left;
}

static double longest(const struct cs_moldable *m, const int *task, int count, const int *share)
{
    double cost = 0;

    for (int a = 0; a < count; a++)
        cost = fmax(cost, cs_moldable_time(m, task[a], share[a]));
    return cost;
}

/* One task of a heap: the head has the largest time, ties the lower task index. */
struct entry {
    double time;
    int task, place;
};

static inline bool before(const struct entry *a, const struct entry *b)
{
    return a->time > b->time || (a->time == b->time && a->task < b->task);
}

static void sift_down(struct entry *heap, int count, int at)
{
    struct entry moving = heap[at];

    for (;;) {
        int child = 2 * at + 1;

        if (child >= count)
            break;
        if (child + 1 < count && before(&heap[child + 1], &heap[child]))
            child++;
        if (!before(&heap[child], &moving))
            break;
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moving;
}

double cs_allocation_share_heap(const struct cs_moldable *m, const int *task, int count, int *share,
                                struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    struct entry *heap = CS_NEW_ARRAY(scratch, struct entry, count);
    long long left = start_with_minimum(m, task, count, share);
    double cost;

    if (left < 0 || count == 0) {
        cs_arena_rewind(scratch, mark);
        return count ? INFINITY : 0;
    }
    for (int a = 0; a < count; a++)
        heap[a] = (struct entry){cs_moldable_time(m, task[a], share[a]), task[a], a};
    for (int a = count / 2 - 1; a >= 0; a--)
        sift_down(heap, count, a);
    for (; left > 0; left--) {
        heap->time = cs_moldable_time(m, heap->task, ++share[heap->place]);
        sift_down(heap, count, 0);
    }
    cost = heap->time;
    cs_arena_rewind(scratch, mark);
    return cost;
}

/* Selection.  Row a offers the times on share = low[a], low[a] + 1, ...: the greedy consumes
 * them in the order (time descending, task ascending, processors ascending).  The window
 * low[a] .. high[a] holds the shares that row a may still end with. */
struct rows {
    const struct cs_moldable *m;
    const int *task;
    int count;
    int *low, *high;
};

/* The share of row a once everything before the pivot (time, task, share) is consumed:
 * the first one in the window that is not before it. */
static int share_at(const struct rows *rows, int a, double time, int task, int share)
{
    int low = rows->low[a], high = rows->high[a], row = rows->task[a];

    if (row == task)
        return share;
    while (low < high) {
        int middle = low + (high - low) / 2;
        double t = cs_moldable_time(rows->m, row, middle);

        if (t > time || (t == time && row < task))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The next pivot: the middle of a window, the window drawn with its width as the weight by a
 * fixed mixing function, so that about log(count * procs) rounds are needed. */
static int draw_row(const struct rows *rows, uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u), width = 0;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    for (int a = 0; a < rows->count; a++)
        width += (uint64_t)(rows->high[a] - rows->low[a]);
    if (width == 0)
        return -1;
    z = (z ^ (z >> 31)) % width;
    for (int a = 0;; a++) {
        uint64_t w = (uint64_t)(rows->high[a] - rows->low[a]);

        if (z < w)
            return a;
        z -= w;
    }
}

/* One round: with everything before the pivot consumed, `used` processors beyond the minimum are
 * out.  Just as many as there are: that is the answer.  Too many: no share is larger than now.
 * Too few: none is smaller, and the pivot itself is consumed too. */
static void narrow(struct rows *rows, int pivot, int *now, const int *least, long long left)
{
    int share = rows->low[pivot] + (rows->high[pivot] - rows->low[pivot]) / 2;
    double time = cs_moldable_time(rows->m, rows->task[pivot], share);
    long long used = 0;

    for (int a = 0; a < rows->count; a++) {
        now[a] = share_at(rows, a, time, rows->task[pivot], share);
        used += now[a] - least[a];
    }
    for (int a = 0; a < rows->count; a++) {
        if (used >= left)
            rows->high[a] = now[a];
        if (used == left)
            rows->low[a] = now[a];
        else if (used < left)
            rows->low[a] = now[a] + (a == pivot);
    }
}

static int *copy_of(const int *from, int count, struct cs_arena *scratch)
{
    int *to = CS_NEW_ARRAY(scratch, int, count);

    for (int a = 0; a < count; a++)
        to[a] = from[a];
    return to;
}

double cs_allocation_share_select(const struct cs_moldable *m, const int *task, int count,
                                  int *share, struct cs_arena *scratch)
{
    struct cs_arena_mark mark = cs_arena_mark(scratch);
    long long left = start_with_minimum(m, task, count, share);
    struct rows rows = {.m = m, .task = task, .count = count, .low = share};
    uint64_t state = 0;
    int *now, *least, pivot;

    if (left < 0 || count == 0)
        return count ? INFINITY : 0;
    now = CS_NEW_ARRAY(scratch, int, count);
    least = copy_of(share, count, scratch);
    rows.high = CS_NEW_ARRAY(scratch, int, count);
    for (int a = 0; a < count; a++)
        rows.high[a] = share[a] + (int)left;
    while ((pivot = draw_row(&rows, &state)) >= 0)
        narrow(&rows, pivot, now, least, left);
    cs_arena_rewind(scratch, mark);
    return longest(m, task, count, share);
}

/* A sift of the heap costs about log2(count) comparisons, a round of the selection a bisection in
 * every row: measured, the crossing is near procs = 8 count. */
double cs_allocation_share(const struct cs_moldable *m, const int *task, int count, int *share,
                           struct cs_arena *scratch)
{
    bool many = (long long)m->procs > 8LL * count + 64;

    return (many ? cs_allocation_share_select : cs_allocation_share_heap)(m, task, count, share,
                                                                          scratch);
}
