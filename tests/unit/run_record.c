/* run_record.c - a record of a keeper that was cut at any byte says less, and nothing else. */
#include "kit.h"

#include "run/record.h"

#include <string.h>

static const char whole[] =
    "claim host=n1 boot=0f-1 pid=4711 start=987654 at=1700000000.250000\n"
    "app pid=4712 at=1700000000.500000\n"
    "end status=0 errno=0 stage=0 timeout=0 asked=0 at=1700000003.000000 cpu=1.500000 rss=2048 "
    "left=2\n"
    "verify pid=4720 at=1700000003.125000\n"
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
        assert_int_equal(r.claimed, size >= after("app "));
        assert_int_equal(r.program.ended, size >= after("verify "));
        assert_int_equal(r.verify.ended, size >= after("closed"));
        assert_int_equal(r.pid, r.claimed ? 4711 : 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_whole_one_has_an_end),
        cmocka_unit_test(one_that_is_cut_has_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
