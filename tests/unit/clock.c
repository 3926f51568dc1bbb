/* clock: time goes on, and patience ends when it should. */
#include "base/clock.h"
#include "model/policy.h"
#include "unit/kit.h"

#include <math.h>

static void time_goes_on(void **state)
{
    double before = cs_clock_now();

    (void)state;
    for (int i = 0; i < 1000; i++) {
        const double now = cs_clock_now();

        assert_true(now >= before);
        before = now;
    }
}

static void patience_ends(void **state)
{
    const struct cs_deadline over = cs_deadline_in(0), never = cs_deadline_in(INFINITY);
    const struct cs_deadline soon = cs_deadline_in(0.01), later = cs_deadline_in(1000);
    const double start = cs_clock_now();

    (void)state;
    assert_true(cs_deadline_expired(&over));
    assert_false(cs_deadline_expired(&never));
    while (!cs_deadline_expired(&soon))
        assert_true(cs_clock_now() - start < 10);
    assert_true(cs_clock_now() >= soon.at);
    assert_false(cs_deadline_expired(&later));
}

static void a_policy_can_ask(void **state)
{
    const struct cs_deadline over = cs_deadline_in(0);
    const struct cs_policy_context context = {.expired = cs_deadline_expired, .who = &over};

    (void)state;
    assert_true(context.expired(context.who));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_goes_on),
        cmocka_unit_test(patience_ends),
        cmocka_unit_test(a_policy_can_ask),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
