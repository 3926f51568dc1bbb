/* The checker of the moldable problem: a plan that is right, and every way to be wrong. */
#include "check/bound_moldable.h"
#include "check/report.h"
#include "model/workload.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

static const int counts[] = {1, 2, 4};
static const double seconds[] = {9, 5, 3};
static const struct cs_profile points = {
    .kind = CS_PROFILE_POINTS,
    .fill = CS_FILL_STEP,
    .count = 3,
    .procs = counts,
    .seconds = seconds,
};

/* Two tasks on 4 processors, side by side from 0 to 5. */
struct scene {
    struct cs_task_limit limit[2];
    struct cs_bar bar[4];
    struct cs_interval set[4];
    int bars;
    struct cs_interval *apart; /* two intervals of the first bar, instead of one; or NULL */
    struct cs_moldable_declared said;
};

static struct scene make(void)
{
    struct scene s = {
        .bars = 2,
        .set = {{0, 1}, {2, 3}, {0, 1}, {2, 3}},
        .said = {.lower_bound = 4,
                 .gap = 0.25,
                 .critical = NAN,
                 .area = NAN,
                 .knapsack = NAN,
                 .width = NAN},
    };

    for (int b = 0; b < 4; b++)
        s.bar[b] = (struct cs_bar){.kind = CS_BAR_WORK,
                                   .task = b % 2,
                                   .attempt = 1,
                                   .group = -1,
                                   .start = b < 2 ? 0 : 5,
                                   .end = b < 2 ? 5 : 10,
                                   .intervals = 1};
    return s;
}

static void expect(struct scene *s, const char *want)
{
    const char *const name[] = {"a", "b"};
    const struct cs_profile profile[] = {points, points};
    struct cs_workload *workload = cs_workload_create(2, name, profile, NULL);
    struct cs_schedule *schedule = cs_schedule_create("moldable", 4, 2, name);
    struct cs_check_report *report = cs_check_report_create(3);

    cs_workload_set_limits(workload, s->limit);
    for (int b = 0; b < s->bars; b++) {
        s->bar[b].procs = b == 0 && s->apart ? s->apart : &s->set[b];
        s->bar[b].intervals = b == 0 && s->apart ? 2 : 1;
        cs_schedule_add(schedule, &s->bar[b], NULL);
    }
    cs_check_moldable(schedule, workload, &s->said, report);
    if (!want && report->total)
        fail_msg("%s", report->item[0].text);
    if (want && (report->total == 0 || !strstr(report->item[0].text, want)))
        fail_msg("\"%s\" is not found, but \"%s\"", want,
                 report->total ? report->item[0].text : "nothing");
    cs_check_report_destroy(report);
    cs_schedule_destroy(schedule);
    cs_workload_destroy(workload);
}

static void a_plan_is_found_right(void **state)
{
    static const int launched[] = {2, 2};
    struct scene s = make();

    (void)state;
    s.said.counts = launched;
    expect(&s, NULL);
}

static void holes_between_processors_are_found(void **state)
{
    struct scene s = make();
    struct cs_interval apart[] = {{0, 0}, {3, 3}};

    (void)state;
    s.set[1] = (struct cs_interval){1, 2};
    s.apart = apart;
    expect(&s, NULL);
    s.said.contiguous = true;
    expect(&s,
           "task \"a\" has some of the processors from 0 to 3 at 0 s: they must be consecutive");
}

static void counts_without_a_time_are_found(void **state)
{
    struct scene s = make();

    (void)state;
    s.set[0] = (struct cs_interval){0, 2};
    s.set[1] = (struct cs_interval){3, 3};
    s.bar[1].end = 9;
    s.said.gap = 1.25;
    expect(&s, "has 3 processors at 0 s: no time is known for that count");
}

