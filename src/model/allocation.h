/* allocation.h - optimal numbers of processors for concurrent tasks.
 *
 * Algorithm 1 of Aupy et al.: every task starts with the fewest processors, then the task that
 * takes longest (ties: the lower index) gets one more until none is left. The greedy consumes the
 * merge of the tasks' rows in the order (time descending, index ascending), so the same answer is a
 * selection in sorted rows: far fewer steps when there are many processors for few tasks.
 */
#ifndef CS_MODEL_ALLOCATION_H
#define CS_MODEL_ALLOCATION_H

#include "base/arena.h"
#include "model/moldable.h"

/* Hand all m->procs processors to the `count` tasks: share[a] for task[a].  Returns the
 * cost, the longest time, or +inf (share: the minimum of each) when the minimum counts do
 * not fit.  count = 0 costs 0.  Uses whichever method below is faster. */
double cs_allocation_share(const struct cs_moldable *m, const int *task, int count, int *share,
                           struct cs_arena *scratch);

/* The same from shares that fit already (each at least the minimum, at most procs in all) and are
 * nearly right: the remaining processors are assigned, then processors move while this follows the
 * order of the greedy. Few steps of O(count) when the start is good; never a different answer. */
double cs_allocation_improve(const struct cs_moldable *m, const int *task, int count, int *share,
                             struct cs_arena *scratch);

/* The two methods, equal to the last bit: O(count + procs log count) steps with a heap, and
 * O(count log(procs) log(count * procs)) expected steps by selection. */
double cs_allocation_share_heap(const struct cs_moldable *m, const int *task, int count, int *share,
                                struct cs_arena *scratch);
double cs_allocation_share_select(const struct cs_moldable *m, const int *task, int count,
                                  int *share, struct cs_arena *scratch);

#endif
