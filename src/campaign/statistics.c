/* statistics.c - comparing policies: paired differences, signed ranks, Holm, Friedman, Nemenyi.
 *
 * Source: docs/spec/science.md, section 7. Wilcoxon 1945, Holm 1979, Friedman 1937, Iman and
 * Davenport 1980, Demsar 2006.
 *
 * Idea: the exact distribution of the signed ranks counts the signs of each sum by dynamic
 * programming over doubled ranks, which are whole numbers with ties too. The quantile of the range
 * of k normals is found by bisection of Simpson's rule.
 *
 * Complexity: O(n^3) for n <= EXACT pairs, O(n log n) above; Friedman O(blocks k^2).
 *
 * Constants
 *   EXACT 100       pairs; counts up to 2^100 are exact in relation to 1e-14; at 50 the normal
 *                   approximation would decide at 60 pairs, 200 costs 8 times as much and needs
 *                   scaled counts for 2^1024 pairs only
 *   EQUAL 1e-12     relative; differences below it are rounding (section 7.3)
 *   STEPS 4096      of Simpson's rule on [-9, 9 + q]; half of it still gives 1e-12 (section 7.7)
 *   BISECTIONS 60   of [0, 60]: 5e-17, below a double's resolution
 */
#include "campaign/statistics.h"

#include "base/order.h"
#include "base/stats.h"

#include <math.h>
#include <string.h>

#define EXACT 100
#define EQUAL 1e-12
#define STEPS 4096
#define BISECTIONS 60
#define SQRT_HALF 0.70710678118654752440
#define DENSITY 0.39894228040143267794 /* of a standard normal variable at 0 */

/* ---- ranks ---- */

/* Ranks from 1 of n values in ascending order, the mean rank for equal ones; returns the sum of
 * t^3 - t over groups of t equal values. */
static double rank_values(const double *value, int n, double *rank, struct cs_arena *scratch)
{
    const struct cs_arena_mark mark = cs_arena_mark(scratch);
    int *order = CS_NEW_ARRAY(scratch, int, n);
    double ties = 0;

    cs_order_ascending(value, n, order, scratch);
    for (int i = 0, j; i < n; i = j) {
        for (j = i + 1; j < n && value[order[j]] == value[order[i]];)
            j++;
        for (int k = i; k < j; k++)
            rank[order[k]] = 0.5 * (i + 1 + j);
        ties += pow(j - i, 3) - (j - i);
    }
    cs_arena_rewind(scratch, mark);
    return ties;
}

/* P(sum of the ranks of random signs <= w), from counts of doubled sums. */
static double sum_exact_below(const double *rank, int n, double w, struct cs_arena *scratch)
{
    const int top = n * (n + 1), limit = (int)(2 * w);
    double *count = CS_NEW_ARRAY(scratch, double, top + 1), sum = 0;

    memset(count, 0, (size_t)(top + 1) * sizeof *count);
    count[0] = 1;
    for (int i = 0; i < n; i++) {
        const int step = (int)(2 * rank[i]);

        for (int s = top; s >= step; s--)
            count[s] += count[s - step];
    }
    for (int s = 0; s <= limit; s++)
        sum += count[s];
    return ldexp(sum, -n);
}

static void set_p(struct cs_pairs *r, const double *rank, int n, double ties,
                  struct cs_arena *scratch)
{
    const double least = fmin(r->w_plus, r->w_minus), m = n;

    r->method = !n ? CS_RANK_NONE : n <= EXACT ? CS_RANK_EXACT : CS_RANK_NORMAL;
    if (r->method == CS_RANK_NONE) {
        r->p = 1;
    } else if (r->method == CS_RANK_EXACT) {
        r->p = fmin(1, 2 * sum_exact_below(rank, n, least, scratch));
    } else {
        const double z =
            (least - m * (m + 1) / 4) / sqrt(m * (m + 1) * (2 * m + 1) / 24 - ties / 48);

        r->p = fmin(1, erfc(fabs(z) * SQRT_HALF));
    }
}

/* Wilcoxon's signed ranks of n differences, without those of 0. */
static void pairs_rank(const double *difference, int n, bool smaller, struct cs_pairs *r,
                       struct cs_arena *scratch)
{
    double *size = CS_NEW_ARRAY(scratch, double, n), *rank = CS_NEW_ARRAY(scratch, double, n);
    bool *positive = CS_NEW_ARRAY(scratch, bool, n);
    int left = 0, above;
    double ties;

