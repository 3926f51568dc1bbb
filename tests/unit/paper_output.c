/* The results of a paper as files: Markdown, CSV, tables, figures. */
#include "paper_kit.h"

#include "campaign/output.h"
#include "campaign/store.h"
#include "config.h"

#define CLAIMS                                                                                     \
    ", 'claims': [{'text': 'Yes.', 'reading': 'so', 'checks': [{'label': 'L', 'value': "           \
    "{'metric': 'number', 'series': 'two'}, 'op': '<', 'than': 100}]}, {'text': 'No.', "           \
    "'checks': [{'value': {'metric': 'number', 'series': 'two'}, 'op': '>', 'than': 100}]}, "      \
    "{'text': 'Well.', 'checks': [{'value': {'metric': 'number', 'series': 'two'}, 'op': '<', "    \
    "'than': 100}, {'value': {'metric': 'number', 'series': 'two'}, 'op': 'between', "             \
    "'than': [1, 2]}]}, {'text': 'Who knows.', 'unchecked': 'W', 'remark': 'R.'}, "                \
    "{'text': 'Yes, and beside.', 'checks': [{'value': {'metric': 'number', 'series': 'two'}, "    \
    "'op': '<', 'than': 100}, {'label': 'B', 'beside': true, 'value': {'metric': 'number', "       \
    "'series': 'two'}, 'op': '>', 'than': 100}]}]}"

static void markdown_has_a_verdict_for_every_claim(void **state)
{
    struct cs_experiment *paper = read_good(HEAD X PANELS SERIES METRICS CLAIMS, false);
    struct cs_results *results = run(paper);
    struct cs_strbuf out = CS_STRBUF_INIT;
    static const char *const want[] = {
        "# Figure 9: T\n",
        "    cosched paper run f\n",
        "seed 1, 28 runs\n",
        "5 claims: 2 agree, 1 agree in part, 1 do not agree, 1 not checked; checks: 3 of 5 "
        "agree.\n",
        "**1. agrees** “Yes.”\n\nRead as: so\n",
        "| L | 22 | < 100 | agrees |\n",
        "**2. does not agree** “No.”\n",
        "|  | 22 | > 100 | does not agree |\n",
        "**3. agrees in part (1 of 2)** “Well.”\n",
        "|  | 22 | from 1 to 2 | does not agree |\n",
        "**4. not checked** “Who knows.”\n\nNot checked: W\n\nRemark: R.\n",
        "**5. agrees** “Yes, and beside.”\n",
        "| B | 22 | > 100 | does not agree, not counted |\n",
        ("### P: a number\n\n| tens | 1 | 2 | 3 |\n| --- | ---: | ---: | ---: |\n"
         "| one | 11 | 21 | 31 |\n| Two | 12 | 22 | 32 |\n"),
    };

    (void)state;
    cs_output_markdown(results, "cosched paper run f", "f.png", &out);
    for (size_t w = 0; w < sizeof want / sizeof *want; w++)
        if (!strstr(out.text, want[w]))
            fail_msg("\"%s\" is not in:\n%s", want[w], out.text);
    cs_strbuf_release(&out);
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
}

/* The text has all of these words. */
static void paper_says(const char *text, bool quick, const char *const *want)
{
    struct cs_experiment *paper = read_good(text, quick);
    struct cs_results *results = run(paper);
    struct cs_strbuf out = CS_STRBUF_INIT;

    cs_output_markdown(results, "c", "f.png", &out);
    for (; *want; want++)
        if (!strstr(out.text, *want))
            fail_msg("\"%s\" is not in:\n%s", *want, out.text);
    cs_strbuf_release(&out);
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
}

#define SECOND                                                                                     \
    ", 'second_column': {'title': 'plan', 'metrics': {'number': 'number'}, 'without': "            \
    "{'parameter': 'word', 'value': 'large', 'words': 'Large.'}}"

/* A second column shows the same numbers by other metrics, and no verdict goes by it. */
static void a_second_column_is_shown_and_not_judged(void **state)
{
    static const char *const shown[] = {"| what | ours | plan | wanted | verdict |\n",
                                        "| L | 22 | 22 | < 100 | agrees |\n", NULL};
    static const char *const absent[] = {"Large.\n\n# Figure 9: T\n",
                                         "| what | ours | wanted | verdict |\n", NULL};

    (void)state;
    paper_says(HEAD X PANELS SERIES METRICS SECOND CLAIMS, false, shown);
    paper_says(HEAD
               "'set': {'word': 'large'}, " X
               "'panels': {'p': {'title': 'P'}, 'q': {'x': [1, 2]}}, " SERIES METRICS SECOND CLAIMS,
               false, absent);
}

