/* sample.c - ten figures of many runs; ratios of pairs of runs. */
#include "problem/sample.h"

#include "base/stats.h"

#include <math.h>
#include <stdlib.h>

static const char *const names[CS_FIGURES] = {
    [CS_FIGURE_MEAN] = "mean",
    [CS_FIGURE_CONFIDENCE] = "confidence95",
    [CS_FIGURE_DEVIATION] = "deviation",
    [CS_FIGURE_MIN] = "min",
    [CS_FIGURE_Q05] = "q05",
    [CS_FIGURE_Q25] = "q25",
    [CS_FIGURE_MEDIAN] = "median",
    [CS_FIGURE_Q75] = "q75",
    [CS_FIGURE_Q95] = "q95",
    [CS_FIGURE_MAX] = "max",
};

const char *cs_figure_name(enum cs_figure figure)
{
    return names[figure];
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

struct cs_sample cs_sample_make(double *value, long count)
{
    static const double quantiles[] = {0.05, 0.25, 0.5, 0.75, 0.95};
    struct cs_stats stats = {0};
    struct cs_sample made;
    double *figure = made.figure;

    for (int f = 0; f < CS_FIGURES; f++)
        figure[f] = NAN;
    if (!count)
        return made;
    for (long i = 0; i < count; i++)
        cs_stats_add(&stats, value[i]);
    qsort(value, (size_t)count, sizeof *value, compare);
    figure[CS_FIGURE_MEAN] = cs_stats_mean(&stats);
    figure[CS_FIGURE_CONFIDENCE] = cs_stats_confidence(&stats);
    figure[CS_FIGURE_DEVIATION] = cs_stats_deviation(&stats);
    figure[CS_FIGURE_MIN] = value[0];
    for (int q = CS_FIGURE_Q05; q <= CS_FIGURE_Q95; q++)
        figure[q] = cs_stats_quantile_sorted(value, (int)count, quantiles[q - CS_FIGURE_Q05]);
    figure[CS_FIGURE_MAX] = value[count - 1];
    return made;
}

static double sample_value_of(const struct cs_study *study, const struct cs_value *value,
                              int variant, long run)
{
    return value->whole ? value->whole(study, variant)
                        : value->of(study, cs_study_outcome(study, variant, run));
}

struct cs_pairing cs_study_compare(const struct cs_study *study, int variant, int reference)
{
    return cs_study_compare_by(study, cs_study_main(study), variant, reference);
}

struct cs_pairing cs_study_compare_by(const struct cs_study *study, const struct cs_value *value,
                                      int variant, int reference)
{
    struct cs_stats logs = {0};
    struct cs_pairing made = {.over = NAN, .low = NAN, .high = NAN, .wins = NAN};
    long wins = 0;
    double width;

    for (long r = 0; r < study->runs; r++) {
        double a = sample_value_of(study, value, variant, r),
               b = sample_value_of(study, value, reference, r);

        if (!(a > 0 && b > 0))
            continue;
        cs_stats_add(&logs, log(a / b));
        wins += a <= b;
    }
    made.pairs = (long)logs.count;
    if (!made.pairs)
        return made;
    width = cs_stats_confidence(&logs);
    made.over = exp(logs.mean);
    made.low = exp(logs.mean - width);
    made.high = exp(logs.mean + width);
    made.wins = (double)wins / (double)made.pairs;
    return made;
}