static void broken_limits_are_found(void **state)
{
    static const int list[] = {1, 4};
    struct scene s = make();

    (void)state;
    s.limit[0].min_procs = 3;
    expect(&s, "min_procs does not allow that");
    s.limit[0] = (struct cs_task_limit){.max_procs = 1};
    expect(&s, "max_procs does not allow that");
    s.limit[0] = (struct cs_task_limit){.counts = 2, .count = list};
    expect(&s, "its list of counts does not allow that");
    s.limit[0] = (struct cs_task_limit){.multiple = 4};
    expect(&s, "multiples does not allow that");
    s.limit[0] = (struct cs_task_limit){.walltime = 4};
    expect(&s, "its walltime is 4 s");
    s.limit[0] = (struct cs_task_limit){.walltime = 9, .margin = 2};
    expect(&s, "its walltime is 9 s, with the margin 2");
    s.limit[0] = (struct cs_task_limit){.walltime = 10, .margin = 2};
    expect(&s, NULL);
    s.limit[0] = (struct cs_task_limit){.release = 1};
    expect(&s, "its release is 1 s");
}

/* 3, the shortest time; 5, the least work in that time; 5, as the knapsack has room for both; 5. */
static void each_simple_bound_is_the_one_of_the_instance(void **state)
{
    struct scene s = make();
    double *const bound[] = {&s.said.critical, &s.said.area, &s.said.knapsack, &s.said.width};

    (void)state;
    s.said.critical = 3;
    s.said.area = s.said.knapsack = s.said.width = 5;
    expect(&s, NULL);
    for (int k = 0; k < 4; k++) {
        const double right = *bound[k];

        *bound[k] = right * 0.999;
        expect(&s, "that of the instance is another");
        *bound[k] = right * 1.001;
        expect(&s, "that of the instance is another");
        *bound[k] = right;
    }
}

static void a_gap_needs_a_bound(void **state)
{
    struct scene s = make();

    (void)state;
    s.said.lower_bound = NAN;
    expect(&s, "the declared gap is 0.25");
    s.said.gap = NAN;
    expect(&s, NULL);
}

/* Bound and makespan are 0, and so is their gap. */
static void a_plan_without_tasks_is_valid(void **state)
{
    struct cs_moldable_declared said = make().said;
    struct cs_workload *workload = cs_workload_create(0, NULL, NULL, NULL);
    struct cs_schedule *schedule = cs_schedule_create("moldable", 4, 0, NULL);

    (void)state;
    said.lower_bound = 0;
    for (int wrong = 0; wrong < 2; wrong++) {
        struct cs_check_report *report = cs_check_report_create(3);

        said.gap = wrong;
        cs_check_moldable(schedule, workload, &said, report);
        assert_int_equal(report->total, wrong);
        cs_check_report_destroy(report);
    }
    cs_schedule_destroy(schedule);
    cs_workload_destroy(workload);
}

static void wrong_ends_are_found(void **state)
{
    static const double factor[] = {1, 2};
    struct scene s = make();

    (void)state;
    s.bar[0].end = nextafter(5, 6);
    s.said.gap = NAN;
    expect(&s, "it must end at 5 s");
    s = make();
    s.said.factor = factor;
    expect(&s, "it must end at 10 s");
    s.bar[1].end = 10;
    s.said.gap = 1.5;
    expect(&s, NULL);
}

static void attempts_are_counted(void **state)
{
    static const int failures[] = {1, 1};
    struct scene s = make();

    (void)state;
    s.bars = 4;
    s.said.gap = 1.5;
    s.bar[2].attempt = s.bar[3].attempt = 2;
    expect(&s, "runs again although its attempt that ended at 5 s did not fail");
    s.bar[0].kind = s.bar[1].kind = CS_BAR_LOST;
    s.said.failures = failures;
    expect(&s, NULL);
    s.bars = 3;
    expect(&s, "never succeeds");
    s.bars = 1;
    s.bar[0].kind = CS_BAR_WORK;
    s.said.gap = 0.25;
    expect(&s, "the scenario has 1");
    s.said.failures = NULL;
    expect(&s, "never runs");
}

