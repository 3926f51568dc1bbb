/* run_follow.c - a plan that is followed: as planned, never later, and again where slots are lost.
 */
#include "base/arena.h"
#include "base/rng.h"
#include "model/procset.h"
#include "problems/moldable/moldable.h"
#include "problems/pack/pack.h"
#include "run/dry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TASKS 14
#define SLOTS 9

static int sets = 300;

/* A workload, its plan, and the setup that follows it. */
struct draft {
    int count;
    char text[TASKS][16];
    const char *name[TASKS];
    struct cs_profile profile[TASKS];
    struct cs_workload *workload;
    struct cs_pack_declared pack;
    struct cs_moldable_declared bag;
    struct cs_schedule_file plan;
    struct cs_run_settings settings;
    struct cs_run_task task[TASKS];
    struct cs_run_setup setup;
    const struct cs_bar *bar[TASKS];
    double factor[TASKS];
};

static struct cs_schedule *plan_pack(const struct cs_workload *w)
{
    struct cs_pack_instance *in = cs_pack_instance_create(w, SLOTS, CS_PACK_UNLIMITED, NULL);
    struct cs_pack_plan *plan = cs_pack_plan_create(w->count);
    const struct cs_pack_request request = {.seed = 1};
    struct cs_schedule *schedule;

    assert_int_equal(cs_pack_effort_plan(in, CS_PACK_EFFORT_FAST, &request, plan, NULL), 0);
    schedule = cs_pack_schedule(in, plan, CS_PACK_ORDER_CREATION);
    cs_pack_plan_destroy(plan);
    cs_pack_instance_destroy(in);
    return schedule;
}

static struct cs_schedule *plan_bag(const struct cs_workload *w, const char *policy, bool blocks)
{
    const struct cs_moldable_options options = {.contiguous = blocks};
    struct cs_moldable_instance *in = cs_moldable_instance_create(w, SLOTS, &options, NULL);
    struct cs_moldable_plan *plan = cs_moldable_plan_create(w->count);
    struct cs_moldable_request request = {.seed = 1};
    struct cs_schedule *schedule;
    int count;
    const struct cs_policy *const *policies = cs_moldable_policies(&count);

    assert_int_equal(cs_policy_parse(policy, policies, count, &request.call, NULL), 0);
    assert_int_equal(cs_moldable_plan_make(in, &request, plan, NULL), 0);
    schedule = cs_moldable_schedule(in, plan);
    cs_moldable_plan_destroy(plan);
    cs_moldable_instance_destroy(in);
    return schedule;
}

static void draw_workload(struct draft *d, struct cs_rng *rng)
{
    d->count = 1 + (int)cs_rng_below(rng, TASKS);
    for (int t = 0; t < d->count; t++) {
        double seconds = 1 + 100 * cs_rng_open(rng);
        double fraction = cs_rng_open(rng) / 2;

        snprintf(d->text[t], sizeof d->text[t], "t%d", t);
        d->name[t] = d->text[t];
        d->profile[t] = (struct cs_profile){
            .kind = CS_PROFILE_AMDAHL, .seq_time = seconds, .seq_fraction = fraction};
    }
    d->workload = cs_workload_create(d->count, d->name, d->profile, NULL);
}

static void draw(struct draft *d, int round, bool packs)
{
    struct cs_rng rng;
    const struct cs_bar *bar;
    size_t bars;

    cs_rng_init(&rng, 11, 1, (uint64_t)round);
    memset(d, 0, sizeof *d);
    d->settings = (struct cs_run_settings){.retries = 2, .max_corrupt = 2};
    draw_workload(d, &rng);
    d->bag.contiguous = round % 5 < 3;
    d->pack.pack_size = SLOTS;
    d->plan = (struct cs_schedule_file){
        .schedule =
            packs ? plan_pack(d->workload) : plan_bag(d->workload, "sweep", d->bag.contiguous),
        .workload = d->workload,
        .pack = packs ? &d->pack : NULL,
        .moldable = packs ? NULL : &d->bag,
        .policy = round % 4 < 2 ? "default effort"
                  : packs       ? "pack-approx"
                                : "sweep",
    };
    bar = cs_schedule_bars(d->plan.schedule, &bars);
    for (size_t b = 0; b < bars; b++) {
        const struct cs_bar *x = d->bar[bar[b].task] = &bar[b];

        d->task[x->task] =
            (struct cs_run_task){d->name[x->task], (int)cs_procset_size(x->procs, x->intervals),
                                 x->end - x->start, x->group, &d->settings};
        d->factor[x->task] = 1;
    }
    d->setup = (struct cs_run_setup){
        .decide = "follow", .tasks = d->count, .task = d->task, .plan = &d->plan};
}

