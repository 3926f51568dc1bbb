/* The loop of runs: what each run is given, when workers change, which error counts. */
#include "kit.h"

#include "base/thread.h"
#include "problem/loop.h"

#include <stdatomic.h>

enum { VARIANTS = 3, SETS = 2, SCENARIOS = 7, RUNS = VARIANTS * SETS * SCENARIOS };

struct worker {
    int variant, set;
};

static atomic_int begun, entered, ended;
static int failing_variant; /* -1: none */

static int worker_begin(void *worker, const void *job, struct cs_error *err)
{
    (void)job, (void)err;
    begun++;
    *(struct worker *)worker = (struct worker){-1, -1};
    return 0;
}

static int worker_enter(void *worker, int variant, int set, struct cs_error *err)
{
    entered++;
    if (variant == failing_variant)
        return cs_error_set(err, "variant %d cannot run", variant);
    *(struct worker *)worker = (struct worker){variant, set};
    return 0;
}

static int worker_run(void *worker, const struct cs_loop_at *at, void *outcome,
                      struct cs_error *err)
{
    const struct worker *w = worker;

    assert_int_equal(w->variant, at->variant);
    assert_int_equal(w->set, at->set);
    if (at->variant == 2 && at->set == 1 && at->scenario == 5)
        return cs_error_set(err, "run 2, 1, 5");
    *(long *)outcome = 100 * at->variant + 10 * at->set + at->scenario;
    return 0;
}

static void worker_end(void *worker)
{
    (void)worker;
    ended++;
}

static void show_last(void *who, double done)
{
    *(double *)who = done;
}

static const struct cs_loop loop = {
    .variants = VARIANTS,
    .sets = SETS,
    .scenarios = SCENARIOS,
    .worker = sizeof(struct worker),
    .size = sizeof(long),
    .begin = worker_begin,
    .enter = worker_enter,
    .run = worker_run,
    .end = worker_end,
};

static int run_loop(int threads, int scenarios, long *outcome, double *done, struct cs_error *err)
{
    const struct cs_study_progress progress = {show_last, done};
    struct cs_loop one = loop;

    begun = entered = ended = 0;
    one.threads = threads;
    one.scenarios = scenarios;
    one.outcome = outcome;
    one.progress = &progress;
    one.weight = 2;
    return cs_loop_run(&one, err);
}

static void every_run_has_its_place_for_any_number_of_threads(void **state)
{
    (void)state;
    failing_variant = -1;
    for (int threads = 1; threads <= 4; threads++) {
        long outcome[VARIANTS * SETS * 5];
        double done = 0;

        assert_int_equal(run_loop(threads, 5, outcome, &done, NULL), 0);
        for (long r = 0; r < VARIANTS * SETS * 5; r++)
            assert_int_equal(outcome[r], 100 * (r / 10) + 10 * (r / 5 % 2) + r % 5);
        assert_int_equal(begun, cs_team_size(threads));
        assert_int_equal(ended, cs_team_size(threads));
        assert_true(entered >= VARIANTS * SETS);
        if (threads == 1) {
            assert_int_equal(entered, VARIANTS * SETS);
            assert_true(done == 2 * VARIANTS * SETS * 5);
        }
    }
}

static void the_first_error_by_number_counts(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads++) {
        struct cs_error err = {0};
        long outcome[RUNS];
        double done;

        failing_variant = -1;
        assert_int_equal(run_loop(threads, SCENARIOS, outcome, &done, &err), -1);
        assert_string_equal(err.text, "run 2, 1, 5");
        assert_int_equal(ended, begun);
        failing_variant = 1;
        err = (struct cs_error){0};
        assert_int_equal(run_loop(threads, SCENARIOS, outcome, &done, &err), -1);
        assert_string_equal(err.text, "variant 1 cannot run");
        assert_int_equal(ended, begun);
    }
}

static int see_job(void *worker, const struct cs_loop_at *at, void *outcome, struct cs_error *err)
{
    (void)at, (void)err;
    *(int *)outcome = *(const int *)worker;
    return 0;
}

static void a_loop_without_workers_gets_its_job(void **state)
{
    const int job = 42;
    int outcome[3] = {0};
    const struct cs_loop plain = {
        .scenarios = 3, .job = &job, .outcome = outcome, .size = sizeof *outcome, .run = see_job};

    (void)state;
    assert_int_equal(cs_loop_run(&plain, NULL), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(outcome[i], 42);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_run_has_its_place_for_any_number_of_threads),
        cmocka_unit_test(the_first_error_by_number_counts),
        cmocka_unit_test(a_loop_without_workers_gets_its_job),
    };

    return cmocka_run_group_tests_name("loop", tests, NULL, NULL);
}