/* It would take 10 seconds, and may take 6. */
static struct scene make_stopped(void)
{
    static const bool stopped[] = {true, false};
    static const double factor[] = {2, 1};
    struct scene s = make();

    s.bar[0].kind = CS_BAR_LOST;
    s.bar[0].end = 6;
    s.limit[0].walltime = 6;
    s.said.stopped = stopped;
    s.said.factor = factor;
    s.said.gap = 0.5;
    return s;
}

static void a_task_stopped_at_its_walltime_is_not_missing(void **state)
{
    struct scene s = make_stopped();

    (void)state;
    expect(&s, NULL);
    s.said.stopped = NULL;
    expect(&s, "must end at 10 s");
}

static void tasks_are_stopped_at_their_walltime_only(void **state)
{
    static const int failures[] = {0, 0};
    struct scene s = make_stopped();

    (void)state;
    s.bar[0].end = 5.5;
    expect(&s, "ends at 5.5 s: on 2 processors it must end at 6 s");
    s = make_stopped();
    s.limit[0].walltime = 0;
    expect(&s, "is declared stopped at its walltime, and has no walltime");
    s = make_stopped();
    s.said.factor = NULL;
    s.bar[0].end = 5;
    expect(&s, "is declared stopped at its walltime of 6 s: it takes 5 s");
    s = make_stopped();
    s.bar[0].kind = CS_BAR_WORK;
    expect(&s, "its last bar must be lost");
    s = make_stopped();
    s.bars = 3;
    s.bar[0].end = 10;
    s.bar[2] = s.bar[0];
    s.bar[2].attempt = 2;
    s.bar[2].start = 10;
    s.bar[2].end = 16;
    s.said.gap = 3;
    s.said.failures = failures;
    expect(&s, "task \"a\" failed 1 times: the scenario has 0");
}

static void claims_are_checked(void **state)
{
    static const int launched[] = {2, 1};
    const char *origin[] = {"measured", "measured"};
    struct scene s = make();

    (void)state;
    s.said.counts = launched;
    expect(&s, "declared as launched on 1 processors: it holds 2");
    s = make();
    s.said.origin = origin;
    expect(&s, NULL);
    origin[1] = "interpolated";
    expect(&s, "the time of task \"b\" is declared as interpolated: it is measured");
    s = make();
    s.said.lower_bound = 6;
    expect(&s, "the declared lower bound is 6: it must be from 0");
    s = make();
    s.said.gap = 0.1;
    expect(&s, "the declared gap is 0.1");
    s = make();
    s.set[1] = (struct cs_interval){1, 2};
    expect(&s, "processor");
}

/* They are of the times that were planned with, 5, whatever the run made of them. */
static void simple_bounds_of_runs_are_judged_too(void **state)
{
    static const double factor[] = {2, 1};
    struct scene s = make();

    (void)state;
    s.said.factor = factor;
    s.bar[0].end = 10;
    s.said.gap = 1.5;
    s.said.area = 5;
    expect(&s, NULL);
    s.said.area = 4;
    expect(&s, "the declared bound \"area\" is 4: that of the instance is another");
    s.said.area = 6;
    expect(&s, "the declared bound \"area\" is 6: that of the instance is another");
    s.said.area = -1;
    expect(&s, "the declared bound \"area\" is -1");
}

/* One after the other, in 9 and 9: side by side on two each they take 5. */
static struct scene make_slow(void)
{
    struct scene s = make();

    s.set[0] = (struct cs_interval){0, 0};
    s.set[1] = (struct cs_interval){1, 1};
    s.bar[0].end = s.bar[1].end = 9;
    return s;
}

static void claim(struct scene *s, double bound)
{
    s->said.lower_bound = bound;
    s->said.gap = (s->bar[s->bars - 1].end - bound) / bound;
}

static void bounds_are_shown_again(void **state)
{
    struct scene s = make_slow();

    (void)state;
    claim(&s, 5);
    expect(&s, NULL);
    claim(&s, 5.01);
    expect(&s, "the declared lower bound is 5.01: there is a plan below it");
}

