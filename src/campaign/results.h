/* results.h - the values of all cells of a paper, and numbers computed from them. */
#ifndef CS_CAMPAIGN_RESULTS_H
#define CS_CAMPAIGN_RESULTS_H

#include "campaign/grid.h"
#include "campaign/paper.h"

struct cs_results {
    const struct cs_paper *paper;
    uint64_t seed;
    int count, metrics;
    struct cs_cell *cell; /* by panel, series, x, replicate, ascending */
    int *first;           /* the first cell of [panel * nseries + series], -1: not run */
    double *value;        /* value[c * metrics + m]; NaN for what has not run */
    bool *done;           /* one for each cell: has it run */
    double seconds;       /* how long the runs took, from beginning to end */
    struct cs_arena *arena;
};

/* The cells of the paper, which must outlive the results; none of them has run. */
struct cs_results *cs_results_prepare(const struct cs_paper *paper, uint64_t seed);

/* Take what a store has of them.  -1 with err when it cannot be read. */
struct cs_store;
int cs_results_load(struct cs_results *results, struct cs_store *store, struct cs_error *err);

/* Run every cell of the paper, which must outlive the results; NULL with err. */
struct cs_results *cs_results_create(const struct cs_paper *paper, uint64_t seed,
                                     const struct cs_grid_options *options, struct cs_error *err);
void cs_results_destroy(struct cs_results *results); /* NULL is fine */

/* How many cells the paper has. */
int cs_results_cells(const struct cs_paper *paper);

/* A metric of a run, divided by that of the series `over` (-1: none) in the same place: of the
 * same replicate, or of its only one.  NaN when there is none. */
double cs_results_value(const struct cs_results *results, int metric, int over, int panel,
                        int series, int x, int replicate);

/* The mean over the replicates that have a value, and half the width of its 95 % confidence
 * interval (0 for one replicate); NaN when there is none.  Where the paper divides means, those of
 * all replicates. */
struct cs_mean {
    double mean, half_width;
    int count;
};
struct cs_mean cs_results_mean(const struct cs_results *results, int metric, int over, int panel,
                               int series, int x);

/* A number of a table: the statistic of the metric, usually the mean over the axis of the means
 * over the replicates; where there is no value (all runs failed) nothing is counted. */
double cs_results_average(const struct cs_results *results, const struct cs_paper_metric *metric,
                          int panel, int series);

/* The number of a selection; NaN when nothing is selected.  *count (may be NULL) tells of how
 * many values. */
double cs_results_select(const struct cs_results *results, const struct cs_select *select,
                         int *count);

/* Tell what runs warn of (struct cs_metric), such as "in 3 of 90 runs days were left out". */
void cs_results_warnings(const struct cs_results *results,
                         void (*tell)(const char *text, void *who), void *who);

enum cs_verdict { CS_AGREES = 1, CS_PARTLY, CS_DISAGREES, CS_UNCHECKED };

/* Is the relation true of these numbers?  UNCHECKED when a number is missing. */
enum cs_verdict cs_check_verdict(const struct cs_results *results, const struct cs_check *check,
                                 double *value, double *other);

/* PARTLY when some checks agree and others do not; checks without numbers do not count. */
enum cs_verdict cs_claim_verdict(const struct cs_results *results, const struct cs_claim *claim);

/* "agrees", "does not agree", "agrees in part", "not checked". */
const char *cs_verdict_word(enum cs_verdict verdict);

#endif
