/* statistics: against textbooks, and against the same numbers found by brute force. */
#include "campaign/statistics.h"
#include "base/rng.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

static void near(double got, double want, double relative)
{
    assert_true(fabs(got - want) <= relative * fabs(want));
}

/* Darwin's maize (Fisher, The design of experiments, 1935), crossed and self-fertilised plants. */
static void compares_the_maize_of_darwin(void **state)
{
    static const double self[] = {17.375, 20.375, 20,    20, 18.375, 18.625, 18.625, 15.25,
                                  16.5,   18,     16.25, 18, 12.75,  15.5,   18};
    static const double crossed[] = {23.5,  12,     21,    22, 19.125, 21.5, 22.125, 20.375,
                                     18.25, 21.625, 23.25, 21, 22.125, 23,   12};
    struct cs_arena *arena = cs_arena_create();
    const struct cs_pairs r = cs_statistics_pairs(self, crossed, 15, false, 0.95, arena);

    (void)state;
    assert_int_equal(r.pairs, 15);
    near(r.difference, 2.6166666666666667, 1e-12);
    near(r.low, 0.0038991647991242218, 1e-9);
    near(r.high, 5.229434168534209, 1e-9);
    near(r.ratio_low, 0.9933160466720673, 1e-9);
    assert_true(r.w_plus == 96 && r.w_minus == 24 && r.method == CS_RANK_EXACT);
    near(r.p, 0.041259765625, 1e-12);
    assert_true(r.wins == 13 && r.losses == 2 && r.ties == 0);
    cs_arena_destroy(arena);
}

/* Of two pairs the ratios without one of them are those of the pairs, however small one is. */
static void keeps_small_pairs_with_large_ones(void **state)
{
    static const double x[] = {1.25e-4, 3.25e6}, y[] = {1.5e-3, 13};
    struct cs_arena *arena = cs_arena_create();
    const struct cs_pairs r = cs_statistics_pairs(x, y, 2, true, 0.95, arena);

    (void)state;
    near(r.ratio_high - r.ratio, 12.706204736174696 * (12 - 4e-6) / 2, 1e-9);
    cs_arena_destroy(arena);
}

/* Table 6 of Demsar, 2006. */
static void ranks_the_classifiers_of_demsar(void **state)
{
    static const double table[] = {
        0.763, 0.768, 0.771,  0.798, 0.599, 0.591, 0.59,  0.569, 0.954, 0.971, 0.968, 0.967,
        0.628, 0.661, 0.654,  0.657, 0.882, 0.888, 0.886, 0.898, 0.936, 0.931, 0.916, 0.931,
        0.661, 0.668, 0.609,  0.685, 0.583, 0.583, 0.563, 0.625, 0.775, 0.838, 0.866, 0.875,
        1,     1,     1,      1,     0.94,  0.962, 0.965, 0.962, 0.619, 0.666, 0.614, 0.669,
        0.972, 0.981, 0.9751, 0.975, 0.957, 0.978, 0.946, 0.97};
    struct cs_arena *arena = cs_arena_create();
    const struct cs_ranks r = cs_statistics_ranks(table, 14, 4, false, 0.95, arena);

    (void)state;
    near(r.rank[0], 44.0 / 14, 1e-14);
    near(r.rank[3], 27.5 / 14, 1e-14);
    near(r.chi2, 10.228346456692913, 1e-12);
    near(r.p, 0.0167215803284414, 1e-12);
    near(r.f, 4.185130111524163, 1e-12);
    near(r.p_f, 0.01162065951531099, 1e-10);
    near(r.critical_difference, 1.25355914711761, 1e-12);
    assert_true(r.order[0] == 3 && r.groups == 1 && r.group[0][1] == 3);
    cs_arena_destroy(arena);
}

/* Demsar's table of critical values: q / sqrt(2) at 0.95. */
static void finds_the_quantiles_of_nemenyi(void **state)
{
    static const double q[] = {1.960, 2.344, 2.569, 2.728, 2.850, 2.948, 3.031, 3.102, 3.164};

    (void)state;
    for (int k = 2; k <= 10; k++)
        assert_true(fabs(cs_statistics_range(k, 0.95) - q[k - 2]) < 0.0005);
}

static void adjusts_as_holm(void **state)
{
    static const double p[] = {0.01, 0.04, 0.03, 0.005, 0.04, 1};
    static const double want[] = {0.05, 0.12, 0.12, 0.03, 0.12, 1};
    struct cs_arena *arena = cs_arena_create();
    double adjusted[6];

    (void)state;
    cs_statistics_holm(p, 6, adjusted, arena);
    for (int i = 0; i < 6; i++)
        near(adjusted[i], want[i], 1e-14);
    cs_arena_destroy(arena);
}

