/* moldable_contiguous: tasks that hold processors of consecutive numbers: free blocks, plans and
 * runs against the checker, and small bags against trying everything. */
#include "base/splitmix.h"
#include "check/check.h"
#include "check/report.h"
#include "problems/moldable/bound.h"
#include "problems/moldable/case.h"
#include "problems/moldable/draw.h"
#include "problems/moldable/fit.h"
#include "property/moldable_kit.h"
#include "unit/kit.h"

#include <string.h>

static const char *const planners[] = {"list",
                                       "list:allotment=gamma,order=wide",
                                       "ludwig-tiwari",
                                       "turek-wolf-yu",
                                       "sweep",
                                       "search:moves=300",
                                       "robust:scenarios=3,seeds=2,moves=100"};

#define PLANNERS (sizeof planners / sizeof *planners)
#define NUMBERS 24

/* ---- free blocks ---- */

/* The lowest of `procs` free numbers in a row; -1. */
static int find_slowly(const bool *taken, int procs)
{
    for (int first = 0; first + procs <= NUMBERS; first++) {
        int a = 0;

        while (a < procs && !taken[first + a])
            a++;
        if (a == procs)
            return first;
    }
    return -1;
}

static int longest(const bool *taken)
{
    int procs = NUMBERS;

    while (procs > 0 && find_slowly(taken, procs) < 0)
        procs--;
    return procs;
}

static void blocks_are_those_of_a_row_of_numbers(void **state)
{
    struct cs_splitmix random = {1};
    struct cs_arena *arena = cs_arena_create();
    const struct cs_moldable_bag bag = {.tasks = NUMBERS, .procs = NUMBERS, .contiguous = true};
    struct cs_moldable_room room;
    bool taken[NUMBERS] = {false};
    int first[NUMBERS], procs[NUMBERS], held = 0;

    (void)state;
    cs_moldable_room_init(&room, &bag, arena);
    cs_moldable_room_clear(&room, NUMBERS);
    for (int step = 0; step < 20000; step++) {
        assert_int_equal(room.most, longest(taken));
        if (room.most > 0 && cs_splitmix_below(&random, 2)) {
            int want = 1 + (int)cs_splitmix_below(&random, (uint64_t)room.most);
            int wish = (int)cs_splitmix_below(&random, NUMBERS + 1) - 1, got = wish;

            for (int a = 0; got >= 0 && a < want; a++)
                got = wish + a < NUMBERS && !taken[wish + a] ? got : -1;
            first[held] = cs_moldable_room_take(&room, wish, want);
            assert_int_equal(first[held], got >= 0 ? got : find_slowly(taken, want));
            procs[held] = want;
            memset(taken + first[held], 1, (size_t)want);
            held++;
        } else if (held > 0) {
            int k = (int)cs_splitmix_below(&random, (uint64_t)held);

            cs_moldable_room_give(&room, first[k], procs[k]);
            memset(taken + first[k], 0, (size_t)procs[k]);
            held--;
            first[k] = first[held];
            procs[k] = procs[held];
        }
    }
    cs_arena_destroy(arena);
}

/* ---- by hand ---- */

/* On 4 processors, in this order, a (4 s) is on number 0, b (1 s) on 1, c (4 s) on 2 and d (1 s) on
 * 3.  At 1 s numbers 1 and 3 are free: e, which takes 3 s on two, starts there, or at 4 s. */
static void two_numbers_apart_are_no_block(void **state)
{
    static const int first[] = {0, 1, 2, 3, 4, 5}, count[] = {1, 1, 1, 1, 2};
    static const double seconds[] = {4, 1, 4, 1, 3};
    static const int choice[5], order[] = {0, 1, 2, 3, 4};
    struct cs_arena *arena = cs_arena_create();
    struct cs_moldable_bag bag = {
        .tasks = 5, .procs = 4, .first = first, .count = count, .seconds = seconds};
    struct cs_moldable_lister lister;
    double start[5];

    (void)state;
    cs_moldable_bag_finish(&bag, arena);
    cs_moldable_lister_init(&lister, &bag, arena);
    assert_true(cs_moldable_list(&lister, choice, order, INFINITY, start) == 4 && start[4] == 1);
    bag.contiguous = true;
    cs_moldable_lister_init(&lister, &bag, arena);
    assert_true(cs_moldable_list(&lister, choice, order, INFINITY, start) == 7 && start[4] == 4);
    assert_int_equal(lister.first[2], 2);
    assert_int_equal(lister.first[4], 0);
    cs_arena_destroy(arena);
}

