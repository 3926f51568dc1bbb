/* run_dry.c - a run by the virtual clock is the simulator's schedule, to the last bit. */
#include "base/arena.h"
#include "base/rng.h"
#include "check/check.h"
#include "model/procset.h"
#include "problems/rigid/schedule.h"
#include "run/dry.h"
#include "sched/policy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define JOBS 24
#define SLOTS 8

static int sets = 40;

struct draft {
    int count;
    double seconds[JOBS];
    int procs[JOBS];
    int64_t failures[JOBS];
    char text[JOBS][16];
    const char *name[JOBS];
    struct cs_run_task task[JOBS];
    struct cs_run_settings settings;
};

/* Few different times in every second set, so that many ends coincide. */
static void draw(struct draft *d, int round)
{
    struct cs_rng rng;

    cs_rng_init(&rng, 7, 1, (uint64_t)round);
    *d =
        (struct draft){.count = 1 + round % JOBS, .settings = {.retries = 100, .max_corrupt = 100}};
    for (int j = 0; j < d->count; j++) {
        d->seconds[j] = round % 2 ? 1 + (double)cs_rng_below(&rng, 5) : 100 * cs_rng_open(&rng);
        d->procs[j] = 1 + (int)cs_rng_below(&rng, SLOTS);
        d->failures[j] = (int64_t)cs_rng_below(&rng, 4);
        snprintf(d->text[j], sizeof d->text[j], "%d", j);
        d->name[j] = d->text[j];
        d->task[j] = (struct cs_run_task){d->name[j], d->procs[j], d->seconds[j], -1, &d->settings};
    }
}

static struct cs_schedule *simulate(const struct draft *d, const char *policy,
                                    const struct cs_sched_priority *priority)
{
    const struct cs_sched_jobs jobs = {d->count, SLOTS, 0, d->seconds, d->procs};
    struct cs_policy_call call;
    struct cs_rigid_scene scene = {
        .jobs = &jobs, .name = d->name, .failures = d->failures, .priority = priority};

    scene.draw.seed = 1;
    scene.policy = cs_sched_policy_parse(policy, &call, NULL);
    scene.param = call.param;
    return cs_rigid_schedule_create(&scene, NULL);
}

static struct cs_schedule *run(const struct draft *d, const char *policy,
                               const struct cs_sched_priority *priority)
{
    const struct cs_run_setup setup = {
        .decide = "queue",
        .policy = policy,
        .priority = priority->name,
        .tasks = d->count,
        .task = d->task,
        .seconds = d->seconds,
        .procs = d->procs,
    };
    const struct cs_run_dry dry = {.setup = &setup, .slots = SLOTS, .failures = d->failures};
    struct cs_error err = {0};
    struct cs_schedule *schedule = cs_run_dry_schedule(&dry, &err);

    if (!schedule)
        fail_msg("%s: %s", policy, err.text);
    return schedule;
}

static const struct cs_bar *find(const struct cs_schedule *schedule, const struct cs_bar *like)
{
    size_t count;
    const struct cs_bar *bar = cs_schedule_bars(schedule, &count);

    for (size_t b = 0; b < count; b++)
        if (bar[b].task == like->task && bar[b].attempt == like->attempt)
            return &bar[b];
    return NULL;
}

/* Runs take the lowest free slots, the simulator keeps blocks of processors whole. */
static bool same(const struct cs_bar *a, const struct cs_bar *b)
{
    return b && a->kind == b->kind && a->start == b->start && a->end == b->end &&
           cs_procset_size(a->procs, a->intervals) == cs_procset_size(b->procs, b->intervals);
}

static void check_slots(const struct cs_schedule *schedule, const char *variant)
{
    struct cs_check_report *report = cs_check_report_create(1);

    cs_check_general(schedule, true, report);
    if (report->total > 0)
        fail_msg("%s: %s", variant, report->item[0].text);
    cs_check_report_destroy(report);
}

static void compare(const struct cs_schedule *want, const struct cs_schedule *got,
                    const char *variant, int round)
{
    size_t count, other;
    const struct cs_bar *bar = cs_schedule_bars(want, &count);

    cs_schedule_bars(got, &other);
    if (count != other)
        fail_msg("%s, round %d: %zu bars, not %zu", variant, round, other, count);
    for (size_t b = 0; b < count; b++)
        if (!same(&bar[b], find(got, &bar[b])))
            fail_msg("%s, round %d: attempt %d of job %d differs", variant, round, bar[b].attempt,
                     bar[b].task);
}

static void it_is_the_schedule_of_the_simulator(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    int policies, priorities;
    const char *const *policy = cs_sched_policy_all(arena, &policies);
    const struct cs_sched_priority *priority = cs_sched_priorities(&priorities);
    struct draft d;

    (void)state;
    for (int round = 0; round < sets; round++) {
        draw(&d, round);
        for (int p = 0; p < policies; p++)
            for (int o = 0; o < priorities; o++) {
                struct cs_schedule *want = simulate(&d, policy[p], &priority[o]);
                struct cs_schedule *got = run(&d, policy[p], &priority[o]);
                char variant[128];

                snprintf(variant, sizeof variant, "%s under %s", policy[p], priority[o].name);
                compare(want, got, variant, round);
                check_slots(want, variant);
                check_slots(got, variant);
                cs_schedule_destroy(want);
                cs_schedule_destroy(got);
            }
    }
    cs_arena_destroy(arena);
}

/* SETS: how many, if not 40. */
int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_schedule_of_the_simulator),
    };

    if (argc > 1)
        sets = (int)strtol(argv[1], NULL, 10);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
