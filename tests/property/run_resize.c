/* run_resize.c - applications are resized whatever happens: stops that take any time, deaf ones,
 * those that turn out to be done, failures and losses on the way, slots that go and come.
 *
 * The decider is driven by events that a machine could bring, in any order.  Nobody waits when
 * nothing runs, every application ends, no slot is given twice (round.c would abort), and the same
 * events give the same actions.
 */
#include "base/arena.h"
#include "base/rng.h"
#include "model/workload.h"
#include "run/round.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TASKS 7
#define SLOTS 20
#define GROWN 26
#define MOST 4000 /* rounds of a set */

static int sets = 10000;
static struct cs_run_checkpoint checkpoint[2];
static struct cs_run_settings settings[2];

struct world {
    struct cs_rng rng;
    struct cs_run run;
    struct cs_run_setup setup;
    struct cs_run_task task[TASKS];
    struct cs_arena *arena;
    double left[TASKS]; /* of the application itself */
    int64_t begun[TASKS];
    bool down[GROWN];
    int slots, downs, losses;
    double now;
    uint64_t digest;
};

static double draw(struct world *w)
{
    return cs_rng_open(&w->rng);
}

static bool happens(struct world *w, double chance)
{
    return draw(w) < chance;
}

static void open_world(struct world *w, int set)
{
    struct cs_profile profile[TASKS];
    const char *name[TASKS] = {"a", "b", "c", "d", "e", "f", "g"};
    double costs[TASKS];
    struct cs_error err = {0};
    bool pairs;
    int tasks;

    *w = (struct world){.arena = cs_arena_create()};
    cs_rng_init(&w->rng, 11, 3, (uint64_t)set);
    tasks = 1 + (int)cs_rng_below(&w->rng, TASKS);
    pairs = happens(w, 0.5);
    w->slots = (pairs ? 2 : 1) * tasks +
               (int)cs_rng_below(&w->rng, (uint32_t)(SLOTS - (pairs ? 2 : 1) * tasks + 1));
    for (int t = 0; t < tasks; t++) {
        profile[t] = (struct cs_profile){.kind = CS_PROFILE_AMDAHL};
        profile[t].seq_time = 10 + 1000 * draw(w);
        profile[t].seq_fraction = 0.3 * draw(w);
        costs[t] = 0.01 + draw(w);
        w->left[t] = 1;
        w->task[t] = (struct cs_run_task){.name = name[t],
                                          .procs = pairs ? 2 : 1,
                                          .expected = profile[t].seq_time,
                                          .group = -1,
                                          .settings = &settings[cs_rng_below(&w->rng, 2)]};
    }
    w->setup = (struct cs_run_setup){.decide = "resize",
                                     .tasks = tasks,
                                     .task = w->task,
                                     .workload = cs_workload_create(tasks, name, profile, NULL),
                                     .rules = cs_malleable_rules_recommended(),
                                     .mtbf = happens(w, 0.5) ? INFINITY : 1e6,
                                     .pairs = pairs};
    w->setup.rules.on_end = (int)cs_rng_below(&w->rng, 3);
    w->setup.rules.on_failure = (int)cs_rng_below(&w->rng, 4);
    cs_workload_set_state(w->setup.workload, costs, costs);
    if (cs_run_begin(&w->run, &w->setup, w->slots, w->arena, &err))
        fail_msg("set %d: %s", set, err.text);
}

static void close_world(struct world *w)
{
    cs_run_release(&w->run);
    cs_workload_destroy(w->setup.workload);
    cs_arena_destroy(w->arena);
}

static struct cs_run_event of(const struct cs_run_attempt *attempt, enum cs_run_event_kind kind,
                              double time)
{
    return (struct cs_run_event){
        .kind = kind, .task = attempt->task, .slot = -1, .attempt = attempt->number, .time = time};
}

/* An attempt that was asked to stop: it does, sooner or later, also when it is killed or done. */
static bool leave(struct world *w, const struct cs_run_attempt *attempt, struct cs_run_event *e)
{
    *e = of(attempt, CS_RUN_ENDED, w->now);
    e->outcome = happens(w, 0.1) ? CS_RUN_OK : happens(w, 0.05) ? CS_RUN_LOST : CS_RUN_STOPPED;
    e->status = e->outcome == CS_RUN_STOPPED && happens(w, 0.2) ? SIGKILL : 0;
    return happens(w, 0.4);
}

