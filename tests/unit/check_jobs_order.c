/* check_jobs_order: nobody overtakes where the first that comes is the first that is served. */
#include "check/jobs.h"
#include "unit/kit.h"

static void who_overtakes_is_reported_by_first_come_first_served(void **state)
{
    static const struct cs_arrival job[] = {
        {.id = 1, .submit = 0, .seconds = 5, .estimate = 5, .procs = 2},
        {.id = 2, .submit = 1, .seconds = 5, .estimate = 5, .procs = 2},
        {.id = 3, .submit = 1, .seconds = 5, .estimate = 5, .procs = 1},
        {.id = 4, .submit = 2, .seconds = 5, .estimate = 5, .procs = 1},
    };
    static const double start[] = {0, 6, 5, 5.5};
    struct cs_check_report *report = cs_check_report_create(4);
    struct cs_job_row row[4];

    (void)state;
    for (int j = 0; j < 4; j++)
        row[j] = (struct cs_job_row){.id = job[j].id,
                                     .success = true,
                                     .submit = job[j].submit,
                                     .start = start[j],
                                     .finish = start[j] + 5,
                                     .procs = job[j].procs};
    cs_check_table(
        &(struct cs_check_table){
            .machine = 4, .rule = CS_CHECK_JOBS_FCFS, .jobs = 4, .rows = 4, .job = job, .row = row},
        report);
    assert_int_equal(report->total, 1);
    assert_int_equal(report->item[0].violation, CS_VIOLATION_OVERTAKES);
    assert_string_equal(report->item[0].text,
                        "job 4 starts at 5.5 s, before job 2, which was submitted earlier and "
                        "starts at 6 s");
    cs_check_report_destroy(report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_overtakes_is_reported_by_first_come_first_served),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
