/* levels.h - candidate pack costs, and the processors that every task needs to meet them.
 *
 * The cost of a pack is one of the times t(i, j), so searching for plans needs no times, only
 * the sorted distinct candidates cost[0] < cost[1] < ... and need(i, v), the least processors on
 * which task i takes at most cost[v].  A pack is possible at level v if the needs of its tasks
 * add up to the capacity at most; its cost is the first level where it is.
 *
 * Above a limit the candidates are the largest in each cell of a geometric grid: costs are then
 * too high by at most the ratio of two cells, and exact where candidates are sparse.  (A grid of
 * quantiles is far worse: few large packs make up the total.)  Counts of more than 65534
 * processors are held in units of several.  A search on levels ends with Algorithm 1 on the
 * true times.
 */
#ifndef CS_PACK_LEVELS_H
#define CS_PACK_LEVELS_H

#include "base/arena.h"
#include "problems/pack/instance.h"

#define CS_PACK_LEVELS_MAX 16384

struct cs_pack_levels {
    int count;            /* levels */
    int capacity;         /* all processors, in units */
    int unit;             /* processors in one unit of need; mostly 1 */
    bool exact;           /* every useful pack cost is a level, and unit is 1 */
    size_t stride;        /* from the row of one task to the next; at least count */
    const double *cost;   /* count, ascending */
    const uint16_t *need; /* a row of stride for every task; capacity + 1 where it is too slow */
    const uint16_t *zero; /* a row of zeros */
};

/* At most `limit` levels (2 .. CS_PACK_LEVELS_MAX), in the arena.  Covers the cost of every set
 * of at most pack_size tasks that fits on the machine and costs at most `ceiling` (INFINITY: all;
 * never so low that a task alone costs too much). */
struct cs_pack_levels *cs_pack_levels_create(const struct cs_pack_instance *in, int limit,
                                             double ceiling, struct cs_arena *arena);

/* The most that a pack can cost in a plan of this total: the other tasks cost something too. */
double cs_pack_levels_ceiling(const struct cs_pack_instance *in, double total,
                              struct cs_arena *scratch);

/* The most levels, up to `wanted`, for which so many rows of 16 bits a level take 128 megabytes at
 * most; 0 if so few would be left that planning on them makes no sense. */
int cs_pack_levels_affordable(size_t rows, int wanted);

/* The last level with cost[v] < seconds, or -1. */
int cs_pack_levels_below(const struct cs_pack_levels *levels, double seconds);

static inline const uint16_t *cs_pack_levels_need(const struct cs_pack_levels *levels, int task)
{
    return levels->need + (size_t)task * levels->stride;
}

static inline double cs_pack_levels_cost(const struct cs_pack_levels *levels, int level)
{
    return level < 0 ? 0 : levels->cost[level];
}

#endif
