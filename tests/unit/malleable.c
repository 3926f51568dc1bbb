/* malleable: formulas worked out by hand, inputs that are refused, bounds, failures, recipes. */
#include "base/stats.h"
#include "model/workload.h"
#include "unit/kit.h"

#include <cosched/malleable.h>
#include <math.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static const struct cs_malleable_task plain = {
    .name = "a", .seconds = 1000, .checkpoint = 8, .data = 100};
static const struct cs_malleable_platform machine = {.procs = 8, .mtbf = 10000, .downtime = 10};

static struct cs_malleable_instance *create(const struct cs_malleable_task *task, int count,
                                            const struct cs_malleable_platform *platform)
{
    struct cs_error err = {0};
    struct cs_malleable_instance *in = cs_malleable_instance_create(count, task, platform, &err);

    if (!in)
        fail_msg("%s", err.text);
    return in;
}

static void assert_near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-12 * fabs(want)))
        fail_msg("%.17g is not %.17g", got, want);
}

/* On 2 processors: 500 s of work in pieces of sqrt(2 * 5000 * 4) = 200 s, checkpoints of 4 s. */
static void a_task_is_cut_into_periods_and_a_rest(void **state)
{
    struct cs_malleable_instance *in = create(&plain, 1, &machine);
    struct cs_malleable_rules rules = cs_malleable_rules_paper();
    struct cs_malleable_pieces p = cs_malleable_pieces_of(in, &rules, 0, 2, 1);

    (void)state;
    assert_near(p.work, 200);
    assert_true(p.pieces == 2);
    assert_near(p.last, 100);
    assert_near(cs_malleable_checkpoint_time(in, 0, 2), 4);
    assert_near(cs_malleable_expected_time(in, &rules, 0, 2, 1),
                exp(0.0008) * (5000 + 10) * (2 * expm1(0.0408) + expm1(0.02)));
    p = cs_malleable_pieces_of(in, &rules, 0, 2, 0.8);
    assert_true(p.pieces == 2 && p.last == 0);
    assert_near(cs_malleable_expected_time(in, &rules, 0, 2, 0.8),
                exp(0.0008) * (5000 + 10) * 2 * expm1(0.0408));
    assert_true(cs_malleable_expected_time(in, &rules, 0, 2, 0) == 0);
    rules.period_factor = 0.5;
    p = cs_malleable_pieces_of(in, &rules, 0, 2, 1);
    assert_near(p.work, 100);
    assert_true(p.pieces == 5 && p.last == 0);
    cs_malleable_instance_destroy(in);
}

/* 500 s and checkpoints of 4 s.  kappa = 1: 11 pieces cost 40 + 540 / 11 = 89.1, 12 cost 89.3.
 * kappa = 1/2: 7 cost 24 + 524 / 14 = 61.4, 8 cost 28 + 33 = 61. */
static void the_tail_layout_has_equal_pieces_of_least_cost(void **state)
{
    struct cs_malleable_instance *in = create(&plain, 1, &machine);
    struct cs_malleable_rules rules = cs_malleable_rules_paper();
    struct cs_malleable_pieces p;

    (void)state;
    rules.layout = CS_MALLEABLE_TAIL;
    p = cs_malleable_pieces_of(in, &rules, 0, 2, 1);
    assert_true(p.pieces == 10);
    assert_near(p.work, 500 / 11.);
    assert_near(p.last, 500 / 11.);
    assert_near(cs_malleable_expected_time(in, &rules, 0, 2, 1),
                exp(0.0008) * 5010 *
                    (10 * expm1(2e-4 * (500 / 11. + 4)) + expm1(2e-4 * 500 / 11.)));
    rules.kappa = 0.5;
    assert_true(cs_malleable_pieces_of(in, &rules, 0, 2, 1).pieces == 7);
    p = cs_malleable_pieces_of(in, &rules, 0, 2, 0.008);
    assert_true(p.pieces == 0 && p.last == 4);
    cs_malleable_instance_destroy(in);
}

