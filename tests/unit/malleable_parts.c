/* malleable_parts: rules, failures, workloads and the portfolio of the malleable problem. */
#include "base/stats.h"
#include "model/workload.h"
#include "problems/malleable/malleable.h"
#include "problems/malleable/trace.h"
#include "unit/kit.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const struct cs_malleable_task plain = {
    .name = "a", .seconds = 1000, .checkpoint = 8, .data = 100};
static const struct cs_malleable_platform machine = {.procs = 8, .mtbf = 10000, .downtime = 10};

static void assert_near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-12 * fabs(want)))
        fail_msg("%.17g is not %.17g", got, want);
}

/* ---- rules ---- */

static void policies_stand_where_the_header_says(void **state)
{
    const char *ends[] = {"none", "local", "greedy", "program"};
    const char *failures[] = {"none", "shortest-tasks-first", "shortest-tasks-first-printed",
                              "iterated-greedy", "program"};
    const struct {
        const char *alias;
        int index;
    } alias[] = {{"stf", CS_MALLEABLE_FAILURE_SHORTEST},
                 {"stf-printed", CS_MALLEABLE_FAILURE_SHORTEST_PRINTED},
                 {"ig", CS_MALLEABLE_FAILURE_GREEDY}};
    const struct cs_policy *const *list;
    int count;

    (void)state;
    list = cs_malleable_end_policies(&count);
    assert_int_equal(count, CS_MALLEABLE_END_PROGRAM + 1);
    for (int i = 0; i < count; i++)
        assert_string_equal(list[i]->name, ends[i]);
    list = cs_malleable_failure_policies(&count);
    assert_int_equal(count, CS_MALLEABLE_FAILURE_PROGRAM + 1);
    for (int i = 0; i < count; i++)
        assert_string_equal(list[i]->name, failures[i]);
    for (int i = 0; i < COUNT(alias); i++) {
        struct cs_policy_call call;

        assert_int_equal(cs_policy_parse(alias[i].alias, list, count, &call, NULL), 0);
        assert_int_equal(call.policy, alias[i].index);
    }
}

static void rules_out_of_range_are_refused(void **state)
{
    struct cs_malleable_rules bad[8];
    const char *text[] = {
        "there is no policy 4 for ends, only 0 to 3",
        "there is no policy -1 for failures, only 0 to 4",
        "there is no layout 3, only young, tail and pattern",
        "the period factor is 0, it must be a positive number",
        "the period factor is inf, it must be a positive number",
        "kappa is -1, it must be a positive number",
        "the hysteresis is 1, it must be at least 0 and below 1",
        "the hysteresis is nan, it must be at least 0 and below 1",
    };

    (void)state;
    for (int i = 0; i < 8; i++)
        bad[i] = cs_malleable_rules_recommended();
    assert_int_equal(cs_malleable_rules_check(&bad[0], NULL), 0);
    bad[0].on_end = 4;
    bad[1].on_failure = -1;
    bad[2].layout = (enum cs_malleable_layout)3;
    bad[3].period_factor = 0;
    bad[4].period_factor = INFINITY;
    bad[5].kappa = -1;
    bad[6].hysteresis = 1;
    bad[7].hysteresis = NAN;
    for (int i = 0; i < 8; i++) {
        struct cs_error err = {0};

        assert_int_equal(cs_malleable_rules_check(&bad[i], &err), -1);
        assert_string_equal(err.text, text[i]);
    }
}

static void the_recommended_rules_are_those_of_the_specification(void **state)
{
    const struct cs_malleable_rules r = cs_malleable_rules_recommended();
    const struct cs_malleable_rules p = cs_malleable_rules_paper();

    (void)state;
    assert_true(r.on_end == CS_MALLEABLE_END_LOCAL &&
                r.on_failure == CS_MALLEABLE_FAILURE_SHORTEST);
    assert_true(r.period_factor == 0.5 && r.hysteresis == 0.02 && r.minimal_disruption && r.wake);
    assert_true(p.on_end == CS_MALLEABLE_END_NONE && p.on_failure == CS_MALLEABLE_FAILURE_NONE);
    assert_true(p.period_factor == 1 && p.hysteresis == 0 && !p.minimal_disruption && !p.wake);
}

/* ---- failures ---- */

