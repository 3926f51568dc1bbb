/* splitmix.h - the small random generator that spec/pack.md 5 fixes.
 *
 * Sebastiano Vigna's splitmix64; the state is the seed. Code without a specified generator uses the
 * counter-based streams of rng.h instead.
 */
#ifndef CS_BASE_SPLITMIX_H
#define CS_BASE_SPLITMIX_H

#include "base/wide.h"

#include <stdint.h>

struct cs_splitmix {
    uint64_t state;
};

static inline uint64_t cs_splitmix_next(struct cs_splitmix *random)
{
    uint64_t z = random->state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

/* floor(next * m / 2^64), below m. */
static inline uint64_t cs_splitmix_below(struct cs_splitmix *random, uint64_t m)
{
    uint64_t low;

    return cs_wide_multiply(cs_splitmix_next(random), m, &low);
}

#endif
