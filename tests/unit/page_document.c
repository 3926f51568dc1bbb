/* Papers and stores as JSON for the report page. */
#include "paper_kit.h"

#include "base/json.h"
#include "campaign/page_experiment.h"
#include "campaign/page_store.h"
#include "campaign/store.h"

#define CLAIMS                                                                                     \
    ", 'claims': [{'text': 'Yes.', 'reading': 'so', 'remark': 'R.', 'checks': [{'label': 'L', "    \
    "'value': {'metric': 'number', 'series': 'two'}, 'op': '<', 'than': 100}, {'value': "          \
    "{'metric': 'number', 'series': 'two'}, 'op': 'between', 'than': [1, 2]}]}]"

static json_t *json_of(const struct cs_results *results)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    json_t *json;

    cs_page_experiment_put(results, "cosched paper run f", &out);
    json = cs_json_load_memory("page", out.text, out.length, NULL);
    assert_non_null(json);
    cs_strbuf_release(&out);
    return json;
}

/* "axes.2.values.0.label" */
static json_t *at(json_t *json, const char *path)
{
    char word[64];

    while (*path && json) {
        size_t length = strcspn(path, ".");

        memcpy(word, path, length);
        word[length] = 0;
        json = json_is_array(json) ? json_array_get(json, (size_t)atoi(word))
                                   : json_object_get(json, word);
        path += length + (path[length] == '.');
    }
    return json;
}

static double number(json_t *json, const char *path)
{
    json_t *value = at(json, path);

    return json_is_number(value) ? json_number_value(value) : NAN;
}

static void word_is(json_t *json, const char *path, const char *want)
{
    const char *got = json_string_value(at(json, path));

    if (!got || strcmp(got, want))
        fail_msg("%s is %s, want %s", path, got ? got : "none", want);
}

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-12 * fabs(want)))
        fail_msg("got %.17g, want %.17g", got, want);
}

/* Panel p has a = 1, 2, 3, panel q 1, 2; number is 10 a + b. */
static void a_paper_has_panels_series_and_its_axis(void **state)
{
    struct cs_experiment *paper = read_good(HEAD X PANELS SERIES METRICS "}", false);
    struct cs_results *results = run(paper);
    json_t *json = json_of(results);

    (void)state;
    assert_int_equal(number(json, "cells"), 28);
    assert_int_equal(number(json, "done"), 28);
    assert_int_equal(json_array_size(at(json, "groups")), 3 * 3 + 2 * 2);
    assert_int_equal(json_array_size(at(json, "axes.2.values")), 3);
    word_is(json, "axes.0.values.1.label", "q");
    word_is(json, "axes.1.values.1.label", "Two");
    word_is(json, "axes.2.title", "tens");
    word_is(json, "metrics.0.title", "a number");
    word_is(json, "seed", "1");
    assert_int_equal(number(json, "axes.2.values.2.number"), 3);
    assert_int_equal(number(json, "figure.x"), 2);
    assert_int_equal(number(json, "groups.4.at.1"), 1);
    assert_int_equal(number(json, "groups.4.at.2"), 1);
    near(number(json, "groups.4.v.0.2"), 22);
    assert_int_equal(number(json, "groups.6.count"), 4);
    assert_int_equal(number(json, "groups.6.v.0.0"), 4);
    near(number(json, "groups.6.v.0.2"), 13);
    word_is(json, "figures.2", "mean");
    json_decref(json);
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
}

/* Series "one" at a = 1 is 11, "two" 12. */
static void ratios_are_to_each_of_the_lines(void **state)
{
    struct cs_experiment *paper = read_good(HEAD X PANELS SERIES METRICS "}", false);
    struct cs_results *results = run(paper);
    json_t *json = json_of(results);

    (void)state;
    assert_true(json_is_null(at(json, "relative.0")) && json_is_null(at(json, "relative.2")));
    near(number(json, "relative.1.0.0.0.2"), 1);
    near(number(json, "relative.1.0.0.1.2"), 11.0 / 12);
    near(number(json, "relative.1.0.3.0.2"), 12.0 / 11);
    assert_true(json_is_null(at(json, "relative.1.0.9.1")));
    json_decref(json);
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
}

static void a_metric_over_a_series_is_shown_as_the_paper_shows_it(void **state)
{
    struct cs_experiment *paper =
        read_good(HEAD X PANELS SERIES "'metrics': {'number': {'over': 'one'}}}", false);
    struct cs_results *results = run(paper);
    json_t *json = json_of(results);

    (void)state;
    near(number(json, "groups.3.v.0.2"), 12.0 / 11);
    assert_true(json_is_null(at(json, "relative.1.0")));
    json_decref(json);
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
}

