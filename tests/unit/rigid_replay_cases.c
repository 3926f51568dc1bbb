/* rigid_replay_cases: small logs, every start worked out by hand, and what is refused. */
#include "base/strbuf.h"
#include "model/procset.h"
#include "property/replay_kit.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

#define ROWS 16

struct rows {
    int count;
    struct cs_job_row row[ROWS];
    char set[ROWS][32];
};

static void keep(void *who, const struct cs_job_row *row)
{
    struct rows *rows = who;
    struct cs_strbuf text = CS_STRBUF_INIT;

    assert_true(rows->count < ROWS);
    cs_procset_print(&text, row->set, row->intervals);
    assert_true(text.length < sizeof rows->set[0]);
    strcpy(rows->set[rows->count], text.text);
    rows->row[rows->count++] = *row;
    cs_strbuf_release(&text);
}

static struct cs_queue_totals run_it(struct replay replay, const struct cs_arrival *job, int count,
                                     struct rows *rows)
{
    struct replay_at at = {.job = job, .count = count};
    struct cs_queue_totals result = {0};
    struct cs_error err = {0};

    rows->count = 0;
    replay.sets = true;
    replay.watch = keep;
    replay.who = rows;
    if (replay_run(&replay, replay_next, &at, &result, &err))
        fail_msg("%s", err.text);
    return result;
}

static struct cs_queue_totals run(const struct cs_arrival *job, int count, int machine,
                                  const char *policy, const char *priority, struct rows *rows)
{
    struct cs_policy_call call;
    struct replay replay = {.machine = machine,
                            .policy = cs_sched_policy_parse(policy, &call, NULL),
                            .param = call.param};

    assert_int_equal(replay_priority_find(priority, &replay), 0);
    return run_it(replay, job, count, rows);
}

/* The start of an attempt of a job. */
static double start_of(const struct rows *rows, int64_t id, int attempt)
{
    for (int i = 0; i < rows->count; i++)
        if (rows->row[i].id == id && rows->row[i].attempt == attempt)
            return rows->row[i].start;
    fail_msg("job %d has no attempt %d", (int)id, attempt);
    return NAN;
}

static const char *set_of(const struct rows *rows, int64_t id)
{
    for (int i = 0; i < rows->count; i++)
        if (rows->row[i].id == id)
            return rows->set[i];
    return "none";
}

/* Four processors.  1 runs; 2 waits for it and has the reservation at 10 s, which leaves one
 * processor; 3 wants the whole machine; 4 and 5 could start beside 1. */
static const struct cs_arrival five[] = {
    {.id = 1, .submit = 0, .seconds = 10, .estimate = 10, .procs = 2},
    {.id = 2, .submit = 0, .seconds = 5, .estimate = 5, .procs = 3},
    {.id = 3, .submit = 1, .seconds = 20, .estimate = 20, .procs = 4},
    {.id = 4, .submit = 1.5, .seconds = 30, .estimate = 30, .procs = 2},
    {.id = 5, .submit = 2, .seconds = 40, .estimate = 40, .procs = 1},
};

static void assert_starts(const struct rows *rows, int count, const double *start)
{
    assert_int_equal(rows->count, count);
    for (int j = 0; j < count; j++)
        if (start_of(rows, j + 1, 0) != start[j])
            fail_msg("job %d starts at %g s, not at %g s", j + 1, start_of(rows, j + 1, 0),
                     start[j]);
}

static void greedy_starts_whoever_fits(void **state)
{
    static const double start[] = {0, 31.5, 50, 1.5, 10};
    struct rows rows;

    (void)state;
    run(five, 5, 4, "greedy", "fcfs", &rows);
    assert_starts(&rows, 5, start);
}

/* 4 would hold both processors at 10 s; 5 takes the one that is spare then, and is in the way of 3
 * later, which had no reservation. */