/* Two attempts each: 36 of work where there is time for one processor. */
static void bounds_that_nobody_can_show_are_refused(void **state)
{
    static const int failures[] = {1, 1};
    struct scene s = make();

    (void)state;
    s.bars = 4;
    s.bar[0].kind = s.bar[1].kind = CS_BAR_LOST;
    s.bar[2].attempt = s.bar[3].attempt = 2;
    s.said.failures = failures;
    claim(&s, 9);
    expect(&s, NULL);
    claim(&s, 9.5);
    expect(&s, "the declared lower bound is 9.5: so much cannot be shown");
    s.said.certificate.search = true;
    expect(&s, NULL);
}

/* Seven tasks of a second on three processors take three: two of them one after the other leave no
 * room for a third before that, which neither areas nor the middle show. */
static void pairs_show_a_bound_and_wrong_ones_do_not(void **state)
{
    enum { TASKS = 7 };
    struct cs_moldable_pair pair = {{CS_DUAL_ITSELF, 0}, {CS_DUAL_FAMILY, 2}, 0.5};
    const struct cs_moldable_certificate by = {.pairs = 1, .pair = &pair}, none = {0};
    int first[] = {0, 1, 2, 3, 4, 5, 6, 7}, count[] = {1, 1, 1, 1, 1, 1, 1};
    double ones[] = {1, 1, 1, 1, 1, 1, 1}, release[TASKS] = {0};
    struct cs_check_bag bag = {TASKS, 3, first, count, ones, ones, release, ones, false};
    struct cs_arena *arena = cs_arena_create();

    (void)state;
    assert_false(cs_check_bag_too_short(&bag, 2.9, &none, arena));
    assert_true(cs_check_bag_too_short(&bag, 2.9, &by, arena));
    assert_false(cs_check_bag_too_short(&bag, 3.1, &by, arena));
    pair.weight = -1;
    assert_false(cs_check_bag_too_short(&bag, 2.9, &by, arena));
    pair = (struct cs_moldable_pair){{CS_DUAL_ITSELF, 0}, {CS_DUAL_STEP, 0.9}, 1};
    assert_false(cs_check_bag_too_short(&bag, 2.9, &by, arena));
    pair.time = (struct cs_dual){CS_DUAL_FAMILY, 0.5};
    assert_false(cs_check_bag_too_short(&bag, 2.9, &by, arena));
    pair.time = (struct cs_dual){CS_DUAL_ROUND, 0.34};
    assert_true(cs_check_bag_too_short(&bag, 2.9, &by, arena));
    assert_false(cs_check_bag_too_short(&bag, 3.1, &by, arena));
    pair.time.at = 0.6;
    assert_false(cs_check_bag_too_short(&bag, 2.9, &by, arena));
    assert_int_equal(cs_check_bag_search(&bag, 3, arena), CS_CHECK_SEARCH_NONE);
    assert_int_equal(cs_check_bag_search(&bag, 3.01, arena), CS_CHECK_SEARCH_PLAN);
    cs_arena_destroy(arena);
}