/* Two tasks, 10 s on one processor or 6 s on two, and 3 processors: the first becomes wider when
 * any will do; it has number 0, the other one has 1, and 2 is not beside it. */
static void a_block_is_widened_where_there_is_one(void **state)
{
    static const int first[] = {0, 2, 4}, count[] = {1, 2, 1, 2}, choice[2], order[] = {0, 1};
    static const double seconds[] = {10, 6, 10, 6};
    struct cs_arena *arena = cs_arena_create();
    struct cs_moldable_bag bag = {
        .tasks = 2, .procs = 3, .first = first, .count = count, .seconds = seconds};

    (void)state;
    cs_moldable_bag_finish(&bag, arena);
    for (int procs = 3; procs <= 4; procs++)
        for (int contiguous = 0; contiguous < 2; contiguous++) {
            struct cs_moldable_fit fit;

            bag.procs = procs;
            bag.contiguous = contiguous;
            cs_moldable_fit_init(&fit, &bag, arena);
            cs_moldable_fit_clear(&fit);
            assert_true(cs_moldable_fit(&fit, choice, order, 2, INFINITY, INFINITY));
            assert_int_equal(fit.choice[0], procs == 4 || !contiguous);
            assert_int_equal(fit.choice[1], procs == 4);
            assert_true(fit.makespan == (procs == 4 ? 6 : 10));
        }
    cs_arena_destroy(arena);
}

/* ---- plans ---- */

static void judge(const struct moldable_case *c, const struct cs_schedule *schedule,
                  const struct cs_moldable_declared *said, const char *who)
{
    struct cs_check_report *report = cs_check_report_create(1);

    cs_check_moldable(schedule, c->workload, said, report);
    if (report->total)
        fail_msg("%s: %s", who, report->item[0].text);
    cs_check_report_destroy(report);
}

static void every_planner_gives_blocks(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct moldable_case c = moldable_case_create(
            seed, 20, 12, MOLDABLE_CONTIGUOUS | (seed % 3 ? 0 : MOLDABLE_RELEASE));
        struct cs_moldable_bounds bounds;

        cs_moldable_bounds_compute(c.instance, &bounds);
        for (size_t k = 0; k < PLANNERS; k++) {
            struct cs_moldable_plan *plan = moldable_case_plan(&c, planners[k], seed);
            const char *fault = moldable_plan_fault(c.instance, plan);
            const struct cs_moldable_declared said = {.contiguous = true,
                                                      .critical = bounds.critical,
                                                      .area = bounds.area,
                                                      .knapsack = bounds.knapsack,
                                                      .width = bounds.width,
                                                      .lower_bound = bounds.best,
                                                      .gap = plan->makespan / bounds.best - 1};
            struct cs_schedule *schedule = cs_moldable_schedule(c.instance, plan);

            if (fault)
                fail_msg("%s, seed %d: %s", planners[k], (int)seed, fault);
            assert_true(plan->makespan >= bounds.best * (1 - 1e-12));
            judge(&c, schedule, &said, planners[k]);
            cs_schedule_destroy(schedule);
            cs_moldable_plan_destroy(plan);
        }
        moldable_case_destroy(&c);
    }
}

