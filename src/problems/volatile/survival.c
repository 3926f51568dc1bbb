/* survival.c - four laws of uptimes and how they are fitted.
 *
 * Source: spec/volatile.md III.2 (exponential, Weibull, log-normal, product limit; golden f30-f33).
 * Idea: censored maximum likelihood: a closed form, bisection in the logarithm of the shape, EM on
 * logarithms of lengths, and Kaplan-Meier steps with a constant hazard after the last.
 * Invariants: ln S is 0 at length 0 and never rises; at least one uptime ended; the product limit
 * stops where fewer than RISK uptimes are left, or all of them end.
 * Complexity: O(n) for a step of bisection or EM, O(n log n) for the product limit; ln S is O(1),
 * of the product limit O(log steps).  III.9: 6,764 uptimes of LANL fit in under 0.1 s.
 *
 * Constants (values of III.2 except HALVINGS; half and double: not measured):
 *   RISK                   10          uptimes at a step of the product limit, at least
 *   LOW_SHAPE, HIGH_SHAPE  0.02, 50    limits of the Weibull shape
 *   HALVINGS               200         of the bisection at most; set by hand
 *   ROUNDS                 20000       of EM at most
 *   CLOSE                  1e-12       relative change of mu and sigma at which EM ends
 *   FAINT                  1e-300      normal tails below it use their asymptotic form
 */
#include "problems/volatile/survival.h"

#include "base/bug.h"
#include "base/order.h"

#include <limits.h>
#include <math.h>

#define RISK 10        /* lives at a step of the product limit, at least */
#define LOW_SHAPE 0.02 /* of a Weibull law */
#define HIGH_SHAPE 50.0
#define HALVINGS 200
#define ROUNDS 20000 /* of the log-normal law */
#define CLOSE 1e-12
#define FAINT 1e-300 /* tails below it are given by their limit */
#define SQRT_HALF 0.70710678118654752440
#define HALF_LOG_TWO_PI 0.91893853320467274178

const char *cs_volatile_survival_name(enum cs_volatile_survival_kind kind)
{
    static const char *const name[] = {"exponential", "weibull", "log-normal", "kaplan-meier"};

    return name[kind];
}

/* ln P(N > z) of a normal N. */
static double log_tail(double z)
{
    double tail = 0.5 * erfc(z * SQRT_HALF);

    if (tail >= FAINT)
        return log(tail);
    return -0.5 * z * z - HALF_LOG_TWO_PI - log(z) + log1p(-1 / (z * z));
}

static double product_limit(const struct cs_volatile_survival *law, double length)
{
    int low = 0, high = law->steps;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (law->length[middle] <= length)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < law->steps)
        return low ? law->log[low - 1] : 0;
    if (!low)
        return -law->a * length;
    return law->log[low - 1] - law->a * (length - law->length[low - 1]);
}

double cs_volatile_survival_log(const struct cs_volatile_survival *law, double length)
{
    if (!(length > 0))
        return 0;
    switch (law->kind) {
    case CS_VOLATILE_SURVIVAL_EXPONENTIAL:
        return -law->a * length;
    case CS_VOLATILE_SURVIVAL_WEIBULL:
        return -pow(length / law->b, law->a);
    case CS_VOLATILE_SURVIVAL_LOG_NORMAL:
        return log_tail((log(length) - law->a) / law->b);
    case CS_VOLATILE_SURVIVAL_PRODUCT_LIMIT:
        return product_limit(law, length);
    }
    cs_bug("there is no law %d", (int)law->kind);
}

/* Sums over lives. */
struct totals {
    double ended, length, longest, log_ended; /* log_ended: of lengths that ended */
};

static struct totals totals_of(const struct cs_fleet_life *life, int64_t lifetimes)
{
    struct totals t = {0};

    for (int64_t i = 0; i < lifetimes; i++) {
        t.length += life[i].length;
        t.longest = fmax(t.longest, life[i].length);
        t.ended += life[i].ended;
        t.log_ended += life[i].ended ? log(life[i].length) : 0;
    }
    return t;
}

