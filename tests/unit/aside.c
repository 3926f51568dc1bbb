/* Work in a child of this process: what it makes, why it fails, and that it may end itself. */
#include "kit.h"

#include "base/background.h"
#include "base/bug.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

static int seen;

static int many(void *who, struct cs_strbuf *out, struct cs_error *err)
{
    (void)err;
    for (int i = 0; i < *(const int *)who; i++)
        cs_strbuf_putc(out, (char)('a' + i % 26));
    seen = 1;
    return 0;
}

static int refuse(void *who, struct cs_strbuf *out, struct cs_error *err)
{
    cs_strbuf_puts(out, "half");
    return cs_error_set(err, "no %s", (const char *)who);
}

static int starve(void *who, struct cs_strbuf *out, struct cs_error *err)
{
    (void)who;
    (void)out;
    (void)err;
    cs_bug_no_memory(77);
}

static int end(void *who, struct cs_strbuf *out, struct cs_error *err)
{
    (void)out;
    (void)err;
    raise(*(const int *)who);
    return 0;
}

static void what_it_makes_comes_back(void **state)
{
    static const int count[] = {0, 1, 5000000};
    struct cs_strbuf out = CS_STRBUF_INIT;

    (void)state;
    for (size_t c = 0; c < sizeof count / sizeof *count; c++) {
        int size = count[c];

        cs_strbuf_clear(&out);
        cs_strbuf_puts(&out, "before ");
        assert_int_equal(cs_background_run(many, &size, "many", &out, NULL), 0);
        assert_int_equal(out.length, 7 + (size_t)size);
        assert_true(!size || out.text[out.length - 1] == 'a' + (size - 1) % 26);
    }
    assert_int_equal(seen, 0);
    cs_strbuf_release(&out);
}

static void fails(cs_background_work *work, void *who, const char *want)
{
    struct cs_strbuf out = CS_STRBUF_INIT;
    struct cs_error err = {0};

    assert_int_equal(cs_background_run(work, who, "it was too much", &out, &err), -1);
    assert_non_null(strstr(err.text, want));
    assert_int_equal(out.length, 0);
    cs_strbuf_release(&out);
}

static void why_it_fails_is_a_sentence(void **state)
{
    int signals[] = {SIGABRT, SIGTRAP, SIGKILL};
    char bread[] = "bread";

    (void)state;
    fails(refuse, bread, "no bread");
    fails(starve, NULL, "out of memory: 77 more bytes were needed");
    for (int s = 0; s < 3; s++)
        fails(end, &signals[s], "it was too much");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_it_makes_comes_back),
        cmocka_unit_test(why_it_fails_is_a_sentence),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
