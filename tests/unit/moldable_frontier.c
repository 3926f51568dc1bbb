/* How many processors to request: sizes, the frontier, answers, limits. */
#include "problems/moldable/bag/bag.h"
#include "problems/moldable/frontier.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

static void sizes_are(const char *text, const char *want)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_frontier_sizes sizes;
    struct cs_error err = {0};
    struct cs_strbuf got = CS_STRBUF_INIT;
    const int several = cs_frontier_sizes_parse(text, arena, &sizes, &err);

    for (int s = 0; several >= 0 && s < sizes.count; s++)
        cs_strbuf_printf(&got, "%s%d", s ? " " : several ? "" : "one ", sizes.size[s]);
    assert_string_equal(several < 0 ? err.text : got.text, want);
    cs_strbuf_release(&got);
    cs_arena_destroy(arena);
}

#define WANTED                                                                                     \
    "; it must be a whole number from 1 to 100000000, a range such as 8..256 or 8..256:8, or a "   \
    "list such as 8,16,32"

static void sizes_are_numbers_ranges_and_lists(void **state)
{
    (void)state;
    sizes_are("8", "one 8");
    sizes_are("8..11", "8 9 10 11");
    sizes_are("8..16:3", "8 11 14 16");
    sizes_are("8..14:3", "8 11 14");
    sizes_are("8..8", "8");
    sizes_are("32,8,8,16..18:2", "8 16 18 32");
    sizes_are("", "--procs is \"\"" WANTED);
    sizes_are("0..4", "--procs is \"0..4\"" WANTED);
    sizes_are("9..8", "--procs is \"9..8\"" WANTED);
    sizes_are("8..", "--procs is \"8..\"" WANTED);
    sizes_are("8..16:0", "--procs is \"8..16:0\"" WANTED);
    sizes_are("8,", "--procs is \"8,\"" WANTED);
    sizes_are("8..16x", "--procs is \"8..16x\"" WANTED);
    sizes_are("100000001", "--procs is \"100000001\"" WANTED);
    sizes_are("99999999999999999999", "--procs is \"99999999999999999999\"" WANTED);
    sizes_are("1..100000000",
              "--procs 1..100000000: found 100000000 sizes, expected at most 1000000; use a step");
}

/* 1000 seconds of perfect work and a task of 10 seconds; nothing fits on fewer than 3. */
static int plan_perfect(void *who, struct cs_frontier_row *row, struct cs_error *err)
{
    int *plans = who;

    (void)err;
    ++*plans;
    row->critical = 10;
    row->work = 1000;
    row->binding = "procs";
    row->proven = fmax(10, 1000.0 / row->procs);
    row->made =
        row->procs < 3 ? INFINITY : row->proven * (row->thorough || row->procs >= 100 ? 1 : 1.01);
    return 0;
}

static struct cs_frontier find(const char *sizes, double deadline, int *plans,
                               struct cs_arena *arena)
{
    struct cs_frontier_request request = {
        .within = 0.05, .deadline = deadline, .plan = plan_perfect, .who = plans};
    struct cs_frontier frontier;
    struct cs_error err = {0};

    *plans = 0;
    assert_true(cs_frontier_sizes_parse(sizes, arena, &request.all, &err) >= 0);
    assert_int_equal(cs_frontier_find(&request, &frontier, arena, &err), 0);
    return frontier;
}

static int size_of(const struct cs_frontier *f, int answer)
{
    return answer < 0 ? -1 : f->row[answer].procs;
}

static void answers_are_found_among_many_sizes(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_frontier f;
    int plans;

    (void)state;
    f = find("1..10000", 50, &plans, arena);
    assert_int_equal(size_of(&f, f.same), 100);
    assert_int_equal(size_of(&f, f.within), 97);
    assert_int_equal(size_of(&f, f.deadline), 100); /* the one without the 1 % */
    assert_true(plans < 100);
    assert_string_equal(f.row[f.same].limit, "critical");
    f = find("1..10000", 1, &plans, arena);
    assert_int_equal(size_of(&f, f.deadline), -1);
    f = find("1..3", NAN, &plans, arena);
    assert_int_equal(f.rows, 3);
    assert_true(isinf(f.row[1].makespan) && !f.row[1].limit && !f.row[1].best);
    assert_int_equal(size_of(&f, f.within), 3);
    f = find("1,2", NAN, &plans, arena);
    assert_int_equal(f.within, -1);
    cs_arena_destroy(arena);
}

/* Work that does not fit well on most sizes: 151 and its multiples lose nothing; fast plans lose
 * more, on 302 so much that it seems late. */
static int plan_ragged(void *who, struct cs_frontier_row *row, struct cs_error *err)
{
    int *plans = who;

    (void)err;
    ++*plans;
    row->critical = 10;
    row->work = 100000;
    row->binding = "procs";
    row->proven = fmax(10, 100000.0 / row->procs);
    row->made = row->proven * (row->procs % 151 ? 1.2 : row->thorough ? 1 : 1.1);
    return 0;
}