/* What one that runs may bring now; false: nothing. */
static bool live(struct world *w, const struct cs_run_attempt *attempt, struct cs_run_event *e)
{
    static const enum cs_run_outcome bad[] = {CS_RUN_FAILED,  CS_RUN_LOST, CS_RUN_TIMEOUT,
                                              CS_RUN_CORRUPT, CS_RUN_VOID, CS_RUN_STOPPED};
    const int task = attempt->task;

    if (w->begun[task] != attempt->number) {
        w->begun[task] = attempt->number;
        *e = of(attempt, CS_RUN_BEGAN, w->now);
        e->value = !w->task[task].settings->checkpoint->progress;
        return true;
    }
    if (attempt->stops)
        return leave(w, attempt, e);
    if (happens(w, 0.05)) {
        *e = of(attempt, CS_RUN_SAVED, w->now);
        return true;
    }
    *e = of(attempt, CS_RUN_ENDED, w->now);
    if (w->losses < 60 && happens(w, 0.03)) {
        w->losses++;
        e->outcome = bad[cs_rng_below(&w->rng, sizeof bad / sizeof *bad)];
        return true;
    }
    w->left[task] -= 0.2 * draw(w);
    e->outcome = CS_RUN_OK;
    if (w->left[task] <= 0)
        return true;
    *e = of(attempt, CS_RUN_PROGRESS, w->now);
    e->value = 1 - w->left[task];
    return w->task[task].settings->checkpoint->progress;
}

/* One that there was not in the beginning. */
static int bring_slot(struct world *w, struct cs_run_event *e)
{
    if (w->slots == GROWN)
        return 0;
    *e = (struct cs_run_event){
        .kind = CS_RUN_SLOT_UP, .task = -1, .slot = w->slots++, .time = w->now};
    return 1;
}

/* A slot goes, with whoever is on it, or comes back; a few stay. */
static int lose_slot(struct world *w, struct cs_run_event *e)
{
    const int slot = (int)cs_rng_below(&w->rng, (uint32_t)w->slots);
    int count = 1;

    if (!w->down[slot] && w->downs >= w->slots / 3)
        return 0;
    w->down[slot] = !w->down[slot];
    w->downs += w->down[slot] ? 1 : -1;
    e[0] = (struct cs_run_event){.kind = w->down[slot] ? CS_RUN_SLOT_DOWN : CS_RUN_SLOT_UP,
                                 .task = -1,
                                 .slot = slot,
                                 .time = w->now};
    for (int a = 0; w->down[slot] && a < w->run.count; a++)
        for (int k = 0; k < w->run.running[a]->count; k++)
            if (w->run.running[a]->slot[k] == slot) {
                e[count] = of(w->run.running[a], CS_RUN_ENDED, w->now);
                e[count++].outcome = CS_RUN_LOST;
            }
    return count;
}

static int collect(struct world *w, struct cs_run_event *e)
{
    int count = 0;

    if (happens(w, 0.02))
        return happens(w, 0.3) ? bring_slot(w, e) : lose_slot(w, e);
    for (int a = 0; a < w->run.count; a++)
        if (happens(w, 0.5) && live(w, w->run.running[a], &e[count]))
            count++;
    return count;
}

static void note(struct world *w)
{
    for (int a = 0; a < w->run.actions; a++)
        w->digest = w->digest * 1099511628211u +
                    (uint64_t)(w->run.action[a].kind * 64 + w->run.action[a].task * 8 +
                               w->run.action[a].count);
}

static uint64_t play(int set)
{
    struct world w;
    struct cs_run_event e[TASKS + 1];
    uint64_t digest;
    int rounds = 0;

    open_world(&w, set);
    cs_run_round(&w.run, 0, e, 0);
    for (note(&w); !cs_run_is_over(&w.run) && rounds < MOST; rounds++) {
        int count;

        w.now += 20 * draw(&w);
        count = collect(&w, e);
        cs_run_round(&w.run, w.now, e, count);
        note(&w);
        if (w.run.count == 0 && w.downs == 0 && !cs_run_is_over(&w.run))
            fail_msg("set %d: nothing runs, and somebody waits (round %d)", set, rounds);
    }
    if (!cs_run_is_over(&w.run))
        fail_msg("set %d: %d of %d applications are not over after %d rounds", set,
                 w.setup.tasks - w.run.in_state[CS_RUN_DONE], w.setup.tasks, rounds);
    digest = w.digest;
    close_world(&w);
    return digest;
}

static void test_everybody_ends(void **state)
{
    (void)state;
    for (int set = 0; set < sets; set++)
        play(set);
}

static void test_same_events_same_actions(void **state)
{
    (void)state;
    for (int set = 0; set < 100; set++)
        assert_true(play(set) == play(set));
}

