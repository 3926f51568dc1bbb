/* jsonw: the text to the byte, and jansson's opinion of it. */
#include "base/jsonw.h"
#include "base/rng.h"
#include "unit/dies.h"
#include "unit/kit.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static void writes_what_people_can_read(void **state)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&out);

    (void)state;
    cs_jsonw_open(&w, '{');
    cs_jsonw_put_double(&w, "cost", 0.1);
    cs_jsonw_put_int(&w, "procs", -3);
    cs_jsonw_key(&w, "packs");
    cs_jsonw_open(&w, '[');
    for (int i = 0; i < 2; i++) {
        cs_jsonw_open_flat(&w, '{');
        cs_jsonw_put_string(&w, "name", i ? NULL : "a");
        cs_jsonw_key(&w, "procs");
        cs_jsonw_open(&w, '[');
        cs_jsonw_uint(&w, UINT64_MAX);
        cs_jsonw_bool(&w, true);
        cs_jsonw_null(&w);
        cs_jsonw_close(&w);
        cs_jsonw_close(&w);
    }
    cs_jsonw_open(&w, '[');
    cs_jsonw_int(&w, 1);
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
    cs_jsonw_key(&w, "none");
    cs_jsonw_open(&w, '[');
    cs_jsonw_close(&w);
    cs_jsonw_put_bool(&w, "last", false);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    assert_string_equal(out.text,
                        "{\n"
                        "  \"cost\": 0.1,\n"
                        "  \"procs\": -3,\n"
                        "  \"packs\": [\n"
                        "    {\"name\": \"a\", \"procs\": [18446744073709551615, true, null]},\n"
                        "    {\"name\": null, \"procs\": [18446744073709551615, true, null]},\n"
                        "    [\n"
                        "      1\n"
                        "    ]\n"
                        "  ],\n"
                        "  \"none\": [],\n"
                        "  \"last\": false\n"
                        "}\n");
    cs_strbuf_release(&out);
}

static void numbers_have_no_more_digits_than_they_need(void **state)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&out);
    const double value[] = {0, 1, -2.5, 1e300, 5e-324, 1.0 / 3, NAN, INFINITY, -INFINITY};

    (void)state;
    cs_jsonw_open_flat(&w, '[');
    for (int i = 0; i < 9; i++)
        cs_jsonw_double(&w, value[i]);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    assert_string_equal(out.text, "[0, 1, -2.5, 1e+300, 5e-324, "
                                  "0.3333333333333333, null, null, null]\n");
    cs_strbuf_release(&out);
}

static void strings_are_escaped_and_made_utf8(void **state)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&out);

    (void)state;
    cs_jsonw_string(&w, "\"\\/\b\f\n\r\t\x01\x7f \xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 "
                        "\xff\xc3 \xc0\x80 \xed\xa0\x80 \xf4\x90\x80\x80 \xe2\x82");
    cs_jsonw_end(&w);
    assert_string_equal(out.text,
                        "\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0001\\u007f \xc3\xa9 \xe2\x82\xac "
                        "\xf0\x9f\x98\x80 \xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd "
                        "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "
                        "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "
                        "\xef\xbf\xbd\xef\xbf\xbd\"\n");
    cs_strbuf_release(&out);
}

static void write_random(struct cs_jsonw *w, struct cs_rng *rng, int depth)
{
    const uint64_t what = cs_rng_below(rng, depth ? 6 : 4);
    char text[6] = {0};

    for (int i = 0; i < 5; i++)
        text[i] = (char)cs_rng_below(rng, 256);
    if (what == 0) {
        cs_jsonw_string(w, text);
    } else if (what == 1) {
        cs_jsonw_double(w, cs_rng_normal(rng) * 1e9);
    } else if (what == 2) {
        cs_jsonw_int(w, (int64_t)cs_rng_next(rng));
    } else if (what == 3) {
        cs_jsonw_bool(w, cs_rng_below(rng, 2));
    } else {
        const char bracket = what == 4 ? '[' : '{';
        const int members = (int)cs_rng_below(rng, 5);

        (cs_rng_below(rng, 4) ? cs_jsonw_open : cs_jsonw_open_flat)(w, bracket);
        for (int i = 0; i < members; i++) {
            const char key[] = {(char)('a' + i), text[0], '\0'};

            if (bracket == '{')
                cs_jsonw_key(w, key);
            write_random(w, rng, depth - 1);
        }
        cs_jsonw_close(w);
    }
}

static void whatever_is_written_is_json(void **state)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 1, 0, 0);
    for (int i = 0; i < 3000; i++) {
        struct cs_jsonw w = cs_jsonw_begin(&out);
        json_t *back;

        cs_strbuf_clear(&out);
        write_random(&w, &rng, 4);
        cs_jsonw_end(&w);
        back = json_loadb(out.text, out.length, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, NULL);
        assert_non_null(back);
        json_decref(back);
    }
    cs_strbuf_release(&out);
}

static struct cs_jsonw object(void)
{
    static struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_jsonw w = cs_jsonw_begin(&out);

    cs_jsonw_open(&w, '{');
    return w;
}

static void value_without_key(void)
{
    struct cs_jsonw w = object();
    cs_jsonw_int(&w, 1);
}

static void key_without_value(void)
{
    struct cs_jsonw w = object();
    cs_jsonw_key(&w, "a");
    cs_jsonw_close(&w);
}

static void not_closed(void)
{
    struct cs_jsonw w = object();
    cs_jsonw_end(&w);
}

static void closed_too_often(void)
{
    struct cs_jsonw w = object();
    cs_jsonw_close(&w);
    cs_jsonw_close(&w);
}

static void two_documents(void)
{
    struct cs_jsonw w = object();
    cs_jsonw_close(&w);
    cs_jsonw_int(&w, 1);
}

static void misuse_is_a_bug(void **state)
{
    (void)state;
    assert_true(dies(value_without_key));
    assert_true(dies(key_without_value));
    assert_true(dies(not_closed));
    assert_true(dies(closed_too_often));
    assert_true(dies(two_documents));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_what_people_can_read),
        cmocka_unit_test(numbers_have_no_more_digits_than_they_need),
        cmocka_unit_test(strings_are_escaped_and_made_utf8),
        cmocka_unit_test(whatever_is_written_is_json),
        cmocka_unit_test(misuse_is_a_bug),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