static void strict_easy_keeps_one_reservation(void **state)
{
    static const double start[] = {0, 10, 42, 62, 2};
    struct cs_queue_totals r = {0};
    struct rows rows;

    (void)state;
    r = run(five, 5, 4, "easy", "fcfs", &rows);
    assert_starts(&rows, 5, start);
    assert_string_equal(set_of(&rows, 1), "0-1");
    assert_string_equal(set_of(&rows, 2), "0-1 3");
    assert_string_equal(set_of(&rows, 3), "0-3");
    assert_string_equal(set_of(&rows, 4), "0-1");
    assert_string_equal(set_of(&rows, 5), "2");
    assert_true(r.makespan == 92 && r.first_submit == 0 && r.last_end == 92);
    assert_int_equal(r.jobs, 5);
    assert_int_equal(r.attempts, 5);
    assert_int_equal(r.failures, 0);
    assert_true(r.busy == 20 + 15 + 80 + 60 + 40 && r.waste == 0);
    assert_true(r.utilisation == 215.0 / (4 * 92));
    assert_true(r.mean_wait == (0 + 10 + 41 + 60.5 + 0) / 5 && r.max_wait == 60.5);
    assert_true(r.mean_slowdown == (1 + 1.5 + 61.0 / 20 + 90.5 / 30 + 1) / 5);
    assert_true(r.max_slowdown == 61.0 / 20);
    assert_true(r.throughput == 5 / (92.0 / 3600));
    assert_int_equal(r.largest_queue, 3);
    assert_int_equal(r.most_unfinished, 5);
}

static void conservative_keeps_all_of_them(void **state)
{
    static const double start[] = {0, 10, 15, 35, 35};
    struct rows rows;

    (void)state;
    run(five, 5, 4, "r-list-q", "fcfs", &rows);
    assert_starts(&rows, 5, start);
}

/* A head that fits uses up the one reservation of the paper's EASY. */
static void the_paper_and_operators_do_not_mean_the_same_by_easy(void **state)
{
    static const struct cs_arrival three[] = {
        {.id = 1, .seconds = 10, .estimate = 10, .procs = 2},
        {.id = 2, .seconds = 5, .estimate = 5, .procs = 3},
        {.id = 3, .seconds = 20, .estimate = 20, .procs = 2},
    };
    static const double paper[] = {0, 20, 0}, strict[] = {0, 10, 15};
    struct rows rows;

    (void)state;
    run(three, 3, 4, "r-list-1", "fcfs", &rows);
    assert_starts(&rows, 3, paper);
    run(three, 3, 4, "easy", "fcfs", &rows);
    assert_starts(&rows, 3, strict);
}

/* By its estimate 1 ends at 20 s, so 3 may start; it ends at 10 s, but 2 has to wait for 3. */
static void estimates_make_the_plan_and_run_times_the_schedule(void **state)
{
    static const struct cs_arrival three[] = {
        {.id = 1, .submit = 0, .seconds = 10, .estimate = 20, .procs = 2},
        {.id = 2, .submit = 0, .seconds = 5, .estimate = 5, .procs = 3},
        {.id = 3, .submit = 1, .seconds = 15, .estimate = 15, .procs = 2},
    };
    static const double start[] = {0, 16, 1};
    struct rows rows;

    (void)state;
    run(three, 3, 4, "easy", "fcfs", &rows);
    assert_starts(&rows, 3, start);
    run(three, 3, 4, "r-list-q", "fcfs", &rows);
    assert_starts(&rows, 3, start);
}

/* A start counts: with two reservations 2 has the last one and 4 slips in front of 3; with three 3
 * has its own, at 15 s, which 4 would run into. */
static void any_number_of_reservations_will_do(void **state)
{
    static const struct cs_arrival four[] = {
        {.id = 1, .submit = 0, .seconds = 10, .estimate = 10, .procs = 3},
        {.id = 2, .submit = 0, .seconds = 5, .estimate = 5, .procs = 2},
        {.id = 3, .submit = 0, .seconds = 5, .estimate = 5, .procs = 4},
        {.id = 4, .submit = 0, .seconds = 16, .estimate = 16, .procs = 1},
    };
    static const double one[] = {0, 10, 16, 0}, two[] = {0, 10, 15, 20};
    struct rows rows;

    (void)state;
    run(four, 4, 4, "easy", "fcfs", &rows);
    assert_starts(&rows, 4, one);
    run(four, 4, 4, "list:reservations=2", "fcfs", &rows);
    assert_starts(&rows, 4, one);
    run(four, 4, 4, "list:reservations=3", "fcfs", &rows);
    assert_starts(&rows, 4, two);
    run(four, 4, 4, "r-list-q", "fcfs", &rows);
    assert_starts(&rows, 4, two);
}

