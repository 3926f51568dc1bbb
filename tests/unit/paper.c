/* Papers as files: what is read, what is refused and in which words, and what claims say. */
#include "paper_kit.h"

#include "campaign/json_member.h"

static void a_paper_is_read(void **state)
{
    struct cs_experiment *paper = read_good(
        HEAD X PANELS SERIES METRICS ", 'seed': 7, 'notes': ['N'], 'set': {'fail': 99}}", false);

    (void)state;
    assert_string_equal(paper->name, "f");
    assert_string_equal(paper->title, "T");
    assert_string_equal(paper->place, "Figure 9");
    assert_int_equal(paper->seed, 7);
    assert_int_equal(paper->axis[0].count, 2);
    assert_int_equal(paper->axis[1].count, 3);
    assert_string_equal(paper->axis[0].value[0].label, "P");
    assert_string_equal(paper->axis[0].value[1].label, "q");
    assert_int_equal(paper->axis[2].count, 3);
    assert_string_equal(paper->axis[2].value[2].label, "3");
    assert_string_equal(paper->axis[1].value[1].label, "Two");
    assert_int_equal(combination_at(paper, 1, 1, 0), -1);
    assert_int_equal(combination_at(paper, 1, 2, 2), -1);
    assert_int_equal(paper->metric[0].digits, 3);
    assert_string_equal(paper->note[0], "N");
    assert_int_equal(paper->count, 3 + 2 + 3 + 4 * 3 + 4 * 2);
    cs_experiment_destroy(paper);
}

static void parameters_are_laid_one_over_the_other(void **state)
{
    struct cs_experiment *paper =
        read_good(HEAD X "'set': {'b': 1, 'word': 'w', 'file': 'in.csv'}, 'panels': {'p': {'set': "
                         "{'b': 2, 'fail': 98}}}, 'series': {'s': {'set': {'fail': 97}}, "
                         "'t': {'set': {'file': '/in.csv'}}}, " METRICS "}",
                  false);
    const json_t *one = parameters_at(paper, 0, 0, 1), *two = parameters_at(paper, 0, 1, 2);
    char file[256];

    (void)state;
    snprintf(file, sizeof file, "%s/in.csv", kit_folder());
    assert_string_equal(kit_text(one, "file"), file);
    assert_string_equal(kit_text(two, "file"), "/in.csv");
    assert_string_equal(kit_text(one, "word"), "w");
    assert_int_equal(kit_integer(one, "a"), 2);
    assert_int_equal(kit_integer(two, "a"), 3);
    assert_int_equal(kit_integer(one, "b"), 2);
    assert_int_equal(kit_integer(one, "fail"), 97);
    assert_int_equal(kit_integer(two, "fail"), 98);
    cs_experiment_destroy(paper);
}

static void the_seed_is_one_when_not_given(void **state)
{
    struct cs_experiment *paper = read_good(HEAD X PANELS SERIES METRICS "}", false);

    (void)state;
    assert_int_equal(paper->seed, 1);
    cs_experiment_destroy(paper);
}

static void a_document_is_laid_over_its_base(void **state)
{
    struct cs_experiment *paper;

    (void)state;
    kit_write_json("_base.json", HEAD X PANELS SERIES METRICS "}");
    paper = read_good("{'base': '_base.json', 'title': 'Other', 'panels': {'q': null}, "
                      "'series': {'one': {'label': 'One'}}}",
                      false);
    assert_string_equal(paper->title, "Other");
    assert_int_equal(paper->axis[0].count, 1);
    assert_string_equal(paper->axis[1].value[0].label, "One");
    assert_string_equal(paper->axis[1].value[2].name, "dice");
    cs_experiment_destroy(paper);
    kit_remove("_base.json");
}

#define QUICK                                                                                      \
    ", 'quick': {'panels': {'q': null}, 'series': {'dice': {'replicates': 2}, 'two': null}}, "     \
    "'claims': [{'text': 'S', 'checks': [{'value': {'metric': 'number', 'series': 'two'}, "        \
    "'op': '>', 'than': 0}, {'value': {'metric': 'number', 'over': 'two'}, 'op': '>', "            \
    "'than': 0}, {'value': {'metric': 'number', 'panel': ['p', 'q']}, 'op': '>', 'than': 0}]}]}"

