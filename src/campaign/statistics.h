/* statistics.h - comparing policies: paired differences, signed ranks, Holm, Friedman, Nemenyi.
 *
 * Inputs are doubles; NaN is a missing value. Same input, same bits.
 */
#ifndef CS_CAMPAIGN_STATISTICS_H
#define CS_CAMPAIGN_STATISTICS_H

#include "base/arena.h"

#include <stdbool.h>

enum cs_rank_method { CS_RANK_NONE = 1, CS_RANK_EXACT, CS_RANK_NORMAL };

/* The other value against the reference, over pairs that have both. With fewer than two pairs only
 * `pairs` and `dropped` are set. Ratios are NaN where a sum of the reference is 0. */
struct cs_pairs {
    int pairs, dropped;
    double reference, mean;              /* means */
    double difference, low, high;        /* other - reference, with Student's interval */
    double ratio, ratio_low, ratio_high; /* of the sums, with the interval of the jackknife */
    int wins, ties, losses;              /* of the other value */
    double w_plus, w_minus, effect;      /* rank sums of positive and of negative differences */
    enum cs_rank_method method;
    double p; /* two-sided, of Wilcoxon's signed ranks */
};

/* Compare y (the other) with x (the reference), n of each. confidence is in ]0, 1[. */
struct cs_pairs cs_statistics_pairs(const double *x, const double *y, int n, bool smaller,
                                    double confidence, struct cs_arena *scratch);

/* Holm's adjustment of n values of p; ties keep the order of the input. */
void cs_statistics_holm(const double *p, int n, double *adjusted, struct cs_arena *scratch);

/* Friedman's test with correction for ties, Iman and Davenport's F, Nemenyi's critical difference.
 * p and p_f are 1 and the statistics 0 where all ranks are equal; F is infinite where all blocks
 * agree. */
struct cs_ranks {
    int blocks, values;
    double *rank; /* average rank of each value, 1 is best */
    double chi2, p, f, p_f, critical_difference;
    int *order; /* values by average rank, ties by index */
    int groups;
    int (*group)[2]; /* first and last place in `order` */
};

/* Row b of the table has `values` (2 or more) finite numbers of block b; blocks is 1 or more.
 * Members of the result are in the arena. */
struct cs_ranks cs_statistics_ranks(const double *table, int blocks, int values, bool smaller,
                                    double confidence, struct cs_arena *arena);

/* The quantile of the range of k standard normal variables, divided by the root of 2 (Nemenyi). */
double cs_statistics_range(int k, double confidence);

#endif
