/* allocation.c - Algorithm 1 by its heap, and by selection in the merge of the rows. */
#include "model/allocation.h"

#include "base/bug.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

/* Every task gets the minimum. Returns the processors left, negative when they do not fit. */
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

static inline double allocation_larger(double a, double b)
{
    return a > b ? a : b;
}

static double allocation_longest(const struct cs_moldable *m, const int *task, int count,
                                 const int *share)
{
    double cost = 0;

    for (int a = 0; a < count; a++)
        cost = allocation_larger(cost, cs_moldable_time(m, task[a], share[a]));
    return cost;
}

/* One task of a heap: the head has the largest time, ties the lower task index. */
struct entry {
    double time;
    int task, place;
};

static inline bool allocation_before(const struct entry *a, const struct entry *b)
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
        if (child + 1 < count && allocation_before(&heap[child + 1], &heap[child]))
            child++;
        if (!allocation_before(&heap[child], &moving))
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
static void allocation_narrow(struct rows *rows, int pivot, int *now, const int *least,
                              long long left)
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
        allocation_narrow(&rows, pivot, now, least, left);
    cs_arena_rewind(scratch, mark);
    return allocation_longest(m, task, count, share);
}

/* Two tasks: the most for the one with the lower index such that it was served with its last
 * processor before the other would be. */
static double share_two(const struct cs_moldable *m, const int *task, int *share)
{
    int a = task[0] < task[1] ? 0 : 1, b = 1 - a;
    int low = m->min_procs[task[a]], high = m->procs - m->min_procs[task[b]];

    while (low < high) {
        int middle = low + (high - low + 1) / 2;

        if (cs_moldable_time(m, task[a], middle - 1) >=
            cs_moldable_time(m, task[b], m->procs - middle))
            low = middle;
        else
            high = middle - 1;
    }
    share[a] = low;
    share[b] = m->procs - low;
    return allocation_longest(m, task, 2, share);
}

/* One or two tasks that fit need no search; -1 for more. */
static double share_few(const struct cs_moldable *m, const int *task, int count, int *share)
{
    if (count == 1) {
        share[0] = m->procs;
        return cs_moldable_time(m, task[0], m->procs);
    }
    if (count == 2 && m->min_procs[task[0]] + m->min_procs[task[1]] <= m->procs)
        return share_two(m, task, share);
    return -1;
}

/* A sift of the heap costs about log2(count) comparisons, a round of the selection a bisection in
 * every row: measured, the crossing is near procs = 8 count. */
double cs_allocation_share(const struct cs_moldable *m, const int *task, int count, int *share,
                           struct cs_arena *scratch)
{
    bool many = (long long)m->procs > 8LL * count + 64;
    double cost = share_few(m, task, count, share);

    if (cost >= 0)
        return cost;
    return (many ? cs_allocation_share_select : cs_allocation_share_heap)(m, task, count, share,
                                                                          scratch);
}

/* The task that the greedy would serve next: the longest, ties to the lower index. */
static int next_served(const double *time, const int *task, int count)
{
    double most = time[0];
    int next = -1;

    for (int a = 1; a < count; a++)
        most = time[a] > most ? time[a] : most;
    for (int a = 0; a < count; a++)
        if (time[a] == most && (next < 0 || task[a] < task[next]))
            next = a;
    return next;
}

/* The task whose last processor the greedy would have assigned latest. `last` is the time that the
 * task had before its last processor, +inf when it has the minimum. */
static int last_served(const double *last, const int *task, int count)
{
    double least = last[0];
    int latest = -1;

    for (int a = 1; a < count; a++)
        least = last[a] < least ? last[a] : least;
    for (int a = 0; a < count; a++)
        if (last[a] == least && (latest < 0 || task[a] > task[latest]))
            latest = a;
    return latest;
}

struct shares {
    const struct cs_moldable *m;
    const int *task;
    int *share;
    double *time, *last; /* on share and on share - 1 processors; last is +inf at the minimum */
};

static void set_share(struct shares *s, int a, int share)
{
    int i = s->task[a];

    s->share[a] = share;
    s->time[a] = cs_moldable_time(s->m, i, share);
    s->last[a] = share > s->m->min_procs[i] ? cs_moldable_time(s->m, i, share - 1) : INFINITY;
}

/* All shares grow in proportion, rounded down. Return the remaining processors. */
static long long allocation_spread(int *share, int count, long long left, int procs)
{
    long long used = procs - left;

    if (left < count)
        return left;
    for (int a = 0; a < count; a++)
        share[a] += (int)(share[a] * left / used);
    left = procs;
    for (int a = 0; a < count; a++)
        left -= share[a];
    return left;
}

/* Assign `left` processors, then exchange until the last one given came before the next one. The
 * cost, or -1 when so many steps do not do. */
static double allocation_improve(struct shares *s, int count, long long left, int steps)
{
    for (; steps > 0; steps--) {
        int next = next_served(s->time, s->task, count);

        if (left > 0) {
            left--;
        } else {
            int latest = last_served(s->last, s->task, count);

            if (s->last[latest] > s->time[next] ||
                (s->last[latest] == s->time[next] && s->task[latest] <= s->task[next]))
                return s->time[next];
            set_share(s, latest, s->share[latest] - 1);
        }
        set_share(s, next, s->share[next] + 1);
    }
    return -1;
}

#define IMPROVE_TASKS 64
#define IMPROVE_STEPS 64

double cs_allocation_improve(const struct cs_moldable *m, const int *task, int count, int *share,
                             struct cs_arena *scratch)
{
    double time[IMPROVE_TASKS], last[IMPROVE_TASKS], cost;
    struct shares s = {m, task, share, time, last};
    long long left = m->procs;

    for (int a = 0; a < count; a++)
        left -= share[a];
    if (left < 0 || left > m->procs / 2 || count <= 2 || count > IMPROVE_TASKS)
        return cs_allocation_share(m, task, count, share, scratch);
    left = allocation_spread(share, count, left, m->procs);
    for (int a = 0; a < count; a++)
        set_share(&s, a, share[a]);
    cost = allocation_improve(&s, count, left, IMPROVE_STEPS);
    return cost < 0 ? cs_allocation_share(m, task, count, share, scratch) : cost;
}