/* Claims about what a quick run leaves out are not an error, and not checked. */
static void a_quick_run_is_smaller(void **state)
{
    struct cs_experiment *paper = read_good(HEAD X PANELS SERIES METRICS QUICK, true);
    struct cs_results *results = run(paper);
    double value, other;

    (void)state;
    assert_int_equal(paper->axis[0].count, 1);
    assert_int_equal(paper->count, 3 + 2 * 3);
    assert_int_equal(cs_check_finding(results, &paper->claim[0].check[0], &value, &other),
                     CS_UNCHECKED);
    assert_int_equal(cs_check_finding(results, &paper->claim[0].check[1], &value, &other),
                     CS_UNCHECKED);
    assert_int_equal(cs_claim_finding(results, &paper->claim[0]), CS_AGREES);
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
}

static void merging_follows_rfc_7386(void **state)
{
    static const char *const row[][3] = {
        {"{\"a\":\"b\"}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"},
        {"{\"a\":\"b\",\"b\":\"c\"}", "{\"a\":null}", "{\"b\":\"c\"}"},
        {"{\"a\":[\"b\"]}", "{\"a\":\"c\"}", "{\"a\":\"c\"}"},
        {"{\"a\":{\"b\":\"c\"}}", "{\"a\":{\"b\":\"d\",\"c\":null}}", "{\"a\":{\"b\":\"d\"}}"},
        {"[\"a\",\"b\"]", "[\"c\",\"d\"]", "[\"c\",\"d\"]"},
        {"[1,2]", "{\"a\":\"b\",\"c\":null}", "{\"a\":\"b\"}"},
        {"{}", "{\"a\":{\"bb\":{\"ccc\":null}}}", "{\"a\":{\"bb\":{}}}"},
    };

    (void)state;
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        json_t *document = json_loads(row[r][0], 0, NULL), *patch = json_loads(row[r][1], 0, NULL);
        json_t *want = json_loads(row[r][2], 0, NULL), *merged = cs_member_merge(document, patch);
        json_t *before = json_loads(row[r][0], 0, NULL);

        assert_true(json_equal(merged, want));
        assert_true(json_equal(document, before));
        json_decref(document);
        json_decref(patch);
        json_decref(want);
        json_decref(merged);
        json_decref(before);
    }
}

#define REFUSED_CLAIM(check, why)                                                                  \
    {                                                                                              \
        HEAD X PANELS SERIES METRICS ", 'claims': [{'text': 'S', 'checks': [" check "]}]}",        \
            "claims[0].checks[0]" why                                                              \
    }