static void claims_come_with_their_checks(void **state)
{
    struct cs_experiment *paper = read_good(HEAD X PANELS SERIES METRICS CLAIMS "}", false);
    struct cs_results *results = run(paper);
    json_t *json = json_of(results);

    (void)state;
    word_is(json, "claims.0.text", "Yes.");
    word_is(json, "claims.0.reading", "so");
    word_is(json, "claims.0.remark", "R.");
    word_is(json, "claims.0.verdict", "agrees in part");
    word_is(json, "claims.0.checks.0.label", "L");
    assert_true(json_is_true(at(json, "claims.0.checks.0.counted")));
    word_is(json, "claims.0.checks.0.relation", "<");
    word_is(json, "claims.0.checks.0.verdict", "agrees");
    near(number(json, "claims.0.checks.0.found"), 22);
    near(number(json, "claims.0.checks.0.wanted"), 100);
    word_is(json, "claims.0.checks.1.relation", "between");
    near(number(json, "claims.0.checks.1.to"), 2);
    word_is(json, "claims.0.checks.1.verdict", "does not agree");
    json_decref(json);
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
}

static void tables_have_the_papers_numbers(void **state)
{
    struct cs_experiment *paper = read_good(
        HEAD X PANELS SERIES
        "'as': 'table', 'notes': ['N.'], 'metrics': {'number': {'reference': {'one': [5, null]}}}}",
        false);
    struct cs_results *results = run(paper);
    json_t *json = json_of(results);

    (void)state;
    word_is(json, "tables.0.columns.0", "P");
    word_is(json, "tables.0.rows.0.label", "one");
    near(number(json, "tables.0.rows.0.cells.0.ours"), 21);
    near(number(json, "tables.0.rows.0.cells.0.paper"), 5);
    assert_true(json_is_null(at(json, "tables.0.rows.0.cells.1.paper")));
    assert_true(json_is_null(at(json, "tables.0.rows.1.cells.0.paper")));
    word_is(json, "notes.0", "N.");
    json_decref(json);
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
}

static void what_has_not_run_is_counted(void **state)
{
    struct cs_experiment *paper = read_good(HEAD X PANELS SERIES METRICS CLAIMS "}", false);
    struct cs_results *results = cs_results_create(paper);
    json_t *json;

    (void)state;
    results->done[6] = true;
    results->value[6 * 3] = 7;
    json = json_of(results);
    assert_int_equal(number(json, "done"), 1);
    assert_int_equal(number(json, "groups.6.done"), 1);
    near(number(json, "groups.6.v.0.2"), 7);
    assert_true(json_is_null(at(json, "groups.6.v.0.3")));
    assert_int_equal(number(json, "groups.0.v.0.0"), 0);
    assert_true(json_is_null(at(json, "groups.0.v.0.2")));
    word_is(json, "claims.0.verdict", "not checked");
    json_decref(json);
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
}

/* --- stores --- */

#define SWEEP                                                                                      \
    "{\"title\":\"A sweep\",\"problem\":\"rigid\",\"seed\":9007199254740993,\"replicates\":2,"     \
    "\"set\":{\"jobs\":5,\"scenarios\":1,\"procs\":64},\"vary\":{\"policy\":[\"greedy\","          \
    "\"list:reservations=3\"]},\"metrics\":[\"makespan\"]}"

static const char *path_of(const char *name)
{
    static char path[512];

    snprintf(path, sizeof path, "%s/%s", kit_folder(), name);
    return path;
}

static void remove_store(const char *name)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-lock"};
    char file[128];

    for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
        snprintf(file, sizeof file, "%s%s", name, endings[e]);
        kit_remove(file);
    }
}

/* A store in which the first `done` cells have the values 1, 2, ... */
static void write_store(int done)
{
    struct cs_store *store = cs_store_open(path_of("s.db"), CS_STORE_WRITE, NULL);
    struct cs_error err = {0};
    json_t *json = cs_json_load_memory("s", SWEEP, strlen(SWEEP), &err);
    struct cs_experiment *sweep =
        json ? cs_experiment_create(json, "dir/it's.json", NULL, &err) : NULL;
    int64_t id;
    int metric;

    if (!sweep)
        fail_msg("%s", err.text);
    metric = cs_cell_metric(sweep->problem, "makespan", NULL);
    assert_int_equal(cs_experiment_keep(sweep, store, &id, NULL), 0);
    assert_int_equal(cs_store_begin_run(store, "cosched campaign run its.json", 2, NULL), 0);
    for (int c = 0; c < done; c++) {
        struct cs_record record = {.value = {0}};

        record.value[metric] = c + 1;
        assert_int_equal(cs_store_put(store, sweep->problem, &sweep->cell[c], &record, NULL), 0);
    }
    cs_store_end_run(store, NULL);
    cs_store_close(store);
    json_decref(json);
    cs_experiment_destroy(sweep);
}

/* The JSON of the n-th section. */
static json_t *section_of(const char *html, int n)
{
    static const char open[] = "<script type=\"application/json\">";
    const char *from = html;
    json_t *json;

    for (int i = 0; i <= n; i++) {
        from = strstr(from, open);
        assert_non_null(from);
        from += strlen(open);
    }
    json = cs_json_load_memory("section", from, (size_t)(strstr(from, "</script>") - from), NULL);
    assert_non_null(json);
    return json;
}

