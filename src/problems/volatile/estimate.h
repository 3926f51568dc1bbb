/* estimate.h - the expected time of a configuration, and its probability of success.
 *
 * A workload of W slots, the first being now, with all hosts of S up (section 3.2):
 *
 *     P(W) = P+^(W-1)
 *     E(W) = 1 + (W-1) gap                     conditional: given success
 *     E(W) = (1 + (W-1) Ec) / P+^(W-1)         as the paper prints it, which may overflow
 *
 * Transfers (3.5): host q needs n_q slots, as a separate workload, and the master sends to at most
 * `transfers` hosts at the same time:
 *
 *     Ecomm = max(max E^{q}(n_q), sum n_q / transfers),   Pcomm = product of P_ND^q(Ecomm)
 *
 * and a configuration has P = Pcomm P(W), E = Ecomm + E(W).
 */
#ifndef CS_VOLATILE_ESTIMATE_H
#define CS_VOLATILE_ESTIMATE_H

#include "problems/volatile/policy.h"
#include "problems/volatile/sets.h"

#include <math.h>

struct cs_volatile_row {
    double time;
    double *value; /* by host: log P_ND(time), NaN when not known */
};

struct cs_volatile_estimator {
    const struct cs_volatile_instance *in;
    struct cs_volatile_sets *sets;
    double transfers;
    double **single[2]; /* by estimate and host: E^{q}(n) by n, NULL when not known */
    double **alive[2];  /* by estimate and host: log P_ND(E^{q}(n)) by n, NULL when not known */
    struct cs_volatile_row *row; /* a table of `rows` times, the last that came to a place */
    size_t rows;
    double *none; /* by host: 0, the row of no time at all */
    struct cs_arena *arena;
};

struct cs_volatile_estimator *cs_volatile_estimator_create(const struct cs_volatile_instance *in);
void cs_volatile_estimator_destroy(struct cs_volatile_estimator *estimator);

/* log P(W); loss is -log P+. */
static inline double cs_volatile_work_log_p(const struct cs_volatile_set *set, int64_t workload)
{
    return workload > 1 ? -(double)(workload - 1) * set->loss : 0;
}

/* E(W), +inf when it overflows or there is no success. */
static inline double cs_volatile_work_time(const struct cs_volatile_set *set,
                                           enum cs_volatile_estimate estimate, int64_t workload)
{
    double more = (double)(workload - 1);

    if (workload <= 1)
        return workload == 1 ? 1 : 0;
    if (estimate == CS_VOLATILE_CONDITIONAL)
        return isnan(set->gap) ? INFINITY : 1 + more * set->gap;
    return (1 + more * set->partial) * exp(more * set->loss);
}

/* log E(W), which does not overflow. */
double cs_volatile_work_log_time(const struct cs_volatile_set *set,
                                 enum cs_volatile_estimate estimate, int64_t workload);

/* For cs_volatile_single only: fill the table, or compute when it would be very long. */
double cs_volatile_single_new(struct cs_volatile_estimator *estimator,
                              enum cs_volatile_estimate estimate, int host, int n);

/* E^{q}(n), the expected time of n slots of transfers to one host; n = 0 .. most_need. */
static inline double cs_volatile_single(struct cs_volatile_estimator *e,
                                        enum cs_volatile_estimate estimate, int host, int n)
{
    const double *table = e->single[estimate][host];

    return table ? table[n] : cs_volatile_single_new(e, estimate, host, n);
}

/* log P_ND(E^{q}(n)): the host is not down while it alone is sent to. */
double cs_volatile_single_alive_new(struct cs_volatile_estimator *estimator,
                                    enum cs_volatile_estimate estimate, int host, int n);

static inline double cs_volatile_single_alive(struct cs_volatile_estimator *e,
                                              enum cs_volatile_estimate estimate, int host, int n)
{
    const double *table = e->alive[estimate][host];

    return table ? table[n] : cs_volatile_single_alive_new(e, estimate, host, n);
}

/* log P_ND of hosts after a time, at the places that cs_volatile_row_at fills; valid until the next
 * call. */
double *cs_volatile_row_of(struct cs_volatile_estimator *estimator, double time);

static inline double cs_volatile_row_at(struct cs_volatile_estimator *e, double *row, double time,
                                        int host)
{
    if (isnan(row[host]))
        row[host] = log(cs_volatile_chain_alive(cs_volatile_sets_chain(e->sets, host), time));
    return row[host];
}

/* A configuration, or a part of one, as the estimates see it. */
struct cs_volatile_load {
    int set, members;
    const int *member; /* hosts in any order */
    const int *need;   /* by member: slots of transfers still to come */
    int64_t workload;  /* slots of computation still to come */
};

struct cs_volatile_value {
    double log_p;
    double time;     /* may be +inf */
    double log_time; /* its logarithm, finite more often */
    double lifetime; /* L of the set, if requested */
};

struct cs_volatile_value cs_volatile_evaluate(struct cs_volatile_estimator *estimator,
                                              enum cs_volatile_estimate estimate,
                                              const struct cs_volatile_load *load);

/* All that the measure TIME looks at: no log_p, and log_time only where the time overflows. */
struct cs_volatile_value cs_volatile_evaluate_time(struct cs_volatile_estimator *estimator,
                                                   enum cs_volatile_estimate estimate,
                                                   const struct cs_volatile_load *load);

/* The score of a value under a measure; larger is better.  `tau`: slots since the iteration
 * began. */
struct cs_volatile_score {
    double value;
    double log_time; /* TIME: what is compared where one of the times overflows */
};

struct cs_volatile_score cs_volatile_score_of(enum cs_volatile_measure measure,
                                              const struct cs_volatile_value *value, int64_t tau);

static inline bool cs_volatile_beats(double score, double best)
{
    double size = fabs(best);

    if (isinf(best))
        return score > best;
    return score > best + 1e-12 * (size > 1 ? size : 1);
}

static inline double cs_volatile_log_time(const struct cs_volatile_score *score)
{
    return isinf(score->value) ? score->log_time : log(-score->value);
}

/* Is it better by more than rounding? */
static inline bool cs_volatile_better(enum cs_volatile_measure measure,
                                      const struct cs_volatile_score *score,
                                      const struct cs_volatile_score *best)
{
    if (measure == CS_VOLATILE_TIME && (isinf(score->value) || isinf(best->value)))
        return cs_volatile_beats(-cs_volatile_log_time(score), -cs_volatile_log_time(best));
    return cs_volatile_beats(score->value, best->value);
}

#endif
