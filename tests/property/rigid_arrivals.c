/* rigid_arrivals: the lower bound that knows submit times against the best schedule there is,
 * replays as schedules before the checker, and many of them on several threads. */
#include "base/arena.h"
#include "check/check.h"
#include "problems/queue/sets.h"
#include "property/replay_kit.h"
#include "sched/bound.h"
#include "sched/random_jobs.h"
#include "unit/kit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define JOBS 60
#define TINY 4
#define ATTEMPTS 6

struct draft {
    int count, machine;
    double verification;
    struct cs_arrival job[JOBS];
    int64_t failures[JOBS];
    char text[JOBS][16];
    const char *name[JOBS];
};

/* Whole numbers, and few of them, so that many events coincide. */
static void draw(struct draft *d, int round, int most, int pace)
{
    double submit = 3;

    d->count = 1 + round % most;
    d->machine = 1 + round % 5 + most / 8;
    d->verification = round % 3;
    for (int j = 0; j < d->count; j++) {
        uint64_t hash = cs_sched_mix(11, 1, (uint64_t)round, 0, (uint64_t)j);

        submit += hash / 7 % 2 ? (double)(hash / 64 % (uint64_t)pace) : 0;
        d->job[j] = (struct cs_arrival){
            .id = j,
            .submit = submit,
            .seconds = 1 + (double)(hash / 1024 % 9),
            .procs = 1 + (int)(hash / 65536 % (uint64_t)d->machine),
        };
        d->job[j].estimate = d->job[j].seconds + (double)(hash / 4194304 % 2 * (hash % 12));
        d->failures[j] = hash / 33554432 % 3 ? 0 : (int64_t)(hash / 268435456 % 3);
        d->job[j].failures = d->failures[j];
        snprintf(d->text[j], sizeof d->text[j], "%d", j);
        d->name[j] = d->text[j];
    }
}

/* Attempts that have been placed, in the order of an enumeration. */
struct search {
    const struct draft *d;
    int placed, total;
    int64_t left[TINY]; /* attempts to place */
    double free_from[TINY];
    double start[ATTEMPTS], end[ATTEMPTS];
    int procs[ATTEMPTS];
    double best;
};

static bool fits(const struct search *s, double start, double end, int procs)
{
    for (int i = -1; i < s->placed; i++) {
        double at = i < 0 ? start : s->start[i];
        int used = procs;

        if (at < start || at >= end)
            continue;
        for (int k = 0; k < s->placed; k++)
            if (s->start[k] <= at && at < s->end[k])
                used += s->procs[k];
        if (used > s->d->machine)
            return false;
    }
    return true;
}

/* The earliest start of the job's next attempt: when it may, or when some attempt ends. */
static double earliest(const struct search *s, int j)
{
    double length = s->d->job[j].seconds + s->d->verification, best = INFINITY;

    for (int i = -1; i < s->placed; i++) {
        double at = fmax(i < 0 ? 0 : s->end[i], s->free_from[j]);

        if (at < best && fits(s, at, at + length, s->d->job[j].procs))
            best = at;
    }
    return best;
}

/* Every order of the attempts, each as early as it can: one of them is the best schedule. */
static void search(struct search *s, double makespan)
{
    if (s->placed == s->total)
        s->best = fmin(s->best, makespan);
    for (int j = 0; j < s->d->count; j++) {
        double before = s->free_from[j], start, end;

        if (s->left[j] == 0)
            continue;
        start = earliest(s, j);
        end = start + s->d->job[j].seconds + s->d->verification;
        s->start[s->placed] = start;
        s->end[s->placed] = end;
        s->procs[s->placed++] = s->d->job[j].procs;
        s->left[j]--;
        s->free_from[j] = end;
        search(s, fmax(makespan, end - s->d->job[0].submit));
        s->free_from[j] = before;
        s->left[j]++;
        s->placed--;
    }
}

static double bound_of(const struct cs_arrival *job, int count, const int64_t *failures,
                       int machine, double verification)
{
    double seconds[JOBS], submit[JOBS] = {0};
    int procs[JOBS];

    for (int j = 0; j < count; j++) {
        seconds[j] = job[j].seconds;
        submit[j] = job[j].submit;
        procs[j] = job[j].procs;
    }
    return cs_queue_bound(&(struct cs_sched_jobs){count, machine, verification, seconds, procs},
                          submit, failures);
}

