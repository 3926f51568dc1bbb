/* malleable_run: simulations worked out by hand, among them the traps of spec/malleable.md 14. */
#include "problems/malleable/simulate.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

#define MOST 64

/* What a run tells, event by event. */
struct history {
    int events;
    enum cs_malleable_event_kind kind[MOST];
    enum cs_malleable_effect effect[MOST];
    bool fatal[MOST];
    double time[MOST];
    struct cs_malleable_state state[MOST][3];
    int tasks;
    struct cs_malleable_outcome outcome;
    double end[3];
};

static void hear(void *who, const struct cs_malleable_event *event)
{
    struct history *history = who;
    const int at = history->events++;

    assert_true(at < MOST);
    history->kind[at] = event->kind;
    history->effect[at] = event->effect;
    history->fatal[at] = event->fatal;
    history->time[at] = event->time;
    memcpy(history->state[at], event->state, (size_t)history->tasks * sizeof *event->state);
}

/* Task i takes seconds[i] on one processor, in proportion on more; C = 8, m = 100; MTBF 10000 s,
 * D = 10 s.  On two processors a period is 200 s of work and a checkpoint of 4 s. */
struct play {
    int tasks, procs;
    double seconds[3];
    int on_end, on_failure;
    bool wake, fault_free;
    double hysteresis;
    int faults;
    struct cs_fault fault[8];
};

static struct cs_malleable_instance *instance_of(const struct play *play)
{
    const struct cs_malleable_platform platform = {
        .procs = play->procs, .mtbf = 10000, .downtime = 10, .fault_free = play->fault_free};
    struct cs_malleable_task task[3];

    for (int i = 0; i < play->tasks; i++)
        task[i] =
            (struct cs_malleable_task){.seconds = play->seconds[i], .checkpoint = 8, .data = 100};
    return cs_malleable_instance_create(play->tasks, task, &platform, NULL);
}

static struct cs_malleable_rules rules_of(const struct play *play)
{
    struct cs_malleable_rules rules = cs_malleable_rules_paper();

    rules.on_end = play->on_end;
    rules.on_failure = play->on_failure;
    rules.wake = play->wake;
    rules.hysteresis = play->hysteresis;
    return rules;
}

static struct history report(struct play play)
{
    struct cs_malleable_instance *in = instance_of(&play);
    const struct cs_malleable_rules rules = rules_of(&play);
    struct cs_malleable_trace *trace =
        cs_malleable_trace_list((size_t)play.faults, play.fault, NULL);
    struct cs_malleable_simulation *simulation = cs_malleable_simulation_create(in, &rules, NULL);
    struct history history = {.tasks = play.tasks};
    struct cs_malleable_areas *a = &history.outcome.area;

    cs_malleable_simulation_run(simulation, trace,
                                &(struct cs_malleable_observer){.event = hear, .who = &history},
                                &history.outcome);
    memcpy(history.end, history.outcome.end, (size_t)play.tasks * sizeof *history.end);
    assert_true(fabs(a->work + a->checkpoint + a->lost + a->down + a->move + a->idle -
                     play.procs * history.outcome.makespan) <=
                1e-9 * play.procs * history.outcome.makespan);
    cs_malleable_simulation_destroy(simulation);
    cs_malleable_trace_destroy(trace);
    cs_malleable_instance_destroy(in);
    return history;
}

static void assert_near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * fabs(want)))
        fail_msg("%.17g is not %.17g", got, want);
}

static void without_failures_checkpoints_are_all_that_is_added(void **state)
{
    const struct history s = report((struct play){.tasks = 2, .procs = 4, .seconds = {1000, 600}});

    (void)state;
    assert_near(s.end[0], 508);
    assert_near(s.end[1], 304);
    assert_near(s.outcome.makespan, 508);
    assert_near(s.outcome.area.checkpoint, 2 * 8 + 2 * 4);
    assert_near(s.outcome.area.idle, 2 * 204);
    assert_int_equal(s.events, 3);
    assert_near(s.outcome.gap, 508 / 400. - 1);
}

