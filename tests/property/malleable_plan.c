/* malleable_plan: policies that skip what cannot help decide as the paper's loops, tried one by
 * one; Algorithm 1 is optimal. */
#include "malleable/initial.h"
#include "malleable/policy.h"
#include "property/malleable_kit.h"
#include "unit/kit.h"

#include <string.h>

#define PLANS 3000

/* A situation that may never come about, but obeys the rules of plans. */
struct situation {
    struct scene scene;
    struct cs_malleable_plan plan;
    struct cs_malleable_member member[MOST_TASKS];
    struct cs_heap heap;
};

static void draw_member(struct situation *t, int i, double time)
{
    struct scene *s = &t->scene;
    const struct cs_malleable_model *model = t->plan.model;
    const struct cs_malleable_rate *rate = &model->rate[i];
    struct cs_malleable_member *m = &t->member[t->plan.members++];
    const bool late = below(s, 3) == 0, faulty = t->plan.faulty == t->plan.members - 1;
    double now;

    m->task = i;
    m->now = rate->least + 2 * below(s, t->plan.free / 4 + 1);
    t->plan.free -= m->now - rate->least;
    m->share = m->now;
    m->alpha = late ? between(s, 0, 0.05) : between(s, 0, 1);
    m->base = time + (faulty ? 10 + rate->checkpoint / m->now : 0);
    now = m->base + cs_malleable_model_expected(model, i, m->now, m->alpha);
    m->finish = time + (now - time) * between(s, 0.7, 1.3);
    m->expected = m->finish;
}

static struct situation situation_create(uint64_t seed, bool tables)
{
    struct situation t = {.scene = scene_create(seed, tables)};
    struct scene *s = &t.scene;
    const int n = cs_malleable_instance_tasks(s->in);
    const double time = between(s, 0, 5000);
    int free = s->platform.procs / 2 * 2;

    t.plan.model = cs_malleable_model_create(s->in, &s->rules, s->arena);
    for (int i = 0; i < n; i++)
        free -= t.plan.model->rate[i].least;
    t.plan.free = free;
    t.plan.time = time;
    t.plan.faulty = below(s, n);
    for (int i = 0; i < n; i++)
        draw_member(&t, i, time);
    if (below(s, 3) == 0)
        t.plan.free = 0;
    cs_heap_init(&t.heap, n, s->arena);
    t.plan.scratch = s->arena;
    return t;
}

/* The plan refers to what is beside it. */
static struct cs_malleable_plan *plan_of(struct situation *t)
{
    t->plan.member = t->member;
    t->plan.heap = &t->heap;
    return &t->plan;
}

/* ---- the paper's loops ---- */

static int try_all(const struct cs_malleable_plan *plan, const struct cs_malleable_member *m,
                   int most)
{
    for (int q = 2; q <= most; q += 2)
        if (cs_malleable_finish(plan, m, m->share + q) < m->expected)
            return q;
    return 0;
}

static void give(const struct cs_malleable_plan *plan, struct cs_malleable_member *m, int q)
{
    m->share += q;
    m->expected = cs_malleable_finish(plan, m, m->share);
}

static struct cs_malleable_member *latest_of(struct cs_malleable_plan *plan, const bool *out)
{
    struct cs_malleable_member *latest = NULL;

    for (int a = 0; a < plan->members; a++)
        if (!(out && out[a]) && (!latest || plan->member[a].expected > latest->expected))
            latest = &plan->member[a];
    return latest;
}

static void literal_greedy(struct cs_malleable_plan *plan)
{
    int left = plan->free;

    for (int a = 0; a < plan->members; a++) {
        struct cs_malleable_member *m = &plan->member[a];

        m->share = plan->model->rate[m->task].least;
        left += m->now - m->share;
        m->expected = cs_malleable_finish(plan, m, m->share);
    }
    while (left >= 2) {
        struct cs_malleable_member *m = latest_of(plan, NULL);
        const int q = try_all(plan, m, left);

        if (q == 0)
            return;
        give(plan, m, q);
        left -= q;
    }
}

