/* check_pack: valid plans pass; a plan broken in any one way is refused for that reason. */
#include "unit/draft.h"
#include "unit/kit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SEEDS 200

/* Bars 0 and 1 are the first pack, and no draft has fewer than two packs. */
static struct cs_bar *later_bar(struct draft *d)
{
    int i = 2;

    while (d->bar[i].group == 0)
        i++;
    return &d->bar[i];
}

static void nan_start(struct draft *d)
{
    d->bar[0].start = NAN;
}

static void endless(struct draft *d)
{
    d->bar[0].end = INFINITY;
}

static void before_time(struct draft *d)
{
    d->bar[0].start = -1;
}

static void no_length(struct draft *d)
{
    d->bar[1].end = d->bar[1].start;
}

static void backwards(struct draft *d)
{
    struct cs_bar *bar = later_bar(d);

    bar->end = bar->start / 2;
}

static void no_processor(struct draft *d)
{
    d->bar[0].intervals = 0;
}

static void touching_intervals(struct draft *d)
{
    struct cs_interval *set = d->set[0];

    set[1] = (struct cs_interval){set[0].last + 1, set[0].last + 1};
    d->bar[0].intervals = 2;
}

static void intervals_in_disorder(struct draft *d)
{
    d->set[0][0] = (struct cs_interval){2, 3};
    d->set[0][1] = (struct cs_interval){0, 0};
    d->bar[0].intervals = 2;
}

static void backward_interval(struct draft *d)
{
    d->set[0][0] = (struct cs_interval){3, 1};
}

static void negative_processor(struct draft *d)
{
    d->set[0][0].first = -1;
}

static void processor_too_high(struct draft *d)
{
    d->set[1][0].last = d->procs;
}

static void shared_processor(struct draft *d)
{
    int shift = d->set[1][0].first - d->set[0][0].last;

    d->set[1][0].first -= shift;
    d->set[1][0].last -= shift;
}

static void attempt_zero(struct draft *d)
{
    d->bar[1].attempt = 0;
}

static void forgotten_task(struct draft *d)
{
    d->bars--;
}

static void task_twice(struct draft *d)
{
    d->bar[d->bars] = d->bar[0];
    d->bar[d->bars].start += d->declared.cost;
    d->bar[d->bars].end += d->declared.cost;
    d->set[d->bars][0] = d->set[0][0];
    d->bars++;
}

static void task_beside_itself(struct draft *d)
{
    d->bar[1].task = d->bar[0].task;
}

static void not_work(struct draft *d)
{
    d->bar[1].kind = CS_BAR_CHECKPOINT;
}

static void a_little_longer(struct draft *d)
{
    d->bar[0].end *= 1 + 1e-10;
}

static void a_little_shorter(struct draft *d)
{
    d->bar[0].end *= 1 - 1e-10;
}

static void a_wrong_width(struct draft *d)
{
    d->set[0][0].last = d->set[0][0].first + d->procs - 1;
}

static void no_pack(struct draft *d)
{
    d->bar[1].group = -1;
}

static void other_pack(struct draft *d)
{
    d->bar[1].group = later_bar(d)->group;
}

static void late_task(struct draft *d)
{
    double length = d->bar[1].end - d->bar[1].start;

    d->bar[1].start = d->declared.cost * 2;
    d->bar[1].end = d->bar[1].start + length;
}

static void early_pack(struct draft *d)
{
    for (int i = 0; i < d->bars; i++)
        if (d->bar[i].group > 0) {
            d->bar[i].start *= 0.99;
            d->bar[i].end -= 0.01 * d->bar[i].start / 0.99;
        }
}

static void larger_pack(struct draft *d)
{
    d->pack_size = 1;
}

static void too_many_processors(struct draft *d)
{
    d->procs = d->set[1][0].last;
}

static void all_in_one_pack(struct draft *d)
{
    for (int i = 0; i < d->bars; i++)
        d->bar[i].group = 0;
}

static void pack_cost_too_low(struct draft *d)
{
    d->pack[0].cost *= 0.999;
}

static void total_too_low(struct draft *d)
{
    d->declared.cost *= 0.999;
}

static void listed_elsewhere(struct draft *d)
{
    d->pack[0].tasks--;
    d->pack[1].task--;
    d->pack[1].tasks++;
}

static void listed_twice(struct draft *d)
{
    d->entry[1].task = d->entry[0].task;
}

static void not_listed(struct draft *d)
{
    d->pack[d->declared.packs - 1].tasks--;
}

static void other_processors_listed(struct draft *d)
{
    d->entry[0].procs++;
}