/* 400 s are two whole periods: the checkpoint at the very end is kept. */
static void a_checkpoint_at_the_very_end_is_kept(void **state)
{
    const struct history s = report((struct play){.tasks = 1, .procs = 2, .seconds = {800}});

    (void)state;
    assert_near(s.end[0], 408);
    assert_near(s.outcome.area.checkpoint, 16);
}

static void a_failure_throws_away_what_no_checkpoint_saves(void **state)
{
    const struct history s = report((struct play){
        .tasks = 2, .procs = 4, .seconds = {1000, 600}, .faults = 1, .fault = {{450, 1}}});

    (void)state;
    assert_int_equal(s.effect[2], CS_MALLEABLE_ROLLBACK);
    assert_near(s.state[2][0].alpha, 0.2);
    assert_near(s.state[2][0].start, 450 + 10 + 4);
    assert_near(s.end[0], 564);
    assert_near(s.outcome.area.lost, 2 * 42);
    assert_near(s.outcome.area.down, 2 * 14);
}

/* Trap of the paper's progress formula: an unfinished checkpoint saves nothing and is no work. */
static void a_failure_in_a_checkpoint_loses_the_whole_period(void **state)
{
    const struct history s = report((struct play){
        .tasks = 2, .procs = 4, .seconds = {1000, 600}, .faults = 1, .fault = {{203, 0}}});

    (void)state;
    assert_true(s.state[1][0].alpha == 1);
    assert_near(s.end[0], 203 + 14 + 508);
    assert_near(s.outcome.area.lost, 406);
}

static void failures_while_a_task_is_down_are_ignored_but_the_buddy_would_be_fatal(void **state)
{
    const struct history s = report((struct play){
        .tasks = 2,
        .procs = 4,
        .seconds = {1000, 1000},
        .faults = 5,
        .fault = {{300, 0}, {305, 0}, {311, 1}, {312, 2}, {313, 0}},
    });

    (void)state;
    assert_int_equal(s.outcome.failures_hit, 2);
    assert_int_equal(s.outcome.ignored, 3);
    assert_int_equal(s.outcome.fatal_in_reality, 1);
    assert_true(!s.fatal[2] && s.fatal[3] && !s.fatal[5]);
    assert_near(s.end[0], 314 + 408 - 204 + 100 - 0);
}

static void processors_of_nobody_are_idle(void **state)
{
    const struct history s = report((struct play){
        .tasks = 2,
        .procs = 5,
        .seconds = {1000, 600},
        .faults = 4,
        .fault = {{100, 4}, {120, 9}, {304, 3}, {400, 2}},
    });

    (void)state;
    assert_int_equal(s.outcome.idle, 4);
    assert_int_equal(s.outcome.failures_hit, 0);
    assert_int_equal(s.kind[3], CS_MALLEABLE_END); /* at 304 the end comes first */
    assert_near(s.outcome.makespan, 508);
}

static void failures_at_one_time_come_in_their_order(void **state)
{
    const struct history s = report((struct play){
        .tasks = 1, .procs = 2, .seconds = {1000}, .faults = 3, .fault = {{0, 1}, {0, 1}, {0, 0}}});

    (void)state;
    assert_int_equal(s.effect[1], CS_MALLEABLE_ROLLBACK);
    assert_int_equal(s.effect[2], CS_MALLEABLE_IGNORED);
    assert_true(!s.fatal[2] && s.fatal[3]);
    assert_near(s.end[0], 14 + 508);
}

static void a_failure_at_the_very_start_of_work_strikes(void **state)
{
    const struct history s = report((struct play){
        .tasks = 1, .procs = 2, .seconds = {1000}, .faults = 2, .fault = {{100, 0}, {114, 1}}});

    (void)state;
    assert_int_equal(s.effect[2], CS_MALLEABLE_ROLLBACK);
    assert_near(s.end[0], 114 + 14 + 508);
    assert_near(s.outcome.area.lost, 200);
}

