/* malleable_check: the checker passes what the simulator does, and sees what is changed. */
#include "check/check.h"
#include "problems/malleable/problem.h"
#include "problems/malleable/simulate.h"
#include "unit/kit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS 400

static uint64_t state_of_chance = 2463534242u;

static int chance(int below)
{
    state_of_chance ^= state_of_chance << 13;
    state_of_chance ^= state_of_chance >> 7;
    state_of_chance ^= state_of_chance << 17;
    return (int)(state_of_chance % (uint64_t)below);
}

static const char *const names[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};

/* Formulas and, now and then, times measured on some numbers of processors. */
static struct cs_workload *draw_workload(int tasks, double *checkpoint, double *data)
{
    static const int procs[] = {1, 2, 4, 5, 8, 16};
    static const double seconds[] = {900, 480, 250, 255, 120, 118};
    struct cs_profile profile[9];
    struct cs_workload *workload;

    for (int i = 0; i < tasks; i++) {
        profile[i] = (struct cs_profile){.kind = CS_PROFILE_COMMUNICATION,
                                         .seq_time = 500 + 100 * chance(20),
                                         .seq_fraction = chance(3) * 0.04,
                                         .overhead = chance(2) * 50};
        if (chance(4) == 0)
            profile[i] = (struct cs_profile){
                .kind = CS_PROFILE_POINTS, .count = 6, .procs = procs, .seconds = seconds};
        checkpoint[i] = 1 + chance(30);
        data[i] = chance(4) ? chance(200) : 0;
    }
    workload = cs_workload_create(tasks, names, profile, NULL);
    workload->checkpoint = checkpoint;
    workload->data = data;
    return workload;
}

static struct cs_malleable_rules draw_rules(void)
{
    struct cs_malleable_rules rules = cs_malleable_rules_paper();

    rules.on_end = chance(3);
    rules.on_failure = chance(4);
    rules.layout = chance(3) ? CS_MALLEABLE_YOUNG : CS_MALLEABLE_TAIL;
    rules.period_factor = chance(2) ? 1 : 0.3;
    rules.hysteresis = chance(2) * 0.02;
    rules.minimal_disruption = chance(2);
    rules.wake = chance(2);
    return rules;
}

struct run {
    struct cs_workload *workload;
    struct cs_malleable_instance *instance;
    struct cs_malleable_trace *trace;
    struct cs_malleable_record *record;
    const struct cs_malleable_declared *declared;
    struct cs_arena *arena;
    double checkpoint[9], data[9];
};

static void play(struct run *run, int seed)
{
    const int tasks = 1 + chance(9);
    const struct cs_malleable_platform platform = {.procs = 2 * tasks + chance(30),
                                                   .mtbf = chance(5) ? 2000 + 3000 * chance(4)
                                                                     : INFINITY,
                                                   .downtime = chance(3) * 5,
                                                   .fault_free = chance(8) == 0};
    const struct cs_malleable_failures failures = {
        .procs = platform.procs, .mtbf = platform.mtbf, .seed = (uint64_t)seed};
    const struct cs_malleable_rules rules = draw_rules();
    struct cs_error err = {0};

    run->arena = cs_arena_create();
    run->workload = draw_workload(tasks, run->checkpoint, run->data);
    run->instance = cs_malleable_instance_from_workload(run->workload, NAN, NAN, &platform, &err);
    run->trace = run->instance ? cs_malleable_trace_draw(&failures, &err) : NULL;
    run->record = run->trace
                      ? cs_malleable_record_create(run->instance, &rules, NULL, run->trace, &err)
                      : NULL;
    if (!run->record)
        fail_msg("round %d: %s", seed, err.text);
    run->declared = cs_malleable_declare(run->instance, &rules, run->record, run->arena);
}

static void stop(struct run *run)
{
    cs_malleable_record_destroy(run->record);
    cs_malleable_trace_destroy(run->trace);
    cs_malleable_instance_destroy(run->instance);
    cs_workload_destroy(run->workload);
    cs_arena_destroy(run->arena);
}

static struct cs_check_report *judge(const struct run *run, const struct cs_schedule *schedule)
{
    struct cs_check_report *report = cs_check_report_create(20);

    cs_check_malleable(schedule, run->workload, run->declared, report);
    return report;
}

static void every_simulated_schedule_is_valid(void **state)
{
    int effects[128] = {0}, moves = 0;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        struct run run;
        struct cs_check_report *report;

        play(&run, round);
        report = judge(&run, run.record->schedule);
        for (size_t i = 0; i < report->count; i++)
            print_message("# round %d: %s\n", round, report->item[i].text);
        assert_int_equal(report->total, 0);
        for (int i = 0; i < run.record->marks; i++)
            effects[run.record->mark[i].effect]++;
        moves += (int)run.record->outcome.moved;
        cs_check_report_destroy(report);
        stop(&run);
    }
    for (int effect = CS_MALLEABLE_IDLE; effect <= CS_MALLEABLE_ROLLBACK_REDISTRIBUTED; effect++)
        if (!effects[effect])
            fail_msg("no failure had the effect %s", cs_malleable_effect_name(effect));
    assert_true(moves > ROUNDS);
}

/* A copy with one bar a little longer, or of another kind, or on other processors. */
static struct cs_schedule *spoil(const struct cs_schedule *from, size_t spoilt, int variant)
{
    struct cs_schedule *to =
        cs_schedule_create("malleable", cs_schedule_procs(from), cs_schedule_tasks(from), names);
    size_t bars;
    const struct cs_bar *bar = cs_schedule_bars(from, &bars);

    for (size_t i = 0; i < bars; i++) {
        struct cs_bar copy = bar[i];

        if (i == spoilt && variant == 0)
            copy.end += 1e-4 * copy.end;
        if (i == spoilt && variant == 1)
            copy.start += 1e-3 * (copy.end - copy.start);
        if (i == spoilt && variant == 2)
            copy.kind = copy.kind == CS_BAR_WORK ? CS_BAR_LOST : CS_BAR_WORK;
        if (i == spoilt && variant == 3)
            copy.attempt++;
        if (i != spoilt || variant != 4)
            cs_schedule_add(to, &copy, NULL);
    }
    return to;
}

static void every_change_of_a_bar_is_seen(void **state)
{
    (void)state;
    for (int round = 0; round < 60; round++) {
        struct run run;
        size_t bars;

        play(&run, round);
        cs_schedule_bars(run.record->schedule, &bars);
        for (int variant = 0; variant < 5; variant++) {
            struct cs_schedule *wrong =
                spoil(run.record->schedule, (size_t)chance((int)bars), variant);
            struct cs_check_report *report = judge(&run, wrong);

            if (!report->total)
                fail_msg("round %d: change %d goes unseen", round, variant);
            cs_check_report_destroy(report);
            cs_schedule_destroy(wrong);
        }
        stop(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_simulated_schedule_is_valid),
        cmocka_unit_test(every_change_of_a_bar_is_seen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