static void bad_papers_are_refused(void **state)
{
    static const struct {
        const char *text, *why;
    } row[] = {
        {"[]", "found an array, expected an object"},
        {"{'titel': 'T'}", "unknown key \"titel\", expected one of: base, title,"},
        {"{'title': 'T'}", "key \"problem\" is missing"},
        {"{'problem': 'kit'}", "a is missing: tens"},
        {HEAD X PANELS SERIES "'vary': {'a': [1]}}", "expected one of the two forms"},
        {HEAD PANELS SERIES METRICS "}", "x is missing: the axis"},
        {HEAD X SERIES METRICS "}", "panels are missing"},
        {HEAD X PANELS METRICS "}", "series are missing"},
        {HEAD X PANELS SERIES "'metrics': {}}", "metrics: has no metrics"},
        {HEAD "'x': {'parameter': 'a'}, 'panels': {'p': {}}, " SERIES METRICS "}",
         "panels.p: x is missing: the values of the axis"},
        {HEAD "'x': {'parameter': 'a'}, 'panels': {'p': {'x': []}}, " SERIES METRICS "}",
         "panels.p.x: expected at least one value"},
        {HEAD "'x': {'parameter': 'a'}, 'panels': {'p': {'x': [1, null]}}, " SERIES METRICS "}",
         "panels.p.x[1]: a: a number is wanted"},
        {HEAD X "'panels': {'p': {'size': 1}}, " SERIES METRICS "}",
         "panels.p: unknown key \"size\""},
        {HEAD X "'panels': {'p': {'set': {'c': 1}}}, " SERIES METRICS "}",
         "panels.p.set.c: 'c' is not a parameter; there are a, b, word, fail, file"},
        {HEAD X PANELS "'series': {'s': {'replicates': 0}}, " METRICS "}",
         "series.s.replicates: found 0, expected a whole number from 1 to 1000000"},
        {HEAD X PANELS "'series': {'s': {'panels': ['r']}}, " METRICS "}",
         "series.s.panels[0]: found \"r\", expected one of the panels: p, q"},
        {HEAD X PANELS "'series': {'s': {'draw': 'red'}}, " METRICS "}",
         "series.s.draw: found a string, expected true or false"},
        {HEAD X PANELS SERIES "'metrics': {'mice': {}}}",
         "metrics.mice: 'mice' is not a metric; there are number, dice, nothing"},
        {HEAD X PANELS SERIES "'metrics': {'number': {'over': 'three'}}}",
         "metrics.number.over: found \"three\", expected one of the series: one, two, dice"},
        {HEAD X PANELS SERIES "'metrics': {'number': {'reference': {'one': [1]}}}}",
         "metrics.number.reference.one: expected 2 numbers, one for each panel"},
        {HEAD X PANELS SERIES "'metrics': {'number': {'reference': {'six': [1, 2]}}}}",
         "metrics.number.reference.six: found \"six\", expected one of the series"},
        {HEAD X PANELS SERIES METRICS ", 'claims': [{'checks': []}]}",
         "claims[0]: key \"text\" is missing"},
        {HEAD X PANELS SERIES METRICS ", 'claims': [{'text': 'S'}]}",
         "claims[0]: checks are missing; an unchecked claim needs its reason in unchecked"},
        {HEAD X PANELS SERIES METRICS ", 'quick': {'x': 3}}", NULL},
        {HEAD X PANELS "'series': {'s': {'replicates': 1000000}, 't': {'replicates': 1000000}, "
                       "'u': {'replicates': 1000000}}, " METRICS "}",
         "panels.q: makes more than 10000000 runs"},
        REFUSED_CLAIM("{}", ": key \"value\" is missing"),
        REFUSED_CLAIM("{'value': {}}", ".value: key \"metric\" is missing"),
        REFUSED_CLAIM("{'value': {'metric': 'mice'}}", ".value.metric: 'mice' is not a metric"),
        REFUSED_CLAIM("{'value': {'metric': 'dice', 'series': 'six'}}",
                      ".value.series: found \"six\", expected one of the series: one, two, dice"),
        REFUSED_CLAIM("{'value': {'metric': 'dice'}}",
                      ": key \"op\" is missing, one of: <, <=, >, >=, between"),
        REFUSED_CLAIM("{'value': {'metric': 'dice'}, 'op': '=', 'than': 1}",
                      ".op: found \"=\", expected one of: <, <=, >, >=, between"),
        REFUSED_CLAIM("{'value': {'metric': 'dice'}, 'op': '<'}", ": key \"than\" is missing"),
        REFUSED_CLAIM("{'value': {'metric': 'dice'}, 'op': 'between', 'than': 3}",
                      ".than: expected a list of two numbers"),
        REFUSED_CLAIM("{'value': {'metric': 'dice'}, 'op': 'between', 'than': {}}",
                      ".than: expected a list of two numbers"),
        REFUSED_CLAIM("{'value': {'metric': 'dice', 'reduce': 'share'}, 'op': '<', 'than': 3}",
                      ".value: key \"share\" is missing"),
        REFUSED_CLAIM(
            "{'value': {'metric': 'dice', 'reduce': 'sum'}, 'op': '<', 'than': 3}",
            ".value.reduce: found \"sum\", expected one of: mean, min, max, spread, share"),
    };

    (void)state;
    for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
        struct cs_error err = {0};
        struct cs_experiment *paper = read_text(row[r].text, false, &err);

        if (!row[r].why) {
            assert_non_null(paper);
            cs_experiment_destroy(paper);
            continue;
        }
        assert_null(paper);
        if (!strstr(err.text, row[r].why) || !strstr(err.text, "/f.json: "))
            fail_msg("\"%s\" does not contain \"%s\"", err.text, row[r].why);
    }
}

static void files_that_are_not_there_are_named(void **state)
{
    struct cs_error err = {0}, other = {0}, third = {0};
    char path[128];

    (void)state;
    snprintf(path, sizeof path, "%s/none.json", kit_folder());
    assert_null(cs_experiment_read(path, NULL, &err));
    assert_non_null(strstr(err.text, "/none.json: "));
    assert_null(read_text("{'base': '_none.json'}", false, &other));
    assert_non_null(strstr(other.text, "/_none.json: "));
    assert_null(read_text("{'title': ", false, &third));
    assert_non_null(strstr(third.text, "/f.json:1:"));
}