static void discard(struct draft *d)
{
    cs_schedule_destroy(d->plan.schedule);
    cs_workload_destroy(d->workload);
}

static double stretched(void *who, int task, int try, double expected)
{
    (void)try;
    return ((struct draft *)who)->factor[task] * expected;
}

static struct cs_schedule *follow(struct draft *d, bool exact)
{
    const struct cs_run_dry dry = {
        .setup = &d->setup, .slots = SLOTS, .seconds = exact ? NULL : stretched, .who = d};
    struct cs_error err = {0};
    struct cs_schedule *schedule = cs_run_dry_schedule(&dry, &err);
    size_t count;

    if (!schedule)
        fail_msg("%s", err.text);
    cs_schedule_bars(schedule, &count);
    assert_int_equal(count, d->count);
    return schedule;
}

static void packs_with_barriers_are_the_plan_to_the_last_bit(void **state)
{
    struct draft d;

    (void)state;
    for (int round = 0; round < sets; round++) {
        struct cs_schedule *got;
        const struct cs_bar *bar;
        size_t count;

        draw(&d, round, true);
        d.setup.barrier = true;
        got = follow(&d, true);
        bar = cs_schedule_bars(got, &count);
        for (size_t b = 0; b < count; b++) {
            const struct cs_bar *want = d.bar[bar[b].task];

            assert_true(bar[b].start == want->start && bar[b].end == want->end);
            assert_int_equal(bar[b].intervals, want->intervals);
            assert_memory_equal(bar[b].procs, want->procs,
                                (size_t)want->intervals * sizeof *want->procs);
        }
        cs_schedule_destroy(got);
        discard(&d);
    }
}

/* Starts of what runs so, by task. */
static void starts_of(struct draft *d, bool exact, double *start)
{
    struct cs_schedule *got = follow(d, exact);
    size_t count;
    const struct cs_bar *bar = cs_schedule_bars(got, &count);

    for (size_t b = 0; b < count; b++)
        start[bar[b].task] = bar[b].start;
    cs_schedule_destroy(got);
}

static void nothing_starts_later_than_planned_nor_earlier_than_before(void **state)
{
    double before[TASKS], after[TASKS];
    struct cs_rng rng;
    struct draft d;
    int longer;

    (void)state;
    cs_rng_init(&rng, 12, 1, 0);
    for (int round = 0; round < sets; round++) {
        draw(&d, round, round % 2);
        starts_of(&d, true, before);
        for (int t = 0; t < d.count; t++)
            assert_true(before[t] <= d.bar[t]->start);
        for (int t = 0; t < d.count; t++)
            d.factor[t] = 0.3 + 0.7 * cs_rng_open(&rng);
        starts_of(&d, false, before);
        for (int t = 0; t < d.count; t++)
            assert_true(before[t] <= d.bar[t]->start);
        longer = (int)cs_rng_below(&rng, (uint64_t)d.count);
        d.factor[longer] *= 1 + 3 * cs_rng_open(&rng);
        starts_of(&d, false, after);
        for (int t = 0; t < d.count; t++)
            assert_true(after[t] >= before[t]);
        discard(&d);
    }
}

/* ---- slots are lost ---- */

struct play {
    struct draft *d;
    struct cs_run run;
    struct cs_run_event event[2 * SLOTS + TASKS];
    int events, ended;
};

