/* draw.h - the random numbers of the moldable problem, as spec/moldable.md 7.1 fixes them.
 *
 * Noise: each task has one factor a scenario, the same for every count, log-normal with mean 1.
 * Failures: as in the rigid problem, with the least work of a task as its area, so that they do not
 * depend on the counts.
 */
#ifndef CS_MOLDABLE_DRAW_H
#define CS_MOLDABLE_DRAW_H

#include "problems/moldable/bag.h"

#include <cosched/error.h>

#include <stdint.h>

#define CS_MOLDABLE_FAILURES_MOST 1000000 /* of one task */

enum cs_moldable_stream {
    CS_MOLDABLE_STREAM_FAILURES = 3,
    CS_MOLDABLE_STREAM_NOISE = 5,   /* and 6 */
    CS_MOLDABLE_STREAM_ROBUST = 40, /* a separate seed */
};

/* The factor of a task; 1 for sigma 0. */
double cs_moldable_noise(double sigma, uint64_t seed, uint64_t set, uint64_t scenario,
                         uint64_t task);

/* exp(mean failure rate * least work): how many attempts each task is expected to need when an
 * average one fails with probability qbar; 0 <= qbar < 1. */
void cs_moldable_expected(const struct cs_moldable_bag *bag, double qbar, double *attempts);

#endif
