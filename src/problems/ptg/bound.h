/* bound.h - the longest paths around every task, for bounds and for searches. */
#ifndef CS_PTG_BOUND_H
#define CS_PTG_BOUND_H

#include "base/arena.h"
#include "problems/ptg/instance.h"

/* By number: the longest path before a task, the release included, and after it, with every task
 * as fast as any cluster makes it, transfers not counted.  Returns the longest path of all. */
double cs_ptg_bound_paths(const struct cs_ptg_instance *in, double *head, double *tail,
                          struct cs_arena *scratch);

#endif
