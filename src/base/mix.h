/* mix.h - random numbers that are a hash of their name, as specifications fix them.
 *
 * A number belongs to (seed, stream, set, scenario, item), so any scenario can be sampled alone and
 * is the same for all variants. Where the choice is free, rng.h is used.
 */
#ifndef CS_BASE_MIX_H
#define CS_BASE_MIX_H

#include <stdint.h>

/* One step of splitmix64 as a hash. */
static inline uint64_t cs_mix_hash(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* All but the item: cs_mix_hash(this ^ item) is cs_mix. */
static inline uint64_t cs_mix_scenario(uint64_t seed, uint64_t stream, uint64_t set,
                                       uint64_t scenario)
{
    uint64_t h = cs_mix_hash(seed);

    h = cs_mix_hash(h ^ stream);
    h = cs_mix_hash(h ^ set);
    return cs_mix_hash(h ^ scenario);
}

static inline uint64_t cs_mix(uint64_t seed, uint64_t stream, uint64_t set, uint64_t scenario,
                              uint64_t item)
{
    return cs_mix_hash(cs_mix_scenario(seed, stream, set, scenario) ^ item);
}

/* Uniform in (0, 1). */
static inline double cs_mix_uniform(uint64_t hash)
{
    return ((double)(hash >> 11) + 0.5) * 0x1p-53;
}

#endif