static void a_list_of_failures_is_sorted_and_can_be_played_again(void **state)
{
    const struct cs_fault list[] = {{5, 1}, {2, 7}, {5, 0}, {1, 3}};
    const int order[] = {3, 1, 0, 2};
    struct cs_malleable_trace *trace = cs_malleable_trace_list(4, list, NULL);
    struct cs_fault fault;

    (void)state;
    for (int round = 0; round < 2; round++) {
        for (int f = 0; f < 4; f++) {
            assert_true(cs_malleable_trace_next(trace, &fault));
            assert_true(fault.time == list[order[f]].time);
            assert_int_equal(fault.processor, list[order[f]].processor);
        }
        assert_false(cs_malleable_trace_next(trace, &fault));
        cs_malleable_trace_begin(trace, 9);
    }
    cs_malleable_trace_destroy(trace);
}

static void a_wrong_failure_is_refused(void **state)
{
    const struct cs_fault late = {INFINITY, 0}, early = {-1, 0}, nobody = {1, -1};
    struct cs_error err[3] = {0};

    (void)state;
    assert_null(cs_malleable_trace_list(1, &late, &err[0]));
    assert_string_equal(err[0].text, "failure 0: the time is inf, it must be a number from 0 on");
    assert_null(cs_malleable_trace_list(1, &early, &err[1]));
    assert_string_equal(err[1].text, "failure 0: the time is -1, it must be a number from 0 on");
    assert_null(cs_malleable_trace_list(1, &nobody, &err[2]));
    assert_string_equal(err[2].text, "failure 0: the processor is -1, it must be at least 0");
}

static const struct cs_malleable_failures laws[] = {
    {.procs = 7, .mtbf = 1000, .law = CS_MALLEABLE_EXPONENTIAL, .seed = 3},
    {.procs = 7, .mtbf = 1000, .law = CS_MALLEABLE_WEIBULL, .shape = 0.7, .seed = 3},
    {.procs = 7, .mtbf = 1000, .law = CS_MALLEABLE_LOGNORMAL, .shape = 0.9, .seed = 3},
};

static void a_scenario_is_the_same_however_much_of_another_was_used(void **state)
{
    (void)state;
    for (int l = 0; l < COUNT(laws); l++) {
        struct cs_malleable_trace *a = cs_malleable_trace_draw(&laws[l], NULL);
        struct cs_malleable_trace *b = cs_malleable_trace_draw(&laws[l], NULL);
        struct cs_fault x, y;
        double before = 0;
        int differ = 0;

        for (int f = 0; f < 100; f++)
            cs_malleable_trace_next(a, &x);
        cs_malleable_trace_begin(a, 4);
        cs_malleable_trace_begin(b, 4);
        for (int f = 0; f < 1000; f++) {
            assert_true(cs_malleable_trace_next(a, &x) && cs_malleable_trace_next(b, &y));
            assert_true(x.time == y.time && x.processor == y.processor && x.time >= before);
            assert_in_range(x.processor, 0, 6);
            before = x.time;
        }
        cs_malleable_trace_begin(b, 5);
        cs_malleable_trace_begin(a, 4);
        for (int f = 0; f < 10; f++) {
            cs_malleable_trace_next(a, &x);
            cs_malleable_trace_next(b, &y);
            differ += x.time != y.time;
        }
        assert_int_equal(differ, 10);
        cs_malleable_trace_destroy(a);
        cs_malleable_trace_destroy(b);
    }
}

/* Of each processor, the mean of the times between failures within four standard errors. */
static void every_law_has_the_mean_that_is_asked_for(void **state)
{
    (void)state;
    for (int l = 0; l < COUNT(laws); l++) {
        struct cs_malleable_trace *trace = cs_malleable_trace_draw(&laws[l], NULL);
        double before[7] = {0};
        struct cs_stats stats = {0};
        struct cs_fault fault;

        for (int f = 0; f < 70000; f++) {
            cs_malleable_trace_next(trace, &fault);
            cs_stats_add(&stats, fault.time - before[fault.processor]);
            before[fault.processor] = fault.time;
        }
        assert_true(fabs(stats.mean - 1000) < 4 * cs_stats_deviation(&stats) / sqrt(70000));
        cs_malleable_trace_destroy(trace);
    }
}

