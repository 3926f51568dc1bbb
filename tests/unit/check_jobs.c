/* check_jobs: tables of jobs that are right, and every way of being wrong. */
#include "base/file.h"
#include "check/jobs.h"
#include "io/jobs_csv.h"
#include "unit/kit.h"
#include "unit/scratch.h"

#include <math.h>
#include <string.h>

/* Four processors.  Job 1 takes 3 of them for 10 s; job 2 wants all 4 and waits for it; job 3 fits
 * beside job 1 until 10 s; job 4 would not end by then; job 5 comes later. */
static const struct cs_arrival log_jobs[] = {
    {.id = 1, .submit = 0, .seconds = 10, .estimate = 10, .procs = 3},
    {.id = 2, .submit = 1, .seconds = 5, .estimate = 6, .procs = 4},
    {.id = 3, .submit = 2, .seconds = 8, .estimate = 8, .procs = 1},
    {.id = 4, .submit = 3, .seconds = 9, .estimate = 9, .procs = 1},
    {.id = 5, .submit = 20, .seconds = 1, .estimate = 30, .procs = 2},
};

#define JOBS ((int)(sizeof log_jobs / sizeof *log_jobs))
#define MOST 8

static const struct cs_interval first_three = {0, 2}, fourth = {3, 3}, all = {0, 3}, low = {0, 0},
                                low_two = {1, 2}, beyond = {4, 4}, split[] = {{0, 0}, {1, 2}};

struct table {
    struct cs_arrival job[JOBS];
    struct cs_job_row row[MOST];
    struct cs_check_table what;
};

static struct cs_job_row row_of(int job, double start, const struct cs_interval *set)
{
    const struct cs_arrival *j = &log_jobs[job];

    return (struct cs_job_row){
        .id = j->id,
        .success = true,
        .submit = j->submit,
        .requested = j->estimate,
        .start = start,
        .finish = start + j->seconds,
        .procs = j->procs,
        .intervals = 1,
        .set = set,
    };
}

/* What strict EASY does. */
static void table_init(struct table *t)
{
    memcpy(t->job, log_jobs, sizeof t->job);
    t->row[0] = row_of(0, 0, &first_three);
    t->row[1] = row_of(2, 2, &fourth);
    t->row[2] = row_of(1, 10, &all);
    t->row[3] = row_of(3, 15, &low);
    t->row[4] = row_of(4, 20, &low_two);
    t->what = (struct cs_check_table){
        .machine = 4,
        .rule = CS_CHECK_JOBS_EASY,
        .jobs = JOBS,
        .rows = JOBS,
        .job = t->job,
        .row = t->row,
    };
}

static void assert_only(const struct table *t, enum cs_violation violation, const char *text)
{
    struct cs_check_report *report = cs_check_report_create(10);

    cs_check_table(&t->what, report);
    if (!text) {
        if (report->total)
            fail_msg("%s", report->item[0].text);
    } else {
        if (report->total != 1)
            fail_msg("%zu violations, expected: %s (first: %s)", report->total, text,
                     report->total ? report->item[0].text : "none");
        assert_string_equal(report->item[0].text, text);
        assert_int_equal(report->item[0].violation, violation);
    }
    cs_check_report_destroy(report);
}

static void move(struct cs_job_row *row, double start)
{
    row->finish = start + (row->finish - row->start);
    row->start = start;
}

static void what_easy_does_is_right(void **state)
{
    struct table t;

    (void)state;
    table_init(&t);
    assert_only(&t, 0, NULL);
    t.what.rule = CS_CHECK_JOBS_VALID;
    assert_only(&t, 0, NULL);
}

static void a_table_without_sets_is_judged_by_numbers(void **state)
{
    struct table t;

    (void)state;
    table_init(&t);
    for (int r = 0; r < JOBS; r++)
        t.row[r].intervals = 0;
    assert_only(&t, 0, NULL);
    t.what.rule = CS_CHECK_JOBS_VALID;
    move(&t.row[2], 9);
    assert_only(&t, CS_VIOLATION_CAPACITY,
                "8 processors are in use from 9 s on: the machine has 4");
}

static void rows_that_are_not_of_the_log_are_reported(void **state)
{
    struct table t;

    (void)state;
    table_init(&t);
    t.row[5] = row_of(0, 30, &low);
    t.row[5].id = 99;
    t.row[5].procs = 1;
    t.what.rows = 6;
    assert_only(&t, CS_VIOLATION_INSTANCE, "job 99 of the table is not in the log");
}