/* A claim on invented input is judged, but not counted. */
static void stand_ins_are_not_counted(void **state)
{
    static const char *const want[] = {
        "2 claims: 1 agree, 1 stand-in; checks: 1 of 1 agree.\n",
        "**1. agrees, stand-in** “Invented.”\n",
        NULL,
    };

    (void)state;
    paper_says(HEAD X PANELS SERIES METRICS
               ", 'claims': [{'text': 'Invented.', 'stand_in': true, 'checks': [{'value': "
               "{'metric': 'number', 'series': 'two'}, 'op': '<', 'than': 100}]}, {'text': "
               "'Real.', 'checks': [{'value': {'metric': 'number', 'series': 'two'}, 'op': '<', "
               "'than': 100}]}]}",
               false, want);
}

/* Numbers of subtitles are those of the run, and a quick run states what it leaves out. */
static void a_quick_run_says_so_everywhere(void **state)
{
    static const char *const want[] = {"quick look: 2 of 4 replicates\n\n# Figure 9: T\n",
                                       "\n## Numbers; quick look: 2 of 4 replicates\n", NULL};
    static const char text[] =
        HEAD X PANELS SERIES METRICS ", 'subtitle': '{runs} runs, {replicates} of dice', 'quick': "
                                     "{'series': {'dice': {'replicates': 2}}}}";
    struct cs_strbuf subtitle = CS_STRBUF_INIT;
    struct cs_experiment *paper = read_good(text, false);

    (void)state;
    cs_experiment_put_subtitle(paper, &subtitle);
    assert_string_equal(subtitle.text, "28 runs, 4 of dice");
    cs_experiment_destroy(paper);
    paper = read_good(text, true);
    cs_strbuf_clear(&subtitle);
    cs_experiment_put_subtitle(paper, &subtitle);
    assert_string_equal(subtitle.text, "18 runs, 2 of dice; quick look: 2 of 4 replicates");
    cs_experiment_destroy(paper);
    cs_strbuf_release(&subtitle);
    paper_says(text, true, want);
}

/* Where four digits are the same there are more; a table without printed numbers has only ours. */
static void numbers_are_as_long_as_it_takes(void **state)
{
    static const char *const digits[] = {"|  | 22 | < 22.00002 | agrees |\n",
                                         "|  | 22 | from 21.999 to 23 | agrees |\n",
                                         "|  | 22 | ≤ 22 | agrees |\n", NULL};
    static const char *const bare[] = {"### N\n\n| | P |\n| --- | ---: |\n| one | 21 |\n", NULL};

    (void)state;
    paper_says(HEAD X PANELS SERIES METRICS
               ", 'claims': [{'text': 'T', 'checks': [{'value': {'metric': 'number', 'series': "
               "'two'}, 'op': '<', 'than': 22.00002}, {'value': {'metric': 'number', 'series': "
               "'two'}, 'op': 'between', 'than': [21.999, 23]}, {'value': {'metric': 'number', "
               "'series': 'two'}, 'op': '<=', 'than': 22}]}]}",
               false, digits);
    paper_says(HEAD X "'panels': {'p': {'title': 'P'}}, " SERIES
                      "'as': 'table', 'metrics': {'number': {'title': 'N'}}}",
               false, bare);
}

static void refuses(const char *text, const char *message)
{
    struct cs_error err = {0};

    assert_null(read_text(text, false, &err));
    if (!strstr(err.text, message))
        fail_msg("%s", err.text);
}

#define GONE_IS_JUDGED                                                                             \
    ", 'claims': [{'text': 'T', 'checks': [{'value': {'metric': 'number', 'series': 'gone'}, "     \
    "'op': '<', 'than': 1}]}]}"

