/* rigid_bound: bounds and guarantees against the optimum of tiny instances, found by trying every
 * order of the attempts. */
#include "base/splitmix.h"
#include "check/bound.h"
#include "problems/rigid/simulate.h"
#include "sched/bound.h"
#include "sched/priority.h"
#include "unit/kit.h"

#include <math.h>

#define JOBS 4
#define ATTEMPTS 6

struct tiny {
    struct cs_sched_jobs jobs;
    double seconds[JOBS];
    int procs[JOBS], attempts;
    int64_t failures[JOBS];
};

static int below(struct cs_splitmix *random, int m)
{
    return (int)cs_splitmix_below(random, (uint64_t)m);
}

static void tiny_init(struct tiny *t, uint64_t seed)
{
    struct cs_splitmix random = {seed};
    int n = 1 + below(&random, JOBS), machine = 1 + below(&random, 12);

    t->jobs = (struct cs_sched_jobs){n, machine, below(&random, 2), t->seconds, t->procs};
    t->attempts = n;
    for (int j = 0; j < n; j++) {
        t->seconds[j] = 1 + below(&random, 9);
        t->procs[j] = 1 + below(&random, machine);
        t->failures[j] = t->attempts < ATTEMPTS ? below(&random, ATTEMPTS - t->attempts + 1) : 0;
        t->attempts += (int)t->failures[j];
    }
}

/* Attempts placed one by one at their earliest start: some order gives the optimum. */
struct placed {
    double start[ATTEMPTS], end[ATTEMPTS];
    int procs[ATTEMPTS], count;
};

static int used_at(const struct placed *p, double time)
{
    int used = 0;

    for (int a = 0; a < p->count; a++)
        if (p->start[a] <= time && time < p->end[a])
            used += p->procs[a];
    return used;
}

static bool fits(const struct tiny *t, const struct placed *p, double start, double end, int procs)
{
    if (used_at(p, start) + procs > t->jobs.machine)
        return false;
    for (int a = 0; a < p->count; a++)
        if (p->start[a] > start && p->start[a] < end &&
            used_at(p, p->start[a]) + procs > t->jobs.machine)
            return false;
    return true;
}

static double earliest(const struct tiny *t, const struct placed *p, double after, double length,
                       int procs)
{
    double best = fits(t, p, after, after + length, procs) ? after : INFINITY;

    for (int a = 0; a < p->count; a++)
        if (p->end[a] > after && p->end[a] < best &&
            fits(t, p, p->end[a], p->end[a] + length, procs))
            best = p->end[a];
    return best;
}

static double search(const struct tiny *t, struct placed *p, int64_t *left, double *ready)
{
    double best = INFINITY;

    for (int j = 0; j < t->jobs.count; j++) {
        double length = t->seconds[j] + t->jobs.verification, was = ready[j];
        int at = p->count;

        if (left[j] < 0)
            continue;
        p->start[at] = earliest(t, p, ready[j], length, t->procs[j]);
        p->end[at] = p->start[at] + length;
        p->procs[at] = t->procs[j];
        p->count++;
        left[j]--;
        ready[j] = p->end[at];
        best = fmin(best, search(t, p, left, ready));
        left[j]++;
        ready[j] = was;
        p->count--;
    }
    if (best < INFINITY)
        return best;
    best = 0;
    for (int a = 0; a < p->count; a++)
        best = fmax(best, p->end[a]);
    return best;
}

static double optimum(const struct tiny *t)
{
    struct placed placed = {.count = 0};
    int64_t left[JOBS];
    double ready[JOBS] = {0};

    for (int j = 0; j < t->jobs.count; j++)
        left[j] = t->failures[j];
    return search(t, &placed, left, ready);
}