static void tasks_that_end_together_are_one_event(void **state)
{
    const struct history s = report((struct play){
        .tasks = 3, .procs = 6, .seconds = {600, 600, 4000}, .on_end = CS_MALLEABLE_END_LOCAL});

    (void)state;
    assert_int_equal(s.events, 3);
    assert_int_equal(s.effect[1], CS_MALLEABLE_REDISTRIBUTED);
    assert_int_equal(s.state[1][2].procs, 6);
}

/* Task 0 has done 300 s at 304, 200 of them saved; it moves to 4 processors: 25 s, and a checkpoint
 * of 2 s until 331.  That fails at 330: down and recovering for 10 + 8/2 s, moving again for 25,
 * saving for 2, from the older checkpoint; and once more at 370. */
static struct play interrupted(void)
{
    return (struct play){
        .tasks = 2,
        .procs = 4,
        .seconds = {4000, 600},
        .on_end = CS_MALLEABLE_END_LOCAL,
        .faults = 4,
        .fault = {{310, 3}, {330, 0}, {340, 1}, {370, 2}},
    };
}

static void a_failure_in_the_checkpoint_of_a_move_makes_the_move_again(void **state)
{
    const struct history s = report(interrupted());

    (void)state;
    assert_near(s.state[1][0].alpha, 0.85);
    assert_near(s.state[1][0].start, 331);
    assert_int_equal(s.effect[2], CS_MALLEABLE_IGNORED);
    assert_int_equal(s.effect[3], CS_MALLEABLE_INITIAL_CHECKPOINT);
    assert_near(s.state[3][0].alpha, 0.9);
    assert_near(s.state[3][0].start, 330 + 14 + 25 + 2);
    assert_int_equal(s.state[3][0].procs, 4);
    assert_int_equal(s.effect[4], CS_MALLEABLE_IGNORED);
    assert_true(s.fatal[4]);
    assert_int_equal(s.effect[5], CS_MALLEABLE_INITIAL_CHECKPOINT);
    assert_near(s.end[0], 411 + 918);
    assert_int_equal(s.outcome.initial_checkpoint, 2);
    assert_near(s.outcome.area.lost, 2 * 100);
    assert_near(s.outcome.area.down, 4 * 28);
    assert_near(s.outcome.area.move, 4 * (26 + 26 + 27));
    assert_near(s.outcome.area.work, 4000 + 600);
}

static void the_bars_of_such_a_task_show_what_was_lost(void **state)
{
    const struct {
        enum cs_bar_kind kind;
        int attempt;
        double start, end;
    } want[] = {
        {CS_BAR_WORK, 1, 0, 200},         {CS_BAR_CHECKPOINT, 1, 200, 204},
        {CS_BAR_LOST, 1, 204, 304},       {CS_BAR_MOVE, 2, 304, 329},
        {CS_BAR_CHECKPOINT, 2, 329, 330}, {CS_BAR_DOWNTIME, 3, 330, 340},
        {CS_BAR_RECOVERY, 3, 340, 344},   {CS_BAR_MOVE, 3, 344, 369},
        {CS_BAR_CHECKPOINT, 3, 369, 370}, {CS_BAR_DOWNTIME, 4, 370, 380},
        {CS_BAR_RECOVERY, 4, 380, 384},   {CS_BAR_MOVE, 4, 384, 409},
        {CS_BAR_CHECKPOINT, 4, 409, 411}, {CS_BAR_WORK, 4, 411, 511},
    };
    const struct play play = interrupted();
    struct cs_malleable_instance *in = instance_of(&play);
    const struct cs_malleable_rules rules = rules_of(&play);
    struct cs_malleable_trace *trace = cs_malleable_trace_list(4, play.fault, NULL);
    struct cs_malleable_record *record = cs_malleable_record_create(in, &rules, NULL, trace, NULL);
    const struct cs_bar *bar;
    size_t count, at = 0;

    (void)state;
    bar = cs_schedule_bars(record->schedule, &count);
    for (size_t b = 0; b < count && at < sizeof want / sizeof *want; b++) {
        if (bar[b].task != 0)
            continue;
        assert_int_equal(bar[b].kind, want[at].kind);
        assert_int_equal(bar[b].attempt, want[at].attempt);
        assert_near(bar[b].start + 1, want[at].start + 1);
        assert_near(bar[b].end, want[at].end);
        assert_int_equal(bar[b].procs[0].first, 0);
        assert_int_equal(bar[b].procs[0].last, want[at].attempt == 1 ? 1 : 3);
        at++;
    }
    assert_int_equal(at, sizeof want / sizeof *want);
    assert_int_equal(record->marks, 7);
    assert_int_equal(record->mark[1].ended_task[0], 1);
    cs_malleable_record_destroy(record);
    cs_malleable_trace_destroy(trace);
    cs_malleable_instance_destroy(in);
}