    for (int i = 0; i < n; i++) {
        if (difference[i] == 0)
            continue;
        positive[left] = difference[i] > 0;
        size[left++] = fabs(difference[i]);
    }
    ties = rank_values(size, left, rank, scratch);
    above = 0;
    for (int i = 0; i < left; i++) {
        above += positive[i];
        *(positive[i] ? &r->w_plus : &r->w_minus) += rank[i];
    }
    r->ties = n - left;
    r->wins = smaller ? left - above : above;
    r->losses = left - r->wins;
    r->effect = left ? (r->w_plus - r->w_minus) / (r->w_plus + r->w_minus) : 0;
    set_p(r, rank, left, ties, scratch);
}

/* ---- pairs ---- */

/* The sums of the values without one each, not as differences, in which small values are lost;
 * returns the sum of all. */
static double sums_without(const double *value, int n, double *rest)
{
    double before = 0, after = 0;

    for (int i = 0; i < n; i++) {
        rest[i] = before;
        before += value[i];
    }
    for (int i = n - 1; i >= 0; i--) {
        rest[i] += after;
        after += value[i];
    }
    return before;
}

/* The ratio of the sums; its interval from the ratios without one pair each. */
static void pairs_divide(const double *x, const double *y, int n, double t, struct cs_pairs *r,
                         struct cs_arena *scratch)
{
    double *part = CS_NEW_ARRAY(scratch, double, n), *rest = CS_NEW_ARRAY(scratch, double, n);
    const double sum_x = sums_without(x, n, rest), sum_y = sums_without(y, n, part);
    double mean = 0, squares = 0, half;
    bool defined = sum_x != 0;

    for (int i = 0; i < n; i++) {
        defined &= rest[i] != 0;
        part[i] /= rest[i];
        mean += part[i] / n;
    }
    for (int i = 0; i < n; i++)
        squares += (part[i] - mean) * (part[i] - mean);
    half = t * sqrt((n - 1.0) / n * squares);
    r->ratio = defined ? sum_y / sum_x : NAN;
    r->ratio_low = r->ratio - half;
    r->ratio_high = r->ratio + half;
}

static double sum_mean(const double *value, int n)
{
    double sum = 0;

    for (int i = 0; i < n; i++)
        sum += value[i];
    return sum / n;
}

static void pairs_compare(const double *x, const double *y, double confidence, bool smaller,
                          struct cs_pairs *r, struct cs_arena *scratch)
{
    const int n = r->pairs;
    const double t = cs_stats_student(confidence, (uint64_t)(n - 1));
    double *difference = CS_NEW_ARRAY(scratch, double, n), squares = 0, half;

    for (int i = 0; i < n; i++) {
        const double d = y[i] - x[i];

        difference[i] = fabs(d) <= EQUAL * fmax(fabs(x[i]), fabs(y[i])) ? 0 : d;
    }
    r->reference = sum_mean(x, n);
    r->mean = sum_mean(y, n);
    r->difference = sum_mean(difference, n);
    for (int i = 0; i < n; i++)
        squares += (difference[i] - r->difference) * (difference[i] - r->difference);
    half = t * sqrt(squares / (n - 1) / n);
    r->low = r->difference - half;
    r->high = r->difference + half;
    pairs_divide(x, y, n, t, r, scratch);
    pairs_rank(difference, n, smaller, r, scratch);
}

struct cs_pairs cs_statistics_pairs(const double *x, const double *y, int n, bool smaller,
                                    double confidence, struct cs_arena *scratch)
{
    const struct cs_arena_mark mark = cs_arena_mark(scratch);
    double *a = CS_NEW_ARRAY(scratch, double, n), *b = CS_NEW_ARRAY(scratch, double, n);
    struct cs_pairs r = {0};

    for (int i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i]))
            continue;
        a[r.pairs] = x[i];
        b[r.pairs++] = y[i];
    }
    r.dropped = n - r.pairs;
    if (r.pairs > 1)
        pairs_compare(a, b, confidence, smaller, &r, scratch);
    cs_arena_rewind(scratch, mark);
    return r;
}

void cs_statistics_holm(const double *p, int n, double *adjusted, struct cs_arena *scratch)
{
    const struct cs_arena_mark mark = cs_arena_mark(scratch);
    int *order = CS_NEW_ARRAY(scratch, int, n);
    double most = 0;

    cs_order_ascending(p, n, order, scratch);
    for (int i = 0; i < n; i++) {
        most = fmax(most, fmin(1, (n - i) * p[order[i]]));
        adjusted[order[i]] = most;
    }
    cs_arena_rewind(scratch, mark);
}

/* ---- Friedman and Nemenyi ---- */

/* P(chi2 distribution with so many degrees > x), a finite sum (Abramowitz and Stegun 26.4.4, 5). */
static double chi2_above(double x, int degrees)
{
    const double half = 0.5 * x;
    double term = degrees % 2 ? sqrt(half) / (0.5 * sqrt(acos(-1))) : 1, sum = 0;

    for (int k = degrees % 2 ? 3 : 2; k <= degrees; k += 2) {
        sum += term;
        term *= half / (0.5 * k);
    }
    return (degrees % 2 ? erfc(sqrt(half)) : 0) + exp(-half) * sum;
}

