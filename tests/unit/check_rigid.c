/* check_rigid.c - schedules of rigid jobs, broken in every way. */
#include "unit/bars.h"

#include <math.h>

#define BARS 4

/* Two jobs on 4 processors: a (2 wide, 5 s, fails once) and b (2 wide, 11 s). */
static const double seconds[] = {5, 11, 3};
static const int procs[] = {2, 2, 4};
static const int64_t failures[] = {1, 0, 0};
static const struct cs_interval low = {0, 1}, high = {2, 3}, all = {0, 3}, one = {0, 0};

struct scene {
    struct cs_rigid_declared jobs;
    struct cs_bar bar[BARS + 1];
    int bars;
};

/* a fails and runs again on its shelf, beside b; then c on a shelf of its own. */
static struct scene sound(void)
{
    return (struct scene){
        .jobs = {.priority = "lpt",
                 .lower_bound = 12,
                 .shelves = true,
                 .seconds = seconds,
                 .procs = procs,
                 .failures = failures},
        .bar = {{CS_BAR_LOST, 0, 1, 0, 0, 5, 1, &low, 0},
                {CS_BAR_WORK, 1, 1, 0, 0, 11, 1, &high, 0},
                {CS_BAR_WORK, 0, 2, 0, 5, 10, 1, &low, 0},
                {CS_BAR_WORK, 2, 1, 1, 11, 14, 1, &all, 0}},
        .bars = BARS,
    };
}

static struct cs_check_report *judge(const struct scene *scene)
{
    static const char *const names[] = {"a", "b", "c"};
    struct cs_schedule *schedule = cs_schedule_create("rigid", 4, 3, names);
    struct cs_check_report *report = cs_check_report_create(20);

    for (int b = 0; b < scene->bars; b++)
        cs_schedule_add(schedule, &scene->bar[b], NULL);
    cs_check_rigid(schedule, &scene->jobs, report);
    cs_schedule_destroy(schedule);
    return report;
}

static void expect(const struct scene *scene, enum cs_violation violation, const char *text)
{
    bars_expect(judge(scene), violation, text);
}

static void lets_a_sound_schedule_pass(void **state)
{
    struct scene scene = sound();

    (void)state;
    bars_expect_valid(judge(&scene));
}

static void finds_wrong_lengths_and_widths(void **state)
{
    struct scene scene = sound();

    (void)state;
    scene.bar[3].end = nextafter(14, 15);
    expect(&scene, CS_VIOLATION_DURATION, "it must end at 14 s");
    scene = sound();
    scene.bar[0].procs = &one;
    expect(&scene, CS_VIOLATION_WIDTH, "has 1 processors at 0 s: it needs 2");
    scene = sound();
    scene.jobs.verification = 1;
    expect(&scene, CS_VIOLATION_DURATION, "it must end at 12 s");
}

static void finds_processors_used_twice(void **state)
{
    struct scene scene = sound();

    (void)state;
    scene.bar[1].procs = &low;
    expect(&scene, CS_VIOLATION_PROC_SHARED, "");
}

static void finds_attempts_out_of_order(void **state)
{
    struct scene scene = sound();

    (void)state;
    scene.bar[2].attempt = 3;
    expect(&scene, CS_VIOLATION_ATTEMPT_ORDER, "has attempt 3 at 5 s: it is its attempt 2");
    scene = sound();
    scene.bar[2].start = 4;
    scene.bar[2].end = 9;
    expect(&scene, CS_VIOLATION_TASK_OVERLAP, "\"a\" starts a bar at 4 s");
}

static void finds_runs_without_failure_and_failures_without_run(void **state)
{
    struct scene scene = sound();

    (void)state;
    scene.bar[0].kind = CS_BAR_WORK;
    expect(&scene, CS_VIOLATION_RERUN, "ended at 5 s did not fail");
    expect(&scene, CS_VIOLATION_FAILURES, "failed 0 times: the scenario has 1");
    scene = sound();
    scene.bar[3].kind = CS_BAR_LOST;
    expect(&scene, CS_VIOLATION_TASK_MISSING, "\"c\" never succeeds");
    scene = sound();
    scene.bar[3].kind = CS_BAR_MOVE;
    expect(&scene, CS_VIOLATION_BAR_KIND, "an attempt is work or lost");
    scene = sound();
    scene.bars = 3;
    expect(&scene, CS_VIOLATION_TASK_MISSING, "\"c\" never runs");
}

static void says_that_nothing_counts_the_failures(void **state)
{
    struct scene scene = sound();
    struct cs_check_report *report;

    (void)state;
    scene.jobs.failures = NULL;
    report = judge(&scene);
    assert_int_equal(report->total, 0);
    assert_non_null(strstr(report->missing, "has no \"failures\""));
    cs_check_report_destroy(report);
}

static void finds_what_is_no_shelf(void **state)
{
    struct scene scene = sound();

    (void)state;
    scene.bar[3].start = 12;
    scene.bar[3].end = 15;
    expect(&scene, CS_VIOLATION_SHELF, "shelf 1 starts at 12 s: it must start at 11 s");
    scene = sound();
    scene.bar[2].start = 6;
    scene.bar[2].end = 11;
    expect(&scene, CS_VIOLATION_SHELF, "starts at 6 s within shelf 0: only a job of the shelf");
    scene = sound();
    scene.bar[2].procs = &high;
    expect(&scene, CS_VIOLATION_SHELF, "changes its processors at 5 s within shelf 0");
    scene = sound();
    scene.bar[3].group = -1;
    expect(&scene, CS_VIOLATION_SHELF, "\"c\" is on no shelf");
    scene = sound();
    scene.bar[3].group = 0;
    expect(&scene, CS_VIOLATION_SHELF, "ends at 14 s: shelf 0 ends at 11 s");
}

/* c never runs beside b, and their areas show less. */
static void shows_what_follows_from_jobs_that_take_turns(void **state)
{
    struct scene scene = sound();
    struct cs_check_report *report;

    (void)state;
    scene.jobs.lower_bound = 14;
    report = judge(&scene);
    assert_int_equal(report->total, 0);
    cs_check_report_destroy(report);
}

static void finds_a_bound_above_the_makespan(void **state)
{
    struct scene scene = sound();

    (void)state;
    scene.jobs.lower_bound = -0.5;
    expect(&scene, CS_VIOLATION_DECLARED_BOUND, "is -0.5: it must be from 0 to 14");
    scene = sound();
    scene.jobs.lower_bound = 13.75;
    expect(&scene, CS_VIOLATION_DECLARED_BOUND, "is 13.75: no more than 13.5 can be shown");
    scene.bar[3].start = 12;
    scene.bar[3].end = 15;
    scene.jobs.lower_bound = 14.5;
    expect(&scene, CS_VIOLATION_DECLARED_BOUND, "is 14.5: no more than 14 can be shown");
    scene = sound();
    scene.jobs.lower_bound = 14.5;
    expect(&scene, CS_VIOLATION_DECLARED_BOUND, "is 14.5: it must be from 0 to 14");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lets_a_sound_schedule_pass),
        cmocka_unit_test(finds_wrong_lengths_and_widths),
        cmocka_unit_test(finds_processors_used_twice),
        cmocka_unit_test(finds_attempts_out_of_order),
        cmocka_unit_test(finds_runs_without_failure_and_failures_without_run),
        cmocka_unit_test(says_that_nothing_counts_the_failures),
        cmocka_unit_test(finds_what_is_no_shelf),
        cmocka_unit_test(shows_what_follows_from_jobs_that_take_turns),
        cmocka_unit_test(finds_a_bound_above_the_makespan),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
