/* malleable_rows: rows of the unfinished tasks, against plain lists. */
#include "problems/malleable/malleable.h"
#include "problems/malleable/rows.h"
#include "unit/kit.h"

#define TASKS 50

static struct cs_malleable_rate rates[TASKS];

static struct cs_malleable_rows rows_of(struct cs_arena *arena)
{
    struct cs_malleable_rows rows;

    for (int i = 0; i < TASKS; i++)
        rates[i] = (struct cs_malleable_rate){
            .fixed = i, .shared = 1000, .least = 2, .data = 1, .again = 1, .slope = 1};
    cs_malleable_rows_init(&rows, TASKS, arena);
    cs_malleable_rows_fill(&rows, rates);
    for (int i = 0; i < TASKS; i++) {
        const struct cs_malleable_state state = {
            .procs = 4, .alpha = 1, .start = i, .expected_finish = 500 + i, .planned_end = 400 + i};

        cs_malleable_rows_set(&rows, i, &rates[i], &state, i + 250);
    }
    return rows;
}

/* The tasks of members, ascending; their finish is what it was. */
static void assert_members(const struct cs_malleable_rows *rows, double after, double back,
                           const bool *out)
{
    double expected[TASKS];
    int a = 0;

    cs_malleable_rows_members(rows, after, back, expected);
    for (int i = 0; i < TASKS; i++) {
        if (out[i] || !(i < after) || !(400 + i > back))
            continue;
        while (a < rows->count && !(expected[a] > -INFINITY))
            a++;
        assert_in_range(a, 0, rows->count - 1);
        assert_int_equal(rows->task[a], i);
        assert_int_equal(rows->row[i], a);
        assert_true(expected[a] == 500 + i);
        assert_true(rows->column[CS_ROW_SEQUENTIAL][a] == i);
        a++;
    }
    for (; a < rows->count; a++)
        assert_true(expected[a] == -INFINITY);
}

static void members_have_started_and_last_until_later(void **state)
{
    const bool out[TASKS] = {false};
    struct cs_arena *arena = cs_arena_create();
    const struct cs_malleable_rows rows = rows_of(arena);

    (void)state;
    assert_members(&rows, 100, -INFINITY, out);
    assert_members(&rows, 20, -INFINITY, out);
    assert_members(&rows, 100, 430, out);
    assert_members(&rows, 0, 0, out);
    cs_arena_destroy(arena);
}

static void who_has_ended_is_gone_and_the_others_keep_their_order(void **state)
{
    bool out[TASKS] = {false};
    struct cs_arena *arena = cs_arena_create();
    struct cs_malleable_rows rows = rows_of(arena), first;

    (void)state;
    cs_malleable_rows_init(&first, TASKS, arena);
    cs_malleable_rows_copy(&first, &rows);
    for (int ended = 0; ended < TASKS; ended++) {
        const int task = 17 * ended % TASKS;

        cs_malleable_rows_remove(&rows, task);
        out[task] = true;
        assert_int_equal(rows.living, TASKS - ended - 1);
        assert_true(rows.count * 4 <= rows.living * 5);
        assert_members(&rows, 100, -INFINITY, out);
    }
    cs_malleable_rows_copy(&rows, &first);
    assert_members(&rows, 100, -INFINITY, (const bool[TASKS]){false});
    cs_arena_destroy(arena);
}

static void the_largest_of_none_is_minus_infinity(void **state)
{
    const double number[] = {1, 7, -3, 2, 9, 9, -INFINITY};

    (void)state;
    assert_true(cs_malleable_rows_largest(number, 0) == -INFINITY);
    assert_true(cs_malleable_rows_largest(number, 2) == 7);
    assert_true(cs_malleable_rows_largest(number, 4) == 7);
    assert_true(cs_malleable_rows_largest(number, 7) == 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_have_started_and_last_until_later),
        cmocka_unit_test(who_has_ended_is_gone_and_the_others_keep_their_order),
        cmocka_unit_test(the_largest_of_none_is_minus_infinity),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
