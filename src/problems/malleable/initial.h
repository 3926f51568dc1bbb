/* initial.h - Algorithm 1: the schedule at time 0.
 *
 * All tasks start with two processors; the task that is expected to take longest (ties: the lower
 * index) gets the fewest more that make it shorter, until none can be made shorter with what is
 * left.  Optimal among all even allocations for the longest expected time, as if tasks could use
 * any part of their processors (Equation 6), without the processors that bring no gain.
 */
#ifndef CS_MALLEABLE_INITIAL_H
#define CS_MALLEABLE_INITIAL_H

#include "problems/malleable/expected.h"

/* procs[task] and expected[task]; returns the processors that stay idle, the odd last one too. */
int cs_malleable_initial_share(const struct cs_malleable_model *model, int *procs, double *expected,
                               struct cs_arena *scratch);

#endif
