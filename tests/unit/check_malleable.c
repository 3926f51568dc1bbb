/* check_malleable: a schedule worked out by hand, its bars and sums broken in every way. */
#include "unit/malleable_scene.h"

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
    expect(&scene, CS_VIOLATION_SEGMENT, "kind downtime at 522 s: computation resumes here");
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
    scene.declared.rules.period_factor = 0.5;
    expect(&scene, CS_VIOLATION_PERIOD, "its period allows 100 s");
    scene = sound();
    scene.declared.rules.period_factor = 1e308;
    expect(&scene, CS_VIOLATION_PERIOD, "its period allows inf s");
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
    expect(&scene, CS_VIOLATION_DECLARED_BOUND, "is 826.5: it must be from 0 to 826");
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
    scene.declared.rules.layout = CS_MALLEABLE_TAIL;
    scene.declared.rules.kappa = 0.13;
    scene.declared.lower_bound = NAN;
    scene.declared.faults = 0;
    scene.declared.fatal = -1;
    scene.declared.has_areas = false;
    scene.bars = 7;
    for (int b = 0; b < 7; b++) {
        double end = at + (b % 2 ? 4 : 125);

        scene.bar[b] =
            (struct cs_bar){b % 2 ? CS_BAR_CHECKPOINT : CS_BAR_WORK, 0, 1, -1, at, end, 1, &low, 0};
        at = end;
    }
    scene.bars = 8;
    scene.profile[1].seq_time = 100;
    scene.bar[7] = (struct cs_bar){CS_BAR_WORK, 1, 1, -1, 0, 50, 1, &pair, 0};
    passes(&scene);
    scene.declared.rules.kappa = 1;
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
        cmocka_unit_test(finds_wrong_areas_and_bounds),
        cmocka_unit_test(finds_tasks_of_another_instance),
        cmocka_unit_test(knows_tables_and_equal_pieces),
    };

    return cmocka_run_group_tests(all, NULL, NULL);
}
