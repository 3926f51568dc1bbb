/* decimal.h - doubles and decimals of few digits, exactly, in whole numbers of 128 bits.
 *
 * The exact case is a quotient or a product with a power of five of at most 64 bits; beyond that,
 * and without 128-bit integers, both functions return false and the caller uses the C library.
 */
#ifndef CS_BASE_DECIMAL_H
#define CS_BASE_DECIMAL_H

#include <stdbool.h>
#include <stdint.h>

/* The double nearest to digits / 10^places, ties to even; false for digits = 0 and where places
 * are not 1 .. 27. */
bool cs_decimal_quotient(uint64_t digits, int places, double *out);

/* A positive number of at most 17 digits: digits / 10^places, without zeros at the end unless
 * places is 0. */
struct cs_decimal {
    uint64_t digits;
    int places;
};

/* The first of its roundings to 15, 16 and 17 significant digits that is read back as the same
 * double; false unless 1e-4 <= value < 1e15. */
bool cs_decimal_shortest(double value, struct cs_decimal *out);

#endif