/* Two that may be widened, on the slots of a unit each. */
static void open_two(struct world *w, bool pairs)
{
    const struct cs_profile profile = {.kind = CS_PROFILE_AMDAHL, .seq_time = 1000};
    const struct cs_profile both[] = {profile, profile};
    const char *name[] = {"ends", "stays"};
    const double costs[] = {0.01, 0.01};
    struct cs_error err = {0};

    *w = (struct world){.arena = cs_arena_create()};
    for (int t = 0; t < 2; t++)
        w->task[t] = (struct cs_run_task){
            .name = name[t], .procs = 1, .expected = 1000, .group = -1, .settings = &settings[1]};
    w->setup = (struct cs_run_setup){.decide = "resize",
                                     .tasks = 2,
                                     .task = w->task,
                                     .workload = cs_workload_create(2, name, both, NULL),
                                     .rules = cs_malleable_rules_recommended(),
                                     .mtbf = INFINITY,
                                     .pairs = pairs};
    cs_workload_set_state(w->setup.workload, costs, costs);
    if (cs_run_begin(&w->run, &w->setup, pairs ? 5 : 2, w->arena, &err))
        fail_msg("%s", err.text);
    cs_run_round(&w->run, 0, NULL, 0);
    assert_int_equal(w->run.count, 2);
}

/* One ends before the other has shown any progress: that one is widened as soon as it has. */
static void test_widened_when_it_shows_progress(void **state)
{
    struct world w;
    struct cs_run_event e[2];

    (void)state;
    open_two(&w, false);
    for (int a = 0; a < 2; a++)
        e[a] = of(w.run.running[a], CS_RUN_BEGAN, 1);
    cs_run_round(&w.run, 1, e, 2);
    e[0] = of(w.run.running[0], CS_RUN_ENDED, 2);
    e[0].outcome = CS_RUN_OK;
    cs_run_round(&w.run, 2, e, 1);
    assert_int_equal(w.run.actions, 0);
    e[0] = of(w.run.running[0], CS_RUN_PROGRESS, 3);
    e[0].value = 0.01;
    cs_run_round(&w.run, 3, e, 1);
    assert_int_equal(w.run.actions, 1);
    assert_int_equal(w.run.action[0].kind, CS_RUN_STOP);
    assert_int_equal(w.run.action[0].task, 1);
    close_world(&w);
}

/* Both work, one has more to do; then a slot comes.  How many actions. */
static int come(struct world *w, int slot, double time)
{
    struct cs_run_event e[2];

    for (int a = 0; a < 2; a++) {
        e[a] = of(w->run.running[a], CS_RUN_PROGRESS, time);
        e[a].value = a ? 0.01 : 0.5;
    }
    cs_run_round(&w->run, time, e, 2);
    assert_int_equal(w->run.actions, 0);
    e[0] =
        (struct cs_run_event){.kind = CS_RUN_SLOT_UP, .task = -1, .slot = slot, .time = time + 1};
    cs_run_round(&w->run, time + 1, e, 1);
    return w->run.actions;
}

/* That one is asked to stop, and goes on on what it had and what has come. */
static void go_on_wider(struct world *w, double time, const char *slots)
{
    struct cs_run_event e =
        of(cs_run_attempt_of(&w->run, w->run.action[0].task), CS_RUN_ENDED, time);
    char text[64] = "";

    assert_int_equal(w->run.action[0].kind, CS_RUN_STOP);
    assert_int_equal(w->run.action[0].task, 1);
    e.outcome = CS_RUN_STOPPED;
    cs_run_round(&w->run, time, &e, 1);
    assert_int_equal(w->run.actions, 1);
    for (int k = 0; k < w->run.action[0].count; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), " %d",
                 w->run.running[1]->slot[k]);
    assert_string_equal(text, slots);
}

/* Slots that come are used: one by one, or in pairs, of which the odd one of the beginning is half.
 */
static void test_slots_come(void **state)
{
    struct world w;

    (void)state;
    open_two(&w, false);
    assert_int_equal(come(&w, 2, 1), 1);
    go_on_wider(&w, 3, " 1 2");
    close_world(&w);
    open_two(&w, true);
    assert_int_equal(come(&w, 5, 1), 1);
    go_on_wider(&w, 3, " 2 3 4 5");
    close_world(&w);
    open_two(&w, true);
    assert_int_equal(come(&w, 6, 1), 0);
    close_world(&w);
}

/* SETS: how many, if not 10,000. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everybody_ends),
        cmocka_unit_test(test_same_events_same_actions),
        cmocka_unit_test(test_widened_when_it_shows_progress),
        cmocka_unit_test(test_slots_come),
    };

    if (argc > 1)
        sets = (int)strtol(argv[1], NULL, 10);
    for (int k = 0; k < 2; k++) {
        checkpoint[k] = (struct cs_run_checkpoint){.progress = k ? "p" : NULL, .done_status = 0};
        settings[k] = (struct cs_run_settings){
            .retries = 1000, .max_corrupt = 1000, .checkpoint = &checkpoint[k]};
    }
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