static void expected_times_keep_their_digits_and_never_are_nan(void **state)
{
    struct cs_malleable_platform rare = {.procs = 8, .mtbf = 1e18, .downtime = 10};
    struct cs_malleable_platform often = {.procs = 8, .mtbf = 1e-3, .downtime = 10};
    struct cs_malleable_platform largest = {.procs = 8, .mtbf = 1.7e308};
    struct cs_malleable_rules rules = cs_malleable_rules_paper();
    struct cs_malleable_instance *in = create(&plain, 1, &rare);

    (void)state;
    assert_near(cs_malleable_expected_time(in, &rules, 0, 2, 1), 500);
    cs_malleable_instance_destroy(in);
    in = create(&plain, 1, &often);
    assert_true(cs_malleable_expected_time(in, &rules, 0, 2, 1) == INFINITY);
    assert_true(cs_malleable_expected_least(in, &rules, 0, 8, 1) == INFINITY);
    cs_malleable_instance_destroy(in);
    in = create(&plain, 1, &largest);
    assert_near(cs_malleable_expected_time(in, &rules, 0, 4, 1), 250);
    cs_malleable_instance_destroy(in);
}

static void without_failures_the_expected_time_is_the_work(void **state)
{
    struct cs_malleable_task task = plain;
    struct cs_malleable_platform never = machine, free = machine;
    struct cs_malleable_rules rules = cs_malleable_rules_paper();
    struct cs_malleable_instance *in;

    (void)state;
    never.mtbf = INFINITY;
    free.fault_free = true;
    task.sequential_fraction = 0.1;
    task.overhead = 40;
    task.checkpoint = 0;
    for (int way = 0; way < 2; way++) {
        in = create(&task, 1, way ? &never : &free);
        assert_near(cs_malleable_time(in, 0, 4), 100 + 900 / 4. + 10);
        assert_near(cs_malleable_expected_time(in, &rules, 0, 4, 0.5), 335 / 2.);
        assert_true(cs_malleable_checkpoint_time(in, 0, 4) == 0);
        assert_true(cs_malleable_pieces_of(in, &rules, 0, 4, 1).pieces == 0);
        cs_malleable_instance_destroy(in);
    }
}

/* Equation (9), and nothing when nothing changes (the printed formula gives m / j). */
static void a_move_costs_what_each_processor_sends(void **state)
{
    const struct {
        int from, to;
        double seconds;
    } move[] = {{4, 6, 100 / 6.}, {4, 4, 0},    {2, 8, 37.5},
                {8, 2, 37.5},     {4, 8, 12.5}, {8, 4, 12.5}};
    struct cs_malleable_instance *in = create(&plain, 1, &machine);

    (void)state;
    for (int i = 0; i < COUNT(move); i++)
        assert_near(cs_malleable_move_time(in, 0, move[i].from, move[i].to), move[i].seconds);
    cs_malleable_instance_destroy(in);
}

/* The raw expected time jumps up where one more checkpoint fits; Equation (6) does not. */
static void the_least_expected_time_never_rises(void **state)
{
    const struct cs_malleable_task task = {
        .name = "a", .seconds = 1000, .sequential_fraction = 0.3, .checkpoint = 8, .data = 1};
    struct cs_malleable_platform wide = {.procs = 400, .mtbf = 10000, .downtime = 100};
    struct cs_malleable_rules rules = cs_malleable_rules_paper();
    struct cs_malleable_instance *in = create(&task, 1, &wide);
    double before = INFINITY, raw = INFINITY;
    int jumps = 0;

    (void)state;
    for (int j = 2; j <= 400; j += 2) {
        const double now = cs_malleable_expected_time(in, &rules, 0, j, 1);
        const double least = cs_malleable_expected_least(in, &rules, 0, j, 1);

        assert_true(least <= before && least <= now);
        jumps += now > raw;
        before = least;
        raw = now;
    }
    assert_true(jumps > 10);
    cs_malleable_instance_destroy(in);
}

