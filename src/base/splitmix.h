/* splitmix.h - the small random generator that the pack specification fixes.
 *
 * Sebastiano Vigna's splitmix64; the state is the seed.  Whatever is free to choose uses the
 * counter-based streams of rng.h instead.
 */
#ifndef CS_BASE_SPLITMIX_H
#define CS_BASE_SPLITMIX_H

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

/* floor(next * m / 2^64), below m; the product needs 128 bits. */
static inline uint64_t cs_splitmix_below(struct cs_splitmix *random, uint64_t m)
{
    uint64_t next = cs_splitmix_next(random);
    uint64_t low = (next & 0xffffffffu) * (m & 0xffffffffu);
    uint64_t left = (next >> 32) * (m & 0xffffffffu) + (low >> 32);
    uint64_t right = (next & 0xffffffffu) * (m >> 32) + (left & 0xffffffffu);

    return (next >> 32) * (m >> 32) + (left >> 32) + (right >> 32);
}

#endif
