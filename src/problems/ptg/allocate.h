/* allocate.h - how many reference processors each task of a graph gets under a share.
 *
 * SCRAP-MAX and SCRAP (N'takpe, Suter): every task begins with one processor; the task of the
 * critical path that gains most gets one more, until the share (or the size of the clusters) lets
 * none grow any more.  spec/ptg.md 3 has every rule and tie.
 *
 * Exactly: after each step only the critical path is settled.  Bottom levels never grow while tasks
 * get processors, so what is known from earlier is an upper bound; a task is right when its best
 * successor is, and the path is found when no other entry's bound exceeds it.  With the same
 * formula as a computation from scratch the allocation is the same to the last bit.  A step takes
 * about path * arcs of a task.
 *
 * In batches: the tasks of one critical path grow, best gain first, until that path is shorter by
 * the batch factor; then the next path is found.
 */
#ifndef CS_PTG_ALLOCATE_H
#define CS_PTG_ALLOCATE_H

#include "base/arena.h"
#include "problems/ptg/reference.h"

/* procs[task] and bottom[task] for 0 < beta <= 1; the options are in range. */
void cs_ptg_allocate(const struct cs_graph *graph, const struct cs_ptg_reference *reference,
                     const struct cs_ptg_options *options, double beta, int *procs, double *bottom,
                     struct cs_arena *scratch);

#endif