static double best_makespan(const struct draft *d)
{
    struct search s = {.d = d, .best = INFINITY};

    for (int j = 0; j < d->count; j++) {
        s.left[j] = d->failures[j] + 1;
        s.total += (int)s.left[j];
        s.free_from[j] = d->job[j].submit;
    }
    if (s.total > ATTEMPTS)
        return NAN;
    search(&s, 0);
    return s.best;
}

static void no_schedule_is_shorter_than_the_bound(void **state)
{
    int judged = 0, tight = 0, later = 0;

    (void)state;
    for (int round = 0; round < 1500; round++) {
        struct draft d;
        double bound, best;

        draw(&d, round, TINY, 2 + round % 15);
        best = best_makespan(&d);
        bound = bound_of(d.job, d.count, d.failures, d.machine, d.verification);
        if (isnan(best))
            continue;
        if (bound > best)
            fail_msg("round %d: the bound is %g, a schedule takes %g", round, bound, best);
        judged++;
        tight += bound == best;
        later += d.job[d.count - 1].submit > d.job[0].submit;
    }
    assert_true(judged > 1000 && later > 500);
    assert_true(tight > judged / 2);
}

/* By hand, 4 processors: 3 * 4 + 4 * 10 of work after 10 s need 13 s; on 40 the last job ends at
 * 12 + 2 * 5 s. */
static void the_bound_is_the_larger_of_chains_and_work_from_each_submission(void **state)
{
    static const struct cs_arrival three[] = {
        {.id = 1, .submit = 2, .seconds = 1, .estimate = 1, .procs = 1},
        {.id = 2, .submit = 10, .seconds = 4, .estimate = 4, .procs = 3},
        {.id = 3, .submit = 12, .seconds = 5, .estimate = 5, .procs = 4},
    };
    static const int64_t none[] = {0, 0, 0}, third[] = {0, 0, 1}, first[] = {20, 0, 0};

    (void)state;
    assert_true(bound_of(three, 3, none, 4, 0) == 8 + (3 * 4 + 4 * 5) / 4.0);
    assert_true(bound_of(three, 3, third, 4, 0) == 8 + (3 * 4 + 4 * 10) / 4.0);
    assert_true(bound_of(three, 3, first, 4, 0) == 21);
    assert_true(bound_of(three, 3, third, 40, 0) == 10 + 2 * 5);
    assert_true(bound_of(three + 2, 1, none, 4, 2) == 7);
    assert_true(bound_of(three, 0, none, 4, 0) == 0);
}

static void when_all_come_at_once_it_is_the_bound_of_the_paper(void **state)
{
    (void)state;
    for (int round = 0; round < 200; round++) {
        struct draft d;
        double seconds[JOBS], bound, paper;
        int procs[JOBS];

        draw(&d, round, JOBS, 1);
        for (int j = 0; j < d.count; j++) {
            seconds[j] = d.job[j].seconds;
            procs[j] = d.job[j].procs;
        }
        paper = cs_sched_lower_bound(
            &(struct cs_sched_jobs){d.count, d.machine, d.verification, seconds, procs}, d.failures,
            0);
        bound = bound_of(d.job, d.count, d.failures, d.machine, d.verification);
        assert_true(bound == paper);
    }
}

static const char *const variants[] = {
    "greedy",
    "r-list-1",
    "r-list-q",
    "easy",
    "easy:reservations=2",
    "easy:backfill=spt",
    "conservative",
    "conservative:compress=2",
    "conservative:compress=now",
    "fcfs",
    "slurm",
    "list:reservations=3",
    "shelf",
    "shelf:backfill=no",
    "shelf-fill",
    "shelf-fill:backfill=no",
};

#define VARIANTS ((int)(sizeof variants / sizeof *variants))

