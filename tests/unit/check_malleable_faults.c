/* check_malleable_faults: the same schedule, with failures and their effects that are not so. */
#include "unit/malleable_scene.h"

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
        {1, "rollback", "a decision on failures"},
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
    expect(&scene, CS_VIOLATION_FAILURES, "\"b\" computes or saves moved data at that time");
    scene.fault[5].time = 400;
    expect(&scene, CS_VIOLATION_FAILURES, "\"b\" computes or saves moved data at that time");
    scene = sound();
    scene.declared.on_failure = "none";
    expect(&scene, CS_VIOLATION_FAILURES, "no decision on failures");
}

static void finds_failures_miscounted_as_fatal(void **state)
{
    struct scene scene = sound();

    (void)state;
    scene.declared.fatal = 0;
    expect(&scene, CS_VIOLATION_FAILURES, "0 failures are declared fatal in reality: the list");
    scene = sound();
    scene.fault[2].time = 270;
    expect(&scene, CS_VIOLATION_FAILURES, "1 failures are declared fatal in reality: the list");
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

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(finds_failures_where_nothing_strikes),
        cmocka_unit_test(finds_failures_that_are_not_in_the_list),
        cmocka_unit_test(finds_failures_with_another_effect),
        cmocka_unit_test(finds_failures_miscounted_as_fatal),
        cmocka_unit_test(finds_redistributions_without_a_reason),
        cmocka_unit_test(finds_failures_in_a_schedule_without_any),
    };

    return cmocka_run_group_tests(all, NULL, NULL);
}
