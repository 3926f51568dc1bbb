/* schedule: bars are kept as they were added, with their processors. */

#include "model/bars.h"
#include "model/procset.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

static const char *const names[] = {"alpha", "beta"};

static void keeps_bars_in_the_order_of_adding(void **state)
{
    struct cs_schedule *s = cs_schedule_create("pack", 8, 2, names);
    const struct cs_interval set[] = {{0, 3}, {7, 7}};
    const struct cs_bar *bars;
    size_t count;

    (void)state;
    cs_schedule_add(s, &(struct cs_bar){CS_BAR_WORK, 1, 1, 0, 0.0, 2.5, 2, set, 0}, NULL);
    cs_schedule_add(s, &(struct cs_bar){CS_BAR_LOST, 0, 2, -1, 1.0, 2.0, 1, set + 1, 0}, NULL);
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
        cs_schedule_add(s, &(struct cs_bar){CS_BAR_WORK, i % 2, 1, i, i, i + 1, 1, &set, 0}, NULL);
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

static void add_count(struct cs_schedule *s, int task, int count, double start, double end)
{
    const struct cs_bar bar = {.kind = CS_BAR_WORK,
                               .task = task,
                               .attempt = 1,
                               .group = task == 3 ? 0 : -1,
                               .start = start,
                               .end = end,
                               .count = count};

    assert_int_equal(cs_schedule_add(s, &bar, NULL), 0);
}

static void has_set(const struct cs_schedule *s, int bar, const char *want)
{
    struct cs_strbuf set = CS_STRBUF_INIT;
    const struct cs_bar *at = &cs_schedule_bars(s, NULL)[bar];

    cs_procset_print(&set, at->procs, at->intervals);
    assert_string_equal(set.text, want);
    assert_int_equal(at->count, 0);
    cs_strbuf_release(&set);
}

static void numbers_bars_that_have_a_count(void **state)
{
    struct cs_schedule *s = cs_schedule_create("", 10, 5, NULL);
    const struct cs_bar numbered = {.kind = CS_BAR_WORK, .attempt = 1};
    struct cs_error err = {0};

    (void)state;
    add_count(s, 0, 4, 0, 5);
    add_count(s, 1, 2, 0, 9);
    add_count(s, 4, 7, 9, 12); /* the largest block, and one of the rest */
    add_count(s, 2, 3, 5, 20); /* the lowest block, next to what ends */
    add_count(s, 3, 3, 5, 6);
    add_count(s, 3, 3, 6, 7); /* continues where it was */
    assert_int_equal(cs_bar_procs(cs_schedule_bars(s, NULL)), 4);
    assert_int_equal(cs_schedule_add(s, &numbered, &err), -1);
    assert_string_equal(
        err.text, "a bar of task 0 has a count of 0 and 0 intervals: all bars have a count, or all "
                  "have a set");
    assert_int_equal(cs_schedule_need_numbers(s, &err), -1);
    assert_true(cs_schedule_number(s));
    assert_int_equal(cs_schedule_need_numbers(s, &err), 0);
    has_set(s, 0, "0-3");
    has_set(s, 1, "4-5");
    has_set(s, 2, "0 4-9");
    has_set(s, 3, "1-3");
    has_set(s, 4, "6-8");
    has_set(s, 5, "6-8");
    assert_int_equal(cs_bar_procs(&cs_schedule_bars(s, NULL)[2]), 7);
    cs_schedule_destroy(s);
}

static void leaves_counts_that_do_not_fit(void **state)
{
    struct cs_schedule *s = cs_schedule_create("", 10, 5, NULL);

    (void)state;
    add_count(s, 0, 4, 0, 5);
    add_count(s, 1, 6, 5, 5); /* for no time, at an end */
    add_count(s, 1, 6, 5, 9);
    add_count(s, 2, 5, 8, 9);
    assert_false(cs_schedule_number(s));
    assert_int_equal(cs_schedule_bars(s, NULL)->count, 4);
    assert_int_equal(cs_schedule_bars(s, NULL)->intervals, 0);
    cs_schedule_destroy(s);
    s = cs_schedule_create("", 10, 5, NULL);
    add_count(s, 0, 4, NAN, 5);
    assert_false(cs_schedule_number(s));
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
        cmocka_unit_test(numbers_bars_that_have_a_count),
        cmocka_unit_test(leaves_counts_that_do_not_fit),
        cmocka_unit_test(names_every_kind_of_bar),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
