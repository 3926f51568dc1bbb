/* sample_rows.h - summaries of many runs, a row for each variant, for programs.
 *
 * A row begins with labels and numbers of the variant, followed by a sample of each measure:
 *
 *   CSV    a column for each lead, then ten for each measure: "makespan_mean", ...
 *   JSON   an object a row: the leads, then for each measure an object of its ten figures
 */
#ifndef CS_REPORT_SAMPLE_ROWS_H
#define CS_REPORT_SAMPLE_ROWS_H

#include "base/jsonw.h"
#include "problem/sample.h"
#include "report/table.h"

/* Summaries of many runs: ten figures for each measure. For programs: sample_rows.h.
 *
 * A measure is a metric with a value for each run: its makespan, its failures. A sample has the
 * values of one variant for one measure.
 */
struct cs_measure {
    const char *key;  /* for programs: "waste" */
    const char *name; /* for people, with the unit: "wasted processor hours" */
    double unit;      /* for people: 3600 if the values are seconds and the name has hours */
};

/* For people, sample[m] being that of measure[m]: a row for each measure, a column for each figure.
 * The caller destroys it. */
struct cs_table *cs_sample_table(const struct cs_measure *measure, int measures,
                                 const struct cs_sample *sample);

#define CS_SAMPLE_LEADS 11

struct cs_sample_lead {
    const char *key;
    enum cs_column_kind kind; /* WORD, COUNT or NUMBER */
    bool csv_only;            /* the same in all rows, and stored elsewhere in the JSON */
};

struct cs_sample_cell {
    const char *word; /* in JSON "" is null */
    double number;
};

struct cs_sample_row {
    struct cs_sample_cell lead[CS_SAMPLE_LEADS];
    const struct cs_sample *sample; /* by measure */
};

struct cs_sample_rows {
    const struct cs_sample_lead *lead;
    const struct cs_measure *measure;
    const struct cs_sample_row *row;
    int leads, measures, rows;
};

void cs_sample_rows_csv(const struct cs_sample_rows *rows, struct cs_strbuf *out);

/* As the member "results" of the open object. */
void cs_sample_rows_json(const struct cs_sample_rows *rows, struct cs_jsonw *w);

#endif
