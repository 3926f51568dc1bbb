/* rigid_learn: the estimated error rate, and policies whose order follows it. */
#include "problems/rigid/study.h"
#include "sched/policy.h"
#include "sched/random_jobs.h"
#include "sched/rate.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

#define MOST 30

static const double same[] = {10, 10, 10, 10};
static const int narrow[] = {1, 1, 1, 1};
static const struct cs_sched_jobs alike = {4, 4, 0, same, narrow};

static void before_anything_ends_the_prior_is_believed(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_sched_rate rate;

    (void)state;
    cs_sched_rate_init(&rate, &alike, arena);
    assert_true(fabs(cs_sched_rate_estimate(&rate) - 0.35) < 1e-12);
    cs_sched_rate_failed(&rate, 2);
    assert_true(cs_sched_rate_estimate(&rate) > 0.35);
    cs_sched_rate_begin(&rate);
    assert_true(fabs(cs_sched_rate_estimate(&rate) - 0.35) < 1e-12);
    cs_arena_destroy(arena);
}

/* After s good attempts of mean area the estimate is 1 / (1 / 0.35 + s): 0.35, 0.2593, 0.2059. */
static void good_attempts_lower_the_estimate_as_worked_out_by_hand(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_sched_rate rate;

    (void)state;
    cs_sched_rate_init(&rate, &alike, arena);
    for (int s = 1; s <= 1000; s++) {
        cs_sched_rate_succeeded(&rate, s % 4);
        assert_true(fabs(cs_sched_rate_estimate(&rate) * (1 / 0.35 + s) - 1) < 1e-12);
    }
    cs_arena_destroy(arena);
}

/* With many attempts of jobs that are alike, exp(-lambda) is the share that ended well. */
static void many_outcomes_outweigh_the_prior(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_sched_rate rate;

    (void)state;
    cs_sched_rate_init(&rate, &alike, arena);
    for (int i = 0; i < 300000; i++) {
        cs_sched_rate_failed(&rate, i % 4);
        if (i % 3 == 0)
            cs_sched_rate_succeeded(&rate, i % 4);
    }
    assert_true(fabs(exp(-cs_sched_rate_estimate(&rate)) - 0.25) < 1e-4);
    cs_arena_destroy(arena);
}

/* The root of the equation in rate.h, by halving. */
static double root(const double *area, const int *good, const int *bad, int count)
{
    double low = 1e-12, high = 1e9;

    for (int step = 0; step < 300; step++) {
        double middle = sqrt(low * high), value = 1 - middle / 0.35;

        for (int j = 0; j < count; j++) {
            double x = middle * area[j];

            value += bad[j] * x / expm1(x) - good[j] * x;
        }
        *(value > 0 ? &low : &high) = middle;
    }
    return low;
}

/* Areas from a thousandth to a thousand times each other, outcomes in any order. */
static void the_estimate_solves_its_equation(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct cs_arena *arena = cs_arena_create();
        double seconds[MOST], area[MOST], mean;
        int procs[MOST], good[MOST] = {0}, bad[MOST] = {0};
        const struct cs_sched_jobs jobs = {MOST, 100, 3, seconds, procs};
        struct cs_sched_rate rate;

        for (int j = 0; j < MOST; j++) {
            uint64_t hash = cs_sched_mix(seed, 1, 0, 0, (uint64_t)j);

            seconds[j] = pow(1000, 2 * cs_sched_uniform(hash) - 1);
            procs[j] = 1 + (int)(hash % 100);
        }
        mean = cs_sched_mean_area(&jobs);
        cs_sched_rate_init(&rate, &jobs, arena);
        for (int i = 0; i < 200; i++) {
            uint64_t hash = cs_sched_mix(seed, 2, 0, 0, (uint64_t)i);
            int j = (int)(hash % MOST);

            bool failed = hash / 1024 % 100 < seed * 2;

            (failed ? bad : good)[j]++;
            (failed ? cs_sched_rate_failed : cs_sched_rate_succeeded)(&rate, j);
            if (i % 10 == 0)
                cs_sched_rate_estimate(&rate);
        }
        for (int j = 0; j < MOST; j++)
            area[j] = seconds[j] * procs[j] / mean;
        assert_true(fabs(cs_sched_rate_estimate(&rate) / root(area, good, bad, MOST) - 1) < 1e-9);
        cs_arena_destroy(arena);
    }
}

