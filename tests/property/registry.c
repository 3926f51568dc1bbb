/* registry: whatever is listed has a name that works, plans random instances, passes both
 * opinions on validity, and does it again to the last byte. */
#include "check/check.h"
#include "property/pack_kit.h"
#include "unit/kit.h"

#include <stdio.h>
#include <string.h>

#define CASES 120

static const struct cs_policy *const *listed(int *count)
{
    return cs_pack_policies(count);
}

static void every_policy_introduces_itself(void **state)
{
    int count;
    const struct cs_policy *const *list = listed(&count);

    (void)state;
    assert_true(count >= 6);
    for (int i = 0; i < count; i++) {
        struct cs_policy_call call = {0};
        struct cs_error err = {0};

        assert_string_equal(list[i]->problem, "pack");
        assert_true(list[i]->name[0] && list[i]->summary[0] && list[i]->source[0]);
        assert_int_equal(cs_policy_parse(list[i]->name, list, count, &call, &err), 0);
        assert_int_equal(call.policy, i);
        for (int k = 0; list[i]->params && list[i]->params[k].name; k++)
            assert_true(k < CS_POLICY_PARAM_MAX && list[i]->params[k].summary[0]);
    }
}

/* What the independent checker finds in the plan as a schedule: nothing. */
static void check_schedule(const struct pack_case *c, const struct cs_pack_plan *plan,
                           const char *policy)
{
    static const enum cs_pack_order order[] = {CS_PACK_ORDER_CREATION, CS_PACK_ORDER_COST,
                                               CS_PACK_ORDER_SMITH};

    for (int k = 0; k < 3; k++) {
        struct cs_schedule *schedule = cs_pack_schedule(c->instance, plan, order[k]);
        struct cs_check_report *report = cs_check_report_create(5);

        cs_check_pack(schedule, c->workload, c->instance->pack_size, NULL, report);
        if (report->total)
            fail_msg("%s: %s", policy, report->item[0].text);
        cs_check_report_destroy(report);
        cs_schedule_destroy(schedule);
    }
}

static void assert_same_plan(const struct cs_pack_plan *a, const struct cs_pack_plan *b)
{
    size_t n = (size_t)a->tasks, packs = (size_t)a->packs;

    assert_int_equal(a->packs, b->packs);
    assert_memory_equal(a->first, b->first, (packs + 1) * sizeof *a->first);
    assert_memory_equal(a->task, b->task, n * sizeof *a->task);
    assert_memory_equal(a->procs, b->procs, n * sizeof *a->procs);
    assert_memory_equal(a->cost, b->cost, packs * sizeof *a->cost);
    assert_memory_equal(&a->total, &b->total, sizeof a->total);
    assert_memory_equal(&a->bound, &b->bound, sizeof a->bound);
    assert_int_equal(a->optimal, b->optimal);
}

/* One instance; a policy may refuse it in words.  Returns whether it made a plan. */
static bool plan_twice(const struct pack_case *c, int policy, const char *name, uint64_t seed)
{
    struct cs_pack_request request = {.seed = seed, .threads = 1};
    struct cs_pack_plan *plan = cs_pack_plan_create(c->instance->tasks->count);
    struct cs_pack_plan *again = cs_pack_plan_create(c->instance->tasks->count);
    struct cs_pack_bounds bounds;
    struct cs_error err = {0}, same = {0};
    int count, status;
    const struct cs_policy *const *list = listed(&count);

    assert_int_equal(cs_policy_parse(list[policy]->name, list, count, &request.call, &err), 0);
    status = cs_pack_plan_make(c->instance, &request, plan, &err);
    request.threads = 2;
    assert_int_equal(cs_pack_plan_make(c->instance, &request, again, &same), status);
    assert_string_equal(err.text, same.text);
    assert_true(status == 0 || err.text[0]);
    if (status == 0) {
        const char *fault = pack_plan_fault(c->instance, plan);

        if (fault)
            fail_msg("%s, seed %d: %s", name, (int)seed, fault);
        check_schedule(c, plan, name);
        cs_pack_bounds_compute(c->instance, &bounds);
        assert_true(plan->total >= bounds.best * (1 - 1e-12));
        assert_true(plan->bound <= plan->total * (1 + 1e-9));
        assert_same_plan(plan, again);
    }
    cs_pack_plan_destroy(plan);
    cs_pack_plan_destroy(again);
    return status == 0;
}