static void an_unknown_problem_is_refused(void **state)
{
    struct cs_error err = {0};
    char path[128];

    (void)state;
    kit_write_json("f.json", HEAD X PANELS SERIES METRICS "}");
    snprintf(path, sizeof path, "%s/f.json", kit_folder());
    assert_null(cs_experiment_read(path, NULL, &err));
    assert_non_null(strstr(err.text, "/f.json: problem: 'kit' is not a problem; there are pack"));
}

/* number: p: one 11 21 31, two 12 22 32, dice 13 23 33; q: one 1100 2100, dice 1300 2300. */
static void claim_says(const char *check, double want, enum cs_finding finding)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_experiment *paper;
    struct cs_results *results;
    double value, other;

    cs_strbuf_printf(&text, "%s, 'claims': [{'text': 'S', 'checks': [%s]}]}",
                     HEAD X PANELS SERIES METRICS, check);
    paper = read_good(text.text, false);
    results = run(paper);
    assert_int_equal(cs_check_finding(results, &paper->claim[0].check[0], &value, &other), finding);
    if (!(value == want || (isnan(value) && isnan(want))))
        fail_msg("%s: %.17g is not %.17g", check, value, want);
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
    cs_strbuf_release(&text);
}

static void claims_are_computed(void **state)
{
    (void)state;
    claim_says("{'value': {'metric': 'number', 'series': 'one', 'panel': 'p'}, "
               "'op': '<', 'than': 21}",
               21, CS_DISAGREES);
    claim_says("{'value': {'metric': 'number', 'series': 'one', 'panel': 'p'}, "
               "'op': '<=', 'than': 21}",
               21, CS_AGREES);
    claim_says("{'value': {'metric': 'number', 'series': 'one', 'panel': 'p', 'reduce': 'max'}, "
               "'op': '>', 'than': 31}",
               31, CS_DISAGREES);
    claim_says("{'value': {'metric': 'number', 'series': 'one', 'panel': 'p', 'reduce': 'max'}, "
               "'op': '>=', 'than': 31}",
               31, CS_AGREES);
    claim_says("{'value': {'metric': 'number', 'series': 'one', 'panel': 'p', 'reduce': 'spread'}, "
               "'op': '>', 'than': 2.8}",
               31.0 / 11, CS_AGREES);
    claim_says("{'value': {'metric': 'number', 'panel': 'p', 'reduce': 'min'}, "
               "'op': 'between', 'than': [11, 12]}",
               11, CS_AGREES);
    claim_says("{'value': {'metric': 'number', 'panel': 'p', 'reduce': 'min'}, "
               "'op': 'between', 'than': [11.5, 12]}",
               11, CS_DISAGREES);
    claim_says("{'value': {'metric': 'number', 'series': ['one', 'two'], 'panel': 'p', 'x': 2}, "
               "'op': '<', 'than': 100}",
               21.5, CS_AGREES);
    claim_says("{'value': {'metric': 'number', 'series': 'two', 'x': [1, 3]}, "
               "'op': '<', 'than': 100}",
               22, CS_AGREES);
    claim_says("{'value': {'metric': 'number', 'series': 'two', 'x': {'from': 2}}, "
               "'op': '<', 'than': 100}",
               27, CS_AGREES);
    claim_says("{'value': {'metric': 'number', 'series': 'two', 'x': {'to': 2}}, "
               "'op': '<', 'than': 100}",
               17, CS_AGREES);
    claim_says("{'value': {'metric': 'number', 'series': 'dice', 'over': 'one', 'x': 1, "
               "'reduce': 'max'}, 'op': '<', 'than': 100}",
               13.0 / 11, CS_AGREES);
    claim_says("{'value': {'metric': 'number', 'series': 'one', 'panel': 'p', 'reduce': 'share', "
               "'share': {'op': '>', 'than': 11}}, 'op': '<', 'than': 1}",
               2.0 / 3, CS_AGREES);
    claim_says("{'value': {'metric': 'number', 'series': 'dice', 'panel': 'p', 'x': 1, "
               "'replicates': 'each', 'reduce': 'share', 'share': {'op': 'between', "
               "'than': [13, 14]}}, 'op': '>=', 'than': 1}",
               1, CS_AGREES);
    claim_says("{'value': {'metric': 'number', 'series': 'one', 'panel': 'p'}, 'op': '<', "
               "'than': {'metric': 'number', 'series': 'two'}}",
               21, CS_AGREES);
    claim_says("{'value': {'metric': 'number', 'series': 'one', 'panel': 'p'}, 'op': '<', "
               "'times': 0.5, 'than': {'metric': 'number', 'series': 'two'}}",
               21, CS_DISAGREES);
}

