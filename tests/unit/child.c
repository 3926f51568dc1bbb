/* Another program, run to its end: what it writes, how it ends, and that it cannot be started. */
#include "kit.h"

#include "base/child.h"

#include <string.h>

static void gives(const char *script, const char *out, const char *said, int status)
{
    const char *argv[] = {"sh", "-c", script, NULL};
    struct cs_strbuf got = CS_STRBUF_INIT, reported = CS_STRBUF_INIT;
    struct cs_error err = {0};
    int code = -1;

    assert_int_equal(cs_child_run(argv, &got, &reported, &code, &err), 0);
    assert_string_equal(got.text, out);
    assert_string_equal(reported.text, said);
    assert_int_equal(code, status);
    cs_strbuf_release(&got);
    cs_strbuf_release(&reported);
}

static void both_streams_and_the_status_come_back(void **state)
{
    (void)state;
    gives("echo 12; echo why >&2; exit 3", "12\n", "why\n", 3);
    gives("", "", "", 0);
    gives("kill -9 $$", "", "", 137);
    gives("cat", "", "", 0);
}

static void much_on_both_streams_blocks_nobody(void **state)
{
    const char *argv[] = {"sh", "-c",
                          "head -c 300000 /dev/zero | tr '\\0' e >&2; head -c 300000 /dev/zero | "
                          "tr '\\0' o",
                          NULL};
    struct cs_strbuf out = CS_STRBUF_INIT, said = CS_STRBUF_INIT;
    int code;

    (void)state;
    assert_int_equal(cs_child_run(argv, &out, &said, &code, NULL), 0);
    assert_int_equal(out.length, 300000);
    assert_int_equal(said.length, 300000);
    assert_int_equal(strspn(out.text, "o"), 300000);
    assert_int_equal(strspn(said.text, "e"), 300000);
    cs_strbuf_release(&out);
    cs_strbuf_release(&said);
}

static void words_are_passed_as_they_are(void **state)
{
    const char *argv[] = {"printf", "%s|", "a b", "", "'\"$x", NULL};
    struct cs_strbuf out = CS_STRBUF_INIT, said = CS_STRBUF_INIT;
    int code;

    (void)state;
    assert_int_equal(cs_child_run(argv, &out, &said, &code, NULL), 0);
    assert_string_equal(out.text, "a b||'\"$x|");
    cs_strbuf_release(&out);
    cs_strbuf_release(&said);
}

static void a_program_that_is_nowhere_is_said(void **state)
{
    const char *argv[] = {"no-such-program-anywhere", NULL};
    struct cs_strbuf out = CS_STRBUF_INIT, said = CS_STRBUF_INIT;
    struct cs_error err = {0};
    int code;

    (void)state;
    assert_int_equal(cs_child_run(argv, &out, &said, &code, &err), -1);
    assert_string_equal(err.text,
                        "no-such-program-anywhere: cannot be started: No such file or directory");
    cs_strbuf_release(&out);
    cs_strbuf_release(&said);
}

static void a_program_that_takes_too_long_is_killed(void **state)
{
    const char *argv[] = {"sh", "-c", "echo begun; exec sleep 1000", NULL};
    struct cs_strbuf out = CS_STRBUF_INIT, said = CS_STRBUF_INIT;
    int code;

    (void)state;
    assert_int_equal(cs_child_run_within(0.2, argv, &out, &said, &code, NULL), 0);
    assert_int_equal(code, 128 + 9);
    cs_strbuf_release(&out);
    cs_strbuf_release(&said);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_streams_and_the_status_come_back),
        cmocka_unit_test(much_on_both_streams_blocks_nobody),
        cmocka_unit_test(words_are_passed_as_they_are),
        cmocka_unit_test(a_program_that_is_nowhere_is_said),
        cmocka_unit_test(a_program_that_takes_too_long_is_killed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
