/* The problem of rigid jobs: logs are read once, cut by day, and days that ask for too much are
 * left out. */
#include "kit.h"

#include "campaign/output.h"
#include "campaign_kit.h"

/* Jobs of three days: 2, 9 and 1 of them on 4 processors. */
static void write_log(void)
{
    char text[2048];
    int length = snprintf(text, sizeof text, "; MaxProcs: 4\n; UnixStartTime: 0\n");

    for (int j = 0; j < 12; j++) {
        int day = j < 2 ? 0 : j < 11 ? 1 : 2, seconds = j == 5 ? 100000 : 10 + j;

        length += snprintf(text + length, sizeof text - (size_t)length,
                           "%d %d 0 %d %d -1 -1 -1 -1 -1 1 1 -1 -1 -1 -1 -1 -1\n", j + 1,
                           86400 * day + j, seconds, j == 5 ? 4 : 1 + j % 2);
    }
    kit_write("log.swf", text);
}

static json_t *parameters(const char *more)
{
    char text[512];
    json_t *json;

    snprintf(
        text, sizeof text,
        "{\"policy\": \"list\", \"scenarios\": 20, \"by_day\": true, \"input\": \"%s/log.swf\"%s}",
        kit_folder(), more);
    json = json_loads(text, 0, NULL);
    assert_non_null(json);
    return json;
}

static double *run(struct cs_cache *keep, const char *more)
{
    static double value[CS_CELL_METRICS];
    char identity[CS_DIGEST_TEXT];
    const struct cs_problem *rigid = cs_problem_find("rigid", NULL);
    json_t *json = parameters(more);
    struct cs_error err = {0};

    assert_int_equal(cs_cell_check(rigid, json, &err), 0);
    assert_int_equal(cs_cell_run(rigid, json, 5, keep, value, identity, &err), 0);
    assert_string_equal(err.text, "");
    json_decref(json);
    return value;
}

static double of(const double *value, const char *metric)
{
    return value[cs_cell_metric(cs_problem_find("rigid", NULL), metric, NULL)];
}

static void a_log_is_read_once(void **state)
{
    struct cs_cache *keep = cs_cache_create();

    (void)state;
    write_log();
    assert_true(of(run(keep, ""), "jobs") == 4);
    kit_remove("log.swf");
    assert_true(of(run(keep, ""), "jobs") == 4);
    assert_true(of(run(keep, ", \"mean_failure_probability\": 0.3"), "failures") > 0);
    cs_cache_destroy(keep);
}

static void a_day_can_be_taken_alone(void **state)
{
    struct cs_cache *keep = cs_cache_create();

    (void)state;
    write_log();
    assert_true(of(run(keep, ", \"day\": 1"), "jobs") == 2);
    assert_true(of(run(keep, ", \"day\": 2"), "jobs") == 9);
    assert_true(of(run(keep, ", \"day\": 2"), "makespan") >= 100000);
    assert_true(of(run(keep, ", \"day\": 3"), "ratio") == 1);
    assert_true(isnan(of(run(keep, ", \"day\": 4"), "ratio")));
    assert_true(isnan(of(run(keep, ", \"day\": 4"), "jobs")));
    assert_true(isnan(of(run(keep, ", \"day\": 4"), "ratio_max")));
    cs_cache_destroy(keep);
}

/* At 0.999 job 6 of the second day, with nine times the mean area, would fail e^62 times. */
static void a_day_that_would_never_end_is_left_out(void **state)
{
    struct cs_cache *keep = cs_cache_create();
    double *value;

    (void)state;
    write_log();
    value = run(keep, ", \"mean_failure_probability\": 0.999");
    assert_true(of(value, "jobs_excluded") == 1);
    assert_true(of(value, "ratio") >= 1);
    value = run(keep, ", \"mean_failure_probability\": 0.999, \"day\": 2");
    assert_true(of(value, "jobs_excluded") == 1);
    assert_true(isnan(of(value, "ratio")));
    assert_true(of(run(keep, ""), "jobs_excluded") == 0);
    cs_cache_destroy(keep);
}

static void refused(const char *more, const char *why)
{
    const struct cs_problem *rigid = cs_problem_find("rigid", NULL);
    struct cs_cache *keep = cs_cache_create();
    json_t *json = parameters(more);
    double value[CS_CELL_METRICS];
    char identity[CS_DIGEST_TEXT];
    struct cs_error err = {0};

    assert_int_equal(cs_cell_run(rigid, json, 5, keep, value, identity, &err), -1);
    if (!strstr(err.text, why))
        fail_msg("\"%s\" does not say \"%s\"", err.text, why);
    json_decref(json);
    cs_cache_destroy(keep);
}

static void wrong_requests_are_refused(void **state)
{
    (void)state;
    write_log();
    refused(", \"mean_failure_probability\": 1",
            "mean_failure_probability: 1 means that no average job ever succeeds");
    refused(", \"month\": \"1970-03\"", "no job of its 12 lines can be simulated");
    refused(", \"priority\": \"best\"", "best");
    kit_remove("log.swf");
    refused("", "log.swf");
}

