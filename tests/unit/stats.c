/* stats: against sums done the long way, tables, and R. */
#include "base/stats.h"
#include "base/rng.h"
#include "unit/kit.h"

#include <math.h>
#include <stdlib.h>

static void near(double got, double want, double relative)
{
    assert_true(fabs(got - want) <= relative * fabs(want));
}

static void says_what_a_small_sample_says(void **state)
{
    static const double value[] = {2, 4, 4, 4, 5, 5, 7, 9};
    struct cs_stats s = {0};

    (void)state;
    for (int i = 0; i < 8; i++)
        cs_stats_add(&s, value[i]);
    assert_int_equal(s.count, 8);
    near(cs_stats_mean(&s), 5, 1e-15);
    near(cs_stats_variance(&s), 32.0 / 7, 1e-14);
    near(cs_stats_deviation(&s), sqrt(32.0 / 7), 1e-14);
    assert_true(cs_stats_min(&s) == 2 && cs_stats_max(&s) == 9);
    near(cs_stats_confidence(&s), 2.3646242515928 * sqrt(32.0 / 7 / 8), 1e-10);
}

static void what_a_sample_is_too_small_to_say_is_nan(void **state)
{
    struct cs_stats s = {0};

    (void)state;
    assert_true(isnan(cs_stats_mean(&s)) && isnan(cs_stats_min(&s)) && isnan(cs_stats_max(&s)));
    assert_true(isnan(cs_stats_variance(&s)));
    cs_stats_add(&s, -3);
    assert_true(cs_stats_mean(&s) == -3 && cs_stats_min(&s) == -3 && cs_stats_max(&s) == -3);
    assert_true(isnan(cs_stats_variance(&s)) && isnan(cs_stats_deviation(&s)));
    assert_true(isnan(cs_stats_confidence(&s)));
}

static void keeps_its_digits_far_from_zero(void **state)
{
    struct cs_stats s = {0};

    (void)state;
    for (int i = 0; i < 3000; i++)
        cs_stats_add(&s, 1e9 + i % 3);
    near(cs_stats_variance(&s), 2000.0 / 2999, 1e-6);
}

static void quantiles_are_those_of_r(void **state)
{
    static const double value[] = {10, 1, 4, 2, 3}, even[] = {1, 2, 3, 4};
    struct cs_arena *arena = cs_arena_create();

    (void)state;
    assert_true(cs_stats_quantile(value, 5, 0.5, arena) == 3);
    assert_true(cs_stats_quantile(value, 5, 0, arena) == 1);
    assert_true(cs_stats_quantile(value, 5, 1, arena) == 10);
    near(cs_stats_quantile(value, 5, 0.9, arena), 7.6, 1e-15);
    assert_true(value[0] == 10 && value[1] == 1);
    assert_true(cs_stats_quantile_sorted(even, 4, 0.25) == 1.75);
    assert_true(cs_stats_quantile_sorted(even, 4, 0.5) == 2.5);
    assert_true(cs_stats_quantile_sorted(even, 1, 0.3) == 1);
    assert_true(isnan(cs_stats_quantile(even, 0, 0.5, arena)));
    cs_arena_destroy(arena);
}

static void student_is_that_of_the_tables(void **state)
{
    static const struct {
        double probability, t;
        uint64_t degrees;
    } table[] = {
        {0.95, 12.706204736175, 1},          {0.95, 4.3026527297495, 2},
        {0.95, 3.1824463052837, 3},          {0.95, 2.5705818356363, 5},
        {0.95, 2.2281388519862, 10},         {0.95, 2.0422724563012, 30},
        {0.95, 1.9839715185235, 100},        {0.95, 1.9719565442518, 199},
        {0.95, 1.9718962236316, 200},        {0.95, 1.9623390808264, 1000},
        {0.99, 63.656741162872, 1},          {0.99, 4.0321429835552, 5},
        {0.99, 3.1692726726169, 10},         {0.9, 2.3533634348018, 3},
        {0.9, 1.6972608865939, 30},          {0.5, 1, 1},
        {0.95, 1.9599639845400, UINT64_MAX},
    };

    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        near(cs_stats_student(table[i].probability, table[i].degrees), table[i].t, 1e-11);
}

static void fisher_is_that_of_the_tables(void **state)
{
    static const struct {
        double ratio;
        uint64_t upper, lower;
    } five_per_cent[] = {
        {161.4476387975881, 1, 1},
        {18.51282051282051, 1, 2},
        {5.050329057632604, 5, 5},
        {3.708264819231758, 3, 10},
    };

    (void)state;
    for (size_t i = 0; i < sizeof five_per_cent / sizeof *five_per_cent; i++)
        assert_true(fabs(cs_stats_fisher_above(five_per_cent[i].ratio, five_per_cent[i].upper,
                                               five_per_cent[i].lower) -
                         0.05) < 1e-6);
    for (uint64_t d = 1; d < 300; d += 7) {
        const double t = cs_stats_student(0.95, d);

        assert_true(fabs(cs_stats_fisher_above(t * t, 1, d) - 0.05) < 1e-10);
    }
    near(cs_stats_fisher_above(199 * 2.88 / (200 - 2.88), 1, 199), 0.089730696437357908, 1e-13);
    for (uint64_t d = 2; d < 10000; d *= 7) { /* (1 + 2 ratio / d)^(-d / 2) */
        near(cs_stats_fisher_above(0.3, 2, d), exp(-0.5 * (double)d * log1p(0.6 / (double)d)),
             1e-12);
        near(cs_stats_fisher_above(5, 2, d), exp(-0.5 * (double)d * log1p(10 / (double)d)), 1e-12);
    }
    assert_true(cs_stats_fisher_above(0, 3, 4) == 1);
    assert_true(cs_stats_fisher_above(INFINITY, 3, 4) == 0);
}

static void student_falls_where_its_two_methods_meet(void **state)
{
    (void)state;
    for (uint64_t d = 1; d < 400; d++)
        assert_true(cs_stats_student(0.95, d) > cs_stats_student(0.95, d + 1));
}

/* How often the interval holds the true mean. */
static void the_confidence_interval_holds_the_mean_19_times_in_20(void **state)
{
    struct cs_rng rng;
    int held = 0;

    (void)state;
    cs_rng_init(&rng, 8, 0, 0);
    for (int sample = 0; sample < 4000; sample++) {
        struct cs_stats s = {0};

        for (int i = 0; i < 4; i++)
            cs_stats_add(&s, 7 + 2 * cs_rng_normal(&rng));
        held += fabs(cs_stats_mean(&s) - 7) <= cs_stats_confidence(&s);
    }
    assert_true(abs(held - 3800) < 5 * 14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_a_small_sample_says),
        cmocka_unit_test(what_a_sample_is_too_small_to_say_is_nan),
        cmocka_unit_test(keeps_its_digits_far_from_zero),
        cmocka_unit_test(quantiles_are_those_of_r),
        cmocka_unit_test(student_is_that_of_the_tables),
        cmocka_unit_test(fisher_is_that_of_the_tables),
        cmocka_unit_test(student_falls_where_its_two_methods_meet),
        cmocka_unit_test(the_confidence_interval_holds_the_mean_19_times_in_20),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