/* Task 1 ends at 304 while task 0 is down until 314. */
static void processors_freed_while_a_task_is_down_are_lost_unless_it_wakes(void **state)
{
    struct play play = {
        .tasks = 2,
        .procs = 4,
        .seconds = {4000, 600},
        .on_end = CS_MALLEABLE_END_LOCAL,
        .on_failure = CS_MALLEABLE_FAILURE_GREEDY,
        .faults = 1,
        .fault = {{300, 0}},
    };
    struct history s = report(play);

    (void)state;
    assert_near(s.outcome.makespan, 2150);
    play.wake = true;
    s = report(play);
    assert_int_equal(s.kind[3], CS_MALLEABLE_WAKE);
    assert_near(s.time[3], 314);
    assert_near(s.outcome.makespan, 1259);
    play.on_end = CS_MALLEABLE_END_NONE;
    assert_near(report(play).outcome.makespan, 2150);
}

/* Three tasks on 8 processors each; at 800 task 0 loses two thirds of what it has done. */
static const struct play steal = {
    .tasks = 3,
    .procs = 24,
    .seconds = {8000, 8000, 7000},
    .on_failure = CS_MALLEABLE_FAILURE_SHORTEST,
    .faults = 1,
    .fault = {{800, 0}},
};

static void as_printed_nobody_gives_when_nothing_is_free(void **state)
{
    struct play play = steal;
    struct history s = report(play);

    (void)state;
    assert_int_equal(s.effect[1], CS_MALLEABLE_ROLLBACK_REDISTRIBUTED);
    assert_int_equal(s.state[1][0].procs, 12);
    assert_int_equal(s.state[1][2].procs, 4);
    assert_near(s.outcome.makespan, 1020);
    assert_int_equal(s.outcome.plans, 1);
    assert_int_equal(s.outcome.moved, 2);
    play.on_failure = CS_MALLEABLE_FAILURE_SHORTEST_PRINTED;
    s = report(play);
    assert_int_equal(s.effect[1], CS_MALLEABLE_ROLLBACK_NO_BETTER_PLAN);
    assert_int_equal(s.outcome.plans, 0);
}

/* The largest expected finish, counted from 800, falls from about 272 to 250 s, that of task 1. */
static void hysteresis_refuses_plans_that_gain_too_little(void **state)
{
    struct play play = steal;

    (void)state;
    play.hysteresis = 0.06;
    assert_int_equal(report(play).outcome.plans, 1);
    play.hysteresis = 0.1;
    assert_int_equal(report(play).outcome.plans, 0);
}

static void a_failure_of_a_task_that_is_not_the_longest_plans_nothing(void **state)
{
    struct play play = steal;
    struct history s;

    (void)state;
    play.fault[0] = (struct cs_fault){110, 23};
    s = report(play);
    assert_int_equal(s.effect[1], CS_MALLEABLE_ROLLBACK_NOT_LONGEST);
}

/* Task 1 ends at 520, before task 0 is back at 521: its processors come at its real end. */
static void who_ends_before_the_failed_task_is_back_is_left_out_of_the_plan(void **state)
{
    const struct history s = report((struct play){
        .tasks = 2,
        .procs = 8,
        .seconds = {2040, 2040},
        .on_failure = CS_MALLEABLE_FAILURE_GREEDY,
        .faults = 1,
        .fault = {{509, 0}},
    });

    (void)state;
    assert_int_equal(s.effect[1], CS_MALLEABLE_ROLLBACK_NO_BETTER_PLAN);
    assert_int_equal(s.state[1][1].procs, 4);
    assert_near(s.end[0], 521 + 112);
}

