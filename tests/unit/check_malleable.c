/* check_malleable: a schedule worked out by hand, broken in every way. */
#include "unit/bars.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two tasks on 9 processors, mtbf 10,000 s and downtime 10 s.  C = 8 gives Young's work of
 * 400 s / j between checkpoints of 8 s / j; data 100 gives moves of 25 s between 2 and 4.
 *
 * a (1000 s / j) starts on 0-1, b (1800 s / j) on 2-5.  At 250 s processor 0 fails: a falls back
 * to 204 s and gets 4-5 of b.  At 277 s b is hit in the checkpoint after its move, so that
 * its work since 204 s is lost, at 290 s a in its own. */
static const struct cs_interval low = {0, 1}, middle = {2, 5}, pair = {2, 3};
static const struct cs_interval wide[] = {{0, 1}, {4, 5}}, odd = {2, 4}, other[] = {{0, 1}, {6, 7}};
static const struct cs_interval top = {6, 7};

static const struct cs_profile profiles[] = {
    {.kind = CS_PROFILE_COMMUNICATION, .seq_time = 1000},
    {.kind = CS_PROFILE_COMMUNICATION, .seq_time = 1800},
};
static const char *const names[] = {"a", "b"};

static const struct cs_malleable_declared_fault faults[] = {
    {100, 8, "idle"},
    {250, 0, "rollback-redistributed"},
    {255, 1, "ignored"},
    {277, 3, "initial-checkpoint"},
    {290, 5, "initial-checkpoint"},
    {300, 3, "ignored"},
    {600, 0, "idle"},
};

#define FAULTS 7

/* Bars by name. */
enum {
    A_WORK,
    A_SAVE,
    A_LOST,
    A_DOWN,
    A_RECOVER,
    A_MOVE,
    A_CUT,
    A_DOWN_2,
    A_RECOVER_2,
    A_MOVE_2,
    A_PROTECT,
    A_WORK_2,
    A_SAVE_2,
    A_LAST,
    B_WORK,
    B_SAVE,
    B_WORK_2,
    B_SAVE_2,
    B_UNDONE,
    B_MOVE,
    B_CUT,
    B_DOWN,
    B_RECOVER,
    B_MOVE_2,
    B_PROTECT,
    B_WORK_3,
    B_SAVE_3,
    B_WORK_4,
    B_SAVE_4,
    B_LAST,
    BARS
};

struct scene {
    struct cs_malleable_declared declared;
    struct cs_profile profile[2];
    struct cs_malleable_declared_fault fault[FAULTS];
    struct cs_bar bar[BARS + 1];
    int bars, procs;
    const char *name; /* of task a in the instance */
};

