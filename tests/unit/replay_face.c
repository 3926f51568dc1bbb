/* replay_face: job logs replayed by programs, with options by their names. */
#include "unit/kit.h"

#include <cosched/arrow.h>
#include <cosched/case.h>
#include <cosched/replay.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_log(char *path, const char *log)
{
    FILE *file = fdopen(mkstemp(path), "w");

    fputs(log, file);
    fclose(file);
}

static bool at_once(void *who)
{
    ++*(int *)who;
    return true;
}

/* Two jobs of four on four processors: the second one waits 5 s. */
static const char two_jobs[] = "; MaxProcs: 4\n1 0 0 10 4 -1 -1 4 60 -1 1 1 1 -1 1 1 -1 -1\n"
                               "2 5 9 10 4 -1 -1 4 60 -1 1 1 1 -1 1 1 -1 -1\n";

static char *reported(const struct cs_replay *replay, const char *as)
{
    struct cs_error err = {0};
    size_t length = 0;
    char *text = cs_replay_text(replay, as, NULL, &length, &err);

    assert_string_equal(err.text, "");
    assert_int_equal(strlen(text), length);
    return text;
}

static void reports(const struct cs_replay *replay, const char *as, const char *what)
{
    char *text = reported(replay, as);

    if (!strstr(text, what))
        fail_msg("%s: no %s in %.2000s", as, what, text);
    cs_free(text);
}

static void a_log_is_replayed(void **state)
{
    char path[] = "/tmp/cs_log_XXXXXX";
    const char *const paths[] = {path};
    const struct cs_replay_style narrow = {.size = sizeof narrow, .width = -1};
    struct cs_replay *replay;
    struct cs_error err = {0}, other = {0};
    char *schedule;

    (void)state;
    write_log(path, two_jobs);
    replay = cs_replay_run_json(paths, 1, "{\"full\": true, \"keep\": \"output\"}", NULL, &err);
    assert_string_equal(err.text, "");
    reports(replay, "table", "easy");
    reports(replay, "csv", "\neasy,fcfs,2,2.5,");
    reports(replay, "json", "\"command\": \"cs_replay_text\"");
    reports(replay, "json", "\"mean_wait\": 2.5");
    reports(replay, "series", "recorded,,0,");
    reports(replay, "gantt", "</svg>");
    schedule = reported(replay, "schedule");
    unlink(path);
    assert_non_null(strstr(schedule, "\"end\": 20"));
    cs_free(schedule);
    assert_null(cs_replay_text(replay, "poem", NULL, NULL, &err));
    assert_non_null(strstr(err.text, "table, csv, json"));
    assert_null(cs_replay_text(replay, "table", &narrow, NULL, &other));
    assert_non_null(strstr(other.text, "width cannot be -1"));
    cs_replay_destroy(replay);
}

static void what_was_not_kept_is_not_reported(void **state)
{
    char path[] = "/tmp/cs_log_XXXXXX";
    const char *const paths[] = {path};
    struct cs_replay *replay;
    struct cs_error err = {0}, other = {0};

    (void)state;
    write_log(path, two_jobs);
    replay = cs_replay_run_json(paths, 1, "{\"policy\": \"fcfs,easy\"}", NULL, &err);
    unlink(path);
    reports(replay, "csv", "\nfcfs,fcfs,2,");
    assert_null(cs_replay_text(replay, "json", NULL, NULL, &err));
    assert_non_null(strstr(err.text, "full"));
    assert_null(cs_replay_text(replay, "gantt", NULL, NULL, &other));
    assert_non_null(strstr(other.text, "keep"));
    cs_replay_destroy(replay);
}

static char *replayed(const char *log, const char *json)
{
    char path[64];
    const char *const paths[] = {path};
    struct cs_error err = {0};
    struct cs_replay *replay;
    char *text;

    snprintf(path, sizeof path, "%s", log);
    replay = cs_replay_run_json(paths, 1, json, NULL, &err);
    assert_string_equal(err.text, "");
    memset(path, '!', strlen(path));
    text = reported(replay, "json");
    cs_replay_destroy(replay);
    return text;
}

/* And what was given is not looked at again: the path is another by then. */
static void options_may_be_texts_numbers_and_lists(void **state)
{
    char path[] = "/tmp/cs_log_XXXXXX";
    const char lists[] =
        "{\"policy\": [\"easy\", \"fcfs\"], \"overrun\": \"kill\", \"grace\": \"2min\","
        " \"procs\": 4, \"seed\": \"7\", \"full\": true, \"by\": [\"user\", \"width\"]}";
    const char texts[] = "{\"policy\": \"easy,fcfs\", \"overrun\": \"kill\", \"grace\": 120,"
                         " \"procs\": \"4\", \"seed\": 7, \"full\": true, \"by\": \"user,width\"}";
    char *one, *other;

    (void)state;
    write_log(path, two_jobs);
    one = replayed(path, lists);
    other = replayed(path, texts);
    unlink(path);
    assert_string_equal(one, other);
    assert_non_null(strstr(one, path));
    cs_free(one);
    cs_free(other);
}

static void a_watch_stops_a_replay(void **state)
{
    char path[] = "/tmp/cs_log_XXXXXX";
    const char *const paths[] = {path};
    int asked = 0;
    const struct cs_watch watch = {.size = sizeof watch, .stop = at_once, .who = &asked};
    struct cs_error err = {0};

    (void)state;
    write_log(path, two_jobs);
    assert_null(cs_replay_run_json(paths, 1, NULL, &watch, &err));
    assert_non_null(strstr(err.text, "stopped"));
    unlink(path);
}

