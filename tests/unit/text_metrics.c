/* text_metrics: UTF-8 read with care, and labels that never overflow. */
#include "report/text_metrics.h"
#include "unit/kit.h"

#include <string.h>

static void decodes(const char *text, unsigned first, int length)
{
    const char *at = text;

    assert_int_equal(cs_text_next(&at), first);
    assert_int_equal(at - text, length);
}

static void reads_utf8_and_replaces_what_is_not(void **state)
{
    (void)state;
    decodes("", 0, 0);
    decodes("a", 'a', 1);
    decodes("\xc3\xa9", 0xe9, 2);
    decodes("\xe2\x80\xa6", 0x2026, 3);
    decodes("\xf0\x9f\x9a\x80", 0x1f680, 4);
    decodes("\x80", 0xfffd, 1);
    decodes("\xc0\xaf", 0xfffd, 1);
    decodes("\xe2\x80", 0xfffd, 1);
    decodes("\xe0\x80\x80", 0xfffd, 1);
    decodes("\xed\xa0\x80", 0xfffd, 1);
    decodes("\xf5\x80\x80\x80", 0xfffd, 1);
}

static void writes_every_code_point_as_it_reads_it(void **state)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    (void)state;
    for (unsigned code = 1; code <= 0x10ffff; code += code < 0x900 ? 1 : 61) {
        const char *at;

        if (code >= 0xd800 && code <= 0xdfff)
            continue;
        cs_strbuf_clear(&text);
        cs_text_put(&text, code);
        at = text.text;
        assert_int_equal(cs_text_next(&at), code);
        assert_int_equal(*at, 0);
    }
    cs_strbuf_release(&text);
}

static void knows_the_widths_of_dejavu_sans(void **state)
{
    (void)state;
    assert_float_equal(cs_text_width("", 10, false), 0, 0);
    assert_float_equal(cs_text_width("A", 10, false), 6.84, 1e-9);
    assert_float_equal(cs_text_width("A", 10, true), 7.74, 1e-9);
    assert_float_equal(cs_text_width("AAA", 20, false), 3 * 13.68, 1e-9);
    assert_float_equal(cs_text_width("e\xcc\x81", 10, false), cs_text_width("e", 10, false), 1e-9);
    assert_true(cs_text_width("W", 10, false) > 3 * cs_text_width("i", 10, false));
}

static void elided(const char *text, double room, int least, const char *want)
{
    struct cs_strbuf out = CS_STRBUF_INIT;

    assert_int_equal(cs_text_elide(&out, text, 10, false, room, least), want[0] != '\0');
    assert_string_equal(out.text, want);
    cs_strbuf_release(&out);
}

static void elides_only_what_does_not_fit(void **state)
{
    (void)state;
    elided("AAAA", 27.4, 1, "AAAA");
    elided("AAAA", 27.3, 1, "AA\xe2\x80\xa6");
    elided("AAAA", 23.6, 3, "");
    elided("AAAA", 16.9, 1, "A\xe2\x80\xa6");
    elided("AAAA", 16.7, 1, "");
    elided("A   A", 22, 1, "A\xe2\x80\xa6");
    elided("AAAA", -1, 1, "");
    elided("", 10, 1, "");
}

static void never_overflows(void **state)
{
    static const char *const name[] = {"short", "a very long name, longer than most",
                                       "na\xc3\xafve caf\xc3\xa9 \xe6\xbc\xa2\xe5\xad\x97 <&>",
                                       "\xff\xfe broken"};
    struct cs_strbuf out = CS_STRBUF_INIT;

    (void)state;
    for (size_t n = 0; n < sizeof name / sizeof *name; n++)
        for (int room = 0; room < 300; room++) {
            cs_strbuf_clear(&out);
            if (cs_text_elide(&out, name[n], 11, true, room, 2))
                assert_true(cs_text_width(out.text, 11, true) <= room);
            cs_strbuf_clear(&out);
            cs_text_elide_columns(&out, name[n], room + 1);
            assert_true(cs_text_columns(out.text) <= room + 1);
        }
    cs_strbuf_release(&out);
}

static void counts_the_columns_of_a_terminal(void **state)
{
    (void)state;
    assert_int_equal(cs_text_columns("abc"), 3);
    assert_int_equal(cs_text_columns("caf\xc3\xa9"), 4);
    assert_int_equal(cs_text_columns("e\xcc\x81"), 1);
    assert_int_equal(cs_text_columns("\xe6\xbc\xa2\xe5\xad\x97"), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_utf8_and_replaces_what_is_not),
        cmocka_unit_test(writes_every_code_point_as_it_reads_it),
        cmocka_unit_test(knows_the_widths_of_dejavu_sans),
        cmocka_unit_test(elides_only_what_does_not_fit),
        cmocka_unit_test(never_overflows),
        cmocka_unit_test(counts_the_columns_of_a_terminal),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