static struct cs_volatile_survival survival_exponential(double rate, const struct totals *t)
{
    return (struct cs_volatile_survival){.kind = CS_VOLATILE_SURVIVAL_EXPONENTIAL,
                                         .a = rate,
                                         .log_likelihood = t->ended * log(rate) - rate * t->length};
}

struct cs_volatile_survival cs_volatile_survival_few(const struct cs_fleet_life *life,
                                                     int64_t lifetimes)
{
    struct totals t = totals_of(life, lifetimes);

    return survival_exponential((t.ended + 0.5) / t.length, &t);
}

/* How far a shape is from solving the equation of the likelihood; rises with it.  `mean` is that of
 * ln t over lives that ended, t over the longest. */
static double survival_excess(const struct cs_fleet_life *life, int64_t lifetimes, double longest,
                              double mean, double shape)
{
    double sum = 0, weighted = 0;

    for (int64_t i = 0; i < lifetimes; i++) {
        double x = log(life[i].length / longest), power = exp(shape * x);

        sum += power;
        weighted += power * x;
    }
    return weighted / sum - 1 / shape - mean;
}

static struct cs_volatile_survival fit_weibull(const struct cs_fleet_life *life, int64_t lifetimes,
                                               const struct totals *t)
{
    double mean = t->log_ended / t->ended - log(t->longest), low = log(LOW_SHAPE);
    double high = log(HIGH_SHAPE), shape, scale, sum = 0;

    for (int i = 0; i < HALVINGS && high - low > 0; i++) {
        double middle = (low + high) / 2;

        if (middle == low || middle == high)
            break;
        if (survival_excess(life, lifetimes, t->longest, mean, exp(middle)) > 0)
            high = middle;
        else
            low = middle;
    }
    shape = exp((low + high) / 2);
    for (int64_t i = 0; i < lifetimes; i++)
        sum += pow(life[i].length / t->longest, shape);
    scale = t->longest * pow(sum / t->ended, 1 / shape);
    return (struct cs_volatile_survival){
        .kind = CS_VOLATILE_SURVIVAL_WEIBULL,
        .a = shape,
        .b = scale,
        .log_likelihood = t->ended * (log(shape) - shape * log(scale)) +
                          (shape - 1) * t->log_ended - sum * pow(t->longest / scale, shape),
    };
}

/* First and second moment of the logarithm of a life that was cut off at exp(y). */
static void survival_expect(double y, double mu, double sigma, double *first, double *second)
{
    double z = (y - mu) / sigma, tail = 0.5 * erfc(z * SQRT_HALF);
    double h = tail < FAINT ? z : exp(-0.5 * z * z - HALF_LOG_TWO_PI) / tail;

    *first = mu + sigma * h;
    *second = mu * mu + sigma * sigma + sigma * (y + mu) * h;
}

/* One round of expectation and maximisation; true when nothing moves any more. */
static bool survival_improve(const struct cs_fleet_life *life, const double *y, int64_t lifetimes,
                             double *mu, double *sigma)
{
    double first = 0, second = 0, next, spread, moved;

    for (int64_t i = 0; i < lifetimes; i++) {
        double a = y[i], b = y[i] * y[i];

        if (!life[i].ended)
            survival_expect(y[i], *mu, *sigma, &a, &b);
        first += a;
        second += b;
    }
    next = first / (double)lifetimes;
    spread = sqrt(fmax(second / (double)lifetimes - next * next, 1e-12));
    moved = fabs(next - *mu);
    first = fabs(spread - *sigma);
    *mu = next;
    *sigma = spread;
    return moved < CLOSE * (1 + fabs(next)) && first < CLOSE * spread;
}

