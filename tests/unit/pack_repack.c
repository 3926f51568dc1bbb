/* Packing anew by column generation and a dive: never dearer, mostly as good as can be. */
#include "base/cholesky.h"
#include "config.h"
#include "problems/pack/hats.h"
#include "problems/pack/pair.h"
#include "problems/pack/repack.h"
#include "unit/improve.h"

#include <math.h>
#include <string.h>

static struct improve_case c;

static void alone(struct cs_pack_plan *plan)
{
    struct cs_arena *arena = cs_arena_create();

    cs_pack_plan_clear(plan);
    for (int i = 0; i < c.in->tasks->count; i++) {
        cs_pack_plan_add(plan, i, c.in->tasks->min_procs[i]);
        cs_pack_plan_close(plan, 0);
    }
    cs_pack_plan_share(c.in, plan, arena);
    cs_arena_destroy(arena);
}

static void a_system_is_solved(void **state)
{
    enum { MOST = 110 };
    static double a[MOST * MOST], copy[MOST * MOST];
    struct cs_splitmix random = {5};

    (void)state;
    for (int n = 1; n <= MOST; n += 7) {
        double x[MOST], right[MOST] = {0};

        memset(a, 0, sizeof a);
        for (int k = 0; k < 2 * n; k++) {
            for (int i = 0; i < n; i++)
                right[i] = (double)cs_splitmix_below(&random, 7) - 3;
            for (int i = 0; i < n; i++)
                for (int j = 0; j <= i; j++)
                    a[i * n + j] += right[i] * right[j] + (i == j);
        }
        memcpy(copy, a, sizeof a);
        memcpy(x, right, sizeof x);
        cs_cholesky_factor(a, n);
        cs_cholesky_solve(a, n, x);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                right[i] -= (j <= i ? copy[i * n + j] : copy[j * n + i]) * x[j];
            assert_float_equal(right[i], 0, 1e-9);
        }
    }
}

/* Two equal rows: the second adds nothing, and has no part in the solution. */
static void a_row_that_adds_nothing_is_left_out(void **state)
{
    double a[] = {4, 0, 4, 4}, x[] = {8, 8};

    (void)state;
    cs_cholesky_factor(a, 2);
    cs_cholesky_solve(a, 2, x);
    assert_float_equal(x[0], 2, 1e-12);
    assert_float_equal(x[1], 0, 1e-12);
}

static void small_bags_are_packed_as_well_as_can_be(void **state)
{
    const struct cs_policy_context context = {.threads = 1};
    int optimal = 0, cases = 100;

    (void)state;
    for (int number = 0; number < cases; number++) {
        struct cs_splitmix random = {71 + (uint64_t)number};
        int tasks = 2 + (int)cs_splitmix_below(&random, 7);
        int procs = 2 + (int)cs_splitmix_below(&random, 8);
        int size = 1 + (int)cs_splitmix_below(&random, (uint64_t)procs);
        struct cs_pack_plan *plan = cs_pack_plan_create(tasks);
        struct cs_arena *arena = cs_arena_create();
        struct cs_pack_candidates candidates;
        double best, before;
        struct cs_rng rng;
        bool changed;

        improve_create(&c, tasks, procs, size, number % 2, random.state);
        cs_rng_init(&rng, 1, 2, 3);
        best = improve_optimum(c.in);
        alone(plan);
        before = plan->total;
        cs_pack_candidates_init(&candidates, c.in, plan->total, arena);
        changed = cs_pack_repack(&candidates, &context, &rng, 0, plan);
        assert_int_equal(changed, plan->total < before);
        improve_assert_valid(c.in, plan);
        assert_true(plan->total >= best * (1 - 1e-12) && plan->total <= before);
        optimal += plan->total <= best * (1 + 1e-9);
        improve_destroy(&c);
        cs_arena_destroy(arena);
        cs_pack_plan_destroy(plan);
    }
    assert_true(optimal > 9 * cases / 10);
}

static bool at_once(const void *who)
{
    (void)who;
    return true;
}

static void nothing_changes_without_patience(void **state)
{
    const struct cs_policy_context context = {.threads = 1, .expired = at_once};
    struct cs_pack_plan *plan = cs_pack_plan_create(30);
    double before;

    (void)state;
    improve_create(&c, 30, 8, 8, 0, 3);
    alone(plan);
    before = plan->total;
    cs_pack_repack_search(c.in, &context, 5, plan);
    assert_true(plan->total == before && plan->packs == 30);
    improve_destroy(&c);
    cs_pack_plan_destroy(plan);
}

/* More tasks than are packed anew at a time. */
static void a_part_of_many_tasks_gains(void **state)
{
    const struct cs_pack_generator generator = {.tasks = 340, .procs = 6};
    struct cs_policy_context context = {.threads = 1, .seed = 4};
    struct cs_pack_plan *plan = cs_pack_plan_create(340), *again = cs_pack_plan_create(340);
    const int times = KIT_ROUNDS(2);
    double before;

    (void)state;
    context.scratch = cs_arena_create();
    c.workload = cs_pack_generate("formula", &generator, NULL);
    c.in = cs_pack_instance_create(c.workload, 6, 6, NULL);
    cs_pack_pair_plan(c.in, &context, 1, 0, plan);
    cs_pack_plan_copy(again, plan);
    before = plan->total;
    cs_pack_repack_search(c.in, &context, 1, plan);
    improve_assert_valid(c.in, plan);
    assert_true(plan->total < 0.999 * before);
    for (int time = 1; time < times; time++) {
        cs_pack_repack_search(c.in, &context, 1, again);
        assert_true(plan->total == again->total && plan->packs == again->packs);
        assert_memory_equal(plan->task, again->task, 340 * sizeof *plan->task);
    }
    improve_destroy(&c);
    cs_pack_plan_destroy(plan);
    cs_pack_plan_destroy(again);
    cs_arena_destroy(context.scratch);
}

