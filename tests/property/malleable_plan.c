/* malleable_plan: policies that skip what cannot help decide as the paper's loops, tried one by
 * one; Algorithm 1 is optimal. */
#include "problems/malleable/initial.h"
#include "problems/malleable/policy.h"
#include "property/malleable_kit.h"
#include "unit/kit.h"

#include <string.h>

#define PLANS KIT_ROUNDS(3000)

/* A situation that may never come about, but obeys the rules of plans.  All in the arena of the
 * scene. */
struct situation {
    struct scene scene;
    struct cs_malleable_plan *plan;
    struct cs_malleable_state *state;
    struct cs_malleable_running *running;
    double time;
    int members, faulty, free;
};

/* The task began some time ago, the one that failed begins again soon. */
static void draw_member(struct situation *t, int i)
{
    struct scene *s = &t->scene;
    const struct cs_malleable_model *model = t->plan->model;
    const struct cs_malleable_rate *rate = &model->rate[i];
    struct cs_malleable_state *state = &t->state[i];
    struct cs_malleable_running *run = &t->running[i];
    const bool late = below(s, 3) == 0;
    double alpha, base = t->time;

    state->procs = rate->least + 2 * below(s, t->free / 4 + 1);
    t->free -= state->procs - rate->least;
    state->alpha = alpha = late ? between(s, 0, 0.05) : between(s, 0, 1);
    state->planned_end = INFINITY;
    state->start = t->time;
    run->seconds = cs_malleable_rate_time(rate, state->procs);
    run->pieces = cs_malleable_model_pieces(model, i, state->procs, state->alpha);
    run->period = run->pieces.work + rate->checkpoint / state->procs;
    if (i == t->faulty) {
        run->recovered = state->start = base = t->time + 10 + rate->checkpoint / state->procs;
    } else if (below(s, 3)) {
        struct cs_malleable_progress p;

        state->start -= between(s, 0, 1) * state->alpha * run->seconds;
        p = cs_malleable_progress(run, state->start, t->time);
        alpha = cs_malleable_live(run, &p, state->alpha);
    }
    base += cs_malleable_model_expected(model, i, state->procs, alpha);
    state->expected_finish = t->time + (base - t->time) * between(s, 0.7, 1.3);
    cs_malleable_rows_set(t->plan->rows, i, rate, state, run->seconds);
}

static struct situation situation_create(uint64_t seed, bool tables)
{
    struct situation t = {.scene = scene_create(seed, tables)};
    struct scene *s = &t.scene;
    const int n = cs_malleable_instance_tasks(s->in);

    t.members = n;
    t.time = between(s, 5000, 10000);
    t.free = s->platform.procs / 2 * 2;
    t.plan = CS_NEW(s->arena, struct cs_malleable_plan);
    cs_malleable_plan_init(t.plan, n, s->arena);
    t.plan->model = cs_malleable_model_create(s->in, &s->rules, s->arena);
    t.plan->rows = CS_NEW(s->arena, struct cs_malleable_rows);
    cs_malleable_rows_init(t.plan->rows, n, s->arena);
    cs_malleable_rows_fill(t.plan->rows, t.plan->model->rate);
    t.plan->state = t.state = CS_NEW_ARRAY(s->arena, struct cs_malleable_state, n);
    t.plan->running = t.running = CS_NEW_ARRAY(s->arena, struct cs_malleable_running, n);
    for (int i = 0; i < n; i++)
        t.free -= t.plan->model->rate[i].least;
    t.faulty = below(s, n);
    for (int i = 0; i < n; i++)
        draw_member(&t, i);
    if (below(s, 3) == 0)
        t.free = 0;
    t.plan->free = t.free;
    cs_malleable_plan_gather(t.plan, t.time, t.faulty, true);
    return t;
}

/* ---- the paper's loops ---- */

static int try_all(struct cs_malleable_plan *plan, int a, int most)
{
    const struct cs_malleable_member *m = cs_malleable_meet(plan, a);

    for (int q = 2; q <= most; q += 2)
        if (cs_malleable_finish(plan, m, m->share + q) < plan->expected[a])
            return q;
    return 0;
}

/* Takes part in no plan but for its own sake. */
struct loops {
    struct cs_malleable_plan *plan;
    int members, faulty;
};

static struct cs_malleable_member *member(const struct loops *l, int a)
{
    return cs_malleable_meet(l->plan, a);
}

static void give(const struct loops *l, int a, int q)
{
    struct cs_malleable_member *m = member(l, a);

    m->share += q;
    l->plan->expected[a] = cs_malleable_finish(l->plan, m, m->share);
}