static void judge(const struct draft *d, const struct cs_schedule *schedule, bool shelves,
                  double late, struct cs_check_report *report)
{
    double seconds[JOBS], submit[JOBS], estimate[JOBS];
    int procs[JOBS];

    for (int j = 0; j < d->count; j++) {
        seconds[j] = d->job[j].seconds;
        procs[j] = d->job[j].procs;
        submit[j] = d->job[j].submit - d->job[0].submit + late;
        estimate[j] = d->job[j].estimate;
    }
    cs_check_rigid(
        schedule,
        &(struct cs_rigid_declared){
            .verification = d->verification,
            .lower_bound = bound_of(d->job, d->count, d->failures, d->machine, d->verification),
            .shelves = shelves,
            .seconds = seconds,
            .procs = procs,
            .failures = d->failures,
            .submit = submit,
            .estimate = estimate,
        },
        report);
}

static struct cs_schedule *schedule_of(const struct draft *d, const struct cs_sched_policy *policy,
                                       const double *param)
{
    const struct replay replay = {
        .machine = d->machine,
        .verification = d->verification,
        .policy = policy,
        .param = param,
    };
    struct cs_error err = {0};
    struct cs_schedule *schedule;

    schedule = replay_schedule(&replay, d->job, d->count, d->failures, d->name, &err);
    if (!schedule)
        fail_msg("%s", err.text);
    return schedule;
}

static void every_replay_is_a_schedule_that_passes(void **state)
{
    (void)state;
    for (int round = 0; round < 90 * VARIANTS; round++) {
        struct cs_policy_call call;
        const struct cs_sched_policy *policy =
            cs_sched_policy_parse(variants[round % VARIANTS], &call, NULL);
        struct cs_check_report *report = cs_check_report_create(1);
        struct cs_schedule *schedule;
        struct draft d;

        draw(&d, round / VARIANTS, JOBS, 1 + round % 9);
        schedule = schedule_of(&d, policy, call.param);
        judge(&d, schedule, policy->shelf != NULL, 0, report);
        if (report->total)
            fail_msg("round %d: %s", round, report->item[0].text);
        judge(&d, schedule, false, 0.5, report);
        assert_true(report->total > 0);
        assert_int_equal(report->item[0].violation, CS_VIOLATION_EARLY);
        cs_check_report_destroy(report);
        cs_schedule_destroy(schedule);
    }
}

/* A schedule of EASY has starts that no shelf may have. */
static void what_is_no_shelf_is_reported(void **state)
{
    static const struct cs_interval one = {0, 0}, other = {1, 1};
    static const char *const name[] = {"a", "b"};
    struct draft d = {.count = 2, .machine = 2, .name = {"a", "b"}};
    struct cs_check_report *report = cs_check_report_create(1);
    struct cs_schedule *schedule = cs_schedule_create("rigid", 2, 2, name);

    (void)state;
    d.job[0] = (struct cs_arrival){.submit = 0, .seconds = 5, .estimate = 5, .procs = 1};
    d.job[1] = (struct cs_arrival){.submit = 7, .seconds = 5, .estimate = 5, .procs = 1};
    cs_schedule_add(schedule,
                    &(struct cs_bar){
                        .kind = CS_BAR_WORK, .attempt = 1, .end = 5, .intervals = 1, .procs = &one},
                    NULL);
    cs_schedule_add(schedule,
                    &(struct cs_bar){.kind = CS_BAR_WORK,
                                     .task = 1,
                                     .attempt = 1,
                                     .group = 1,
                                     .start = 8,
                                     .end = 13,
                                     .intervals = 1,
                                     .procs = &other},
                    NULL);
    judge(&d, schedule, true, 0, report);
    assert_int_equal(report->total, 1);
    assert_string_equal(report->item[0].text,
                        "shelf 1 starts at 8 s: it must start at 7 s, when the one before it has "
                        "ended and a job is there");
    cs_check_report_destroy(report);
    cs_schedule_destroy(schedule);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_schedule_is_shorter_than_the_bound),
        cmocka_unit_test(the_bound_is_the_larger_of_chains_and_work_from_each_submission),
        cmocka_unit_test(when_all_come_at_once_it_is_the_bound_of_the_paper),
        cmocka_unit_test(every_replay_is_a_schedule_that_passes),
        cmocka_unit_test(what_is_no_shelf_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
