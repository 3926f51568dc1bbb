/* fit.h - formulas fitted to measured times, with confidence intervals; models of availability.
 *
 * Four models of the time on p processors are fitted to the measured times of a task,
 *
 *     Amdahl                 seq_time (f + (1 - f) / p)
 *     Amdahl plus overhead   seq_time (f + (1 - f) / p + overhead log2 p)
 *     universal scalability  seq_time (f + (1 - f) / p + overhead (p - 1))
 *     power                  seq_time (f + (1 - f) / p + overhead p^exponent)
 *
 * with 0 <= f <= 1, overhead >= 0 and an exponent from -0.9 to 3, so that the sum of the squares
 * of the relative errors (model - measured) / measured is least.  All but the exponent are linear
 * in seq_time f, seq_time (1 - f) and seq_time overhead: non-negative least squares, solved
 * exactly by trying every set of terms; the exponent is searched.
 *
 * The fit uses the mean of the runs on each count. Weights are the numbers of runs, lower where
 * their variance is larger: the variance of a count is that of its runs pooled with eight degrees
 * of freedom of the variance common to all counts.
 *
 * Intervals are those of the profile likelihood at 95 %: the values of a parameter for which the
 * best of all other parameters leaves no more than RSS + t^2 s^2, where s^2 is the RSS over the
 * degrees of freedom and t the quantile of Student. The squares are those of all runs, unless the
 * means are further from the model than the runs from their means allow (F test at 5 %); then the
 * model is incomplete, and s^2 and the degrees of freedom are those of the counts.
 *
 * The model of least AICc = n ln(RSS / n) + 2 K + 2 K (K + 1) / (n - K - 1) is the best one: n
 * runs, K parameters and the variance.  A model is in the choice when n > K + 1 and there are more
 * counts than parameters.
 */
#ifndef COSCHED_FIT_H
#define COSCHED_FIT_H

#include <cosched/error.h>
#include <cosched/workload.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

CS_BEGIN_DECLS

enum cs_fit_kind {
    CS_FIT_AMDAHL,
    CS_FIT_OVERHEAD,
    CS_FIT_UNIVERSAL,
    CS_FIT_POWER,
    CS_FIT_KINDS,
    CS_FIT_BEST = CS_FIT_KINDS
};

enum cs_fit_parameter_name {
    CS_FIT_SEQ_TIME,
    CS_FIT_SEQ_FRACTION,
    CS_FIT_GROWTH, /* the overhead */
    CS_FIT_EXPONENT,
    CS_FIT_PARAMETERS
};

struct cs_fit_interval {
    double low, high; /* 95 %; NaN when there are no degrees of freedom */
    /* The parameter is identified by the data: seq_time within a factor of ten, f within nine
     * tenths, an overhead whose interval does not reach from 0 to more than seq_time on the widest
     * count, an exponent with a bounded interval and such an overhead. */
    bool determined;
};

struct cs_fit_model {
    bool known;                /* there are as many counts as parameters (Amdahl: one) */
    struct cs_profile profile; /* a formula */
    struct cs_fit_interval interval[CS_FIT_PARAMETERS]; /* of those that the model has */
    double rms;      /* root mean square relative error at the counts */
    double worst;    /* the largest relative error in size ... */
    int worst_procs; /* ... and where it is */
    double left_out; /* root mean square relative error at counts left out, each in turn (at most
                        50 of them, evenly spread); NaN when there are too few */
    double aicc;     /* +inf: too few runs or counts to be in the choice */
};

#define CS_FIT_WHY 200

struct cs_fit {
    int points;    /* counts that were measured */
    int runs;      /* measurements */
    double spread; /* relative standard deviation of runs of one count; NaN: no count has two */
    struct cs_fit_model model[CS_FIT_KINDS];
    enum cs_fit_kind best;
    enum cs_fit_kind next; /* second in the choice; CS_FIT_KINDS: no second */
    char why[CS_FIT_WHY];  /* the reason as text; the missing data when counts are few */
};