static void attempts_count_from_1_even_when_the_first_failure_comes_at_once(void **state)
{
    const struct play play = {.tasks = 1, .procs = 2, .seconds = {100}};
    const struct cs_fault fault = {0, 0};
    struct cs_malleable_instance *in = instance_of(&play);
    const struct cs_malleable_rules rules = rules_of(&play);
    struct cs_malleable_trace *trace = cs_malleable_trace_list(1, &fault, NULL);
    struct cs_malleable_record *record = cs_malleable_record_create(in, &rules, NULL, trace, NULL);
    size_t count;
    const struct cs_bar *bar = cs_schedule_bars(record->schedule, &count);

    (void)state;
    assert_int_equal(count, 3);
    for (size_t b = 0; b < count; b++)
        assert_int_equal(bar[b].attempt, 1);
    cs_malleable_record_destroy(record);
    cs_malleable_trace_destroy(trace);
    cs_malleable_instance_destroy(in);
}

/* The donor gives its highest pairs, the receiver takes the lowest that are free. */
static void pairs_change_hands_in_order(void **state)
{
    struct cs_malleable_instance *in = instance_of(&steal);
    const struct cs_malleable_rules rules = rules_of(&steal);
    struct cs_malleable_trace *trace = cs_malleable_trace_list(1, steal.fault, NULL);
    struct cs_malleable_record *record = cs_malleable_record_create(in, &rules, NULL, trace, NULL);
    size_t count, seen = 0;
    const struct cs_bar *bar = cs_schedule_bars(record->schedule, &count);

    (void)state;
    for (size_t b = 0; b < count; b++) {
        if (bar[b].start < 800 || bar[b].task == 1)
            continue;
        seen++;
        if (bar[b].task == 0) {
            assert_int_equal(bar[b].intervals, 2);
            assert_int_equal(bar[b].procs[0].last, 7);
            assert_int_equal(bar[b].procs[1].first, 20);
            assert_int_equal(bar[b].procs[1].last, 23);
        } else {
            assert_int_equal(bar[b].intervals, 1);
            assert_int_equal(bar[b].procs[0].first, 16);
            assert_int_equal(bar[b].procs[0].last, 19);
        }
    }
    assert_true(seen >= 6);
    cs_malleable_record_destroy(record);
    cs_malleable_trace_destroy(trace);
    cs_malleable_instance_destroy(in);
}

static void identical_tasks_are_served_in_the_order_of_their_indices(void **state)
{
    const struct history s =
        report((struct play){.tasks = 3, .procs = 8, .seconds = {1000, 1000, 1000}});

    (void)state;
    assert_int_equal(s.state[0][0].procs, 4);
    assert_int_equal(s.state[0][1].procs, 2);
    assert_int_equal(s.state[0][2].procs, 2);
}

static void a_fault_free_run_moves_for_the_price_of_the_data_alone(void **state)
{
    const struct history s = report((struct play){
        .tasks = 2,
        .procs = 4,
        .seconds = {4000, 600},
        .on_end = CS_MALLEABLE_END_LOCAL,
        .fault_free = true,
        .faults = 1,
        .fault = {{10, 0}},
    });

    (void)state;
    assert_int_equal(s.events, 3);
    assert_near(s.end[1], 300);
    assert_near(s.state[1][0].start, 325);
    assert_near(s.end[0], 325 + 850);
    assert_true(s.outcome.area.checkpoint == 0 && s.outcome.area.down == 0);
    assert_near(s.outcome.area.move, 100);
}

