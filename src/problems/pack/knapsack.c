/* knapsack.c - dynamic programming over processors and, where it binds, the count.
 *
 * Source: docs/spec/pack.md, Part II 2.3 (pricing for one cost T).
 *
 * Tasks come by falling worth.  A task is left out when those kept before it with a need no
 * larger already use more processors than its own need leaves, or are `limit` in number: any
 * solution with it can swap it for one of them.  That leaves a fraction of the tasks.
 *
 * Invariants: only tasks of positive worth are in order[]; ties go to the smaller index; without a
 * count the table has two rows used in turn for a value, with one counts + 1.
 * Complexity: O(n) to choose the items, then O(items (procs + 1)), times the limit where it binds;
 * the members need one byte for each cell of the table and item.
 * There is no tuned constant.
 */
#include "problems/pack/knapsack.h"

#include <stdlib.h>
#include <string.h>

void cs_pack_knapsack_init(struct cs_pack_knapsack *k, const struct cs_pack_candidates *c,
                           struct cs_arena *arena)
{
    size_t tasks = (size_t)c->tasks, columns = (size_t)c->procs + 1;
    size_t rows = (size_t)(c->limit < c->tasks ? c->limit : c->tasks) + 1;

    *k = (struct cs_pack_knapsack){.c = c, .arena = arena};
    k->order = CS_NEW_ARRAY(arena, int, tasks);
    k->item = CS_NEW_ARRAY(arena, int, tasks);
    k->size = CS_NEW_ARRAY(arena, int, tasks);
    k->kept = CS_NEW_ARRAY(arena, int, columns);
    k->table = CS_NEW_ARRAY(arena, double, (rows < 2 ? 2 : rows) * columns);
}

struct ranked {
    double worth;
    int task;
};

static int by_worth(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->worth != y->worth)
        return x->worth > y->worth ? -1 : 1;
    return (x->task > y->task) - (x->task < y->task);
}

void cs_pack_knapsack_set(struct cs_pack_knapsack *k, const double *worth)
{
    struct cs_arena_mark mark = cs_arena_mark(k->arena);
    struct ranked *rank = CS_NEW_ARRAY(k->arena, struct ranked, k->c->tasks);

    k->worth = worth;
    k->ordered = 0;
    for (int i = 0; i < k->c->tasks; i++) {
        if (worth[i] > 0)
            rank[k->ordered++] = (struct ranked){worth[i], i};
    }
    qsort(rank, (size_t)k->ordered, sizeof *rank, by_worth);
    for (int a = 0; a < k->ordered; a++)
        k->order[a] = rank[a].task;
    cs_arena_rewind(k->arena, mark);
}

void cs_pack_knapsack_discard(struct cs_pack_knapsack *k)
{
    int left = 0;

    for (int a = 0; a < k->ordered; a++) {
        if (k->worth[k->order[a]] > 0)
            k->order[left++] = k->order[a];
    }
    k->ordered = left;
}

/* Those kept with needs of at most `open` use `used` processors; another of need `open` fits. */
struct room {
    int open, used, members;
};

/* As many sizes close as have to. */
static void close_sizes(const struct cs_pack_knapsack *k, struct room *room)
{
    while (room->open && (room->used + room->open > k->c->procs || room->members >= k->c->limit)) {
        room->used -= room->open * k->kept[room->open];
        room->members -= k->kept[room->open--];
    }
}

static void choose_items(struct cs_pack_knapsack *k, int v)
{
    const uint16_t *need = cs_pack_candidates_need(k->c, v);
    struct room room = {.open = k->c->procs};

    k->items = 0;
    memset(k->kept, 0, ((size_t)k->c->procs + 1) * sizeof *k->kept);
    for (int a = 0; a < k->ordered && room.open; a++) {
        const int size = need[k->order[a]];

        if (size > room.open)
            continue;
        k->item[k->items] = k->order[a];
        k->size[k->items++] = size;
        k->kept[size]++;
        room.used += size;
        room.members++;
        close_sizes(k, &room);
    }
}