static struct scene sound(void)
{
    struct scene scene =
        {
            .declared = {.mtbf = 10000,
                         .downtime = 10,
                         .on_end = "local",
                         .on_failure = "iterated-greedy",
                         .period_factor = 1,
                         .kappa = 1,
                         .faults = FAULTS,
                         .fatal = 1,
                         .has_areas = true,
                         .areas = {2800, 48, 276, 136, 324, 3850},
                         .lower_bound = 2800 / 9.0},
            .bars = BARS,
            .procs = 9,
            .name = "a",
            .bar =
                {
                    [A_WORK] = {CS_BAR_WORK, 0, 1, -1, 0, 200, 1, &low},
                    [A_SAVE] = {CS_BAR_CHECKPOINT, 0, 1, -1, 200, 204, 1, &low},
                    [A_LOST] = {CS_BAR_LOST, 0, 1, -1, 204, 250, 1, &low},
                    [A_DOWN] = {CS_BAR_DOWNTIME, 0, 2, -1, 250, 260, 2, wide},
                    [A_RECOVER] = {CS_BAR_RECOVERY, 0, 2, -1, 260, 264, 2, wide},
                    [A_MOVE] = {CS_BAR_MOVE, 0, 2, -1, 264, 289, 2, wide},
                    [A_CUT] = {CS_BAR_CHECKPOINT, 0, 2, -1, 289, 290, 2, wide},
                    [A_DOWN_2] = {CS_BAR_DOWNTIME, 0, 3, -1, 290, 300, 2, wide},
                    [A_RECOVER_2] = {CS_BAR_RECOVERY, 0, 3, -1, 300, 304, 2, wide},
                    [A_MOVE_2] = {CS_BAR_MOVE, 0, 3, -1, 304, 329, 2, wide},
                    [A_PROTECT] = {CS_BAR_CHECKPOINT, 0, 3, -1, 329, 331, 2, wide},
                    [A_WORK_2] = {CS_BAR_WORK, 0, 3, -1, 331, 431, 2, wide},
                    [A_SAVE_2] = {CS_BAR_CHECKPOINT, 0, 3, -1, 431, 433, 2, wide},
                    [A_LAST] = {CS_BAR_WORK, 0, 3, -1, 433, 483, 2, wide},
                    [B_WORK] = {CS_BAR_WORK, 1, 1, -1, 0, 100, 1, &middle},
                    [B_SAVE] = {CS_BAR_CHECKPOINT, 1, 1, -1, 100, 102, 1, &middle},
                    [B_WORK_2] = {CS_BAR_WORK, 1, 1, -1, 102, 202, 1, &middle},
                    [B_SAVE_2] = {CS_BAR_CHECKPOINT, 1, 1, -1, 202, 204, 1, &middle},
                    [B_UNDONE] = {CS_BAR_LOST, 1, 1, -1, 204, 250, 1, &middle},
                    [B_MOVE] = {CS_BAR_MOVE, 1, 2, -1, 250, 275, 1, &pair},
                    [B_CUT] = {CS_BAR_CHECKPOINT, 1, 2, -1, 275, 277, 1, &pair},
                    [B_DOWN] = {CS_BAR_DOWNTIME, 1, 3, -1, 277, 287, 1, &pair},
                    [B_RECOVER] = {CS_BAR_RECOVERY, 1, 3, -1, 287, 289, 1, &pair},
                    [B_MOVE_2] = {CS_BAR_MOVE, 1, 3, -1, 289, 314, 1, &pair},
                    [B_PROTECT] = {CS_BAR_CHECKPOINT, 1, 3, -1, 314, 318, 1, &pair},
                    [B_WORK_3] = {CS_BAR_WORK, 1, 3, -1, 318, 518, 1, &pair},
                    [B_SAVE_3] = {CS_BAR_CHECKPOINT, 1, 3, -1, 518, 522, 1, &pair},
                    [B_WORK_4] = {CS_BAR_WORK, 1, 3, -1, 522, 722, 1, &pair},
                    [B_SAVE_4] = {CS_BAR_CHECKPOINT, 1, 3, -1, 722, 726, 1, &pair},
                    [B_LAST] = {CS_BAR_WORK, 1, 3, -1, 726, 826, 1, &pair},
                },
        };

    memcpy(scene.profile, profiles, sizeof profiles);
    memcpy(scene.fault, faults, sizeof faults);
    return scene;
}

static struct cs_check_report *judge(const struct scene *scene)
{
    static const double checkpoint[] = {8, 8}, data[] = {100, 100};
    const char *const given[] = {scene->name, "b"};
    struct cs_workload *workload = cs_workload_create(2, given, scene->profile);
    struct cs_schedule *schedule = cs_schedule_create("malleable", scene->procs, 2, names);
    struct cs_check_report *report = cs_check_report_create(50);
    struct cs_malleable_declared declared = scene->declared;

    workload->checkpoint = checkpoint;
    workload->data = data;
    declared.fault = scene->fault;
    for (int b = 0; b < scene->bars; b++)
        if (scene->bar[b].procs)
            cs_schedule_add(schedule, &scene->bar[b]);
    cs_check_malleable(schedule, workload, &declared, report);
    cs_workload_destroy(workload);
    cs_schedule_destroy(schedule);
    return report;
}

static void expect(const struct scene *scene, enum cs_violation violation, const char *text)
{
    bars_expect(judge(scene), violation, text);
}

/* All bars of the task from this one on, and what the list says of failures, later. */
static void delay(struct scene *scene, int from, double seconds)
{
    for (int b = from; b < BARS && scene->bar[b].task == scene->bar[from].task; b++) {
        scene->bar[b].start += seconds;
        scene->bar[b].end += seconds;
    }
}

