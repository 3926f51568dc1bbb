/* hats.c - ranks in two orders, and where they fall between knots.
 *
 * Source: piecewise linear prices over the order of tasks (hats.h); measured in bench/README.md,
 * "Packs of many tasks, as measured".
 *
 * Invariants: in each order the weights of a task add up to its least area (scaled to a mean of 1),
 * on two neighbouring knots; a task with a separate row has weight 1 there and 0 elsewhere; equal
 * times are ordered by index. Any prices of the rows give valid prices of the tasks.
 * Complexity: O(n (p + log n)) to create; O(entries) for a price or a sum of one task.
 *
 * constant  value  unit     found by                                    half, double
 * ORDERS        2  orders   by the time on 1 and on all processors      not measured
 */
#include "problems/pack/hats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define ORDERS 2

static void hats_make(struct cs_pack_hats *h, int tasks, int rows, int entries,
                      struct cs_arena *arena)
{
    const size_t count = (size_t)tasks * (size_t)entries;

    *h = (struct cs_pack_hats){.tasks = tasks, .rows = rows, .entries = entries};
    h->row = CS_NEW_ARRAY(arena, int, count);
    h->weight = CS_NEW_ARRAY(arena, double, count);
}

void cs_pack_hats_single(struct cs_pack_hats *h, int tasks, struct cs_arena *arena)
{
    hats_make(h, tasks, tasks, 1, arena);
    h->own = tasks;
    for (int i = 0; i < tasks; i++) {
        h->row[i] = i;
        h->weight[i] = 1;
    }
}

struct ranked {
    double by;
    int task;
};

static int hats_rising(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->by != y->by)
        return x->by < y->by ? -1 : 1;
    return (x->task > y->task) - (x->task < y->task);
}

/* The least share of a pack, in processors or in places, times the cost. */
static double least_area(const struct cs_pack_candidates *c, int i)
{
    double least = INFINITY;

    for (int j = 1; j <= c->procs; j++)
        least = fmin(least, cs_pack_time(c->in, i, j) * fmax((double)j / c->procs, 1.0 / c->limit));
    return least;
}

/* Task i, the r-th of the order, between two of its knots. */
static void hats_place(struct cs_pack_hats *h, int i, int r, int order, int knots, double area)
{
    const double at = h->tasks > 1 ? (double)r / (h->tasks - 1) * (knots - 1) : 0;
    const int knot = at < knots - 2 ? (int)at : knots - 2, e = i * h->entries + 2 * order;

    h->row[e] = order * knots + knot;
    h->row[e + 1] = h->row[e] + 1;
    h->weight[e] = area * (1 - (at - knot));
    h->weight[e + 1] = area * (at - knot);
}

void cs_pack_hats_shared(struct cs_pack_hats *h, const struct cs_pack_candidates *c, int knots,
                         struct cs_arena *arena)
{
    struct ranked *rank = CS_NEW_ARRAY(arena, struct ranked, c->tasks);
    double *area = CS_NEW_ARRAY(arena, double, c->tasks), sum = 0;

    hats_make(h, c->tasks, ORDERS * knots, 2 * ORDERS, arena);
    for (int i = 0; i < c->tasks; i++)
        sum += area[i] = least_area(c, i);
    for (int order = 0; order < ORDERS; order++) {
        for (int i = 0; i < c->tasks; i++)
            rank[i] = (struct ranked){cs_pack_time(c->in, i, order ? c->procs : 1), i};
        qsort(rank, (size_t)c->tasks, sizeof *rank, hats_rising);
        for (int r = 0; r < c->tasks; r++)
            hats_place(h, rank[r].task, r, order, knots, area[rank[r].task] * c->tasks / sum);
    }
}

/* Task i has all of the row, and nothing of another. */
static void give_row(struct cs_pack_hats *h, int i, int row)
{
    for (int e = i * h->entries; e < (i + 1) * h->entries; e++) {
        h->row[e] = row;
        h->weight[e] = 0;
    }
    h->weight[i * h->entries] = 1;
}

void cs_pack_hats_own(struct cs_pack_hats *h, const struct cs_pack_hats *shared,
                      const double *price, int own, struct cs_arena *arena)
{
    struct ranked *rank = CS_NEW_ARRAY(arena, struct ranked, shared->tasks);
    const int entries = shared->tasks * shared->entries;

    hats_make(h, shared->tasks, own + shared->rows, shared->entries, arena);
    h->own = own;
    for (int e = 0; e < entries; e++)
        h->row[e] = own + shared->row[e];
    memcpy(h->weight, shared->weight, (size_t)entries * sizeof *h->weight);
    for (int i = 0; i < h->tasks; i++)
        rank[i] = (struct ranked){-price[i], i};
    qsort(rank, (size_t)h->tasks, sizeof *rank, hats_rising);
    for (int k = 0; k < own; k++)
        give_row(h, rank[k].task, k);
}

void cs_pack_hats_add(const struct cs_pack_hats *h, const int *task, int count, double *sum)
{
    for (int a = 0; a < count; a++) {
        for (int e = task[a] * h->entries; e < (task[a] + 1) * h->entries; e++)
            sum[h->row[e]] += h->weight[e];
    }
}

double cs_pack_hats_price(const struct cs_pack_hats *h, int i, const double *row)
{
    double price = 0;

    for (int e = i * h->entries; e < (i + 1) * h->entries; e++)
        price += h->weight[e] * row[h->row[e]];
    return price;
}
