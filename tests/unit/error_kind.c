/* error_kind: programs can tell what failed without reading the sentence. */
#include "base/bug.h"
#include "base/error.h"
#include "base/guard.h"
#include "base/lines.h"
#include "base/workers.h"
#include "model/schedule.h"
#include "unit/kit.h"

#include <cosched/case.h>
#include <cosched/convert.h>
#include <cosched/watch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char bag[] = "/tmp/cosched-kind-XXXXXX";

static int make_bag(void **state)
{
    const char text[] = "app,procs,seconds\na,1,10\na,2,6\nb,1,8\nb,2,5\n";
    const int fd = mkstemp(bag);

    (void)state;
    return fd < 0 || write(fd, text, sizeof text - 1) < 0 || close(fd) ? -1 : 0;
}

static int remove_bag(void **state)
{
    (void)state;
    return unlink(bag);
}

/* The kind of what comes of such a plan. */
static struct cs_error plan(const char *more, const struct cs_watch *watch)
{
    char options[256];
    struct cs_error err = {0};
    struct cs_case *c;

    snprintf(options, sizeof options, "{\"input\": \"%s\", \"procs\": 2%s}", bag, more);
    c = cs_case_open("pack", "plan", options, watch, &err);
    if (c)
        assert_int_equal(cs_case_run(c, watch, &err), -1);
    cs_case_close(c);
    return err;
}

static bool at_once(void *who)
{
    (void)who;
    return true;
}

static int starve(struct cs_error *err)
{
    CS_GUARD(err, -1);

    cs_bug_no_memory(12);
    return 0;
}

static void a_wrong_value_is_input(void **state)
{
    (void)state;
    assert_int_equal(plan(", \"policy\": \"best\"", NULL).kind, CS_ERROR_INPUT);
}

static void a_call_without_what_it_needs_is_usage(void **state)
{
    const struct cs_watch other = {.size = 8};
    struct cs_error err = {0}, why = {0};
    struct cs_case *c = cs_case_open("volatile", "simulate", "{}", &other, &err);

    (void)state;
    assert_null(c);
    assert_int_equal(err.kind, CS_ERROR_USAGE);
    assert_null(cs_schedule_file_read(NULL, &why));
    assert_int_equal(why.kind, CS_ERROR_USAGE);
}

static void a_file_that_cannot_be_opened_is_the_systems(void **state)
{
    struct cs_error err = {0};

    (void)state;
    assert_null(cs_schedule_file_read("/nowhere/at/all", &err));
    assert_string_equal(err.text, "/nowhere/at/all: cannot be opened: No such file or directory");
    assert_int_equal(err.kind, CS_ERROR_SYSTEM);
}

static void what_no_build_unpacks_is_missing(void **state)
{
    struct cs_lines *lines = cs_lines_open_memory("jobs.swf.bz2", "BZh91AY&SY", 10);
    struct cs_error err = {0};
    size_t length;
    char *line;

    (void)state;
    assert_int_equal(cs_lines_next(lines, &line, &length, &err), -1);
    assert_int_equal(err.kind, CS_ERROR_MISSING);
    cs_lines_close(lines);
}

static void a_stop_is_one(void **state)
{
    const struct cs_watch watch = {.size = sizeof watch, .stop = at_once};
    const struct cs_error err = plan("", &watch);

    (void)state;
    assert_string_equal(err.text, "stopped");
    assert_int_equal(err.kind, CS_ERROR_STOPPED);
}

static void a_policy_of_somebody_else_is_one(void **state)
{
    const struct cs_error err =
        plan(", \"policy\": \"program\", \"policy_program\": \"exit 3\"", NULL);

    (void)state;
    assert_string_equal(err.text, "policy program: it ended with status 3");
    assert_int_equal(err.kind, CS_ERROR_POLICY);
}

static void memory_that_ran_out_is_one(void **state)
{
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(starve(&err), -1);
    assert_int_equal(err.kind, CS_ERROR_MEMORY);
}

static int begin(void *worker, const void *job, struct cs_error *err)
{
    (void)worker;
    (void)job;
    (void)err;
    return 0;
}

static int fail_somehow(void *worker, long run, struct cs_error *err)
{
    (void)worker;
    return run < 3 ? 0 : cs_error_set_as(err, CS_ERROR_SYSTEM, "run %ld", run);
}

static void workers_keep_it(void **state)
{
    const struct cs_workers share = {
        .runs = 9, .threads = 2, .size = 1, .begin = begin, .run = fail_somehow};
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(cs_workers_run(&share, &err), -1);
    assert_string_equal(err.text, "run 3");
    assert_int_equal(err.kind, CS_ERROR_SYSTEM);
}

