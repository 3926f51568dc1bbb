/* stats.c - running moments, quantiles and Student's t.
 *
 * The distribution of t with n degrees of freedom is a finite sum of powers of a cosine
 * (Abramowitz and Stegun 26.7.3 and 26.7.4), which bisection inverts; from MANY degrees on the
 * expansion around the normal quantile (26.7.5) is exact to more digits than anyone reads.
 */
#include "base/stats.h"

#include "base/bug.h"
#include "base/order.h"

#include <math.h>
#include <string.h>

#define MANY 200
#define STIRLING 16 /* from here on five terms of the series are exact */
#define HALF_LOG_TWO_PI 0.91893853320467274178
#define TWO_OVER_PI 0.63661977236758134308
#define SQRT_HALF 0.70710678118654752440

void cs_stats_add(struct cs_stats *s, double value)
{
    const double distance = value - s->mean;

    s->min = s->count && s->min <= value ? s->min : value;
    s->max = s->count && s->max >= value ? s->max : value;
    s->count++;
    s->mean += distance / (double)s->count;
    s->squares += distance * (value - s->mean);
}

double cs_stats_mean(const struct cs_stats *s)
{
    return s->count ? s->mean : NAN;
}

double cs_stats_variance(const struct cs_stats *s)
{
    return s->count > 1 ? s->squares / (double)(s->count - 1) : NAN;
}

double cs_stats_deviation(const struct cs_stats *s)
{
    return sqrt(cs_stats_variance(s));
}

double cs_stats_min(const struct cs_stats *s)
{
    return s->count ? s->min : NAN;
}

double cs_stats_max(const struct cs_stats *s)
{
    return s->count ? s->max : NAN;
}

double cs_stats_confidence(const struct cs_stats *s)
{
    if (s->count < 2)
        return NAN;
    return cs_stats_student(0.95, s->count - 1) * sqrt(cs_stats_variance(s) / (double)s->count);
}

double cs_stats_quantile_sorted(const double *sorted, int n, double q)
{
    double at, below;
    int i;

    CS_REQUIRE(q >= 0 && q <= 1);
    if (n <= 0)
        return NAN;
    at = (n - 1) * q;
    below = floor(at);
    i = (int)below;
    if (i + 1 >= n)
        return sorted[n - 1];
    return sorted[i] + (at - below) * (sorted[i + 1] - sorted[i]);
}

double cs_stats_quantile(const double *value, int n, double q, struct cs_arena *scratch)
{
    const struct cs_arena_mark mark = cs_arena_mark(scratch);
    double *sorted = CS_NEW_ARRAY(scratch, double, n);
    double result;

    memcpy(sorted, value, (size_t)n * sizeof *sorted);
    cs_order_sort_doubles(sorted, n, scratch);
    result = cs_stats_quantile_sorted(sorted, n, q);
    cs_arena_rewind(scratch, mark);
    return result;
}

/* The x for which a normal variable is in [-x, x] with this probability. */
static double normal_quantile(double probability)
{
    double low = 0, high = 40;

    for (int i = 0; i < 100; i++) {
        const double x = 0.5 * (low + high);

        if (erfc(x * SQRT_HALF) > 1 - probability)
            low = x;
        else
            high = x;
    }
    return 0.5 * (low + high);
}

/* The probability of [-t, t] for a few degrees of freedom. */
static double student_inside(double t, int degrees)
{
    const double angle = atan(t / sqrt((double)degrees));
    const double cosine = cos(angle), square = cosine * cosine;
    const int odd = degrees % 2;
    double term = odd ? cosine : 1, sum = degrees > 1 ? term : 0;

    for (int k = odd ? 3 : 2; k < degrees; k += 2) {
        term *= square * (k - 1) / k;
        sum += term;
    }
    return odd ? TWO_OVER_PI * (angle + sin(angle) * sum) : sin(angle) * sum;
}

static double student_few(double probability, int degrees)
{
    double low = 0, high = 1;

    while (student_inside(high, degrees) < probability && high < 1e300)
        high *= 2;
    for (int i = 0; i < 200; i++) {
        const double t = 0.5 * (low + high);

        if (student_inside(t, degrees) < probability)
            low = t;
        else
            high = t;
    }
    return 0.5 * (low + high);
}

static double student_many(double probability, double degrees)
{
    const double x = normal_quantile(probability), y = x * x;
    const double g1 = x * (y + 1) / 4;
    const double g2 = x * ((5 * y + 16) * y + 3) / 96;
    const double g3 = x * (((3 * y + 19) * y + 17) * y - 15) / 384;
    const double g4 = x * ((((79 * y + 776) * y + 1482) * y - 1920) * y - 945) / 92160;

    return x + (g1 + (g2 + (g3 + g4 / degrees) / degrees) / degrees) / degrees;
}

double cs_stats_student(double probability, uint64_t degrees)
{
    CS_REQUIRE(probability > 0 && probability < 1 && degrees > 0);
    if (degrees < MANY)
        return student_few(probability, (int)degrees);
    return student_many(probability, (double)degrees);
}

static double not_zero(double x)
{
    return fabs(x) < 1e-300 ? 1e-300 : x;
}

/* The continued fraction of the incomplete beta function (Lentz), for x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 / not_zero(1 - (a + b) * x / (a + 1)), result = d;

    for (int m = 1; m < 10000; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double change;

        d = 1 / not_zero(1 + even * d);
        c = not_zero(1 + even / c);
        result *= c * d;
        d = 1 / not_zero(1 + odd * d);
        c = not_zero(1 + odd / c);
        change = c * d;
        result *= change;
        if (fabs(change - 1) < 1e-15)
            break;
    }
    return result;
}

/* What Stirling's formula leaves of the logarithm of the gamma function. */
static double stirling_rest(double z)
{
    const double y = 1 / (z * z);

    return z < STIRLING
               ? lgamma(z) - (z - 0.5) * log(z) + z - HALF_LOG_TWO_PI
               : (1 / 12.0 - y * (1 / 360.0 - y * (1 / 1260.0 - y * (1 / 1680.0 - y / 1188)))) / z;
}

/* log(1 + excess); `sum` is 1 + excess. */
static double log_of_sum(double sum, double excess)
{
    return fabs(excess) < 0.5 ? log1p(excess) : log(sum);
}

/* x^b y^a / B(a, b) for x = b / (b + a ratio), y = 1 - x: the large logarithms of x^b, y^a and
 * B(a, b) cancel in the formula, not in doubles. */
static double fisher_front(double a, double b, double ratio)
{
    const double whole = b + a * ratio;
    const double x = log_of_sum((a + b) / whole, a * (1 - ratio) / whole);
    const double y = log_of_sum(ratio * (a + b) / whole, b * (ratio - 1) / whole);

    return sqrt(a * b / (a + b)) * exp(b * x + a * y + stirling_rest(a + b) - stirling_rest(a) -
                                       stirling_rest(b) - HALF_LOG_TWO_PI);
}

double cs_stats_fisher_above(double ratio, uint64_t upper, uint64_t lower)
{
    const double a = (double)upper / 2, b = (double)lower / 2;
    const double x = 1 / (1 + a * ratio / b), y = 1 / (1 + b / (a * ratio));

    CS_REQUIRE(upper > 0 && lower > 0 && !(ratio < 0));
    if (!(y > 0))
        return 1;
    if (!(x > 0))
        return 0;
    return x < (b + 1) / (a + b + 2) ? fisher_front(a, b, ratio) * beta_fraction(b, a, x) / b
                                     : 1 - fisher_front(a, b, ratio) * beta_fraction(a, b, y) / a;
}
