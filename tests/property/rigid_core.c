/* rigid_core: schedules of rigid jobs are valid, keep their guarantees, and the lazy conservative
 * plan is the fresh round of spec/rigid.md 4.2. */
#include "base/mix.h"
#include "base/splitmix.h"
#include "problems/rigid/study.h"
#include "sched/policy.h"
#include "sched/priority.h"
#include "sched/random_jobs.h"
#include "unit/kit.h"

#include <math.h>
#include <string.h>

#define MOST 700

struct scenario {
    struct cs_arena *arena;
    struct cs_sched_jobs jobs;
    const struct cs_sched_instance *in;
    int64_t failures[MOST];
    double seconds[MOST];
    int procs[MOST], order[MOST];
};

static int below(struct cs_splitmix *random, int m)
{
    return (int)cs_splitmix_below(random, (uint64_t)m);
}

static void scenario_init(struct scenario *s, uint64_t seed, int most, const char *priority)
{
    struct cs_splitmix random = {seed};
    const struct cs_sched_draw draw = {.seed = seed, .lambda = 0.001};
    int n = 1 + below(&random, most), machine = 1 + below(&random, 20);
    int coarse = 1 + below(&random, 30);

    s->arena = cs_arena_create();
    s->jobs = (struct cs_sched_jobs){n, machine, below(&random, 3), s->seconds, s->procs};
    for (int j = 0; j < n; j++) {
        s->seconds[j] = 1 + below(&random, coarse);
        s->procs[j] = 1 + below(&random, machine);
        s->failures[j] = below(&random, 3) ? 0 : below(&random, 5);
    }
    assert_int_equal(cs_sched_jobs_check(&s->jobs, NULL), 0);
    s->in = cs_sched_priority_instance(cs_sched_priority_find(priority, NULL), &s->jobs, &draw,
                                       s->arena);
}

static void scenario_release(struct scenario *s)
{
    cs_arena_destroy(s->arena);
}

struct attempts {
    int job[6 * MOST], count;
    double start[6 * MOST], end[6 * MOST];
};

static void watch(void *who, int job, double start, double end)
{
    struct attempts *a = who;

    a->job[a->count] = job;
    a->start[a->count] = start;
    a->end[a->count++] = end;
}

static struct cs_rigid_simulation *simulation(const struct scenario *s, const char *policy)
{
    struct cs_policy_call call;
    struct cs_error err = {0};
    const struct cs_sched_policy *run = cs_sched_policy_parse(policy, &call, &err);

    if (!run)
        fail_msg("%s", err.text);
    return cs_rigid_simulation_create(s->in, run, call.param, s->arena, &err);
}

static double run(const struct scenario *s, const char *policy, struct attempts *a)
{
    a->count = 0;
    return cs_rigid_simulation_run(simulation(s, policy), s->failures, watch, a);
}

/* Every attempt of every job, one after the other, never more processors than there are. */
static void assert_valid(const struct scenario *s, const struct attempts *a, double makespan)
{
    int seen[MOST] = {0};
    double last[MOST] = {0}, latest = 0;

    for (int x = 0; x < a->count; x++) {
        int j = a->job[x], used = 0;

        assert_true(a->start[x] >= last[j]);
        assert_true(a->end[x] == (a->start[x] + s->seconds[j]) + s->jobs.verification);
        last[j] = a->end[x];
        seen[j]++;
        latest = fmax(latest, a->end[x]);
        for (int y = 0; y < a->count; y++)
            if (a->start[y] <= a->start[x] && a->start[x] < a->end[y])
                used += s->procs[a->job[y]];
        assert_true(used <= s->jobs.machine);
    }
    for (int j = 0; j < s->jobs.count; j++)
        assert_int_equal(seen[j], s->failures[j] + 1);
    assert_true(latest == makespan);
}

static void every_schedule_is_valid_and_not_below_the_bound(void **state)
{
    static const char *const priority[] = {"lpt",    "spt", "hpa",  "lpa",         "la", "sa",
                                           "random", "ljf", "lert", "lert-learnt", "t2p"};
    struct cs_arena *arena = cs_arena_create();
    int count;
    const char *const *policy = cs_sched_policy_all(arena, &count);
    static struct scenario s;
    static struct attempts a;

    (void)state;
    for (uint64_t seed = 0; seed < KIT_ROUNDS(600); seed++) {
        scenario_init(&s, seed, 30, priority[seed % 11]);
        for (int k = -1; k < count; k++) {
            double makespan = run(&s, k < 0 ? "list:reservations=2" : policy[k], &a);

            assert_valid(&s, &a, makespan);
            assert_true(makespan >= cs_sched_lower_bound(&s.jobs, s.failures, 0) * (1 - 1e-12));
        }
        scenario_release(&s);
    }
    cs_arena_destroy(arena);
}

