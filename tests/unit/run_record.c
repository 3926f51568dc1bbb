/* run_record.c - a record of a keeper that was cut at any byte says less, and nothing else. */
#include "kit.h"

#include "run/record.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const char whole[] =
    "claim host=n1 boot=0f-1 pid=4711 start=987654 at=1700000000.250000\n"
    "group /sys/fs/cgroup/a b/cs-01234567-1f-3\n"
    "app pid=4712 sid=4712 start=987660 at=1700000000.500000\n"
    "end status=0 errno=0 stage=0 timeout=0 asked=0 at=1700000003.000000 cpu=1.500000 rss=2048 "
    "left=2\n"
    "verify pid=4720 sid=4721 start=987999 at=1700000003.125000\n"
    "verified status=256 errno=0 stage=0 timeout=0 asked=0 at=1700000004.000000 cpu=1.750000 "
    "rss=4096 left=1\n"
    "closed\n";

static size_t after(const char *text)
{
    return (size_t)(strstr(whole, text) - whole);
}

static void a_whole_one_has_an_end(void **state)
{
    struct cs_run_record r;

    (void)state;
    cs_run_record_read(whole, strlen(whole), &r);
    assert_true(r.claimed && r.closed && r.verifies && !r.voided);
    assert_string_equal(r.host, "n1");
    assert_int_equal(r.pid, 4711);
    assert_int_equal(r.start, 987654);
    assert_true(r.program.began == 1700000000.5 && r.program.at == 1700000003);
    assert_string_equal(r.group, "/sys/fs/cgroup/a b/cs-01234567-1f-3");
    assert_int_equal(r.program.session, 4712);
    assert_int_equal(r.program.start, 987660);
    assert_int_equal(r.verify.session, 4721);
    assert_int_equal(r.program.left + 10 * r.verify.left, 12);
    assert_int_equal(cs_run_record_outcome(&r), CS_RUN_CORRUPT);
}

static void one_that_is_cut_has_none(void **state)
{
    struct cs_run_record r;

    (void)state;
    for (size_t size = 0; size < strlen(whole); size++) {
        cs_run_record_read(whole, size, &r);
        assert_false(r.closed || r.voided);
        assert_int_equal(r.claimed, size >= after("group "));
        assert_int_equal(r.program.ended, size >= after("verify "));
        assert_int_equal(r.verify.ended, size >= after("closed"));
        assert_int_equal(r.pid, r.claimed ? 4711 : 0);
    }
}

static const char *end_of(char *text, size_t size, int fault)
{
    snprintf(text, size,
             "claim host=n1 boot=0f-1 pid=4711 start=987654 at=1\n"
             "app pid=0 sid=0 start=0 at=1\n"
             "end status=32512 errno=%d stage=6 timeout=0 asked=0 at=1 cpu=0 rss=0 left=0\n"
             "closed\n",
             fault);
    return text;
}

/* spec/run2.md I 5. */
static void a_shortage_is_no_failure(void **state)
{
    const int shortage[] = {EAGAIN, ENOMEM, EMFILE, ENFILE, ENOSPC, EDQUOT};
    struct cs_run_record r;
    char text[400];

    (void)state;
    for (size_t k = 0; k < sizeof shortage / sizeof *shortage; k++) {
        end_of(text, sizeof text, shortage[k]);
        cs_run_record_read(text, strlen(text), &r);
        assert_int_equal(cs_run_record_outcome(&r), CS_RUN_VOID);
    }
    end_of(text, sizeof text, EIO);
    cs_run_record_read(text, strlen(text), &r);
    assert_int_equal(cs_run_record_outcome(&r), CS_RUN_FAILED);
    end_of(text, sizeof text, ENOENT);
    cs_run_record_read(text, strlen(text), &r);
    assert_int_equal(cs_run_record_outcome(&r), CS_RUN_CANNOT_START);
}

/* A line of nothing but its word. */
static void a_group_without_a_path_is_none(void **state)
{
    struct cs_run_record r;

    (void)state;
    cs_run_record_read("group\n", 6, &r);
    assert_string_equal(r.group, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_one_has_an_end),
        cmocka_unit_test(one_that_is_cut_has_none),
        cmocka_unit_test(a_shortage_is_no_failure),
        cmocka_unit_test(a_group_without_a_path_is_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
