/* instance.h - rigid jobs on one machine, in the order of their urgency; read only once built.
 *
 * Jobs come in input order (index) and are worked on in rank order: rank 0 is most urgent.
 */
#ifndef CS_RIGID_INSTANCE_H
#define CS_RIGID_INSTANCE_H

#include "base/arena.h"

#include <cosched/error.h>
#include <stdbool.h>
#include <stdint.h>

/* A set of jobs, all known and available at time 0. */
struct cs_rigid_jobs {
    int count;
    int machine;           /* processors of the machine */
    double verification;   /* seconds added to each attempt, v >= 0 */
    const double *seconds; /* count: error-free time of an attempt, t > 0 */
    const int *procs;      /* count: 1 .. machine */
};

/* Refuse what is not such a set: section 2 of the specification, naming the job. */
int cs_rigid_jobs_check(const struct cs_rigid_jobs *jobs, struct cs_error *err);

/* The mean of seconds * procs, 0 for no job. */
double cs_rigid_mean_area(const struct cs_rigid_jobs *jobs);

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

/* The larger of the longest chain and the area per processor: no schedule of this scenario ends
 * earlier.  failures[j] for every job j; without_verification leaves v out, as the authors do. */
double cs_rigid_lower_bound(const struct cs_rigid_jobs *jobs, const int64_t *failures,
                            int without_verification);

#endif
