/* Papers that a program runs: what comes back, what is written, given, stopped and refused.  Public
 * headers only. */
#include "watcher.h"

#include <cosched/campaign.h>
#include <cosched/case.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define FOLDER CS_SOURCE_DIR "/tests/foreign/papers"
#define OPTIONS(...)                                                                               \
    {                                                                                              \
        .size = sizeof(struct cs_paper_run_options), __VA_ARGS__                                   \
    }

static const char *const one[] = {"one"};
static char store[64], output[64];

static int make_places(void **state)
{
    (void)state;
    snprintf(store, sizeof store, "/tmp/paper-run-%ld.db", (long)getpid());
    snprintf(output, sizeof output, "/tmp/paper-run-%ld", (long)getpid());
    unlink(store);
    return 0;
}

static int drop_places(void **state)
{
    static const char *const ending[] = {"csv", "svg", "png", "md"};
    char path[128];

    (void)state;
    unlink(store);
    for (size_t e = 0; e < sizeof ending / sizeof *ending; e++) {
        snprintf(path, sizeof path, "%s/one.%s", output, ending[e]);
        unlink(path);
    }
    rmdir(output);
    return 0;
}

/* It must work. */
static char *run(const struct cs_paper_run_options *options, struct cs_paper_ran *ran)
{
    struct cs_error err = {0};
    char *text = cs_paper_run(one, 1, options, NULL, ran, &err);

    assert_string_equal(err.text, "");
    assert_non_null(text);
    return text;
}

static void claims_and_texts_come_back(void **state)
{
    const struct cs_paper_run_options options = OPTIONS(.folder = FOLDER);
    struct cs_paper_ran ran;
    char *text = run(&options, &ran);

    (void)state;
    assert_non_null(strstr(text, "\"name\": \"one\",\n      \"place\": \"Figure 1\","));
    assert_non_null(strstr(text, "\"seed\": 1,\n      \"runs\": 8,\n      \"stem\": \"one\","));
    assert_non_null(
        strstr(text, "\"summary\": \"2 claims: 1 agree, 1 not checked; checks: 2 of 2 agree\""));
    assert_non_null(strstr(text, "\"csv\": \"panel,series,x,replicate,metric,value\\nall,easy,"));
    assert_non_null(strstr(text, "\"svg\": \"<"));
    assert_non_null(strstr(text, "cosched paper run one --papers " FOLDER));
    assert_non_null(strstr(text, "\"claim\": 1,\n          \"verdict\": \"agrees\",\n          "
                                 "\"words\": \"agrees\",\n          \"stand_in\": false,\n         "
                                 " \"checks_counted\": 2,\n          \"checks_agree\": 2,"));
    assert_non_null(strstr(text, "\"relation\": \"<=\",\n              \"wanted\": 2,\n"
                                 "              \"to\": null,"));
    assert_non_null(strstr(text, "\"relation\": \"between\",\n              \"wanted\": 0.1,\n"
                                 "              \"to\": 2,"));
    assert_non_null(strstr(text, "\"unchecked\": \"it is no number\",\n          \"checks\": []"));
    assert_int_equal(ran.papers, 1);
    assert_int_equal(ran.finished, 1);
    assert_int_equal(ran.added, 8);
    cs_free(text);
}

static void files_are_written_and_runs_are_kept(void **state)
{
    const struct cs_paper_run_options options =
        OPTIONS(.folder = FOLDER, .usual = true, .output = output, .store = store, .threads = 2);
    struct cs_paper_ran ran;
    char path[128], line[256] = "";
    FILE *file;

    (void)state;
    for (int time = 0; time < 2; time++) {
        char *text = run(&options, &ran);

        assert_null(strstr(text, "\"csv\""));
        assert_int_equal(ran.added, time ? 0 : 8);
        cs_free(text);
    }
    snprintf(path, sizeof path, "%s/one.md", output);
    file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file) && !strstr(line, "cosched paper run"))
        ;
    assert_string_equal(line, "    cosched paper run one\n");
    fclose(file);
}

static void what_is_supplied_counts(void **state)
{
    const char *const give[] = {"jobs=3"};
    const struct cs_paper_run_options options[] = {
        OPTIONS(.folder = FOLDER),
        OPTIONS(.folder = FOLDER, .give = give, .supplied = 1),
        OPTIONS(.folder = FOLDER, .seeded = true, .seed = 9),
        OPTIONS(.folder = FOLDER, .threads = 3),
    };
    char *text[4];

    (void)state;
    for (int i = 0; i < 4; i++)
        text[i] = run(&options[i], NULL);
    assert_string_not_equal(text[0], text[1]);
    assert_non_null(strstr(text[1], "paper run one --set jobs=3"));
    assert_string_not_equal(text[0], text[2]);
    assert_non_null(strstr(text[2], "\"seed\": 9,"));
    assert_string_equal(text[0], text[3]);
    for (int i = 0; i < 4; i++)
        cs_free(text[i]);
}

