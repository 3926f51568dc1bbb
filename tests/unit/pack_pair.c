/* pair-search: when it ends, brute force over all divisions of two packs finds nothing cheaper. */
#include "problems/pack/pair.h"
#include "unit/improve.h"

static struct improve_case c;

/* The least cost of the tasks of two slots in at most two packs: every subset is tried. */
static double best_division(const struct cs_pack_loads *loads, int a, int b)
{
    int task[IMPROVE_TASKS], count = 0;
    double best = INFINITY;

    for (int k = 0; k < loads->slot[a].size; k++)
        task[count++] = loads->slot[a].member[k];
    for (int k = 0; k < loads->slot[b].size; k++)
        task[count++] = loads->slot[b].member[k];
    assert_in_range(count, 1, 14);
    for (unsigned set = 0; set < 1u << count; set++) {
        int side[2][14], size[2] = {0, 0};

        for (int k = 0; k < count; k++) {
            int s = set >> k & 1;

            side[s][size[s]++] = task[k];
        }
        if (size[0] <= loads->pack_size && size[1] <= loads->pack_size)
            best = fmin(best, improve_pack_cost(c.in, side[0], size[0]) +
                                  improve_pack_cost(c.in, side[1], size[1]));
    }
    return best;
}

static struct cs_pack_loads *one_by_one(struct cs_arena *arena, struct cs_pack_plan *plan,
                                        int limit)
{
    cs_pack_plan_clear(plan);
    for (int i = 0; i < c.in->tasks->count; i++) {
        cs_pack_plan_add(plan, i, 1);
        cs_pack_plan_close(plan, 0);
    }
    return cs_pack_loads_create(cs_pack_levels_create(c.in, limit, INFINITY, arena), c.in, plan,
                                arena);
}

static void every_pair_is_divided_as_well_as_can_be(void **state)
{
    const struct cs_policy_context context = {.threads = 1};
    int merged = 0, changes = 0;

    (void)state;
    for (int number = 0; number < 150; number++) {
        struct cs_splitmix random = {31 + (uint64_t)number};
        int tasks = 2 + (int)cs_splitmix_below(&random, 8);
        int procs = 2 + (int)cs_splitmix_below(&random, 8);
        int size = 1 + (int)cs_splitmix_below(&random, (uint64_t)procs);
        struct cs_arena *arena = cs_arena_create();
        struct cs_pack_plan *plan = cs_pack_plan_create(tasks);
        struct cs_pack_loads *loads;

        improve_create(&c, tasks, procs, size, number % 2, random.state);
        loads = one_by_one(arena, plan, CS_PACK_LEVELS_MAX);
        changes += cs_pack_pair_search(loads, &context);
        for (int a = 0; a < loads->slots; a++)
            for (int b = 0; b < a; b++)
                if (loads->slot[a].size + loads->slot[b].size > 0)
                    assert_true(cs_pack_loads_cost(loads, a) + cs_pack_loads_cost(loads, b) <=
                                best_division(loads, a, b) * (1 + 1e-11));
        cs_pack_loads_write(loads, c.in, plan);
        improve_assert_valid(c.in, plan);
        merged += plan->packs < tasks;
        improve_destroy(&c);
        cs_pack_plan_destroy(plan);
        cs_arena_destroy(arena);
    }
    assert_true(merged > 60 && changes > merged);
}

/* The best division of two packs is the optimum when two packs must do. */
static void two_packs_of_all_tasks_are_optimal(void **state)
{
    (void)state;
    for (int number = 0; number < KIT_ROUNDS(150); number++) {
        double pairs;

        improve_create(&c, 2 + number % 5, 3 + number % 4, 3, false, 99 + (uint64_t)number);
        pairs = improve_total(c.in, "pair-search", 4, false);
        assert_true(pairs >= improve_optimum(c.in) * (1 - 1e-12));
        improve_destroy(&c);
        improve_create(&c, 2, 3 + number % 4, 2, false, 99 + (uint64_t)number);
        pairs = improve_total(c.in, "pair-search", 4, false);
        assert_float_equal(pairs, improve_optimum(c.in), 1e-12 * pairs);
        improve_destroy(&c);
    }
}

static void never_worse_than_local_search(void **state)
{
    (void)state;
    for (int number = 0; number < KIT_ROUNDS(150); number++) {
        struct cs_splitmix random = {500 + (uint64_t)number};
        int procs = 1 + (int)cs_splitmix_below(&random, 20);
        int size = 1 + (int)cs_splitmix_below(&random, (uint64_t)procs);

        improve_create(&c, 1 + number % 60, procs, size, number % 2, random.state);
        assert_true(improve_total(c.in, "pair-search", 4, false) <=
                    improve_total(c.in, "local-search", 4, false));
        improve_total(c.in, "pair-search", 4, true);
        improve_destroy(&c);
    }
}

