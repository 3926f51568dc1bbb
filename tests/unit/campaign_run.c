/* Sweeps that a program runs: what comes back, some of the runs, stopped and gone on with.  Public
 * headers only. */
#include "watcher.h"

#include <cosched/campaign.h>
#include <cosched/case.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char sweep[] =
    "{\"problem\": \"rigid\", \"replicates\": 3, \"set\": {\"jobs\": 5, \"procs\": 9000,"
    " \"scenarios\": 2}, \"vary\": {\"policy\": [\"easy\", \"greedy\"], "
    "\"mean_failure_probability\": [0, 0.2]},"
    " \"metrics\": [\"makespan\"]}";

static char store[64];

static int make_store(void **state)
{
    (void)state;
    snprintf(store, sizeof store, "/tmp/campaign-run-%ld.db", (long)getpid());
    unlink(store);
    return 0;
}

static int drop_store(void **state)
{
    (void)state;
    unlink(store);
    return 0;
}

static struct cs_campaign_run_options plain(void)
{
    return (struct cs_campaign_run_options){
        .size = sizeof(struct cs_campaign_run_options), .text = sweep, .threads = 2};
}

/* Runs it, which must work; how many rows come back. */
static int rows_of(const struct cs_campaign_run_options *options, const char *path,
                   struct cs_campaign_ran *ran)
{
    struct cs_error err = {0};
    char *text = cs_campaign_run("trial", path, options, NULL, ran, &err);
    int rows = 0;

    assert_string_equal(err.text, "");
    assert_non_null(text);
    for (const char *at = strstr(text, "\"rows\""); (at = strstr(at, "[\"")); at++)
        rows++;
    cs_free(text);
    return rows;
}

static void means_have_names(void **state)
{
    const struct cs_campaign_run_options options = plain();
    struct cs_error err = {0};
    char *text = cs_campaign_run("trial", ":memory:", &options, NULL, NULL, &err);

    (void)state;
    assert_non_null(text);
    assert_non_null(strstr(text, "\"name\": \"trial\",\n  \"store\": \":memory:\",\n  \"runs\": 12,"
                                 "\n  \"replicates\": 3,"));
    assert_non_null(strstr(text, "{\"name\": \"policy\", \"kind\": \"axis\", \"numbers\": false}"));
    assert_non_null(strstr(
        text, "{\"name\": \"mean_failure_probability\", \"kind\": \"axis\", \"numbers\": true}"));
    assert_non_null(strstr(text, "{\"name\": \"makespan_confidence95\", \"kind\": \"confidence95\","
                                 " \"metric\": \"makespan\"}"));
    assert_non_null(strstr(text, "\n    [\"greedy\", 0.2, 3, "));
    assert_non_null(strstr(text, "\"warnings\": []"));
    cs_free(text);
}

static void some_of_the_runs_are_run(void **state)
{
    const char *const where[] = {"policy=easy", "replicate=1", "replicate=2"};
    struct cs_campaign_run_options options = plain();
    struct cs_campaign_ran ran;
    int rows;

    (void)state;
    options.where = where;
    options.conditions = 3;
    assert_int_equal(rows_of(&options, store, &ran), 2);
    assert_int_equal(ran.runs, 4);
    assert_int_equal(ran.lacking, 4);
    options.conditions = 0;
    options.shards = 2;
    rows = 0;
    for (options.shard = 1; options.shard <= 2; options.shard++) {
        rows_of(&options, store, &ran);
        rows += (int)ran.runs;
        assert_int_equal(ran.done, ran.lacking);
    }
    assert_int_equal(rows, 12);
}

static bool at_once(void *who)
{
    (void)who;
    return true;
}

static void verifying_can_be_stopped(void **state)
{
    const struct cs_watch watch = {.size = sizeof watch, .stop = at_once};
    struct cs_campaign_run_options options = plain();
    struct cs_error err = {0};
    char *text;

    (void)state;
    cs_free(cs_campaign_run("trial", store, &options, NULL, NULL, NULL));
    for (int again = 0; again < 2; again++) {
        assert_null(cs_campaign_verify(store, again, 1, &watch, &err));
        assert_string_equal(err.text, "stopped");
        assert_int_equal(err.kind, CS_ERROR_STOPPED);
    }
    text = cs_campaign_verify(store, 2, 1, NULL, &err);
    assert_non_null(strstr(text, "\"verdict\": \"whole\""));
    cs_free(text);
}

