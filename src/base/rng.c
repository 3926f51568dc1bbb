/* rng.c - the parts of a random stream that are not called a million times in a row. */
#include "base/rng.h"

#include <Random123/philox.h>

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
    const philox4x64_ctr_t counter = {{rng->next_block++, rng->scenario, 0, 0}};
    const philox4x64_key_t key = {{rng->key[0], rng->key[1]}};
    const philox4x64_ctr_t out = philox4x64(counter, key);

    for (int i = 0; i < CS_RNG_BLOCK; i++)
        rng->block[i] = out.v[i];
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
