/* holding.h - how long a host stays in a state, in whole slots from 1 on.
 *
 * A real time X > 0 of the law is rounded up, so that the mean number of slots is the sum of
 * P(X > k) over k >= 0; the scale is chosen so that this mean is the wanted one.
 */
#ifndef CS_VOLATILE_HOLDING_H
#define CS_VOLATILE_HOLDING_H

#include "base/rng.h"
#include "problems/volatile/volatile.h"

enum cs_volatile_shape {
    CS_VOLATILE_GEOMETRIC,
    CS_VOLATILE_WEIBULL,
    CS_VOLATILE_LOGNORMAL,
};

struct cs_volatile_holding {
    enum cs_volatile_shape shape;
    double parameter; /* geometric: log of the probability to stay; else shape or sigma */
    double scale;     /* Weibull: the scale; log-normal: exp(mu) */
    double mean;      /* slots, +inf when never left */
};

/* A state that is left with this probability in each slot. */
struct cs_volatile_holding cs_volatile_holding_geometric(double leave);

/* Another law with this finite mean, at least 1. */
struct cs_volatile_holding cs_volatile_holding_create(enum cs_volatile_law law, double parameter,
                                                      double mean);

/* P(more than k slots), k >= 0. */
double cs_volatile_holding_beyond(const struct cs_volatile_holding *holding, double k);

/* A time that begins now; one or two numbers of the stream. */
int64_t cs_volatile_holding_draw(const struct cs_volatile_holding *holding, struct cs_rng *rng);

/* The rest of a time that is under way at a moment like any other; `mean` is finite. */
int64_t cs_volatile_holding_rest(const struct cs_volatile_holding *holding, struct cs_rng *rng);

#define CS_VOLATILE_FOREVER INT64_MAX

#endif
