/* table: one description, three outputs. */
#include "report/table.h"
#include "unit/kit.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

static const struct cs_column columns[] = {
    {.key = "policy", .kind = CS_COLUMN_WORD},
    {.key = "cost_seconds", .heading = "cost", .unit = "s", .kind = CS_COLUMN_NUMBER, .digits = 2},
    {.key = "packs", .kind = CS_COLUMN_COUNT},
    {.key = "gap", .kind = CS_COLUMN_FRACTION, .digits = 1},
    {.key = "optimal", .kind = CS_COLUMN_BOOLEAN},
    {.key = "seed", .kind = CS_COLUMN_COUNT, .hidden = true},
};

static struct cs_table *example(void)
{
    struct cs_table *t = cs_table_create(columns, 6);

    cs_table_text(t, "caf\xc3\xa9, \"x\"\n");
    cs_table_number(t, 1234.5);
    cs_table_count(t, 3);
    cs_table_number(t, 0.1);
    cs_table_count(t, 1);
    cs_table_count(t, 7);
    cs_table_text(t, "pack-approx");
    cs_table_number(t, NAN);
    cs_table_count(t, 12000);
    cs_table_unknown(t);
    cs_table_count(t, 0);
    cs_table_unknown(t);
    return t;
}

static void writes(enum cs_table_format format, int width, const char *want)
{
    struct cs_table *t = example();
    struct cs_strbuf out = CS_STRBUF_INIT;

    assert_int_equal(cs_table_rows(t), 2);
    cs_table_write(t, format, width, &out);
    assert_string_equal(out.text, want);
    cs_strbuf_release(&out);
    cs_table_destroy(t);
}

static void aligns_for_people(void **state)
{
    (void)state;
    writes(CS_TABLE_TEXT, 0,
           "policy           cost   packs     gap  optimal\n"
           "                    s\n"
           "-----------  --------  ------  ------  -------\n"
           "caf\xc3\xa9, \"x\"    1,234.50       3  10.0 %  yes\n"
           "pack-approx         -  12,000       -\n");
}

static void elides_words_to_fit_a_terminal(void **state)
{
    (void)state;
    writes(CS_TABLE_TEXT, 20,
           "policy        cost   packs     gap  optimal\n"
           "                 s\n"
           "--------  --------  ------  ------  -------\n"
           "caf\xc3\xa9, \"\xe2\x80\xa6  1,234.50       3  10.0 %  yes\n"
           "pack-ap\xe2\x80\xa6         -  12,000       -\n");
}

static void fits(int width, const char *want)
{
    struct cs_table *t = example();
    struct cs_strbuf out = CS_STRBUF_INIT;

    cs_table_fit(t, width, &out);
    assert_string_equal(out.text, want);
    cs_strbuf_release(&out);
    cs_table_destroy(t);
}

static void leaves_columns_out_and_says_so(void **state)
{
    (void)state;
    fits(46, "policy           cost   packs     gap  optimal\n"
             "                    s\n"
             "-----------  --------  ------  ------  -------\n"
             "caf\xc3\xa9, \"x\"    1,234.50       3  10.0 %  yes\n"
             "pack-approx         -  12,000       -\n");
    fits(45, "policy           cost   packs     gap\n"
             "                    s\n"
             "-----------  --------  ------  ------\n"
             "caf\xc3\xa9, \"x\"    1,234.50       3  10.0 %\n"
             "pack-approx         -  12,000       -\n"
             "(made to fit 45 columns; left out: optimal; \"| less -S\" shows all of it)\n");
}

static void elides_words_before_columns_go(void **state)
{
    static const struct cs_column words[] = {
        {.key = "name", .kind = CS_COLUMN_WORD},
        {.key = "remark", .heading = "", .unit = "why", .kind = CS_COLUMN_WORD},
    };
    struct cs_table *t = cs_table_create(words, 2);
    struct cs_strbuf out = CS_STRBUF_INIT;

    (void)state;
    cs_table_text(t, "a name of 20 letters");
    cs_table_text(t, "one of twenty-three ...");
    cs_table_fit(t, 26, &out);
    assert_non_null(strstr(out.text, "\na name of 2\xe2\x80\xa6  one of twen\xe2\x80\xa6\n"));
    assert_non_null(strstr(out.text, "\n(made to fit 26 columns; \"| less"));
    cs_strbuf_clear(&out);
    cs_table_fit(t, 25, &out);
    assert_non_null(strstr(out.text, "\na name of 20 letters\n"));
    assert_non_null(strstr(out.text, "\n(made to fit 25 columns; left out: why;"));
    cs_strbuf_release(&out);
    cs_table_destroy(t);
}

static void writes_csv(void **state)
{
    (void)state;
    writes(CS_TABLE_CSV, 0,
           "policy,cost_seconds,packs,gap,optimal,seed\n"
           "\"caf\xc3\xa9, \"\"x\"\"\n\",1234.5,3,0.1,true,7\n"
           "pack-approx,,12000,,false,\n");
}

static void writes_json_that_a_reader_accepts(void **state)
{
    struct cs_table *t = example();
    struct cs_strbuf out = CS_STRBUF_INIT;
    json_t *root, *row;

    (void)state;
    cs_table_write(t, CS_TABLE_JSON, 0, &out);
    root = json_loads(out.text, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_array_size(root), 2);
    row = json_array_get(root, 0);
    assert_string_equal(json_string_value(json_object_get(row, "policy")), "caf\xc3\xa9, \"x\"\n");
    assert_true(json_real_value(json_object_get(row, "gap")) == 0.1);
    assert_true(json_is_true(json_object_get(row, "optimal")));
    row = json_array_get(root, 1);
    assert_true(json_is_null(json_object_get(row, "cost_seconds")));
    json_decref(root);
    cs_strbuf_release(&out);
    cs_table_destroy(t);
}

static void an_empty_table_has_headings_only(void **state)
{
    struct cs_table *t = cs_table_create(columns, 1);
    struct cs_strbuf out = CS_STRBUF_INIT;

    (void)state;
    cs_table_write(t, CS_TABLE_JSON, 0, &out);
    assert_string_equal(out.text, "[]\n");
    cs_strbuf_clear(&out);
    cs_table_write(t, CS_TABLE_TEXT, 0, &out);
    assert_string_equal(out.text, "policy\n------\n");
    cs_strbuf_release(&out);
    cs_table_destroy(t);
    cs_table_destroy(NULL);
}

static void quotes_csv_only_where_it_must(void **state)
{
    static const char *const row[][2] = {
        {"a", "a"}, {"", ""}, {" a", "\" a\""}, {"a,b", "\"a,b\""}, {"a\"", "\"a\"\"\""}};
    struct cs_strbuf out = CS_STRBUF_INIT;

    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        cs_strbuf_clear(&out);
        cs_table_put_csv(&out, row[i][0]);
        assert_string_equal(out.text, row[i][1]);
    }
    cs_strbuf_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aligns_for_people),
        cmocka_unit_test(elides_words_to_fit_a_terminal),
        cmocka_unit_test(leaves_columns_out_and_says_so),
        cmocka_unit_test(elides_words_before_columns_go),
        cmocka_unit_test(writes_csv),
        cmocka_unit_test(writes_json_that_a_reader_accepts),
        cmocka_unit_test(an_empty_table_has_headings_only),
        cmocka_unit_test(quotes_csv_only_where_it_must),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
