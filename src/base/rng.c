/* rng.c - the parts of a random stream that are not called a million times in a row. */
#include "base/rng.h"

#include "base/wide.h"

#include <string.h>

/* Philox4x64-10, as Salmon, Moraes, Dror and Shaw print it. */
#define ROUNDS 10
#define MULTIPLIER_0 UINT64_C(0xd2e7470ee14c6c93)
#define MULTIPLIER_1 UINT64_C(0xca5a826395121157)
#define WEYL_0 UINT64_C(0x9e3779b97f4a7c15)
#define WEYL_1 UINT64_C(0xbb67ae8584caa73b)

#define TWO_PI 6.28318530717958647692

void cs_rng_init(struct cs_rng *rng, uint64_t seed, uint32_t purpose, uint64_t scenario)
{
    *rng = (struct cs_rng){
        .key = {seed, purpose},
        .scenario = scenario,
        .used = CS_RNG_BLOCK,
    };
}

void cs_rng_refill(struct cs_rng *rng)
{
    uint64_t x[CS_RNG_BLOCK] = {rng->next_block++, rng->scenario, 0, 0};
    uint64_t key0 = rng->key[0], key1 = rng->key[1];

    for (int round = 0; round < ROUNDS; round++) {
        uint64_t low0, low1;
        const uint64_t high0 = cs_wide_multiply(MULTIPLIER_0, x[0], &low0);
        const uint64_t high1 = cs_wide_multiply(MULTIPLIER_1, x[2], &low1);

        x[0] = high1 ^ x[1] ^ key0;
        x[1] = low1;
        x[2] = high0 ^ x[3] ^ key1;
        x[3] = low0;
        key0 += WEYL_0;
        key1 += WEYL_1;
    }
    memcpy(rng->block, x, sizeof x);
    rng->used = 0;
}

double cs_rng_normal(struct cs_rng *rng)
{
    const double radius = sqrt(-2.0 * log(cs_rng_open(rng)));

    return radius * cos(TWO_PI * cs_rng_uniform(rng));
}

double cs_rng_lognormal(struct cs_rng *rng, double mu, double sigma)
{
    return exp(mu + sigma * cs_rng_normal(rng));
}

void cs_rng_shuffle(struct cs_rng *rng, int *items, int n)
{
    for (int i = n - 1; i > 0; i--) {
        const int j = (int)cs_rng_below(rng, (uint64_t)i + 1);
        const int item = items[i];

        items[i] = items[j];
        items[j] = item;
    }
}
