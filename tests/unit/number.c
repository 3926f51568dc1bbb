/* number: what is one, what is not, and the nearest double for all that are. */
#include "base/number.h"
#include "base/plain.h"
#include "base/rng.h"
#include "unit/kit.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void reads_decimals(void **state)
{
    static const struct {
        const char *text;
        double value;
    } fine[] = {
        {"0", 0},
        {"1", 1},
        {"-1", -1},
        {"+2.5", 2.5},
        {".5", 0.5},
        {"5.", 5},
        {"1e3", 1000},
        {"1E-3", 0.001},
        {"1e+22", 1e22},
        {"0.1", 0.1},
        {"1e308", 1e308},
        {"1.7976931348623157e308", 1.7976931348623157e308},
        {"5e-324", 5e-324},
        {"1e-400", 0},
        {"00012", 12},
        {"9007199254740993", 9007199254740992.0},
        {"123456789012345678901234567890", 1.2345678901234568e29},
        {"0.000000000000000000000000000001", 1e-30},
        {"0e999999999999", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        double value = NAN;

        assert_int_equal(cs_number_double(fine[i].text, &value), CS_NUMBER_FINE);
        assert_true(value == fine[i].value);
    }
}

static void refuses_what_is_not_a_decimal(void **state)
{
    static const char *const bad[] = {
        " 1", "1 ",  "1\n", "0x10", "0x1p3", "1,5",  "1.2.3", "e5",   "1e", "1e+",    ".",
        "-",  "+-1", "--1", "abc",  "1s",    "1e5x", "1_0",   "nan1", "in", "nan(1)", "\xd9\xa1"};
    double value = 7;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(cs_number_double(bad[i], &value), CS_NUMBER_NOT_ONE);
    assert_int_equal(cs_number_double("", &value), CS_NUMBER_EMPTY);
    assert_int_equal(cs_number_double("1e309", &value), CS_NUMBER_RANGE);
    assert_int_equal(cs_number_double("-1e99999999999999999999", &value), CS_NUMBER_RANGE);
    assert_true(value == 7);
}

static void reports_infinities_and_nan(void **state)
{
    double value = 0;

    (void)state;
    assert_int_equal(cs_number_double("inf", &value), CS_NUMBER_INFINITE);
    assert_true(isinf(value) && value > 0);
    assert_int_equal(cs_number_double("-Infinity", &value), CS_NUMBER_INFINITE);
    assert_true(isinf(value) && value < 0);
    assert_int_equal(cs_number_double("NaN", &value), CS_NUMBER_NAN);
    assert_true(isnan(value));
}

/* Every way to write a random double, against strtod. */
static void gives_the_nearest_double(void **state)
{
    static const char *const format[] = {"%.17g", "%.6g", "%.3f", "%.20e", "%.12g"};
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 1, 0, 0);
    for (int i = 0; i < 50000; i++) {
        const double size = pow(10, (double)cs_rng_below(&rng, 40) - 20);
        const double x = (cs_rng_uniform(&rng) - 0.5) * size;
        char text[80];
        double value = NAN;

        cs_plain_print(text, sizeof text, format[i % 5], x);
        assert_int_equal(cs_number_double(text, &value), CS_NUMBER_FINE);
        assert_true(value == cs_plain_double(text, NULL));
        assert_true(signbit(value) == signbit(x));
    }
}

