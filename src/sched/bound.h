/* bound.h - lower bounds on the makespan of one failure scenario.
 *
 * Dual feasible functions (Fekete and Schepers 2001): if any jobs that fit side by side have
 * sum u(p) <= P, then sum u(p_j) T_j / P is a bound, T_j the total time of job j.  Exclusion: while
 * job i runs, no job wider than P - p_i does, so T_i plus a bound for the wide ones is a bound.
 */
#ifndef CS_SCHED_BOUND_H
#define CS_SCHED_BOUND_H

#include "sched/instance.h"

/* The larger of the longest chain and the area per processor: no schedule of this scenario ends
 * earlier.  failures[j] for every job j; without_verification leaves v out, as the authors do. */
double cs_sched_lower_bound(const struct cs_sched_jobs *jobs, const int64_t *failures,
                            bool without_verification);

/* cs_sched_lower_bound of jobs that have been checked, since every scenario calls it. */
double cs_sched_bound_of(const struct cs_sched_jobs *jobs, const int64_t *failures,
                         double verification);

/* Never less than cs_sched_lower_bound.  O(n^3) for n jobs of distinct widths, about a millisecond
 * for a hundred. */
double cs_sched_bound_strong(const struct cs_sched_jobs *jobs, const int64_t *failures,
                             struct cs_arena *scratch);

#endif