static void two_jobs_with_one_number_are_reported(void **state)
{
    struct table t;

    (void)state;
    table_init(&t);
    t.what.rule = CS_CHECK_JOBS_VALID;
    t.what.rows = t.what.jobs = 0;
    assert_only(&t, 0, NULL);
    t.what.jobs = 2;
    t.job[1].id = 1;
    struct cs_check_report *report = cs_check_report_create(10);
    cs_check_table(&t.what, report);
    assert_int_equal(report->total, 3);
    assert_string_equal(report->item[0].text, "the log has two jobs with the number 1");
    cs_check_report_destroy(report);
}

static void a_job_that_never_runs_is_reported(void **state)
{
    struct table t;

    (void)state;
    table_init(&t);
    t.what.rows = 4;
    assert_only(&t, CS_VIOLATION_TASK_MISSING, "job 5 of the log never runs");
}

static void a_job_that_runs_twice_is_reported(void **state)
{
    struct table t;
    struct cs_check_report *report = cs_check_report_create(10);

    (void)state;
    table_init(&t);
    t.row[5] = row_of(4, 40, &low_two);
    t.what.rows = 6;
    cs_check_table(&t.what, report);
    assert_int_equal(report->total, 2);
    assert_string_equal(report->item[0].text, "job 5 ends well at 21 s and runs again");
    assert_string_equal(report->item[1].text, "job 5 runs 2 times, it must run 1 times");
    assert_int_equal(report->item[1].violation, CS_VIOLATION_TASK_REPEATED);
    cs_check_report_destroy(report);
}

static void a_failed_job_must_run_again(void **state)
{
    struct table t;

    (void)state;
    table_init(&t);
    t.row[4].success = false;
    assert_only(&t, CS_VIOLATION_TASK_MISSING, "job 5 fails at 21 s and does not run again");
    t.job[4].failures = 1;
    t.row[5] = row_of(4, 21, &low_two);
    t.row[5].attempt = 1;
    t.what.rows = 6;
    assert_only(&t, 0, NULL);
    move(&t.row[5], 20.5);
    t.row[5].set = &all;
    t.row[5].intervals = 0;
    t.what.rule = CS_CHECK_JOBS_VALID;
    struct cs_check_report *report = cs_check_report_create(10);
    cs_check_table(&t.what, report);
    assert_int_equal(report->total, 2);
    assert_string_equal(report->item[0].text, "job 5 starts again at 20.5 s, before its attempt "
                                              "that ends at 21 s is over");
    cs_check_report_destroy(report);
}

static void times_must_be_those_of_the_log(void **state)
{
    struct table t;

    (void)state;
    table_init(&t);
    move(&t.row[4], 19);
    assert_only(&t, CS_VIOLATION_EARLY, "job 5 starts at 19 s, it is submitted at 20 s");
    table_init(&t);
    t.row[4].submit = 19;
    assert_only(&t, CS_VIOLATION_INSTANCE,
                "job 5 is submitted at 19 s in the table and at 20 s in the log");
    table_init(&t);
    t.row[4].finish = 22;
    assert_only(&t, CS_VIOLATION_DURATION,
                "job 5 starts at 20 s and ends at 22 s, it must end at 21 s");
    t.what.tolerance = 1;
    assert_only(&t, 0, NULL);
    t.what.tolerance = 0;
    t.row[4].finish = 19;
    assert_only(&t, CS_VIOLATION_BAR_TIME,
                "job 5 runs from 20 s to 19 s: times must be finite and a job must not end before "
                "it starts");
    t.row[4].finish = NAN;
    assert_only(&t, CS_VIOLATION_BAR_TIME,
                "job 5 runs from 20 s to nan s: times must be finite and a job must not end before "
                "it starts");
}

static void verification_makes_every_attempt_longer(void **state)
{
    struct table t;

    (void)state;
    table_init(&t);
    t.what.rule = CS_CHECK_JOBS_VALID;
    t.what.verification = 0.5;
    t.what.rows = t.what.jobs = 1;
    assert_only(&t, CS_VIOLATION_DURATION,
                "job 1 starts at 0 s and ends at 10 s, it must end at 10.5 s");
    t.row[0].finish = 10.5;
    assert_only(&t, 0, NULL);
}