/* The total with so many kicks, and the plan itself. */
static double kicked(const struct cs_pack_instance *in, int kicks, uint64_t seed,
                     struct cs_pack_plan *plan)
{
    struct cs_pack_request request = {
        .call = {.policy = improve_policy("pair-search"), .param = {4, kicks}}, .seed = seed};

    assert_int_equal(cs_pack_plan_make(in, &request, plan, NULL), 0);
    improve_assert_valid(in, plan);
    return plan->total;
}

static void kicks_never_harm_and_depend_on_the_seed_alone(void **state)
{
    struct cs_pack_plan *plan = cs_pack_plan_create(40), *again = cs_pack_plan_create(40);
    const int cases = KIT_ROUNDS(60);
    int better = 0, other = 0;

    (void)state;
    for (int number = 0; number < cases; number++) {
        double without, with;

        improve_create(&c, 40, 8 + number % 9, 2 + number % 7, number % 2, (uint64_t)number);
        without = kicked(c.in, 0, 1, plan);
        with = kicked(c.in, 10, 1, plan);
        assert_true(with <= without);
        better += with < without;
        assert_true(kicked(c.in, 10, 1, again) == with);
        assert_memory_equal(plan->task, again->task, 40 * sizeof(int));
        other += kicked(c.in, 10, 2, again) != with;
        improve_destroy(&c);
    }
    assert_true(better > cases / 3 && other > cases / 6);
    cs_pack_plan_destroy(plan);
    cs_pack_plan_destroy(again);
}

/* After every kick that did not pay all is as before: a total kept wrong would pile up. */
static void going_back_leaves_the_loads_as_they_were(void **state)
{
    const struct cs_policy_context context = {.threads = 1, .seed = 5};

    (void)state;
    for (int number = 0; number < KIT_ROUNDS(40); number++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_pack_plan *plan = cs_pack_plan_create(12);
        struct cs_pack_loads *loads;
        double total = 0;

        improve_create(&c, 12, 3 + number % 6, 1 + number % 3, number % 2, (uint64_t)number);
        loads = one_by_one(arena, plan, CS_PACK_LEVELS_MAX);
        cs_pack_kick_search(cs_pack_pair_create(loads), loads, &context, 25);
        for (int b = 0; b < loads->slots; b++) {
            const struct cs_pack_slot *slot = &loads->slot[b];

            assert_in_range(slot->size, 0, c.in->pack_size);
            assert_true(cs_pack_loads_cost(loads, b) ==
                        improve_pack_cost(c.in, slot->member, slot->size));
            total += cs_pack_loads_cost(loads, b);
            for (int a = 0; a < b; a++)
                if (loads->slot[a].size + slot->size > 0)
                    assert_true(cs_pack_loads_cost(loads, a) + cs_pack_loads_cost(loads, b) <=
                                best_division(loads, a, b) * (1 + 1e-11));
        }
        assert_float_equal(loads->total, total, 1e-12 * total);
        improve_destroy(&c);
        cs_pack_plan_destroy(plan);
        cs_arena_destroy(arena);
    }
}

/* On a coarse grid the plan is still valid, and costs no more than the levels say. */
static void a_coarse_grid_does_no_harm(void **state)
{
    const struct cs_policy_context context = {.threads = 1};

    (void)state;
    for (int number = 0; number < KIT_ROUNDS(50); number++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_pack_plan *plan = cs_pack_plan_create(20);
        struct cs_pack_loads *loads;
        double levels = 0;

        improve_create(&c, 20, 8, 1 + number % 8, false, (uint64_t)number);
        loads = one_by_one(arena, plan, 16);
        cs_pack_pair_search(loads, &context);
        for (int b = 0; b < loads->slots; b++)
            levels += cs_pack_loads_cost(loads, b);
        cs_pack_loads_write(loads, c.in, plan);
        improve_assert_valid(c.in, plan);
        assert_true(plan->total <= levels * (1 + 1e-12));
        improve_destroy(&c);
        cs_pack_plan_destroy(plan);
        cs_arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_pair_is_divided_as_well_as_can_be),
        cmocka_unit_test(two_packs_of_all_tasks_are_optimal),
        cmocka_unit_test(never_worse_than_local_search),
        cmocka_unit_test(kicks_never_harm_and_depend_on_the_seed_alone),
        cmocka_unit_test(going_back_leaves_the_loads_as_they_were),
        cmocka_unit_test(a_coarse_grid_does_no_harm),
    };

    return cmocka_run_group_tests_name("pack_pair", tests, NULL, NULL);
}