/* Make a bar longer, and put off what follows. */
static void stretch(struct scene *scene, int bar, double seconds)
{
    scene->bar[bar].end += seconds;
    if (bar + 1 < BARS && scene->bar[bar + 1].task == scene->bar[bar].task)
        delay(scene, bar + 1, seconds);
}

static void leave_out(struct scene *scene, int bar)
{
    stretch(scene, bar, scene->bar[bar].start - scene->bar[bar].end);
    scene->bar[bar].procs = NULL;
}

static void passes(const struct scene *scene)
{
    struct cs_check_report *report = judge(scene);

    bars_expect_valid(report);
}

static void lets_a_sound_schedule_pass(void **state)
{
    struct scene scene = sound();

    (void)state;
    passes(&scene);
}

static void finds_processors_used_twice_and_too_many(void **state)
{
    struct scene scene = sound();

    (void)state;
    scene.bar[B_LAST].procs = &low;
    scene.bar[B_LAST].start = 470;
    expect(&scene, CS_VIOLATION_PROC_SHARED, "processor 0");
    scene = sound();
    scene.procs = 5;
    expect(&scene, CS_VIOLATION_PROC_RANGE, "uses processor 5");
}

static void finds_sets_that_are_not_whole_pairs(void **state)
{
    struct scene scene = sound();

    (void)state;
    for (int b = B_WORK; b <= B_UNDONE; b++)
        scene.bar[b].procs = &odd;
    expect(&scene, CS_VIOLATION_PAIRS, "\"b\" has processors that are not whole pairs");
}

static void finds_sets_that_change_within_a_segment(void **state)
{
    struct scene scene = sound();

    (void)state;
    scene.bar[A_LAST].procs = other;
    expect(&scene, CS_VIOLATION_SEGMENT, "changes its processors at 433 s within its segment 3");
}

static void finds_processors_swapped_for_others(void **state)
{
    struct scene scene = sound();

    (void)state;
    for (int b = B_MOVE; b <= B_LAST; b++)
        scene.bar[b].procs = &top;
    expect(&scene, CS_VIOLATION_REDISTRIBUTION, "gives up processors at 250 s and takes others");
    scene = sound();
    for (int b = A_DOWN_2; b <= A_LAST; b++)
        scene.bar[b].procs = other;
    expect(&scene, CS_VIOLATION_REDISTRIBUTION, "moves to as many other processors at 290 s");
}

static void finds_a_task_that_waits(void **state)
{
    struct scene scene = sound();

    (void)state;
    delay(&scene, B_LAST, 5);
    expect(&scene, CS_VIOLATION_WAITS, "\"b\" does nothing from 726 s to 731 s");
    scene = sound();
    scene.bar[A_WORK].start = 1;
    expect(&scene, CS_VIOLATION_WAITS, "\"a\" does nothing from 0 s to 1 s");
    scene = sound();
    for (int b = B_WORK; b < BARS; b++)
        scene.bar[b].procs = NULL;
    expect(&scene, CS_VIOLATION_TASK_MISSING, "\"b\" never runs");
}

static void finds_segments_that_are_not_counted(void **state)
{
    struct scene scene = sound();

    (void)state;
    for (int b = B_DOWN; b < BARS; b++)
        scene.bar[b].attempt = 4;
    expect(&scene, CS_VIOLATION_ATTEMPT_ORDER, "attempt 4 at 277 s after attempt 2");
}

static void finds_work_that_is_missing_or_done_twice(void **state)
{
    struct scene scene = sound();

    (void)state;
    scene.bar[B_LAST].end -= 1;
    expect(&scene, CS_VIOLATION_WORK, "ends at 825 s with 0.998888888888889 of its work done");
    scene = sound();
    scene.bar[B_LAST].end += 1e-4;
    expect(&scene, CS_VIOLATION_WORK, "\"b\" ends at");
    scene = sound();
    scene.profile[0].seq_fraction = 0.25;
    expect(&scene, CS_VIOLATION_WORK, "\"a\" ends at 483 s");
    scene = sound();
    scene.profile[0].overhead = 10;
    expect(&scene, CS_VIOLATION_WORK, "\"a\" ends at 483 s");
}