static void processors_must_be_those_that_were_asked_for(void **state)
{
    struct table t;

    (void)state;
    table_init(&t);
    t.row[3].procs = 2;
    t.row[3].set = &low_two;
    t.row[4].procs = t.job[4].procs = 1;
    t.row[4].set = &fourth;
    assert_only(&t, CS_VIOLATION_WIDTH,
                "job 4 asks for 2 processors in the table and for 1 in the log");
    table_init(&t);
    t.row[3].set = &low_two;
    t.row[4].procs = t.job[4].procs = 1;
    t.row[4].set = &fourth;
    assert_only(&t, CS_VIOLATION_WIDTH, "job 4 asks for 1 processors and holds 2 at 15 s");
    table_init(&t);
    t.row[3].set = &beyond;
    assert_only(&t, CS_VIOLATION_PROC_RANGE,
                "job 4 uses processor 4 at 15 s: the machine has 4, from 0 on");
    table_init(&t);
    t.row[0].set = split;
    t.row[0].intervals = 2;
    assert_only(
        &t, CS_VIOLATION_PROC_SET,
        "the processors of job 1 at 0 s are not a set of ascending, disjoint intervals with "
        "gaps between them");
    table_init(&t);
    t.row[4].set = &(const struct cs_interval){0, 1};
    assert_only(&t, CS_VIOLATION_PROC_SHARED, "jobs 4 and 5 both hold processor 0 at 20 s");
}

static void the_first_holder_of_a_processor_is_reported(void **state)
{
    struct table t;

    (void)state;
    table_init(&t);
    t.row[1].set = &(const struct cs_interval){2, 2};
    assert_only(&t, CS_VIOLATION_PROC_SHARED, "jobs 1 and 3 both hold processor 2 at 2 s");
}

/* Job 1 fails at 10 s: it is before job 2, which waits since 1 s, and 3 processors are free. */
static void a_failed_job_is_first_in_line_again(void **state)
{
    struct table t;

    (void)state;
    table_init(&t);
    t.what.rows = 3;
    t.what.jobs = 2;
    t.job[0].failures = 1;
    t.row[0].success = false;
    t.row[1] = row_of(0, 10, &first_three);
    t.row[1].attempt = 1;
    t.row[2] = row_of(1, 20, &all);
    assert_only(&t, 0, NULL);
    move(&t.row[1], 15);
    move(&t.row[2], 10);
    assert_only(&t, CS_VIOLATION_HEAD_WAITS,
                "job 1 is first in line at 10 s, 4 processors are free and it asks for 3: it must "
                "start");
}

static void the_head_must_start_when_it_fits(void **state)
{
    struct table t;

    (void)state;
    table_init(&t);
    move(&t.row[2], 11);
    move(&t.row[3], 16);
    assert_only(&t, CS_VIOLATION_HEAD_WAITS,
                "job 2 is first in line at 10 s, 4 processors are free and it asks for 4: it must "
                "start");
    t.what.rule = CS_CHECK_JOBS_VALID;
    assert_only(&t, 0, NULL);
}

/* Job 4 starts beside job 1 in the place of job 3: it ends at 12 s, job 2 was to start at 10 s. */
static void nobody_may_delay_the_head(void **state)
{
    struct table t;

    (void)state;
    table_init(&t);
    t.row[1] = row_of(3, 3, &fourth);
    t.row[2] = row_of(1, 12, &all);
    t.row[3] = row_of(2, 17, &low);
    assert_only(&t, CS_VIOLATION_RESERVATION,
                "job 4 starts at 3 s on 1 processors and is to end at 12 s: it delays job 2, first "
                "in line, which was to start at 10 s");
    t.what.rule = CS_CHECK_JOBS_VALID;
    assert_only(&t, 0, NULL);
}

/* It is the estimate that counts: job 3 ends at 10 s, but 11 s were to be expected. */
static void estimates_decide_who_delays(void **state)
{
    struct table t;

    (void)state;
    table_init(&t);
    t.job[2].estimate = 9;
    assert_only(&t, CS_VIOLATION_RESERVATION,
                "job 3 starts at 2 s on 1 processors and is to end at 11 s: it delays job 2, first "
                "in line, which was to start at 10 s");
}

static void processors_to_spare_may_be_used_beyond_the_shadow(void **state)
{
    struct table t;

    (void)state;
    table_init(&t);
    t.job[2].estimate = 9;
    t.job[1].procs = t.row[2].procs = 3;
    t.row[2].set = &first_three;
    t.row[3] = row_of(3, 10, &fourth);
    assert_only(&t, 0, NULL);
}

