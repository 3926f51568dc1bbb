/* efforts: each at least as good as the one below, honest about what ran, bounded in time. */
#include "unit/improve.h"

#include <stdlib.h>

static struct improve_case c;

static double effort_total(const struct cs_pack_instance *in, enum cs_pack_effort effort,
                           bool hurried)
{
    struct cs_pack_request request = {.expired = hurried ? improve_never : NULL};
    struct cs_pack_plan *plan = cs_pack_plan_create(in->tasks->count);
    struct cs_error err = {0};
    double total;

    assert_int_equal(cs_pack_effort_plan(in, effort, &request, plan, &err), 0);
    improve_assert_valid(in, plan);
    assert_true(plan->bound <= plan->total);
    total = plan->total;
    cs_pack_plan_destroy(plan);
    return total;
}

static void more_effort_is_never_worse(void **state)
{
    (void)state;
    for (int number = 0; number < KIT_ROUNDS(30); number++) {
        struct cs_splitmix random = {70 + (uint64_t)number};
        int procs = 1 + (int)cs_splitmix_below(&random, 12);
        int size = 1 + (int)cs_splitmix_below(&random, (uint64_t)procs);
        double fast, normal, high;

        improve_create(&c, 1 + 2 * number, procs, size, number % 2, random.state);
        fast = effort_total(c.in, CS_PACK_EFFORT_FAST, false);
        normal = effort_total(c.in, CS_PACK_EFFORT_DEFAULT, false);
        high = effort_total(c.in, CS_PACK_EFFORT_HIGH, false);
        assert_true(normal <= fast && high <= normal);
        assert_true(fast <= improve_total(c.in, "pack-by-pack", NAN, false));
        assert_true(fast <= improve_total(c.in, "pack-approx", 2, false));
        assert_true(fast <= improve_total(c.in, "contiguous", 4, false));
        assert_true(normal <= improve_total(c.in, "local-search", 4, false));
        assert_true(high <= improve_total(c.in, "pair-search", 4, false));
        improve_destroy(&c);
    }
}

static void exact_effort_is_exact(void **state)
{
    struct cs_pack_request request = {0};
    struct cs_pack_plan *plan = cs_pack_plan_create(8);

    (void)state;
    for (int number = 0; number < KIT_ROUNDS(30); number++) {
        double optimum;

        improve_create(&c, 1 + number % 7, 1 + number % 9, 0, number % 2, (uint64_t)number);
        optimum = improve_optimum(c.in);
        assert_int_equal(cs_pack_effort_plan(c.in, CS_PACK_EFFORT_EXACT, &request, plan, NULL), 0);
        improve_assert_valid(c.in, plan);
        assert_float_equal(plan->total, optimum, 1e-12 * optimum);
        assert_true(plan->optimal);
        assert_float_equal(plan->bound, plan->total, 1e-9 * plan->total);
        improve_destroy(&c);
    }
    cs_pack_plan_destroy(plan);
}

static void plans_are_complete_when_patience_has_ended(void **state)
{
    (void)state;
    for (int effort = CS_PACK_EFFORT_FAST; effort <= CS_PACK_EFFORT_HIGH; effort++) {
        improve_create(&c, 40, 8, 4, true, 3);
        effort_total(c.in, (enum cs_pack_effort)effort, true);
        improve_destroy(&c);
    }
}

static const char *note(const struct cs_pack_plan *plan, const char *name)
{
    for (int k = 0; k < CS_PACK_NOTES && plan->note[k].name; k++)
        if (!strcmp(plan->note[k].name, name))
            return plan->note[k].word;
    return NULL;
}

static void notes_say_what_was_chosen(void **state)
{
    struct cs_pack_request request = {0};
    struct cs_pack_plan *plan = cs_pack_plan_create(65);
    struct cs_workload *w = cs_pack_generate("ii-a", NULL, NULL);
    struct cs_pack_instance *in = cs_pack_instance_create(w, 16, 8, NULL);

    (void)state;
    assert_int_equal(cs_pack_effort_plan(in, CS_PACK_EFFORT_FAST, &request, plan, NULL), 0);
    assert_string_equal(note(plan, "chosen"), "contiguous");
    assert_int_equal(cs_pack_effort_plan(in, CS_PACK_EFFORT_DEFAULT, &request, plan, NULL), 0);
    assert_string_equal(note(plan, "chosen"), "pair-search");
    assert_int_equal(cs_pack_effort_plan(in, CS_PACK_EFFORT_HIGH, &request, plan, NULL), 0);
    assert_string_equal(note(plan, "chosen"), "pair-search");
    assert_null(note(plan, "too large for"));
    cs_pack_instance_destroy(in);
    cs_workload_destroy(w);
    cs_pack_plan_destroy(plan);
}

/* Which is 5965 here, and local-search 6019. */
static void hundreds_of_tasks_are_planned_by_pair_search(void **state)
{
    struct cs_pack_request request = {0};
    struct cs_pack_plan *plan = cs_pack_plan_create(260);
    struct cs_workload *w = cs_pack_generate("iii-a", NULL, NULL);
    struct cs_pack_instance *in = cs_pack_instance_create(w, 32, 16, NULL);

    (void)state;
    assert_int_equal(cs_pack_effort_plan(in, CS_PACK_EFFORT_DEFAULT, &request, plan, NULL), 0);
    assert_string_equal(note(plan, "chosen"), "pair-search");
    assert_true(plan->total < 6000);
    cs_pack_instance_destroy(in);
    cs_workload_destroy(w);
    cs_pack_plan_destroy(plan);
}