static void finds_wrong_durations(void **state)
{
    static const struct {
        int bar;
        const char *text;
    } wrong[] = {
        {A_SAVE, "kind checkpoint that starts at 200 s and lasts 5 s: it must last 4 s"},
        {A_DOWN, "kind downtime that starts at 250 s and lasts 11 s: it must last 10 s"},
        {A_RECOVER, "kind recovery that starts at 260 s and lasts 5 s: it must last 4 s"},
        {A_MOVE, "kind move that starts at 264 s and lasts 26 s: it must last 25 s"},
        {A_PROTECT, "kind checkpoint that starts at 329 s and lasts 3 s: it must last 2 s"},
        {B_RECOVER, "kind recovery that starts at 287 s and lasts 3 s: it must last 2 s"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct scene scene = sound();

        stretch(&scene, wrong[i].bar, 1);
        expect(&scene, CS_VIOLATION_DURATION, wrong[i].text);
    }
}

static void finds_bars_left_out_of_a_segment(void **state)
{
    struct scene scene = sound();

    (void)state;
    leave_out(&scene, B_MOVE_2);
    expect(&scene, CS_VIOLATION_SEGMENT, "a move of 25 s must come first");
    scene = sound();
    leave_out(&scene, A_DOWN);
    expect(&scene, CS_VIOLATION_SEGMENT, "a downtime of 10 s must come first");
    scene = sound();
    leave_out(&scene, A_PROTECT);
    expect(&scene, CS_VIOLATION_SEGMENT, "a checkpoint of 2 s must come first");
    scene = sound();
    leave_out(&scene, B_SAVE_3);
    expect(&scene, CS_VIOLATION_SEGMENT, "a checkpoint must follow");
    scene = sound();
    scene.bar[B_WORK_4].kind = CS_BAR_DOWNTIME;
    expect(&scene, CS_VIOLATION_SEGMENT, "kind downtime at 522 s: computation goes on here");
}

static void finds_a_new_segment_without_a_reason(void **state)
{
    struct scene scene = sound();

    (void)state;
    for (int b = A_WORK_2; b <= A_LAST; b++)
        scene.bar[b].attempt = 4;
    expect(&scene, CS_VIOLATION_SEGMENT,
           "begins segment 4 at 331 s without a failure and on as many processors");
}

static void finds_wrong_periods(void **state)
{
    struct scene scene = sound();

    (void)state;
    stretch(&scene, B_WORK_3, 10);
    scene.bar[B_LAST].end -= 10;
    expect(&scene, CS_VIOLATION_PERIOD,
           "computes from 318 s for 210 s before a checkpoint: its period allows 200 s");
    scene = sound();
    scene.declared.period_factor = 0.5;
    expect(&scene, CS_VIOLATION_PERIOD, "its period allows 100 s");
    scene = sound();
    scene.declared.mtbf = 2500;
    expect(&scene, CS_VIOLATION_PERIOD, "computes from 331 s for 100 s before a checkpoint");
    scene = sound();
    leave_out(&scene, B_SAVE_4);
    scene.bar[B_WORK_4].end = 822;
    scene.bar[B_LAST].procs = NULL;
    expect(&scene, CS_VIOLATION_PERIOD, "computes from 522 s for 300 s without a checkpoint");
    scene = sound();
    leave_out(&scene, A_SAVE);
    leave_out(&scene, A_WORK);
    scene.bar[A_LOST].start = 0;
    scene.bar[A_LOST].end = 250;
    expect(&scene, CS_VIOLATION_PERIOD, "loses 250 s from 0 s on: after 204 s there is a");
}

static void finds_work_that_should_be_lost(void **state)
{
    struct scene scene = sound();

    (void)state;
    scene.bar[A_LOST].kind = CS_BAR_WORK;
    expect(&scene, CS_VIOLATION_SEGMENT, "no checkpoint saves it before the failure, it is lost");
    scene = sound();
    scene.bar[B_UNDONE].kind = CS_BAR_WORK;
    expect(&scene, CS_VIOLATION_SEGMENT, "before the checkpoint that saves it is done, it is lost");
    scene = sound();
    scene.bar[B_LAST].kind = CS_BAR_LOST;
    expect(&scene, CS_VIOLATION_SEGMENT, "kind lost at 726 s: no failure of the task comes after");
}

static void finds_failures_where_nothing_strikes(void **state)
{
    struct scene scene = sound();

    (void)state;
    leave_out(&scene, B_CUT);
    scene.bar[B_MOVE].end = 270;
    delay(&scene, B_DOWN, 270 - scene.bar[B_DOWN].start);
    expect(&scene, CS_VIOLATION_SEGMENT, "is stopped at 270 s during its move of data");
    scene = sound();
    for (int b = B_DOWN; b < BARS; b++)
        scene.bar[b].procs = NULL;
    expect(&scene, CS_VIOLATION_DURATION, "lasts 2 s: it must last 4 s");
}

static void finds_failures_that_are_not_in_the_list(void **state)
{
    struct scene scene = sound();

    (void)state;
    scene.fault[1].time = 249;
    expect(&scene, CS_VIOLATION_FAILURES, "\"a\" is stopped by a failure at 250 s: the list has");
    expect(&scene, CS_VIOLATION_FAILURES, "no task that holds it is stopped then");
    scene = sound();
    scene.fault[1].processor = 2;
    expect(&scene, CS_VIOLATION_FAILURES, "on its processors");
    scene = sound();
    scene.declared.faults = 6;
    scene.fault[5].time = 10;
    expect(&scene, CS_VIOLATION_FAILURES, "is listed after the one at 290 s");
}

static void finds_failures_with_another_effect(void **state)
{
    static const struct {
        int fault;
        const char *effect, *text;
    } wrong[] = {
        {1, "rollback", "something is decided on failures"},
        {1, "rollback-no-better-plan", "the task changes its processors then"},
        {1, "initial-checkpoint", "it does not strike in the checkpoint after a move"},
        {3, "rollback-not-longest", "it strikes in the checkpoint after a move"},
        {2, "idle", "task \"a\" holds the processor then"},
        {2, "rollback-not-longest", "no task that holds it is stopped then"},
        {6, "ignored", "no task holds the processor then"},
    };
    struct scene scene = sound();

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        scene = sound();
        scene.fault[wrong[i].fault].effect = wrong[i].effect;
        expect(&scene, CS_VIOLATION_FAILURES, wrong[i].text);
    }
    scene = sound();
    scene.fault[5].time = 315;
    expect(&scene, CS_VIOLATION_FAILURES, "\"b\" computes or saves what it moved then");
    scene.fault[5].time = 400;
    expect(&scene, CS_VIOLATION_FAILURES, "\"b\" computes or saves what it moved then");
    scene = sound();
    scene.declared.on_failure = "none";
    expect(&scene, CS_VIOLATION_FAILURES, "nothing is decided on failures");
}