static void the_guarantees_of_the_paper_hold(void **state)
{
    static struct scenario s;
    static struct attempts a;

    (void)state;
    for (uint64_t seed = 0; seed < KIT_ROUNDS(600); seed++) {
        double bound, p;

        scenario_init(&s, seed, 30, seed % 2 ? "random" : "ljf");
        bound = cs_sched_lower_bound(&s.jobs, s.failures, 0);
        p = s.jobs.machine;
        assert_true(run(&s, "list:reservations=0", &a) <= (2 - 1 / p) * bound * (1 + 1e-12));
        if (seed % 2 == 0) {
            double limit = (3 - 4 / (p + 1)) * bound * (1 + 1e-12);

            assert_true(run(&s, "list:reservations=1", &a) <= limit);
            assert_true(run(&s, "list", &a) <= limit);
            assert_true(run(&s, "strict-easy", &a) <= limit);
        }
        scenario_release(&s);
    }
}

/* `all` plans lazily and keeps its plan; as many reservations as jobs is a fresh round every time.
 */
static void the_lazy_plan_is_the_fresh_round(void **state)
{
    static struct scenario s;
    static const char *const priority[] = {"la", "random", "lert-learnt"};
    static struct attempts lazy, fresh;

    (void)state;
    for (uint64_t seed = 0; seed < KIT_ROUNDS(1500); seed++) {
        double makespan;

        scenario_init(&s, seed, 40, priority[seed % 3]);
        makespan = run(&s, "list", &lazy);
        assert_true(run(&s, "list:reservations=1000", &fresh) == makespan);
        assert_int_equal(lazy.count, fresh.count);
        assert_valid(&s, &lazy, makespan);
        scenario_release(&s);
    }
}

/* Batches of more than one set of bits, and of more than are kept as bits, of times that are no
 * round numbers. */
static void large_scenario_init(struct scenario *s, uint64_t seed)
{
    static const char *const priority[] = {"la", "spt", "random", "lpt", "lert-learnt"};
    struct cs_splitmix random = {seed};
    const struct cs_sched_draw draw = {.seed = seed, .lambda = 0.001};
    int machine = 1 + below(&random, 300), widest = 1 + below(&random, machine);
    int count = 65 + below(&random, MOST - 65);

    s->arena = cs_arena_create();
    s->jobs = (struct cs_sched_jobs){count, machine, 0.1 * below(&random, 2), s->seconds, s->procs};
    for (int j = 0; j < s->jobs.count; j++) {
        s->seconds[j] = seed % 3 ? 1e4 / (1 + below(&random, 1000)) : 1 + below(&random, 9);
        s->procs[j] = 1 + below(&random, widest);
        s->failures[j] = below(&random, 3) ? 0 : below(&random, 5);
    }
    s->in = cs_sched_priority_instance(cs_sched_priority_find(priority[seed % 5], NULL), &s->jobs,
                                       &draw, s->arena);
}

static void assert_same_starts(const struct scenario *s, const struct attempts *a,
                               const struct attempts *b)
{
    static double start[MOST][6];
    int seen[MOST] = {0};

    assert_int_equal(a->count, b->count);
    for (int x = 0; x < a->count; x++)
        start[a->job[x]][seen[a->job[x]]++] = a->start[x];
    for (int x = b->count - 1; x >= 0; x--)
        assert_true(start[b->job[x]][--seen[b->job[x]]] == b->start[x]);
    for (int j = 0; j < s->jobs.count; j++)
        assert_int_equal(seen[j], 0);
}

static void what_is_planned_on_demand_is_the_fresh_round(void **state)
{
    static struct scenario s;
    static struct attempts demand, fresh;

    (void)state;
    for (uint64_t seed = 0; seed < KIT_ROUNDS(60); seed++) {
        large_scenario_init(&s, seed);
        assert_valid(&s, &demand, run(&s, "list", &demand));
        run(&s, "list:reservations=1000", &fresh);
        assert_same_starts(&s, &demand, &fresh);
        scenario_release(&s);
    }
}

/* More jobs than bits are kept for: the tree must answer as the bits do. */
static void many_jobs_wait_in_a_tree(void **state)
{
    static struct scenario s;
    static struct attempts a, b;

    (void)state;
    for (uint64_t seed = 0; seed < KIT_ROUNDS(20); seed++) {
        scenario_init(&s, seed, MOST, seed % 2 ? "sa" : "lert-learnt");
        assert_valid(&s, &a, run(&s, "strict-easy", &a));
        assert_true(run(&s, "list", &a) == run(&s, "list:reservations=1000", &b));
        scenario_release(&s);
    }
}