static void what_has_no_numbers_is_not_checked(void **state)
{
    (void)state;
    claim_says("{'value': {'metric': 'nothing'}, 'op': '<', 'than': 1}", NAN, CS_UNCHECKED);
    claim_says("{'value': {'metric': 'number', 'x': 4}, 'op': '<', 'than': 1}", NAN, CS_UNCHECKED);
    claim_says("{'value': {'metric': 'number', 'series': 'two', 'panel': 'q'}, 'op': '<', "
               "'than': 1}",
               NAN, CS_UNCHECKED);
    claim_says("{'value': {'metric': 'number', 'series': 'one', 'panel': 'p'}, 'op': '<', "
               "'than': {'metric': 'nothing'}}",
               21, CS_UNCHECKED);
}

/* The same replicate has the same dice in all series and at every x. */
static void replicates_are_paired(void **state)
{
    struct cs_experiment *paper = read_good(
        HEAD X "'panels': {'p': {}}, 'series': {'s': {'replicates': 5}, 't': {'replicates': 5}}, "
               "'metrics': {'dice': {}}}",
        false);
    struct cs_results *results = run(paper);
    int one = combination_at(paper, 0, 0, 2), other = combination_at(paper, 0, 1, 2);
    struct cs_mean mean = cs_results_mean(results, 1, one, other);

    (void)state;
    for (int r = 0; r < 5; r++)
        assert_true(cs_results_value(results, 1, -1, combination_at(paper, 0, 0, 0), r) ==
                    cs_results_value(results, 1, -1, other, r));
    assert_true(mean.mean == 1);
    assert_true(mean.half_width == 0);
    assert_int_equal(mean.count, 5);
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
}

/* Near the limit a check is open, far from it it is not. */
static void claims_have_confidence_intervals(void **state)
{
    struct cs_experiment *paper = read_good(
        HEAD X "'panels': {'p': {}}, 'series': {'s': {'replicates': 9}}, 'metrics': {'dice': {}}, "
               "'claims': [{'text': 'S', 'checks': [{'value': {'metric': 'dice', 'series': 's'}, "
               "'op': '<', 'than': 0}]}]}",
        false);
    struct cs_results *results = run(paper);
    struct cs_check check = paper->claim[0].check[0];
    double mean = cs_results_select(results, &check.value), error, other;

    (void)state;
    error = cs_check_error(results, &check);
    assert_true(error > 0);
    check.low = mean + 1.01 * error;
    assert_int_equal(cs_check_finding(results, &check, &mean, &other), CS_AGREES);
    check.low = mean + 0.99 * error;
    assert_int_equal(cs_check_finding(results, &check, &mean, &other), CS_OPEN);
    check.low = mean - 0.99 * error;
    assert_int_equal(cs_check_finding(results, &check, &mean, &other), CS_OPEN);
    check.low = mean - 1.01 * error;
    assert_int_equal(cs_check_finding(results, &check, &mean, &other), CS_DISAGREES);
    assert_string_equal(cs_finding_word(CS_OPEN), "undecided");
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
}

#define NINE                                                                                       \
    HEAD X "'panels': {'p': {}}, 'series': {'s': {'replicates': 9, 'set': {'b': 1}}, "             \
           "'t': {'replicates': 9, 'set': {'b': 2}}}, 'metrics': {'dice': {}}, "

/* A condition on "dice", which is the same at every x and in both series. */
static enum cs_finding where_says(const char *member, const char *op, double limit, double *value)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_experiment *paper;
    struct cs_results *results;
    enum cs_finding finding;
    double other;

    cs_strbuf_printf(&text,
                     NINE "'claims': [{'text': 'S', 'checks': [{'value': {'metric': 'dice', "
                          "'series': 's', 'x': 1, %s, 'where': {'metric': 'dice', 'series': 't', "
                          "'op': '%s', 'than': %.17g}}, 'op': '<', 'than': 1e6}]}]}",
                     member, op, limit);
    paper = read_good(text.text, false);
    results = run(paper);
    finding = cs_check_finding(results, &paper->claim[0].check[0], value, &other);
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
    cs_strbuf_release(&text);
    return finding;
}