/* Two shelves made at the end of the one before, one made when a job arrives at an idle machine. */
static void shelves_are_made_at_an_end_or_an_arrival(void **state)
{
    static const struct cs_arrival six[] = {
        {.id = 1, .submit = 1, .seconds = 10, .estimate = 10, .procs = 2},
        {.id = 2, .submit = 2, .seconds = 4, .estimate = 4, .procs = 1},
        {.id = 3, .submit = 3, .seconds = 5, .estimate = 5, .procs = 4},
        {.id = 4, .submit = 4, .seconds = 3, .estimate = 3, .procs = 2},
        {.id = 5, .submit = 30, .seconds = 2, .estimate = 2, .procs = 1},
        {.id = 6, .submit = 31, .seconds = 2, .estimate = 2, .procs = 1},
    };
    static const double skip[] = {1, 11, 15, 11, 30, 32}, close[] = {1, 11, 15, 20, 30, 32};
    struct rows rows;

    (void)state;
    run(six, 6, 4, "shelf", "fcfs", &rows);
    assert_starts(&rows, 6, skip);
    assert_int_equal(rows.row[0].shelf, 0);
    assert_int_equal(rows.row[5].shelf, 4);
    run(six, 6, 4, "shelf:backfill=no", "fcfs", &rows);
    assert_starts(&rows, 6, close);
    run(six, 6, 4, "greedy", "fcfs", &rows);
    assert_int_equal(rows.row[0].shelf, -1);
}

/* 1 was to end at 20 s and ends at 6 s; 2 fails at 4 s.  Again until 8 s, it is within the
 * estimated shelf, so it runs again in its place, and 3 waits for it. */
static void a_shelf_is_filled_by_the_estimates_and_ends_with_its_jobs(void **state)
{
    static const struct cs_arrival three[] = {
        {.id = 1, .submit = 0, .seconds = 6, .estimate = 20, .procs = 1},
        {.id = 2, .submit = 0, .seconds = 4, .estimate = 4, .procs = 2, .failures = 1},
        {.id = 3, .submit = 1, .seconds = 7, .estimate = 7, .procs = 1},
    };
    struct rows rows;

    (void)state;
    run(three, 3, 4, "shelf-fill", "fcfs", &rows);
    assert_true(start_of(&rows, 2, 1) == 4 && start_of(&rows, 3, 0) == 8);
    assert_string_equal(rows.set[0], "1-2");
    assert_string_equal(rows.set[2], "1-2");
    run(three, 3, 4, "shelf", "fcfs", &rows);
    assert_true(start_of(&rows, 2, 1) == 6 && start_of(&rows, 3, 0) == 6);
}

/* By the estimates 2 was to start at 20 s; when 1 ends early everything is planned anew. */
static void reservations_move_forward_when_a_job_ends_early(void **state)
{
    static const struct cs_arrival four[] = {
        {.id = 1, .submit = 0, .seconds = 8, .estimate = 20, .procs = 3},
        {.id = 2, .submit = 0, .seconds = 5, .estimate = 6, .procs = 4},
        {.id = 3, .submit = 1, .seconds = 10, .estimate = 30, .procs = 2},
        {.id = 4, .submit = 2, .seconds = 4, .estimate = 4, .procs = 1},
    };
    static const double start[] = {0, 8, 13, 2};
    struct rows rows;
    struct cs_queue_totals r = {0};

    (void)state;
    run(four, 4, 4, "r-list-q", "fcfs", &rows);
    assert_starts(&rows, 4, start);
    run(four, 4, 4, "list:reservations=2", "fcfs", &rows);
    assert_starts(&rows, 4, start);
    r = run(four, 4, 4, "easy", "fcfs", &rows);
    assert_starts(&rows, 4, start);
    assert_true(r.mean_wait == (0 + 8 + 12 + 0) / 4.0 && r.max_wait == 12);
    assert_true(r.mean_slowdown == (1 + 1.3 + 2.2 + 1) / 4 && r.max_slowdown == 2.2);
}