/* The p of all 2^n signs of the ranks. */
static double brute_p(const double *rank, int n, double least)
{
    int below = 0;

    for (int signs = 0; signs < 1 << n; signs++) {
        double sum = 0;

        for (int i = 0; i < n; i++)
            sum += signs >> i & 1 ? rank[i] : 0;
        below += sum <= least;
    }
    return fmin(1, 2.0 * below / (1 << n));
}

/* Mean ranks of the sizes of differences that are not 0. */
static int brute_ranks(const double *x, const double *y, int n, double *rank, double sum[2])
{
    int left = 0;

    sum[0] = sum[1] = 0;
    for (int i = 0; i < n; i++) {
        double above = 0.5;

        if (y[i] == x[i])
            continue;
        for (int j = 0; j < n; j++)
            if (y[j] != x[j] && fabs(y[j] - x[j]) <= fabs(y[i] - x[i]))
                above += fabs(y[j] - x[j]) < fabs(y[i] - x[i]) ? 1 : 0.5;
        rank[left++] = above;
        sum[y[i] > x[i]] += above;
    }
    return left;
}

/* 2,000 random samples with ties and zeros; swapped they give the opposite. */
static void agrees_with_brute_force(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 7, 1, 0);
    for (int t = 0; t < 2000; t++) {
        const int n = 2 + (int)cs_rng_below(&rng, 9);
        double x[12], y[12], rank[12], sum[2];
        struct cs_pairs r, back;
        int left;

        for (int i = 0; i < n; i++) {
            x[i] = (double)cs_rng_below(&rng, 6) + 1;
            y[i] = (double)cs_rng_below(&rng, 6) + 1;
        }
        r = cs_statistics_pairs(x, y, n, true, 0.95, arena);
        back = cs_statistics_pairs(y, x, n, true, 0.95, arena);
        left = brute_ranks(x, y, n, rank, sum);
        assert_true(r.w_plus == sum[1] && r.w_minus == sum[0] && r.ties == n - left);
        near(r.p, left ? brute_p(rank, left, fmin(sum[0], sum[1])) : 1, 1e-13);
        assert_true(back.difference == -r.difference && back.wins == r.losses);
        assert_true(back.p == r.p && back.effect == -r.effect);
        near(back.ratio * r.ratio, 1, 1e-13);
    }
    cs_arena_destroy(arena);
}

/* A permutation of the blocks changes nothing; with two values the best mean rank wins. */
static void ranks_do_not_depend_on_the_order_of_blocks(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 8, 1, 0);
    for (int t = 0; t < 20; t++) {
        const int k = 2 + (int)cs_rng_below(&rng, 5), n = 2 + (int)cs_rng_below(&rng, 10);
        double table[72], turned[72];
        struct cs_ranks a, b;

        for (int i = 0; i < n * k; i++)
            table[i] = (double)cs_rng_below(&rng, 8);
        for (int i = 0; i < n; i++)
            memcpy(turned + i * k, table + (n - 1 - i) * k, (size_t)k * sizeof *table);
        a = cs_statistics_ranks(table, n, k, true, 0.95, arena);
        b = cs_statistics_ranks(turned, n, k, true, 0.95, arena);
        assert_true(a.chi2 == b.chi2 && a.p_f == b.p_f && a.groups == b.groups);
        assert_memory_equal(a.order, b.order, (size_t)k * sizeof *a.order);
        if (k == 2) {
            int sign = 0;

            for (int i = 0; i < n; i++)
                sign += (table[2 * i] > table[2 * i + 1]) - (table[2 * i] < table[2 * i + 1]);
            assert_int_equal(a.order[0], sign > 0);
            near(a.rank[0] - a.rank[1], (double)sign / n, 1e-13);
            assert_true((a.chi2 > 0) == (sign != 0));
        }
    }
    cs_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compares_the_maize_of_darwin),
        cmocka_unit_test(keeps_small_pairs_with_large_ones),
        cmocka_unit_test(ranks_the_classifiers_of_demsar),
        cmocka_unit_test(finds_the_quantiles_of_nemenyi),
        cmocka_unit_test(adjusts_as_holm),
        cmocka_unit_test(agrees_with_brute_force),
        cmocka_unit_test(ranks_do_not_depend_on_the_order_of_blocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