/* A period of sqrt(2 * 0.05 * 0.5) + 0.5 s on two processors that fail every 0.05 s together. */
static void without_progress_a_run_is_given_up(void **state)
{
    const struct cs_malleable_task task = {.seconds = 1000, .checkpoint = 1};
    const struct cs_malleable_platform platform = {.procs = 2, .mtbf = 0.02};
    const struct cs_malleable_failures law = {.procs = 2, .mtbf = 0.02};
    struct cs_malleable_instance *in = cs_malleable_instance_create(1, &task, &platform, NULL);
    const struct cs_malleable_rules rules = cs_malleable_rules_paper();
    struct cs_malleable_trace *trace = cs_malleable_trace_draw(&law, NULL);
    struct cs_malleable_simulation *simulation = cs_malleable_simulation_create(in, &rules, NULL);
    struct cs_malleable_outcome outcome;

    (void)state;
    cs_malleable_simulation_run(simulation, trace, NULL, &outcome);
    assert_true(outcome.no_progress);
    assert_true(outcome.makespan == INFINITY && outcome.end[0] == INFINITY);
    assert_int_equal(outcome.failures, CS_MALLEABLE_FAILURES);
    assert_true(isnan(outcome.area.work));
    cs_malleable_simulation_destroy(simulation);
    cs_malleable_trace_destroy(trace);
    cs_malleable_instance_destroy(in);
}

static void a_simulation_under_wrong_rules_is_refused(void **state)
{
    const struct play play = steal;
    struct cs_malleable_instance *in = instance_of(&play);
    struct cs_malleable_rules rules = rules_of(&play);
    struct cs_error err = {0}, again = {0};

    (void)state;
    rules.kappa = 0;
    assert_null(cs_malleable_simulation_create(in, &rules, &err));
    assert_string_equal(err.text, "kappa is 0, it must be a positive number");
    assert_null(cs_malleable_record_create(in, &rules, NULL, NULL, &again));
    assert_string_equal(again.text, err.text);
    cs_malleable_instance_destroy(in);
}

static void words_are_those_of_files(void **state)
{
    (void)state;
    assert_string_equal(cs_malleable_law_name(CS_MALLEABLE_WEIBULL), "weibull");
    assert_null(cs_malleable_law_name(3));
    assert_string_equal(cs_malleable_event_kind_name(CS_MALLEABLE_FAILURE), "fault");
    assert_null(cs_malleable_event_kind_name(0));
    assert_string_equal(cs_malleable_effect_name(CS_MALLEABLE_ROLLBACK_REDISTRIBUTED),
                        "rollback-redistributed");
    assert_null(cs_malleable_effect_name(-1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_failures_checkpoints_are_all_that_is_added),
        cmocka_unit_test(a_checkpoint_at_the_very_end_is_kept),
        cmocka_unit_test(a_failure_throws_away_what_no_checkpoint_saves),
        cmocka_unit_test(a_failure_in_a_checkpoint_loses_the_whole_period),
        cmocka_unit_test(failures_while_a_task_is_down_are_ignored_but_the_buddy_would_be_fatal),
        cmocka_unit_test(processors_of_nobody_are_idle),
        cmocka_unit_test(failures_at_one_time_come_in_their_order),
        cmocka_unit_test(a_failure_at_the_very_start_of_work_strikes),
        cmocka_unit_test(tasks_that_end_together_are_one_event),
        cmocka_unit_test(a_failure_in_the_checkpoint_of_a_move_makes_the_move_again),
        cmocka_unit_test(the_bars_of_such_a_task_show_what_was_lost),
        cmocka_unit_test(processors_freed_while_a_task_is_down_are_lost_unless_it_wakes),
        cmocka_unit_test(as_printed_nobody_gives_when_nothing_is_free),
        cmocka_unit_test(hysteresis_refuses_plans_that_gain_too_little),
        cmocka_unit_test(a_failure_of_a_task_that_is_not_the_longest_plans_nothing),
        cmocka_unit_test(who_ends_before_the_failed_task_is_back_is_left_out_of_the_plan),
        cmocka_unit_test(attempts_count_from_1_even_when_the_first_failure_comes_at_once),
        cmocka_unit_test(pairs_change_hands_in_order),
        cmocka_unit_test(identical_tasks_are_served_in_the_order_of_their_indices),
        cmocka_unit_test(a_fault_free_run_moves_for_the_price_of_the_data_alone),
        cmocka_unit_test(without_progress_a_run_is_given_up),
        cmocka_unit_test(a_simulation_under_wrong_rules_is_refused),
        cmocka_unit_test(words_are_those_of_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