static void a_wrong_law_is_refused_and_no_failures_are_none(void **state)
{
    struct cs_malleable_failures law = laws[1];
    struct cs_fault fault;
    struct cs_malleable_trace *trace;
    struct cs_error err[5] = {0};

    (void)state;
    law.shape = 0;
    assert_null(cs_malleable_trace_draw(&law, &err[0]));
    assert_string_equal(err[0].text,
                        "the shape of the weibull law is 0, it must be a positive number");
    law.shape = 1e-3;
    assert_null(cs_malleable_trace_draw(&law, &err[1]));
    assert_string_equal(err[1].text,
                        "the shape of the weibull law is 0.001, too small to have a mean");
    law = laws[0];
    law.mtbf = -5;
    assert_null(cs_malleable_trace_draw(&law, &err[2]));
    assert_string_equal(err[2].text, "the mean time between failures of a processor is -5 s, it "
                                     "must be positive (inf: none fails)");
    law.procs = 0;
    assert_null(cs_malleable_trace_draw(&law, &err[3]));
    assert_string_equal(err[3].text, "0 processors cannot fail, at least 1 is needed");
    law = laws[0];
    law.law = (enum cs_malleable_law)3;
    assert_null(cs_malleable_trace_draw(&law, &err[4]));
    assert_string_equal(err[4].text, "there is no law 3 of failures");
    law = laws[0];
    law.mtbf = INFINITY;
    trace = cs_malleable_trace_draw(&law, NULL);
    assert_false(cs_malleable_trace_next(trace, &fault));
    cs_malleable_trace_destroy(trace);
}

/* ---- workloads ---- */

static void a_workload_becomes_an_instance(void **state)
{
    const double seconds[] = {100, 60, 50, 45, 40, 38, 36, 35}, checkpoint[] = {5, NAN, 6};
    const struct cs_profile profile[3] = {
        {.kind = CS_PROFILE_COMMUNICATION, .seq_time = 100, .seq_fraction = 0.5, .overhead = 20},
        {.kind = CS_PROFILE_AMDAHL, .seq_time = 100, .seq_fraction = 0.5},
        {.kind = CS_PROFILE_TABLE, .count = 8, .seconds = seconds}};
    struct cs_workload *workload = cs_workload_create(3, NULL, profile, NULL);
    struct cs_malleable_platform free = machine;
    struct cs_malleable_instance *in;
    struct cs_error err[2] = {0};

    (void)state;
    free.fault_free = true;
    cs_workload_set_state(workload, checkpoint, NULL);
    in = cs_malleable_instance_from_workload(workload, 7, 9, &machine, NULL);
    assert_non_null(in);
    assert_near(cs_malleable_time(in, 0, 2), 50 + 25 + 10);
    assert_near(cs_malleable_time(in, 1, 2), 50 + 25);
    assert_near(cs_malleable_time(in, 2, 2), 60);
    assert_true(cs_malleable_instance_task(in, 0)->checkpoint == 5);
    assert_true(cs_malleable_instance_task(in, 1)->checkpoint == 7);
    assert_true(cs_malleable_instance_task(in, 2)->data == 9);
    cs_malleable_instance_destroy(in);
    assert_null(cs_malleable_instance_from_workload(workload, NAN, 9, &machine, &err[0]));
    assert_string_equal(err[0].text, "task 1 (task1): its checkpoint cost is missing: give "
                                     "checkpoint, in seconds on one processor, for all tasks or in "
                                     "the table");
    in = cs_malleable_instance_from_workload(workload, NAN, 9, &free, NULL);
    assert_non_null(in);
    cs_malleable_instance_destroy(in);
    assert_null(cs_malleable_instance_from_workload(workload, 7, NAN, &machine, &err[1]));
    assert_string_equal(err[1].text, "task 0 (task0): its data size is missing: give data, in "
                                     "seconds that one processor needs to send it, for "
                                     "all tasks or in the table");
    cs_workload_destroy(workload);
}

static void the_papers_tasks_follow_equation_10(void **state)
{
    struct cs_malleable_generator generator = cs_malleable_generator_paper();
    struct cs_workload *some = cs_malleable_generate(&generator, NULL), *more, *other;

    (void)state;
    assert_int_equal(some->count, 100);
    for (int i = 0; i < 100; i++) {
        const double m = some->data[i];

        assert_true(m >= 1.5e6 && m < 2.5e6 && some->checkpoint[i] == m);
        assert_near(some->profile[i].seq_time, 2 * m * log2(m));
        assert_near(some->profile[i].overhead, m * log2(m));
        assert_true(some->profile[i].seq_fraction == 0.08);
    }
    generator.tasks = 101;
    more = cs_malleable_generate(&generator, NULL);
    assert_memory_equal(some->data, more->data, 100 * sizeof *some->data);
    generator.set = 1;
    other = cs_malleable_generate(&generator, NULL);
    assert_true(other->data[0] != some->data[0]);
    cs_workload_destroy(some);
    cs_workload_destroy(more);
    cs_workload_destroy(other);
}

