/* Papers that need something from their reader, and parameters given from outside. */
#include "paper_kit.h"

#include "campaign/paper_document.h"

#define NEEDS ", 'needs': {'file': 'a log of jobs'}"

static struct cs_paper *needy(void)
{
    return read_good(HEAD X PANELS SERIES METRICS NEEDS "}", false);
}

static void what_is_missing_is_told_until_it_is_given(void **state)
{
    struct cs_paper *paper = needy();

    (void)state;
    assert_int_equal(paper->nneeds, 1);
    assert_string_equal(cs_paper_missing(paper)->parameter, "file");
    assert_string_equal(cs_paper_missing(paper)->what, "a log of jobs");
    assert_int_equal(cs_paper_give(paper, "file", "here.swf", NULL), 0);
    assert_null(cs_paper_missing(paper));
    cs_paper_destroy(paper);
    paper = read_good(HEAD X PANELS SERIES METRICS "}", false);
    assert_null(cs_paper_missing(paper));
    cs_paper_destroy(paper);
}

/* A file of the paper is named from its folder on, one that is given from where the user is. */
static void a_given_file_is_named_as_its_giver_does(void **state)
{
    struct cs_paper *paper = needy();
    json_t *parameters;

    (void)state;
    assert_int_equal(cs_paper_give(paper, "file", "here.swf", NULL), 0);
    parameters = cs_paper_parameters(paper, 0, 0, 0);
    assert_string_equal(cs_parameter_text(parameters, "file", NULL), "here.swf");
    json_decref(parameters);
    cs_paper_destroy(paper);
}

static void a_given_value_counts_more_than_that_of_the_paper(void **state)
{
    struct cs_paper *paper = read_good(HEAD X PANELS SERIES METRICS ", 'set': {'fail': 1}}", false);
    json_t *parameters;

    (void)state;
    assert_int_equal(cs_paper_give(paper, "fail", "50", NULL), 0);
    parameters = cs_paper_parameters(paper, 1, 0, 1);
    assert_int_equal(cs_parameter_integer(parameters, "fail", 0), 50);
    assert_int_equal(cs_parameter_integer(parameters, "a", 0), 2);
    json_decref(parameters);
    cs_paper_destroy(paper);
}

static void refused(const char *parameter, const char *text, const char *why)
{
    struct cs_paper *paper = read_good(HEAD X PANELS SERIES METRICS "}", false);
    struct cs_error err = {{0}};

    assert_int_equal(cs_paper_give(paper, parameter, text, &err), -1);
    assert_string_equal(err.text, why);
    assert_int_equal(json_object_size(paper->given), 0);
    cs_paper_destroy(paper);
}

static void what_the_paper_varies_cannot_be_given(void **state)
{
    (void)state;
    refused("a", "1", "f: its axis set 'a', it cannot be given");
    refused("b", "1", "f: its series set 'b', it cannot be given");
    refused("word", "large", "f: its panels set 'word', it cannot be given");
    refused("file", "x", "f takes no file as 'file'");
    refused("wort", "x", "f: 'wort' is not a parameter; there are a, b, word, fail, file");
}

static void values_are_checked(void **state)
{
    (void)state;
    refused("fail", "x", "f: fail: \"x\" is not a number");
    refused("fail", "1.5", "f: fail: a whole number is wanted");
    refused("fail", "100", "f: fail: 100 is not between 0 and 99");
    refused("fail", "nan", "f: fail: \"nan\" is not a number");
}

static void numbers_and_texts_are_read(void **state)
{
    const struct cs_parameter real = {.name = "r", .kind = CS_PARAMETER_REAL, .low = 0, .high = 9};
    const struct cs_parameter text = {.name = "t", .kind = CS_PARAMETER_TEXT};
    struct cs_error err = {{0}};
    json_t *value = cs_parameter_read(&real, "2.5", NULL);

    (void)state;
    assert_true(json_real_value(value) == 2.5);
    json_decref(value);
    value = cs_parameter_read(&real, "3", NULL);
    assert_true(json_number_value(value) == 3);
    json_decref(value);
    value = cs_parameter_read(&text, "3", NULL);
    assert_string_equal(json_string_value(value), "3");
    json_decref(value);
    assert_null(cs_parameter_read(&text, "\xff", &err));
    assert_string_equal(err.text, "t: \"\xff\" is not a text in UTF-8");
}