/* As the paper writes it: tests all, but gives two. */
static void climbing_greedy(struct cs_malleable_plan *plan)
{
    int left = plan->free;

    for (int a = 0; a < plan->members; a++) {
        struct cs_malleable_member *m = &plan->member[a];

        m->share = plan->model->rate[m->task].least;
        left += m->now - m->share;
        m->expected = cs_malleable_finish(plan, m, m->share);
    }
    while (left >= 2) {
        struct cs_malleable_member *m = latest_of(plan, NULL);

        if (try_all(plan, m, left) == 0)
            return;
        give(plan, m, 2);
        left -= 2;
    }
}

static void literal_local(struct cs_malleable_plan *plan)
{
    bool out[MOST_TASKS] = {false};
    int left = plan->free;

    while (left >= 2) {
        struct cs_malleable_member *m = latest_of(plan, out);
        const int q = m ? try_all(plan, m, left) : 0;

        if (!m)
            return;
        if (q == 0)
            out[m - plan->member] = true;
        else
            give(plan, m, q);
        left -= q;
    }
}

static struct cs_malleable_member *donor_of(struct cs_malleable_plan *plan)
{
    struct cs_malleable_member *first = NULL;

    for (int a = 0; a < plan->members; a++)
        if (a != plan->faulty && plan->member[a].share >= 4 &&
            (!first || plan->member[a].expected < first->expected))
            first = &plan->member[a];
    return first;
}

static void literal_shortest(struct cs_malleable_plan *plan, bool improvable)
{
    struct cs_malleable_member *f = &plan->member[plan->faulty], *d;
    int left = plan->free, q;

    while (left >= 2) {
        q = try_all(plan, f, left);
        improvable = q > 0;
        if (!improvable)
            break;
        give(plan, f, q);
        left -= q;
    }
    while (improvable && (d = donor_of(plan))) {
        improvable = false;
        for (q = 2; q <= d->share - 2 && !improvable; q += 2)
            improvable = cs_malleable_finish(plan, f, f->share + q) < f->expected &&
                         cs_malleable_finish(plan, d, d->share - q) < f->expected;
        if (!improvable)
            return;
        q -= 2;
        give(plan, f, q);
        give(plan, d, -q);
        improvable = d->expected <= f->expected;
    }
}

static void literal_repaired(struct cs_malleable_plan *plan)
{
    literal_shortest(plan, true);
}

static void literal_printed(struct cs_malleable_plan *plan)
{
    literal_shortest(plan, false);
}

/* ---- the same decisions ---- */

static int assert_same_plan(uint64_t seed, const struct cs_malleable_policy *policy,
                            void (*literal)(struct cs_malleable_plan *))
{
    struct situation ours = situation_create(seed, true), theirs = situation_create(seed, true);
    struct cs_malleable_plan *plan = plan_of(&ours), *want = plan_of(&theirs);
    int changed = 0, sum = -plan->free;

    policy->decide(plan);
    literal(want);
    for (int a = 0; a < plan->members; a++) {
        const struct cs_malleable_member *m = &plan->member[a];

        if (m->share != want->member[a].share)
            fail_msg("%s, seed %d: member %d gets %d, not %d", policy->info.name, (int)seed, a,
                     m->share, want->member[a].share);
        assert_true(m->expected == want->member[a].expected);
        changed += m->share != m->now;
        sum += m->share - m->now;
    }
    assert_true(sum <= 0);
    scene_destroy(&ours.scene);
    scene_destroy(&theirs.scene);
    return changed;
}

static void policies_decide_as_the_papers_loops(void **state)
{
    const struct {
        const struct cs_malleable_policy *policy;
        void (*literal)(struct cs_malleable_plan *);
    } pair[] = {
        {cs_malleable_end_policy(CS_MALLEABLE_END_LOCAL), literal_local},
        {cs_malleable_end_policy(CS_MALLEABLE_END_GREEDY), literal_greedy},
        {cs_malleable_end_policy(CS_MALLEABLE_END_GREEDY), climbing_greedy},
        {cs_malleable_failure_policy(CS_MALLEABLE_FAILURE_SHORTEST), literal_repaired},
        {cs_malleable_failure_policy(CS_MALLEABLE_FAILURE_SHORTEST_PRINTED), literal_printed},
        {cs_malleable_failure_policy(CS_MALLEABLE_FAILURE_GREEDY), literal_greedy},
    };

    (void)state;
    for (size_t p = 0; p < sizeof pair / sizeof *pair; p++) {
        int changed = 0;

        for (uint64_t seed = 0; seed < PLANS; seed++)
            changed += assert_same_plan(seed, pair[p].policy, pair[p].literal);
        assert_true(changed > PLANS / 4);
    }
}