static void a_wrong_number_is_refused_with_the_task_and_the_field(void **state)
{
    struct {
        struct cs_malleable_task task;
        const char *text;
    } bad[] = {
        {{.seconds = 0, .checkpoint = 1},
         "task 1 (b): the sequential time is 0, it must be a positive number of seconds"},
        {{.seconds = NAN, .checkpoint = 1},
         "task 1 (b): the sequential time is nan, it must be a positive number of seconds"},
        {{.seconds = INFINITY, .checkpoint = 1},
         "task 1 (b): the sequential time is inf, it must be a positive number of seconds"},
        {{.seconds = 1, .sequential_fraction = 1.5, .checkpoint = 1},
         "task 1 (b): the sequential fraction is 1.5, it must be between 0 and 1"},
        {{.seconds = 1, .sequential_fraction = -NAN, .checkpoint = 1},
         "task 1 (b): the sequential fraction is nan, it must be between 0 and 1"},
        {{.seconds = 1, .overhead = -1, .checkpoint = 1},
         "task 1 (b): the overhead is -1, it must be a number of seconds from 0 on"},
        {{.seconds = 1, .checkpoint = 0},
         "task 1 (b): the checkpoint cost is 0, it must be a positive number of seconds when "
         "processors fail"},
        {{.seconds = 1, .checkpoint = 1, .data = -2},
         "task 1 (b): the data volume is -2, it must be a number of seconds from 0 on"},
    };

    (void)state;
    for (int i = 0; i < COUNT(bad); i++) {
        struct cs_malleable_task task[2] = {plain, bad[i].task};
        struct cs_error err = {0};

        task[1].name = "b";
        assert_null(cs_malleable_instance_create(2, task, &machine, &err));
        assert_string_equal(err.text, bad[i].text);
    }
}

static void a_wrong_machine_is_refused(void **state)
{
    const struct {
        int tasks;
        struct cs_malleable_platform platform;
        const char *text;
    } bad[] = {
        {0, {.procs = 4, .mtbf = 1}, "there is no task, at least one is needed"},
        {2,
         {.procs = 3, .mtbf = 1},
         "2 tasks need at least 4 processors, two for each, but the platform has 3"},
        {1,
         {.procs = -4, .mtbf = 1},
         "1 task needs at least 2 processors, two for each, but the platform has -4"},
        {2,
         {.procs = 4, .mtbf = 0},
         "the mean time between failures of a processor is 0 s, it must be positive (inf: none "
         "fails)"},
        {2,
         {.procs = 4, .mtbf = NAN},
         "the mean time between failures of a processor is nan s, it must be positive (inf: none "
         "fails)"},
        {2,
         {.procs = 4, .mtbf = 1, .downtime = -1},
         "the downtime is -1 s, it must be a number from 0 on"},
        {2,
         {.procs = 4, .mtbf = 1, .downtime = INFINITY},
         "the downtime is inf s, it must be a number from 0 on"},
    };
    const struct cs_malleable_task task[2] = {plain, plain};

    (void)state;
    for (int i = 0; i < COUNT(bad); i++) {
        struct cs_error err = {0};

        assert_null(cs_malleable_instance_create(bad[i].tasks, task, &bad[i].platform, &err));
        assert_string_equal(err.text, bad[i].text);
    }
}

static void sums_that_no_number_holds_are_refused(void **state)
{
    const struct cs_malleable_task task = {.name = "a", .seconds = 1.5e308, .checkpoint = 1};
    struct cs_error err = {0};

    (void)state;
    assert_null(cs_malleable_instance_create(1, &task, &machine, &err));
    assert_string_equal(err.text, "task 0 (a): times up to this task add up to more than a number "
                                  "can hold (1.8e308): are they in seconds?");
}