static void what_is_judged_must_be_drawn(void **state)
{
    (void)state;
    refuses(HEAD X PANELS
            "'series': {'kept': {}, 'gone': {'draw': false}}, " METRICS GONE_IS_JUDGED,
            "f.json: claims[0]: series gone is judged by claim 1 but not drawn");
    for (int in_table = 0; in_table < 2; in_table++) {
        const char *const text =
            in_table ? HEAD X PANELS
                "'series': {'kept': {}, 'gone': {'draw': false, 'judged_in': 'table'}}, "
                "'as': 'table', " METRICS GONE_IS_JUDGED
                     : HEAD X PANELS "'series': {'kept': {}, 'gone': {'draw': false}}, "
                                     "'as': 'forest', " METRICS GONE_IS_JUDGED;

        if (in_table) {
            struct cs_experiment *paper = read_text(text, false, NULL);

            assert_non_null(paper);
            cs_experiment_destroy(paper);
        } else {
            refuses(text, "series gone is judged by claim 1 but not drawn");
        }
    }
    refuses(HEAD X PANELS SERIES METRICS ", 'subtitle': 'of {trials} trials'}",
            "f.json: subtitle: {trials} is not known: runs, replicates, scenarios, tasks, procs or "
            "seed");
}

static void csv_has_one_value_a_row(void **state)
{
    struct cs_experiment *paper =
        read_good(HEAD "'x': {'parameter': 'word'}, 'set': {'a': 3}, 'panels': {'p,1': {'x': "
                       "['small', 'large']}}, 'series': {'s': {}, 't': {'set': {'b': 0.1}}}, "
                       "'metrics': {'number': {}, 'nothing': {}}}",
                  false);
    struct cs_results *results = run(paper);
    struct cs_strbuf out = CS_STRBUF_INIT;

    (void)state;
    cs_output_csv(results, &out);
    assert_string_equal(out.text, "panel,series,x,replicate,metric,value\n"
                                  "\"p,1\",s,small,0,number,30\n"
                                  "\"p,1\",s,large,0,number,3000\n"
                                  "\"p,1\",t,small,0,number,30.100000000000001\n"
                                  "\"p,1\",t,large,0,number,3010\n");
    cs_strbuf_release(&out);
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
}

static void tables_stand_beside_the_papers_numbers(void **state)
{
    struct cs_experiment *paper =
        read_good(HEAD X PANELS SERIES "'as': 'table', 'metrics': {'number': {'title': 'N', "
                                       "'reference': {'one': [42, null], 'two': [11, 5]}}}}",
                  false);
    struct cs_results *results = run(paper);
    struct cs_strbuf out = CS_STRBUF_INIT;

    (void)state;
    cs_output_markdown(results, "c", "f.png", &out);
    assert_non_null(strstr(out.text, "| one | 21 | 42 | 2 | 1,600 | – | – |\n"
                                     "| Two | 22 | 11 | 0.5 | – | 5 | – |\n"));
    cs_strbuf_release(&out);
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
}

static void nothing_is_so_many_times_0(void **state)
{
    struct cs_experiment *paper =
        read_good(HEAD "'as': 'table', 'x': {'parameter': 'a', 'values': [0]}, 'set': {'fail': 9}, "
                       "'panels': {'p': {}}, 'series': {'none': {}, 'one': {'set': {'b': 1}}}, "
                       "'metrics': {'number': {'reference': {'none': [5], 'one': [5]}}}}",
                  false);
    struct cs_results *results = run(paper);
    struct cs_strbuf out = CS_STRBUF_INIT;

    (void)state;
    cs_output_markdown(results, "c", "f.png", &out);
    assert_non_null(strstr(out.text, "| none | 0 | 5 | – |\n| one | 1 | 5 | 5 |\n"));
    cs_strbuf_release(&out);
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
}

static bool begins(const char *name, const char *bytes)
{
    char path[256], found[16] = "";
    FILE *file;
    size_t size;

    snprintf(path, sizeof path, "%s/%s", kit_folder(), name);
    file = fopen(path, "rb");
    if (!file)
        return false;
    size = fread(found, 1, sizeof found - 1, file);
    fclose(file);
    return size >= strlen(bytes) && !memcmp(found, bytes, strlen(bytes));
}