static void check_starts(const struct play *p)
{
    for (int a = 0; a < p->run.actions; a++) {
        const struct cs_run_action *action = &p->run.action[a];
        const struct cs_run_attempt *attempt;

        if (action->kind != CS_RUN_START)
            continue;
        attempt = cs_run_attempt_find(&p->run, action->attempt);
        assert_non_null(action->slot);
        assert_memory_equal(attempt->slot, action->slot, (size_t)action->count * sizeof(int));
        for (int k = 0; k < attempt->count; k++)
            assert_false(p->run.slots.down[attempt->slot[k]]);
        if (p->d->plan.moldable && p->d->bag.contiguous)
            assert_int_equal(attempt->slot[attempt->count - 1] - attempt->slot[0],
                             attempt->count - 1);
    }
}

static void add_end(struct play *p, const struct cs_run_attempt *attempt, bool lost)
{
    p->event[p->events++] = (struct cs_run_event){
        .kind = CS_RUN_ENDED,
        .task = attempt->task,
        .slot = -1,
        .attempt = attempt->number,
        .time = p->run.now + 1,
        .outcome = lost ? CS_RUN_LOST : CS_RUN_OK,
    };
}

static bool is_hit(const struct cs_run_attempt *attempt, int slot)
{
    for (int k = 0; k < attempt->count; k++)
        if (attempt->slot[k] == slot)
            return true;
    return false;
}

/* Some attempt ends, or a slot goes and who is on it is lost. */
static void draw_events(struct play *p, struct cs_rng *rng)
{
    int slot = (int)cs_rng_below(rng, SLOTS);

    p->events = 0;
    if (p->run.slots.up > 1 && !p->run.slots.down[slot] && cs_rng_below(rng, 6) == 0) {
        p->event[p->events++] = (struct cs_run_event){
            .kind = CS_RUN_SLOT_DOWN, .task = -1, .slot = slot, .time = p->run.now};
        for (int a = 0; a < p->run.count; a++)
            if (is_hit(p->run.running[a], slot))
                add_end(p, p->run.running[a], true);
    } else if (p->run.count) {
        add_end(p, p->run.running[cs_rng_below(rng, (uint64_t)p->run.count)], false);
    }
}

static void what_is_left_is_planned_again(void **state)
{
    struct cs_rng rng;
    struct draft d;
    int lost = 0, narrower = 0;

    (void)state;
    cs_rng_init(&rng, 13, 1, 0);
    for (int round = 0; round < sets; round++) {
        struct cs_arena *arena = cs_arena_create();
        struct play p = {.d = &d};
        struct cs_error err = {0};

        draw(&d, round, round % 2);
        d.setup.barrier = round % 3 == 0;
        assert_int_equal(cs_run_begin(&p.run, &d.setup, SLOTS, arena, &err), 0);
        cs_run_round(&p.run, 0, p.event, 0);
        for (int k = 0; k < 1000 && !cs_run_is_over(&p.run); k++) {
            check_starts(&p);
            draw_events(&p, &rng);
            lost += p.events > 0 && p.event[0].kind == CS_RUN_SLOT_DOWN;
            cs_run_round(&p.run, p.run.now + 1, p.event, p.events);
            for (int a = 0; a < p.run.count; a++)
                narrower += p.run.running[a]->count < d.task[p.run.running[a]->task].procs;
        }
        assert_int_equal(p.run.in_state[CS_RUN_DONE] + p.run.in_state[CS_RUN_BROKEN], d.count);
        for (int t = 0; t < d.count; t++)
            assert_true(p.run.usage[t].state == CS_RUN_DONE || p.run.usage[t].losses >= 5);
        cs_run_release(&p.run);
        cs_arena_destroy(arena);
        discard(&d);
    }
    assert_true(lost > 100 && narrower > 50);
}

/* SETS: how many, if not 300. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packs_with_barriers_are_the_plan_to_the_last_bit),
        cmocka_unit_test(nothing_starts_later_than_planned_nor_earlier_than_before),
        cmocka_unit_test(what_is_left_is_planned_again),
    };

    if (argc > 1)
        sets = (int)strtol(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