static void long_checkpoints_are_warned_of(void **state)
{
    struct cs_malleable_task task[3] = {plain, plain, plain};
    struct cs_malleable_platform platform = machine;
    struct cs_malleable_instance *in = create(task, 3, &platform);

    (void)state;
    assert_null(cs_malleable_instance_warning(in));
    cs_malleable_instance_destroy(in);
    task[1].checkpoint = task[2].checkpoint = 1001;
    in = create(task, 3, &platform);
    assert_string_equal(cs_malleable_instance_warning(in),
                        "task 1 (a): the checkpoint cost is 1001 s, more than a tenth of the 10000 "
                        "s between failures of a processor, for which the period of checkpoints is "
                        "not meant (and so for 1 other task)");
    cs_malleable_instance_destroy(in);
    platform.fault_free = true;
    in = create(task, 3, &platform);
    assert_null(cs_malleable_instance_warning(in));
    cs_malleable_instance_destroy(in);
}

/* ---- measured times ---- */

static void measured_times_are_repaired_and_used(void **state)
{
    const double seconds[] = {100, 60, 70, 20, 20, 18, 17, 16};
    const struct cs_profile profile = {.kind = CS_PROFILE_TABLE, .count = 8, .seconds = seconds};
    const struct cs_malleable_task task = {.name = "a", .checkpoint = 1, .profile = &profile};
    struct cs_malleable_instance *in = create(&task, 1, &machine);
    double largest;

    (void)state;
    assert_true(cs_malleable_time(in, 0, 2) == 60);
    assert_true(cs_malleable_time(in, 0, 4) == 45); /* work 180 of 3 processors */
    assert_int_equal(cs_malleable_instance_repair(in, 0, &largest), 6);
    assert_true(largest == 1.25);
    assert_null(cs_malleable_instance_task(in, 0)->profile);
    cs_malleable_instance_destroy(in);
}

static void a_task_that_needs_more_processors_starts_with_them(void **state)
{
    const double seconds[] = {INFINITY, INFINITY, 100, 80, 70, 60, 55, 50};
    const struct cs_profile profile = {.kind = CS_PROFILE_TABLE, .count = 8, .seconds = seconds};
    const struct cs_malleable_task task[2] = {
        {.name = "small", .seconds = 10, .checkpoint = 1, .data = 1},
        {.name = "large", .checkpoint = 1, .data = 1, .profile = &profile}};
    struct cs_malleable_rules rules = cs_malleable_rules_paper();
    struct cs_malleable_platform platform = machine;
    struct cs_malleable_instance *in = create(task, 2, &platform);
    struct cs_error err = {0};
    int procs[2];

    (void)state;
    assert_int_equal(cs_malleable_initial(in, &rules, procs, NULL), 0);
    assert_int_equal(procs[0], 2);
    assert_int_equal(procs[1], 6);
    assert_true(cs_malleable_expected_time(in, &rules, 1, 2, 1) == INFINITY);
    cs_malleable_instance_destroy(in);
    platform.procs = 5;
    assert_null(cs_malleable_instance_create(2, task, &platform, &err));
    assert_string_equal(err.text,
                        "the tasks together need 6 processors, in pairs the platform has 4");
}

static void a_table_that_is_too_short_is_refused_under_its_own_number(void **state)
{
    const double seconds[] = {3, 2};
    const struct cs_profile profile = {.kind = CS_PROFILE_TABLE, .count = 2, .seconds = seconds};
    const struct cs_malleable_task task[2] = {
        plain, {.name = "short", .checkpoint = 1, .data = 1, .profile = &profile}};
    struct cs_error err = {0};

    (void)state;
    assert_null(cs_malleable_instance_create(2, task, &machine, &err));
    assert_string_equal(err.text,
                        "task 1 (short): the table of times ends at 2 processors, 8 are needed");
}

/* ---- the bound ---- */

