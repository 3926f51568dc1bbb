/* holding.c - geometric, Weibull and log-normal times in slots.
 *
 * Source: spec/volatile.md Part II.2 (semi-Markov hosts with the mean times of the chains).
 * Idea: a real time X > 0 is rounded up, so its mean in slots is the sum of P(X > k) over k >= 0;
 * the scale is solved for, so that this mean is the wanted one.
 * Invariants: every time is at least one slot; the rest of a time under way is k slots with
 * probability P(X > k - 1) / mean.
 * Complexity: creation at most ROUNDS sums of ONE_BY_ONE terms and a logarithmic number of panels;
 * a draw O(1), a rest (not geometric) O(its length).
 *
 * Constants (set by hand; half and double: not measured):
 *   ONE_BY_ONE 512    terms of the sum, then the trapezoidal rule
 *   STEPS      128    the panel after k has k / 128 slots
 *   ROUNDS     200    steps of the search at most; it ends when the mean is right to 1e-13
 */
#include "problems/volatile/holding.h"

#include <math.h>

#define SQRT_HALF 0.70710678118654752440
#define ONE_BY_ONE 512 /* of the sum of P(X > k); the rest is an integral */
#define STEPS 128
#define ROUNDS 200

struct cs_volatile_holding cs_volatile_holding_geometric(double leave)
{
    return (struct cs_volatile_holding){
        .shape = CS_VOLATILE_GEOMETRIC,
        .parameter = log1p(-leave),
        .mean = 1 / leave,
    };
}

double cs_volatile_holding_beyond(const struct cs_volatile_holding *h, double k)
{
    if (k <= 0)
        return 1;
    switch (h->shape) {
    case CS_VOLATILE_GEOMETRIC:
        return exp(k * h->parameter);
    case CS_VOLATILE_WEIBULL:
        return exp(-pow(k / h->scale, h->parameter));
    default:
        return 0.5 * erfc(log(k / h->scale) / h->parameter * SQRT_HALF);
    }
}

/* The sum over k >= 0 of P(X > k): the first terms one by one, then the trapezoidal rule with steps
 * that grow. */
static double mean_slots(const struct cs_volatile_holding *h)
{
    double sum = 0, k = 0, term = 1;

    for (; k < ONE_BY_ONE && term > 0; k++) {
        term = cs_volatile_holding_beyond(h, k);
        sum += term;
    }
    sum -= term / 2;
    for (k--; term > 1e-12 * sum && k < 1e18;) {
        double step = floor(k / STEPS), next = cs_volatile_holding_beyond(h, k + step);

        sum += step * (term + next) / 2;
        term = next;
        k += step;
    }
    return sum;
}

/* The mean grows with the scale, for large scales in proportion: fixed-point steps on the
 * logarithm of the scale, and a bisection where a step would leave the interval. */
struct cs_volatile_holding cs_volatile_holding_create(enum cs_volatile_law law, double parameter,
                                                      double mean)
{
    struct cs_volatile_holding h = {
        .shape = law == CS_VOLATILE_LAW_WEIBULL ? CS_VOLATILE_WEIBULL : CS_VOLATILE_LOGNORMAL,
        .parameter = parameter,
        .mean = mean,
    };
    double low = -100, high = 50, guess = log(mean);

    for (int i = 0; i < ROUNDS && high - low > 1e-13; i++) {
        double off;

        h.scale = exp(guess);
        off = log(mean / mean_slots(&h));
        if (fabs(off) < 1e-13)
            break;
        if (off > 0)
            low = guess;
        else
            high = guess;
        guess += off;
        if (!(guess > low && guess < high))
            guess = (low + high) / 2;
    }
    return h;
}

static int64_t holding_whole(double slots)
{
    return slots < 1 ? 1 : slots < 9e18 ? (int64_t)slots : CS_VOLATILE_FOREVER;
}

int64_t cs_volatile_holding_draw(const struct cs_volatile_holding *h, struct cs_rng *rng)
{
    switch (h->shape) {
    case CS_VOLATILE_GEOMETRIC:
        if (h->parameter == 0)
            return CS_VOLATILE_FOREVER;
        return holding_whole(1 + floor(log(cs_rng_open(rng)) / h->parameter));
    case CS_VOLATILE_WEIBULL:
        return holding_whole(ceil(cs_rng_weibull(rng, h->parameter, h->scale)));
    default:
        return holding_whole(ceil(h->scale * exp(h->parameter * cs_rng_normal(rng))));
    }
}

/* The rest is k slots with probability P(X > k - 1) / mean. */
int64_t cs_volatile_holding_rest(const struct cs_volatile_holding *h, struct cs_rng *rng)
{
    double left;
    int64_t k = 0;

    if (h->shape == CS_VOLATILE_GEOMETRIC)
        return cs_volatile_holding_draw(h, rng);
    for (left = cs_rng_uniform(rng) * h->mean; left >= 0 && k < CS_VOLATILE_CAP_MAX; k++)
        left -= cs_volatile_holding_beyond(h, (double)k);
    return k > 0 ? k : 1;
}
