/* case_show: what a case came to, as texts and pictures. */
#include "model/schedule.h"
#include "unit/case_jobs.h"

#include <cosched/case.h>
#include <cosched/chart.h>
#include <stdio.h>
#include <string.h>

static void says(const struct cs_case *c, const char *name, const char *what)
{
    struct cs_error err = {0};
    size_t length;
    char *text = cs_case_text(c, name, 0, &length, &err);

    assert_string_equal(err.text, "");
    assert_int_equal(length, strlen(text));
    if (!strstr(text, what))
        fail_msg("%s is not in %s", what, text);
    cs_free(text);
}

static void is_no_text(const struct cs_case *c, const char *name, int columns, const char *why)
{
    struct cs_error err = {0};

    assert_null(cs_case_text(c, name, columns, NULL, &err));
    assert_string_equal(err.text, why);
}

static void what_it_came_to_is_reported(void **state)
{
    struct cs_error err = {0};
    struct cs_case *c = cs_case_open("rigid", "simulate", rigid, NULL, &err);
    char *wide, *narrow;

    (void)state;
    is_no_text(c, NULL, 0, "the case has not run yet");
    assert_int_equal(cs_case_run(c, NULL, &err), 0);
    says(c, NULL, "20 jobs on 5,000 processors");
    says(c, "table", "best");
    says(c, "csv", "policy,priority,set,jobs,scenarios,makespan_mean,");
    says(c, "json", "\"scenarios\": 30");
    says(c, "runs", "\ngreedy,lpt,29,");
    is_no_text(
        c, "prose", 0,
        "the form of a text cannot be \"prose\"; it must be table, json, csv, runs, replay or "
        "curve");
    is_no_text(c, "csv", -1, "a text cannot have -1 columns");
    is_no_text(NULL, "csv", 0, "there is no variant 0: there are 0");
    wide = cs_case_text(c, NULL, 0, NULL, NULL);
    narrow = cs_case_text(c, NULL, 60, NULL, NULL);
    assert_true(strlen(narrow) < strlen(wide));
    cs_free(wide);
    cs_free(narrow);
    cs_case_close(c);
}

static void a_run_is_drawn(void **state)
{
    const struct cs_chart_options how = {
        .size = sizeof how, .width = 500, .title = "mine", .subtitle = "below", .style = "grey"};
    const struct cs_chart_options wrong = {.size = sizeof wrong, .style = "pink"},
                                  other = {.size = 3};
    struct cs_error err = {0};
    struct cs_case *c = cs_case_open("rigid", "simulate", rigid, NULL, &err);
    size_t length;
    char *svg, *usual;

    (void)state;
    assert_null(cs_case_svg(c, 0, 0, NULL, NULL, NULL, NULL));
    assert_int_equal(cs_case_run(c, NULL, &err), 0);
    svg = cs_case_svg(c, 1, 7, &how, NULL, &length, &err);
    usual = cs_case_svg(c, 1, 7, NULL, NULL, NULL, &err);
    assert_string_equal(err.text, "");
    assert_int_equal(length, strlen(svg));
    assert_non_null(strstr(svg, "viewBox=\"0 0 500 "));
    assert_true(strstr(svg, ">mine<") && strstr(svg, ">below<"));
    assert_true(strstr(usual, strrchr(jobs, '/') + 1) && strstr(usual, "greedy \xc2\xb7 lpt"));
    assert_null(cs_case_svg(c, 2, 0, NULL, NULL, NULL, NULL));
    assert_null(cs_case_svg(c, 0, 30, NULL, NULL, NULL, NULL));
    assert_null(cs_case_svg(c, 0, 0, &wrong, NULL, NULL, NULL));
    assert_null(cs_case_svg(c, 0, 0, &other, NULL, NULL, NULL));
    assert_null(cs_case_svg(NULL, 0, 0, NULL, NULL, NULL, NULL));
    assert_null(cs_case_jobs(c, 0, 0, NULL, NULL, &err));
    assert_string_equal(err.text,
                        "there is a table of jobs where they arrive: with the option arrivals");
    assert_null(cs_case_jobs(c, 0, 31, NULL, NULL, NULL));
    assert_null(cs_case_jobs(NULL, 0, 0, NULL, NULL, NULL));
    cs_free(svg);
    cs_free(usual);
    cs_case_close(c);
}