/* As a planner would be called, or the effort; thrift after it. */
static struct cs_moldable_plan *plan_thriftily(const struct moldable_case *c, const char *policy,
                                               uint64_t seed)
{
    struct cs_moldable_plan *plan = cs_moldable_plan_create(c->instance->bag.tasks);
    struct cs_moldable_request request = {.seed = seed, .thrift = true};
    struct cs_error err = {0};
    int count;
    const struct cs_policy *const *list = cs_moldable_policies(&count);

    assert_int_equal(cs_policy_parse(policy, list, count, &request.call, &err), 0);
    assert_int_equal(cs_moldable_plan_make(c->instance, &request, plan, &err), 0);
    return plan;
}

static double area_of(const struct cs_moldable_instance *in, const struct cs_moldable_plan *plan)
{
    double sum = 0;

    for (int i = 0; i < plan->tasks; i++)
        sum += cs_moldable_work(&in->bag, i, plan->choice[i]);
    return sum;
}

static void thrift_keeps_blocks_starts_and_makespan(void **state)
{
    int cheaper = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct moldable_case c = moldable_case_create(seed, 12, 12, MOLDABLE_CONTIGUOUS);
        struct cs_moldable_plan *plain = moldable_case_plan(&c, "sweep", seed);
        struct cs_moldable_plan *plan = plan_thriftily(&c, "sweep", seed);

        assert_null(moldable_plan_fault(c.instance, plan));
        assert_true(plan->makespan == plain->makespan);
        for (int i = 0; i < plan->tasks; i++)
            assert_true(plan->start[i] == plain->start[i] && plan->first[i] == plain->first[i]);
        assert_true(area_of(c.instance, plan) <= area_of(c.instance, plain) * (1 + 1e-12));
        cheaper += area_of(c.instance, plan) < area_of(c.instance, plain) * (1 - 1e-9);
        cs_moldable_plan_destroy(plan);
        cs_moldable_plan_destroy(plain);
        moldable_case_destroy(&c);
    }
    assert_true(cheaper > 10);
}

/* ---- everything tried ---- */

struct brute {
    const struct cs_moldable_bag *bag;
    double start[8], end[8], best;
    int first[8], procs[8];
};

static bool is_free(const struct brute *b, unsigned placed, int task)
{
    for (int j = 0; placed >> j; j++)
        if (placed >> j & 1 && b->start[task] < b->end[j] && b->start[j] < b->end[task] &&
            b->first[task] < b->first[j] + b->procs[j] &&
            b->first[j] < b->first[task] + b->procs[task])
            return false;
    return true;
}

static void try_tasks(struct brute *b, unsigned placed, double makespan);

/* The task on each of its counts at each place, from the instant on. */
static void try_places(struct brute *b, unsigned placed, double makespan, int task, double from)
{
    for (int x = 0; x < cs_moldable_candidates(b->bag, task); x++) {
        b->procs[task] = cs_moldable_width(b->bag, task, x);
        b->start[task] = from;
        b->end[task] = from + cs_moldable_seconds(b->bag, task, x);
        for (int first = 0; first + b->procs[task] <= b->bag->procs; first++) {
            b->first[task] = first;
            if (b->end[task] < b->best && is_free(b, placed, task))
                try_tasks(b, placed | 1u << task, fmax(makespan, b->end[task]));
        }
    }
}

/* In a best plan that is pushed to the left every task starts at 0, at an end or at a release. */
static void try_tasks(struct brute *b, unsigned placed, double makespan)
{
    double latest = 0;

    if (placed == (1u << b->bag->tasks) - 1) {
        b->best = fmin(b->best, makespan);
        return;
    }
    for (int j = 0; placed >> j; j++)
        latest = placed >> j & 1 ? fmax(latest, b->start[j]) : latest;
    for (int i = 0; i < b->bag->tasks; i++) {
        double release = cs_moldable_release(b->bag, i);

        if (placed >> i & 1)
            continue;
        if (release >= latest || placed == 0)
            try_places(b, placed, makespan, i, release);
        else if (latest >= release)
            try_places(b, placed, makespan, i, latest);
        for (int j = 0; placed >> j; j++)
            if (placed >> j & 1 && b->end[j] > latest && b->end[j] >= release)
                try_places(b, placed, makespan, i, b->end[j]);
    }
}

