/* check_pack: valid plans pass; a plan broken in any one way is refused for that reason. */
#include "unit/draft.h"
#include "unit/kit.h"

#include <math.h>

#define SEEDS KIT_ROUNDS(200)

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

static void task_extra_itself(struct draft *d)
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

static void wrong_ratio_of_used_processors(struct draft *d)
{
    d->declared.packing_ratio_used = d->declared.packing_ratio * 1.0001;
}

static void wrong_least_packing_ratio(struct draft *d)
{
    d->declared.packing_ratio_minimal = d->declared.packing_ratio * 1.0001;
}

static void wrong_response_time(struct draft *d)
{
    d->declared.relative_response_time *= 1.0001;
}

static void bound_above_cost(struct draft *d)
{
    d->declared.lower_bound = d->declared.cost * 1.0001;
}

/* Random packs are far from the best ones. */
static void bound_at_the_cost(struct draft *d)
{
    d->declared.lower_bound = d->declared.cost;
    d->declared.gap = 0;
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
    {"task_beside_itself", task_extra_itself, CS_VIOLATION_TASK_OVERLAP},
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
    {"wrong_ratio_of_used_processors", wrong_ratio_of_used_processors, CS_VIOLATION_DECLARED_RATIO},
    {"wrong_least_packing_ratio", wrong_least_packing_ratio, CS_VIOLATION_DECLARED_RATIO},
    {"wrong_response_time", wrong_response_time, CS_VIOLATION_DECLARED_RATIO},
    {"bound_above_cost", bound_above_cost, CS_VIOLATION_DECLARED_BOUND},
    {"bound_at_the_cost", bound_at_the_cost, CS_VIOLATION_DECLARED_BOUND},
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

static void takes_packs_and_bars_in_any_order(void **state)
{
    static struct draft draft;

    (void)state;
    for (unsigned seed = 0; seed < SEEDS; seed++) {
        struct cs_check_report *report;

        draft_make(&draft, seed);
        draft_turn_around(&draft, seed);
        report = draft_check(&draft);
        if (report->total)
            fail_msg("seed %u: %s", seed, report->item[0].text);
        cs_check_report_destroy(report);
        for (int i = 0; i < draft.bars; i++)
            if (draft.bar[i].group == 0) {
                draft.bar[i].start *= 0.999;
                draft.bar[i].end -= draft.bar[i].start / 999;
            }
        report = draft_check(&draft);
        assert_true(has(report, CS_VIOLATION_PACK_OVERLAP));
        assert_false(has(report, CS_VIOLATION_PACK_START));
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_valid_plans),
        cmocka_unit_test(takes_packs_and_bars_in_any_order),
        cmocka_unit_test(refuses_every_broken_plan_for_its_reason),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
