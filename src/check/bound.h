/* bound.h - is a declared lower bound one?
 *
 * A bound is refused when it is negative, above what was reached, or above what can be shown anew:
 * the arguments are those that the problems give, worked out again and in other ways.  What is too
 * long to be shown again is noted, not refused.
 */
#ifndef CS_CHECK_BOUND_H
#define CS_CHECK_BOUND_H

#include "check/report.h"
#include "model/platform.h"

#define CS_CHECK_BOUND_SAME 1e-9 /* relative difference of bounds that count as equal */

/* declared: NaN when the file does not say; shown: what can be shown, +inf when nobody has looked;
 * reached: the makespan or cost. */
void cs_check_bound(double declared, double shown, double reached, struct cs_check_report *report);

/* What can be said of a bound that is judged by a certificate. */
enum cs_check_shown {
    CS_CHECK_SHOWN = 1,
    CS_CHECK_REFUTED,   /* something ends before it */
    CS_CHECK_NOT_SHOWN, /* neither by the certificate nor without */
    CS_CHECK_SEARCHED,  /* the same, but it comes from a search, and says so */
    CS_CHECK_TOO_LARGE, /* nobody has looked */
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