static void other_seconds_listed(struct draft *d)
{
    d->entry[0].seconds *= 0.9;
}

static void wrong_one_pack_cost(struct draft *d)
{
    d->declared.one_pack_cost *= 1.0001;
}

static void wrong_relative_cost(struct draft *d)
{
    d->declared.relative_cost *= 1.0001;
}

static void wrong_packing_ratio(struct draft *d)
{
    d->declared.packing_ratio *= 1.0001;
}

static void wrong_response_time(struct draft *d)
{
    d->declared.relative_response_time *= 1.0001;
}

static void bound_above_cost(struct draft *d)
{
    d->declared.lower_bound = d->declared.cost * 1.0001;
}

static void negative_bound(struct draft *d)
{
    d->declared.lower_bound = -1;
}

static void wrong_gap(struct draft *d)
{
    d->declared.gap = 0.5;
}

static const struct mutation {
    const char *name;
    void (*apply)(struct draft *);
    enum cs_violation expected;
} mutations[] = {
    {"nan_start", nan_start, CS_VIOLATION_BAR_TIME},
    {"endless", endless, CS_VIOLATION_BAR_TIME},
    {"before_time", before_time, CS_VIOLATION_BAR_TIME},
    {"no_length", no_length, CS_VIOLATION_BAR_LENGTH},
    {"backwards", backwards, CS_VIOLATION_BAR_LENGTH},
    {"no_processor", no_processor, CS_VIOLATION_PROC_SET},
    {"touching_intervals", touching_intervals, CS_VIOLATION_PROC_SET},
    {"intervals_in_disorder", intervals_in_disorder, CS_VIOLATION_PROC_SET},
    {"backward_interval", backward_interval, CS_VIOLATION_PROC_SET},
    {"negative_processor", negative_processor, CS_VIOLATION_PROC_SET},
    {"processor_too_high", processor_too_high, CS_VIOLATION_PROC_RANGE},
    {"shared_processor", shared_processor, CS_VIOLATION_PROC_SHARED},
    {"attempt_zero", attempt_zero, CS_VIOLATION_ATTEMPT},
    {"forgotten_task", forgotten_task, CS_VIOLATION_TASK_MISSING},
    {"task_twice", task_twice, CS_VIOLATION_TASK_REPEATED},
    {"task_beside_itself", task_beside_itself, CS_VIOLATION_TASK_OVERLAP},
    {"not_work", not_work, CS_VIOLATION_BAR_KIND},
    {"a_little_longer", a_little_longer, CS_VIOLATION_DURATION},
    {"a_little_shorter", a_little_shorter, CS_VIOLATION_DURATION},
    {"a_wrong_width", a_wrong_width, CS_VIOLATION_PACK_PROCS},
    {"no_pack", no_pack, CS_VIOLATION_PACK_MISSING},
    {"other_pack", other_pack, CS_VIOLATION_PACK_START},
    {"late_task", late_task, CS_VIOLATION_PACK_START},
    {"early_pack", early_pack, CS_VIOLATION_PACK_OVERLAP},
    {"larger_pack", larger_pack, CS_VIOLATION_PACK_SIZE},
    {"too_many_processors", too_many_processors, CS_VIOLATION_PROC_RANGE},
    {"all_in_one_pack", all_in_one_pack, CS_VIOLATION_PACK_SIZE},
    {"pack_cost_too_low", pack_cost_too_low, CS_VIOLATION_DECLARED_COST},
    {"total_too_low", total_too_low, CS_VIOLATION_DECLARED_COST},
    {"listed_elsewhere", listed_elsewhere, CS_VIOLATION_DECLARED_TASK},
    {"listed_twice", listed_twice, CS_VIOLATION_DECLARED_TASK},
    {"not_listed", not_listed, CS_VIOLATION_DECLARED_TASK},
    {"other_processors_listed", other_processors_listed, CS_VIOLATION_DECLARED_TASK},
    {"other_seconds_listed", other_seconds_listed, CS_VIOLATION_DECLARED_TASK},
    {"wrong_one_pack_cost", wrong_one_pack_cost, CS_VIOLATION_DECLARED_RATIO},
    {"wrong_relative_cost", wrong_relative_cost, CS_VIOLATION_DECLARED_RATIO},
    {"wrong_packing_ratio", wrong_packing_ratio, CS_VIOLATION_DECLARED_RATIO},
    {"wrong_response_time", wrong_response_time, CS_VIOLATION_DECLARED_RATIO},
    {"bound_above_cost", bound_above_cost, CS_VIOLATION_DECLARED_BOUND},
    {"negative_bound", negative_bound, CS_VIOLATION_DECLARED_BOUND},
    {"wrong_gap", wrong_gap, CS_VIOLATION_DECLARED_BOUND},
};