static void bad_needs_are_refused(void **state)
{
    struct cs_error err = {{0}};

    (void)state;
    assert_null(read_text(HEAD X PANELS SERIES METRICS ", 'needs': {'fiel': 'x'}}", false, &err));
    assert_non_null(strstr(err.text, "needs.fiel: 'fiel' is not a parameter; there are a, b"));
    err.text[0] = 0;
    assert_null(read_text(HEAD X PANELS SERIES METRICS ", 'needs': {'file': 3}}", false, &err));
    assert_non_null(strstr(err.text, "needs.file: "));
    err.text[0] = 0;
    assert_null(read_text(HEAD X PANELS SERIES METRICS ", 'needs': {'b': 'x'}}", false, &err));
    assert_non_null(strstr(err.text, "needs.b: f: its series set 'b', it cannot be given"));
    err.text[0] = 0;
    assert_null(read_text(HEAD X PANELS SERIES METRICS ", 'columns': 0}", false, &err));
    assert_non_null(strstr(err.text, "columns: "));
}

static void same_cells(const struct cs_results *a, const struct cs_results *b)
{
    assert_int_equal(a->count, b->count);
    for (int c = 0; c < a->count; c++) {
        assert_true(json_equal(a->cell[c].parameters, b->cell[c].parameters));
        assert_true(a->cell[c].seed == b->cell[c].seed);
        assert_int_equal(a->cell[c].series, b->cell[c].series);
    }
}

/* Panels, series and values stay in their order, quick is laid over it when it is read again. */
static void a_paper_as_a_document_has_the_same_cells(void **state)
{
    const char *const text = HEAD X PANELS SERIES METRICS NEEDS
        ", 'quick': {'x': {'values': [3, 1]}, 'panels': {'q': null}}}";

    (void)state;
    for (int quick = 0; quick < 2; quick++) {
        struct cs_strbuf whole = CS_STRBUF_INIT, given = CS_STRBUF_INIT;
        struct cs_paper *paper = read_good(text, quick), *again;
        struct cs_error err = {{0}};
        struct cs_document document;
        struct cs_results *one, *two;
        json_t *json;

        assert_int_equal(cs_paper_give(paper, "file", "here.swf", NULL), 0);
        document = cs_paper_document(paper, 77, &whole, &given);
        assert_string_equal(document.kind, "paper");
        assert_string_equal(document.given, "{\"file\":\"here.swf\"}");
        assert_true(document.seed == 77 && document.quick == quick);
        json = json_loads(document.text, 0, NULL);
        again =
            cs_paper_create(json, document.name, document.file, document.quick, &kit_runner, &err);
        assert_non_null(again);
        assert_int_equal(cs_paper_give(again, "file", "here.swf", NULL), 0);
        one = cs_results_prepare(paper, 77);
        two = cs_results_prepare(again, 77);
        same_cells(one, two);
        assert_int_equal(paper->npanels, quick ? 1 : 2);
        json_decref(json);
        cs_results_destroy(one);
        cs_results_destroy(two);
        cs_paper_destroy(paper);
        cs_paper_destroy(again);
        cs_strbuf_release(&whole);
        cs_strbuf_release(&given);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missing_is_told_until_it_is_given),
        cmocka_unit_test(a_given_file_is_named_as_its_giver_does),
        cmocka_unit_test(a_given_value_counts_more_than_that_of_the_paper),
        cmocka_unit_test(what_the_paper_varies_cannot_be_given),
        cmocka_unit_test(values_are_checked),
        cmocka_unit_test(numbers_and_texts_are_read),
        cmocka_unit_test(bad_needs_are_refused),
        cmocka_unit_test(a_paper_as_a_document_has_the_same_cells),
    };

    return cmocka_run_group_tests_name("paper_give", tests, NULL, remove_folder);
}
