/* sample.h - summaries of many runs: ten figures for each measure. For programs: sample_rows.h.
 *
 * A measure is a metric with a value for each run: its makespan, its failures. A sample has the
 * values of one variant for one measure.
 */
#ifndef CS_REPORT_SAMPLE_H
#define CS_REPORT_SAMPLE_H

#include "base/jsonw.h"
#include "problem/sample.h"
#include "report/table.h"

struct cs_measure {
    const char *key;  /* for programs: "waste" */
    const char *name; /* for people, with the unit: "wasted processor hours" */
    double unit;      /* for people: 3600 if the values are seconds and the name has hours */
};

/* For people, sample[m] being that of measure[m]: a row for each measure, a column for each figure.
 * The caller destroys it. */
struct cs_table *cs_sample_table(const struct cs_measure *measure, int measures,
                                 const struct cs_sample *sample);

#endif