/* 50,000 formulas on 20,000 processors: nothing quadratic, and the notes say what did not run. */
static void very_many_tasks_are_planned_by_what_can(void **state)
{
    struct cs_pack_generator generator = {.tasks = 50000, .procs = 20000, .seed = 1};
    struct cs_workload *w = cs_pack_generate("formula", &generator, NULL);
    struct cs_pack_instance *in = cs_pack_instance_create(w, 20000, 20000, NULL);
    struct cs_pack_request request = {0};
    struct cs_pack_plan *plan = cs_pack_plan_create(50000);
    struct cs_pack_bounds bounds;

    (void)state;
    cs_pack_bounds_compute(in, &bounds);
    assert_int_equal(cs_pack_effort_plan(in, CS_PACK_EFFORT_HIGH, &request, plan, NULL), 0);
    assert_int_equal(plan->tasks, 50000);
    assert_true(plan->total >= bounds.best && plan->total <= 1.3 * bounds.best);
    assert_string_equal(note(plan, "too large for"), "contiguous");
    cs_pack_instance_destroy(in);
    cs_workload_destroy(w);
    cs_pack_plan_destroy(plan);
}

/* The table of fill=dp has a row for each task of a pack, of which there are no more than tasks. */
static void few_tasks_fit_the_table_of_a_wide_machine(void **state)
{
    struct cs_pack_generator generator = {.tasks = 8, .procs = 20000, .seed = 1};
    struct cs_workload *w = cs_pack_generate("formula", &generator, NULL);
    struct cs_pack_instance *in = cs_pack_instance_create(w, 20000, 20000, NULL);
    struct cs_pack_request request = {
        .call = {.policy = improve_policy("pack-by-pack"), .param = {0.5, 1, 1}}};
    struct cs_pack_plan *plan = cs_pack_plan_create(8);

    (void)state;
    assert_int_equal(cs_pack_plan_make(in, &request, plan, NULL), 0);
    assert_int_equal(plan->tasks, 8);
    cs_pack_instance_destroy(in);
    cs_workload_destroy(w);
    cs_pack_plan_destroy(plan);
}

/* contiguous says why it cannot; local-search falls back on pack-by-pack. */
static void a_quarter_of_a_million_tasks_are_too_many_for_levels(void **state)
{
    struct cs_pack_generator generator = {.tasks = 270000, .procs = 100, .seed = 1};
    struct cs_workload *w = cs_pack_generate("formula", &generator, NULL);
    struct cs_pack_instance *in = cs_pack_instance_create(w, 100, 10, NULL);
    struct cs_pack_request request = {
        .call = {.policy = improve_policy("contiguous"), .param = {4}}};
    struct cs_pack_plan *plan = cs_pack_plan_create(270000);
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(cs_pack_plan_make(in, &request, plan, &err), -1);
    assert_string_equal(err.text, "contiguous: 270000 tasks in packs of up to 10 are too many to "
                                  "plan in memory; pack-by-pack and pack-approx can");
    assert_int_equal(plan->tasks, 0);
    request.call.policy = improve_policy("local-search");
    assert_int_equal(cs_pack_plan_make(in, &request, plan, &err), 0);
    assert_string_equal(note(plan, "search"), "too large");
    cs_pack_instance_destroy(in);
    cs_workload_destroy(w);
    cs_pack_plan_destroy(plan);
}

static void no_tasks_and_names(void **state)
{
    struct cs_pack_request request = {0};
    struct cs_pack_plan *plan = cs_pack_plan_create(0);

    (void)state;
    c.workload = cs_workload_create(0, NULL, NULL, NULL);
    c.in = cs_pack_instance_create(c.workload, 4, 4, NULL);
    for (int effort = CS_PACK_EFFORT_FAST; effort <= CS_PACK_EFFORT_EXACT; effort++) {
        assert_int_equal(
            cs_pack_effort_plan(c.in, (enum cs_pack_effort)effort, &request, plan, NULL), 0);
        assert_true(plan->optimal && plan->total == 0);
    }
    assert_int_equal(cs_pack_effort_plan(c.in, (enum cs_pack_effort)4, &request, plan, NULL), -1);
    assert_int_equal(cs_pack_effort_plan(c.in, (enum cs_pack_effort) - 1, &request, plan, NULL),
                     -1);
    cs_pack_plan_destroy(plan);
    improve_destroy(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_effort_is_never_worse),
        cmocka_unit_test(exact_effort_is_exact),
        cmocka_unit_test(plans_are_complete_when_patience_has_ended),
        cmocka_unit_test(notes_say_what_was_chosen),
        cmocka_unit_test(hundreds_of_tasks_are_planned_by_pair_search),
        cmocka_unit_test(very_many_tasks_are_planned_by_what_can),
        cmocka_unit_test(few_tasks_fit_the_table_of_a_wide_machine),
        cmocka_unit_test(a_quarter_of_a_million_tasks_are_too_many_for_levels),
        cmocka_unit_test(no_tasks_and_names),
    };

    return cmocka_run_group_tests_name("pack_effort", tests, NULL, NULL);
}