static void areas_out_of_range_are_no_matter(void **state)
{
    static const double seconds[] = {1e308, 1e308, 1e-300};
    static const int procs[] = {1000000, 1000000, 1};
    const struct cs_sched_jobs jobs = {3, 1000000, 0, seconds, procs};
    struct cs_arena *arena = cs_arena_create();
    struct cs_sched_rate rate;
    double estimate;

    (void)state;
    cs_sched_rate_init(&rate, &jobs, arena);
    for (int j = 0; j < 3; j++) {
        cs_sched_rate_failed(&rate, j);
        cs_sched_rate_succeeded(&rate, j);
    }
    estimate = cs_sched_rate_estimate(&rate);
    assert_true(isfinite(estimate) && estimate > 0);
    cs_arena_destroy(arena);
}

/* Greedy under the learnt order, step by step: the makespan. */
struct naive {
    const struct cs_sched_jobs *jobs;
    double area[MOST], end[MOST];
    int good[MOST], bad[MOST];
    int64_t left[MOST];
    enum { WAITS, RUNS, DONE } is[MOST];
    double now;
    int free;
};

static void start_in_order(struct naive *n)
{
    double rate = root(n->area, n->good, n->bad, n->jobs->count);

    for (;;) {
        int best = -1;
        double most = 0;

        for (int j = 0; j < n->jobs->count; j++) {
            double key = n->jobs->seconds[j] * exp(rate * n->area[j]);

            if (n->is[j] == WAITS && n->jobs->procs[j] <= n->free && key > most) {
                best = j;
                most = key;
            }
        }
        if (best < 0)
            return;
        n->is[best] = RUNS;
        n->free -= n->jobs->procs[best];
        n->end[best] = (n->now + n->jobs->seconds[best]) + n->jobs->verification;
    }
}

static double naive_greedy(const struct cs_sched_jobs *jobs, const int64_t *failures)
{
    struct naive n = {.jobs = jobs, .free = jobs->machine};
    double mean = cs_sched_mean_area(jobs);
    int unfinished = jobs->count;

    for (int j = 0; j < jobs->count; j++) {
        n.area[j] = jobs->seconds[j] * jobs->procs[j] / mean;
        n.left[j] = failures[j];
    }
    while (unfinished > 0) {
        start_in_order(&n);
        n.now = INFINITY;
        for (int j = 0; j < jobs->count; j++)
            if (n.is[j] == RUNS && n.end[j] < n.now)
                n.now = n.end[j];
        for (int j = 0; j < jobs->count; j++)
            if (n.is[j] == RUNS && n.end[j] == n.now) {
                bool again = n.left[j]-- > 0;

                (again ? n.bad : n.good)[j]++;
                n.is[j] = again ? WAITS : DONE;
                n.free += jobs->procs[j];
                unfinished -= !again;
            }
    }
    return n.now;
}

static void greedy_is_the_same_step_by_step(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        double seconds[MOST];
        int procs[MOST];
        int64_t failures[MOST];
        struct cs_sched_jobs jobs = {MOST, 2500, (double)(seed % 3), seconds, procs};
        struct cs_arena *arena = cs_arena_create();
        const struct cs_sched_draw draw = {0};
        const double greedy = 0;
        struct cs_error err = {0};
        struct cs_rigid_simulation *simulation;

        cs_sched_draw_jobs(seed, 0, MOST, seconds, procs);
        cs_sched_draw_failures(&jobs, 0.4, seed, 0, 0, failures, &err);
        simulation = cs_rigid_simulation_create(
            cs_sched_priority_instance(cs_sched_priority_find("lert-learnt", &err), &jobs, &draw,
                                       arena),
            cs_sched_policy_at(0), &greedy, arena, &err);
        for (int again = 0; again < 2; again++)
            assert_true(cs_rigid_simulation_run(simulation, failures, NULL, NULL) ==
                        naive_greedy(&jobs, failures));
        cs_arena_destroy(arena);
    }
}

/* A simulation that is used again has forgotten what it learnt: one scenario after the other,
 * shared out over threads, or each on its own. */
