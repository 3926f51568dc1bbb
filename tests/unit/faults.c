/* faults: lists of failures and the log of Los Alamos, sorted, and every way to get them wrong. */
#include "io/faults.h"
#include "base/strbuf.h"
#include "unit/kit.h"

#include <string.h>

static struct cs_faults *read_text(const char *text, int system, struct cs_error *err)
{
    return cs_faults_read_memory("f", text, strlen(text), system, err);
}

static struct cs_faults *good(const char *text, int system)
{
    struct cs_error err = {0};
    struct cs_faults *faults = read_text(text, system, &err);

    if (!faults)
        fail_msg("%s", err.text);
    return faults;
}

static void reads_a_list_in_any_order(void **state)
{
    struct cs_faults *f =
        good("\xef\xbb\xbftime,processor\r\n# seen\r\n 7.5 , 3\n\n0,9\n7.5,1\n", 0);
    static const struct cs_fault want[] = {{0, 9}, {7.5, 3}, {7.5, 1}};

    (void)state;
    assert_string_equal(f->kind, "list of failures");
    assert_int_equal(f->count, 3);
    assert_int_equal(f->processors, 10);
    for (int i = 0; i < 3; i++) {
        assert_true(f->fault[i].time == want[i].time);
        assert_int_equal(f->fault[i].processor, want[i].processor);
    }
    cs_faults_destroy(f);
    f = good("", 0);
    assert_int_equal(f->count, 0);
    cs_faults_destroy(f);
}

static void sorting_keeps_the_order_of_one_time(void **state)
{
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_faults *f;

    (void)state;
    for (int i = 0; i < 1000; i++)
        cs_strbuf_printf(&text, "%d,%d\n", i * 7919 % 37, i);
    f = good(text.text, 0);
    assert_int_equal(f->count, 1000);
    for (size_t i = 1; i < f->count; i++) {
        const struct cs_fault *a = &f->fault[i - 1], *b = &f->fault[i];

        assert_true(a->time < b->time || (a->time == b->time && a->processor < b->processor));
    }
    cs_faults_destroy(f);
    cs_strbuf_release(&text);
}

#define LANL                                                                                       \
    "LANL Hardware/Systems/Software Failure Data,,,\n"                                             \
    "System,machine type,nodenumz,Prob Started (mm/dd/yy hh:mm)\n"

static void reads_one_system_of_los_alamos(void **state)
{
    struct cs_faults *f = good(LANL "2,cluster,4,6/22/2005 00:30\n"
                                    "19,cluster,1,1/1/1999 0:00\n"
                                    "2,cluster,0,6/21/2005 10:54\n"
                                    "2,cluster,,6/21/2005 10:55\n",
                               2);

    (void)state;
    assert_string_equal(f->kind, "failure log");
    assert_int_equal(f->count, 2);
    assert_int_equal(f->lines, 3);
    assert_int_equal(f->skipped, 1);
    assert_true(f->fault[0].time == 10 * 3600 + 54 * 60 && f->fault[0].processor == 0);
    assert_true(f->fault[1].time == 86400 + 1800 && f->fault[1].processor == 4);
    cs_faults_destroy(f);
}

static const struct {
    const char *text;
    int system;
    const char *message;
} refused[] = {
    {"5\n", 0, "f:1: found \"5\", expected a time in seconds, a comma, and the number of a"},
    {"time,processor\n1,2,3\n", 0, "f:2: found \"1,2,3\", expected a time"},
    {"x,1\n", 0, "f:1: time: found \"x\", expected seconds from 0"},
    {"nan,1\n", 0, "f:1: time: found \"nan\""},
    {"inf,1\n", 0, "f:1: time: found \"inf\""},
    {"-1,1\n", 0, "f:1: time: found \"-1\""},
    {"1e300,1\n", 0, "f:1: time: found \"1e300\""},
    {"1,\n", 0, "f:1: processor: found \"\", expected a whole number from 0 on"},
    {"1,-1\n", 0, "f:1: processor: found \"-1\""},
    {"1,2147483647\n", 0, "f:1: processor: found \"2147483647\""},
    {"1,2\ntime,processor\n", 0, "f:2: time: found \"time\""},
    {"1,2\n", 3, "f: this is a list of failures, not the log of many systems"},
    {LANL "2,c,1,1/1/2000 0:00\n9,c,1,1/1/2000 0:00\n", 0,
     "f: the log has several systems: select one of 2, 9"},
    {LANL "2,c,1,1/1/2000 0:00\n", 3, "f: there is no failure of system 3, only of 2"},
    {LANL "2,c,1,13/1/2000 0:00\n", 2,
     "f:3: column Prob Started (mm/dd/yy hh:mm): found \"13/1/2000 0:00\", expected a time such"},
    {LANL "2,c,1,2/30/2000 0:00\n", 2, "f:3: column Prob Started"},
    {LANL "2,c,x,2/3/2000 0:00\n", 2, "f:3: column nodenumz: found \"x\", expected"},
    {LANL "z,c,1,2/3/2000 0:00\n", 2, "f:3: column System: found \"z\", expected"},
};

static void refuses_what_is_no_failure_and_says_where(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct cs_error err = {0};
        struct cs_faults *f = read_text(refused[i].text, refused[i].system, &err);

        if (f || !strstr(err.text, refused[i].message))
            fail_msg("%zu said: %s", i, f ? "fine" : err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_a_list_in_any_order),
        cmocka_unit_test(sorting_keeps_the_order_of_one_time),
        cmocka_unit_test(reads_one_system_of_los_alamos),
        cmocka_unit_test(refuses_what_is_no_failure_and_says_where),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
