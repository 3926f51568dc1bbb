/* check_text: what the checker says of a small plan that was broken in one place. */
#include "unit/draft.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

/* cfd and md beside each other on 4 processors until 8, then fem alone. */
static void three_tasks(struct draft *d)
{
    static const double seconds[3][4] = {{9, 8, 7, 6}, {8, 5, 4, 4}, {INFINITY, 6, 5, 4}};
    static const char *const names[] = {"cfd", "md", "fem"};
    struct cs_profile profile[3];

    for (int i = 0; i < 3; i++)
        profile[i] =
            (struct cs_profile){.kind = CS_PROFILE_TABLE, .count = 4, .seconds = seconds[i]};
    memset(d, 0, sizeof *d);
    d->workload = cs_workload_create(3, names, profile, NULL);
    d->procs = 4;
    d->tasks = d->bars = 3;
    d->pack_size = 2;
    d->set[0][0] = (struct cs_interval){0, 1};
    d->set[1][0] = (struct cs_interval){2, 3};
    d->set[2][0] = (struct cs_interval){0, 3};
    d->bar[0] = (struct cs_bar){CS_BAR_WORK, 0, 1, 0, 0, 8, 1, NULL, 0};
    d->bar[1] = (struct cs_bar){CS_BAR_WORK, 1, 1, 0, 0, 5, 1, NULL, 0};
    d->bar[2] = (struct cs_bar){CS_BAR_WORK, 2, 1, 1, 8, 12, 1, NULL, 0};
    d->entry[0] = (struct cs_pack_declared_task){.task = 0, .procs = 2, .seconds = 8};
    d->entry[1] = (struct cs_pack_declared_task){.task = 1, .procs = 2, .seconds = 5};
    d->entry[2] = (struct cs_pack_declared_task){.task = 2, .procs = 4, .seconds = 4};
    d->pack[0] = (struct cs_pack_declared_pack){8, 2, d->entry};
    d->pack[1] = (struct cs_pack_declared_pack){4, 1, d->entry + 2};
    d->declared = (struct cs_pack_declared){.pack_size = 2,
                                            .cost = 12,
                                            .one_pack_cost = 14,
                                            .relative_cost = 12.0 / 14,
                                            .packing_ratio = 42.0 / 48,
                                            .relative_response_time = 25.0 / 26,
                                            .lower_bound = 10,
                                            .gap = 0.2,
                                            .packs = 2};
}

static void attempt_zero(struct draft *d)
{
    d->bar[1].attempt = 0;
}

static void not_work(struct draft *d)
{
    d->bar[1].kind = CS_BAR_CHECKPOINT;
}

static void processor_too_high(struct draft *d)
{
    d->set[1][0].last = d->procs;
}

static void forgotten_task(struct draft *d)
{
    d->bars--;
}

static void larger_pack(struct draft *d)
{
    d->pack_size = 1;
}

static void wrong_gap(struct draft *d)
{
    d->declared.gap = 0.5;
}

static void nan_start(struct draft *d)
{
    d->bar[0].start = NAN;
}

static void endless(struct draft *d)
{
    d->bar[0].end = INFINITY;
}

static void no_processor(struct draft *d)
{
    d->bar[0].intervals = 0;
}

static void intervals_in_disorder(struct draft *d)
{
    d->set[0][0] = (struct cs_interval){2, 3};
    d->set[0][1] = (struct cs_interval){0, 0};
    d->bar[0].intervals = 2;
}

static void no_pack(struct draft *d)
{
    d->bar[1].group = -1;
}

static void pack_cost_too_low(struct draft *d)
{
    d->pack[0].cost *= 0.999;
}

static void md_longer(struct draft *d)
{
    d->bar[1].end = 6.5;
}

static void fem_narrow(struct draft *d)
{
    d->set[2][0].last = 0;
}

static void fem_too_early(struct draft *d)
{
    d->bar[2].start = 7.5;
    d->bar[2].end = 11.5;
}

static void md_extra_cfd(struct draft *d)
{
    d->set[1][0] = (struct cs_interval){1, 2};
}

static void wrong_sum(struct draft *d)
{
    d->declared.cost = 11;
}

static void cfd_listed_twice(struct draft *d)
{
    d->entry[1] = d->entry[0];
}

static void md_left_out(struct draft *d)
{
    d->pack[0].tasks = 1;
}

static void fem_longer(struct draft *d)
{
    d->bar[2].end = 12.5;
}

static void fem_listed_shorter(struct draft *d)
{
    d->entry[2].seconds = 3.5;
    d->pack[1].cost = 3.5;
}

static void md_listed_shorter(struct draft *d)
{
    d->entry[1].seconds = 4.5;
}

/* The cost follows from the packs: what follows from it is checked all the same. */
static void ratios_without_cost(struct draft *d)
{
    d->declared.cost = NAN;
    d->declared.relative_cost = 99;
    d->declared.lower_bound = 1e9;
}

