/* pairs.h - the owners of the pairs of processors.
 *
 * Every task holds a list of its pairs, the highest first, chained through `next`; free pairs are
 * bits.  Giving back takes the highest of a task, taking gets the lowest that are free.
 */
#ifndef CS_MALLEABLE_PAIRS_H
#define CS_MALLEABLE_PAIRS_H

#include "base/arena.h"

#include <stdint.h>

struct cs_malleable_pairs {
    int pairs, tasks;
    int *owner;     /* of a pair; -1: free */
    int *head;      /* by task: its highest pair, or -1 */
    int *next;      /* by pair: the next lower one of the same task, or -1 */
    uint64_t *free; /* bits */
    int lowest;     /* words below have no bit */
    int *taken;     /* room */
};

void cs_malleable_pairs_init(struct cs_malleable_pairs *pairs, int count, int tasks,
                             struct cs_arena *arena);

/* Time 0: in task order, task 0 gets the pairs 0, 1, ...; procs[task] is even. */
void cs_malleable_pairs_deal(struct cs_malleable_pairs *pairs, const int *procs);

/* Both of as many pairs and tasks. */
void cs_malleable_pairs_copy(struct cs_malleable_pairs *to, const struct cs_malleable_pairs *from);

void cs_malleable_pairs_take(struct cs_malleable_pairs *pairs, int task, int count);
void cs_malleable_pairs_give(struct cs_malleable_pairs *pairs, int task, int count);

/* The pairs of a task, ascending, into pair[0 .. count - 1]; it has so many. */
void cs_malleable_pairs_list(const struct cs_malleable_pairs *pairs, int task, int count,
                             int *pair);

#endif
