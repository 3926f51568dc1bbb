/* candidate.h - the costs that a pack can have, and the processors that a task needs at each.
 *
 * The cost of a pack is the time of one of its tasks on some number of processors, so
 * the distinct times t(i, j) are all the candidates.  A set of tasks fits into a pack
 * of cost T when their needs, the fewest processors on which each takes at most T, add
 * up to at most procs.
 */
#ifndef CS_PACK_CANDIDATE_H
#define CS_PACK_CANDIDATE_H

#include "base/arena.h"
#include "problems/pack/instance.h"

#include <stdbool.h>
#include <stdint.h>

/* Needs are kept in 16 bits, and so many of them (tasks x costs) at most.  Where there are more
 * costs, near ones share a candidate, with the least of them and the need of a task at the largest:
 * bounds hold, but are that much lower. */
#define CS_PACK_NEED_MAX 65534
#define CS_PACK_NEED_TABLE ((size_t)1 << 26)

struct cs_pack_candidates {
    const struct cs_pack_instance *in;
    int tasks, procs, limit; /* limit: tasks in a pack */
    int count;
    double *cost; /* count costs, strictly rising */
    double *top;  /* the largest that shares it; the cost itself when `all` have their own */
    bool all;
    uint16_t *need; /* need[v * tasks + i] at top[v], procs + 1 where none will do */
};

/* The costs from the least time on all processors up to `most` (inclusive), in `arena`.
 * procs is at most CS_PACK_NEED_MAX, and `most` not below the least time. */
void cs_pack_candidates_init(struct cs_pack_candidates *c, const struct cs_pack_instance *in,
                             double most, struct cs_arena *arena);

/* The same, with at most `room` (two or more) candidates. */
void cs_pack_candidates_group(struct cs_pack_candidates *c, const struct cs_pack_instance *in,
                              double most, int room, struct cs_arena *arena);

/* The needs of all tasks at cost v. */
static inline const uint16_t *cs_pack_candidates_need(const struct cs_pack_candidates *c, int v)
{
    return c->need + (size_t)v * (size_t)c->tasks;
}

/* The least index that has costs of at least `cost`; count if none has. */
int cs_pack_candidates_find(const struct cs_pack_candidates *c, double cost);

/* The least index v >= low at which these tasks fit side by side; count if they fit at none. */
int cs_pack_candidates_fit(const struct cs_pack_candidates *c, const int *task, int count, int low);

#endif
