/* policy: reading NAME:param=value, and what is said when it is wrong. */
#include "model/policy.h"
#include "model/policy_param.h"
#include "unit/kit.h"

#include <math.h>

static const struct cs_policy_param params[] = {
    {.name = "epsilon",
     .kind = CS_POLICY_PARAM_REAL,
     .default_text = "all",
     .low = 0,
     .high = 1,
     .open = true},
    {.name = "runs", .kind = CS_POLICY_PARAM_INTEGER, .default_text = "9", .low = 1, .high = 100},
    {.name = "mode",
     .kind = CS_POLICY_PARAM_CHOICE,
     .default_text = "every",
     .choices = "printed|end|every"},
    {.name = "weight",
     .kind = CS_POLICY_PARAM_REAL,
     .default_text = "0.5",
     .low = 0,
     .high = INFINITY},
    {0},
};
static const struct cs_policy plain = {.name = "one-by-one", .problem = "pack"};
static const struct cs_policy rich = {
    .name = "pack-by-pack", .problem = "pack", .aliases = "pbp|packed", .params = params};
static const struct cs_policy *const list[] = {&plain, &rich};

static struct cs_policy_call read(const char *text)
{
    struct cs_policy_call call = {.policy = -1};
    struct cs_error err = {0};

    assert_int_equal(cs_policy_parse(text, list, 2, &call, &err), 0);
    assert_string_equal(err.text, "");
    return call;
}

static void refuse(const char *text, const char *message)
{
    struct cs_policy_call call = {.policy = 77, .param = {1, 2, 3}};
    struct cs_error err = {0};

    assert_int_equal(cs_policy_parse(text, list, 2, &call, &err), -1);
    assert_string_equal(err.text, message);
    assert_int_equal(call.policy, 77);
    assert_true(call.param[1] == 2);
}

static void finds_names_and_aliases(void **state)
{
    (void)state;
    assert_int_equal(read("one-by-one").policy, 0);
    assert_int_equal(read("pack-by-pack").policy, 1);
    assert_int_equal(read("pbp").policy, 1);
    assert_int_equal(read("packed").policy, 1);
}

static void letters_may_be_upper_or_lower(void **state)
{
    (void)state;
    assert_int_equal(read("One-By-One").policy, 0);
    assert_int_equal(read("PBP").policy, 1);
}

static void fills_in_defaults(void **state)
{
    struct cs_policy_call call = read("pack-by-pack");

    (void)state;
    assert_true(isnan(call.param[0]));
    assert_true(call.param[1] == 9);
    assert_true(call.param[2] == 2);
    assert_true(call.param[3] == 0.5);
}

static void reads_parameters(void **state)
{
    struct cs_policy_call call = read("pbp:mode=printed,epsilon=0.25,runs=100,weight=1e300");

    (void)state;
    assert_true(call.param[0] == 0.25);
    assert_true(call.param[1] == 100);
    assert_true(call.param[2] == 0);
    assert_true(call.param[3] == 1e300);
    assert_true(isnan(read("pbp:epsilon=all").param[0]));
    call = read("pbp:runs=3:mode=end,weight=2");
    assert_true(call.param[1] == 3 && call.param[2] == 1 && call.param[3] == 2);
}

static void names_what_there_is_when_a_policy_is_unknown(void **state)
{
    (void)state;
    refuse("pack-by-pak", "there is no policy \"pack-by-pak\"; did you mean \"pack-by-pack\"? The "
                          "policies are one-by-one, pack-by-pack (pbp, packed)");
    refuse("xyz:a=b",
           "there is no policy \"xyz\"; the policies are one-by-one, pack-by-pack (pbp, packed)");
    refuse("", "there is no policy \"\"; the policies are one-by-one, pack-by-pack (pbp, packed)");
    refuse("pbp|packed", "there is no policy \"pbp|packed\"; the policies are one-by-one, "
                         "pack-by-pack (pbp, packed)");
}

#define HAS                                                                                        \
    "t has epsilon (0 < epsilon < 1, default all), runs (1 <= runs <= 100, default 9), mode "      \
    "(printed|end|every, default every), weight (weight >= 0, default 0.5)"

static void names_what_there_is_when_a_parameter_is_unknown(void **state)
{
    (void)state;
    refuse("pbp:epsylon=1", "policy pack-by-pack: there is no parameter \"epsylon\"; did you mean "
                            "\"epsilon\"? I" HAS);
    refuse("pbp:q=1", "policy pack-by-pack: there is no parameter \"q\"; i" HAS);
    refuse("one-by-one:k=1",
           "policy one-by-one: there is no parameter \"k\"; this policy has none");
}

static void says_what_a_value_may_be(void **state)
{
    (void)state;
    refuse("pbp:epsilon=1", "policy pack-by-pack: epsilon cannot be \"1\"; it must be a number, "
                            "0 < epsilon < 1 (default all)");
    refuse("pbp:epsilon=nan", "policy pack-by-pack: epsilon cannot be \"nan\"; it must be a "
                              "number, 0 < epsilon < 1 (default all)");
    refuse("pbp:runs=2.5", "policy pack-by-pack: runs cannot be \"2.5\"; it must be a whole "
                           "number, 1 <= runs <= 100 (default 9)");
    refuse("pbp:runs=101", "policy pack-by-pack: runs cannot be \"101\"; it must be a whole "
                           "number, 1 <= runs <= 100 (default 9)");
    refuse("pbp:runs=", "policy pack-by-pack: runs cannot be \"\"; it must be a whole number, "
                        "1 <= runs <= 100 (default 9)");
    refuse("pbp:weight=1e999", "policy pack-by-pack: weight cannot be \"1e999\"; it must be a "
                               "number, weight >= 0 (default 0.5)");
    refuse("pbp:mode=some", "policy pack-by-pack: mode cannot be \"some\"; it must be "
                            "printed, end or every (default every)");
}

static void wants_every_setting_whole_and_once(void **state)
{
    (void)state;
    refuse("pbp:", "policy pack-by-pack: a parameter is empty; write param=value[,param=value...]");
    refuse("pbp:runs=2,", "policy pack-by-pack: a parameter is empty; write "
                          "param=value[,param=value...]");
    refuse("pbp:runs", "policy pack-by-pack: runs has no value; write runs=9");
    refuse("pbp:runs=1,runs=2", "policy pack-by-pack: runs is given twice");
    refuse("pbp:runs=1:runs=2", "policy pack-by-pack: runs is given twice");
}

static void only_a_word_is_not_a_number(void **state)
{
    struct cs_policy_call call = read("pack-by-pack");
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(cs_policy_call_check(&call, list, 2, &err), 0);
    call.param[1] = NAN;
    assert_int_equal(cs_policy_call_check(&call, list, 2, &err), -1);
    assert_string_equal(err.text, "policy pack-by-pack: runs cannot be nan");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_names_and_aliases),
        cmocka_unit_test(letters_may_be_upper_or_lower),
        cmocka_unit_test(fills_in_defaults),
        cmocka_unit_test(reads_parameters),
        cmocka_unit_test(names_what_there_is_when_a_policy_is_unknown),
        cmocka_unit_test(names_what_there_is_when_a_parameter_is_unknown),
        cmocka_unit_test(says_what_a_value_may_be),
        cmocka_unit_test(wants_every_setting_whole_and_once),
        cmocka_unit_test(only_a_word_is_not_a_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