static void the_first_that_ends_in_time_is_found_without_trying_all(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 5 * PLANS; seed++) {
        struct situation t = situation_create(seed, true);
        struct cs_malleable_plan *plan = plan_of(&t);
        const struct cs_malleable_member *m = &t.member[0];
        const int most = t.scene.platform.procs / 2 * 2;
        const int low = 2 + 2 * below(&t.scene, most / 2);
        const int high = low + 2 * below(&t.scene, (most - low) / 2 + 1);
        const double limit = plan->time + (m->finish - plan->time) * between(&t.scene, 0.3, 1.5);
        int want = 0;
        double finish = 0, least = INFINITY;

        for (int k = low; k <= high && !want; k += 2) {
            least = fmin(least, cs_malleable_finish(plan, m, k));
            want = least < limit ? k : 0;
        }
        assert_int_equal(cs_malleable_first(plan, m, low, high, limit, &finish), want);
        if (want)
            assert_true(finish == least);
        if (cs_malleable_hopeless(plan, m, low, high, limit))
            assert_int_equal(want, 0);
        scene_destroy(&t.scene);
    }
}

static double largest(const struct cs_malleable_plan *plan)
{
    double most = -INFINITY;

    for (int a = 0; a < plan->members; a++)
        most = fmax(most, plan->member[a].expected);
    return most;
}

static void the_greedy_never_raises_the_largest_finish_and_disrupting_less_keeps_it(void **state)
{
    int kept = 0;

    (void)state;
    for (uint64_t seed = 0; seed < PLANS; seed++) {
        struct situation t = situation_create(seed, true);
        struct cs_malleable_plan *plan = plan_of(&t);
        const double before = cs_malleable_latest(plan);
        int moved = 0, left = plan->free;
        double best;

        cs_malleable_greedy(plan);
        best = largest(plan);
        assert_true(best <= before);
        for (int a = 0; a < plan->members; a++)
            moved += plan->member[a].share != plan->member[a].now;
        cs_malleable_disrupt_less(plan);
        assert_true(largest(plan) <= best);
        for (int a = 0; a < plan->members; a++) {
            const struct cs_malleable_member *m = &plan->member[a];

            moved -= m->share != m->now;
            left += m->now - m->share;
            assert_true(m->expected == cs_malleable_finish(plan, m, m->share));
        }
        assert_true(left >= 0 && moved >= 0);
        kept += moved;
        scene_destroy(&t.scene);
    }
    assert_true(kept > 100);
}

/* A refusal beforehand is never wrong. */
/* How a member computes from the time of the plan on, as the simulator keeps it. */
static struct cs_malleable_running running_of(const struct cs_malleable_plan *plan,
                                              const struct cs_malleable_member *m)
{
    const struct cs_malleable_rate *rate = &plan->model->rate[m->task];
    struct cs_malleable_running run = {.seconds = cs_malleable_rate_time(rate, m->now)};

    run.pieces = cs_malleable_model_pieces(plan->model, m->task, m->now, m->alpha);
    run.period = run.pieces.work + rate->checkpoint / m->now;
    run.speed = 1 / run.seconds;
    run.fewer = cs_malleable_refuse_fewer(rate, m->now, m->alpha, plan->time);
    return run;
}