static int latest_of(const struct loops *l, const bool *out)
{
    int latest = -1;

    for (int a = 0; a < l->members; a++)
        if (!(out && out[a]) && (latest < 0 || l->plan->expected[a] > l->plan->expected[latest]))
            latest = a;
    return latest;
}

static int least_for_all(const struct loops *l)
{
    int left = l->plan->free;

    for (int a = 0; a < l->members; a++) {
        const struct cs_malleable_member *m = member(l, a);

        left += m->now - l->plan->model->rate[m->task].least;
        give(l, a, l->plan->model->rate[m->task].least - m->now);
    }
    return left;
}

static void literal_greedy(const struct loops *l)
{
    int left = least_for_all(l);

    while (left >= 2) {
        const int a = latest_of(l, NULL), q = try_all(l->plan, a, left);

        if (q == 0)
            return;
        give(l, a, q);
        left -= q;
    }
}

/* As the paper writes it: tests all, but gives two. */
static void climbing_greedy(const struct loops *l)
{
    int left = least_for_all(l);

    while (left >= 2) {
        const int a = latest_of(l, NULL);

        if (try_all(l->plan, a, left) == 0)
            return;
        give(l, a, 2);
        left -= 2;
    }
}

static void literal_local(const struct loops *l)
{
    bool out[MOST_TASKS] = {false};
    int left = l->plan->free;

    while (left >= 2) {
        const int a = latest_of(l, out), q = a >= 0 ? try_all(l->plan, a, left) : 0;

        if (a < 0)
            return;
        if (q == 0)
            out[a] = true;
        else
            give(l, a, q);
        left -= q;
    }
}

static int donor_of(const struct loops *l)
{
    int first = -1;

    for (int a = 0; a < l->members; a++)
        if (a != l->faulty && member(l, a)->share >= 4 &&
            (first < 0 || l->plan->expected[a] < l->plan->expected[first]))
            first = a;
    return first;
}

static void literal_shortest(const struct loops *l, bool improvable)
{
    const double *expected = l->plan->expected;
    const int f = l->faulty;
    int left = l->plan->free, q, d;

    while (left >= 2) {
        q = try_all(l->plan, f, left);
        improvable = q > 0;
        if (!improvable)
            break;
        give(l, f, q);
        left -= q;
    }
    while (improvable && (d = donor_of(l)) >= 0) {
        const struct cs_malleable_member *from = member(l, d), *to = member(l, f);

        improvable = false;
        for (q = 2; q <= from->share - 2 && !improvable; q += 2)
            improvable = cs_malleable_finish(l->plan, to, to->share + q) < expected[f] &&
                         cs_malleable_finish(l->plan, from, from->share - q) < expected[f];
        if (!improvable)
            return;
        q -= 2;
        give(l, f, q);
        give(l, d, -q);
        improvable = expected[d] <= expected[f];
    }
}

static void literal_repaired(const struct loops *l)
{
    literal_shortest(l, true);
}

static void literal_printed(const struct loops *l)
{
    literal_shortest(l, false);
}

/* ---- the same decisions ---- */

static int assert_same_plan(uint64_t seed, const struct cs_malleable_policy *policy,
                            void (*literal)(const struct loops *))
{
    struct situation ours = situation_create(seed, true), theirs = situation_create(seed, true);
    struct cs_malleable_plan *plan = ours.plan;
    const struct loops want = {theirs.plan, theirs.members, theirs.faulty};
    int changed = 0, sum = -plan->free;

    policy->decide(plan);
    literal(&want);
    for (int a = 0; a < ours.members; a++) {
        const struct cs_malleable_member *m = cs_malleable_meet(plan, a);

        if (m->share != member(&want, a)->share)
            fail_msg("%s, seed %d: member %d gets %d, not %d", policy->info.name, (int)seed, a,
                     m->share, member(&want, a)->share);
        assert_true(plan->expected[a] == theirs.plan->expected[a]);
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
        void (*literal)(const struct loops *);
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
        struct cs_malleable_plan *plan = t.plan;
        const struct cs_malleable_member *m = cs_malleable_meet(plan, 0);
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
        scene_destroy(&t.scene);
    }
}