static double brute_force(const struct cs_moldable_bag *bag)
{
    struct brute b = {.bag = bag, .best = INFINITY};

    try_tasks(&b, 0, 0);
    return b.best;
}

static void small_bags_against_everything(void **state)
{
    const int cases = KIT_ROUNDS(400);
    int best = 0, proofs = 0, bags = 0;

    (void)state;
    for (uint64_t seed = 0; seed < (uint64_t)cases; seed++) {
        int flavours = MOLDABLE_CONTIGUOUS | (seed % 2 ? MOLDABLE_WHOLE : 0) |
                       (seed % 5 ? 0 : MOLDABLE_RELEASE);
        struct moldable_case c = moldable_case_create(seed, 4, 5, flavours);
        const struct cs_moldable_request request = {.seed = seed};
        struct cs_moldable_plan *plan = cs_moldable_plan_create(c.instance->bag.tasks);
        double optimum = brute_force(&c.instance->bag);

        assert_int_equal(
            cs_moldable_effort_plan(c.instance, CS_MOLDABLE_EFFORT_DEFAULT, &request, plan, NULL),
            0);
        assert_null(moldable_plan_fault(c.instance, plan));
        assert_true(plan->makespan >= optimum);
        assert_true(plan->bound <= optimum * (1 + 1e-12));
        if (plan->optimal && plan->makespan > optimum * (1 + 1e-12))
            fail_msg("seed %d: proven %.17g, the optimum is %.17g", (int)seed, plan->makespan,
                     optimum);
        proofs += plan->optimal;
        if (seed % 5) {
            bags++;
            best += plan->makespan <= optimum;
        }
        cs_moldable_plan_destroy(plan);
        moldable_case_destroy(&c);
    }
    assert_true(best >= bags - bags / 20 && proofs > 3 * cases / 4);
}

/* ---- what has no answer ---- */

static void others_refuse(void **state)
{
    static const char *const words[] = {"exact", "mounie-rapine-trystram", "list:decoder=earliest"};
    struct moldable_case c = moldable_case_create(1, 5, 6, MOLDABLE_CONTIGUOUS);
    struct cs_moldable_plan *plan = cs_moldable_plan_create(c.instance->bag.tasks);
    int count;
    const struct cs_policy *const *list = cs_moldable_policies(&count);

    (void)state;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
        struct cs_moldable_request request = {.seed = 1};
        struct cs_error err = {0};

        assert_int_equal(cs_policy_parse(words[k], list, count, &request.call, &err), 0);
        assert_int_equal(cs_moldable_plan_make(c.instance, &request, plan, &err), -1);
        assert_non_null(strstr(err.text, words[k]));
        assert_non_null(strstr(err.text, "does not plan for consecutive processors"));
    }
    cs_moldable_plan_destroy(plan);
    moldable_case_destroy(&c);
}

/* ---- runs ---- */

struct world {
    struct moldable_case c;
    struct cs_moldable_plan *plan;
    struct cs_moldable_scene scene;
    double *factor;
    int *failures;
};

static struct world make_world(uint64_t seed, int flavours, const char *planner, double sigma,
                               double qbar)
{
    struct world w = {.c = moldable_case_create(seed, 20, 12, flavours | MOLDABLE_CONTIGUOUS)};
    const struct cs_moldable_world law = {.sigma = sigma, .qbar = qbar, .seed = seed};
    const struct cs_moldable_bag *bag = &w.c.instance->bag;
    int *order = CS_NEW_ARRAY(w.c.arena, int, bag->tasks);
    double *expected = CS_NEW_ARRAY(w.c.arena, double, bag->tasks);
    struct cs_error err = {0};

    w.plan = moldable_case_plan(&w.c, planner, seed);
    w.factor = CS_NEW_ARRAY(w.c.arena, double, bag->tasks);
    w.failures = CS_NEW_ARRAY(w.c.arena, int, bag->tasks);
    cs_moldable_sort_plan(bag, w.plan, order, w.c.arena);
    cs_moldable_expected(bag, qbar, expected);
    assert_int_equal(cs_moldable_world_draw(w.c.instance, &law, 1, w.factor, w.failures, &err), 0);
    w.scene = (struct cs_moldable_scene){bag, w.plan, order, expected};
    return w;
}

