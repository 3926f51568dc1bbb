/* lanes.h - compare many numbers in one step; the result is a bit set. */
#ifndef CS_BASE_LANES_H
#define CS_BASE_LANES_H

#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define CS_LANES 64

/* A question reads so many numbers together: v[] below has room for a multiple of them. */
#define CS_LANES_ROOM 16

/* Bit i, for i < count <= CS_LANES: is v[i] at least `bound`, which is not INT_MIN?  Bits from
 * `count` on are anything. */
static inline uint64_t cs_lanes_at_least(const int *v, int count, int bound)
{
    uint64_t bits = 0;

#ifdef __SSE2__
    const __m128i *four = (const __m128i *)(const void *)v, below = _mm_set1_epi32(bound - 1);

    for (int i = 0; i < count; i += 16, four += 4) {
        __m128i a = _mm_cmpgt_epi32(_mm_loadu_si128(four), below);
        __m128i b = _mm_cmpgt_epi32(_mm_loadu_si128(four + 1), below);
        __m128i c = _mm_cmpgt_epi32(_mm_loadu_si128(four + 2), below);
        __m128i d = _mm_cmpgt_epi32(_mm_loadu_si128(four + 3), below);
        __m128i all = _mm_packs_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));

        bits |= (uint64_t)(uint32_t)_mm_movemask_epi8(all) << i;
    }
#else
    for (int i = 0; i < count; i++)
        bits |= (uint64_t)(v[i] >= bound) << i;
#endif
    return bits;
}

#endif
