/* candidate.h - the costs that a pack can have, and what each asks of a task.
 *
 * The cost of a pack is the time of one of its tasks on some number of processors, so
 * the distinct times t(i, j) are all the candidates.  A set of tasks fits into a pack
 * of cost T when their needs, the fewest processors on which each takes at most T, add
 * up to at most procs.
 */
#ifndef CS_PACK_CANDIDATE_H
#define CS_PACK_CANDIDATE_H

#include "base/arena.h"
#include "pack/instance.h"

#include <stdint.h>

/* Needs are kept in 16 bits; so many (tasks x costs) are tabulated, beyond they are
 * looked up when asked. */
#define CS_PACK_NEED_MAX 65534
#define CS_PACK_NEED_TABLE ((size_t)1 << 26)

struct cs_pack_candidates {
    const struct cs_pack_instance *in;
    int tasks, procs, limit; /* limit: tasks in a pack */
    int count;
    double *cost;   /* count costs, strictly rising */
    uint16_t *need; /* need[v * tasks + i], procs + 1 where none will do; or NULL */
};

/* The costs from the least time on all processors up to `most` (inclusive), in `arena`.
 * procs is at most CS_PACK_NEED_MAX, and `most` not below the least time. */
void cs_pack_candidates_init(struct cs_pack_candidates *c, const struct cs_pack_instance *in,
                             double most, struct cs_arena *arena);

/* The needs of all tasks at cost v; `row` has room for them and may be what is returned. */
const uint16_t *cs_pack_candidates_need(const struct cs_pack_candidates *c, int v, uint16_t *row);

/* The least index whose cost is at least `cost`; count when there is none. */
int cs_pack_candidates_find(const struct cs_pack_candidates *c, double cost);

/* The least index v >= low at which these tasks fit side by side; count when there is none. */
int cs_pack_candidates_fit(const struct cs_pack_candidates *c, const int *task, int count, int low);

#endif