static struct cs_volatile_survival fit_log_normal(const struct cs_fleet_life *life,
                                                  int64_t lifetimes, struct cs_arena *scratch)
{
    double *y = CS_NEW_ARRAY(scratch, double, lifetimes), mu = 0, squares = 0, sigma, likely = 0;

    for (int64_t i = 0; i < lifetimes; i++) {
        y[i] = log(life[i].length);
        mu += y[i] / (double)lifetimes;
    }
    for (int64_t i = 0; i < lifetimes; i++)
        squares += (y[i] - mu) * (y[i] - mu) / (double)lifetimes;
    sigma = sqrt(fmax(squares, 1e-6));
    for (int round = 0; round < ROUNDS && !survival_improve(life, y, lifetimes, &mu, &sigma);
         round++)
        continue;
    for (int64_t i = 0; i < lifetimes; i++) {
        double z = (y[i] - mu) / sigma;

        likely += life[i].ended ? -0.5 * z * z - HALF_LOG_TWO_PI - log(sigma) - y[i] : log_tail(z);
    }
    return (struct cs_volatile_survival){
        .kind = CS_VOLATILE_SURVIVAL_LOG_NORMAL, .a = mu, .b = sigma, .log_likelihood = likely};
}

/* The hazard of lives longer than the middle one of those that ended. */
static double tail_hazard(const struct cs_fleet_life *life, int64_t lifetimes, const double *ended,
                          const struct totals *t)
{
    double middle = ended[(int)t->ended / 2], beyond = 0, time = 0;

    for (int64_t i = 0; i < lifetimes; i++)
        if (life[i].length > middle) {
            beyond += life[i].ended;
            time += life[i].length - middle;
        }
    return beyond > 0 ? beyond / time : fmax(t->ended, 0.5) / t->length;
}

/* Equal neighbours count once. */
static int count_distinct(const double *value, int count)
{
    int distinct = 0;

    for (int i = 0; i < count; i++)
        distinct += i == 0 || value[i] != value[i - 1];
    return distinct;
}

static struct cs_volatile_survival fit_product_limit(const struct cs_fleet_life *life,
                                                     int64_t lifetimes, const struct totals *t,
                                                     struct cs_arena *arena,
                                                     struct cs_arena *scratch)
{
    int count = 0, steps = 0, from = 0, distinct;
    double *all = CS_NEW_ARRAY(scratch, double, lifetimes);
    double *ended = CS_NEW_ARRAY(scratch, double, t->ended), *length, *sum, log_s = 0;

    for (int64_t i = 0; i < lifetimes; i++) {
        all[i] = life[i].length;
        if (life[i].ended)
            ended[count++] = life[i].length;
    }
    cs_order_sort_doubles(all, (int)lifetimes, scratch);
    cs_order_sort_doubles(ended, count, scratch);
    distinct = count_distinct(ended, count);
    length = CS_NEW_ARRAY(arena, double, distinct);
    sum = CS_NEW_ARRAY(arena, double, distinct);
    for (int i = 0, next; i < count; i = next) {
        double risk;

        for (next = i; next < count && ended[next] == ended[i];)
            next++;
        while (all[from] < ended[i])
            from++;
        risk = (double)(lifetimes - from);
        if (risk < RISK || next - i == risk)
            break;
        log_s += log1p(-(next - i) / risk);
        length[steps] = ended[i];
        sum[steps++] = log_s;
    }
    return (struct cs_volatile_survival){.kind = CS_VOLATILE_SURVIVAL_PRODUCT_LIMIT,
                                         .a = tail_hazard(life, lifetimes, ended, t),
                                         .steps = steps,
                                         .length = length,
                                         .log = sum,
                                         .log_likelihood = NAN};
}

struct cs_volatile_survival cs_volatile_survival_fit(enum cs_volatile_survival_kind kind,
                                                     const struct cs_fleet_life *life,
                                                     int64_t lifetimes, struct cs_arena *arena)
{
    struct totals t = totals_of(life, lifetimes);
    struct cs_arena *scratch = cs_arena_create();
    struct cs_volatile_survival law;

    CS_REQUIRE(t.ended > 0 && lifetimes <= INT_MAX);
    if (kind == CS_VOLATILE_SURVIVAL_EXPONENTIAL)
        law = survival_exponential(t.ended / t.length, &t);
    else if (kind == CS_VOLATILE_SURVIVAL_WEIBULL)
        law = fit_weibull(life, lifetimes, &t);
    else if (kind == CS_VOLATILE_SURVIVAL_LOG_NORMAL)
        law = fit_log_normal(life, lifetimes, scratch);
    else
        law = fit_product_limit(life, lifetimes, &t, arena, scratch);
    cs_arena_destroy(scratch);
    return law;
}
