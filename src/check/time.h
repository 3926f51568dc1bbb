/* time.h - the repaired time of a task, recomputed. */
#ifndef CS_CHECK_TIME_H
#define CS_CHECK_TIME_H

#include <cosched/workload.h>

/* The smallest profile that is at least the running minimum of the raw one, never rises (1) and
 * whose work never falls (2), at `procs` processors: with m(i) the least raw time on up to i,
 *
 *     max(m(procs), max over i <= procs of i m(i) / procs).
 *
 * +inf when the task cannot run. Takes O(entries of the profile) steps, for any procs. */
double cs_check_time(const struct cs_profile *profile, int procs);

/* The same on 1, 2, ... procs processors. */
void cs_check_times(const struct cs_profile *profile, int procs, double *seconds);

/* The count, not rounded, up to which a formula falls and from which on it rises; +inf: none. */
double cs_check_turn(const struct cs_profile *profile);

#endif
