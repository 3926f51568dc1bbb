/* availability.h - what a trace of a host says: chain, laws of the times up, and how badly they
 * fit.
 *
 * A trace has a letter for each slot: u up, r reclaimed by its owner, d down.
 */
#ifndef CS_MODEL_AVAILABILITY_H
#define CS_MODEL_AVAILABILITY_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

/* The Markov chain that makes these transitions most probable, up to 0.01 that is added to each
 * count, so that nothing is impossible; a state that is never left has equal chances. */
void cs_availability_chain(const char *trace, int64_t slots, double chain[3][3]);

/* A law of the lengths of stretches, in slots from 1 on: a real length rounded up. */
struct cs_availability_law {
    double parameter;  /* geometric: chance to end; Weibull: shape; log-normal: sigma */
    double scale;      /* Weibull: scale; log-normal: exp(mu); slots */
    double distance;   /* largest distance of the distribution functions (Kolmogorov) */
    double likelihood; /* mean logarithm of the probability of a stretch */
};

/* How often a host that is up computes W slots before it is down, reclaimed in between or not. */
struct cs_availability_workload {
    int64_t slots;      /* W */
    double predicted;   /* by the chain: P+^(W-1) */
    double seen;        /* NaN when the trace cannot tell */
    int64_t beginnings; /* up slots that this is the share of */
};

#define CS_AVAILABILITY_WORKLOADS 3

struct cs_availability_fit {
    int64_t slots;      /* fitted to */
    double share[3];    /* of the slots: up, reclaimed, down */
    double chain[3][3]; /* up, reclaimed, down */
    int64_t stretches;  /* up, complete: neither the first nor the last of the trace */
    double mean;        /* their length, slots; NaN for none, as all laws then are */
    struct cs_availability_law geometric, weibull, lognormal;
    const char *best; /* the law of the greatest likelihood: "geometric", ...; "" for none */
    struct cs_availability_workload workload[CS_AVAILABILITY_WORKLOADS];
};

/* Fit to the first `history` slots and judge P(W) by the rest, or by the same slots when nothing is
 * left; W is a quarter of `workload`, it, and four times it (at least 1), or, for 0, about the mean
 * number of up slots between two stretches down. */
void cs_availability_fit(const char *trace, int64_t slots, int64_t history, int64_t workload,
                         struct cs_availability_fit *fit);

#endif
