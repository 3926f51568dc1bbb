/* misuse: what a caller gets wrong is an error with a sentence, and never the end of his program.
 */
#include "unit/kit.h"

#include <cosched/pack.h>
#include <cosched/schedule.h>
#include <string.h>

static int make(int room, int policy, struct cs_error *err)
{
    const struct cs_profile profile[] = {
        {.kind = CS_PROFILE_AMDAHL, .seq_time = 9},
        {.kind = CS_PROFILE_AMDAHL, .seq_time = 5},
        {.kind = CS_PROFILE_AMDAHL, .seq_time = 7},
    };
    const struct cs_pack_request request = {.call = {.policy = policy}};
    struct cs_workload *workload = cs_workload_create(3, NULL, profile);
    struct cs_pack_instance *in = cs_pack_instance_create(workload, 4, CS_PACK_UNLIMITED, err);
    struct cs_pack_plan *plan = cs_pack_plan_create(room);
    int status = cs_pack_plan_make(in, &request, plan, err);

    cs_pack_plan_destroy(plan);
    cs_pack_instance_destroy(in);
    cs_workload_destroy(workload);
    return status;
}

static void a_plan_for_fewer_tasks_is_refused(void **state)
{
    struct cs_error err = {{0}};

    (void)state;
    assert_int_equal(make(1, 0, &err), -1);
    assert_string_equal(err.text, "the plan has room for 1 task, the instance has 3");
    assert_int_equal(make(3, 0, &err), 0);
}

static void a_policy_that_is_none_is_refused(void **state)
{
    (void)state;
    for (int policy = -1; policy <= 99; policy += 100) {
        struct cs_error err = {{0}};

        assert_int_equal(make(3, policy, &err), -1);
        assert_non_null(strstr(err.text, "is not one of the"));
    }
}

static void schedules_name_tasks_that_have_no_names(void **state)
{
    struct cs_schedule *schedule = cs_schedule_create("pack", 4, 2, NULL);

    (void)state;
    assert_string_equal(cs_schedule_task_name(schedule, 1), "task1");
    cs_schedule_destroy(schedule);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(a_plan_for_fewer_tasks_is_refused),
        cmocka_unit_test(a_policy_that_is_none_is_refused),
        cmocka_unit_test(schedules_name_tasks_that_have_no_names),
    };

    return cmocka_run_group_tests(all, NULL, NULL);
}
