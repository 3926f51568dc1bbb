/* candidate.c - sorted distinct times, and the table of needs by merging each task's row. */
#include "pack/candidate.h"

#include "base/bug.h"

#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static void collect(struct cs_pack_candidates *c, double least, double most, struct cs_arena *arena)
{
    int count = 0;

    c->cost = CS_NEW_ARRAY(arena, double, (size_t)c->tasks *(size_t)c->procs);
    for (int i = 0; i < c->tasks; i++) {
        for (int j = 1; j <= c->procs; j++) {
            double time = cs_pack_time(c->in, i, j);

            if (time >= least && time <= most && isfinite(time))
                c->cost[count++] = time;
        }
    }
    qsort(c->cost, (size_t)count, sizeof *c->cost, by_value);
    for (int a = 0; a < count; a++) {
        if (!c->count || c->cost[a] != c->cost[c->count - 1])
            c->cost[c->count++] = c->cost[a];
    }
}

static void tabulate(struct cs_pack_candidates *c, struct cs_arena *arena)
{
    size_t tasks = (size_t)c->tasks;

    if (tasks * (size_t)c->count > CS_PACK_NEED_TABLE)
        return;
    c->need = CS_NEW_ARRAY(arena, uint16_t, tasks * (size_t)c->count);
    for (int i = 0; i < c->tasks; i++) {
        int j = c->procs + 1;

        for (int v = 0; v < c->count; v++) {
            while (j > 1 && cs_pack_time(c->in, i, j - 1) <= c->cost[v])
                j--;
            c->need[(size_t)v * tasks + (size_t)i] = (uint16_t)j;
        }
    }
}

void cs_pack_candidates_init(struct cs_pack_candidates *c, const struct cs_pack_instance *in,
                             double most, struct cs_arena *arena)
{
    double least = INFINITY;

    *c = (struct cs_pack_candidates){
        .in = in, .tasks = in->tasks->count, .procs = in->tasks->procs, .limit = in->pack_size};
    CS_REQUIRE(c->procs <= CS_PACK_NEED_MAX);
    for (int i = 0; i < c->tasks; i++)
        least = fmin(least, cs_pack_time(in, i, c->procs));
    collect(c, least, most, arena);
    CS_REQUIRE(c->count > 0);
    tabulate(c, arena);
}

const uint16_t *cs_pack_candidates_need(const struct cs_pack_candidates *c, int v, uint16_t *row)
{
    if (c->need)
        return c->need + (size_t)v * (size_t)c->tasks;
    for (int i = 0; i < c->tasks; i++)
        row[i] = (uint16_t)cs_moldable_need(c->in->tasks, i, c->cost[v]);
    return row;
}

int cs_pack_candidates_find(const struct cs_pack_candidates *c, double cost)
{
    int low = 0, high = c->count;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (c->cost[middle] < cost)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool fits(const struct cs_pack_candidates *c, const int *task, int count, int v)
{
    int load = 0;

    for (int a = 0; a < count; a++) {
        int i = task[a];

        load += c->need ? c->need[(size_t)v * (size_t)c->tasks + (size_t)i]
                        : cs_moldable_need(c->in->tasks, i, c->cost[v]);
        if (load > c->procs)
            return false;
    }
    return true;
}

int cs_pack_candidates_fit(const struct cs_pack_candidates *c, const int *task, int count, int low)
{
    int high = c->count;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (fits(c, task, count, middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
