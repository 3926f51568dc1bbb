/* trap.h - the jobs and failures of Benoit et al. 2021 that are hard for shelves.
 *
 *   shelf       Proposition 3, Figure 1: jobs of 1, 1/2, ..., 1/P seconds, of which the j-th fails
 *               j - 1 times.  Any shelf-based policy takes 1 + 1/2 + ... + 1/P, the optimum is 1.
 *   shelf-fill  Proposition 4, Figure 2: P sets; the i-th has a job of 1/P^(i-1) seconds that fails
 *               P^(i-1) - 1 times, and (P - 1) P^(i-1) slightly longer ones than the next set's.
 *               R-SHELFILL with LPT takes P, the optimum is below 2.
 *
 * All jobs take one processor of P.
 */
#ifndef CS_RIGID_TRAP_H
#define CS_RIGID_TRAP_H

#include "base/arena.h"

#include <cosched/rigid.h>

#define CS_RIGID_TRAP_SHELF_MOST 10000 /* processors */
#define CS_RIGID_TRAP_FILL_MOST 6      /* there are P^P jobs */

struct cs_rigid_trap {
    struct cs_rigid_jobs jobs;
    const int64_t *failures; /* of each job */
};

/* The trap of that name for a machine of so many processors, in the arena.  NULL with err when
 * there is none of that name or that size. */
const struct cs_rigid_trap *cs_rigid_trap_create(const char *name, int procs,
                                                 struct cs_arena *arena, struct cs_error *err);

#endif