/* Fit all models to a measured profile (TABLE or POINTS).  -1 with err for a formula, a
 * profile without a finite time, or times that differ by more than double precision holds. */
CS_API int cs_fit_profile(const struct cs_profile *profile, struct cs_fit *fit,
                          struct cs_error *err);

/* "amdahl", "overhead", "universal", "power": also the keys of formulas in workloads. */
CS_API const char *cs_fit_kind_name(enum cs_fit_kind kind);

/* A workload of the same tasks with formulas: the best one of each (CS_FIT_BEST), or one kind
 * for all (a task with too few counts for it gets Amdahl).  fit[] receives what was found for
 * each task; `used` (NULL: not wanted) which model each has.  The caller destroys it; NULL with
 * err on failure. */
CS_API struct cs_workload *cs_fit_workload(const struct cs_workload *measured, enum cs_fit_kind use,
                                           struct cs_fit *fit, enum cs_fit_kind *used,
                                           struct cs_error *err);

/* ---- availability ---- */

/* How long hosts stay up: one probability to go down for each host or each pool; a distribution of
 * the uptimes of a pool; AUTO is log-normal. */
enum cs_fit_lifetime_model {
    CS_FIT_LIFETIME_AUTO,
    CS_FIT_LIFETIME_CHAIN,
    CS_FIT_LIFETIME_POOLED_CHAIN,
    CS_FIT_LIFETIME_WEIBULL,
    CS_FIT_LIFETIME_LOG_NORMAL,
    CS_FIT_LIFETIME_PRODUCT_LIMIT,
};

#define CS_FIT_LIFETIME_MODELS 6

/* The hosts of one pool: those of one file, all, or each alone. */
enum cs_fit_pooling { CS_FIT_POOL_ZONE, CS_FIT_POOL_FLEET, CS_FIT_POOL_HOST };

/* Members that are 0 are unset. */
struct cs_fit_availability_options {
    size_t size;            /* sizeof(struct cs_fit_availability_options) */
    double slot;            /* seconds; 0: the coarsest slot of the files, else 60 */
    int hosts;              /* only the first hosts; 0: all */
    const char *components; /* the component table of event tables; NULL: component.tab in the
                               directory of each, if there is one */
    bool each;              /* hosts one by one; else pools */
    enum cs_fit_lifetime_model lifetime_model; /* pools: "belief" of the text */
    enum cs_fit_pooling pooling;
    int64_t workload; /* slots to stay, by which forecasts are compared, up to 100,000,000; 0: parts
                         of a mean uptime of the first half; of a host about the mean number of up
                         slots between two times down */
    const char *scenario; /* write the hosts with their chains and traces to this file, a scenario
                             for `simulate volatile` (JSON, docs/formats.md); NULL: do not */
};

/* The hosts and traces of files. */
struct cs_fit_hosts {
    int hosts, dropped; /* dropped: named in the files, but of unknown state throughout */
    int64_t slots;
    double slot;   /* seconds */
    char kind[64]; /* of the first file: "event table", ... */
};

/* Fit models of availability to files of when hosts were up (docs/formats.md; "-" is standard
 * input, gzip and xz are unpacked): JSON (UTF-8), that of `fit availability --format json`.  Pools:
 * an object with the distributions of uptimes, how likely hosts go down together, and how well
 * models fitted to the first half predict the second ("log_loss", "brier", and by workload the
 * probabilities "found" and predicted).  Each: a list of objects with the chain of the host (p_uu
 * to p_dd, the probabilities of the next slot), the distributions of its uptimes, and forecasts.
 * Times are slots.  Options may be NULL; *found, unless NULL, receives what the files hold; the
 * caller frees the text with cs_free (case.h).  NULL with err. */
CS_API char *cs_fit_availability(const char *const *paths, int count,
                                 const struct cs_fit_availability_options *options,
                                 struct cs_fit_hosts *found, struct cs_error *err);

CS_END_DECLS

#endif
