/* Papers that need something from their reader, and parameters given from outside. */
#include "paper_kit.h"

#include "campaign/store.h"

#define NEEDS ", 'needs': {'file': 'a log of jobs'}"

static struct cs_experiment *needy(void)
{
    return read_good(HEAD X PANELS SERIES METRICS NEEDS "}", false);
}

static void what_is_missing_is_reported_until_it_is_given(void **state)
{
    struct cs_experiment *paper = needy();

    (void)state;
    assert_int_equal(paper->needs, 1);
    assert_string_equal(cs_experiment_missing(paper)->parameter, "file");
    assert_string_equal(cs_experiment_missing(paper)->what, "a log of jobs");
    assert_int_equal(cs_experiment_give(paper, "file", "here.swf", NULL), 0);
    assert_null(cs_experiment_missing(paper));
    cs_experiment_destroy(paper);
    paper = read_good(HEAD X PANELS SERIES METRICS "}", false);
    assert_null(cs_experiment_missing(paper));
    cs_experiment_destroy(paper);
}

/* A file of the paper is named from its folder on, one that is given from where the user is. */
static void a_given_file_is_named_as_its_giver_does(void **state)
{
    struct cs_experiment *paper = needy();
    const json_t *parameters;

    (void)state;
    assert_int_equal(cs_experiment_give(paper, "file", "here.swf", NULL), 0);
    parameters = parameters_at(paper, 0, 0, 0);
    assert_string_equal(kit_text(parameters, "file"), "here.swf");
    cs_experiment_destroy(paper);
}

static void a_given_value_counts_more_than_that_of_the_paper(void **state)
{
    struct cs_experiment *paper =
        read_good(HEAD X PANELS SERIES METRICS ", 'set': {'fail': 1}}", false);
    const json_t *parameters;

    (void)state;
    assert_int_equal(cs_experiment_give(paper, "fail", "50", NULL), 0);
    parameters = parameters_at(paper, 1, 0, 1);
    assert_int_equal(kit_integer(parameters, "fail"), 50);
    assert_int_equal(kit_integer(parameters, "a"), 2);
    cs_experiment_destroy(paper);
}

static int tellings;

static void see_old_name(const char *text, void *who)
{
    tellings++;
    assert_string_equal(text, who);
}

/* A document that was written for a former release is run, and says what to change. */
static void old_names_are_reported_once(void **state)
{
    char said[] = "'break' is now called 'fail'";
    struct cs_experiment *paper =
        read_good(HEAD X PANELS SERIES METRICS ", 'set': {'break': 50}}", false);

    (void)state;
    tellings = 0;
    cs_experiment_old_names(paper, see_old_name, said);
    assert_int_equal(tellings, 1);
    cs_experiment_destroy(paper);
    paper = read_good(HEAD X PANELS SERIES METRICS ", 'set': {'fail': 50}}", false);
    cs_experiment_old_names(paper, see_old_name, said);
    assert_int_equal(tellings, 1);
    cs_experiment_destroy(paper);
}

static void check_replaced(const char *text, const char *supplied, const char *gone)
{
    struct cs_experiment *paper = read_good(text, false);
    const json_t *parameters;

    assert_int_equal(cs_experiment_give(paper, supplied, "51", NULL), 0);
    parameters = parameters_at(paper, 1, 0, 1);
    assert_int_equal(kit_integer(parameters, supplied), 51);
    assert_null(json_object_get(parameters, gone));
    cs_experiment_destroy(paper);
}

static void a_name_and_its_old_one_are_one(void **state)
{
    struct cs_error err = {0};

    (void)state;
    check_replaced(HEAD X PANELS SERIES METRICS ", 'set': {'fail': 50}}", "break", "fail");
    check_replaced(HEAD X PANELS SERIES METRICS ", 'set': {'break': 50}}", "fail", "break");
    assert_null(
        read_text(HEAD X PANELS SERIES METRICS ", 'set': {'fail': 50, 'break': 51}}", false, &err));
    assert_non_null(strstr(err.text, "fail and break are the same: give one of them"));
}

