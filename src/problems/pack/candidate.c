/* candidate.c - sorted distinct times, and the table of needs by merging the row of each task.
 *
 * Source: docs/spec/pack.md 3.1 (the cost of a pack is one of the times) and Part II 2.2.
 *
 * Invariants: cost[] rises strictly; need[v][i] never rises with v; with `all` every possible cost
 * of a pack up to `most` is a candidate, else each candidate has the least cost and the largest
 * time of its group, so bounds over candidates hold but are lower.
 * Complexity: O(n p log(n p)) to sort, O(n (p + count)) for the table.
 *
 * constant              value  unit     found by            half, double
 * CS_PACK_NEED_MAX      65534  procs    16-bit needs        double: does not fit
 * CS_PACK_NEED_TABLE     2^26  needs    128 MiB of memory   not measured; half: near costs share a
 *                                                           candidate in smaller instances
 */
#include "problems/pack/candidate.h"

#include "base/bug.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* All times within the limits, sorted, each once.  Returns how many. */
static int candidate_collect(const struct cs_pack_candidates *c, double least, double most,
                             double *cost)
{
    int count = 0, kept = 0;

    for (int i = 0; i < c->tasks; i++) {
        for (int j = 1; j <= c->procs; j++) {
            double time = cs_pack_time(c->in, i, j);

            if (time >= least && time <= most && isfinite(time))
                cost[count++] = time;
        }
    }
    qsort(cost, (size_t)count, sizeof *cost, by_value);
    for (int a = 0; a < count; a++) {
        if (!kept || cost[a] != cost[kept - 1])
            cost[kept++] = cost[a];
    }
    return kept;
}

/* Costs up to `ratio` times the first of them share a candidate. */
static void candidate_group(struct cs_pack_candidates *c, const double *cost, int count,
                            double ratio)
{
    for (int a = 0; a < count; a++) {
        if (!c->count || cost[a] > c->cost[c->count - 1] * ratio)
            c->cost[c->count++] = cost[a];
        c->top[c->count - 1] = cost[a];
    }
}

static void candidate_choose(struct cs_pack_candidates *c, const double *cost, int count, int room,
                             struct cs_arena *arena)
{
    const int most = room < count ? room : count;

    c->all = most == count;
    c->cost = CS_NEW_ARRAY(arena, double, most);
    c->top = CS_NEW_ARRAY(arena, double, most);
    candidate_group(c, cost, count, c->all ? 1 : pow(cost[count - 1] / cost[0], 1.0 / (most - 1)));
}

static void candidate_tabulate(struct cs_pack_candidates *c, struct cs_arena *arena)
{
    size_t tasks = (size_t)c->tasks;

    c->need = CS_NEW_ARRAY(arena, uint16_t, tasks * (size_t)c->count);
    for (int i = 0; i < c->tasks; i++) {
        int j = c->procs + 1;

        for (int v = 0; v < c->count; v++) {
            while (j > 1 && cs_pack_time(c->in, i, j - 1) <= c->top[v])
                j--;
            c->need[(size_t)v * tasks + (size_t)i] = (uint16_t)j;
        }
    }
}

void cs_pack_candidates_group(struct cs_pack_candidates *c, const struct cs_pack_instance *in,
                              double most, int room, struct cs_arena *arena)
{
    double least = INFINITY, *cost;
    int count;

    *c = (struct cs_pack_candidates){
        .in = in, .tasks = in->tasks->count, .procs = in->tasks->procs, .limit = in->pack_size};
    CS_REQUIRE(c->procs <= CS_PACK_NEED_MAX);
    for (int i = 0; i < c->tasks; i++)
        least = fmin(least, cs_pack_time(in, i, c->procs));
    cost = CS_NEW_ARRAY(arena, double, cs_arena_area((size_t)c->tasks, (size_t)c->procs));
    count = candidate_collect(c, least, most, cost);
    CS_REQUIRE(count > 0);
    candidate_choose(c, cost, count, room, arena);
    candidate_tabulate(c, arena);
}

void cs_pack_candidates_init(struct cs_pack_candidates *c, const struct cs_pack_instance *in,
                             double most, struct cs_arena *arena)
{
    const size_t room = CS_PACK_NEED_TABLE / (size_t)(in->tasks->count + 1);

    cs_pack_candidates_group(c, in, most, room < INT_MAX ? (int)room : INT_MAX, arena);
}

int cs_pack_candidates_find(const struct cs_pack_candidates *c, double cost)
{
    int low = 0, high = c->count;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (c->top[middle] < cost)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool candidate_fits(const struct cs_pack_candidates *c, const int *task, int count, int v)
{
    const uint16_t *need = cs_pack_candidates_need(c, v);
    int load = 0;

    for (int a = 0; a < count; a++) {
        load += need[task[a]];
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

        if (candidate_fits(c, task, count, middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
