/* strbuf: text that grows, digits that are enough, and excerpts fit for a message. */
#include "base/strbuf.h"
#include "base/number.h"
#include "base/plain.h"
#include "base/rng.h"
#include "base/utf8.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

static void grows_as_text_comes(void **state)
{
    struct cs_strbuf buf = CS_STRBUF_INIT;

    (void)state;
    assert_string_equal(buf.text, "");
    cs_strbuf_append(&buf, NULL, 0);
    for (int i = 0; i < 10000; i++)
        cs_strbuf_printf(&buf, "%04d", i);
    assert_int_equal(buf.length, 40000);
    assert_int_equal(strlen(buf.text), 40000);
    assert_memory_equal(buf.text + 4 * 1234, "1234", 4);
    cs_strbuf_clear(&buf);
    assert_string_equal(buf.text, "");
    cs_strbuf_putc(&buf, 'x');
    assert_string_equal(buf.text, "x");
    cs_strbuf_release(&buf);
    assert_string_equal(buf.text, "");
    cs_strbuf_clear(&buf);
}

static void doubles_read_back_as_they_were(void **state)
{
    struct cs_strbuf buf = CS_STRBUF_INIT;
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 1, 0, 0);
    for (int i = 0; i < 30000; i++) {
        const uint64_t bits = cs_rng_next(&rng);
        double value, back = 0;

        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value))
            continue;
        cs_strbuf_clear(&buf);
        cs_strbuf_put_double(&buf, value);
        assert_int_equal(cs_number_double(buf.text, &back), CS_NUMBER_FINE);
        assert_memory_equal(&value, &back, sizeof value);
    }
    cs_strbuf_release(&buf);
}

/* The first of %.15g, %.16g and %.17g that the C library reads back as the same. */
static void by_trial(double value, char *text, size_t size)
{
    for (int digits = 15; digits <= 17; digits++) {
        cs_plain_print(text, size, "%.*g", digits, value);
        if (cs_plain_double(text, NULL) == value)
            return;
    }
}

static void expect_trial(double value)
{
    struct cs_strbuf buf = CS_STRBUF_INIT;
    char want[40];
    double back = 0;

    by_trial(value, want, sizeof want);
    cs_strbuf_put_double(&buf, value);
    assert_string_equal(buf.text, want);
    assert_int_equal(cs_number_double(buf.text, &back), CS_NUMBER_FINE);
    assert_true(back == value);
    cs_strbuf_release(&buf);
}

static void common_doubles_have_the_digits_of_the_library(void **state)
{
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 2, 0, 0);
    for (int i = 0; i < 30000; i++) {
        const double unit = (double)(cs_rng_next(&rng) >> 11) * 0x1p-53;

        expect_trial(pow(10, 20 * unit - 4.5));
        expect_trial(-floor(pow(10, 7 + 8 * unit)) / 1000);
    }
    for (int e = -5; e <= 16; e++) {
        const double power = pow(10, e);

        expect_trial(power);
        expect_trial(nextafter(power, 0));
        expect_trial(nextafter(power, INFINITY));
    }
    for (int e = -20; e <= 60; e++) {
        expect_trial(ldexp(1, e));
        expect_trial(nextafter(ldexp(1, e), 0));
        expect_trial(nextafter(ldexp(1, e), INFINITY));
    }
}

static void decimals_of_many_digits_are_read_as_the_library_does(void **state)
{
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 3, 0, 0);
    for (int i = 0; i < 60000; i++) {
        const uint64_t digits = cs_rng_next(&rng) >> (i % 12);
        char text[64];
        double value = 0;

        cs_plain_print(text, sizeof text, "%llue-%d", (unsigned long long)digits, i % 30);
        assert_int_equal(cs_number_double(text, &value), CS_NUMBER_FINE);
        assert_true(value == cs_plain_double(text, NULL));
        cs_plain_print(text, sizeof text, "%llue-%d,", (unsigned long long)digits | 1, i % 30);
        assert_true(cs_number_prefix(text) == cs_plain_double(text, NULL));
    }
}

static void whole_numbers_have_all_their_digits(void **state)
{
    struct cs_strbuf buf = CS_STRBUF_INIT;

    (void)state;
    cs_strbuf_put_int(&buf, INT64_MIN);
    cs_strbuf_putc(&buf, ' ');
    cs_strbuf_put_int(&buf, INT64_MAX);
    cs_strbuf_putc(&buf, ' ');
    cs_strbuf_put_uint(&buf, UINT64_MAX);
    cs_strbuf_putc(&buf, ' ');
    cs_strbuf_put_int(&buf, 0);
    cs_strbuf_putc(&buf, ' ');
    cs_strbuf_put_int(&buf, -10);
    assert_string_equal(buf.text, "-9223372036854775808 9223372036854775807 "
                                  "18446744073709551615 0 -10");
    cs_strbuf_release(&buf);
}