#define PAPER                                                                                      \
    "{'title': 'T', 'place': 'F', 'citation': 'C', 'problem': 'rigid', 'needs': {'input': 'a "     \
    "log'}, "                                                                                      \
    "'set': {'scenarios': 5, 'by_day': true, 'policy': 'list'}, 'x': {'parameter': "               \
    "'mean_failure_probability', "                                                                 \
    "'values': [0, 0.999]}, 'panels': {'p': {}}, 'series': {'s': {}}, 'metrics': {'ratio': {}}}"

static void what_was_left_out_is_reported(void **state)
{
    struct cs_grid_options options = {.threads = 2};
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_results *results;
    struct cs_error err = {0};
    struct cs_experiment *paper;
    char path[128];

    (void)state;
    write_log();
    kit_write_json("paper.json", PAPER);
    snprintf(path, sizeof path, "%s/paper.json", kit_folder());
    paper = cs_experiment_read(path, NULL, &err);
    assert_string_equal(err.text, "");
    snprintf(path, sizeof path, "%s/log.swf", kit_folder());
    assert_int_equal(cs_experiment_give(paper, "input", path, NULL), 0);
    results = cs_results_create(paper);
    cs_results_run(results, NULL, &options, &err);
    assert_string_equal(err.text, "");
    cs_output_markdown(results, "cosched", "p.png", &out);
    assert_non_null(strstr(out.text,
                           "## Notes\n\n* Beware: in 1 of 2 runs sets of jobs were excluded, "
                           "because a job of theirs would fail more than ten million "
                           "times (up to 1 in one).\n"));
    cs_strbuf_release(&out);
    cs_results_destroy(results);
    cs_experiment_destroy(paper);
    kit_remove("paper.json");
}

static int remove_folder(void **state)
{
    (void)state;
    kit_remove("log.swf");
    return rmdir(kit_folder());
}

static double trapped(const char *more)
{
    static double value[CS_CELL_METRICS];
    char identity[CS_DIGEST_TEXT];
    const struct cs_problem *rigid = cs_problem_find("rigid", NULL);
    struct cs_error err = {0};
    json_t *json = json_loads(more, 0, NULL);

    assert_int_equal(cs_cell_check(rigid, json, &err), 0);
    assert_int_equal(cs_cell_run(rigid, json, 5, NULL, value, identity, &err), 0);
    json_decref(json);
    return of(value, "makespan");
}

/* 1 + 1/2 + 1/3 + 1/4 on shelves, 1 for those who start failed jobs at once; 3 and 2. */
static void traps_are_those_of_the_propositions(void **state)
{
    (void)state;
    assert_true(fabs(trapped("{\"trap\": \"shelf\", \"procs\": 4, \"policy\": \"shelf\"}") -
                     25.0 / 12) < 1e-9);
    assert_true(fabs(trapped("{\"trap\": \"shelf\", \"procs\": 4, \"policy\": \"greedy\"}") - 1) <
                1e-9);
    assert_true(
        fabs(trapped("{\"trap\": \"shelf-fill\", \"procs\": 3, \"policy\": \"shelf-fill\"}") - 3) <
        1e-3);
    assert_true(fabs(trapped("{\"trap\": \"shelf-fill\", \"procs\": 3, \"policy\": \"greedy\"}") -
                     2) < 1e-3);
}

static void traps_that_do_not_exist_are_refused(void **state)
{
    static const struct {
        const char *supplied, *message;
    } bad[] = {
        {"{\"policy\": \"list\", \"trap\": \"shelv\", \"procs\": 3}",
         "there is no trap \"shelv\" for rigid: shelf, shelf-fill, three-partition, greedy or ljf"},
        {"{\"policy\": \"list\", \"trap\": \"shelf-fill\", \"procs\": 7}",
         "--procs: the trap shelf-fill is for 1 to 6 processors, not for 7"},
        {"{\"policy\": \"list\", \"trap\": \"shelf\"}",
         "--procs: the trap shelf is for 1 to 10000 processors, not for 0"},
        {"{\"policy\": \"list\", \"trap\": \"shelf\", \"input\": \"x\", \"procs\": 3}",
         "found input and trap, expected one of them"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double value[CS_CELL_METRICS];
        char identity[CS_DIGEST_TEXT];
        struct cs_error err = {0};
        json_t *json = json_loads(bad[i].supplied, 0, NULL);

        assert_int_equal(
            cs_cell_run(cs_problem_find("rigid", NULL), json, 5, NULL, value, identity, &err), -1);
        assert_string_equal(err.text, bad[i].message);
        json_decref(json);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_is_read_once),
        cmocka_unit_test(a_day_can_be_taken_alone),
        cmocka_unit_test(a_day_that_would_never_end_is_left_out),
        cmocka_unit_test(wrong_requests_are_refused),
        cmocka_unit_test(traps_are_those_of_the_propositions),
        cmocka_unit_test(traps_that_do_not_exist_are_refused),
        cmocka_unit_test(what_was_left_out_is_reported),
    };

    return cmocka_run_group_tests_name("campaign_rigid", tests, NULL, remove_folder);
}