static void finds_failures_miscounted_as_fatal(void **state)
{
    struct scene scene = sound();

    (void)state;
    scene.declared.fatal = 0;
    expect(&scene, CS_VIOLATION_FAILURES, "0 failures are said to be fatal in reality: the list");
    scene = sound();
    scene.fault[2].time = 270;
    expect(&scene, CS_VIOLATION_FAILURES, "1 failures are said to be fatal in reality: the list");
}

static void finds_redistributions_without_a_reason(void **state)
{
    struct scene scene = sound();
    double shift = 3;

    (void)state;
    scene.fault[3].time += shift;
    stretch(&scene, B_UNDONE, shift);
    expect(&scene, CS_VIOLATION_REDISTRIBUTION, "\"b\" changes its processors at 253 s: nothing");
    scene = sound();
    for (int b = B_DOWN; b < BARS; b++)
        scene.bar[b].procs = &middle;
    expect(&scene, CS_VIOLATION_REDISTRIBUTION, "make its move to 2 processors again");
}

static void finds_failures_in_a_schedule_without_any(void **state)
{
    struct scene scene = sound();

    (void)state;
    scene.declared.fault_free = true;
    expect(&scene, CS_VIOLATION_FAILURES, "7 failures in a fault-free schedule");
    expect(&scene, CS_VIOLATION_DURATION, "kind checkpoint that starts at 200 s and lasts 4 s");
}