static void fewer_processors_are_never_refused_wrongly(void **state)
{
    int refused = 0;

    (void)state;
    for (uint64_t seed = 0; seed < PLANS; seed++) {
        struct situation t = situation_create(seed, true);
        struct cs_malleable_plan *plan = plan_of(&t);
        struct cs_malleable_member *m = &t.member[0];
        const struct cs_malleable_running run = running_of(plan, m);
        double floor;

        m->running = &run;
        m->start = plan->time;
        plan->time += between(&t.scene, 0, 1) * m->alpha * run.seconds;
        m->base = plan->time;
        floor = run.fewer.fixed + run.fewer.rise * plan->time;
        for (int high = plan->model->rate[m->task].least; high < m->now; high += 2)
            if (cs_malleable_hopeless(plan, m, high, high, m->finish)) {
                struct cs_malleable_member seen = *m;

                cs_malleable_look(plan, &seen);
                assert_true(cs_malleable_finish(plan, &seen, high) >= m->finish * (1 - 1e-9));
            }
        cs_malleable_look(plan, m);
        assert_null(m->running);
        for (int k = plan->model->rate[m->task].least; k < m->now && plan->time <= run.fewer.until;
             k += 2, refused++)
            assert_true(cs_malleable_finish(plan, m, k) >= floor * (1 - 1e-9));
        scene_destroy(&t.scene);
    }
    assert_true(refused > PLANS / 4);
}

static void what_is_worthwhile_was_conceivable(void **state)
{
    int refused = 0, worthwhile = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 4 * PLANS; seed++) {
        struct situation t = situation_create(seed, true);
        struct cs_malleable_plan *plan = plan_of(&t);
        const struct cs_malleable_policy *policy =
            seed % 2 ? cs_malleable_end_policy(CS_MALLEABLE_END_LOCAL)
                     : cs_malleable_failure_policy(seed % 4 ? CS_MALLEABLE_FAILURE_GREEDY
                                                            : CS_MALLEABLE_FAILURE_SHORTEST);
        const double share = between(&t.scene, 0.001, 0.3);
        const bool conceivable = cs_malleable_conceivable(plan, share, policy->only_free);
        bool does;

        policy->decide(plan);
        does = cs_malleable_worthwhile(plan, share);
        assert_true(conceivable || !does);
        refused += !conceivable;
        worthwhile += does;
        scene_destroy(&t.scene);
    }
    assert_true(refused > PLANS && worthwhile > PLANS / 4);
}

/* ---- Algorithm 1 ---- */

static double least_expected(const struct cs_malleable_model *model, int task, int procs)
{
    double least = INFINITY;

    for (int k = 2; k <= procs; k += 2)
        least = fmin(least, cs_malleable_model_expected(model, task, k, 1));
    return least;
}

/* The least longest time when tasks from `task` on share `procs`, as if each could use any part. */
static double brute_force(const struct cs_malleable_model *model, int task, int procs)
{
    double best = INFINITY;

    if (task == model->tasks)
        return 0;
    for (int k = 2; k <= procs - 2 * (model->tasks - task - 1); k += 2)
        best = fmin(best,
                    fmax(least_expected(model, task, k), brute_force(model, task + 1, procs - k)));
    return best;
}

static void algorithm_1_is_optimal_among_all_even_allocations(void **state)
{
    int tried = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct scene s = scene_create(seed, true);
        const struct cs_malleable_model *model;
        int procs[MOST_TASKS], sum = 0;
        double expected[MOST_TASKS], longest = 0;

        if (cs_malleable_instance_tasks(s.in) > 3 || s.platform.procs > 40) {
            scene_destroy(&s);
            continue;
        }
        model = cs_malleable_model_create(s.in, &s.rules, s.arena);
        sum = cs_malleable_initial(s.in, &s.rules, procs, expected);
        for (int i = 0; i < model->tasks; i++) {
            sum += procs[i];
            longest = fmax(longest, expected[i]);
            assert_true(expected[i] == cs_malleable_model_expected(model, i, procs[i], 1));
        }
        assert_int_equal(sum, s.platform.procs);
        assert_true(longest == brute_force(model, 0, s.platform.procs / 2 * 2));
        tried++;
        scene_destroy(&s);
    }
    assert_true(tried > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(policies_decide_as_the_papers_loops),
        cmocka_unit_test(the_first_that_ends_in_time_is_found_without_trying_all),
        cmocka_unit_test(the_greedy_never_raises_the_largest_finish_and_disrupting_less_keeps_it),
        cmocka_unit_test(fewer_processors_are_never_refused_wrongly),
        cmocka_unit_test(what_is_worthwhile_was_conceivable),
        cmocka_unit_test(algorithm_1_is_optimal_among_all_even_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
