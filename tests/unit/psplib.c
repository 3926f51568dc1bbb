/* Project files of PSPLIB, MMLIB and Patterson: what is read and what is refused. */
#include "io/psplib.h"
#include "unit/kit.h"

#include <stdio.h>
#include <string.h>

#define HEAD                                                                                       \
    "projects : 1\njobs (incl. supersource/sink ):  4\nRESOURCES\n"                                \
    "  - renewable                 :  1   R\n  - nonrenewable              :  1   N\n"             \
    "  - doubly constrained        :  0   D\n****\n"
#define ARCS                                                                                       \
    "PRECEDENCE RELATIONS:\njobnr. #modes #successors successors\n"                                \
    " 1 1 2 2 3\n 2 2 2 3 3\n 3 1 1 4\n 4 1 0\n****\n"
#define WORK                                                                                       \
    "REQUESTS/DURATIONS:\njobnr. mode duration R 1 N 1\n----\n"                                    \
    " 1 1 0 0 0\n 2 1 3 2 4\n   2 5 1 1\n 3 1 4 3 2\n 4 1 0 0 0\n****\n"
#define ROOM "RESOURCEAVAILABILITIES:\n R 1 N 1\n 4 9\n****\n"

static int read_text(const char *text, bool patterson, struct cs_arena *arena, struct cs_modes *m,
                     struct cs_error *err)
{
    struct cs_lines *lines = cs_lines_open_memory("f.sm", text, strlen(text));
    const int status = cs_psplib_read(lines, patterson, arena, m, err);

    cs_lines_close(lines);
    return status;
}

static void refused_as(const char *text, bool patterson, const char *want)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_error err = {0};
    struct cs_modes m;

    assert_int_equal(read_text(text, patterson, arena, &m, &err), -1);
    assert_string_equal(err.text, want);
    cs_arena_destroy(arena);
}

static void jobs_modes_and_arcs_are_read(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_error err = {0};
    struct cs_modes m;

    (void)state;
    if (read_text(HEAD ARCS WORK ROOM, false, arena, &m, &err))
        fail_msg("%s", err.text);
    assert_int_equal(m.tasks, 2);
    assert_int_equal(m.resources, 2);
    assert_int_equal(m.budgets, 1);
    assert_string_equal(m.task_name[0], "2");
    assert_string_equal(m.task_name[1], "3");
    assert_string_equal(m.resource_name[1], "R1");
    assert_string_equal(m.budget_name[0], "N1");
    assert_int_equal(m.first[1], 2);
    assert_int_equal(m.first[2], 3);
    assert_true(m.seconds[0] == 3 && m.seconds[1] == 5 && m.seconds[2] == 4);
    assert_int_equal(m.use[3], 1);
    assert_int_equal(m.spend[0], 4000);
    assert_int_equal(m.capacity[0], 2);
    assert_int_equal(m.capacity[1], 4);
    assert_int_equal(m.budget[0], 9000);
    assert_int_equal(m.before_first[2], 1); /* the arc that is there twice counts once */
    assert_int_equal(m.before[0], 0);
    cs_arena_destroy(arena);
}

static void patterson_has_no_headings(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_error err = {0};
    struct cs_modes m;

    (void)state;
    if (read_text("4 1\n\n5\n\n0 0 2 2 3\n4 3 1 4\n2 5\n 1 4\n0 0 0\n", true, arena, &m, &err))
        fail_msg("%s", err.text);
    assert_int_equal(m.tasks, 2);
    assert_int_equal(m.capacity[1], 5);
    assert_int_equal(m.use[1], 3);
    assert_int_equal(m.use[3], 5);
    assert_int_equal(m.before_first[2], 0);
    cs_arena_destroy(arena);
}

static void faults_are_named(void **state)
{
    (void)state;
    refused_as("projects : 2\n", false, "f.sm:1: projects: found 2, expected 1");
    refused_as("  - doubly constrained        :  1   D\n", false,
               "f.sm:1: doubly constrained: found 1, expected 0");
    refused_as(ARCS, false, "f.sm:1: jobs: found none before this section");
    refused_as(HEAD ARCS, false, "f.sm:14: REQUESTS/DURATIONS: found no such section");
    refused_as(HEAD ARCS WORK, false, "f.sm:23: RESOURCEAVAILABILITIES: found no such section");
    refused_as(HEAD "PRECEDENCE RELATIONS:\n 1 1 1 5\n", false,
               "f.sm:9: successors: found \"5\", expected a whole number from 0 to 4");
    refused_as(HEAD "PRECEDENCE RELATIONS:\n 1 1 1 1\n", false,
               "f.sm:9: successors: found 1, expected other jobs than this one");
    refused_as(HEAD "PRECEDENCE RELATIONS:\n 1 1 1 2\n 3 1 0\n", false,
               "f.sm:10: jobnr.: found 3, expected 2");
    refused_as(HEAD ARCS "REQUESTS/DURATIONS:\n 1 1 2.5 0 0\n", false,
               "f.sm:16: duration: found \"2.5\", expected a whole number from 0 to 1000000000");
    refused_as(HEAD ARCS "REQUESTS/DURATIONS:\n 1 1 1 0 0\n 2 1 3 2 4\n 2 5 1 1\n 3 1 4 3 2\n"
                         " 4 1 0 0 0\n" ROOM,
               false, "f.sm:24: duration: found a length of the first job, expected 0");
    refused_as(HEAD ARCS WORK "  - nonrenewable : 9\n" ROOM, false,
               "f.sm:24: nonrenewable: found this number after the amounts");
    refused_as(HEAD ROOM "  - renewable : 9\n", false,
               "f.sm:12: renewable: found this number after the amounts");
    refused_as(HEAD ARCS WORK WORK ROOM, false, "f.sm:24: REQUESTS/DURATIONS: found a second time");
    refused_as(HEAD ARCS WORK ROOM ROOM, false,
               "f.sm:28: RESOURCEAVAILABILITIES: found a second time");
    refused_as("4 1\n5\n0 0 1 2\n", true,
               "f.sm:3: duration: found the end of the file, expected a number");
}

static void the_line_of_jobs_is_recognised(void **state)
{
    (void)state;
    assert_true(cs_psplib_begins("jobs (incl. supersource/sink ):  32"));
    assert_true(cs_psplib_begins("jobs  (incl. supersource/sink ):\t52"));
    assert_false(cs_psplib_begins("jobs: 32"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_modes_and_arcs_are_read),
        cmocka_unit_test(patterson_has_no_headings),
        cmocka_unit_test(faults_are_named),
        cmocka_unit_test(the_line_of_jobs_is_recognised),
    };

    return cmocka_run_group_tests_name("psplib", tests, NULL, NULL);
}
