/* stats.h - statistics of a sample: moments, quantiles, confidence intervals.
 *
 * Adding the same numbers in the same order, or merging the same parts in the same order, gives the
 * same bits. Statistics that need a larger sample are NaN (the mean of an empty sample, the
 * variance of one number). Numbers are finite.
 */
#ifndef CS_BASE_STATS_H
#define CS_BASE_STATS_H

#include "base/arena.h"

#include <stdint.h>

/* Count, mean, spread and extremes in one pass (Welford 1962).  Start with { 0 }. */
struct cs_stats {
    uint64_t count;
    double mean, squares; /* squares: sum of squared distances to the mean */
    double min, max;      /* of what came so far; meaningless for count 0 */
};

void cs_stats_add(struct cs_stats *stats, double value);

double cs_stats_mean(const struct cs_stats *stats);
double cs_stats_variance(const struct cs_stats *stats); /* of the population: n - 1 below */
double cs_stats_deviation(const struct cs_stats *stats);
double cs_stats_min(const struct cs_stats *stats);
double cs_stats_max(const struct cs_stats *stats);

/* Half the width of the 95 % confidence interval of the mean, by Student's t. */
double cs_stats_confidence(const struct cs_stats *stats);

/* The q-quantile, 0 <= q <= 1, of numbers in ascending order: type 7 of R, between the two
 * neighbours of (n - 1) q. */
double cs_stats_quantile_sorted(const double *sorted, int n, double q);

/* The same of numbers in any order, which stay as they are. */
double cs_stats_quantile(const double *value, int n, double q, struct cs_arena *scratch);

/* The t for which a variable of Student's distribution with so many degrees of freedom (> 0) is
 * in [-t, t] with this probability, 0 < probability < 1. */
double cs_stats_student(double probability, uint64_t degrees);

/* The probability that a variable of Fisher's F distribution is above `ratio` >= 0; degrees of
 * freedom (> 0) of the upper and of the lower variance. */
double cs_stats_fisher_above(double ratio, uint64_t upper, uint64_t lower);

#endif
