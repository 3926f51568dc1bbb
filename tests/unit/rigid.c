/* rigid - the public face of the rigid problem. */
#include "problems/rigid/study.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

/* Two jobs side by side, then one on the whole machine: 10, and again 10 for a failure. */
static const double seconds[] = {6, 4, 4};
static const int procs[] = {2, 2, 4};
static const struct cs_sched_jobs jobs = {3, 4, 0, seconds, procs};
static const int64_t supplied[] = {0, 0, 0, 0, 0, 1};

static struct cs_rigid_study study_of(const struct cs_sched_scenarios *scenarios, const char *text,
                                      const char *priority, struct cs_policy_call *call)
{
    struct cs_rigid_study study = {
        .jobs = &jobs,
        .policy = cs_sched_policy_parse(text, call, NULL),
        .param = call->param,
        .priority = cs_sched_priority_find(priority, NULL),
        .scenarios = scenarios,
    };

    assert_non_null(study.policy);
    assert_non_null(study.priority);
    return study;
}

static void a_study_by_hand(void **state)
{
    struct cs_sched_scenarios *scenarios = cs_sched_scenarios_measured(&jobs, 2, supplied, NULL);
    struct cs_policy_call call;
    struct cs_rigid_study study = study_of(scenarios, "greedy", "LPT", &call);
    struct cs_rigid_outcome outcome[2];
    double strong[2];

    (void)state;
    assert_int_equal(scenarios->count, 2);
    assert_int_equal(cs_rigid_study_run(&study, outcome, NULL), 0);
    assert_true(outcome[0].makespan == 10 && outcome[1].makespan == 14);
    assert_true(outcome[0].bound == 9 && outcome[1].bound == 13);
    assert_true(outcome[1].failures == 1 && outcome[1].waste == 16);
    assert_true(outcome[0].utilisation == 0.9 && outcome[0].ratio == 10.0 / 9);
    assert_int_equal(cs_rigid_study_bounds(scenarios, 2, strong, NULL), 0);
    assert_true(strong[0] == 10 && strong[1] == 14);
    cs_sched_scenarios_destroy(scenarios);
}

static void a_scenario_as_a_schedule(void **state)
{
    static const char *const name[] = {"red", "green", "blue"};
    struct cs_sched_scenarios *scenarios = cs_sched_scenarios_measured(&jobs, 2, supplied, NULL);
    struct cs_policy_call call;
    struct cs_rigid_study study = study_of(scenarios, "easy", "lert-learnt", &call);
    struct cs_schedule *named = cs_rigid_study_schedule(&study, 1, name, NULL);
    struct cs_schedule *numbered = cs_rigid_study_schedule(&study, 1, NULL, NULL);
    struct cs_error err = {0}, below = {0};
    size_t bars;

    (void)state;
    assert_string_equal(cs_schedule_task_name(named, 2), "blue");
    assert_string_equal(cs_schedule_task_name(numbered, 2), "2");
    cs_schedule_bars(numbered, &bars);
    assert_int_equal(bars, 4);
    assert_true(cs_schedule_makespan(named) == cs_schedule_makespan(numbered));
    assert_null(cs_rigid_study_schedule(&study, 2, NULL, &err));
    assert_string_equal(err.text, "there is no scenario 2: there are 2, from 0 on");
    assert_null(cs_rigid_study_schedule(&study, -1, NULL, &below));
    assert_string_equal(below.text, "there is no scenario -1: there are 2, from 0 on");
    cs_schedule_destroy(named);
    cs_schedule_destroy(numbered);
    cs_sched_scenarios_destroy(scenarios);
}

static void refused(const struct cs_sched_jobs *set, struct cs_sched_law law, int count,
                    const char *message)
{
    struct cs_error err = {0};

    assert_null(cs_sched_scenarios_create(set, law, 1, 0, count, &err));
    assert_string_equal(err.text, message);
}

static void what_is_no_scenario_is_refused_in_words(void **state)
{
    const struct cs_sched_jobs none = {3, 0, 0, seconds, procs};
    const struct cs_sched_law law = {.mean = 0.1};

    (void)state;
    refused(&none, law, 1, "the number of processors is 0, it must be at least 1");
    refused(&jobs, law, -1, "the number of scenarios is -1, it must be at least 0");
    refused(&jobs, (struct cs_sched_law){.mean = 1}, 1,
            "the mean failure probability is 1, it must be at least 0 and less than 1");
    refused(&jobs, (struct cs_sched_law){.mean = -0.5}, 1,
            "the mean failure probability is -0.5, it must be at least 0 and less than 1");
    refused(&jobs, (struct cs_sched_law){NAN, -1}, 1,
            "the error rate is -1 per second, it must be a number from 0 on");
    refused(&jobs, (struct cs_sched_law){NAN, NAN}, 1,
            "the error rate is nan per second, it must be a number from 0 on");
    refused(&jobs, (struct cs_sched_law){NAN, 1e9}, 1,
            "at 1e+09 errors per second and processor no average job ever succeeds");
    cs_sched_scenarios_destroy(NULL);
}