static void the_files_of_a_paper_are_written(void **state)
{
    struct cs_experiment *paper = read_good(HEAD X PANELS SERIES METRICS "}", false);
    struct cs_results *results = run(paper);
    struct cs_error err = {0}, other = {0};

    (void)state;
    assert_int_equal(cs_output_write(results, kit_folder(), "c", &err), 0);
    assert_true(begins("f.csv", "panel,series"));
    assert_true(begins("f.svg", "<"));
    assert_true(begins("f.png", "\x89PNG") == CS_HAVE_PNG);
    assert_true(begins("f.md", "# Figure 9: T"));
    assert_int_equal(cs_output_write(results, "/dev/null/x", "c", &other), -1);
    assert_non_null(strstr(other.text, "/dev/null"));
    kit_remove("f.csv");
    kit_remove("f.svg");
    kit_remove("f.png");
    kit_remove("f.md");
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
}

static bool figure_has(const char *text, const char *const *want)
{
    struct cs_experiment *paper = read_good(text, false);
    struct cs_results *results = run(paper);
    struct cs_strbuf svg = CS_STRBUF_INIT;
    bool all = true;

    assert_int_equal(cs_output_svg(results, NULL, &svg, NULL), 0);
    for (; *want; want++)
        all =
            all && (**want == '!' ? !strstr(svg.text, *want + 1) : strstr(svg.text, *want) != NULL);
    cs_strbuf_release(&svg);
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
    return all;
}

static void figures_name_what_they_show(void **state)
{
    static const char *const figure[] = {"Figure 9: T", ">P<", ">q<", ">Two<", ">dice<", NULL};
    static const char *const hidden[] = {">kept<", "!>gone<", NULL};
    static const char *const table[] = {">the paper<", ">cosched<", "!>this machine<",
                                        ">one<",       ">Two<",     NULL};

    (void)state;
    assert_true(figure_has(HEAD X PANELS SERIES METRICS "}", figure));
    assert_true(figure_has(
        HEAD X PANELS "'series': {'kept': {}, 'gone': {'draw': false}}, " METRICS "}", hidden));
    assert_true(figure_has(HEAD X PANELS SERIES
                           "'as': 'table', 'metrics': {'number': {'reference': {'one': [1, 2]}}}}",
                           table));
}

/* The second run of series "one" on panel "p" is in the store, the others are not. */
static void what_a_store_has_is_taken_from_it(void **state)
{
    struct cs_store *store = cs_store_open(CS_STORE_MEMORY, CS_STORE_WRITE, NULL);
    struct cs_experiment *paper = read_good(HEAD X PANELS SERIES METRICS "}", false);
    struct cs_results *results = cs_results_create(paper);
    struct cs_record record = {.value = {5, 6, NAN}};

    (void)state;
    assert_int_equal(paper->count, 28);
    for (int c = 0; c < paper->count; c++)
        assert_true(!results->done[c] && isnan(results->value[3 * c]));
    assert_int_equal(cs_store_begin_run(store, "test", 1, NULL), 0);
    assert_int_equal(cs_store_put(store, &kit_problem, &paper->cell[1], &record, NULL), 0);
    assert_int_equal(cs_results_load(results, store, NULL), 0);
    for (int c = 0; c < paper->count; c++)
        assert_int_equal(results->done[c], c == 1);
    assert_true(isnan(results->value[0]));
    assert_true(cs_results_value(results, 0, -1, 1, 0) == 5);
    assert_true(cs_results_value(results, 1, -1, 1, 0) == 6);
    assert_true(isnan(cs_results_mean(results, 0, -1, 0).mean));
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
    cs_store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(markdown_has_a_verdict_for_every_claim),
        cmocka_unit_test(a_second_column_is_shown_and_not_judged),
        cmocka_unit_test(stand_ins_are_not_counted),
        cmocka_unit_test(a_quick_run_says_so_everywhere),
        cmocka_unit_test(numbers_are_as_long_as_it_takes),
        cmocka_unit_test(what_is_judged_must_be_drawn),
        cmocka_unit_test(csv_has_one_value_a_row),
        cmocka_unit_test(tables_stand_beside_the_papers_numbers),
        cmocka_unit_test(nothing_is_so_many_times_0),
        cmocka_unit_test(the_files_of_a_paper_are_written),
        cmocka_unit_test(figures_name_what_they_show),
        cmocka_unit_test(what_a_store_has_is_taken_from_it),
    };

    return cmocka_run_group_tests_name("paper_output", tests, NULL, remove_folder);
}