static void the_cheapest_size_in_time_is_found_between_others(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_frontier_request request = {.within = 0.05, .plan = plan_ragged};
    struct cs_frontier f;
    struct cs_error err = {0};
    int plans = 0, rows;

    (void)state;
    request.who = &plans;
    request.deadline = NAN;
    assert_int_equal(cs_frontier_sizes_parse("100..400", arena, &request.all, &err), 1);
    assert_int_equal(cs_frontier_find(&request, &f, arena, &err), 0);
    rows = f.rows;
    request.deadline = 340;
    assert_int_equal(cs_frontier_find(&request, &f, arena, &err), 0);
    assert_int_equal(size_of(&f, f.deadline), 302);
    assert_true(f.rows <= rows + 3 && plans < 400); /* probes are left out */
    for (int r = 1; r < f.rows; r++)
        assert_true(f.row[r].procs > f.row[r - 1].procs &&
                    f.row[r].makespan <= f.row[r - 1].makespan);
    cs_arena_destroy(arena);
}

/* Longer plans for some larger machines, and charges that fall. */
static int plan_uneven(void *who, struct cs_frontier_row *row, struct cs_error *err)
{
    static const double made[] = {90, 100, 40, 45, 20, 20};

    (void)who, (void)err;
    row->made = made[row->procs - 1];
    row->proven = row->critical = 10;
    row->work = 60;
    row->binding = "procs";
    return 0;
}

static void larger_machines_take_plans_of_smaller_ones(void **state)
{
    static const double makespan[] = {90, 90, 40, 40, 20, 20};
    static const bool best[] = {true, false, false, false, true, false};
    struct cs_arena *arena = cs_arena_create();
    struct cs_frontier_request request = {
        .within = 1, .deadline = 40, .uniform = true, .plan = plan_uneven};
    struct cs_frontier f;
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(cs_frontier_sizes_parse("1..6", arena, &request.all, &err), 1);
    assert_int_equal(cs_frontier_find(&request, &f, arena, &err), 0);
    for (int r = 0; r < f.rows; r++) {
        assert_true(f.row[r].makespan == makespan[r]);
        assert_int_equal(f.row[r].best, best[r]);
        assert_true(f.row[r].charged == makespan[r] * (r + 1));
        assert_string_equal(f.row[r].limit, "unknown");
    }
    assert_int_equal(f.row[3].planned, 3);
    assert_int_equal(size_of(&f, f.within), 3);
    assert_int_equal(size_of(&f, f.same), 5);
    assert_int_equal(size_of(&f, f.deadline), 5);
    cs_arena_destroy(arena);
}

/* Tasks a and b with a resource of which there is one; c waits for a. */
static void limits_name_what_is_short(void **state)
{
    static const char *const task[] = {"a", "b", "c"}, *const resource[] = {"procs", "token"};
    static const int first[] = {0, 1, 2, 3}, before_first[] = {0, 0, 0, 1}, before[] = {0};
    static const double seconds[] = {10, 8, 5};
    static const int64_t use[] = {1, 1, 1, 1, 1, 0};
    static const struct {
        int64_t procs, token;
        double makespan;
        const char *limit;
    } rows[] = {
        {2, 2, 15, "critical"}, {2, 1, 18, "token"}, {1, 2, 23, "procs"}, {1, 2, 30, "unknown"}};
    struct cs_arena *arena = cs_arena_create();

    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        const int64_t capacity[] = {rows[r].procs, rows[r].token};
        const struct cs_modes modes = {.tasks = 3,
                                       .resources = 2,
                                       .task_name = task,
                                       .resource_name = resource,
                                       .capacity = capacity,
                                       .first = first,
                                       .seconds = seconds,
                                       .use = use,
                                       .before_first = before_first,
                                       .before = before};
        struct cs_strbuf name = CS_STRBUF_INIT;
        struct cs_bag_bounds bounds;
        struct cs_bag_limit limit;
        struct cs_bag bag;
        struct cs_error err = {0};

        assert_int_equal(cs_bag_create(&modes, &bag, arena, &err), 0);
        cs_bag_bound(&bag, &bounds, arena);
        cs_bag_limit_find(&modes, &bag,
                          &(struct cs_bag_reached){rows[r].makespan, bounds.least, &bounds, NULL},
                          &limit, arena);
        cs_bag_limit_put(&bag, &limit, &name);
        assert_string_equal(name.text, rows[r].limit);
        if (limit.kind == CS_LIMIT_CRITICAL)
            assert_true(limit.tasks == 2 && limit.task[0] == 0 && limit.task[1] == 2);
        cs_strbuf_release(&name);
    }
    cs_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_are_numbers_ranges_and_lists),
        cmocka_unit_test(answers_are_found_among_many_sizes),
        cmocka_unit_test(the_cheapest_size_in_time_is_found_between_others),
        cmocka_unit_test(larger_machines_take_plans_of_smaller_ones),
        cmocka_unit_test(limits_name_what_is_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