static void what_is_stopped_goes_on(void **state)
{
    struct watcher watcher = {.until = 0.37};
    const struct cs_watch watch = watcher_of(&watcher);
    const struct cs_paper_run_options options =
        OPTIONS(.folder = FOLDER, .store = store, .threads = 1);
    struct cs_paper_ran ran;
    struct cs_error err = {0};

    (void)state;
    assert_null(cs_paper_run(one, 1, &options, &watch, &ran, &err));
    assert_string_equal(err.text, "stopped");
    assert_int_equal(ran.lacking, 8);
    assert_int_equal(ran.done, 3);
    assert_int_equal(ran.finished, 0);
    assert_true(watcher.share > 0.3 && watcher.share < 0.4);
    watcher = (struct watcher){.until = 2};
    cs_free(cs_paper_run(one, 1, &options, &watch, &ran, NULL));
    assert_int_equal(ran.added, 5);
    assert_true(watcher.share == 1);
}

static void note(void *who, const char *error_text)
{
    snprintf(who, 256, "%s", error_text);
}

/* Of a folder, papers that lack their log are left out; by name, that is an error. */
static void what_is_missing_is_reported(void **state)
{
    const char *const log[] = {"rigid/table1"}, *const all[] = {"volatile", "nosuch"};
    const struct cs_paper_run_options options = OPTIONS(.folder = CS_SOURCE_DIR "/papers");
    struct cs_error err = {0};
    char *names = cs_paper_list(options.folder, true, NULL);

    (void)state;
    assert_non_null(names);
    assert_non_null(strstr(names, "\n  \"rigid/table1\""));
    cs_free(names);
    assert_null(cs_paper_run(log, 1, &options, NULL, NULL, &err));
    assert_non_null(strstr(err.text, "rigid/table1 needs a job log"));
    err.text[0] = 0;
    assert_null(cs_paper_run(all, 2, &options, NULL, NULL, &err));
    assert_non_null(strstr(err.text, "there is no paper \"nosuch\""));
}

static void what_is_skipped_is_warned_of(void **state)
{
    const char *const needy[] = {"all"}, *const give[] = {"nosuch=1"};
    const struct cs_paper_run_options options =
        OPTIONS(.folder = CS_SOURCE_DIR "/papers", .give = give, .supplied = 1);
    char last[256] = "";
    const struct cs_watch watch = {.size = sizeof watch, .warn = note, .who = last};
    struct cs_error err = {0};

    (void)state;
    assert_null(cs_paper_run(needy, 1, &options, &watch, NULL, &err));
    assert_string_equal(err.text, "none of these papers takes 'nosuch'");
    assert_non_null(strstr(last, "skipped: rigid/table1 needs a job log"));
}

static void what_is_wrong_is_reported(void **state)
{
    static const char *const none[] = {NULL}, *const half[] = {"jobs"},
                             *const axis[] = {"policy=x"};
    static const struct {
        struct cs_paper_run_options options;
        const char *says;
    } wrong[] = {
        {{.size = 8}, "found 8 bytes"},
        {OPTIONS(.supplied = 1), "none of them NULL"},
        {OPTIONS(.supplied = -1), "none of them NULL"},
        {OPTIONS(.give = none, .supplied = 1), "none of them NULL"},
        {OPTIONS(.threads = -1), "on -1 threads"},
        {OPTIONS(.threads = 2000000), "only on 1 to 1024"},
        {OPTIONS(.folder = "/nosuch"), "/nosuch: there is no such folder of papers"},
        {OPTIONS(.folder = FOLDER, .give = half, .supplied = 1), "NAME=VALUE is wanted"},
        {OPTIONS(.folder = FOLDER, .give = axis, .supplied = 1), "one: its series set 'policy'"},
        {OPTIONS(.folder = FOLDER, .input = "nosuch.swf"), "one takes no file as 'input'"},
        {OPTIONS(.folder = FOLDER, .output = "/dev/null/out"), "/dev/null"},
        {OPTIONS(.folder = FOLDER, .store = "/nosuch/x.db"), "/nosuch/x.db"},
    };
    const struct cs_watch short_watch = {.size = 1};
    struct cs_error err = {0};

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        err.text[0] = 0;
        assert_null(cs_paper_run(one, 1, &wrong[i].options, NULL, NULL, &err));
        assert_non_null(strstr(err.text, wrong[i].says));
    }
    assert_null(cs_paper_run(one, 1, NULL, &short_watch, NULL, NULL));
    assert_null(cs_paper_run(one, 0, NULL, NULL, NULL, NULL));
    assert_null(cs_paper_run(NULL, 1, NULL, NULL, NULL, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(claims_and_texts_come_back),
        cmocka_unit_test_setup_teardown(files_are_written_and_runs_are_kept, make_places,
                                        drop_places),
        cmocka_unit_test(what_is_supplied_counts),
        cmocka_unit_test_setup_teardown(what_is_stopped_goes_on, make_places, drop_places),
        cmocka_unit_test(what_is_missing_is_reported),
        cmocka_unit_test(what_is_skipped_is_warned_of),
        cmocka_unit_test(what_is_wrong_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