static void options_by_name_are_checked(void **state)
{
    static const struct {
        const char *json, *says;
    } wrong[] = {
        {"[]", "options: an object is wanted"},
        {"{\"nodes\": ", "options:"},
        {"{\"nodse\": 3}", "there is no \"nodse\"; did you mean \"nodes\"?"},
        {"{\"nodes\": \"many\"}", "nodes is \"many\"; it must be a whole number from 1"},
        {"{\"procs\": 0}", "procs is \"0\"; it must be a whole number from 1"},
        {"{\"scenarios\": 10001}",
         "scenarios is \"10001\"; it must be a whole number from 1 to 10000"},
        {"{\"seed\": -1}", "seed is \"-1\"; it must be a whole number from 0"},
        {"{\"threads\": 5000}", "threads is \"5000\"; it must be a whole number from 0 to 1024"},
        {"{\"procs\": 8, \"nodes\": 8}", "found the machine size in --procs and --nodes"},
        {"{\"jobs\": 8}", "jobs: a text is wanted"},
        {"{\"by_day\": true}", "there is no \"by_day\""},
        {"{\"arrivals\": 8}", "arrivals is for workload, which is not given"},
        {"{\"workload\": \"lublin\"}", "--workload: jobs are drawn or read from a log"},
        {"{\"nodes\": null}", "nodes: a number is wanted"},
        {"{\"policy\": [1]}", "policy[0]: a text is wanted"},
        {"{\"warmup\": \"7 moons\"}", "warmup is \"7 moons\""},
        {"{\"grace\": 5}", "grace is for overrun, which is not given"},
        {"{\"report\": \"a.html\"}", "there is no \"report\""},
        {"{\"arrive\": \"late\"}", "arrive cannot be \"late\""},
        {"{\"warmup\": \"7d\", \"policy\": [\"easy\", \"fcfs\"]}", "/nosuch/log"},
    };
    const char *const path[] = {"/nosuch/log"}, *const none[] = {NULL};
    struct cs_error err = {0};
    char *reported = cs_replay_describe(&err);

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        err.text[0] = 0;
        assert_null(cs_replay_run_json(path, 1, wrong[i].json, NULL, &err));
        if (!strstr(err.text, wrong[i].says))
            fail_msg("%s: %s", wrong[i].json, err.text);
    }
    err.text[0] = 0;
    assert_null(cs_replay_run_json(NULL, 0, "{}", NULL, &err));
    assert_non_null(strstr(err.text, "LOG is missing"));
    err.text[0] = 0;
    assert_null(cs_replay_run_json(NULL, 0, "{\"workload\": \"lublin\"}", NULL, &err));
    assert_non_null(strstr(err.text, "--procs is missing"));
    assert_null(cs_replay_run_json(NULL, -1, "{\"workload\": \"uniform\"}", NULL, &err));
    assert_null(cs_replay_run_json(path, 1, NULL, NULL, NULL));
    assert_null(cs_replay_run_json(none, 1, NULL, NULL, NULL));
    assert_null(cs_replay_text(NULL, "json", NULL, NULL, NULL));
    cs_replay_destroy(NULL);
    err.text[0] = 0;
    assert_null(cs_replay_run_json(NULL, 1, "{}", NULL, &err));
    assert_non_null(strstr(err.text, "called wrongly"));
    assert_non_null(strstr(reported, "\"key\": \"mean_failure_probability\""));
    cs_free(reported);
}

/* Columns of what was kept; nothing when it was not. */
static void its_jobs_are_columns(void **state)
{
    char path[] = "/tmp/cs_log_XXXXXX";
    const char *const paths[] = {path};
    struct ArrowArrayStream stream = {0};
    struct ArrowArray batch;
    struct cs_replay *plain, *kept;
    struct cs_error err = {0};

    (void)state;
    write_log(path, two_jobs);
    plain = cs_replay_run_json(paths, 1, "{\"policy\": \"easy,fcfs\"}", NULL, NULL);
    kept = cs_replay_run_json(paths, 1, "{\"policy\": \"easy,fcfs\", \"keep_jobs\": true}", NULL,
                              NULL);
    assert_int_equal(cs_replay_arrow(NULL, &stream, NULL), -1);
    assert_int_equal(cs_replay_arrow(kept, NULL, NULL), -1);
    assert_int_equal(cs_replay_arrow(plain, &stream, &err), -1);
    assert_string_equal(err.text, "the jobs were not kept: the option keep_jobs wants them");
    assert_null(stream.release);
    assert_int_equal(cs_replay_arrow(kept, &stream, NULL), 0);
    cs_replay_destroy(kept);
    assert_int_equal(stream.get_next(&stream, &batch), 0);
    assert_int_equal(batch.length, 4);
    assert_true(((const double *)batch.children[8]->buffers[1])[1] == 10);
    batch.release(&batch);
    stream.release(&stream);
    cs_replay_destroy(plain);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(its_jobs_are_columns),
        cmocka_unit_test(a_log_is_replayed),
        cmocka_unit_test(what_was_not_kept_is_not_reported),
        cmocka_unit_test(options_may_be_texts_numbers_and_lists),
        cmocka_unit_test(a_watch_stops_a_replay),
        cmocka_unit_test(options_by_name_are_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
