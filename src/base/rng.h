/* rng.h - random streams that depend only on their name.
 *
 * Philox4x64-10 of Random123 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1,
 * 2, 3", SC 2011) encrypts a counter. The key is (seed, purpose), the counter is (block, scenario),
 * so each (seed, purpose, scenario) has a separate stream of 2^66 numbers, independent of other
 * streams and of threads. A stream is a plain value: copy it to draw the same numbers again.
 *
 * `purpose` separates the random inputs of one scenario (failures, arrivals, random choices of a
 * policy), so a policy that draws more numbers does not change its failures.
 */
#ifndef CS_BASE_RNG_H
#define CS_BASE_RNG_H

#include "base/bug.h"
#include "base/wide.h"

#include <math.h>
#include <stdint.h>

#define CS_RNG_BLOCK 4

struct cs_rng {
    uint64_t block[CS_RNG_BLOCK]; /* the current block of numbers */
    uint64_t key[2];              /* seed, purpose */
    uint64_t next_block, scenario;
    unsigned used; /* used numbers of the block */
};

/* The beginning of the stream (seed, purpose, scenario). */
void cs_rng_init(struct cs_rng *rng, uint64_t seed, uint32_t purpose, uint64_t scenario);

/* For cs_rng_next only: make the next block. */
void cs_rng_refill(struct cs_rng *rng);

/* 64 random bits. */
static inline uint64_t cs_rng_next(struct cs_rng *rng)
{
    if (rng->used == CS_RNG_BLOCK)
        cs_rng_refill(rng);
    return rng->block[rng->used++];
}

/* One of 0..m-1, each equally likely (Lemire's method, which rejects what would be biased);
 * m = 0 is a bug. */
static inline uint64_t cs_rng_below(struct cs_rng *rng, uint64_t m)
{
    uint64_t low, high = cs_wide_multiply(cs_rng_next(rng), m, &low);

    CS_REQUIRE(m > 0);
    if (low < m) {
        const uint64_t threshold = -m % m;

        while (low < threshold)
            high = cs_wide_multiply(cs_rng_next(rng), m, &low);
    }
    return high;
}

/* Uniform in [0,1), a multiple of 2^-53. */
static inline double cs_rng_uniform(struct cs_rng *rng)
{
    return (double)(cs_rng_next(rng) >> 11) * 0x1p-53;
}

/* Uniform in (0,1): never 0, never 1. */
static inline double cs_rng_open(struct cs_rng *rng)
{
    return ((double)(cs_rng_next(rng) >> 12) + 0.5) * 0x1p-52;
}

/* Exponential with this mean; one number of the stream. */
static inline double cs_rng_exponential(struct cs_rng *rng, double mean)
{
    return -mean * log(cs_rng_open(rng));
}

/* Weibull: scale * (-ln u)^(1/shape); one number of the stream.  Its mean is
 * scale * Gamma(1 + 1/shape). */
static inline double cs_rng_weibull(struct cs_rng *rng, double shape, double scale)
{
    return scale * pow(-log(cs_rng_open(rng)), 1.0 / shape);
}

/* Normal with mean 0 and variance 1 (Box and Muller, the cosine); two numbers of the stream. */
double cs_rng_normal(struct cs_rng *rng);

/* exp(mu + sigma * normal). */
double cs_rng_lognormal(struct cs_rng *rng, double mu, double sigma);

/* Every order of the n items equally likely (Fisher and Yates). */
void cs_rng_shuffle(struct cs_rng *rng, int *items, int n);

#endif