/* The largest number of kept items that fit; 0 when it is within the limit. */
static int binding_count(const struct cs_pack_knapsack *k)
{
    int count = 0, room = k->c->procs;

    for (int w = 1; w <= room && count <= k->c->limit; w++) {
        const int fit = room / w, here = k->kept[w] < fit ? k->kept[w] : fit;

        count += here;
        room -= here * w;
    }
    return count > k->c->limit ? k->c->limit : 0;
}

static void knapsack_larger(double *restrict to, const double *restrict stay,
                            const double *restrict take, double worth, int count)
{
    for (int q = 0; q < count; q++) {
        double with = take[q] + worth;

        to[q] = with > stay[q] ? with : stay[q];
    }
}

static void raise_row(double *restrict to, const double *restrict take, double worth, int count)
{
    for (int q = 0; q < count; q++) {
        double with = take[q] + worth;

        to[q] = with > to[q] ? with : to[q];
    }
}

static double value_of_processors(struct cs_pack_knapsack *k)
{
    size_t columns = (size_t)k->c->procs + 1;
    double *now = k->table, *next = k->table + columns;

    memset(now, 0, columns * sizeof *now);
    for (int a = 0; a < k->items; a++) {
        size_t size = (size_t)k->size[a];
        double *swap = now;

        memcpy(next, now, size * sizeof *now);
        knapsack_larger(next + size, now + size, now, k->worth[k->item[a]], (int)(columns - size));
        now = next;
        next = swap;
    }
    return now[columns - 1];
}

static double value_of_counts(struct cs_pack_knapsack *k)
{
    size_t columns = (size_t)k->c->procs + 1;

    memset(k->table, 0, ((size_t)k->counts + 1) * columns * sizeof *k->table);
    for (int a = 0; a < k->items; a++) {
        size_t size = (size_t)k->size[a];
        double worth = k->worth[k->item[a]];

        for (int c = k->counts; c > 0; c--)
            raise_row(k->table + (size_t)c * columns + size, k->table + (size_t)(c - 1) * columns,
                      worth, (int)(columns - size));
    }
    return k->table[((size_t)k->counts + 1) * columns - 1];
}

double cs_pack_knapsack_value(struct cs_pack_knapsack *k, int v)
{
    choose_items(k, v);
    k->counts = binding_count(k);
    return k->counts ? value_of_counts(k) : value_of_processors(k);
}

static void make_taken(struct cs_pack_knapsack *k, size_t size)
{
    if (k->taken_room < size) {
        k->taken_room = size * 2;
        k->taken = CS_NEW_ARRAY(k->arena, uint8_t, k->taken_room);
    }
    if (size)
        memset(k->taken, 0, size);
}

/* One item into the table of `rows` rows, remembering where it was taken.  With one row the
 * count does not matter: the row takes from itself. */
static void mark_item(struct cs_pack_knapsack *k, int a, int rows, uint8_t *taken)
{
    int columns = k->c->procs + 1, size = k->size[a], step = rows > 1 ? columns : 0;
    double worth = k->worth[k->item[a]];

    for (int c = rows - 1; c >= (rows > 1); c--) {
        double *to = k->table + (size_t)c * (size_t)columns;

        for (int q = columns - 1; q >= size; q--) {
            double with = to[q - size - step] + worth;

            if (with > to[q]) {
                to[q] = with;
                taken[c * columns + q] = 1;
            }
        }
    }
}

static int compare_tasks(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int cs_pack_knapsack_members(struct cs_pack_knapsack *k, int v, int *task)
{
    int columns = k->c->procs + 1, rows, count = 0, c, q = columns - 1;
    size_t cells;

    choose_items(k, v);
    rows = binding_count(k) + 1;
    cells = (size_t)rows * (size_t)columns;
    make_taken(k, cells * (size_t)k->items);
    memset(k->table, 0, cells * sizeof *k->table);
    for (int a = 0; a < k->items; a++)
        mark_item(k, a, rows, k->taken + (size_t)a * cells);
    c = rows - 1;
    for (int a = k->items - 1; a >= 0; a--) {
        if (!k->taken[(size_t)a * cells + (size_t)c * (size_t)columns + (size_t)q])
            continue;
        task[count++] = k->item[a];
        q -= k->size[a];
        c -= rows > 1;
    }
    qsort(task, (size_t)count, sizeof *task, compare_tasks);
    return count;
}
