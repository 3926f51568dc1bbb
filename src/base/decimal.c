/* decimal.c - a double is m 2^e, so value 10^k is m 5^k 2^(e+k): a product of 128 bits and a shift.
 */
#include "base/decimal.h"

#include "base/wide.h"

#include <math.h>
#include <string.h>

#define FIVES 28

#ifdef __SIZEOF_INT128__

static const uint64_t five[FIVES] = {
    UINT64_C(1),
    UINT64_C(5),
    UINT64_C(25),
    UINT64_C(125),
    UINT64_C(625),
    UINT64_C(3125),
    UINT64_C(15625),
    UINT64_C(78125),
    UINT64_C(390625),
    UINT64_C(1953125),
    UINT64_C(9765625),
    UINT64_C(48828125),
    UINT64_C(244140625),
    UINT64_C(1220703125),
    UINT64_C(6103515625),
    UINT64_C(30517578125),
    UINT64_C(152587890625),
    UINT64_C(762939453125),
    UINT64_C(3814697265625),
    UINT64_C(19073486328125),
    UINT64_C(95367431640625),
    UINT64_C(476837158203125),
    UINT64_C(2384185791015625),
    UINT64_C(11920928955078125),
    UINT64_C(59604644775390625),
    UINT64_C(298023223876953125),
    UINT64_C(1490116119384765625),
    UINT64_C(7450580596923828125),
};

/* value / 2^shift, rounded, ties to even; rest: it is a little more than value. */
static uint64_t round_shift(cs_uint128 value, int shift, bool rest)
{
    const cs_uint128 half = (cs_uint128)1 << (shift - 1), low = value & (2 * half - 1);
    const uint64_t whole = (uint64_t)(value >> shift);

    return whole + (low > half || (low == half && (rest || whole % 2)));
}

bool cs_decimal_quotient(uint64_t digits, int places, double *out)
{
    int up, down, shift;
    uint64_t divisor, quotient;
    cs_uint128 dividend;

    if (!digits || places < 1 || places >= FIVES)
        return false;
    up = __builtin_clzll(digits);
    down = __builtin_clzll(five[places]);
    divisor = five[places] << down;
    dividend = (cs_uint128)(digits << up) << 63;
    quotient = (uint64_t)(dividend / divisor);
    shift = 11 - __builtin_clzll(quotient);
    *out = ldexp((double)round_shift(quotient, shift, (cs_uint128)quotient * divisor != dividend),
                 shift - 63 - up + down - places);
    return true;
}

/* A double m 2^e, times 10^places: m 5^places / 2^shift. */
struct scaled {
    cs_uint128 product;
    int shift;
    uint64_t mantissa, five;
};

static struct scaled decimal_scale(uint64_t mantissa, int exponent, int places)
{
    return (struct scaled){(cs_uint128)mantissa * five[places], -exponent - places, mantissa,
                           five[places]};
}

/* Do these digits read back as the same double?  They do when they are less than half a step of
 * doubles away; a step is 5^places / 2^shift, half of that below a power of two. */
static bool reads_back(const struct scaled *s, uint64_t digits)
{
    const cs_uint128 there = (cs_uint128)digits << s->shift;
    const bool below = there < s->product;
    const cs_uint128 away = below ? s->product - there : there - s->product;
    const bool edge = below && s->mantissa == (uint64_t)1 << 52;
    const cs_uint128 twice = away << (edge ? 2 : 1);

    return twice < s->five || (twice == s->five && s->mantissa % 2 == 0);
}

/* Digits before the point, 0 and less for zeros behind it. */
static int decimal_magnitude(double value)
{
    static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    int at = 0;

    if (value < 1)
        return value >= 0.1 ? 0 : value >= 0.01 ? -1 : value >= 0.001 ? -2 : -3;
    while (value >= power[at])
        at++;
    return at;
}

bool cs_decimal_shortest(double value, struct cs_decimal *out)
{
    int before;
    uint64_t bits, mantissa;

    if (!(value >= 1e-4 && value < 1e15))
        return false;
    memcpy(&bits, &value, sizeof bits);
    mantissa = (bits & (((uint64_t)1 << 52) - 1)) | (uint64_t)1 << 52;
    before = decimal_magnitude(value);
    for (int digits = 15; digits <= 17; digits++) {
        const struct scaled scaled =
            decimal_scale(mantissa, (int)(bits >> 52) - 1075, digits - before);

        out->places = digits - before;
        out->digits = round_shift(scaled.product, scaled.shift, false);
        if (reads_back(&scaled, out->digits))
            break;
    }
    while (out->places && out->digits % 10 == 0) {
        out->digits /= 10;
        out->places--;
    }
    return true;
}

#else

bool cs_decimal_quotient(uint64_t digits, int places, double *out)
{
    (void)digits;
    (void)places;
    (void)out;
    return false;
}

bool cs_decimal_shortest(double value, struct cs_decimal *out)
{
    (void)value;
    (void)out;
    return false;
}

#endif