static void every_policy_forgets_between_scenarios(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    int policies;
    const char *const *policy = cs_sched_policy_all(arena, &policies);
    double seconds[40];
    int procs[40];
    const struct cs_sched_jobs jobs = {40, 6000, 1, seconds, procs};
    const struct cs_sched_law law = {.mean = 0.4};
    struct cs_sched_scenarios *drawn;
    struct cs_rigid_outcome one[30], three[30], alone;
    struct cs_policy_call call;
    int64_t failures[40];

    (void)state;
    cs_sched_draw_jobs(9, 0, 40, seconds, procs);
    drawn = cs_sched_scenarios_create(&jobs, law, 9, 0, 30, NULL);
    for (int p = -1; p < policies; p++) {
        struct cs_rigid_study study = {
            .jobs = &jobs,
            .policy = cs_sched_policy_parse(p < 0 ? "list:reservations=3" : policy[p], &call, NULL),
            .param = call.param,
            .priority = cs_sched_priority_find("lert-learnt", NULL),
            .scenarios = drawn,
        };

        assert_int_equal(cs_rigid_study_run(&study, one, NULL), 0);
        study.threads = 3;
        assert_int_equal(cs_rigid_study_run(&study, three, NULL), 0);
        assert_memory_equal(one, three, sizeof one);
        for (int s = 0; s < 30; s++) {
            struct cs_sched_scenarios *single;

            assert_int_equal(cs_sched_scenarios_get(drawn, s, failures, NULL), 0);
            single = cs_sched_scenarios_measured(&jobs, 1, failures, NULL);
            study.scenarios = single;
            assert_int_equal(cs_rigid_study_run(&study, &alone, NULL), 0);
            assert_memory_equal(&one[s], &alone, sizeof alone);
            cs_sched_scenarios_destroy(single);
        }
    }
    cs_sched_scenarios_destroy(drawn);
    cs_arena_destroy(arena);
}

#define SETS 30
#define SCENARIOS 25

struct variant {
    const char *priority;
    double reservations;
};

static double mean_ratio(const struct variant *variant, double mean)
{
    static struct cs_rigid_outcome outcome[SCENARIOS];
    double seconds[100], sum = 0;
    int procs[100];
    const struct cs_sched_jobs jobs = {100, 10000, 0, seconds, procs};
    struct cs_error err = {0};

    for (uint64_t set = 0; set < SETS; set++) {
        struct cs_sched_scenarios *drawn;
        struct cs_rigid_study study = {
            .jobs = &jobs,
            .policy = cs_sched_policy_at(0),
            .param = &variant->reservations,
            .priority = cs_sched_priority_find(variant->priority, &err),
            .threads = 1,
        };

        cs_sched_draw_jobs(2021, set, 100, seconds, procs);
        drawn = cs_sched_scenarios_create(&jobs, (struct cs_sched_law){mean, 0}, 2021, set,
                                          SCENARIOS, &err);
        study.scenarios = drawn;
        assert_int_equal(cs_rigid_study_run(&study, outcome, &err), 0);
        for (int s = 0; s < SCENARIOS; s++)
            sum += outcome[s].ratio / (SETS * SCENARIOS);
        cs_sched_scenarios_destroy(drawn);
    }
    return sum;
}

/* spec/rigid.md, Part II, 2: at 0.3 R-LIST-1 with the learnt order is 0.0109 better
 * than R-LIST-0 LA, the best of the paper, and 0.0006 worse than with the known rate; greedy with
 * the learnt order is 0.0088 worse.  (30 sets of 150 scenarios here: 0.0112, 0.0009, 0.0091.) */
static void learning_gains_nearly_what_knowing_the_rate_gains(void **state)
{
    double la = mean_ratio(&(struct variant){"la", 0}, 0.3);
    double known = mean_ratio(&(struct variant){"lert", 1}, 0.3);
    double learnt = mean_ratio(&(struct variant){"lert-learnt", 1}, 0.3);
    double greedy = mean_ratio(&(struct variant){"lert-learnt", 0}, 0.3);

    (void)state;
    assert_true(learnt < la - 0.006 && learnt > la - 0.016);
    assert_true(fabs(learnt - known) < 0.003);
    assert_true(greedy > la);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(before_anything_ends_the_prior_is_believed),
        cmocka_unit_test(good_attempts_lower_the_estimate_as_worked_out_by_hand),
        cmocka_unit_test(many_outcomes_outweigh_the_prior),
        cmocka_unit_test(the_estimate_solves_its_equation),
        cmocka_unit_test(areas_out_of_range_are_no_matter),
        cmocka_unit_test(greedy_is_the_same_step_by_step),
        cmocka_unit_test(every_policy_forgets_between_scenarios),
        cmocka_unit_test(learning_gains_nearly_what_knowing_the_rate_gains),
    };

    return cmocka_run_group_tests_name("rigid_learn", tests, NULL, NULL);
}