static void every_policy_makes_valid_plans_twice_the_same(void **state)
{
    int count;
    const struct cs_policy *const *list = listed(&count);

    (void)state;
    for (int i = 0; i < count; i++) {
        int made = 0, cases = strcmp(list[i]->name, "ilp") ? CASES : 6;
        int tasks = strcmp(list[i]->name, "ilp") ? 12 : 3;

        if (list[i]->missing) {
            printf("# %s: %s\n", list[i]->name, list[i]->missing);
            continue;
        }
        if (list[i]->extpol)
            continue;
        for (uint64_t seed = 0; seed < (uint64_t)cases; seed++) {
            struct pack_case c = pack_case_create(seed, tasks, 12);

            made += plan_twice(&c, i, list[i]->name, seed);
            pack_case_destroy(&c);
        }
        if (made < cases)
            printf("# %s planned %d of %d instances\n", list[i]->name, made, cases);
        assert_true(made > 0);
    }
}

/* Also when what a caller has put where the program goes is none. */
static void a_policy_extpol_says_when_nobody_is_there(void **state)
{
    struct pack_case c = pack_case_create(1, 5, 5);
    struct cs_pack_plan *plan = cs_pack_plan_create(c.instance->tasks->count);
    int count, asked = 0;
    const struct cs_policy *const *list = listed(&count);

    (void)state;
    for (int i = 0; i < count; i++) {
        struct cs_pack_request request = {.call = {.policy = i, .param = {1e-300, -2}}};
        struct cs_error err = {0};

        if (!list[i]->extpol)
            continue;
        asked++;
        assert_int_equal(cs_pack_plan_make(c.instance, &request, plan, &err), -1);
        assert_string_equal(err.text, "policy program asks a program of yours: give "
                                      "--policy-program COMMAND");
    }
    assert_int_equal(asked, 1);
    cs_pack_plan_destroy(plan);
    pack_case_destroy(&c);
}

static void a_plan_of_nothing_is_optimal(void **state)
{
    struct cs_workload *workload = cs_workload_create(0, NULL, NULL, NULL);
    struct cs_error err = {0};
    struct cs_pack_instance *in = cs_pack_instance_create(workload, 4, CS_PACK_UNLIMITED, &err);
    struct cs_pack_plan *plan = cs_pack_plan_create(0);
    struct cs_pack_metrics metrics;
    int count;

    (void)state;
    listed(&count);
    for (int i = 0; i < count; i++) {
        struct cs_pack_request request = {.call = {.policy = i}};

        if (listed(&count)[i]->missing)
            continue;
        assert_int_equal(cs_pack_plan_make(in, &request, plan, &err), 0);
        assert_true(plan->packs == 0 && plan->total == 0 && plan->optimal);
    }
    cs_pack_metrics_compute(in, plan, &metrics);
    assert_true(metrics.relative_cost != metrics.relative_cost);
    cs_pack_plan_destroy(plan);
    cs_pack_instance_destroy(in);
    cs_workload_destroy(workload);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_introduces_itself),
        cmocka_unit_test(every_policy_makes_valid_plans_twice_the_same),
        cmocka_unit_test(a_policy_extpol_says_when_nobody_is_there),
        cmocka_unit_test(a_plan_of_nothing_is_optimal),
    };

    return cmocka_run_group_tests_name("registry", tests, NULL, NULL);
}