static void doubles_are_short(void **state)
{
    static const double value[] = {0.1, 1e300,    123456789, 0.3, 1e-5,
                                   NAN, INFINITY, -INFINITY, -0.0};
    struct cs_strbuf buf = CS_STRBUF_INIT;

    (void)state;
    for (int i = 0; i < 9; i++) {
        cs_strbuf_put_double(&buf, value[i]);
        cs_strbuf_putc(&buf, ' ');
    }
    assert_string_equal(buf.text, "0.1 1e+300 123456789 0.3 1e-05 nan inf -inf -0 ");
    cs_strbuf_release(&buf);
}

static void excerpt(const char *text, const char *want)
{
    struct cs_strbuf buf = CS_STRBUF_INIT;

    cs_strbuf_puts(&buf, "found ");
    cs_strbuf_put_excerpt(&buf, text);
    assert_memory_equal(buf.text, "found ", 6);
    assert_string_equal(buf.text + 6, want);
    cs_strbuf_release(&buf);
}

static void excerpts_are_fit_for_a_message(void **state)
{
    (void)state;
    excerpt("", "\"\"");
    excerpt("plain", "\"plain\"");
    excerpt("a\nb\tc\rd\x1b[31m\x7f", "\"a\\nb\\tc\\rd\\x1b[31m\\x7f\"");
    excerpt("\xc3\xa9\xff\xe2\x82", "\"\xc3\xa9\\xff\\xe2\\x82\"");
    excerpt("12345678901234567890123456789012345678901234567890123456789",
            "\"12345678901234567890123456789012345678901234567890123456789\"");
    excerpt("1234567890123456789012345678901234567890123456789012345678\xe2\x82\xac"
            "x",
            "\"1234567890123456789012345678901234567890123456789012345678\xe2\x82\xac...\"");
}

/* Every sequence of two bytes, and the borders of those of three and four. */
static void good_utf8_is_reported_from_bad(void **state)
{
    (void)state;
    for (int a = 1; a < 256; a++) {
        for (int b = 0; b < 256; b++) {
            const char text[] = {(char)a, (char)b, '\0'};
            const int want = a < 0x80 ? 1 : a >= 0xc2 && a < 0xe0 && b >= 0x80 && b < 0xc0 ? 2 : 0;

            assert_int_equal(cs_utf8_length(text), want);
        }
    }
    assert_int_equal(cs_utf8_length(""), 1);
    assert_int_equal(cs_utf8_length("\xe0\xa0\x80"), 3);
    assert_int_equal(cs_utf8_length("\xe0\x9f\xbf"), 0);
    assert_int_equal(cs_utf8_length("\xed\x9f\xbf"), 3);
    assert_int_equal(cs_utf8_length("\xed\xa0\x80"), 0);
    assert_int_equal(cs_utf8_length("\xed\xbf\xbf"), 0);
    assert_int_equal(cs_utf8_length("\xee\x80\x80"), 3);
    assert_int_equal(cs_utf8_length("\xf0\x90\x80\x80"), 4);
    assert_int_equal(cs_utf8_length("\xf0\x8f\xbf\xbf"), 0);
    assert_int_equal(cs_utf8_length("\xf4\x8f\xbf\xbf"), 4);
    assert_int_equal(cs_utf8_length("\xf4\x90\x80\x80"), 0);
}

static void words_are_quoted_for_the_shell_where_they_have_to_be(void **state)
{
    static const char *const cases[][2] = {
        {"a/b-c.db", "a/b-c.db"},     {"way=x,y", "way=x,y"}, {"", "''"},
        {"two words", "'two words'"}, {"it's", "'it'\\''s'"}, {"$HOME", "'$HOME'"},
    };
    struct cs_strbuf buf = CS_STRBUF_INIT;

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cs_strbuf_clear(&buf);
        cs_strbuf_put_shell(&buf, cases[c][0]);
        assert_string_equal(buf.text, cases[c][1]);
    }
    cs_strbuf_release(&buf);
}

static void ranges_name_what_is_set(void **state)
{
    static const struct {
        bool set[6];
        const char *text;
    } cases[] = {
        {{false}, ""},
        {{true}, "1"},
        {{false, false, false, false, false, true}, "6"},
        {{true, true, true, true, true, true}, "1-6"},
        {{true, true, false, true, false, true}, "1-2,4,6"},
    };
    struct cs_strbuf buf = CS_STRBUF_INIT;

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        cs_strbuf_clear(&buf);
        cs_strbuf_put_ranges(&buf, cases[c].set, 6);
        assert_string_equal(buf.text, cases[c].text);
    }
    cs_strbuf_release(&buf);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grows_as_text_comes),
        cmocka_unit_test(doubles_read_back_as_they_were),
        cmocka_unit_test(common_doubles_have_the_digits_of_the_library),
        cmocka_unit_test(decimals_of_many_digits_are_read_as_the_library_does),
        cmocka_unit_test(whole_numbers_have_all_their_digits),
        cmocka_unit_test(doubles_are_short),
        cmocka_unit_test(excerpts_are_fit_for_a_message),
        cmocka_unit_test(words_are_quoted_for_the_shell_where_they_have_to_be),
        cmocka_unit_test(ranges_name_what_is_set),
        cmocka_unit_test(good_utf8_is_reported_from_bad),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
