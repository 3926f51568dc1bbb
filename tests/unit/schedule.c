/* schedule: bars are kept as they were added, with their processors. */

#include "model/schedule.h"
#include "unit/kit.h"

#include <string.h>

static const char *const names[] = {"alpha", "beta"};

static void keeps_bars_in_the_order_of_adding(void **state)
{
    struct cs_schedule *s = cs_schedule_create("pack", 8, 2, names);
    const struct cs_interval set[] = {{0, 3}, {7, 7}};
    const struct cs_bar *bars;
    size_t count;

    (void)state;
    cs_schedule_add(s, &(struct cs_bar){CS_BAR_WORK, 1, 1, 0, 0.0, 2.5, 2, set}, NULL);
    cs_schedule_add(s, &(struct cs_bar){CS_BAR_LOST, 0, 2, -1, 1.0, 2.0, 1, set + 1}, NULL);
    bars = cs_schedule_bars(s, &count);
    assert_int_equal(count, 2);
    assert_int_equal(bars[0].task, 1);
    assert_int_equal(bars[0].procs[1].first, 7);
    assert_ptr_not_equal(bars[0].procs, set);
    assert_int_equal(bars[1].attempt, 2);
    assert_true(cs_schedule_makespan(s) == 2.5);
    cs_schedule_destroy(s);
}

static void copies_what_it_is_reported(void **state)
{
    char name[] = "alpha", problem[] = "pack";
    const char *list[] = {name};
    struct cs_schedule *s = cs_schedule_create(problem, 8, 1, list);

    (void)state;
    memset(name, 'x', sizeof name - 1);
    memset(problem, 'x', sizeof problem - 1);
    assert_string_equal(cs_schedule_task_name(s, 0), "alpha");
    assert_string_equal(cs_schedule_problem(s), "pack");
    assert_int_equal(cs_schedule_procs(s), 8);
    assert_int_equal(cs_schedule_tasks(s), 1);
    cs_schedule_destroy(s);
}

static void is_empty_at_first(void **state)
{
    struct cs_schedule *s = cs_schedule_create("pack", 1, 0, NULL);
    size_t count = 99;

    (void)state;
    cs_schedule_bars(s, &count);
    assert_int_equal(count, 0);
    assert_true(cs_schedule_makespan(s) == 0);
    cs_schedule_destroy(s);
    cs_schedule_destroy(NULL);
}

static void takes_a_million_bars_and_its_own_bars(void **state)
{
    struct cs_schedule *s = cs_schedule_create("pack", 1000, 2, names);
    const struct cs_bar *bars;
    size_t count;

    (void)state;
    for (int i = 0; i < 1000000; i++) {
        struct cs_interval set = {i % 1000, i % 1000};
        cs_schedule_add(s, &(struct cs_bar){CS_BAR_WORK, i % 2, 1, i, i, i + 1, 1, &set}, NULL);
    }
    for (int i = 0; i < 100; i++)
        cs_schedule_add(s, cs_schedule_bars(s, &count) + i, NULL);
    bars = cs_schedule_bars(s, &count);
    assert_int_equal(count, 1000100);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(bars[i].group, i % 1000000);
        assert_int_equal(bars[i].procs->first, i % 1000);
    }
    cs_schedule_destroy(s);
}

static void names_every_kind_of_bar(void **state)
{
    const char *const want[] = {"work",   "checkpoint", "recovery", "downtime",
                                "verify", "move",       "lost"};

    (void)state;
    for (int i = 0; i < 7; i++)
        assert_string_equal(cs_bar_kind_name(CS_BAR_WORK + i), want[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_bars_in_the_order_of_adding),
        cmocka_unit_test(copies_what_it_is_reported),
        cmocka_unit_test(is_empty_at_first),
        cmocka_unit_test(takes_a_million_bars_and_its_own_bars),
        cmocka_unit_test(names_every_kind_of_bar),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
