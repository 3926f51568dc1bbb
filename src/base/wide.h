/* wide.h - the 128-bit product of two 64-bit numbers. */
#ifndef CS_BASE_WIDE_H
#define CS_BASE_WIDE_H

#include <stdint.h>

__extension__ typedef unsigned __int128 cs_uint128;

/* floor(a * b / 2^64); the lower half of the product goes to *low. */
static inline uint64_t cs_wide_multiply(uint64_t a, uint64_t b, uint64_t *low)
{
    const cs_uint128 product = (cs_uint128)a * b;

    *low = (uint64_t)product;
    return (uint64_t)(product >> 64);
}

#endif
