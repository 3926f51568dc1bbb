/* rigid_schedule.c - the checker passes every simulated schedule. */
#include "base/arena.h"
#include "check/check.h"
#include "problems/rigid/schedule.h"
#include "sched/bound.h"
#include "sched/policy.h"
#include "sched/random_jobs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define ROUNDS 60
#define JOBS 24

struct draft {
    struct cs_sched_jobs jobs;
    double seconds[JOBS];
    int procs[JOBS];
    int64_t failures[JOBS];
    char text[JOBS][16];
    const char *name[JOBS];
};

/* Few different times, so that many ends coincide. */
static void draw(struct draft *d, int round)
{
    d->jobs = (struct cs_sched_jobs){1 + round % JOBS, 8, round % 3, d->seconds, d->procs};
    for (int j = 0; j < d->jobs.count; j++) {
        uint64_t hash = cs_sched_mix(5, 1, (uint64_t)round, 0, (uint64_t)j);

        d->seconds[j] = round % 2 ? 1 + (double)(hash % 5) : 100 * cs_sched_uniform(hash);
        d->procs[j] = 1 + (int)(hash / 64 % 8);
        d->failures[j] = (int64_t)(hash / 1024 % 4);
        snprintf(d->text[j], sizeof d->text[j], "%d", j);
        d->name[j] = d->text[j];
    }
}

/* Every other job takes so little that late attempts of it end when they start; or times are
 * anything from the shortest to the longest that there may be. */
static void shorten(struct draft *d, int round)
{
    d->jobs.verification = 0;
    for (int j = 0; j < d->jobs.count; j++) {
        uint64_t hash = cs_sched_mix(6, 1, (uint64_t)round, 0, (uint64_t)j);

        if (round % 3)
            d->seconds[j] *= j % 2 ? 1e-14 : 1e4;
        else
            d->seconds[j] = pow(10, 600 * cs_sched_uniform(hash) - 300);
    }
}

static void judge(const struct draft *d, const char *policy, int round)
{
    int count;
    const struct cs_sched_priority *priorities;
    struct cs_policy_call call;
    struct cs_error err = {0};
    struct cs_check_report *report = cs_check_report_create(5);
    struct cs_rigid_scene scene = {.jobs = &d->jobs, .name = d->name, .failures = d->failures};
    struct cs_schedule *schedule;

    scene.policy = cs_sched_policy_parse(policy, &call, &err);
    assert_non_null(scene.policy);
    scene.param = call.param;
    priorities = cs_sched_priorities(&count);
    scene.priority = &priorities[round % count];
    schedule = cs_rigid_schedule_create(&scene, &err);
    assert_non_null(schedule);
    cs_check_rigid(schedule,
                   &(struct cs_rigid_declared){
                       .verification = d->jobs.verification,
                       .lower_bound = cs_sched_lower_bound(&d->jobs, d->failures, 0),
                       .shelves = scene.policy->shelf != NULL,
                       .seconds = d->seconds,
                       .procs = d->procs,
                       .failures = d->failures,
                   },
                   report);
    if (report->total)
        fail_msg("%s, round %d: %s", policy, round, report->item[0].text);
    cs_check_report_destroy(report);
    cs_schedule_destroy(schedule);
}

static void every_policy_makes_schedules_that_pass(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    int count;
    const char *const *policy = cs_sched_policy_all(arena, &count);
    struct draft d;

    (void)state;
    assert_true(count >= 8);
    for (int round = 0; round < ROUNDS; round++) {
        draw(&d, round);
        judge(&d, "list:reservations=3", round);
        for (int p = 0; p < count; p++)
            judge(&d, policy[p], round);
    }
    cs_arena_destroy(arena);
}

static void attempts_too_short_for_the_clock_find_processors(void **state)
{
    static const char *const more[] = {"list:reservations=2",
                                       "list:reservations=3",
                                       "easy:reservations=2",
                                       "easy:reservations=3,backfill=spt",
                                       "conservative:compress=now",
                                       "conservative:compress=none",
                                       "conservative:compress=1",
                                       "slurm:queue=1,depth=3",
                                       "slurm:interval=0.7,resolution=1e-9",
                                       "slurm:interval=1e-300,queue=0"};
    struct cs_arena *arena = cs_arena_create();
    int count;
    const char *const *policy = cs_sched_policy_all(arena, &count);
    struct draft d;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        draw(&d, round);
        shorten(&d, round);
        for (int p = 0; p < count; p++)
            judge(&d, policy[p], round);
        for (size_t p = 0; p < sizeof more / sizeof *more; p++)
            judge(&d, more[p], round);
    }
    cs_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_makes_schedules_that_pass),
        cmocka_unit_test(attempts_too_short_for_the_clock_find_processors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