/* The same seven tasks by scales: two fit one after the other, and three side by side. */
static void scales_show_a_bound_and_wrong_ones_do_not(void **state)
{
    enum { TASKS = 7 };
    struct cs_moldable_scale scale[TASKS];
    struct cs_moldable_certificate by = {.scales = TASKS, .scale = scale};
    int first[] = {0, 1, 2, 3, 4, 5, 6, 7}, count[] = {1, 1, 1, 1, 1, 1, 1};
    double ones[] = {1, 1, 1, 1, 1, 1, 1}, release[TASKS] = {0};
    struct cs_check_bag bag = {TASKS, 3, first, count, ones, ones, release, ones, false};
    struct cs_arena *arena = cs_arena_create();

    (void)state;
    for (int i = 0; i < TASKS; i++)
        scale[i] = (struct cs_moldable_scale){i, 1, 0.5, 0};
    assert_true(cs_check_bag_certified(&bag, 2.9, &by, arena));
    assert_false(cs_check_bag_certified(&bag, 3, &by, arena));
    by.scales = TASKS - 1;
    assert_false(cs_check_bag_certified(&bag, 2.9, &by, arena));
    by.scales = TASKS;
    for (int i = 0; i < TASKS; i++)
        scale[i] = (struct cs_moldable_scale){i, 1, 0, 1};
    assert_true(cs_check_bag_certified(&bag, 2.3, &by, arena));
    assert_false(cs_check_bag_certified(&bag, 2.4, &by, arena));
    scale[3].time = -1;
    assert_false(cs_check_bag_certified(&bag, 1.5, &by, arena));
    scale[3] = (struct cs_moldable_scale){TASKS, 1, 0, 1};
    assert_false(cs_check_bag_certified(&bag, 1.5, &by, arena));
    cs_arena_destroy(arena);
}

/* Two tasks that take 3 on one processor of three, or 2 on two, and then not beside each other. */
static void cases_must_all_be_shown(void **state)
{
    struct cs_moldable_pair wide = {{CS_DUAL_FAMILY, 1}, {CS_DUAL_ITSELF, 0}, 1};
    struct cs_moldable_certificate shown = {.pairs = 1, .pair = &wide}, none = {0};
    struct cs_moldable_certificate then = {.narrow = &shown};
    struct cs_moldable_certificate by = {.narrow = &shown, .wide = &then, .task = 0, .most = 1};
    int first[] = {0, 2, 4}, count[] = {1, 2, 1, 2};
    double takes[] = {3, 2, 3, 2}, work[] = {3, 4, 3, 4}, release[2] = {0}, once[] = {1, 1};
    struct cs_check_bag bag = {2, 3, first, count, takes, work, release, once, false};
    struct cs_arena *arena = cs_arena_create();

    (void)state;
    assert_true(cs_check_bag_certified(&bag, 2.9, &by, arena));
    assert_false(cs_check_bag_certified(&bag, 3, &by, arena));
    then.narrow = &none;
    assert_false(cs_check_bag_certified(&bag, 2.9, &by, arena));
    by.wide = &shown;
    by.task = 2;
    assert_false(cs_check_bag_certified(&bag, 2.9, &by, arena));
    by.task = 0;
    assert_true(cs_check_bag_certified(&bag, 2.9, &by, arena));
    by.narrow = &none;
    assert_true(cs_check_bag_certified(&bag, 2.9, &by, arena));
    by.most = 2;
    assert_false(cs_check_bag_certified(&bag, 2.9, &by, arena));
    cs_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_is_found_right),
        cmocka_unit_test(counts_without_a_time_are_found),
        cmocka_unit_test(holes_between_processors_are_found),
        cmocka_unit_test(broken_limits_are_found),
        cmocka_unit_test(each_simple_bound_is_the_one_of_the_instance),
        cmocka_unit_test(a_gap_needs_a_bound),
        cmocka_unit_test(a_plan_without_tasks_is_valid),
        cmocka_unit_test(wrong_ends_are_found),
        cmocka_unit_test(attempts_are_counted),
        cmocka_unit_test(a_task_stopped_at_its_walltime_is_not_missing),
        cmocka_unit_test(tasks_are_stopped_at_their_walltime_only),
        cmocka_unit_test(claims_are_checked),
        cmocka_unit_test(simple_bounds_of_runs_are_judged_too),
        cmocka_unit_test(bounds_are_shown_again),
        cmocka_unit_test(bounds_that_nobody_can_show_are_refused),
        cmocka_unit_test(pairs_show_a_bound_and_wrong_ones_do_not),
        cmocka_unit_test(scales_show_a_bound_and_wrong_ones_do_not),
        cmocka_unit_test(cases_must_all_be_shown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