static const struct error_text {
    void (*apply)(struct draft *);
    size_t total;
    enum cs_violation violation;
    int task;
    double time;
    const char *text;
} sentences[] = {
    {md_longer, 1, CS_VIOLATION_DURATION, 1, 0,
     "task \"md\" takes 6.5 s from 0 s on: on 2 processors it must take 5 s"},
    {fem_narrow, 2, CS_VIOLATION_TOO_FEW_PROCS, 2, 8,
     "task \"fem\" has 1 processor at 8 s: it cannot run on so few"},
    {fem_too_early, 2, CS_VIOLATION_PROC_SHARED, 2, 7.5,
     "task \"fem\" starts at 7.5 s on processor 0, which task \"cfd\" holds until 8 s"},
    {fem_too_early, 2, CS_VIOLATION_PACK_OVERLAP, -1, 7.5,
     "pack 1 starts at 7.5 s before pack 0 ends at 8 s"},
    {md_extra_cfd, 1, CS_VIOLATION_PROC_SHARED, 1, 0,
     "task \"md\" starts at 0 s on processor 1, which task \"cfd\" holds until 8 s"},
    {attempt_zero, 1, CS_VIOLATION_ATTEMPT, 1, 0,
     "task \"md\" has attempt 0 at 0 s: attempts count from 1"},
    {not_work, 1, CS_VIOLATION_BAR_KIND, 1, 0,
     "task \"md\" has a bar of kind checkpoint at 0 s: a plan of packs has only work"},
    {processor_too_high, 4, CS_VIOLATION_PROC_RANGE, 1, 0,
     "task \"md\" uses processor 4 at 0 s: the platform has 4, from 0 on"},
    {forgotten_task, 2, CS_VIOLATION_TASK_MISSING, 2, NAN, "task \"fem\" never runs"},
    {forgotten_task, 2, CS_VIOLATION_DECLARED_TASK, 2, NAN,
     "pack 1 lists task \"fem\", which has no bar"},
    {larger_pack, 1, CS_VIOLATION_PACK_SIZE, -1, 0,
     "pack 0 at 0 s has 2 tasks: at most 1 may share one"},
    {wrong_sum, 4, CS_VIOLATION_DECLARED_COST, -1, NAN,
     "the declared cost is 11 s: the packs cost 12 s together"},
    {fem_longer, 2, CS_VIOLATION_DURATION, 2, 8,
     "task \"fem\" takes 4.5 s from 8 s on: on 4 processors it must take 4 s"},
    {nan_start, 1, CS_VIOLATION_BAR_TIME, 0, NAN,
     "task \"cfd\" has a bar from nan s to 8 s: times must be finite and not negative"},
    {endless, 1, CS_VIOLATION_BAR_TIME, 0, 0,
     "task \"cfd\" has a bar from 0 s to inf s: times must be finite and not negative"},
    {no_processor, 2, CS_VIOLATION_PROC_SET, 0, 0, "task \"cfd\" has no processor at 0 s"},
    {intervals_in_disorder, 3, CS_VIOLATION_PROC_SET, 0, 0,
     "the processors of task \"cfd\" at 0 s are not a set of ascending, disjoint intervals with "
     "gaps between them"},
    {no_pack, 2, CS_VIOLATION_PACK_MISSING, 1, 0, "task \"md\" at 0 s is in no pack"},
    {fem_listed_shorter, 4, CS_VIOLATION_DECLARED_TASK, 2, NAN,
     "pack 1 declares that task \"fem\" takes 3.5 s on 4 processors: it takes 4 s"},
    {md_listed_shorter, 3, CS_VIOLATION_DECLARED_TASK, 1, NAN,
     "pack 0 declares that task \"md\" takes 4.5 s on 2 processors: it takes 5 s"},
    {pack_cost_too_low, 2, CS_VIOLATION_DECLARED_COST, -1, NAN,
     "pack 0 declares a cost of 7.992 s: its longest task takes 8 s"},
    {cfd_listed_twice, 4, CS_VIOLATION_DECLARED_TASK, 0, NAN, "pack 0 lists task \"cfd\" again"},
    {md_left_out, 3, CS_VIOLATION_DECLARED_TASK, 1, NAN, "no pack lists task \"md\""},
    {wrong_gap, 1, CS_VIOLATION_DECLARED_BOUND, -1, NAN,
     "the declared gap is 0.5: (cost - lower bound) / lower bound is 0.2"},
};

static void expect(const struct cs_check_report *report, const struct error_text *want)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct cs_check_item *item = &report->item[i];

        if (strcmp(item->text, want->text) == 0) {
            assert_int_equal(item->violation, want->violation);
            assert_int_equal(item->task, want->task);
            assert_true(item->time == want->time || (isnan(item->time) && isnan(want->time)));
            if (report->total == want->total)
                return;
        }
    }
    for (size_t i = 0; i < report->count; i++)
        print_message("# %s\n", report->item[i].text);
    fail_msg("%zu violations, not %zu with: %s", report->total, want->total, want->text);
}

