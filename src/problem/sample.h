/* sample.h - statistics of many runs, and their comparison run by run. */
#ifndef CS_PROBLEM_SAMPLE_H
#define CS_PROBLEM_SAMPLE_H

#include "problem/problem.h"

struct cs_sample {
    double figure[CS_FIGURES]; /* all NaN for no values */
};

/* The figures of `count` values; sorts value[]. */
struct cs_sample cs_sample_make(double *value, long count);

/* Compare the runs of a variant with those of the reference, over the runs in which both have a
 * positive main value (cs_study_main): `over` is the geometric mean of the ratio, low and high its
 * 95 % confidence interval, `wins` the share of runs in which it is at most 1. NaN without pairs.
 */
struct cs_pairing {
    long pairs;
    double over, low, high, wins;
};
struct cs_pairing cs_study_compare(const struct cs_study *study, int variant, int reference);

/* The same for another value. */
struct cs_pairing cs_study_compare_by(const struct cs_study *study, const struct cs_value *value,
                                      int variant, int reference);

#endif