static const struct cs_arrival failing[] = {
    {.id = 1, .submit = 0, .seconds = 5, .estimate = 5, .procs = 2, .failures = 1},
    {.id = 2, .submit = 1, .seconds = 3, .estimate = 3, .procs = 2},
};

static void a_failed_job_returns_to_its_place(void **state)
{
    struct cs_queue_totals r = {0};
    struct rows rows;

    (void)state;
    r = run(failing, 2, 2, "easy", "fcfs", &rows);
    assert_int_equal(rows.count, 3);
    assert_true(start_of(&rows, 1, 0) == 0 && start_of(&rows, 1, 1) == 5);
    assert_true(start_of(&rows, 2, 0) == 10);
    assert_int_equal(r.failures, 1);
    assert_true(r.waste == 10 && r.busy == 26 && r.max_wait == 9);
    assert_true(r.mean_slowdown == (1 + 1.2) / 2 && r.max_slowdown == 1.2);
    assert_false(rows.row[0].success);
    assert_true(rows.row[1].success && rows.row[1].submit == 5);

    run(failing, 2, 2, "easy", "spt", &rows);
    assert_true(start_of(&rows, 2, 0) == 5 && start_of(&rows, 1, 1) == 8);
}

static void nothing_arrives_and_nothing_happens(void **state)
{
    struct cs_queue_totals r = {0};
    struct rows rows;

    (void)state;
    r = run(five, 0, 4, "conservative", "lpt", &rows);
    assert_int_equal(r.jobs, 0);
    assert_true(r.makespan == 0 && r.utilisation == 0 && r.mean_wait == 0 && r.throughput == 0);
}

static int refuse(struct cs_arrival a, struct cs_arrival b, const char *message)
{
    const struct cs_arrival job[] = {a, b};
    struct cs_policy_call call;
    const struct replay replay = {
        .machine = 4,
        .policy = cs_sched_policy_parse("greedy", &call, NULL),
        .param = call.param,
    };
    struct replay_at at = {.job = job, .count = 2};
    struct cs_queue_totals result = {.jobs = -7};
    struct cs_error err = {0};

    assert_int_equal(replay_run(&replay, replay_next, &at, &result, &err), -1);
    assert_string_equal(err.text, message);
    return (int)result.jobs;
}

static void arrivals_that_are_not_fit_are_refused(void **state)
{
    const struct cs_arrival good = {.id = 7, .submit = 3, .seconds = 2, .estimate = 2, .procs = 1};
    struct cs_arrival bad = good;

    (void)state;
    bad.submit = NAN;
    assert_int_equal(refuse(good, bad, "job 7: its submit time is nan, it must be a number"), -7);
    bad = good;
    bad.seconds = 0;
    refuse(good, bad, "job 7: its time is 0 s, it must be a positive number");
    bad = good;
    bad.seconds = INFINITY;
    refuse(bad, good, "job 7: its time is inf s, it must be a positive number");
    bad = good;
    bad.estimate = 0;
    refuse(good, bad, "job 7: its estimate is 0 s, it must be a positive number");
    bad = good;
    bad.procs = 5;
    refuse(good, bad, "job 7: it wants 5 processors, it must be 1 to the 4 of the machine");
    bad.procs = 0;
    refuse(good, bad, "job 7: it wants 0 processors, it must be 1 to the 4 of the machine");
    bad = good;
    bad.failures = -1;
    refuse(good, bad, "job 7: it fails -1 times, it must be 0 or more");
    bad = good;
    bad.id = 6;
    refuse(good, bad,
           "job 6, submitted at 3 s, comes after job 7, submitted at 3 s: jobs must come by submit "
           "time, then id");
    bad.submit = 1;
    refuse(good, bad,
           "job 6, submitted at 1 s, comes after job 7, submitted at 3 s: jobs must come by submit "
           "time, then id");
}

static void machines_that_are_none_are_refused(void **state)
{
    struct replay_at at = {.job = five, .count = 5};
    struct cs_queue_totals result = {0};
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(replay_run(&(struct replay){.machine = 0}, replay_next, &at, &result, &err),
                     -1);
    assert_string_equal(err.text, "the number of processors is 0, it must be at least 1");
}

