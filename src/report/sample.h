/* sample.h - many runs summed up: ten figures for each measure.  For programs: sample_rows.h.
 *
 * A measure is something that each run has a value of: its makespan, its failures.  A sample is
 * what one way of running came to for one measure.
 */
#ifndef CS_REPORT_SAMPLE_H
#define CS_REPORT_SAMPLE_H

#include "base/jsonw.h"
#include "report/table.h"

enum cs_figure {
    CS_FIGURE_MEAN,
    CS_FIGURE_CONFIDENCE, /* half the width of the 95 % confidence interval of the mean */
    CS_FIGURE_DEVIATION,
    CS_FIGURE_MIN,
    CS_FIGURE_Q05,
    CS_FIGURE_Q25,
    CS_FIGURE_MEDIAN,
    CS_FIGURE_Q75,
    CS_FIGURE_Q95,
    CS_FIGURE_MAX,
    CS_FIGURES,
};

/* "mean", "confidence95", ...: the word in keys. */
const char *cs_figure_name(enum cs_figure figure);

struct cs_measure {
    const char *key;  /* for programs: "waste" */
    const char *name; /* for people, with the unit: "wasted processor hours" */
    double unit;      /* for people: 3600 when the values are seconds and the name says hours */
};

struct cs_sample {
    double figure[CS_FIGURES];
};

/* The figures of one measure over `count` runs, at least one; sorts the values. */
struct cs_sample cs_sample_make(double *value, int count);

/* For people, sample[m] being that of measure[m]: a row for each measure, a column for each figure.
 */
void cs_sample_put(const struct cs_measure *measure, int measures, const struct cs_sample *sample,
                   struct cs_strbuf *out);

#endif
