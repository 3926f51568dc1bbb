/* csv: fields as meant, and a message that leads to the field for those that are not. */
#include "base/csv.h"
#include "base/lines.h"
#include "base/rng.h"
#include "unit/kit.h"
#include "unit/squeeze.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static struct cs_csv *open_text(const char *text)
{
    struct cs_error err = {0};
    struct cs_csv *csv = cs_csv_open_memory("t.csv", text, strlen(text), &err);

    assert_string_equal(err.text, "");
    assert_non_null(csv);
    return csv;
}

static void expect_row(struct cs_csv *csv, long line, const char *first, const char *second)
{
    struct cs_error err = {0};

    assert_int_equal(cs_csv_next(csv, &err), 1);
    assert_int_equal(cs_csv_line(csv), line);
    assert_string_equal(cs_csv_text(csv, 0), first);
    assert_string_equal(cs_csv_text(csv, 1), second);
}

static void expect_end(struct cs_csv *csv)
{
    struct cs_error err = {0};

    assert_int_equal(cs_csv_next(csv, &err), 0);
    assert_string_equal(err.text, "");
    cs_csv_close(csv);
}

static void refused_header(const char *text, const char *want)
{
    struct cs_error err = {0};

    assert_null(cs_csv_open_memory("t.csv", text, strlen(text), &err));
    assert_string_equal(err.text, want);
}

static void refused_row(const char *text, const char *want)
{
    struct cs_csv *csv = open_text(text);
    struct cs_error err = {0};
    int more;

    while ((more = cs_csv_next(csv, &err)) == 1)
        continue;
    assert_int_equal(more, -1);
    assert_string_equal(err.text, want);
    cs_csv_close(csv);
}

static void finds_columns_by_name(void **state)
{
    struct cs_csv *csv = open_text("# timings\n App , \"pro\"\"cs\" ,SECONDS,\n");
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(cs_csv_columns(csv), 4);
    assert_string_equal(cs_csv_column_name(csv, 0), "App");
    assert_int_equal(cs_csv_find(csv, "app"), 0);
    assert_int_equal(cs_csv_find(csv, "PRO\"CS"), 1);
    assert_int_equal(cs_csv_require(csv, "seconds", &err), 2);
    assert_int_equal(cs_csv_find(csv, "nodes"), -1);
    assert_string_equal(err.text, "");
    assert_int_equal(cs_csv_require(csv, "nodes", &err), -1);
    assert_string_equal(err.text, "t.csv:2: there is no column nodes, only: App, pro\"cs, SECONDS");
    expect_end(csv);
}

static void finds_several_columns_or_says_what_would_be_right(void **state)
{
    struct cs_csv *csv = open_text("c,a,b\n");
    struct cs_error err = {0};
    int column[3];

    (void)state;
    assert_int_equal(cs_csv_require_all(csv, "a,b,c", column, &err), 0);
    assert_true(column[0] == 1 && column[1] == 2 && column[2] == 0);
    assert_int_equal(cs_csv_require_all(csv, "a,d", column, &err), -1);
    assert_string_equal(err.text, "t.csv:1: there is no column d, only: c, a, b; a correct first "
                                  "line is a,d");
    expect_end(csv);
}

static void skips_comments_and_blank_lines(void **state)
{
    struct cs_csv *csv =
        open_text("\xef\xbb\xbf\n# c\na,b\r\n\r\n  # c,c,c \" \n1,2\r\n \t\n3,#4\n");

    (void)state;
    expect_row(csv, 6, "1", "2");
    expect_row(csv, 8, "3", "#4");
    expect_end(csv);
}

static void reads_quotes_as_in_rfc_4180(void **state)
{
    struct cs_csv *csv = open_text("a,b\n"
                                   "\"x, y\",\"say \"\"hi\"\"\"\n"
                                   "\"\",  \" z \"  \n"
                                   "\"two\nlines\",\"\n# not a comment\n\"\r\n"
                                   "5\" disk,\"\"\"\"\n"
                                   "\"x\" ,\"y\n\"\n"
                                   " plain ,end");

    (void)state;
    expect_row(csv, 2, "x, y", "say \"hi\"");
    expect_row(csv, 3, "", " z ");
    expect_row(csv, 4, "two\nlines", "\n# not a comment\n");
    expect_row(csv, 8, "5\" disk", "\"");
    expect_row(csv, 9, "x", "y\n");
    expect_row(csv, 11, "plain", "end");
    expect_end(csv);
}

static void refuses_headers_that_are_none(void **state)
{
    (void)state;
    refused_header("", "t.csv: empty, expected a row with the names of the columns");
    refused_header("\n# only this\n", "t.csv: empty, expected a row with the names of the columns");
    refused_header("#\na,b,A\n", "t.csv:2: columns 1 and 3 are both called A");
    refused_header("x,b,,a,B,,X", "t.csv:1: columns 2 and 5 are both called B");
    refused_header("\"a,b\n1,2\n", "t.csv:1: a quote of this row is never closed");
}

