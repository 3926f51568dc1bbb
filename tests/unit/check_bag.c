/* The rules of general bags: plans that break one of them, in the order of spec/bag.md 8, and
 * certificates that prove nothing. */
#include "check/bag.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

/* Three tasks on 4 processors and 2 GPUs; two processors are away from 6 to 8; b waits for a. */
static const char *const task[] = {"a", "b", "c"}, *const resource[] = {"procs", "gpus"},
                         *const budget[] = {"n"};
static const int first[] = {0, 2, 3, 4}, before_first[] = {0, 0, 1, 1}, before[] = {0};
static const int64_t capacity[] = {-1, 2}, limit[] = {9000}, use[] = {2, 1, 4, 0, 2, 2, 2, 0},
                     spend[] = {3000, 7000, 3000, 3000}, less[] = {2, 0};
static const double seconds[] = {4, 2, 3, 5}, release[] = {0, 1, 0},
                    deadline[] = {INFINITY, 6, INFINITY}, from[] = {6}, to[] = {8};

static const struct cs_modes bag = {.tasks = 3,
                                    .resources = 2,
                                    .budgets = 1,
                                    .windows = 1,
                                    .task_name = task,
                                    .resource_name = resource,
                                    .budget_name = budget,
                                    .capacity = capacity,
                                    .budget = limit,
                                    .first = first,
                                    .seconds = seconds,
                                    .use = use,
                                    .spend = spend,
                                    .before_first = before_first,
                                    .before = before,
                                    .release = release,
                                    .deadline = deadline,
                                    .from = from,
                                    .to = to,
                                    .less = less};

/* Mode, start and GPUs of each task; a mode of -1: no bar. */
struct trial {
    const char *broken;
    struct {
        int mode;
        double start, longer;
        const char *gpus;
    } bar[3];
    double makespan, late;
};

static const char *broken_rule(const struct trial *t)
{
    struct cs_check_general_bar bar[3];
    struct cs_check_general_plan plan = {
        .modes = &bag, .procs = 4, .bar = bar, .makespan = t->makespan, .late = t->late};
    struct cs_check_report *report = cs_check_report_create(10);
    enum cs_check_rule rule;

    for (int i = 0; i < 3; i++) {
        const int mode = t->bar[i].mode;
        const double start = t->bar[i].start, length = seconds[first[i] + (mode > 0)];

        if (mode >= 0)
            bar[plan.bars++] =
                (struct cs_check_general_bar){.task = i,
                                              .mode = mode,
                                              .start = start,
                                              .end = start + length + t->bar[i].longer,
                                              .uses = t->bar[i].gpus};
    }
    rule = cs_check_general_plan(&plan, report);
    assert_int_equal(rule == CS_CHECK_RULE_NONE, report->total == 0);
    cs_check_report_destroy(report);
    return cs_check_rule_name(rule);
}

static void each_rule_is_found(void **state)
{
    static const struct trial trials[] = {
        {"valid", {{0, 0, 0, "gpus 0"}, {0, 4, 0, "gpus 0-1"}, {0, 0, 0, NULL}}, 7, 1},
        {"every task once", {{0, 0, 0, "gpus 0"}, {-1, 0, 0, NULL}, {0, 0, 0, NULL}}, 7, 1},
        {"mode", {{0, 0, 0, "gpus 0"}, {1, 4, 0, "gpus 0-1"}, {0, 0, 0, NULL}}, 7, 1},
        {"duration", {{0, 0, 0, "gpus 0"}, {0, 4, 0, "gpus 0-1"}, {0, 0, -1, NULL}}, 7, 1},
        {"release", {{1, -3, 0, NULL}, {0, 0, 0, "gpus 0-1"}, {0, 0, 0, NULL}}, 7, 1},
        {"precedence", {{0, 0, 0, "gpus 0"}, {0, 3, 0, "gpus 0-1"}, {0, 0, 0, NULL}}, 7, 1},
        {"capacity", {{0, 0, 0, "gpus 0"}, {0, 4, 0, "gpus 0-1"}, {0, 4, 0, NULL}}, 9, 1},
        {"units", {{0, 0, 0, "gpus 0"}, {0, 4, 0, "gpus 0 0"}, {0, 0, 0, NULL}}, 7, 1},
        {"units", {{0, 0, 0, "gpus 0"}, {0, 4, 0, "gpus 1-2"}, {0, 0, 0, NULL}}, 7, 1},
        {"units", {{0, 0, 0, NULL}, {0, 4, 0, "gpus 0-1"}, {0, 0, 0, NULL}}, 7, 1},
        {"units", {{0, 0, 0, "gpus 0"}, {0, 4, 0, "gpus 0-1"}, {0, 0, 0, "gpus 1"}}, 7, 1},
        {"budget", {{1, 0, 0, NULL}, {0, 2, 0, "gpus 0-1"}, {0, 2, 0, NULL}}, 7, 0},
        {"makespan", {{0, 0, 0, "gpus 0"}, {0, 4, 0, "gpus 0-1"}, {0, 0, 0, NULL}}, 6, 1},
        {"late", {{0, 0, 0, "gpus 0"}, {0, 4, 0, "gpus 0-1"}, {0, 0, 0, NULL}}, 7, 0},
    };

    (void)state;
    for (size_t k = 0; k < sizeof trials / sizeof *trials; k++)
        assert_string_equal(broken_rule(&trials[k]), trials[k].broken);
}

static double certified(struct cs_bag_certificate by)
{
    return cs_check_general_certified(&bag, 4, &by);
}

static void certificates_prove_bounds_or_nothing(void **state)
{
    static const struct cs_bag_amount gpus[] = {{"gpus", 1}}, power[] = {{"power", 1}},
                                      minus[] = {{"gpus", -1}}, n[] = {{"n", 0.5}};
    static const struct cs_bag_flow path[] = {{0, 1, 1}, {1, -1, 1}},
                                    jump[] = {{2, 1, 1}, {1, -1, 1}},
                                    more[] = {{0, 1, 2}, {1, -1, 1}};
    static const int pair[] = {0, 1}, none[] = {0, 2}, twice[] = {1, 1};

    (void)state;
    assert_true(certified((struct cs_bag_certificate){.prices = 1, .price = gpus}) == 5);
    assert_true(isnan(certified((struct cs_bag_certificate){.prices = 1, .price = power})));
    assert_true(isnan(certified((struct cs_bag_certificate){.prices = 1, .price = minus})));
    assert_true(certified((struct cs_bag_certificate){.tasks = 2, .task = pair}) == 5);
    assert_true(isnan(certified((struct cs_bag_certificate){.tasks = 2, .task = none})));
    assert_true(isnan(certified((struct cs_bag_certificate){.tasks = 2, .task = twice})));
    assert_true(
        certified((struct cs_bag_certificate){.has_flow = true, .flows = 2, .flow = path}) == 5);
    assert_true(certified((struct cs_bag_certificate){
                    .has_flow = true, .flows = 2, .flow = path, .budgets = 1, .budget = n}) == 7);
    assert_true(
        isnan(certified((struct cs_bag_certificate){.has_flow = true, .flows = 2, .flow = jump})));
    assert_true(
        isnan(certified((struct cs_bag_certificate){.has_flow = true, .flows = 2, .flow = more})));
    assert_true(isnan(certified((struct cs_bag_certificate){.has_flow = true})));
    assert_true(isnan(certified((struct cs_bag_certificate){0})));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_is_found),
        cmocka_unit_test(certificates_prove_bounds_or_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
