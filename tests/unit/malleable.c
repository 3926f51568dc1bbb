/* malleable: formulas worked out by hand, inputs that are refused, bounds. */
#include "problems/malleable/instance.h"
#include "unit/kit.h"

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
    for (int variant = 0; variant < 2; variant++) {
        in = create(&task, 1, variant ? &never : &free);
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

    (void)state;
    assert_true(cs_malleable_time(in, 0, 2) == 60);
    assert_true(cs_malleable_time(in, 0, 4) == 45); /* work 180 of 3 processors */
    assert_int_equal(in->measured[0]->changed[0], 6);
    assert_true(in->measured[0]->largest[0] == 1.25);
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
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
