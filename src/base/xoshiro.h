/* xoshiro.h - the random generator that spec/volatile.md 8 fixes.
 *
 * Blackman and Vigna's xoshiro256++, its state four numbers of splitmix64. Code without a specified
 * generator uses the counter-based streams of rng.h instead.
 */
#ifndef CS_BASE_XOSHIRO_H
#define CS_BASE_XOSHIRO_H

#include "base/splitmix.h"

struct cs_xoshiro {
    uint64_t state[4];
};

static inline void cs_xoshiro_init(struct cs_xoshiro *random, uint64_t seed)
{
    struct cs_splitmix seeds = {seed};

    for (int i = 0; i < 4; i++)
        random->state[i] = cs_splitmix_next(&seeds);
}

static inline uint64_t cs_xoshiro_rotate(uint64_t x, int k)
{
    return x << k | x >> (64 - k);
}

static inline uint64_t cs_xoshiro_next(struct cs_xoshiro *random)
{
    uint64_t *s = random->state;
    uint64_t result = cs_xoshiro_rotate(s[0] + s[3], 23) + s[0], t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = cs_xoshiro_rotate(s[3], 45);
    return result;
}

/* floor(next * m / 2^64), below m. */
static inline uint64_t cs_xoshiro_below(struct cs_xoshiro *random, uint64_t m)
{
    uint64_t low;

    return cs_wide_multiply(cs_xoshiro_next(random), m, &low);
}

#endif