/* Proposition 3: shelves lose a factor H_P, lists nothing. */
static void proposition_3(void **state)
{
    static struct scenario s;
    static struct attempts a;

    (void)state;
    s.arena = cs_arena_create();
    s.jobs = (struct cs_sched_jobs){4, 4, 0, s.seconds, s.procs};
    for (int j = 0; j < 4; j++) {
        s.seconds[j] = 12.0 / (j + 1);
        s.failures[j] = j;
        s.procs[j] = 1;
        s.order[j] = j;
    }
    s.in = cs_sched_instance_create(&s.jobs, s.order, s.arena);
    assert_true(run(&s, "shelf", &a) == 25);
    assert_true(run(&s, "shelf-fill", &a) == 12);
    assert_true(run(&s, "list:reservations=0", &a) == 12);
    assert_true(run(&s, "list", &a) == 12);
    scenario_release(&s);
}

/* Check values of the random numbers of spec/rigid.md 6 (golden rng.json). */
static void draws_are_those_of_the_definition(void **state)
{
    (void)state;
    assert_true(cs_mix_hash(0) == 0xe220a8397b1dcdafu);
    assert_true(cs_mix_hash(2021) == 0x42b0ec0160ca2407u);
    assert_true(cs_sched_mix(2021, 3, 3, 999, 17) == 0xa164a35b9660f8a3u);
    assert_true(cs_sched_uniform(cs_sched_mix(7, 4, 1, 2, 3)) == 0.29649233167906425);
    assert_true(cs_sched_geometric(0, 0.5) == 0);
    assert_true(cs_sched_geometric(0.1, 0.09) == 1);
    assert_true(cs_sched_geometric(2, 0.1) == 15);
    assert_true(cs_sched_geometric(9, 0.3) == 9755);
    assert_true(cs_sched_geometric(20, 0.999) == 485407);
    assert_true(cs_sched_geometric(40, 0.5) == -1);
}

/* Many scenarios at once are the draws of section 6, job by job. */
static void scenarios_are_drawn_job_by_job(void **state)
{
    static double seconds[50];
    static int procs[50];
    const struct cs_sched_jobs jobs = {50, 10000, 0, seconds, procs};
    const double mean[] = {0, 0.05, 0.5, 0.95};
    int64_t failures[50];

    (void)state;
    cs_sched_draw_jobs(3, 2, 50, seconds, procs);
    for (int m = 0; m < 4; m++) {
        const struct cs_sched_law law = {.mean = mean[m]};
        struct cs_sched_scenarios *drawn = cs_sched_scenarios_create(&jobs, law, 11, 4, 30, NULL);

        for (int s = 0; s < 30; s++) {
            assert_int_equal(cs_sched_scenarios_get(drawn, s, failures, NULL), 0);
            for (int j = 0; j < 50; j++) {
                double x = -log1p(-mean[m]) * (seconds[j] * procs[j] / cs_sched_mean_area(&jobs));
                double u = cs_sched_uniform(cs_sched_mix(11, 3, 4, (uint64_t)s, (uint64_t)j));

                assert_true((double)failures[j] == cs_sched_geometric(x, u));
            }
        }
        cs_sched_scenarios_destroy(drawn);
    }
}

static void a_study_does_not_depend_on_threads(void **state)
{
    static double seconds[40];
    static int procs[40];
    struct cs_sched_scenarios *drawn;
    struct cs_sched_jobs jobs = {40, 5000, 2, seconds, procs};
    struct cs_rigid_outcome one[300], two[300];
    struct cs_error err = {0};
    const double greedy = 0;
    int priorities;
    const struct cs_sched_priority *priority = cs_sched_priorities(&priorities);

    (void)state;
    cs_sched_draw_jobs(1, 0, 40, seconds, procs);
    drawn = cs_sched_scenarios_create(&jobs, (struct cs_sched_law){0.3, 0}, 7, 0, 300, &err);
    assert_non_null(drawn);
    for (int p = 0; p < priorities; p++) {
        struct cs_rigid_study study = {
            .jobs = &jobs,
            .policy = cs_sched_policy_at(0),
            .param = &greedy,
            .priority = &priority[p],
            .scenarios = drawn,
            .threads = 1,
        };

        assert_int_equal(cs_rigid_study_run(&study, one, &err), 0);
        study.threads = 3;
        assert_int_equal(cs_rigid_study_run(&study, two, &err), 0);
        assert_memory_equal(one, two, sizeof one);
        for (int s = 0; s < 300; s++)
            assert_true(one[s].ratio >= 1 && one[s].utilisation <= 1 + 1e-12);
    }
    cs_sched_scenarios_destroy(drawn);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_schedule_is_valid_and_not_below_the_bound),
        cmocka_unit_test(the_guarantees_of_the_paper_hold),
        cmocka_unit_test(the_lazy_plan_is_the_fresh_round),
        cmocka_unit_test(what_is_planned_on_demand_is_the_fresh_round),
        cmocka_unit_test(many_jobs_wait_in_a_tree),
        cmocka_unit_test(proposition_3),
        cmocka_unit_test(a_study_does_not_depend_on_threads),
        cmocka_unit_test(draws_are_those_of_the_definition),
        cmocka_unit_test(scenarios_are_drawn_job_by_job),
    };

    return cmocka_run_group_tests_name("rigid_core", tests, NULL, NULL);
}
