/* known_time.h - times as given, recomputed from profiles and limits. */
#ifndef CS_CHECK_KNOWN_TIME_H
#define CS_CHECK_KNOWN_TIME_H

#include <cosched/workload.h>
#include <stdbool.h>

/* The known time for exactly that count, regardless of limits; NaN if unknown. */
double cs_check_known_time(const struct cs_profile *profile, long long procs);

/* NULL, or the limit on counts that the count breaks. */
const char *cs_check_broken_limit(const struct cs_task_limit *limit, long long procs);

/* The time on exactly that count; +inf when it is not known, not allowed, or above the walltime. */
double cs_check_allowed_time(const struct cs_workload *workload, int task, int procs);

/* The least time known for an allowed count up to `procs` whose walltime holds; +inf if no count is
 * allowed. */
double cs_check_measured_time(const struct cs_workload *workload, int task, int procs);

/* The least repaired time of an allowed count up to `procs` whose walltime holds; +inf if no count
 * is allowed. */
double cs_check_repaired_time(const struct cs_workload *workload, int task, int procs);

/* cs_check_measured_time, or cs_check_repaired_time. */
double cs_check_pack_time(const struct cs_workload *workload, bool supplied, int task, int procs);

/* Does a run of so many seconds, times the margin, exceed the walltime? */
bool cs_check_over_walltime(const struct cs_task_limit *limit, double seconds);

#endif
