/* fit.h - a Markov chain and laws of intervals fitted to a trace of one host, and how well they
 * fit.
 *
 * A trace is the runs of a host of a fleet.  Moves to and from unknown slots are not
 * counted, and an interval that touches one, or the ends of the trace, is
 * only known to be at least as long as it was seen (censored); the one at the beginning is left
 * out.
 *
 * Laws of intervals are those of holding.h, a real time rounded up to slots: an interval of k slots
 * has probability S(k - 1) - S(k), a censored one of which k slots were seen S(k - 1).  Parameters
 * are those of maximum likelihood.
 */
#ifndef CS_VOLATILE_FIT_H
#define CS_VOLATILE_FIT_H

#include "base/arena.h"
#include "model/fleet.h"
#include "problems/volatile/holding.h"

#include <stdint.h>

/* One law for the intervals of one state; NaN when there are too few. */
struct cs_volatile_fit_law {
    struct cs_volatile_holding holding; /* parameter and scale */
    double log_likelihood;              /* of all intervals */
    double aic;                         /* twice the number of parameters less twice that: the less
                                           the better */
    double distance;                    /* Kolmogorov: of whole intervals to the law */
};

enum { CS_VOLATILE_FIT_GEOMETRIC, CS_VOLATILE_FIT_WEIBULL, CS_VOLATILE_FIT_LOGNORMAL };

#define CS_VOLATILE_FIT_LAWS 3

struct cs_volatile_fit_state {
    int64_t slots;     /* seen in it */
    int64_t intervals; /* whole */
    int64_t censored;  /* of which only a part was seen; without the first */
    double mean;       /* of whole intervals, slots */
    struct cs_volatile_fit_law law[CS_VOLATILE_FIT_LAWS];
    int best; /* law of the least aic; -1 when there are too few intervals */
};

/* The probability to compute so many slots from an up slot on, without being down between:
 * predicted by the chain of the first half of the trace, and found as the share of the up slots of
 * the second half.  NaN without data. */
struct cs_volatile_fit_forecast {
    int64_t workload;
    double predicted, found;
};

#define CS_VOLATILE_FIT_FORECASTS 3

struct cs_volatile_fit {
    int64_t slots;                                         /* that were watched */
    int64_t moves[CS_VOLATILE_STATES][CS_VOLATILE_STATES]; /* from (row) slot to slot */
    double chain[CS_VOLATILE_STATES][CS_VOLATILE_STATES];  /* moves + 0.01, each row normalised */
    double log_likelihood; /* of the moves under the chain, for each move */
    struct cs_volatile_fit_state state[CS_VOLATILE_STATES];
    struct cs_volatile_fit_forecast forecast[CS_VOLATILE_FIT_FORECASTS];
};

/* The chain alone, of the first `slots` slots of a host. */
void cs_volatile_fit_chain(const struct cs_fleet_host *host, int64_t slots,
                           double chain[CS_VOLATILE_STATES][CS_VOLATILE_STATES]);

/* Of all slots.  -1 with err: there are fewer than two.  `workload`: those of the forecasts, each
 * at least 1. */
int cs_volatile_fit_host(const struct cs_fleet_host *host,
                         const int64_t workload[CS_VOLATILE_FIT_FORECASTS],
                         struct cs_volatile_fit *fit, struct cs_error *err);

#endif
