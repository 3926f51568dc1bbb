/* wide.h - the 128-bit product of two 64-bit numbers, also where no type is as wide. */
#ifndef CS_BASE_WIDE_H
#define CS_BASE_WIDE_H

#include <stdint.h>

/* The same by four products of halves. */
static inline uint64_t cs_wide_multiply_halves(uint64_t a, uint64_t b, uint64_t *low)
{
    const uint64_t half = 0xffffffffu, low_a = a & half, low_b = b & half;
    const uint64_t inner = (a >> 32) * low_b + (low_a * low_b >> 32);
    const uint64_t other = low_a * (b >> 32) + (inner & half);

    *low = a * b;
    return (a >> 32) * (b >> 32) + (inner >> 32) + (other >> 32);
}

#ifdef __SIZEOF_INT128__
__extension__ typedef unsigned __int128 cs_uint128;

/* floor(a * b / 2^64); the lower half of the product goes to *low. */
static inline uint64_t cs_wide_multiply(uint64_t a, uint64_t b, uint64_t *low)
{
    const cs_uint128 product = (cs_uint128)a * b;

    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
}
#else
static inline uint64_t cs_wide_multiply(uint64_t a, uint64_t b, uint64_t *low)
{
    return cs_wide_multiply_halves(a, b, low);
}
#endif

#endif