static void refused(const char *parameter, const char *text, const char *why)
{
    struct cs_experiment *paper = read_good(HEAD X PANELS SERIES METRICS "}", false);
    struct cs_error err = {0};

    assert_int_equal(cs_experiment_give(paper, parameter, text, &err), -1);
    assert_string_equal(err.text, why);
    assert_int_equal(json_object_size(paper->supplied), 0);
    cs_experiment_destroy(paper);
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
    refused("fail", "x", "f: fail is \"x\"; it must be a whole number from 0 to 99");
    refused("fail", "1.5", "f: fail is \"1.5\"; it must be a whole number from 0 to 99");
    refused("fail", "100", "f: fail is \"100\"; it must be a whole number from 0 to 99");
    refused("fail", "nan", "f: fail is \"nan\"; it must be a whole number from 0 to 99");
}

static void numbers_and_texts_are_read(void **state)
{
    const struct cs_param real = {.name = "r", .kind = CS_PARAM_REAL, .low = 0, .high = 9};
    const struct cs_param text = {.name = "t", .kind = CS_PARAM_TEXT};
    struct cs_error err = {0};
    json_t *value = cs_cell_read(&real, "r", "2.5", NULL);

    (void)state;
    assert_true(json_real_value(value) == 2.5);
    json_decref(value);
    value = cs_cell_read(&real, "r", "3", NULL);
    assert_true(json_number_value(value) == 3);
    json_decref(value);
    value = cs_cell_read(&text, "t", "3", NULL);
    assert_string_equal(json_string_value(value), "3");
    json_decref(value);
    assert_null(cs_cell_read(&text, "t", "\xff", &err));
    assert_string_equal(err.text, "t: \"\xff\" is not a text in UTF-8");
}

static void bad_needs_are_refused(void **state)
{
    struct cs_error err = {0};

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

static void same_cells(const struct cs_experiment *a, const struct cs_experiment *b)
{
    assert_int_equal(a->count, b->count);
    for (int c = 0; c < a->count; c++) {
        assert_true(json_equal(a->cell[c].parameters, b->cell[c].parameters));
        assert_true(a->cell[c].seed == b->cell[c].seed);
        assert_int_equal(a->cell[c].combination, b->cell[c].combination);
    }
}

#define NEEDY                                                                                      \
    "{'title': 'T', 'problem': 'rigid', 'x': {'parameter': 'jobs', 'values': [1, 2, 3]}, "         \
    "'panels': {'p': {}, 'q': {'set': {'procs': 64}}}, 'series': {'one': {'set': {'policy': "      \
    "'easy'}}, 'two': {'set': {'policy': 'greedy'}, 'replicates': 3}}, 'needs': {'input': 'a "     \
    "log'}, 'quick': {'x': {'values': [3, 1]}, 'panels': {'q': null}}}"

/* Panels, series and values stay in their order, quick is laid over it when it is read again. */
static void a_paper_as_a_document_has_the_same_cells(void **state)
{
    (void)state;
    for (int quick = 0; quick < 2; quick++) {
        const struct cs_experiment_how how = {.name = "rigid/f", .quick = quick};
        struct cs_strbuf text[2] = {CS_STRBUF_INIT, CS_STRBUF_INIT};
        struct cs_experiment *paper, *again;
        struct cs_error err = {0};
        struct cs_document document;
        char path[128];

        kit_write_json("f.json", NEEDY);
        snprintf(path, sizeof path, "%s/f.json", kit_folder());
        paper = cs_experiment_read(path, &how, &err);
        assert_string_equal(err.text, "");
        cs_experiment_set_seed(paper, 77);
        assert_int_equal(cs_experiment_give(paper, "input", "here.swf", NULL), 0);
        document = cs_experiment_document(paper, text);
        assert_string_equal(document.kind, "paper");
        assert_string_equal(document.name, "rigid/f");
        assert_string_equal(document.supplied, "{\"input\":\"here.swf\"}");
        assert_true(document.seed == 77 && document.quick == quick);
        again = cs_experiment_compile(&document, &err);
        assert_non_null(again);
        same_cells(paper, again);
        assert_int_equal(paper->count, quick ? 8 : 24);
        assert_string_equal(kit_text(again->cell[again->count - 1].parameters, "input"),
                            "here.swf");
        cs_experiment_destroy(paper);
        cs_experiment_destroy(again);
        cs_strbuf_release(&text[0]);
        cs_strbuf_release(&text[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_missing_is_reported_until_it_is_given),
        cmocka_unit_test(old_names_are_reported_once),
        cmocka_unit_test(a_name_and_its_old_one_are_one),
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