static int broken(void *source, struct cs_arrival *out, struct cs_error *err)
{
    int *left = source;

    *out = five[0];
    return (*left)-- > 0 ? 1 : cs_error_set(err, "the log is torn");
}

static void an_error_of_the_source_is_handed_on(void **state)
{
    struct cs_queue_totals result = {0};
    struct cs_error err = {0};
    int left = 3;
    struct cs_policy_call call;
    const struct replay replay = {
        .machine = 4,
        .policy = cs_sched_policy_parse("greedy", &call, NULL),
        .param = call.param,
    };

    (void)state;
    assert_int_equal(replay_run(&replay, broken, &left, &result, &err), -1);
    assert_string_equal(err.text, "the log is torn");
}

/* A source that makes its jobs as it goes: memory must follow what is queued or running. */
static int make_job(void *source, struct cs_arrival *out, struct cs_error *err)
{
    int *made = source;

    (void)err;
    if (*made == KIT_ROUNDS(200000))
        return 0;
    *out = (struct cs_arrival){.id = *made,
                               .submit = 4.0 * *made,
                               .seconds = 1 + *made % 90,
                               .estimate = 100,
                               .procs = 1 + *made % 7};
    ++*made;
    return 1;
}

static void memory_does_not_follow_the_length_of_the_log(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct replay replay = {.machine = 128, .sets = true};
    struct cs_queue_totals result = {0};
    struct cs_policy_call call;
    int policies;
    const char *const *policy = cs_sched_policy_all(arena, &policies);

    (void)state;
    for (int p = 0; p < policies; p++) {
        int made = 0;

        replay.policy = cs_sched_policy_parse(policy[p], &call, NULL);
        replay.param = call.param;
        assert_int_equal(replay_run(&replay, make_job, &made, &result, NULL), 0);
        assert_int_equal(result.jobs, KIT_ROUNDS(200000));
        assert_true(result.most_unfinished < 1000);
        assert_true(result.memory < (size_t)1 << 20);
    }
    cs_arena_destroy(arena);
}

/* When 1 ends 2 has waited as long as it runs, 3 a tenth of that. */
static void orders_that_change_with_time_are_followed(void **state)
{
    static const struct cs_arrival three[] = {
        {.id = 1, .submit = 0, .seconds = 20, .estimate = 20, .procs = 4},
        {.id = 2, .submit = 10, .seconds = 10, .estimate = 10, .procs = 4},
        {.id = 3, .submit = 19, .seconds = 9, .estimate = 9, .procs = 4},
    };
    static const double expanded[] = {0, 20, 30}, shortest[] = {0, 29, 20};
    struct rows rows;

    (void)state;
    run(three, 3, 4, "easy", "lxf", &rows);
    assert_starts(&rows, 3, expanded);
    run(three, 3, 4, "easy", "sexf", &rows);
    assert_starts(&rows, 3, shortest);
    run(three, 3, 4, "fcfs", "lcfs", &rows);
    assert_starts(&rows, 3, shortest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(greedy_starts_whoever_fits),
        cmocka_unit_test(strict_easy_keeps_one_reservation),
        cmocka_unit_test(conservative_keeps_all_of_them),
        cmocka_unit_test(the_paper_and_operators_do_not_mean_the_same_by_easy),
        cmocka_unit_test(estimates_make_the_plan_and_run_times_the_schedule),
        cmocka_unit_test(any_number_of_reservations_will_do),
        cmocka_unit_test(shelves_are_made_at_an_end_or_an_arrival),
        cmocka_unit_test(a_shelf_is_filled_by_the_estimates_and_ends_with_its_jobs),
        cmocka_unit_test(reservations_move_forward_when_a_job_ends_early),
        cmocka_unit_test(a_failed_job_returns_to_its_place),
        cmocka_unit_test(nothing_arrives_and_nothing_happens),
        cmocka_unit_test(arrivals_that_are_not_fit_are_refused),
        cmocka_unit_test(machines_that_are_none_are_refused),
        cmocka_unit_test(an_error_of_the_source_is_handed_on),
        cmocka_unit_test(memory_does_not_follow_the_length_of_the_log),
        cmocka_unit_test(orders_that_change_with_time_are_followed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