static void the_fluid_bound_shares_the_machine(void **state)
{
    const struct cs_malleable_task two[2] = {{.name = "a", .seconds = 1000, .checkpoint = 1},
                                             {.name = "b", .seconds = 3000, .checkpoint = 1}};
    const struct cs_malleable_task serial = {
        .name = "s", .seconds = 100, .sequential_fraction = 1, .checkpoint = 1};
    struct cs_malleable_platform platform = {.procs = 20, .mtbf = 1e6};
    struct cs_malleable_instance *in = create(two, 2, &platform);

    (void)state;
    assert_near(cs_malleable_lower_bound(in), 200);
    cs_malleable_instance_destroy(in);
    in = create(&serial, 1, &platform);
    assert_near(cs_malleable_lower_bound(in), 100);
    cs_malleable_instance_destroy(in);
}

/* Speeds 1/100 on 2 processors, 1/100 on 4, 6/400 on 6: the hull goes from 2 to 6 directly, and
 * gives 1/80 on 4. */
static void the_bound_of_measured_times_is_that_of_the_hull_of_speeds(void **state)
{
    const double seconds[] = {200, 100, 100, 100, 80, 400 / 6., 60, 60};
    const struct cs_profile profile = {.kind = CS_PROFILE_TABLE, .count = 8, .seconds = seconds};
    const struct cs_malleable_task task[2] = {{.name = "a", .checkpoint = 1, .profile = &profile},
                                              {.name = "b", .checkpoint = 1, .profile = &profile}};
    struct cs_malleable_instance *in = create(task, 2, &machine);

    (void)state;
    assert_near(cs_malleable_lower_bound(in), 80);
    cs_malleable_instance_destroy(in);
}

/* ---- rules ---- */

static void policies_stand_where_the_header_says(void **state)
{
    const char *ends[] = {"none", "local", "greedy"};
    const char *failures[] = {"none", "shortest-tasks-first", "shortest-tasks-first-printed",
                              "iterated-greedy"};
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
    assert_int_equal(count, CS_MALLEABLE_END_GREEDY + 1);
    for (int i = 0; i < count; i++)
        assert_string_equal(list[i]->name, ends[i]);
    list = cs_malleable_failure_policies(&count);
    assert_int_equal(count, CS_MALLEABLE_FAILURE_GREEDY + 1);
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
        "there is no policy 3 for ends, only 0 to 2",
        "there is no policy -1 for failures, only 0 to 3",
        "there is no layout 2, only young and tail",
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
    bad[0].on_end = 3;
    bad[1].on_failure = -1;
    bad[2].layout = (enum cs_malleable_layout)2;
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
    const struct cs_malleable_fault list[] = {{5, 1}, {2, 7}, {5, 0}, {1, 3}};
    const int order[] = {3, 1, 0, 2};
    struct cs_malleable_trace *trace = cs_malleable_trace_list(4, list, NULL);
    struct cs_malleable_fault fault;

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
    const struct cs_malleable_fault late = {INFINITY, 0}, early = {-1, 0}, nobody = {1, -1};
    struct cs_error err[3] = {{{0}}};

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
        struct cs_malleable_fault x, y;
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
        struct cs_malleable_fault fault;

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
    struct cs_malleable_fault fault;
    struct cs_malleable_trace *trace;
    struct cs_error err[5] = {{{0}}};

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
    struct cs_workload *workload = cs_workload_create(3, NULL, profile);
    struct cs_malleable_platform free = machine;
    struct cs_malleable_instance *in;
    struct cs_error err[2] = {{{0}}};

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
    assert_string_equal(err[0].text, "task 1 (task1): nobody says what its checkpoints cost "
                                     "(checkpoint, in seconds on one processor)");
    in = cs_malleable_instance_from_workload(workload, NAN, 9, &free, NULL);
    assert_non_null(in);
    cs_malleable_instance_destroy(in);
    assert_null(cs_malleable_instance_from_workload(workload, 7, NAN, &machine, &err[1]));
    assert_string_equal(err[1].text, "task 0 (task0): nobody says how much data moves with it "
                                     "(data, in seconds that one processor needs to send it)");
    cs_workload_destroy(workload);
}

