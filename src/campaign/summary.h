/* summary.h - the cells of a document summed up over the replicates of each combination of
 * parameters.
 *
 * The cells of a combination stand together, their replicates ascending.  Cells that have not run
 * yet are counted and left out, and so are values that are no finite numbers (a metric that a run
 * has none of).
 */
#ifndef CS_CAMPAIGN_SUMMARY_H
#define CS_CAMPAIGN_SUMMARY_H

#include "campaign/grid.h"
#include "report/sample.h"

/* Cells first .. first + count - 1, of which `done` have run. */
struct cs_summary_group {
    int first, count, done;
};

/* A metric over `n` runs; `none` are the runs done that have no value of it.  Figures are NaN for
 * n = 0, confidence and deviation for n = 1 too. */
struct cs_summary_number {
    int n, none;
    struct cs_sample sample;
};

struct cs_summary {
    int groups, metrics;
    const struct cs_summary_group *group;
    struct cs_arena *arena;
    /* private */
    const struct cs_cell *cell;
    const bool *done;
    const double *value;
    struct cs_summary_number *number;
};

/* Of `count` cells, value[c * metrics + m], of which done[c] have run (NULL: all).  Cells, values
 * and `done` must outlive the summary. */
struct cs_summary *cs_summary_create(const struct cs_cell *cell, int count, const bool *done,
                                     const double *value, int metrics);
void cs_summary_destroy(struct cs_summary *summary); /* NULL is fine */

const struct cs_summary_number *cs_summary_at(const struct cs_summary *summary, int group,
                                              int metric);

/* The metric in a group over that in the group `over`, replicate by replicate: runs that have the
 * same replicate and seed, and finite values with a finite ratio.  A group of one replicate counts
 * for every replicate of the other.  n is the number of ratios, none that of pairs without. */
struct cs_summary_number cs_summary_paired(const struct cs_summary *summary, int group, int over,
                                           int metric);

#endif
