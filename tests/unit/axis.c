/* axis: round numbers, and units that suit the span. */
#include "report/axis.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

static struct cs_ticks ticks;

static void are(const char *want)
{
    char all[2048] = "";

    for (int i = 0; i < ticks.count; i++) {
        strcat(all, i ? " " : "");
        strcat(all, ticks.label[i]);
    }
    assert_string_equal(all, want);
}

static void linear_ticks_are_multiples_of_1_2_or_5(void **state)
{
    (void)state;
    cs_ticks_linear(0, 1, 5, &ticks);
    are("0.0 0.2 0.4 0.6 0.8 1.0");
    cs_ticks_linear(0, 32, 6, &ticks);
    are("0 10 20 30");
    cs_ticks_linear(-3, 3, 4, &ticks);
    are("-2 0 2");
    cs_ticks_linear(0, 12e3, 4, &ticks);
    are("0 5,000 10,000");
    cs_ticks_linear(0, 3e-7, 3, &ticks);
    are("0 1e-7 2e-7 3e-7");
    cs_ticks_whole(0, 3, 10, &ticks);
    are("0 1 2 3");
}

static void small_rooms_get_five_ticks_where_they_fit(void **state)
{
    (void)state;
    assert_int_equal(cs_ticks_wanted(900, 90), 10);
    assert_int_equal(cs_ticks_wanted(213, 90), 5);
    assert_int_equal(cs_ticks_wanted(140, 90), 3);
    assert_int_equal(cs_ticks_wanted(1, 90), 2);
}

static void every_range_gets_ticks_within_it(void **state)
{
    (void)state;
    for (int exponent = -12; exponent < 12; exponent++)
        for (double low = -3; low < 3; low += 0.37) {
            double a = low * pow(10, exponent), b = a + 1.7 * pow(10, exponent);

            cs_ticks_linear(a, b, 6, &ticks);
            assert_in_range(ticks.count, 2, 10);
            for (int i = 0; i < ticks.count; i++) {
                assert_true(ticks.at[i] >= a - 1e-6 * (b - a) && ticks.at[i] <= b + 1e-6 * (b - a));
                assert_true(i == 0 || ticks.at[i] > ticks.at[i - 1]);
            }
        }
}

static void logarithmic_ticks_are_powers_of_ten(void **state)
{
    (void)state;
    cs_ticks_log(1, 1e4, 5, &ticks);
    are("1 10 100 1,000 10,000");
    cs_ticks_log(0.05, 3, 6, &ticks);
    are("0.05 0.1 0.2 0.5 1 2");
    cs_ticks_log(1e-3, 1e9, 5, &ticks);
    are("0.001 1 1,000 1,000,000 1e9");
    cs_ticks_log(0.003, 200, 6, &ticks);
    are("0.01 0.1 1 10 100");
    cs_ticks_log(3, 4, 5, &ticks);
    are("3.0 3.2 3.4 3.6 3.8 4.0");
    cs_ticks_log(1000, nextafter(1000, 2000), 5, &ticks);
    assert_true(ticks.count > 0);
}

static void time(double span, const char *unit, const char *want)
{
    struct cs_time_unit chosen = cs_time_unit(span);

    assert_string_equal(chosen.name, unit);
    cs_ticks_time(0, span, 6, chosen, &ticks);
    are(want);
}

static void times_have_units_that_suit(void **state)
{
    (void)state;
    time(1e-7, "ns", "0 20 40 60 80 100");
    time(0.35, "ms", "0 100 200 300");
    time(35.2, "s", "0 10 20 30");
    time(1100, "min", "0 5 10 15");
    time(3 * 3600, "h", "0.0 0.5 1.0 1.5 2.0 2.5 3.0");
    time(8 * 3600, "h", "0 2 4 6 8");
    time(100 * 86400.0, "d", "0 20 40 60 80 100");
    time(3e9, "d", "0 10,000 20,000 30,000");
    assert_float_equal(ticks.at[1], 864e6, 1);
}

static void widening_reaches_round_ends(void **state)
{
    double low = 0.13, high = 0.91;

    (void)state;
    cs_ticks_widen(&low, &high, 5);
    assert_float_equal(low, 0, 0);
    assert_float_equal(high, 1, 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_ticks_are_multiples_of_1_2_or_5),
        cmocka_unit_test(small_rooms_get_five_ticks_where_they_fit),
        cmocka_unit_test(every_range_gets_ticks_within_it),
        cmocka_unit_test(logarithmic_ticks_are_powers_of_ten),
        cmocka_unit_test(times_have_units_that_suit),
        cmocka_unit_test(widening_reaches_round_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