static double normal_below(double z)
{
    return 0.5 * erfc(-z * SQRT_HALF);
}

/* P(range of k standard normals <= q) = k times the integral of phi(z) (Phi(z) - Phi(z - q))^(k-1).
 */
static double range_below(double q, int k)
{
    const double low = -9, step = (18 + q) / STEPS;
    double sum = 0;

    for (int i = 0; i <= STEPS; i++) {
        const double z = low + i * step, weight = i % STEPS == 0 ? 1 : i % 2 ? 4 : 2;

        sum += weight * exp(-0.5 * z * z) * pow(normal_below(z) - normal_below(z - q), k - 1);
    }
    return k * DENSITY * sum * step / 3;
}

double cs_statistics_range(int k, double confidence)
{
    double low = 0, high = 60;

    for (int i = 0; i < BISECTIONS; i++) {
        const double q = 0.5 * (low + high);

        *(range_below(q, k) < confidence ? &low : &high) = q;
    }
    return 0.5 * (low + high) * SQRT_HALF;
}

/* Ranks of each block; returns the sum of their squares. */
static double ranks_add(const double *table, const struct cs_ranks *r, bool smaller,
                        struct cs_arena *scratch)
{
    const int k = r->values;
    double *value = CS_NEW_ARRAY(scratch, double, k), *rank = CS_NEW_ARRAY(scratch, double, k);
    double squares = 0;

    for (int b = 0; b < r->blocks; b++) {
        for (int j = 0; j < k; j++)
            value[j] = smaller ? table[(size_t)b * (size_t)k + (size_t)j]
                               : -table[(size_t)b * (size_t)k + (size_t)j];
        rank_values(value, k, rank, scratch);
        for (int j = 0; j < k; j++) {
            r->rank[j] += rank[j]; /* sums, for now */
            squares += rank[j] * rank[j];
        }
    }
    return squares;
}

/* The statistics from sums of ranks and the sum of their squares. */
static void ranks_test(struct cs_ranks *r, double squares)
{
    const double n = r->blocks, k = r->values, below = squares - n * k * (k + 1) * (k + 1) / 4;
    double above = 0, divisor;

    for (int j = 0; j < r->values; j++) {
        const double distance = r->rank[j] - n * (k + 1) / 2;

        above += distance * distance;
    }
    r->chi2 = below > 0 ? (k - 1) * above / below : 0;
    r->p = below > 0 ? chi2_above(r->chi2, r->values - 1) : 1;
    divisor = n * (k - 1) - r->chi2;
    if (r->chi2 == 0) {
        r->f = 0;
        r->p_f = 1;
    } else if (divisor <= EQUAL * r->chi2) {
        r->f = INFINITY;
        r->p_f = 0;
    } else {
        r->f = (n - 1) * r->chi2 / divisor;
        r->p_f = cs_stats_fisher_above(r->f, (uint64_t)(k - 1), (uint64_t)((k - 1) * (n - 1)));
    }
}

/* Every maximal run of two or more values whose ends differ by at most the critical difference. */
static void ranks_group(struct cs_ranks *r)
{
    int end = 0;

    for (int i = 0; i < r->values; i++) {
        int j = i;

        while (j + 1 < r->values &&
               r->rank[r->order[j + 1]] - r->rank[r->order[i]] <= r->critical_difference)
            j++;
        if (j > i && j > end) {
            r->group[r->groups][0] = i;
            r->group[r->groups++][1] = j;
        }
        end = j > end ? j : end;
    }
}

struct cs_ranks cs_statistics_ranks(const double *table, int blocks, int values, bool smaller,
                                    double confidence, struct cs_arena *arena)
{
    const double k = values;
    struct cs_ranks r = {.blocks = blocks, .values = values};

    r.rank = CS_NEW_ARRAY(arena, double, values);
    memset(r.rank, 0, (size_t)values * sizeof *r.rank);
    r.order = CS_NEW_ARRAY(arena, int, values);
    r.group = cs_arena_alloc(arena, (size_t)values, sizeof *r.group);
    ranks_test(&r, ranks_add(table, &r, smaller, arena));
    for (int j = 0; j < values; j++)
        r.rank[j] /= blocks;
    cs_order_ascending(r.rank, values, r.order, arena);
    r.critical_difference =
        cs_statistics_range(values, confidence) * sqrt(k * (k + 1) / (6.0 * blocks));
    ranks_group(&r);
    return r;
}