static bool after_some(const void *who)
{
    int *left = *(int *const *)who;

    return --*left < 0;
}

/* All at once; and with less and less patience, when the last packs are fixed unseen. */
static void many_tasks_are_packed_again_at_once(void **state)
{
    const struct cs_pack_generator generator = {.tasks = 340, .procs = 6};
    const int patience[] = {1000000, 60, 35, 10};
    struct cs_arena *scratch = cs_arena_create();
    struct cs_pack_candidates candidates;
    struct cs_pack_plan *start = cs_pack_plan_create(340), *plan = cs_pack_plan_create(340);
    struct cs_policy_context context = {.threads = 1, .scratch = scratch};

    (void)state;
    c.workload = cs_pack_generate("formula", &generator, NULL);
    c.in = cs_pack_instance_create(c.workload, 6, 6, NULL);
    cs_pack_pair_plan(c.in, &context, 1, 0, start);
    cs_pack_candidates_init(&candidates, c.in, start->total, scratch);
    for (size_t k = 0; k < sizeof patience / sizeof *patience; k++) {
        int left = patience[k], *who = &left;
        struct cs_rng rng;
        bool changed;

        context.expired = after_some;
        context.who = &who;
        cs_rng_init(&rng, 1, 2, 3);
        cs_pack_plan_copy(plan, start);
        changed = cs_pack_repack(&candidates, &context, &rng, 0.05, plan);
        assert_int_equal(changed, patience[k] > 30);
        improve_assert_valid(c.in, plan);
        assert_true(k > 0 || plan->total < 0.999 * start->total);
    }
    improve_destroy(&c);
    cs_pack_plan_destroy(start);
    cs_pack_plan_destroy(plan);
    cs_arena_destroy(scratch);
}

/* The dearest of those that share have a row each, and no price is another one. */
static void the_dearest_tasks_have_rows_of_their_own(void **state)
{
    enum { TASKS = 60, KNOTS = 7, OWN = 20 };
    struct cs_arena *arena = cs_arena_create();
    struct cs_pack_candidates candidates;
    struct cs_pack_hats shared, mixed;
    double row[2 * KNOTS + OWN] = {0}, price[TASKS];
    int own = 0;

    (void)state;
    improve_create(&c, TASKS, 8, 8, 0, 5);
    cs_pack_candidates_init(&candidates, c.in, INFINITY, arena);
    cs_pack_hats_shared(&shared, &candidates, KNOTS, arena);
    for (int r = 0; r < 2 * KNOTS; r++)
        row[OWN + r] = 1 + r % 5;
    for (int i = 0; i < TASKS; i++)
        price[i] = cs_pack_hats_price(&shared, i, row + OWN);
    cs_pack_hats_own(&mixed, &shared, price, OWN, arena);
    assert_int_equal(mixed.rows, 2 * KNOTS + OWN);
    for (int i = 0; i < TASKS; i++) {
        int dearer = 0;

        for (int k = 0; k < TASKS; k++)
            dearer += price[k] > price[i] || (price[k] == price[i] && k < i);
        assert_int_equal(cs_pack_hats_is_own(&mixed, i), dearer < OWN);
        if (dearer < OWN)
            row[mixed.row[i * mixed.entries]] = price[i];
        own += dearer < OWN;
        assert_true(cs_pack_hats_price(&mixed, i, row) == price[i]);
    }
    assert_int_equal(own, OWN);
    improve_destroy(&c);
    cs_arena_destroy(arena);
}

/* There is no table of needs for so many, so nothing is packed anew. */
static void exact_takes_more_processors_than_are_counted_in_16_bits(void **state)
{
    const struct cs_pack_generator generator = {.tasks = 130, .procs = 70000};
    struct cs_pack_request request = {.call = {.policy = improve_policy("exact")}};
    struct cs_pack_plan *plan = cs_pack_plan_create(130);

    (void)state;
    if (!CS_HAVE_CBC)
        skip();
    c.workload = cs_pack_generate("formula", &generator, NULL);
    c.in = cs_pack_instance_create(c.workload, 70000, CS_PACK_UNLIMITED, NULL);
    assert_int_equal(cs_pack_plan_make(c.in, &request, plan, NULL), 0);
    assert_int_equal(plan->tasks, 130);
    assert_true(plan->bound <= plan->total);
    improve_destroy(&c);
    cs_pack_plan_destroy(plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_system_is_solved),
        cmocka_unit_test(a_row_that_adds_nothing_is_left_out),
        cmocka_unit_test(small_bags_are_packed_as_well_as_can_be),
        cmocka_unit_test(nothing_changes_without_patience),
        cmocka_unit_test(a_part_of_many_tasks_gains),
        cmocka_unit_test(many_tasks_are_packed_again_at_once),
        cmocka_unit_test(the_dearest_tasks_have_rows_of_their_own),
        cmocka_unit_test(exact_takes_more_processors_than_are_counted_in_16_bits),
    };

    return cmocka_run_group_tests_name("pack_repack", tests, NULL, NULL);
}