static void nobody_may_start_after_his_promise(void **state)
{
    struct table t;

    (void)state;
    table_init(&t);
    t.what.rule = CS_CHECK_JOBS_CONSERVATIVE;
    assert_only(&t, CS_VIOLATION_RESERVATION,
                "the table has no promises: no row has one in a column \"promise\"");
    for (int r = 0; r < JOBS; r++) {
        t.row[r].promised = true;
        t.row[r].promise = t.row[r].start + r;
    }
    assert_only(&t, 0, NULL);
    t.row[3].promise = 14.5;
    assert_only(&t, CS_VIOLATION_RESERVATION,
                "job 4 starts at 15 s, it was promised to start by 14.5 s");
    t.what.tolerance = 0.5;
    assert_only(&t, 0, NULL);
}

static void the_table_of_a_replay_is_read(void **state)
{
    static const char text[] =
        "policy,priority,job_id,number,user,partition,procs,submit,start,end,attempts,estimate,"
        "request,promise,wait,bounded_slowdown,killed,allocated\n"
        "conservative,fcfs,7,0,1,,3,5,8,18,1,12,12,9,3,1.3,0,0-2\n"
        "conservative,fcfs,8,1,1,,1,6,30,31,2,2,2,7,3,1.3,0,0\n";
    struct cs_arena *arena = cs_arena_create();
    struct cs_error err = {0};
    const struct cs_job_table *table =
        cs_jobs_csv_read_memory("t.csv", text, strlen(text), arena, &err);

    (void)state;
    if (!table)
        fail_msg("%s", err.text);
    assert_int_equal(table->count, 2);
    assert_true(table->row[0].id == 7 && table->row[0].submit == 5 && table->row[0].start == 8 &&
                table->row[0].finish == 18 && table->row[0].procs == 3 &&
                table->row[0].requested == 12 && table->row[0].promised &&
                table->row[0].promise == 9);
    assert_false(table->row[1].promised);
    cs_arena_destroy(arena);
}

static void times_with_few_digits_are_fine_within_the_tolerance(void **state)
{
    struct table t;

    (void)state;
    table_init(&t);
    move(&t.row[2], 10.00005);
    move(&t.row[3], 10.00005 + 5);
    t.what.tolerance = 0.001;
    assert_only(&t, 0, NULL);
    t.what.tolerance = 0;
    assert_only(&t, CS_VIOLATION_HEAD_WAITS,
                "job 2 is first in line at 10 s, 4 processors are free and it asks for 4: it must "
                "start");
}

static const char *write_table(const char *folder, const char *text)
{
    const char *path = scratch_path(folder, "jobs.csv");

    scratch_write(path, text, strlen(text));
    return path;
}

static void a_table_is_written_as_batsim_does(void **state)
{
    static const char wanted[] =
        "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,"
        "success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,"
        "stretch,allocated_resources\n"
        "2,\"a,b\",5,1,4,6,1,COMPLETED_SUCCESSFULLY,10,5,15,9,14,2.8,0-3\n"
        "2#1,\"a,b\",5,1,4,6,0,COMPLETED_FAILED,10.5,5,15.5,9.5,14.5,2.9,0 2-3\n";
    static const struct cs_interval two[] = {{0, 0}, {2, 3}};
    struct cs_job_row row = row_of(1, 10, &all), written;
    struct cs_strbuf text = CS_STRBUF_INIT;
    struct cs_arena *arena = cs_arena_create();
    struct cs_job_table *table;

    (void)state;
    cs_strbuf_puts(&text, CS_JOBS_CSV_HEAD);
    cs_jobs_csv_put(&text, "a,b", &row);
    move(&row, 10.5);
    row.attempt = 1;
    row.success = false;
    row.set = two;
    row.intervals = 2;
    cs_jobs_csv_put(&text, "a,b", &row);
    assert_string_equal(text.text, wanted);
    table = cs_jobs_csv_read_memory("jobs.csv", text.text, text.length, arena, NULL);
    assert_true(table && table->count == 2 && table->sets);
    written = table->row[1];
    assert_true(written.id == 2 && written.attempt == 1 && !written.success);
    assert_true(written.start == 10.5 && written.finish == 15.5 && written.procs == 4);
    assert_true(written.requested == 6 && written.submit == 1 && written.intervals == 2);
    cs_strbuf_release(&text);
    cs_arena_destroy(arena);
}

static void a_table_of_no_job_has_its_columns(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_job_table *table;

    (void)state;
    table = cs_jobs_csv_read_memory("jobs.csv", CS_JOBS_CSV_HEAD, strlen(CS_JOBS_CSV_HEAD), arena,
                                    NULL);
    assert_true(table && table->count == 0);
    cs_arena_destroy(arena);
}