static void a_condition_keeps_some_replicates(void **state)
{
    double least, most, below, above, rest, all;

    (void)state;
    where_says("'replicates': 'each', 'reduce': 'min'", ">=", 0, &least);
    where_says("'replicates': 'each', 'reduce': 'max'", ">=", 0, &most);
    where_says("'reduce': 'mean'", ">=", 0, &all);
    assert_true(least < all && all < most);
    assert_int_equal(where_says("'replicates': 'each', 'reduce': 'min'", ">", least, &above),
                     CS_AGREES);
    assert_true(above > least);
    where_says("'replicates': 'each', 'reduce': 'max'", "<", most, &below);
    assert_true(below < most);
    where_says("'reduce': 'mean'", ">", least, &rest);
    assert_true(fabs(rest - (9 * all - least) / 8) < 1e-9);
}

/* Of one replicate nothing is known of others, and of none nothing at all. */
static void a_condition_may_keep_too_few(void **state)
{
    double least, value;

    (void)state;
    where_says("'replicates': 'each', 'reduce': 'min'", ">=", 0, &least);
    assert_int_equal(where_says("'reduce': 'mean'", "<=", least, &value), CS_OPEN);
    assert_true(value == least);
    assert_int_equal(where_says("'reduce': 'mean'", "<", least, &value), CS_UNCHECKED);
}

static void a_condition_is_of_its_series(void **state)
{
    (void)state;
    claim_says("{'value': {'metric': 'number', 'series': 'one', 'panel': 'p', 'x': 1, 'where': "
               "{'metric': 'number', 'op': '<', 'than': 12}}, 'op': '<', 'than': 12}",
               11, CS_AGREES);
    claim_says("{'value': {'metric': 'number', 'series': 'one', 'panel': 'p', 'x': 1, 'where': "
               "{'metric': 'number', 'series': 'two', 'op': '<', 'than': 12}}, "
               "'op': '<', 'than': 12}",
               NAN, CS_UNCHECKED);
    claim_says("{'value': {'metric': 'number', 'series': 'dice', 'over': 'two', 'panel': 'p', "
               "'x': 1, 'where': {'metric': 'number', 'op': '<', 'than': 14}}, "
               "'op': '<', 'than': 12}",
               13.0 / 12, CS_AGREES);
}

static void a_failing_cell_fails_the_paper(void **state)
{
    struct cs_experiment *paper =
        read_good(HEAD X PANELS SERIES METRICS ", 'set': {'fail': 2}}", false);
    struct cs_results *results = cs_results_create(paper);
    struct cs_grid_options options = {.threads = 2};
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(cs_results_run(results, NULL, &options, &err), -1);
    assert_string_equal(err.text, "a=2 b=3 fail=2 replicate=2: a is 2");
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
}

static void papers_are_listed(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_error err = {0};
    const char *const *name;
    int count;

    (void)state;
    kit_write_json("b.json", "{}");
    kit_write_json("a.json", "{}");
    kit_write_json("_part.json", "{}");
    kit_write_json("read.me", "{}");
    kit_remove("f.json");
    assert_int_equal(cs_experiment_list(kit_folder(), arena, &name, &count, &err), 0);
    assert_int_equal(count, 2);
    assert_string_equal(name[0], "a");
    assert_string_equal(name[1], "b");
    assert_int_equal(cs_experiment_list("/no/such", arena, &name, &count, &err), -1);
    assert_string_equal(err.text, "/no/such: there is no such folder of papers");
    kit_remove("a.json");
    kit_remove("b.json");
    kit_remove("_part.json");
    kit_remove("read.me");
    cs_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_paper_is_read),
        cmocka_unit_test(parameters_are_laid_one_over_the_other),
        cmocka_unit_test(the_seed_is_one_when_not_given),
        cmocka_unit_test(a_document_is_laid_over_its_base),
        cmocka_unit_test(a_quick_run_is_smaller),
        cmocka_unit_test(merging_follows_rfc_7386),
        cmocka_unit_test(bad_papers_are_refused),
        cmocka_unit_test(files_that_are_not_there_are_named),
        cmocka_unit_test(an_unknown_problem_is_refused),
        cmocka_unit_test(claims_are_computed),
        cmocka_unit_test(what_has_no_numbers_is_not_checked),
        cmocka_unit_test(replicates_are_paired),
        cmocka_unit_test(claims_have_confidence_intervals),
        cmocka_unit_test(a_condition_keeps_some_replicates),
        cmocka_unit_test(a_condition_may_keep_too_few),
        cmocka_unit_test(a_condition_is_of_its_series),
        cmocka_unit_test(a_failing_cell_fails_the_paper),
        cmocka_unit_test(papers_are_listed),
    };

    return cmocka_run_group_tests_name("paper", tests, NULL, remove_folder);
}
