/* sample.c - many runs summed up: ten figures for each measure. */
#include "report/sample.h"

#include "base/stats.h"

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

struct cs_sample cs_sample_make(double *value, int count)
{
    static const double quantiles[] = {0.05, 0.25, 0.5, 0.75, 0.95};
    struct cs_stats stats = {0};
    struct cs_sample made;
    double *figure = made.figure;

    for (int i = 0; i < count; i++)
        cs_stats_add(&stats, value[i]);
    qsort(value, (size_t)count, sizeof *value, compare);
    figure[CS_FIGURE_MEAN] = cs_stats_mean(&stats);
    figure[CS_FIGURE_CONFIDENCE] = cs_stats_confidence(&stats);
    figure[CS_FIGURE_DEVIATION] = cs_stats_deviation(&stats);
    figure[CS_FIGURE_MIN] = value[0];
    for (int q = CS_FIGURE_Q05; q <= CS_FIGURE_Q95; q++)
        figure[q] = cs_stats_quantile_sorted(value, count, quantiles[q - CS_FIGURE_Q05]);
    figure[CS_FIGURE_MAX] = value[count - 1];
    return made;
}

void cs_sample_put(const struct cs_measure *measure, int measures, const struct cs_sample *sample,
                   struct cs_strbuf *out)
{
    static const struct cs_column columns[] = {
        {.key = "measure", .heading = "", .kind = CS_COLUMN_WORD},
        {.key = "mean", .kind = CS_COLUMN_DIGITS, .digits = 6},
        {.key = "± 95 %", .kind = CS_COLUMN_DIGITS, .digits = 2},
        {.key = "deviation", .kind = CS_COLUMN_DIGITS, .digits = 3},
        {.key = "min", .kind = CS_COLUMN_DIGITS, .digits = 5},
        {.key = "5 %", .kind = CS_COLUMN_DIGITS, .digits = 5},
        {.key = "25 %", .kind = CS_COLUMN_DIGITS, .digits = 5},
        {.key = "median", .kind = CS_COLUMN_DIGITS, .digits = 5},
        {.key = "75 %", .kind = CS_COLUMN_DIGITS, .digits = 5},
        {.key = "95 %", .kind = CS_COLUMN_DIGITS, .digits = 5},
        {.key = "max", .kind = CS_COLUMN_DIGITS, .digits = 5},
    };
    struct cs_table *table = cs_table_create(columns, sizeof columns / sizeof *columns);

    for (int m = 0; m < measures; m++) {
        cs_table_text(table, measure[m].name);
        for (int f = 0; f < CS_FIGURES; f++)
            cs_table_number(table, sample[m].figure[f] / measure[m].unit);
    }
    cs_table_write(table, CS_TABLE_TEXT, 0, out);
    cs_table_destroy(table);
}
