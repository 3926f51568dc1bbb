/* instance.h - rigid jobs on one machine, in the order of their urgency; read only once built.
 *
 * Jobs come in input order (index) and are worked on in rank order: rank 0 is most urgent.
 */
#ifndef CS_RIGID_INSTANCE_H
#define CS_RIGID_INSTANCE_H

#include "base/arena.h"

#include <cosched/rigid.h>

/* The jobs in rank order, with what every simulation of them needs. */
struct cs_rigid_instance {
    const struct cs_rigid_jobs *jobs;
    int count, machine;
    double verification;
    const int *job;        /* job[k]: the job of rank k */
    const double *seconds; /* by rank */
    const int *procs;      /* by rank */
    bool learns;           /* ranks change while jobs run: learn.h */
};

/* order[k] is the job of rank k.  Lives in the arena. */
struct cs_rigid_instance *cs_rigid_instance_create(const struct cs_rigid_jobs *jobs,
                                                   const int *order, struct cs_arena *arena);

/* The end of an attempt that starts at `start`, as the specification rounds it. */
static inline double cs_rigid_end(const struct cs_rigid_instance *in, int rank, double start)
{
    return (start + in->seconds[rank]) + in->verification;
}

#endif