/* The separator must be known before the rest of a quoted field is looked for. */
static void finds_the_separator_before_quotes(void **state)
{
    static const char open[] = "a,\"o\n1,2\n", closed[] = "a;\"b,\nc\"\n1;2\n";
    struct cs_error err = {0};
    struct cs_csv *csv = cs_csv_open_any("t.csv", open, strlen(open), &err);

    (void)state;
    assert_null(csv);
    assert_string_equal(err.text, "t.csv:1: a quote of this row is never closed");
    csv = cs_csv_open_any("t.csv", closed, strlen(closed), &err);
    assert_non_null(csv);
    expect_row(csv, 3, "1", "2");
    expect_end(csv);
}

static void refuses_rows_that_do_not_fit(void **state)
{
    (void)state;
    refused_row("a,b\n1,2\n\n1\n", "t.csv:4: found 1 field, expected 2: a, b");
    refused_row("a,b\n1,2,3\n", "t.csv:2: found 3 fields, expected 2: a, b");
    refused_row("a,b\n1,2,\n", "t.csv:2: found 3 fields, expected 2: a, b");
    refused_row("a,b\n1,\"2\n3,4\n", "t.csv:2: a quote of this row is never closed");
    refused_row("a,b\n\"1\"x,2\n",
                "t.csv:2: field 1: found text after its closing quote, expected a comma");
    refused_row("a,b\n1,\"2\" \"3\"\n",
                "t.csv:2: field 2: found text after its closing quote, expected a comma");
}

static void refuses_a_quoted_field_without_end(void **state)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    (void)state;
    cs_strbuf_puts(&text, "a,b\n\"1,2\n");
    while (text.length < 2 * CS_LINES_LONGEST)
        cs_strbuf_puts(&text, "some, words\n");
    refused_row(text.text, "t.csv:2: the row is longer than a mebibyte: is a quote not closed?");
    cs_strbuf_release(&text);
}

static void refuses_more_columns_than_anyone_has(void **state)
{
    struct cs_strbuf text = CS_STRBUF_INIT;

    (void)state;
    for (int i = 0; i < 65536; i++)
        cs_strbuf_putc(&text, ',');
    refused_header(text.text, "t.csv:1: the row has more than 65536 fields");
    cs_strbuf_release(&text);
}

static void refuses_what_text_may_not_hold(void **state)
{
    struct cs_error err = {0};
    struct cs_csv *csv = cs_csv_open_memory("t.csv", "a\n1\n\0\n", 6, &err);

    (void)state;
    assert_int_equal(cs_csv_next(csv, &err), 1);
    assert_int_equal(cs_csv_next(csv, &err), -1);
    assert_string_equal(err.text, "t.csv:3: found a NUL byte, expected text");
    cs_csv_close(csv);
    err.text[0] = '\0';
    assert_null(cs_csv_open_memory("t.csv", "a,\"\n\0\"\n", 7, &err));
    assert_string_equal(err.text, "t.csv:2: found a NUL byte, expected text");
    err.text[0] = '\0';
    assert_null(cs_csv_open("/no/such.csv", &err));
    assert_string_equal(err.text, "/no/such.csv: cannot be opened: No such file or directory");
}

static void refused_double(const char *field, enum cs_number_want want, const char *message)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_error err = {0};
    struct cs_csv *csv;
    double value = 7;

    cs_strbuf_printf(&text, "app,seconds\nx,%s\n", field);
    csv = open_text(text.text);
    assert_int_equal(cs_csv_next(csv, &err), 1);
    assert_int_equal(cs_csv_double(csv, 1, want, &value, &err), -1);
    assert_string_equal(err.text, message);
    assert_true(value == 7);
    cs_csv_close(csv);
    cs_strbuf_release(&text);
}

static void says_what_it_found_in_place_of_a_number(void **state)
{
    (void)state;
    refused_double("abc", CS_NUMBER_POSITIVE,
                   "t.csv:2: column seconds: found \"abc\", expected a positive number");
    refused_double("0", CS_NUMBER_POSITIVE,
                   "t.csv:2: column seconds: found \"0\", expected a positive number");
    refused_double("inf", CS_NUMBER_FINITE,
                   "t.csv:2: column seconds: found \"inf\", expected a number");
    refused_double("nan", CS_NUMBER_POSITIVE_OR_INF,
                   "t.csv:2: column seconds: found \"nan\", expected a positive number or inf");
    refused_double(
        "-1e-9", CS_NUMBER_NOT_NEGATIVE,
        "t.csv:2: column seconds: found \"-1e-9\", expected a number that is not negative");
    refused_double("1e999", CS_NUMBER_FINITE,
                   "t.csv:2: column seconds: found \"1e999\", expected a number");
    refused_double("", CS_NUMBER_FINITE, "t.csv:2: column seconds: empty, expected a number");
    refused_double("\"1\n2\t\x01\xff\"", CS_NUMBER_FINITE,
                   "t.csv:2: column seconds: found \"1\\n2\\t\\x01\\xff\", expected a number");
    refused_double(
        "1111111111222222222233333333334444444444555555555566666666667777x", CS_NUMBER_FINITE,
        "t.csv:2: column seconds: found \"11111111112222222222333333333344444444445555555"
        "555666666666...\", expected a number");
}