static struct cs_strbuf page_of(const char *path, const char *papers)
{
    struct cs_page *page = cs_page_create(&(struct cs_page_head){.title = "T"});
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_error err = {0};

    if (cs_page_add_store(page, path, papers, &err))
        fail_msg("%s", err.text);
    cs_page_put(page, &out);
    cs_page_destroy(page);
    return out;
}

static void a_store_becomes_documents_and_their_origin(void **state)
{
    struct cs_strbuf html;
    json_t *json;

    (void)state;
    write_store(3);
    html = page_of(path_of("s.db"), NULL);
    json = section_of(html.text, 0);
    word_is(json, "title", "A sweep");
    word_is(json, "seed", "9007199254740993");
    word_is(json, "command", "cosched campaign run 'dir/it'\\''s.json' --store :memory:");
    word_is(json, "axes.0.name", "policy");
    word_is(json, "axes.0.values.1.where", "policy=list:reservations=3");
    assert_int_equal(number(json, "cells"), 4);
    assert_int_equal(number(json, "done"), 3);
    assert_int_equal(number(json, "groups.1.done"), 1);
    near(number(json, "groups.0.v.0.2"), 1.5);
    near(number(json, "groups.1.v.0.2"), 3);
    near(number(json, "relative.0.0.1.0.2"), 3);
    json_decref(json);
    json = section_of(html.text, 1);
    word_is(json, "runs.0.command", "cosched campaign run its.json");
    word_is(json, "documents.0.name", "it's");
    assert_int_equal(json_array_size(at(json, "inputs")), 0);
    json_decref(json);
    cs_strbuf_release(&html);
    remove_store("s.db");
}

#define PAPER                                                                                      \
    "{\"title\":\"T\",\"place\":\"P\",\"citation\":\"C\",\"problem\":\"rigid\",\"set\":{\"jobs\":" \
    "5,"                                                                                           \
    "\"scenarios\":1},\"x\":{\"parameter\":\"procs\",\"values\":[64,128]},\"panels\":{\"p\":{}},"  \
    "\"series\":{\"s\":{\"set\":{\"policy\":\"greedy\"}}},\"metrics\":{\"ratio\":{}}}"

static void command_is(const char *papers, const char *want)
{
    struct cs_strbuf html = page_of(path_of("p.db"), papers);
    json_t *json = section_of(html.text, 0);

    word_is(json, "command", want);
    json_decref(json);
    cs_strbuf_release(&html);
}

static void the_command_of_a_paper_says_where_it_is(void **state)
{
    struct cs_store *store = cs_store_open(path_of("p.db"), CS_STORE_WRITE, NULL);
    struct cs_document document = {.kind = "paper",
                                   .name = "rigid/one",
                                   .file = "/my papers/rigid/one.json",
                                   .text = PAPER,
                                   .supplied = "{\"jobs\":7}",
                                   .quick = true,
                                   .seed = 3};
    int64_t id;

    (void)state;
    assert_int_equal(cs_store_add_document(store, &document, &id, NULL), 0);
    cs_store_close(store);
    command_is("/my papers", "cosched paper run rigid/one --quick --set jobs=7 --seed 3");
    command_is("/others", "cosched paper run rigid/one --quick --set jobs=7 --seed 3 --papers "
                          "'/my papers'");
    remove_store("p.db");
}

static void refused(const char *path, const char *want)
{
    struct cs_page *page = cs_page_create(&(struct cs_page_head){.title = "T"});
    struct cs_error err = {0};

    assert_int_equal(cs_page_add_store(page, path, NULL, &err), -1);
    if (!strstr(err.text, want))
        fail_msg("\"%s\" is not in: %s", want, err.text);
    assert_int_equal(cs_page_sections(page), 0);
    cs_page_destroy(page);
}

static void what_is_no_store_or_empty_is_refused(void **state)
{
    (void)state;
    cs_store_close(cs_store_open(path_of("empty.db"), CS_STORE_WRITE, NULL));
    refused(path_of("empty.db"), "empty.db: the store has no runs yet");
    remove_store("empty.db");
    kit_write("no.db", "hello");
    refused(path_of("no.db"), "no.db");
    remove_store("no.db");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_paper_has_panels_series_and_its_axis),
        cmocka_unit_test(ratios_are_to_each_of_the_lines),
        cmocka_unit_test(a_metric_over_a_series_is_shown_as_the_paper_shows_it),
        cmocka_unit_test(claims_come_with_their_checks),
        cmocka_unit_test(tables_have_the_papers_numbers),
        cmocka_unit_test(what_has_not_run_is_counted),
        cmocka_unit_test(a_store_becomes_documents_and_their_origin),
        cmocka_unit_test(the_command_of_a_paper_says_where_it_is),
        cmocka_unit_test(what_is_no_store_or_empty_is_refused),
    };

    return cmocka_run_group_tests_name("page_document", tests, NULL, remove_folder);
}