static void files_report_the_command(void **state)
{
    struct cs_error err = {0};
    struct cs_case *c = cs_case_open("rigid", "simulate", rigid, NULL, &err);
    struct cs_schedule_file *file;
    size_t length;
    char *text;

    (void)state;
    assert_int_equal(cs_case_run(c, NULL, &err), 0);
    assert_int_equal(cs_case_set_command(c, "made by hand", &err), 0);
    assert_int_equal(cs_case_set_command(NULL, "made by hand", NULL), -1);
    text = cs_case_schedule(c, 0, 0, NULL, &length, &err);
    file = cs_schedule_file_read_memory("mine", text, length, &err);
    assert_non_null(file);
    assert_string_equal(file->command, "made by hand");
    assert_string_equal(file->source, "mine");
    cs_schedule_file_destroy(file);
    assert_null(cs_schedule_file_read_memory("mine", text, length - 5, &err));
    assert_non_null(strstr(err.text, "mine"));
    assert_null(cs_schedule_file_read_memory(NULL, text, length, NULL));
    assert_null(cs_schedule_file_read_memory("mine", NULL, length, NULL));
    assert_int_equal(cs_case_set_command(c, NULL, NULL), 0);
    cs_free(text);
    cs_case_close(c);
}

static void runs_are_of_one_group(void **state)
{
    struct cs_case *c = cs_case_open("rigid", "simulate", rigid, NULL, NULL);
    long size = -1;

    (void)state;
    assert_int_equal(cs_case_groups(c), 1);
    assert_non_null(cs_case_group(c, 0, &size));
    assert_true(size >= 0);
    assert_non_null(cs_case_group(c, 0, NULL));
    assert_null(cs_case_group(c, 1, &size));
    assert_null(cs_case_group(c, -1, &size));
    assert_int_equal(cs_case_groups(NULL), 0);
    assert_null(cs_case_group(NULL, 0, NULL));
    cs_case_close(c);
}

static bool says_policies(int index, const struct cs_case_param *param)
{
    char *words = cs_case_words("rigid", index, NULL);
    const bool says = strstr(words, "easy ") != NULL;

    assert_true(param->has_words || !*words);
    assert_true(param->chooses == says);
    cs_free(words);
    return says;
}

static void params_are_reported_one_by_one(void **state)
{
    struct cs_case_param param;
    struct cs_error err = {0};
    int count = 0, policies = 0;

    (void)state;
    while (cs_case_param_at("rigid", count, &param, sizeof param, &err) > 0) {
        assert_true(param.name && param.summary && param.actions && param.kind);
        policies += says_policies(count, &param);
        count++;
    }
    assert_true(count > 20 && policies == 1);
    assert_int_equal(cs_case_param_at("rigid", count, &param, sizeof param, &err), 0);
    assert_int_equal(cs_case_param_at("rigid", -1, &param, sizeof param, &err), 0);
    assert_string_equal(err.text, "");
    assert_int_equal(cs_case_param_at("rigid", 0, &param, 8, &err), -1);
    assert_non_null(strstr(err.text, "8 bytes"));
    assert_int_equal(cs_case_param_at("replay", 0, &param, sizeof param, &err), 1);
    assert_string_equal(param.name, "procs");
    assert_int_equal(cs_case_param_at("rigit", 0, &param, sizeof param, NULL), -1);
    assert_int_equal(cs_case_param_at(NULL, 0, &param, sizeof param, NULL), -1);
    assert_int_equal(cs_case_param_at("rigid", 0, NULL, sizeof param, NULL), -1);
    assert_null(cs_case_words("rigid", count, NULL));
    assert_null(cs_case_words("rigid", -1, NULL));
    assert_null(cs_case_words("rigit", 0, NULL));
    assert_null(cs_case_words(NULL, 0, NULL));
}

static void options_are_checked_alone(void **state)
{
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(cs_case_check("pack", "plan", "{\"input\": \"none.csv\", \"procs\": 4}", &err),
                     0);
    assert_int_equal(cs_case_check("rigid", "generate", "{\"jobs\": 4}", &err), 0);
    assert_string_equal(err.text, "");
    assert_int_equal(cs_case_check("rigid", "generate", "{\"jobs\": -4}", &err), -1);
    assert_non_null(strstr(err.text, "jobs"));
    assert_int_equal(cs_case_check("rigid", "simulate", "{\"sbatch\": \"x\"}", NULL), -1);
    assert_int_equal(cs_case_check("rigid", "replay", "{}", NULL), -1);
    assert_int_equal(cs_case_check("rigid", NULL, NULL, NULL), -1);
    assert_int_equal(cs_case_check(NULL, "plan", "{}", NULL), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_came_to_is_reported),
        cmocka_unit_test(a_run_is_drawn),
        cmocka_unit_test(files_report_the_command),
        cmocka_unit_test(runs_are_of_one_group),
        cmocka_unit_test(params_are_reported_one_by_one),
        cmocka_unit_test(options_are_checked_alone),
    };

    return cmocka_run_group_tests(tests, make_jobs, remove_jobs);
}