/* Nothing above a bound that nobody can reach, but all that is declared of it. */
static void judge_by_the_checker(const struct tiny *t, double best, double strong)
{
    struct cs_rigid_declared declared = {.verification = t->jobs.verification,
                                         .lower_bound = strong,
                                         .seconds = t->seconds,
                                         .procs = t->procs};
    double shown = cs_check_bound_rigid(&declared, t->jobs.count, t->jobs.machine, t->failures);

    assert_true(shown >= strong * (1 - 1e-12) && shown <= best * (1 + 1e-12));
    declared.lower_bound = best * 2;
    shown = cs_check_bound_rigid(&declared, t->jobs.count, t->jobs.machine, t->failures);
    assert_true(shown >= strong * (1 - 1e-12) && shown <= best * (1 + 1e-12));
}

static void the_bounds_are_bounds_and_mostly_tight(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    double plain = 0, strong = 0;
    int tight = 0, cases = 1500;

    (void)state;
    for (int seed = 0; seed < cases; seed++) {
        struct tiny t;
        double best, bound;

        tiny_init(&t, (uint64_t)seed);
        best = optimum(&t);
        bound = cs_sched_bound_strong(&t.jobs, t.failures, arena);
        assert_true(bound <= best * (1 + 1e-12));
        assert_true(bound >= cs_sched_lower_bound(&t.jobs, t.failures, 0));
        judge_by_the_checker(&t, best, bound);
        tight += bound >= best * (1 - 1e-12);
        plain += best / cs_sched_lower_bound(&t.jobs, t.failures, 0) / cases;
        strong += best / bound / cases;
    }
    assert_true(tight > cases * 8 / 10);
    assert_true(strong < 1.03 && strong < plain);
    cs_arena_destroy(arena);
}

/* A policy with its usual parameters. */
static struct cs_policy_call usual(int policy)
{
    int policies;
    const struct cs_policy *const *list = cs_sched_policies(&policies);
    struct cs_policy_call call;

    assert_int_equal(cs_policy_parse(list[policy]->name, list, policies, &call, NULL), 0);
    return call;
}

static double run(const struct tiny *t, const struct cs_policy_call *call, const char *priority,
                  struct cs_arena *arena)
{
    const struct cs_sched_policy *policy = cs_sched_policy_at(call->policy);
    const struct cs_sched_draw draw = {.lambda = 0.01};
    const struct cs_sched_instance *in =
        cs_sched_priority_instance(cs_sched_priority_find(priority, NULL), &t->jobs, &draw, arena);

    return cs_rigid_simulation_run(cs_rigid_simulation_create(in, policy, call->param, arena, NULL),
                                   t->failures, NULL, NULL);
}

static void no_policy_beats_the_optimum_and_the_guarantees_hold(void **state)
{
    int policies, priorities;
    const struct cs_sched_priority *priority = cs_sched_priorities(&priorities);
    struct cs_policy_call list = usual(0);

    (void)state;
    cs_sched_policies(&policies);
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct cs_arena *arena = cs_arena_create();
        struct tiny t;
        double best, p;

        tiny_init(&t, seed);
        best = optimum(&t);
        p = t.jobs.machine;
        for (int i = 0; i < policies && !cs_sched_policy_at(i)->info.extpol; i++) {
            const struct cs_policy_call call = usual(i);

            for (int k = 0; k < priorities; k++)
                assert_true(run(&t, &call, priority[k].name, arena) >= best);
        }
        list.param[0] = 0;
        for (int k = 0; k < priorities; k++)
            assert_true(run(&t, &list, priority[k].name, arena) <=
                        (2 - 1 / p) * best * (1 + 1e-12));
        for (list.param[0] = 1; list.param[0] < 4; list.param[0]++)
            assert_true(run(&t, &list, "ljf", arena) <= (3 - 4 / (p + 1)) * best * (1 + 1e-12));
        cs_arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bounds_are_bounds_and_mostly_tight),
        cmocka_unit_test(no_policy_beats_the_optimum_and_the_guarantees_hold),
    };

    return cmocka_run_group_tests_name("rigid_bound", tests, NULL, NULL);
}