static void destroy_world(struct world *w)
{
    cs_moldable_plan_destroy(w->plan);
    moldable_case_destroy(&w->c);
}

static struct cs_moldable_outcome run_variant(struct world *w, const char *variant,
                                              struct cs_moldable_simulator **simulator)
{
    const struct cs_moldable_truth truth = {.factor = w->factor, .failures = w->failures};
    struct cs_moldable_outcome outcome;
    struct cs_policy_call call;
    int count;
    const struct cs_policy *const *list = cs_moldable_variants(&count);

    assert_int_equal(cs_policy_parse(variant, list, count, &call, NULL), 0);
    *simulator = cs_moldable_simulator_create(&w->scene, &call, NULL, NULL);
    assert_non_null(*simulator);
    cs_moldable_simulator_run(*simulator, &truth, &outcome);
    return outcome;
}

static void every_variant_keeps_to_blocks(void **state)
{
    int count;
    const struct cs_policy *const *list = cs_moldable_variants(&count);

    (void)state;
    for (uint64_t seed = 0; seed < 150; seed++) {
        struct world w =
            make_world(seed, seed % 3 ? 0 : MOLDABLE_RELEASE, "search:moves=100", 0.3, 0.3);

        for (int k = -2; k < count; k++) {
            const char *variant = k == -2 ? "again:ties=judged"
                                  : k < 0 ? "again:spare=widen"
                                          : list[k]->name;
            struct cs_moldable_simulator *simulator;
            struct cs_moldable_outcome outcome = run_variant(&w, variant, &simulator);
            struct cs_schedule *schedule = cs_moldable_run_schedule(w.c.instance, &outcome);
            const struct cs_moldable_declared said = {.contiguous = true,
                                                      .critical = NAN,
                                                      .area = NAN,
                                                      .knapsack = NAN,
                                                      .width = NAN,
                                                      .lower_bound = NAN,
                                                      .gap = NAN,
                                                      .factor = w.factor,
                                                      .failures = w.failures};

            judge(&w.c, schedule, &said, variant);
            cs_schedule_destroy(schedule);
            cs_moldable_simulator_destroy(simulator);
        }
        destroy_world(&w);
    }
}

/* Of lists all of them, of the search's plans those that are followed. */
static void exact_times_give_the_plan_again(void **state)
{
    static const char *const variant[] = {"follow", "follow", "list", "order"};
    static const char *const by[] = {"search:moves=200", "sweep", "sweep", "sweep"};

    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++)
        for (int k = 0; k < 4; k++) {
            struct world w = make_world(seed, 0, by[k], 0, 0);
            struct cs_moldable_simulator *simulator;
            struct cs_moldable_outcome outcome = run_variant(&w, variant[k], &simulator);

            assert_true(outcome.makespan == w.plan->makespan);
            for (int a = 0; a < outcome.attempts; a++)
                assert_int_equal(outcome.attempt[a].first, w.plan->first[outcome.attempt[a].task]);
            cs_moldable_simulator_destroy(simulator);
            destroy_world(&w);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_those_of_a_row_of_numbers),
        cmocka_unit_test(two_numbers_apart_are_no_block),
        cmocka_unit_test(a_block_is_widened_where_there_is_one),
        cmocka_unit_test(every_planner_gives_blocks),
        cmocka_unit_test(thrift_keeps_blocks_starts_and_makespan),
        cmocka_unit_test(small_bags_against_everything),
        cmocka_unit_test(others_refuse),
        cmocka_unit_test(every_variant_keeps_to_blocks),
        cmocka_unit_test(exact_times_give_the_plan_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