static bool has(const struct cs_check_report *report, enum cs_violation violation)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->item[i].violation == violation)
            return true;
    return false;
}

static void passes_valid_plans(void **state)
{
    static struct draft draft;

    (void)state;
    for (unsigned seed = 0; seed < 10 * SEEDS; seed++) {
        struct cs_check_report *report;

        draft_make(&draft, seed);
        report = draft_check(&draft);
        if (report->total)
            fail_msg("seed %u: %s", seed, report->item[0].text);
        cs_check_report_destroy(report);
        draft_release(&draft);
    }
}

static void refuses_every_broken_plan_for_its_reason(void **state)
{
    static struct draft draft;

    (void)state;
    for (size_t i = 0; i < sizeof mutations / sizeof *mutations; i++)
        for (unsigned seed = 0; seed < SEEDS; seed++) {
            struct cs_check_report *report;

            draft_make(&draft, seed);
            mutations[i].apply(&draft);
            report = draft_check(&draft);
            if (!has(report, mutations[i].expected))
                fail_msg("%s, seed %u: %zu violations, none is \"%s\"", mutations[i].name, seed,
                         report->total, cs_violation_name(mutations[i].expected));
            cs_check_report_destroy(report);
            draft_release(&draft);
        }
}

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
    d->workload = cs_workload_create(3, names, profile);
    d->procs = 4;
    d->tasks = d->bars = 3;
    d->pack_size = 2;
    d->set[0][0] = (struct cs_interval){0, 1};
    d->set[1][0] = (struct cs_interval){2, 3};
    d->set[2][0] = (struct cs_interval){0, 3};
    d->bar[0] = (struct cs_bar){CS_BAR_WORK, 0, 1, 0, 0, 8, 1, NULL};
    d->bar[1] = (struct cs_bar){CS_BAR_WORK, 1, 1, 0, 0, 5, 1, NULL};
    d->bar[2] = (struct cs_bar){CS_BAR_WORK, 2, 1, 1, 8, 12, 1, NULL};
    d->entry[0] = (struct cs_pack_declared_task){0, 2, 8};
    d->entry[1] = (struct cs_pack_declared_task){1, 2, 5};
    d->entry[2] = (struct cs_pack_declared_task){2, 4, 4};
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

static void md_beside_cfd(struct draft *d)
{
    d->set[1][0] = (struct cs_interval){1, 2};
}

static void wrong_sum(struct draft *d)
{
    d->declared.cost = 11;
}

static void md_left_out(struct draft *d)
{
    d->pack[0].tasks = 1;
}

static const struct sentence {
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
    {md_beside_cfd, 1, CS_VIOLATION_PROC_SHARED, 1, 0,
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
    {md_left_out, 3, CS_VIOLATION_DECLARED_TASK, 1, NAN, "no pack lists task \"md\""},
    {wrong_gap, 1, CS_VIOLATION_DECLARED_BOUND, -1, NAN,
     "the declared gap is 0.5: (cost - lower bound) / lower bound is 0.2"},
};

static void expect(const struct cs_check_report *report, const struct sentence *want)
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
    file.workload = cs_workload_create(2, d.workload->name, d.workload->profile);
    file_says(&file, CS_VIOLATION_INSTANCE,
              "the schedule has 3 tasks and the instance 2: they must be the same");
    cs_workload_destroy(file.workload);
    file.workload =
        cs_workload_create(3, (const char *const[]){"cfd", "dm", "fem"}, d.workload->profile);
    file_says(&file, CS_VIOLATION_INSTANCE,
              "task 1 is \"md\" in the schedule and \"dm\" in the instance");
    cs_workload_destroy(file.workload);
    cs_schedule_destroy(file.schedule);
    cs_workload_destroy(d.workload);
}

static void takes_a_plan_without_tasks(void **state)
{
    struct cs_workload *workload = cs_workload_create(0, NULL, NULL);
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
        cmocka_unit_test(passes_valid_plans),
        cmocka_unit_test(refuses_every_broken_plan_for_its_reason),
        cmocka_unit_test(says_each_violation_in_one_sentence),
        cmocka_unit_test(counts_what_it_does_not_keep),
        cmocka_unit_test(checks_files_by_the_rules_of_their_problem),
        cmocka_unit_test(takes_a_plan_without_tasks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
