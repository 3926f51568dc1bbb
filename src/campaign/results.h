/* results.h - the values of all cells of an experiment, and numbers computed from them.
 *
 * Cells that have not run yet are left out, and so are values that are no finite numbers (a metric
 * that a run has none of).
 */
#ifndef CS_CAMPAIGN_RESULTS_H
#define CS_CAMPAIGN_RESULTS_H

#include "campaign/experiment.h"
#include "report/sample_rows.h"

struct cs_results {
    const struct cs_experiment *experiment;
    int metrics;    /* of the problem */
    double *value;  /* value[c * metrics + m] of cell c; NaN for what has not run */
    bool *done;     /* one for each cell: has it run */
    double seconds; /* how long the runs took, from beginning to end */
    struct cs_arena *arena;
    int *index, slots;  /* private: combinations by their places */
    int only;           /* private: a number of a seed, from 1, that counts alone; 0: all */
    int parts, without; /* private: replicates without, without + parts, ... do not count */
    const bool *kept;   /* private: of a claim with a condition, the replicates that count */
};

/* Of the experiment, which must outlive the results; none of its cells has run. */
struct cs_results *cs_results_create(const struct cs_experiment *experiment);
void cs_results_destroy(struct cs_results *results); /* NULL is fine */

/* Take what a store has of them.  -1 with err when it cannot be read. */
struct cs_store;
int cs_results_load(struct cs_results *results, struct cs_store *store, struct cs_error *err);

/* Check that the files of cells can be read and are those recorded in the store (or NULL). Only for
 * the cells in `keep` (NULL: all). -1 with err. */
int cs_results_check_files(const struct cs_results *results, const bool *keep,
                           struct cs_store *store, struct cs_error *err);

/* Run the cells in `keep` (NULL: all), sequentially if times are measured; the others have no
 * values then. */
int cs_results_run(struct cs_results *results, const bool *keep,
                   const struct cs_grid_options *options, struct cs_error *err);

/* How many cells of a combination have run; of all for -1. */
int cs_results_done(const struct cs_results *results, int combination);

/* --- places --- */

/* The combination that differs from this one in the value on one axis; -1: none. */
int cs_results_besides(const struct cs_results *results, int combination, int axis, int value);

/* A plot of a figure: combinations that differ in the series and on the x axis only. */
struct cs_panel {
    const char *title;
    int value;        /* on the axis of the panels; 0 without panels */
    int count;        /* values on its x axis, */
    int *x;           /* in its order */
    int *combination; /* of [series * count + i]; -1: not run */
};

/* The panels in the order of the experiment, made in the arena.  An experiment without series or x
 * has one of them. */
const struct cs_panel *cs_results_panels(const struct cs_results *results, struct cs_arena *arena,
                                         int *count);
int cs_results_series(const struct cs_results *results); /* how many */

/* --- numbers --- */

/* A metric over `n` runs; `none` are the runs done that have no value of it.  Figures are NaN for
 * n = 0, confidence and deviation for n = 1 too. */
struct cs_figures {
    int n, none;
    struct cs_sample sample;
};

/* A metric of a combination, over that of the combination `over` (-1: not divided, -2: by one that
 * is not there) replicate by replicate, where n is the number of ratios and none that of pairs
 * without.  A combination of one replicate counts for every replicate of the other.  Where the
 * experiment divides means, mean and confidence are those of the ratio of the means. */
struct cs_figures cs_results_number(const struct cs_results *results, int metric, int over,
                                    int combination);

/* The divisor of a metric over a series (-1: none): -1, -2 or a combination, as above. */
int cs_results_over(const struct cs_results *results, int combination, int series);

/* A metric of one replicate, over that of the same replicate of another combination, or of its only
 * one. NaN if missing. */
double cs_results_value(const struct cs_results *results, int metric, int over, int combination,
                        int replicate);

/* The mean over the replicates that have a value, and half the width of its 95 % confidence
 * interval (0 for one replicate); NaN if there is none with a value. If the experiment divides
 * means, those of all replicates. */
struct cs_mean {
    double mean, half_width;
    int count;
};
struct cs_mean cs_results_mean(const struct cs_results *results, int metric, int over,
                               int combination);

/* A number of a table: the statistic of the metric, usually the mean over the x axis of the means
 * over the replicates; combinations without a value (all runs failed) are not counted. */
double cs_results_average(const struct cs_results *results,
                          const struct cs_experiment_metric *metric, const struct cs_panel *panel,
                          int series);

/* Half the width of the 95 % confidence interval of an average, as that of a check (below). */
double cs_results_average_error(const struct cs_results *results,
                                const struct cs_experiment_metric *metric,
                                const struct cs_panel *panel, int series);

/* The value printed in the paper; NaN: missing. */
double cs_results_reference(const struct cs_results *results,
                            const struct cs_experiment_metric *metric, const struct cs_panel *panel,
                            int series);

/* Report warnings of runs (struct cs_metric), such as "in 3 of 90 runs days were left out". */
void cs_results_warnings(const struct cs_results *results,
                         void (*report)(const char *text, void *who), void *who);

/* --- claims --- */

/* The number of a selection; NaN for an empty selection. */
double cs_results_select(const struct cs_results *results, const struct cs_select *select);

enum cs_finding { CS_AGREES = 1, CS_PARTLY, CS_DISAGREES, CS_OPEN, CS_UNCHECKED };

/* Half the width of the 95 % confidence interval of what ours is above what is wanted: both are
 * found again without each part of the replicates (the delete-a-group jackknife), which keeps pairs
 * together, as replicate r is the same draw everywhere.  0 where there is nothing to leave out, and
 * infinite where a condition is true of one part alone. */
double cs_check_error(const struct cs_results *results, const struct cs_check *check);

/* Is the relation true of these numbers, wherever in the confidence interval ours may be?  OPEN
 * when it is true of a part of it, UNCHECKED when a number is missing. */
enum cs_finding cs_check_finding(const struct cs_results *results, const struct cs_check *check,
                                 double *value, double *other);

/* p of the signed ranks that decide "better" and "no difference"; else NaN. */
double cs_check_p(const struct cs_results *results, const struct cs_check *check);

/* The number of the check by the metrics of the second column; NaN where these have none. */
double cs_check_second(const struct cs_results *results, const struct cs_check *check);

/* How many checks of a claim count, and the findings of those. */
struct cs_tally {
    int checks, agree, differ, open;
};
struct cs_tally cs_claim_tally(const struct cs_results *results, const struct cs_claim *claim);

/* With how many of the pooled seeds, each alone, the finding is the same. */
int cs_claim_seeds(const struct cs_results *results, const struct cs_claim *claim);

/* "agrees in part (5 of 9)", "undecided (0 agree, 1 open)", "agrees, stand-in". */
void cs_claim_put_words(const struct cs_results *results, const struct cs_claim *claim,
                        struct cs_strbuf *out);

/* PARTLY when some checks agree and others do not, or are open; checks without numbers do not
 * count.
 */
enum cs_finding cs_claim_finding(const struct cs_results *results, const struct cs_claim *claim);

/* The word of its finding; of a question "answered: no", "answered: yes" or "undecided". */
const char *cs_claim_verdict(const struct cs_results *results, const struct cs_claim *claim);

/* Is the claim counted among those that agree or do not? */
bool cs_claim_counts(const struct cs_claim *claim);

/* "agrees", "does not agree", "agrees in part", "undecided", "not checked". */
const char *cs_finding_word(enum cs_finding finding);

#endif
