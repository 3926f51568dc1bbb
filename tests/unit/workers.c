/* share: every run once, workers begun and ended, the first error told, whatever the threads. */
#include "base/workers.h"
#include "base/watch.h"
#include "unit/kit.h"

#include <cosched/watch.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#define RUNS 1000

struct job {
    int *times;      /* how often each run was made */
    long bad, worse; /* runs that fail; -1: none */
    int *alive;      /* workers begun and not ended */
    bool refuse;
};

struct worker {
    const struct job *job;
};

static int begin(void *worker, const void *job, struct cs_error *err)
{
    struct worker *w = worker;

    assert_null(w->job);
    w->job = job;
    if (w->job->refuse)
        return cs_error_set(err, "no worker");
    ++*w->job->alive;
    return 0;
}

static int run(void *worker, long number, struct cs_error *err)
{
    const struct job *job = ((struct worker *)worker)->job;

    job->times[number]++;
    if (number == job->bad || number == job->worse)
        return cs_error_set(err, "run %ld failed", number);
    return 0;
}

static void end(void *worker)
{
    --*((struct worker *)worker)->job->alive;
}

static int share_out(const struct job *job, int threads, int chunk, struct cs_error *err)
{
    const struct cs_workers share = {
        .runs = RUNS,
        .threads = threads,
        .chunk = chunk,
        .size = sizeof(struct worker),
        .job = job,
        .begin = begin,
        .run = run,
        .end = end,
    };

    return cs_workers_run(&share, err);
}

static void makes_every_run_once(void **state)
{
    (void)state;
    for (int threads = 0; threads < 5; threads++) {
        int times[RUNS] = {0}, alive = 0;
        const struct job job = {times, -1, -1, &alive, false};
        struct cs_error err = {0};

        assert_int_equal(share_out(&job, threads, 3 * threads, &err), 0);
        assert_int_equal(alive, 0);
        for (int i = 0; i < RUNS; i++)
            assert_int_equal(times[i], 1);
    }
}

static void reports_the_first_error_by_number(void **state)
{
    (void)state;
    for (int threads = 1; threads < 5; threads++) {
        int times[RUNS] = {0}, alive = 0;
        const struct job job = {times, 700, 300, &alive, false};
        struct cs_error err = {0};

        assert_int_equal(share_out(&job, threads, 500, &err), -1);
        assert_string_equal(err.text, "run 300 failed");
        assert_int_equal(alive, 0);
        for (int i = 0; i < 300; i++)
            assert_int_equal(times[i], 1);
    }
}

static void makes_no_run_without_workers(void **state)
{
    int times[RUNS] = {0}, alive = 0;
    const struct job job = {times, -1, -1, &alive, true};
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(share_out(&job, 3, 0, &err), -1);
    assert_string_equal(err.text, "no worker");
    assert_int_equal(times[0], 0);
}

static void count(void *who, long done)
{
    long *last = who;

    assert_true(done > *last && done <= RUNS);
    *last = done;
}

static void reports_how_many_are_done(void **state)
{
    int times[RUNS] = {0}, alive = 0;
    long last = 0;
    const struct job job = {times, -1, -1, &alive, false};
    const struct cs_workers share = {
        .runs = RUNS,
        .size = sizeof(struct worker),
        .job = &job,
        .begin = begin,
        .run = run,
        .progress = count,
        .who = &last,
    };
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(cs_workers_run(&share, &err), 0);
    assert_int_equal(last, RUNS);
    assert_int_equal(alive, 1);
}

/* Who hears of a stop in one thread only, as Python of signals, and tells the others. */
struct watcher {
    pthread_t hears;
    atomic_int asked;
    atomic_bool stops;
};

static bool is_stopped(void *who)
{
    struct watcher *w = who;

    if (pthread_equal(pthread_self(), w->hears) && ++w->asked > 3)
        w->stops = true;
    return w->stops;
}

/* Ends when it is stopped only; the first run is over at once. */
static int run_on(void *worker, long number, struct cs_error *err)
{
    const struct job *job = ((struct worker *)worker)->job;

    job->times[number]++;
    while (number > 0 && !cs_watch_calls())
        ;
    return number > 1 ? cs_error_set(err, "half a result") : 0;
}

static void stops_in_the_middle_of_runs(void **state)
{
    (void)state;
    for (int threads = 1; threads < 4; threads++) {
        int times[RUNS] = {0}, alive = 0;
        const struct job job = {times, -1, -1, &alive, false};
        struct watcher watcher = {.hears = pthread_self()};
        const struct cs_watch watch = {.size = sizeof watch, .stop = is_stopped, .who = &watcher};
        const struct cs_watch *before = cs_watch_enter(&watch);
        const struct cs_workers share = {.runs = threads + 1,
                                         .threads = threads,
                                         .size = sizeof(struct worker),
                                         .job = &job,
                                         .begin = begin,
                                         .run = run_on};
        struct cs_error err = {0};

        assert_int_equal(cs_workers_run(&share, &err), -1);
        assert_string_equal(err.text, "stopped");
        assert_int_equal(cs_watch_settle(0, NULL), -1);
        cs_watch_enter(before);
        assert_int_equal(cs_watch_settle(0, NULL), 0);
        assert_int_equal(times[0], 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(makes_every_run_once),
        cmocka_unit_test(reports_the_first_error_by_number),
        cmocka_unit_test(makes_no_run_without_workers),
        cmocka_unit_test(reports_how_many_are_done),
        cmocka_unit_test(stops_in_the_middle_of_runs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
