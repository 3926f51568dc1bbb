/* bound.h - validate a declared lower bound
 *
 * A bound is rejected if it is negative, above the reached value, or above the provable value: the
 * arguments are those of the problems, computed again and by other methods. Bounds that take too
 * long to prove are noted, not rejected.
 */
#ifndef CS_CHECK_BOUND_H
#define CS_CHECK_BOUND_H

#include "check/report.h"
#include "model/platform.h"

#define CS_CHECK_BOUND_SAME 1e-9 /* relative difference of bounds that count as equal */

/* declared: NaN if not in the file; shown: the provable value, +inf if not computed; reached: the
 * makespan or cost. */
void cs_check_bound(double declared, double shown, double reached, struct cs_check_report *report);

/* The results for a bound with a certificate. */
enum cs_check_shown {
    CS_CHECK_SHOWN = 1,
    CS_CHECK_REFUTED,   /* something ends before it */
    CS_CHECK_NOT_SHOWN, /* neither by the certificate nor without */
    CS_CHECK_SEARCHED,  /* the same, but it is declared as the result of a search */
    CS_CHECK_TOO_LARGE, /* not computed */
};

void cs_check_bound_shown(double declared, enum cs_check_shown shown, double reached,
                          struct cs_check_report *report);

/* Jobs that run one attempt after the other from their submission on, and the area of those that
 * are submitted at or after any moment; for a declared bound above that, the one that follows
 * from jobs which never run side by side, if it is that one or more; +inf for more than 20,000
 * widths.  failures[j]: how often job j failed. */
double cs_check_bound_rigid(const struct cs_rigid_declared *jobs, int count, int procs,
                            const int64_t *failures);

/* Every task between the longest paths before and after it needs a least number of processors, and
 * so a least area; all must fit. */
double cs_check_bound_ptg(const struct cs_ptg_declared *declared,
                          const struct cs_platform *platform);

/* Processors shared freely between tasks that run at the concave hull of their speeds, nothing
 * fails; +inf for machines of more than 20,000 processors. */
double cs_check_bound_malleable(const struct cs_workload *workload, int procs);

/* The earliest end of all iterations in the states that the file has. */
enum cs_check_shown cs_check_bound_volatile(const struct cs_volatile_declared *declared);

/* The least cost of all plans, by all subsets; +inf for more than 16 tasks, or more than a million
 * tasks times processors. */
double cs_check_bound_pack(const struct cs_workload *workload, int procs, int pack_size,
                           bool supplied);

#endif
