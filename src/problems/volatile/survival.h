/* survival.h - survival laws of the lifetimes of hosts, fitted to lifetimes of which some are
 * censored.
 *
 * Lengths are in slots (or seconds: laws know no unit) and > 0.  A law is S(t), the probability to
 * stay up longer than t; policies use ln S(age + more) - ln S(age).
 */
#ifndef CS_VOLATILE_SURVIVAL_H
#define CS_VOLATILE_SURVIVAL_H

#include "base/arena.h"
#include "model/fleet.h"

enum cs_volatile_survival_kind {
    CS_VOLATILE_SURVIVAL_EXPONENTIAL,   /* a: rate */
    CS_VOLATILE_SURVIVAL_WEIBULL,       /* a: shape, b: scale */
    CS_VOLATILE_SURVIVAL_LOG_NORMAL,    /* a: mu, b: sigma */
    CS_VOLATILE_SURVIVAL_PRODUCT_LIMIT, /* steps, then a constant hazard a */
};

#define CS_VOLATILE_SURVIVAL_KINDS 4

/* "exponential", "weibull", "log-normal", "kaplan-meier" */
const char *cs_volatile_survival_name(enum cs_volatile_survival_kind kind);

struct cs_volatile_survival {
    enum cs_volatile_survival_kind kind;
    double a, b;
    int steps;             /* of the product limit */
    const double *length;  /* of the lives that ended at a step, ascending */
    const double *log;     /* ln S there */
    double log_likelihood; /* of the lives; NaN for the product limit, which has no density */
};

double cs_volatile_survival_log(const struct cs_volatile_survival *law, double length);

/* Fit a law of maximum likelihood to lifetimes of which at least one ended.  The steps live in the
 * arena. */
struct cs_volatile_survival cs_volatile_survival_fit(enum cs_volatile_survival_kind kind,
                                                     const struct cs_fleet_life *life,
                                                     int64_t lifetimes, struct cs_arena *arena);

/* The estimate from few lifetimes: the exponential law with (ended + 1/2) / sum of lengths. */
struct cs_volatile_survival cs_volatile_survival_few(const struct cs_fleet_life *life,
                                                     int64_t lifetimes);

#endif
