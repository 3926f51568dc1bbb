/* levels and load vectors: every cost that a search reads off them is the cost of that pack. */
#include "problems/pack/loads.h"
#include "unit/improve.h"

#define CASES 60

static struct improve_case c;

static double level_cost(const struct cs_pack_levels *levels, int level)
{
    return level == levels->count ? INFINITY : cs_pack_levels_cost(levels, level);
}

static void needs_are_counted_from_the_first_processor(void **state)
{
    struct cs_arena *arena = cs_arena_create();

    (void)state;
    for (int number = 0; number < CASES; number++) {
        const struct cs_pack_levels *levels;

        improve_create(&c, 12, 1 + number % 12, 1 + number % 5, number % 2, (uint64_t)number);
        levels = cs_pack_levels_create(c.in, number % 3 ? CS_PACK_LEVELS_MAX : 9, INFINITY, arena);
        assert_true(number % 3 ? levels->exact : levels->count <= 9);
        for (int v = 0; v < levels->count; v++)
            for (int i = 0; i < 12; i++) {
                int need = 1;

                while (need <= c.in->tasks->procs && cs_pack_time(c.in, i, need) > levels->cost[v])
                    need++;
                assert_int_equal(cs_pack_levels_need(levels, i)[v], need);
                assert_true(v == 0 || levels->cost[v] > levels->cost[v - 1]);
            }
        improve_destroy(&c);
    }
    cs_arena_destroy(arena);
}

/* A ceiling from the total of a plan leaves room for every pack of that plan, and of better ones.
 */
static void no_pack_of_a_plan_is_above_its_ceiling(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_pack_request request = {.call = {.policy = improve_policy("random-pack")}};
    struct cs_pack_plan *plan = cs_pack_plan_create(14);
    int lower = 0;

    (void)state;
    request.call.param[0] = 1;
    for (int number = 0; number < 300; number++) {
        double ceiling, longest = 0;

        request.seed = (uint64_t)number;
        improve_create(&c, 14, 2 + number % 7, 1 + number % 4, number % 2, (uint64_t)number);
        assert_int_equal(cs_pack_plan_make(c.in, &request, plan, NULL), 0);
        ceiling = cs_pack_levels_ceiling(c.in, plan->total, arena);
        for (int b = 0; b < plan->packs; b++)
            longest = fmax(longest, plan->cost[b]);
        assert_true(longest <= ceiling);
        lower += ceiling < 0.7 * plan->total;
        improve_destroy(&c);
    }
    assert_true(lower > 100);
    cs_pack_plan_destroy(plan);
    cs_arena_destroy(arena);
}

/* Times at which the level below is asked: below, on, between and above the levels. */
static void the_level_below_is_found(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    const struct cs_pack_levels *levels;

    (void)state;
    improve_create(&c, 20, 8, 4, false, 1);
    levels = cs_pack_levels_create(c.in, CS_PACK_LEVELS_MAX, INFINITY, arena);
    assert_int_equal(cs_pack_levels_below(levels, 0), -1);
    assert_int_equal(cs_pack_levels_below(levels, INFINITY), levels->count - 1);
    for (int v = 0; v < levels->count; v++) {
        assert_int_equal(cs_pack_levels_below(levels, levels->cost[v]), v - 1);
        assert_int_equal(cs_pack_levels_below(levels, levels->cost[v] * (1 + 1e-15)), v);
    }
    improve_destroy(&c);
    cs_arena_destroy(arena);
}

/* The cost of a slot without one task and with another (-1: none). */
static double changed_cost(const struct cs_pack_slot *slot, int minus, int plus)
{
    int task[IMPROVE_TASKS], count = 0;

    for (int k = 0; k < slot->size; k++)
        if (slot->member[k] != minus)
            task[count++] = slot->member[k];
    if (plus >= 0)
        task[count++] = plus;
    return improve_pack_cost(c.in, task, count);
}

static void assert_slot(const struct cs_pack_loads *loads, int which)
{
    const struct cs_pack_levels *levels = loads->levels;
    const struct cs_pack_slot *slot = &loads->slot[which];

    assert_true(cs_pack_loads_cost(loads, which) == changed_cost(slot, -1, -1));
    for (int k = 0; k < slot->size; k++) {
        int task = slot->member[k];

        assert_true(cs_pack_levels_cost(levels, loads->without[task]) ==
                    changed_cost(slot, task, -1));
        for (int i = 0; i < loads->tasks; i++)
            if (loads->slot_of[i] != which)
                assert_true(
                    level_cost(levels, cs_pack_loads_fit(levels, slot->load,
                                                         cs_pack_levels_need(levels, task),
                                                         cs_pack_levels_need(levels, i), 0)) ==
                    changed_cost(slot, task, i));
    }
}