static void a_wrong_generator_is_refused(void **state)
{
    struct cs_malleable_generator bad[5];
    const char *text[] = {
        "0 tasks are wanted, it must be 1 to 10000000",
        "the smallest size is 1, it must be a number above 1",
        "the largest size is 2, it must be a number from 1.5e+06 on",
        "the sequential fraction is -0.1, it must be between 0 and 1",
        "the checkpoint factor is inf, it must be a number from 0 on",
    };

    (void)state;
    for (int i = 0; i < 5; i++)
        bad[i] = cs_malleable_generator_paper();
    bad[0].tasks = 0;
    bad[1].size_low = 1;
    bad[2].size_high = 2;
    bad[3].sequential_fraction = -0.1;
    bad[4].checkpoint_factor = INFINITY;
    for (int i = 0; i < 5; i++) {
        struct cs_error err = {0};

        assert_null(cs_malleable_generate(&bad[i], &err));
        assert_string_equal(err.text, text[i]);
    }
}

/* ---- choosing ---- */

/* The mean over the scenarios of the purpose of tuning. */
static double mean_of(const struct cs_malleable_instance *in,
                      const struct cs_malleable_rules *rules,
                      const struct cs_malleable_failures *law, int scenarios)
{
    struct cs_malleable_simulation *simulation = cs_malleable_simulation_create(in, rules, NULL);
    struct cs_malleable_trace *trace =
        cs_malleable_trace_draw_for(law, CS_MALLEABLE_PURPOSE_TUNING, NULL);
    struct cs_malleable_outcome outcome;
    struct cs_stats stats = {0};

    for (int s = 0; s < scenarios; s++) {
        cs_malleable_trace_begin(trace, (uint64_t)s);
        cs_malleable_simulation_run(simulation, trace, NULL, &outcome);
        cs_stats_add(&stats, outcome.makespan);
    }
    cs_malleable_trace_destroy(trace);
    cs_malleable_simulation_destroy(simulation);
    return cs_stats_mean(&stats);
}

static void the_portfolio_is_the_same_with_any_number_of_threads(void **state)
{
    struct cs_malleable_candidate one[CS_MALLEABLE_CANDIDATES], two[CS_MALLEABLE_CANDIDATES];
    const struct cs_malleable_task task[3] = {plain, plain, plain};
    const struct cs_malleable_failures law = {.procs = 8, .mtbf = 3000, .seed = 1};
    const struct cs_malleable_rules base = cs_malleable_rules_recommended();
    struct cs_malleable_platform platform = machine;
    struct cs_malleable_instance *in;
    struct cs_error err = {0};
    int best;

    (void)state;
    platform.mtbf = 3000;
    in = cs_malleable_instance_create(3, task, &platform, NULL);
    best = cs_malleable_tune(in, &base, &law, 6, 1, one, NULL);
    assert_int_equal(cs_malleable_tune(in, &base, &law, 6, 2, two, NULL), best);
    for (int c = 0; c < CS_MALLEABLE_CANDIDATES; c++) {
        assert_true(one[c].makespan == two[c].makespan && one[c].error == two[c].error);
        assert_true(one[c].makespan >= one[best].makespan);
        assert_true(one[c].rules.wake && one[c].rules.hysteresis == 0.02);
    }
    assert_true(one[29].makespan == mean_of(in, &one[29].rules, &law, 6));
    assert_int_equal(one[0].rules.on_failure, CS_MALLEABLE_FAILURE_GREEDY);
    assert_true(one[0].rules.period_factor == 1 && one[29].rules.period_factor == 0.15);
    assert_int_equal(one[29].rules.on_end, CS_MALLEABLE_END_NONE);
    assert_int_equal(cs_malleable_tune(in, &base, &law, 0, 1, one, &err), -1);
    assert_string_equal(err.text, "0 scenarios to choose by, there must be between 1 and 1000000");
    assert_int_equal(cs_malleable_tune(in, &base, &law, INT_MAX, 1, one, &err), -1);
    cs_malleable_instance_destroy(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_stand_where_the_header_says),
        cmocka_unit_test(rules_out_of_range_are_refused),
        cmocka_unit_test(the_recommended_rules_are_those_of_the_specification),
        cmocka_unit_test(a_list_of_failures_is_sorted_and_can_be_played_again),
        cmocka_unit_test(a_wrong_failure_is_refused),
        cmocka_unit_test(a_scenario_is_the_same_however_much_of_another_was_used),
        cmocka_unit_test(every_law_has_the_mean_that_is_asked_for),
        cmocka_unit_test(a_wrong_law_is_refused_and_no_failures_are_none),
        cmocka_unit_test(a_workload_becomes_an_instance),
        cmocka_unit_test(the_papers_tasks_follow_equation_10),
        cmocka_unit_test(a_wrong_generator_is_refused),
        cmocka_unit_test(the_portfolio_is_the_same_with_any_number_of_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