static void the_papers_tasks_follow_equation_10(void **state)
{
    struct cs_malleable_recipe recipe = cs_malleable_recipe_paper();
    struct cs_workload *some = cs_malleable_generate(&recipe, NULL), *more, *other;

    (void)state;
    assert_int_equal(some->count, 100);
    for (int i = 0; i < 100; i++) {
        const double m = some->data[i];

        assert_true(m >= 1.5e6 && m < 2.5e6 && some->checkpoint[i] == m);
        assert_near(some->profile[i].seq_time, 2 * m * log2(m));
        assert_near(some->profile[i].overhead, m * log2(m));
        assert_true(some->profile[i].seq_fraction == 0.08);
    }
    recipe.tasks = 101;
    more = cs_malleable_generate(&recipe, NULL);
    assert_memory_equal(some->data, more->data, 100 * sizeof *some->data);
    recipe.set = 1;
    other = cs_malleable_generate(&recipe, NULL);
    assert_true(other->data[0] != some->data[0]);
    cs_workload_destroy(some);
    cs_workload_destroy(more);
    cs_workload_destroy(other);
}

static void a_wrong_recipe_is_refused(void **state)
{
    struct cs_malleable_recipe bad[5];
    const char *text[] = {
        "0 tasks are wanted, it must be 1 to 10000000",
        "the smallest size is 1, it must be a number above 1",
        "the largest size is 2, it must be a number from 1.5e+06 on",
        "the sequential fraction is -0.1, it must be between 0 and 1",
        "the checkpoint factor is inf, it must be a number from 0 on",
    };

    (void)state;
    for (int i = 0; i < 5; i++)
        bad[i] = cs_malleable_recipe_paper();
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
    in = create(task, 3, &platform);
    best = cs_malleable_tune(in, &base, &law, 6, 1, one, NULL);
    assert_int_equal(cs_malleable_tune(in, &base, &law, 6, 2, two, NULL), best);
    for (int c = 0; c < CS_MALLEABLE_CANDIDATES; c++) {
        assert_true(one[c].makespan == two[c].makespan && one[c].error == two[c].error);
        assert_true(one[c].makespan >= one[best].makespan);
        assert_true(one[c].rules.wake && one[c].rules.hysteresis == 0.02);
    }
    assert_int_equal(one[0].rules.on_failure, CS_MALLEABLE_FAILURE_GREEDY);
    assert_true(one[0].rules.period_factor == 1 && one[29].rules.period_factor == 0.15);
    assert_int_equal(one[29].rules.on_end, CS_MALLEABLE_END_NONE);
    assert_int_equal(cs_malleable_tune(in, &base, &law, 0, 1, one, &err), -1);
    assert_string_equal(err.text, "0 scenarios to choose by, at least 1 is needed");
    cs_malleable_instance_destroy(in);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_task_is_cut_into_periods_and_a_rest),
        cmocka_unit_test(the_tail_layout_has_equal_pieces_of_least_cost),
        cmocka_unit_test(expected_times_keep_their_digits_and_never_are_nan),
        cmocka_unit_test(without_failures_the_expected_time_is_the_work),
        cmocka_unit_test(a_move_costs_what_each_processor_sends),
        cmocka_unit_test(the_least_expected_time_never_rises),
        cmocka_unit_test(a_wrong_number_is_refused_with_the_task_and_the_field),
        cmocka_unit_test(a_wrong_machine_is_refused),
        cmocka_unit_test(sums_that_no_number_holds_are_refused),
        cmocka_unit_test(long_checkpoints_are_warned_of),
        cmocka_unit_test(measured_times_are_repaired_and_used),
        cmocka_unit_test(a_task_that_needs_more_processors_starts_with_them),
        cmocka_unit_test(a_table_that_is_too_short_is_refused_under_its_own_number),
        cmocka_unit_test(the_fluid_bound_shares_the_machine),
        cmocka_unit_test(the_bound_of_measured_times_is_that_of_the_hull_of_speeds),
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
        cmocka_unit_test(a_wrong_recipe_is_refused),
        cmocka_unit_test(the_portfolio_is_the_same_with_any_number_of_threads),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