static void says_each_violation_in_one_sentence(void **state)
{
    static struct draft d;
    struct cs_check_report *report;

    (void)state;
    three_tasks(&d);
    report = draft_check(&d);
    assert_int_equal(report->total, 0);
    cs_check_report_destroy(report);
    cs_workload_destroy(d.workload);
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        three_tasks(&d);
        sentences[i].apply(&d);
        report = draft_check(&d);
        expect(report, &sentences[i]);
        cs_check_report_destroy(report);
        cs_workload_destroy(d.workload);
    }
}

static void checks_ratios_and_bounds_without_a_cost(void **state)
{
    static struct draft d;
    struct cs_check_report *report;

    (void)state;
    three_tasks(&d);
    ratios_without_cost(&d);
    report = draft_check(&d);
    assert_int_equal(report->total, 3); /* the ratio, the bound and its gap */
    cs_check_report_destroy(report);
    cs_workload_destroy(d.workload);
}

static void counts_what_it_does_not_keep(void **state)
{
    static struct draft d;
    struct cs_check_report *report = cs_check_report_create(2);
    struct cs_schedule *schedule;

    (void)state;
    three_tasks(&d);
    for (int i = 0; i < 3; i++)
        d.bar[i].attempt = 0;
    schedule = draft_schedule(&d);
    cs_check_pack(schedule, d.workload, d.pack_size, NULL, report);
    assert_int_equal(report->total, 3);
    assert_int_equal(report->count, 2);
    assert_int_equal(report->item[1].task, 1);
    cs_schedule_destroy(schedule);
    cs_check_report_destroy(report);
    cs_check_report_destroy(NULL);
    cs_workload_destroy(d.workload);
}

/* The first violation of a schedule file made of a draft. */
static void file_says(struct cs_schedule_file *file, enum cs_violation violation, const char *text)
{
    struct cs_check_report *report = cs_check_report_create(9);

    cs_check_file(file, report);
    if (!text) {
        assert_int_equal(report->total, 0);
    } else {
        assert_int_equal(report->total, 1);
        assert_int_equal(report->item[0].violation, violation);
        assert_string_equal(report->item[0].text, text);
    }
    cs_check_report_destroy(report);
}

static void checks_files_by_the_rules_of_their_problem(void **state)
{
    static struct draft d;
    struct cs_schedule_file file;

    (void)state;
    three_tasks(&d);
    file = (struct cs_schedule_file){
        .schedule = draft_schedule(&d), .workload = d.workload, .makespan = NAN};
    file_says(&file, CS_VIOLATION_MAKESPAN, NULL);
    file.makespan = 11;
    file_says(&file, CS_VIOLATION_MAKESPAN,
              "the declared makespan is 11 s: the last bar ends at 12 s");
    file.makespan = 12;
    file.workload = NULL;
    file_says(&file, CS_VIOLATION_INSTANCE,
              "the file has no \"instance\": without the profiles no duration can be checked");
    file.workload = cs_workload_create(2, d.workload->name, d.workload->profile, NULL);
    file_says(&file, CS_VIOLATION_INSTANCE,
              "the schedule has 3 tasks and the instance 2: they must be the same");
    cs_workload_destroy(file.workload);
    file.workload =
        cs_workload_create(3, (const char *const[]){"cfd", "dm", "fem"}, d.workload->profile, NULL);
    file_says(&file, CS_VIOLATION_INSTANCE,
              "task 1 is \"md\" in the schedule and \"dm\" in the instance");
    cs_workload_destroy(file.workload);
    cs_schedule_destroy(file.schedule);
    cs_workload_destroy(d.workload);
}

static void takes_a_plan_without_tasks(void **state)
{
    struct cs_workload *workload = cs_workload_create(0, NULL, NULL, NULL);
    struct cs_schedule *schedule = cs_schedule_create("pack", 4, 0, NULL);
    const struct cs_pack_declared declared = {.pack_size = 4,
                                              .relative_cost = NAN,
                                              .packing_ratio = NAN,
                                              .relative_response_time = NAN,
                                              .gap = NAN};
    struct cs_check_report *report = cs_check_report_create(9);

    (void)state;
    cs_check_pack(schedule, workload, 4, &declared, report);
    assert_int_equal(report->total, 0);
    cs_check_report_destroy(report);
    cs_schedule_destroy(schedule);
    cs_workload_destroy(workload);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_each_violation_in_one_sentence),
        cmocka_unit_test(counts_what_it_does_not_keep),
        cmocka_unit_test(checks_files_by_the_rules_of_their_problem),
        cmocka_unit_test(takes_a_plan_without_tasks),
        cmocka_unit_test(checks_ratios_and_bounds_without_a_cost),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