static void finds_wrong_areas_and_bounds(void **state)
{
    struct scene scene = sound();
    double *area = &scene.declared.areas.work;
    static const char *const split[] = {"work", "checkpoint", "lost", "down", "move", "idle"};
    char text[64];

    (void)state;
    for (int i = 0; i < 6; i++) {
        scene = sound();
        area[i] += 1e-3;
        snprintf(text, sizeof text, "the declared area \"%s\" is", split[i]);
        expect(&scene, CS_VIOLATION_DECLARED_AREA, text);
    }
    expect(&scene, CS_VIOLATION_DECLARED_AREA, "processors times makespan is 7434");
    scene = sound();
    scene.declared.lower_bound = 826.5;
    expect(&scene, CS_VIOLATION_DECLARED_BOUND, "is 826.5 s: the schedule ends at 826 s");
}

static void finds_tasks_of_another_instance(void **state)
{
    static const double times[] = {INFINITY, INFINITY, 400, 250};
    struct scene scene = sound();

    (void)state;
    scene.name = "c";
    expect(&scene, CS_VIOLATION_INSTANCE, "task 0 is \"a\" in the schedule and \"c\" in the");
    scene = sound();
    scene.profile[0] = (struct cs_profile){.kind = CS_PROFILE_TABLE, .count = 4, .seconds = times};
    expect(&scene, CS_VIOLATION_TOO_FEW_PROCS, "\"a\" cannot run on the 2 processors");
}

/* A task with a table, and the layout of equal pieces: K = 4 pieces of 125 s on 2. */
static void knows_tables_and_equal_pieces(void **state)
{
    static const double times[] = {INFINITY, 500, 500, 300};
    struct scene scene = sound();
    double at = 0;

    (void)state;
    scene.profile[0] = (struct cs_profile){.kind = CS_PROFILE_TABLE, .count = 4, .seconds = times};
    scene.declared.tail = true;
    scene.declared.kappa = 0.13;
    scene.declared.faults = 0;
    scene.declared.fatal = -1;
    scene.declared.has_areas = false;
    scene.bars = 7;
    for (int b = 0; b < 7; b++) {
        double end = at + (b % 2 ? 4 : 125);

        scene.bar[b] =
            (struct cs_bar){b % 2 ? CS_BAR_CHECKPOINT : CS_BAR_WORK, 0, 1, -1, at, end, 1, &low};
        at = end;
    }
    scene.bars = 8;
    scene.profile[1].seq_time = 100;
    scene.bar[7] = (struct cs_bar){CS_BAR_WORK, 1, 1, -1, 0, 50, 1, &pair};
    passes(&scene);
    scene.declared.kappa = 1;
    expect(&scene, CS_VIOLATION_PERIOD, "computes from 0 s for 125 s before a checkpoint");
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(lets_a_sound_schedule_pass),
        cmocka_unit_test(finds_processors_used_twice_and_too_many),
        cmocka_unit_test(finds_sets_that_are_not_whole_pairs),
        cmocka_unit_test(finds_sets_that_change_within_a_segment),
        cmocka_unit_test(finds_processors_swapped_for_others),
        cmocka_unit_test(finds_a_task_that_waits),
        cmocka_unit_test(finds_segments_that_are_not_counted),
        cmocka_unit_test(finds_work_that_is_missing_or_done_twice),
        cmocka_unit_test(finds_wrong_durations),
        cmocka_unit_test(finds_bars_left_out_of_a_segment),
        cmocka_unit_test(finds_a_new_segment_without_a_reason),
        cmocka_unit_test(finds_wrong_periods),
        cmocka_unit_test(finds_work_that_should_be_lost),
        cmocka_unit_test(finds_failures_where_nothing_strikes),
        cmocka_unit_test(finds_failures_that_are_not_in_the_list),
        cmocka_unit_test(finds_failures_with_another_effect),
        cmocka_unit_test(finds_failures_miscounted_as_fatal),
        cmocka_unit_test(finds_redistributions_without_a_reason),
        cmocka_unit_test(finds_failures_in_a_schedule_without_any),
        cmocka_unit_test(finds_wrong_areas_and_bounds),
        cmocka_unit_test(finds_tasks_of_another_instance),
        cmocka_unit_test(knows_tables_and_equal_pieces),
    };

    return cmocka_run_group_tests(all, NULL, NULL);
}