static void older_tables_of_batsim_are_read(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_job_table *table;
    char folder[512];

    (void)state;
    assert_non_null(scratch_create(folder));
    table = cs_jobs_csv_read(
        write_table(
            folder,
            "jobID,submission_time,requested_number_of_processors,requested_time,success,"
            "starting_time,execution_time,finish_time,consumed_energy,allocated_processors\n"
            "w0!8,128.894351,8,62.33,1,128.894351,2.33,131.224351,-1.000000,0 8-14\n"
            "w0!9,1,8,62.33,0,,,,-1.000000,\n"),
        arena, NULL);
    assert_non_null(table);
    assert_int_equal(table->count, 1);
    assert_int_equal(table->rejected, 1);
    assert_int_equal(table->row[0].id, 8);
    assert_int_equal(table->row[0].intervals, 2);
    cs_arena_destroy(arena);
    scratch_remove(folder);
}

#define COLUMNS                                                                                    \
    "job_id,submission_time,requested_number_of_resources,success,starting_time,finish_time,"      \
    "allocated_resources\n"

static void what_is_no_such_table_is_refused(void **state)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"job_id,submission_time\n",
         "jobs.csv:1: there is no column requested_number_of_resources"},
        {COLUMNS "x,0,1,1,0,1,0\n", "jobs.csv:2: column job_id: found \"x\", expected the number "
                                    "of a job, such as 17, or 17#1 "
                                    "for its next attempt"},
        {COLUMNS "1#x,0,1,1,0,1,0\n",
         "jobs.csv:2: column job_id: found \"1#x\", expected the number of a job, such as 17, or "
         "17#1 for its next attempt"},
        {COLUMNS "1,nan,1,1,0,1,0\n", "jobs.csv:2: column submission_time: found \"nan\""},
        {COLUMNS "1,0,0,1,0,1,0\n",
         "jobs.csv:2: column requested_number_of_resources: found \"0\""},
        {COLUMNS "1,0,1,2,0,1,0\n", "jobs.csv:2: column success: found \"2\""},
        {COLUMNS "1,0,1,1,x,1,0\n", "jobs.csv:2: column starting_time: found \"x\""},
        {COLUMNS "1,0,1,1,0,,0\n", "jobs.csv:2: column finish_time: empty, expected a number"},
        {COLUMNS "1,0,1,1,0,1,3-\n",
         "jobs.csv:2: column allocated_resources: \"3-\" is not a set of processors"},
        {COLUMNS "1,0,1,1,0,1\n", "jobs.csv:2: "},
    };
    struct cs_arena *arena = cs_arena_create();
    char folder[512];

    (void)state;
    assert_non_null(scratch_create(folder));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct cs_error err = {0};
        const char *reported;

        assert_null(cs_jobs_csv_read(write_table(folder, bad[i].text), arena, &err));
        reported = strstr(err.text, "jobs.csv:");
        if (!reported || strncmp(reported, bad[i].message, strlen(bad[i].message)))
            fail_msg("%s, expected %s", err.text, bad[i].message);
    }
    cs_arena_destroy(arena);
    scratch_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_easy_does_is_right),
        cmocka_unit_test(a_table_without_sets_is_judged_by_numbers),
        cmocka_unit_test(rows_that_are_not_of_the_log_are_reported),
        cmocka_unit_test(two_jobs_with_one_number_are_reported),
        cmocka_unit_test(a_job_that_never_runs_is_reported),
        cmocka_unit_test(a_job_that_runs_twice_is_reported),
        cmocka_unit_test(a_failed_job_must_run_again),
        cmocka_unit_test(times_must_be_those_of_the_log),
        cmocka_unit_test(verification_makes_every_attempt_longer),
        cmocka_unit_test(processors_must_be_those_that_were_asked_for),
        cmocka_unit_test(the_first_holder_of_a_processor_is_reported),
        cmocka_unit_test(a_failed_job_is_first_in_line_again),
        cmocka_unit_test(the_head_must_start_when_it_fits),
        cmocka_unit_test(nobody_may_delay_the_head),
        cmocka_unit_test(estimates_decide_who_delays),
        cmocka_unit_test(processors_to_spare_may_be_used_beyond_the_shadow),
        cmocka_unit_test(nobody_may_start_after_his_promise),
        cmocka_unit_test(the_table_of_a_replay_is_read),
        cmocka_unit_test(times_with_few_digits_are_fine_within_the_tolerance),
        cmocka_unit_test(a_table_is_written_as_batsim_does),
        cmocka_unit_test(a_table_of_no_job_has_its_columns),
        cmocka_unit_test(older_tables_of_batsim_are_read),
        cmocka_unit_test(what_is_no_such_table_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