static void what_is_stopped_goes_on(void **state)
{
    struct watcher watcher = {.until = 0.41};
    const struct cs_watch watch = watcher_of(&watcher);
    struct cs_campaign_run_options options = plain();
    struct cs_campaign_ran ran;
    struct cs_error err = {0};

    (void)state;
    options.threads = 1;
    assert_null(cs_campaign_run("trial", store, &options, &watch, &ran, &err));
    assert_string_equal(err.text, "stopped");
    assert_int_equal(ran.runs, 12);
    assert_int_equal(ran.lacking, 12);
    assert_int_equal(ran.done, 5);
    assert_true(watcher.share > 0.4 && watcher.share < 0.5);
    watcher.share = 0;
    watcher.until = 2;
    options.threads = 2;
    cs_free(cs_campaign_run("trial", store, &options, &watch, NULL, NULL));
    assert_true(watcher.share == 1);
    drop_store(NULL);
    watcher = (struct watcher){.until = 0.41};
    options.threads = 1;
    assert_null(cs_campaign_run("trial", store, &options, &watch, NULL, NULL));
    assert_int_equal(rows_of(&options, store, &ran), 4);
    assert_int_equal(ran.lacking, 7);
    assert_int_equal(ran.done, 7);
}

static void what_is_wrong_is_reported(void **state)
{
    static const char *const one[] = {"policy=nosuch"}, *const none[] = {NULL};
    static const struct {
        struct cs_campaign_run_options options;
        const char *says;
    } wrong[] = {
        {{.size = 8}, "found 8 bytes"},
        {{.size = sizeof wrong[0].options, .conditions = 1}, "none of them NULL"},
        {{.size = sizeof wrong[0].options, .where = none, .conditions = 1}, "none of them NULL"},
        {{.size = sizeof wrong[0].options, .conditions = -1}, "none of them NULL"},
        {{.size = sizeof wrong[0].options, .shard = 3, .shards = 2}, "shard 3 of 2"},
        {{.size = sizeof wrong[0].options, .shard = 1}, "shard 1 of 0"},
        {{.size = sizeof wrong[0].options, .threads = -1}, "on -1 threads"},
        {{.size = sizeof wrong[0].options, .threads = 2000000}, "only on 1 to 1024"},
        {{.size = sizeof wrong[0].options, .text = "{"}, "trial"},
        {{.size = sizeof wrong[0].options, .text = "{\"problem\": \"nosuch\"}"}, "nosuch"},
        {{.size = sizeof wrong[0].options, .text = sweep, .where = one, .conditions = 1}, "nosuch"},
        {{.size = sizeof wrong[0].options}, "trial"},
    };
    const struct cs_watch short_watch = {.size = 1};
    struct cs_error err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        err.text[0] = 0;
        assert_null(cs_campaign_run("trial", store, &wrong[i].options, NULL, NULL, &err));
        assert_non_null(strstr(err.text, wrong[i].says));
        assert_int_equal(access(store, F_OK), -1);
    }
    assert_null(cs_campaign_run("trial", store, NULL, &short_watch, NULL, NULL));
    assert_null(cs_campaign_run(NULL, store, NULL, NULL, NULL, NULL));
    assert_null(cs_campaign_run("trial", NULL, NULL, NULL, NULL, NULL));
    assert_null(cs_campaign_run("/", "/nosuch/store.db", NULL, NULL, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_have_names),
        cmocka_unit_test_setup_teardown(some_of_the_runs_are_run, make_store, drop_store),
        cmocka_unit_test_setup_teardown(verifying_can_be_stopped, make_store, drop_store),
        cmocka_unit_test_setup_teardown(what_is_stopped_goes_on, make_store, drop_store),
        cmocka_unit_test_setup_teardown(what_is_wrong_is_reported, make_store, drop_store),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
