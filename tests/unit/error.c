/* error: the first sentence stays, context goes in front, and bugs end the program. */
#include "base/bug.h"
#include "unit/dies.h"
#include "unit/kit.h"

#include <cosched/error.h>
#include <string.h>

static void the_first_error_text_stays(void **state)
{
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(cs_error_set(&err, "task %d: %s", 3, "too slow"), -1);
    assert_int_equal(cs_error_set(&err, "later"), -1);
    assert_string_equal(err.text, "task 3: too slow");
}

static void context_goes_in_front(void **state)
{
    struct cs_error err = {0};

    (void)state;
    cs_error_set(&err, "too slow");
    assert_int_equal(cs_error_prefix(&err, "task %d", 3), -1);
    cs_error_prefix(&err, "plan.json");
    assert_string_equal(err.text, "plan.json: task 3: too slow");
}

static void nobody_has_to_listen(void **state)
{
    (void)state;
    assert_int_equal(cs_error_set(NULL, "unheard"), -1);
    assert_int_equal(cs_error_prefix(NULL, "unheard"), -1);
}

static void long_sentences_are_cut(void **state)
{
    char text[2 * CS_ERROR_SIZE];
    struct cs_error err = {0};

    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    cs_error_set(&err, "%s", text);
    assert_int_equal(strlen(err.text), CS_ERROR_SIZE - 1);
    cs_error_prefix(&err, "context");
    assert_int_equal(strlen(err.text), CS_ERROR_SIZE - 1);
    assert_memory_equal(err.text, "context: xxx", 12);
    cs_error_prefix(&err, "%s", text);
    assert_int_equal(strlen(err.text), CS_ERROR_SIZE - 1);
    assert_memory_equal(err.text, "xxx", 3);
}

static void a_bug(void)
{
    cs_bug("%s", "impossible");
}

static void a_false_requirement(void)
{
    CS_REQUIRE(1 + 1 == 3);
}

static void a_true_requirement(void)
{
    CS_REQUIRE(1 + 1 == 2);
}

static void no_memory(void)
{
    cs_bug_no_memory(12);
}

static void bugs_end_the_program(void **state)
{
    (void)state;
    assert_true(dies(a_bug));
    assert_true(dies(a_false_requirement));
    assert_false(dies(a_true_requirement));
    assert_true(dies(no_memory));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_error_text_stays), cmocka_unit_test(context_goes_in_front),
        cmocka_unit_test(nobody_has_to_listen),       cmocka_unit_test(long_sentences_are_cut),
        cmocka_unit_test(bugs_end_the_program),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