static void reads_numbers(void **state)
{
    struct cs_csv *csv = open_text("a,b,c,d\n 2.5 ,inf,\"12\", x \n");
    struct cs_error err = {0};
    const char *word;
    double value;
    int whole;

    (void)state;
    assert_int_equal(cs_csv_next(csv, &err), 1);
    assert_int_equal(cs_csv_double(csv, 0, CS_NUMBER_POSITIVE, &value, &err), 0);
    assert_true(value == 2.5);
    assert_int_equal(cs_csv_double(csv, 1, CS_NUMBER_POSITIVE_OR_INF, &value, &err), 0);
    assert_true(isinf(value));
    assert_int_equal(cs_csv_int(csv, 2, 1, 12, &whole, &err), 0);
    assert_int_equal(whole, 12);
    assert_int_equal(cs_csv_word(csv, 3, &word, &err), 0);
    assert_string_equal(word, "x");
    assert_string_equal(err.text, "");
    expect_end(csv);
}

static void says_which_whole_numbers_are_right(void **state)
{
    struct cs_csv *csv = open_text("procs,name\n2.0, \n");
    struct cs_error err = {0}, other = {0}, third = {0};
    const char *word;
    int whole = 7;

    (void)state;
    assert_int_equal(cs_csv_next(csv, &err), 1);
    assert_int_equal(cs_csv_int(csv, 0, 1, INT_MAX, &whole, &err), -1);
    assert_string_equal(
        err.text, "t.csv:2: column procs: found \"2.0\", expected a whole number of at least 1");
    assert_int_equal(cs_csv_int(csv, 0, 1, 9, &whole, &other), -1);
    assert_string_equal(
        other.text, "t.csv:2: column procs: found \"2.0\", expected a whole number from 1 to 9");
    assert_int_equal(cs_csv_word(csv, 1, &word, &third), -1);
    assert_string_equal(third.text, "t.csv:2: column name: empty, expected a name");
    assert_int_equal(whole, 7);
    expect_end(csv);
}

static void reads_packed_tables(void **state)
{
    static const char text[] = "a,b\n1,2\n";
    struct cs_strbuf gzip = CS_STRBUF_INIT;
    struct cs_error err = {0};
    struct cs_csv *csv;

    (void)state;
    squeeze_gzip(&gzip, text, strlen(text));
    csv = cs_csv_open_memory("t.csv.gz", gzip.text, gzip.length, &err);
    expect_row(csv, 2, "1", "2");
    expect_end(csv);
    cs_strbuf_release(&gzip);
}

static void random_field(struct cs_rng *rng, char *to)
{
    static const char alphabet[] = "ab,\"\n #\t;'";
    const int length = 1 + (int)cs_rng_below(rng, 6);

    for (int i = 0; i < length; i++)
        to[i] = alphabet[cs_rng_below(rng, sizeof alphabet - 1)];
    to[length] = '\0';
}

/* Whatever is quoted comes back the same. */
static void what_is_quoted_comes_back(void **state)
{
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 1, 0, 0);
    for (int i = 0; i < 5000; i++) {
        struct cs_strbuf text = CS_STRBUF_INIT;
        struct cs_csv *csv;
        char a[8], b[8];

        random_field(&rng, a);
        random_field(&rng, b);
        cs_strbuf_puts(&text, "a,b\n");
        cs_csv_quote(&text, a);
        cs_strbuf_putc(&text, ',');
        cs_csv_quote(&text, b);
        csv = open_text(text.text);
        expect_row(csv, 2, a, b);
        expect_end(csv);
        cs_strbuf_release(&text);
    }
}

static void quotes_only_what_needs_it(void **state)
{
    struct cs_strbuf out = CS_STRBUF_INIT;

    (void)state;
    cs_csv_quote(&out, "plain text");
    cs_csv_quote(&out, "");
    cs_csv_quote(&out, "a\"b");
    assert_string_equal(out.text, "plain text\"a\"\"b\"");
    cs_strbuf_release(&out);
    cs_csv_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_columns_by_name),
        cmocka_unit_test(finds_several_columns_or_says_what_would_be_right),
        cmocka_unit_test(skips_comments_and_blank_lines),
        cmocka_unit_test(reads_quotes_as_in_rfc_4180),
        cmocka_unit_test(refuses_headers_that_are_none),
        cmocka_unit_test(finds_the_separator_before_quotes),
        cmocka_unit_test(refuses_rows_that_do_not_fit),
        cmocka_unit_test(refuses_a_quoted_field_without_end),
        cmocka_unit_test(refuses_more_columns_than_anyone_has),
        cmocka_unit_test(refuses_what_text_may_not_hold),
        cmocka_unit_test(says_what_it_found_in_place_of_a_number),
        cmocka_unit_test(reads_numbers),
        cmocka_unit_test(says_which_whole_numbers_are_right),
        cmocka_unit_test(reads_packed_tables),
        cmocka_unit_test(what_is_quoted_comes_back),
        cmocka_unit_test(quotes_only_what_needs_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
