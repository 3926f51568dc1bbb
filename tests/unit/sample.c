/* sample: figures worked out by hand, and the three forms they are written in. */
#include "report/sample_rows.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

static const struct cs_measure measures[] = {
    {"wait", "wait (h)", 3600},
    {"failures", "failures", 1},
};

static void make(struct cs_sample sample[2])
{
    double wait[] = {7200, 0, 3600, 10800, 14400}, failures[] = {1, 1, 1, 1, 1};

    sample[0] = cs_sample_make(wait, 5);
    sample[1] = cs_sample_make(failures, 5);
}

static void figures_of_five_runs(void **state)
{
    struct cs_sample sample[2];
    const double *f = sample[0].figure;

    (void)state;
    make(sample);
    assert_true(f[CS_FIGURE_MEAN] == 7200 && f[CS_FIGURE_MEDIAN] == 7200);
    assert_true(f[CS_FIGURE_MIN] == 0 && f[CS_FIGURE_MAX] == 14400);
    assert_true(f[CS_FIGURE_Q25] == 3600 && f[CS_FIGURE_Q75] == 10800);
    assert_true(fabs(f[CS_FIGURE_Q05] - 720) < 1e-9 && fabs(f[CS_FIGURE_Q95] - 13680) < 1e-9);
    assert_true(fabs(f[CS_FIGURE_DEVIATION] - 3600 * sqrt(2.5)) < 1e-9);
    assert_true(fabs(f[CS_FIGURE_CONFIDENCE] - 2.7764451052 * 3600 * sqrt(2.5 / 5)) < 1e-5);
    assert_true(sample[1].figure[CS_FIGURE_DEVIATION] == 0);
}

static void one_run_has_no_deviation(void **state)
{
    double value = 3;
    struct cs_sample sample = cs_sample_make(&value, 1);

    (void)state;
    assert_true(sample.figure[CS_FIGURE_MEAN] == 3 && sample.figure[CS_FIGURE_Q95] == 3);
    assert_true(isnan(sample.figure[CS_FIGURE_DEVIATION]));
}

static void people_read_their_own_units(void **state)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_sample sample[2];
    struct cs_table *table;

    (void)state;
    make(sample);
    table = cs_sample_table(measures, 2, sample);
    cs_table_write(table, CS_TABLE_TEXT, 0, &out);
    cs_table_destroy(table);
    assert_non_null(strstr(out.text, "wait (h)"));
    assert_non_null(strstr(out.text, "wait (h)     2       2       1.58    0  0.2     1       2"));
    assert_null(strstr(out.text, "7200"));
    cs_strbuf_release(&out);
}

static const struct cs_sample_lead leads[] = {
    {"policy", CS_COLUMN_WORD, false},
    {"set", CS_COLUMN_WORD, false},
    {"runs", CS_COLUMN_COUNT, true},
    {"gain", CS_COLUMN_NUMBER, false},
};

static void programs_read_seconds_in_columns(void **state)
{
    struct cs_strbuf csv = CS_STRBUF_INIT;
    struct cs_sample sample[2];
    const struct cs_sample_row row[] = {
        {{{.word = "easy, \"fast\""}, {.word = ""}, {.number = 5}, {.number = 0.25}}, sample},
        {{{.word = "greedy"}, {.word = "b"}, {.number = 5}, {.number = NAN}}, sample},
    };
    const struct cs_sample_rows rows = {leads, measures, row, 4, 2, 2};

    (void)state;
    make(sample);
    cs_sample_rows_csv(&rows, &csv);
    assert_memory_equal(csv.text, "policy,set,runs,gain,wait_mean,wait_confidence95,", 49);
    assert_non_null(
        strstr(csv.text, "failures_q95,failures_max\n\"easy, \"\"fast\"\"\",,5,0.25,7200,"));
    assert_non_null(strstr(csv.text, "\ngreedy,b,5,,7200,"));
    cs_strbuf_release(&csv);
}

static void programs_read_seconds_in_objects(void **state)
{
    struct cs_strbuf json = CS_STRBUF_INIT;
    struct cs_sample sample[2];
    const struct cs_sample_row row[] = {
        {{{.word = "easy"}, {.word = ""}, {.number = 5}, {.number = NAN}}, sample},
    };
    const struct cs_sample_rows rows = {leads, measures, row, 4, 2, 1};
    struct cs_jsonw w = cs_jsonw_begin(&json);

    (void)state;
    make(sample);
    cs_jsonw_open(&w, '{');
    cs_sample_rows_json(&rows, &w);
    cs_jsonw_close(&w);
    cs_jsonw_end(&w);
    assert_non_null(strstr(json.text, "\"results\": ["));
    assert_non_null(strstr(json.text, "\"policy\": \"easy\",\n      \"set\": null,\n"));
    assert_non_null(strstr(json.text, "\"gain\": null,\n      \"wait\": {\"mean\": 7200"));
    assert_non_null(strstr(json.text, "\"q05\": 1"));
    assert_null(strstr(json.text, "runs"));
    cs_strbuf_release(&json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_of_five_runs),
        cmocka_unit_test(one_run_has_no_deviation),
        cmocka_unit_test(people_read_their_own_units),
        cmocka_unit_test(programs_read_seconds_in_columns),
        cmocka_unit_test(programs_read_seconds_in_objects),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