/* Move a task wherever it fits. */
static void move_somewhere(struct cs_pack_loads *loads, struct cs_splitmix *state)
{
    int task = (int)cs_splitmix_below(state, (uint64_t)loads->tasks);
    int from = loads->slot_of[task], to;

    cs_pack_loads_empty_slot(loads);
    to = (int)cs_splitmix_below(state, (uint64_t)loads->slots);
    if (to == from || !isfinite(changed_cost(&loads->slot[to], -1, task)))
        return;
    loads->clock++;
    cs_pack_loads_move(loads, task, to);
    cs_pack_loads_settle(loads, from);
    cs_pack_loads_settle(loads, to);
}

static void evaluated_costs_are_recomputed_costs(void **state)
{
    (void)state;
    for (int number = 0; number < CASES; number++) {
        struct cs_arena *arena = cs_arena_create();
        struct cs_pack_plan *plan = cs_pack_plan_create(10);
        struct cs_splitmix random = {(uint64_t)number};
        struct cs_pack_loads *loads;
        double total = 0;

        improve_create(&c, 10, 2 + number % 7, CS_PACK_UNLIMITED, number % 2, random.state);
        for (int i = 0; i < 10; i++) {
            cs_pack_plan_add(plan, i, 1);
            cs_pack_plan_close(plan, 0);
        }
        loads = cs_pack_loads_create(
            cs_pack_levels_create(c.in, CS_PACK_LEVELS_MAX, INFINITY, arena), c.in, plan, arena);
        for (int k = 0; k < 30; k++)
            move_somewhere(loads, &random);
        for (int b = 0; b < loads->slots; b++) {
            assert_slot(loads, b);
            total += cs_pack_loads_cost(loads, b);
        }
        assert_float_equal(loads->total, total, 1e-12 * total);
        cs_pack_loads_write(loads, c.in, plan);
        improve_assert_valid(c.in, plan);
        assert_float_equal(plan->total, total, 1e-12 * total);
        improve_destroy(&c);
        cs_pack_plan_destroy(plan);
        cs_arena_destroy(arena);
    }
}

/* On 200,000 processors needs are held in units of four, rounded up; a task that wants nearly
 * all of them gets all. */
static void many_processors_are_held_in_units(void **state)
{
    const struct cs_profile profile[] = {
        {.kind = CS_PROFILE_AMDAHL, .seq_time = 200000},
        {.kind = CS_PROFILE_AMDAHL, .seq_time = 2, .seq_fraction = 1},
    };
    struct cs_arena *arena = cs_arena_create();
    const struct cs_pack_levels *levels;
    int last;

    (void)state;
    c.workload = cs_workload_create(2, NULL, profile, NULL);
    c.in = cs_pack_instance_create(c.workload, 200000, CS_PACK_UNLIMITED, NULL);
    levels = cs_pack_levels_create(c.in, 500, INFINITY, arena);
    last = levels->count - 1;
    assert_int_equal(levels->unit, 4);
    assert_int_equal(levels->capacity, 50000);
    assert_false(levels->exact);
    assert_int_equal(cs_pack_levels_need(levels, 0)[0], 50000);
    assert_int_equal(cs_pack_levels_need(levels, 0)[last], 1);
    assert_int_equal(cs_pack_levels_need(levels, 1)[last], 1);
    for (int v = 0; v <= last; v++) {
        int need = cs_moldable_need(c.in->tasks, 0, levels->cost[v]);

        assert_int_equal(cs_pack_levels_need(levels, 0)[v], (need + 3) / 4);
    }
    improve_destroy(&c);
    cs_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(needs_are_counted_from_the_first_processor),
        cmocka_unit_test(no_pack_of_a_plan_is_above_its_ceiling),
        cmocka_unit_test(the_level_below_is_found),
        cmocka_unit_test(evaluated_costs_are_recomputed_costs),
        cmocka_unit_test(many_processors_are_held_in_units),
    };

    return cmocka_run_group_tests_name("pack_loads", tests, NULL, NULL);
}