static void the_first_sentence_has_its_kind_and_context_changes_none(void **state)
{
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(err.kind, CS_ERROR_NONE);
    assert_int_equal(cs_error_set_as(&err, CS_ERROR_POLICY, "it ended"), -1);
    cs_error_set(&err, "later");
    cs_error_prefix(&err, "policy %s", "program");
    assert_string_equal(err.text, "policy program: it ended");
    assert_int_equal(err.kind, CS_ERROR_POLICY);
    assert_int_equal(cs_error_set_as(NULL, CS_ERROR_POLICY, "unheard"), -1);
}

static void a_place_begins_the_sentence_and_stands_apart(void **state)
{
    struct cs_error err = {0}, other = {0};

    (void)state;
    assert_int_equal(cs_error_set_at(&err, CS_ERROR_SYSTEM, "jobs.csv", 3, "found %d", 7), -1);
    cs_error_set_at(&err, CS_ERROR_INPUT, "later.csv", 9, "unheard");
    assert_string_equal(err.text, "jobs.csv:3: found 7");
    assert_string_equal(err.where, "jobs.csv");
    assert_int_equal(err.line, 3);
    assert_int_equal(err.kind, CS_ERROR_SYSTEM);
    cs_error_prefix(&err, "policy");
    assert_int_equal(cs_error_pass(&other, &err), -1);
    assert_string_equal(other.text, "policy: jobs.csv:3: found 7");
    assert_string_equal(other.where, "jobs.csv");
    assert_int_equal(other.line, 3);
    assert_int_equal(other.kind, CS_ERROR_SYSTEM);
    cs_error_pass(&other, &(struct cs_error){.text = "unheard"});
    assert_string_equal(other.where, "jobs.csv");
    err = (struct cs_error){0};
    cs_error_set_at(&err, CS_ERROR_INPUT, "plan.json", 0, "it is empty");
    assert_string_equal(err.text, "plan.json: it is empty");
    assert_int_equal(err.line, 0);
}

/* Bytes of a reader by their beginning, where they stand, and what is said of them. */
static void readers_say_where_it_is(void **state)
{
    static const struct {
        const char *path, *text;
        long line;
    } wrong[] = {
        {"where.csv", "app,procs,seconds\na,1,10\na,2,x\n", 3},
        {"where.csv", "app,procs,seconds\na,1,\"10\n", 2},
        {"where.json", "{\n \"format\":\n}", 3},
        {"where.json", "{\"format\": \"cosched-workload-1\", \"tasks\": 7}", 0},
        {"where.json", "{\"format\": \"cosched-schedule-1\", \"procs\": 0}", 0},
        {"where.dot", "digraph g {\n a -> b;\n}\n", 2},
    };

    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct cs_error err = {0};
        FILE *file = fopen(wrong[k].path, "w");

        assert_int_equal(fputs(wrong[k].text, file) < 0 || fclose(file), 0);
        assert_null(cs_what(wrong[k].path, NULL, &err));
        if (strcmp(err.where, wrong[k].path) != 0 || err.line != wrong[k].line)
            fail_msg("%s: where \"%s\", line %ld", err.text, err.where, err.line);
        remove(wrong[k].path);
    }
}

static void files_that_are_not_there_are_named_too(void **state)
{
    struct cs_error err = {0};

    (void)state;
    assert_null(cs_what("/nosuch/file", NULL, &err));
    assert_string_equal(err.where, "/nosuch/file");
    assert_int_equal(err.line, 0);
    assert_int_equal(err.kind, CS_ERROR_SYSTEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_value_is_input),
        cmocka_unit_test(a_call_without_what_it_needs_is_usage),
        cmocka_unit_test(a_file_that_cannot_be_opened_is_the_systems),
        cmocka_unit_test(what_no_build_unpacks_is_missing),
        cmocka_unit_test(a_stop_is_one),
        cmocka_unit_test(a_policy_of_somebody_else_is_one),
        cmocka_unit_test(memory_that_ran_out_is_one),
        cmocka_unit_test(workers_keep_it),
        cmocka_unit_test(the_first_sentence_has_its_kind_and_context_changes_none),
        cmocka_unit_test(a_place_begins_the_sentence_and_stands_apart),
        cmocka_unit_test(readers_say_where_it_is),
        cmocka_unit_test(files_that_are_not_there_are_named_too),
    };

    return cmocka_run_group_tests(tests, make_bag, remove_bag);
}