/* Where a locale with a decimal comma is installed. */
static void a_point_is_a_point_in_every_locale(void **state)
{
    static const char *const comma[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE.utf8", "fr_FR.utf8"};
    const char *found = NULL;
    double value = 0;

    (void)state;
    for (int i = 0; i < 4 && !found; i++)
        found = setlocale(LC_ALL, comma[i]);
    if (!found)
        return;
    assert_int_equal(cs_number_double("1.23456789012345678901", &value), CS_NUMBER_FINE);
    assert_true(value == 1.23456789012345678901);
    assert_int_equal(cs_number_double("1,5", &value), CS_NUMBER_NOT_ONE);
    setlocale(LC_ALL, "C");
}

static void letters_are_those_of_ascii(void **state)
{
    (void)state;
    assert_int_equal(cs_plain_compare("INFinity", "infINITY"), 0);
    assert_true(cs_plain_compare("a", "B") < 0 && cs_plain_compare("b", "A") > 0);
    assert_true(cs_plain_compare("a", "ab") < 0 && cs_plain_compare("\xc3\x84", "\xc3\xa4") != 0);
    assert_true(cs_plain_begins("Unix", "unI") && cs_plain_begins("a", ""));
    assert_false(cs_plain_begins("un", "uni") || cs_plain_begins("", "u"));
    assert_true(cs_plain_is_word('Z') && cs_plain_is_word('0') && !cs_plain_is_word('_'));
    assert_false(cs_plain_is_word('\xe4') || cs_plain_is_word('\0'));
}

static void whole_numbers_know_their_range(void **state)
{
    int i = 7;
    int64_t l = 7;
    uint64_t u = 7;

    (void)state;
    assert_int_equal(cs_number_int("2147483648", &i), CS_NUMBER_RANGE);
    assert_int_equal(cs_number_int("-2147483649", &i), CS_NUMBER_RANGE);
    assert_int_equal(cs_number_int64("9223372036854775808", &l), CS_NUMBER_RANGE);
    assert_int_equal(cs_number_int64("-9223372036854775809", &l), CS_NUMBER_RANGE);
    assert_int_equal(cs_number_uint64("18446744073709551616", &u), CS_NUMBER_RANGE);
    assert_int_equal(cs_number_uint64("-1", &u), CS_NUMBER_RANGE);
    assert_true(i == 7 && l == 7 && u == 7);
    assert_int_equal(cs_number_int("-2147483648", &i), CS_NUMBER_FINE);
    assert_int_equal(cs_number_int64("-9223372036854775808", &l), CS_NUMBER_FINE);
    assert_int_equal(cs_number_uint64("18446744073709551615", &u), CS_NUMBER_FINE);
    assert_true(i == INT32_MIN && l == INT64_MIN && u == UINT64_MAX);
    assert_int_equal(cs_number_int("+2147483647", &i), CS_NUMBER_FINE);
    assert_int_equal(cs_number_int64("9223372036854775807", &l), CS_NUMBER_FINE);
    assert_int_equal(cs_number_uint64("-0", &u), CS_NUMBER_FINE);
    assert_true(i == INT32_MAX && l == INT64_MAX && u == 0);
}

static void whole_numbers_are_whole(void **state)
{
    int i = 7;

    (void)state;
    assert_int_equal(cs_number_int("1.0", &i), CS_NUMBER_FRACTION);
    assert_int_equal(cs_number_int("1e3", &i), CS_NUMBER_FRACTION);
    assert_int_equal(cs_number_int("", &i), CS_NUMBER_EMPTY);
    assert_int_equal(cs_number_int("4x", &i), CS_NUMBER_NOT_ONE);
    assert_int_equal(cs_number_int(" 4", &i), CS_NUMBER_NOT_ONE);
    assert_int_equal(cs_number_int("inf", &i), CS_NUMBER_INFINITE);
    assert_int_equal(cs_number_int("nan", &i), CS_NUMBER_NAN);
    assert_int_equal(i, 7);
}

static void wishes_are_met_or_not(void **state)
{
    (void)state;
    assert_true(cs_number_meets(-1, CS_NUMBER_FINITE));
    assert_false(cs_number_meets(INFINITY, CS_NUMBER_FINITE));
    assert_false(cs_number_meets(NAN, CS_NUMBER_FINITE));
    assert_false(cs_number_meets(0, CS_NUMBER_POSITIVE));
    assert_true(cs_number_meets(0, CS_NUMBER_NOT_NEGATIVE));
    assert_false(cs_number_meets(-1e-300, CS_NUMBER_NOT_NEGATIVE));
    assert_true(cs_number_meets(INFINITY, CS_NUMBER_POSITIVE_OR_INF));
    assert_false(cs_number_meets(NAN, CS_NUMBER_POSITIVE_OR_INF));
    assert_false(cs_number_meets(INFINITY, CS_NUMBER_POSITIVE));
    assert_string_equal(cs_number_wanted(CS_NUMBER_FINITE), "a number");
    assert_string_equal(cs_number_wanted(CS_NUMBER_POSITIVE), "a positive number");
    assert_string_equal(cs_number_wanted(CS_NUMBER_NOT_NEGATIVE), "a number that is not negative");
    assert_string_equal(cs_number_wanted(CS_NUMBER_POSITIVE_OR_INF), "a positive number or inf");
}

static void reads_times(void **state)
{
    static const struct {
        const char *text;
        double seconds;
    } fine[] = {
        {"90", 90},       {"1.5", 1.5},   {"1e4", 1e4},   {"1E+4", 1e4},     {"2.5e-3", 0.0025},
        {"1e1ms", 0.01},  {"2m", 120},    {"1e-1h", 360}, {"1:30:00", 5400}, {"1-12:00:00", 129600},
        {"1e300", 1e300}, {"10us", 1e-5}, {"1e-400", 0},
    };
    static const char *const bad[] = {"",   "e4",    "1e",     "1e+",   "1e400", "1e308y", "0x10",
                                      "-1", "1e4e4", "2e5:30", "1e4 s", "nan",   "inf",    "1e-"};
    double seconds;

    (void)state;
    for (size_t i = 0; i < sizeof fine / sizeof *fine; i++) {
        assert_int_equal(cs_seconds_parse(fine[i].text, &seconds), 0);
        assert_float_equal(seconds, fine[i].seconds, 1e-15 * fine[i].seconds);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(cs_seconds_parse(bad[i], &seconds), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_decimals),
        cmocka_unit_test(reads_times),
        cmocka_unit_test(refuses_what_is_not_a_decimal),
        cmocka_unit_test(reports_infinities_and_nan),
        cmocka_unit_test(gives_the_nearest_double),
        cmocka_unit_test(a_point_is_a_point_in_every_locale),
        cmocka_unit_test(letters_are_those_of_ascii),
        cmocka_unit_test(whole_numbers_know_their_range),
        cmocka_unit_test(whole_numbers_are_whole),
        cmocka_unit_test(wishes_are_met_or_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