/* What the jumps that follow each other lead to, as long as nobody else is last. */
static void a_gain_is_all_jumps_of_one_that_stays_the_last(void **state)
{
    int several = 0;

    (void)state;
    for (uint64_t seed = 0; seed < PLANS; seed++) {
        struct situation t = situation_create(seed, true);
        struct cs_malleable_plan *plan = t.plan;
        const struct cs_malleable_member *m = cs_malleable_meet(plan, 0);
        const int most = 2 + 2 * below(&t.scene, 30);
        const double next = plan->time + (m->finish - plan->time) * between(&t.scene, 0.5, 1);
        double finish = m->finish, want = m->finish, one;
        int jumps = 0, k = m->share, far;

        while ((!jumps || want > next) &&
               (far = cs_malleable_first(plan, m, k + 2, m->share + most, want, &one)) > 0) {
            k = far;
            want = one;
            jumps++;
        }
        far = cs_malleable_gain(plan, m, m->finish, next, most, &finish);
        assert_int_equal(far, jumps ? k : 0);
        assert_true(!jumps || finish == want);
        several += jumps > 1;
        scene_destroy(&t.scene);
    }
    assert_true(several > PLANS / 50);
}

static double largest(const struct cs_malleable_plan *plan)
{
    return cs_malleable_rows_largest(plan->expected, plan->rows->count);
}

static void the_greedy_never_raises_the_largest_finish_and_disrupting_less_keeps_it(void **state)
{
    int kept = 0;

    (void)state;
    for (uint64_t seed = 0; seed < PLANS; seed++) {
        struct situation t = situation_create(seed, true);
        struct cs_malleable_plan *plan = t.plan;
        int moved = 0, left = plan->free;
        double best;

        cs_malleable_greedy(plan);
        best = largest(plan);
        assert_true(best <= plan->latest);
        for (int a = 0; a < t.members; a++)
            moved += cs_malleable_meet(plan, a)->share != plan->member[a].now;
        cs_malleable_disrupt_less(plan);
        assert_true(largest(plan) <= best);
        for (int a = 0; a < t.members; a++) {
            const struct cs_malleable_member *m = &plan->member[a];

            moved -= m->share != m->now;
            left += m->now - m->share;
            assert_true(plan->expected[a] == cs_malleable_finish(plan, m, m->share));
        }
        assert_true(left >= 0 && moved >= 0);
        kept += moved;
        scene_destroy(&t.scene);
    }
    assert_true(kept > 100);
}

/* Before anybody has met the members, and again when the rows know of their checkpoints. */
static int assert_floors(struct situation *t, int more)
{
    struct cs_malleable_plan *plan = t->plan;
    double above[MOST_TASKS], under[MOST_TASKS];
    int reported = 0;

    cs_malleable_rows_floor_more(plan->rows, plan->time, more, above);
    cs_malleable_rows_floor_fewer(plan->rows, plan->time, under);
    for (int a = 0; a < t->members; a++) {
        const struct cs_malleable_member *m = cs_malleable_meet(plan, a);
        const int least = plan->model->rate[m->task].least;
        const int most = m->now + more < plan->model->usable ? m->now + more : plan->model->usable;

        if (a == t->faulty)
            continue;
        for (int k = least; k<m->now; k += 2, reported += under[a]> plan->time)
            assert_true(cs_malleable_finish(plan, m, k) >= under[a]);
        for (int k = m->now + 2; k <= most; k += 2, reported += above[a] > plan->time)
            assert_true(cs_malleable_finish(plan, m, k) >= above[a]);
    }
    return reported;
}

static void floors_are_never_above_what_they_hold_up(void **state)
{
    int reported = 0, better = 0;

    (void)state;
    for (uint64_t seed = 0; seed < PLANS; seed++) {
        struct situation t = situation_create(seed, true);
        const int more = 2 + 2 * below(&t.scene, 20);
        const double *left = t.plan->rows->column[CS_ROW_LEFT], before = left[0];

        reported += assert_floors(&t, more);
        reported += assert_floors(&t, more);
        better += left[0] > before;
        scene_destroy(&t.scene);
    }
    assert_true(reported > 10 * PLANS && better > PLANS / 20);
}

static void what_is_worthwhile_was_conceivable(void **state)
{
    int refused = 0, worthwhile = 0;

    (void)state;
    for (uint64_t seed = 0; seed < 4 * PLANS; seed++) {
        struct situation t = situation_create(seed, true);
        struct cs_malleable_plan *plan = t.plan;
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
        cmocka_unit_test(a_gain_is_all_jumps_of_one_that_stays_the_last),
        cmocka_unit_test(floors_are_never_above_what_they_hold_up),
        cmocka_unit_test(what_is_worthwhile_was_conceivable),
        cmocka_unit_test(algorithm_1_is_optimal_among_all_even_allocations),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