static void supplied_numbers_are_looked_at(void **state)
{
    static const int64_t negative[] = {0, 0, 0, 0, -1, 0}, many[] = {10000000, 0, 10000001};
    struct cs_error first = {0}, second = {0}, third = {0};

    (void)state;
    assert_null(cs_sched_scenarios_measured(&jobs, 2, negative, &first));
    assert_string_equal(first.text,
                        "scenario 1, job 1: it fails -1 times, it must be 0 to 10000000");
    assert_null(cs_sched_scenarios_measured(&jobs, 1, many, &second));
    assert_string_equal(second.text,
                        "scenario 0, job 2: it fails 10000001 times, it must be 0 to 10000000");
    assert_null(cs_sched_scenarios_read(&jobs, "/nowhere/failures", &third));
    assert_non_null(strstr(third.text, "/nowhere/failures"));
}

/* A law by its mean and by its rate is the same law. */
static void drawn_numbers_depend_on_the_seed_alone(void **state)
{
    const double area = cs_sched_mean_area(&jobs), rate = -log1p(-0.5) / area;
    struct cs_sched_scenarios *one =
        cs_sched_scenarios_create(&jobs, (struct cs_sched_law){.mean = 0.5}, 7, 3, 50, NULL);
    struct cs_sched_scenarios *two =
        cs_sched_scenarios_create(&jobs, (struct cs_sched_law){NAN, rate}, 7, 3, 90, NULL);
    int64_t a[3], b[3], failures = 0;

    (void)state;
    assert_true(area == 12);
    for (int s = 0; s < 50; s++) {
        assert_int_equal(cs_sched_scenarios_get(one, s, a, NULL), 0);
        assert_int_equal(cs_sched_scenarios_get(two, s, b, NULL), 0);
        assert_memory_equal(a, b, sizeof a);
        failures += a[0] + a[1] + a[2];
    }
    assert_true(failures > 50 && failures < 400);
    cs_sched_scenarios_destroy(one);
    cs_sched_scenarios_destroy(two);
}

static void policies_and_priorities_have_names(void **state)
{
    struct cs_policy_call call;
    struct cs_error err = {0};
    int count, priorities;
    const struct cs_sched_priority *p = cs_sched_priorities(&priorities);
    const struct cs_policy *const *list = cs_sched_policies(&count);

    (void)state;
    for (int i = 0; i < count; i++)
        assert_ptr_equal(cs_sched_policy_parse(list[i]->name, &call, NULL), cs_sched_policy_at(i));
    for (int k = 0; k < priorities; k++) {
        assert_ptr_equal(cs_sched_priority_find(p[k].name, NULL), &p[k]);
        assert_true(strlen(p[k].summary) > 10);
    }
    assert_true(priorities >= 11);
    assert_null(cs_sched_policy_parse("hard", &call, &err));
    assert_non_null(strstr(err.text, "hard"));
}

static void no_job_is_done_at_once(void **state)
{
    const struct cs_sched_jobs empty = {0, 4, 0, NULL, NULL};
    struct cs_sched_scenarios *scenarios =
        cs_sched_scenarios_create(&empty, (struct cs_sched_law){.mean = 0.3}, 1, 0, 2, NULL);
    struct cs_policy_call call;
    struct cs_rigid_study study = study_of(scenarios, "easy", "lert-learnt", &call);
    struct cs_rigid_outcome outcome[2];

    (void)state;
    study.jobs = &empty;
    assert_int_equal(cs_rigid_study_run(&study, outcome, NULL), 0);
    assert_true(outcome[1].makespan == 0 && outcome[1].ratio == 1 && outcome[1].bound == 0);
    cs_sched_scenarios_destroy(scenarios);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_study_by_hand),
        cmocka_unit_test(a_scenario_as_a_schedule),
        cmocka_unit_test(what_is_no_scenario_is_refused_in_words),
        cmocka_unit_test(supplied_numbers_are_looked_at),
        cmocka_unit_test(drawn_numbers_depend_on_the_seed_alone),
        cmocka_unit_test(policies_and_priorities_have_names),
        cmocka_unit_test(no_job_is_done_at_once),
    };

    return cmocka_run_group_tests_name("rigid", tests, NULL, NULL);
}
