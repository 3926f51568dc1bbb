/* moldable_exact: proofs and searches of small bags against all orders and counts, and the search
 * against the walk of spec/moldable.md 6.6, written once more. */
#include "property/moldable_kit.h"

#include "base/splitmix.h"
#include "check/bound_moldable.h"
#include "problems/moldable/bound.h"
#include "problems/moldable/exact.h"
#include "problems/moldable/fit.h"
#include "unit/kit.h"

#include <stdio.h>
#include <string.h>

static const int mixes[] = {0, MOLDABLE_WHOLE, MOLDABLE_RELEASE, MOLDABLE_WHOLE | MOLDABLE_RELEASE};

static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-12 * fabs(b);
}

/* Bags of exactly so many tasks: those of the kit, the larger ones cut. */
static struct moldable_case bag_of(uint64_t *seed, int least, int most, int procs, int flavours)
{
    for (;;) {
        struct moldable_case c = moldable_case_create((*seed)++, most, procs, flavours);

        if (c.instance->bag.tasks >= least)
            return c;
        moldable_case_destroy(&c);
    }
}

static void thousands_of_proofs_are_true(void **state)
{
    (void)state;
    for (uint64_t seed = 10000; seed < 10000 + KIT_ROUNDS(2000); seed++) {
        struct moldable_case c = moldable_case_create(seed, 3, 5, mixes[seed % 4]);
        struct cs_moldable_plan *plan = moldable_case_plan(&c, "exact:moves=0", seed);
        double best = moldable_brute_force(&c.instance->bag);

        if (!plan->optimal || !same(plan->makespan, best))
            fail_msg("seed %d: %.17g is not %.17g", (int)seed, plan->makespan, best);
        cs_moldable_plan_destroy(plan);
        moldable_case_destroy(&c);
    }
}

static void five_tasks_are_proved_as_brute_force_finds_them(void **state)
{
    uint64_t seed = 500;

    (void)state;
    for (int round = 0; round < KIT_ROUNDS(4); round++) {
        struct moldable_case c = bag_of(&seed, 5, 5, 4, mixes[round % 4]);
        struct cs_moldable_plan *plan = moldable_case_plan(&c, "exact:moves=0", seed);

        assert_true(plan->optimal && same(plan->makespan, moldable_brute_force(&c.instance->bag)));
        cs_moldable_plan_destroy(plan);
        moldable_case_destroy(&c);
    }
}

/* What an effort says is proved, and its bound, whatever it did for them. */
static void an_effort_claims_nothing_false(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < KIT_ROUNDS(40); seed++) {
        struct moldable_case c = moldable_case_create(seed, 4, 5, mixes[seed % 4]);
        const struct cs_moldable_request request = {.seed = seed};
        struct cs_moldable_plan *plan = cs_moldable_plan_create(c.instance->bag.tasks);
        double best = moldable_brute_force(&c.instance->bag);

        for (int effort = CS_MOLDABLE_EFFORT_FAST; effort <= CS_MOLDABLE_EFFORT_DEFAULT; effort++) {
            assert_int_equal(cs_moldable_effort_plan(c.instance, (enum cs_moldable_effort)effort,
                                                     &request, plan, NULL),
                             0);
            assert_true(plan->bound <= best * (1 + 1e-12));
            if (plan->optimal && !same(plan->makespan, best))
                fail_msg("seed %d: %.17g is not %.17g", (int)seed, plan->makespan, best);
        }
        cs_moldable_plan_destroy(plan);
        moldable_case_destroy(&c);
    }
}

/* The plan's tasks in the order of their starts, each as early as it fits, end when the plan does.
 */
static void assert_earliest_of_the_order(const struct moldable_case *c,
                                         const struct cs_moldable_plan *plan)
{
    const struct cs_moldable_bag *bag = &c->instance->bag;
    int *order = CS_NEW_ARRAY(c->arena, int, bag->tasks);
    double *start = CS_NEW_ARRAY(c->arena, double, bag->tasks);
    struct cs_moldable_skyline skyline;

    cs_moldable_sort_starts(bag, plan->start, order, c->arena);
    cs_moldable_skyline_init(&skyline, bag, c->arena);
    assert_true(
        same(cs_moldable_earliest(&skyline, plan->choice, order, INFINITY, start), plan->makespan));
}

static void searches_are_exact(int rounds, int least, int most, const char *search)
{
    uint64_t seed = 0;
    int differ = 0;

    for (int round = 0; round < rounds; round++) {
        struct moldable_case c = bag_of(&seed, least, most, 8, MOLDABLE_WHOLE);
        struct cs_moldable_plan *proved = moldable_case_plan(&c, "exact", seed);
        struct cs_moldable_plan *found = moldable_case_plan(&c, search, seed);

        assert_true(proved->optimal);
        assert_earliest_of_the_order(&c, proved);
        differ += !same(found->makespan, proved->makespan);
        cs_moldable_plan_destroy(found);
        cs_moldable_plan_destroy(proved);
        moldable_case_destroy(&c);
    }
    assert_int_equal(differ, 0);
}

static void the_search_is_exact_for_up_to_six_tasks(void **state)
{
    (void)state;
    searches_are_exact(KIT_ROUNDS(6), 4, 6, "search:moves=200000");
}

static void the_search_is_exact_for_seven_tasks(void **state)
{
    (void)state;
    searches_are_exact(KIT_ROUNDS(12), 7, 7, "search:moves=20000");
}

/* Below the optimum the checker finds no plan, above it one, and argues against neither. */
static void assert_checker_knows(const struct moldable_case *c, double best)
{
    static const struct cs_moldable_certificate none;
    const struct cs_moldable_declared said = {.certificate = none};
    struct cs_check_bag bag;

    assert_true(cs_check_bag_init(&bag, c->workload, c->instance->bag.procs, &said, c->arena));
    assert_int_equal(cs_check_bag_search(&bag, best * (1 - 1e-9), c->arena), CS_CHECK_SEARCH_NONE);
    assert_int_equal(cs_check_bag_search(&bag, best * (1 + 1e-9), c->arena), CS_CHECK_SEARCH_PLAN);
    assert_false(cs_check_bag_too_short(&bag, best * (1 + 1e-9), &none, c->arena));
}

static void the_checker_finds_the_optimum_by_itself(void **state)
{
    (void)state;
    for (uint64_t seed = 30000; seed < 30000 + KIT_ROUNDS(600); seed++) {
        struct moldable_case c = moldable_case_create(seed, 3, 5, mixes[seed % 4]);

        assert_checker_knows(&c, moldable_brute_force(&c.instance->bag));
        moldable_case_destroy(&c);
    }
    for (uint64_t seed = 40000; seed < 40000 + KIT_ROUNDS(200); seed++) {
        struct moldable_case c = moldable_case_create(seed, 6, 8, mixes[seed % 4]);
        struct cs_moldable_plan *plan = moldable_case_plan(&c, "exact", seed);

        assert_true(plan->optimal);
        assert_checker_knows(&c, plan->makespan);
        cs_moldable_plan_destroy(plan);
        moldable_case_destroy(&c);
    }
}

struct prover {
    double (*prove)(const struct cs_moldable_bag *, double, double, struct cs_moldable_patience,
                    struct cs_arena *);
    bool (*certify)(const struct cs_moldable_bag *, double, struct cs_moldable_certificate *,
                    struct cs_arena *);
};

static const struct prover by_pairs = {cs_moldable_joint, cs_moldable_joint_certify};
static const struct prover by_scales = {cs_moldable_cases, cs_moldable_cases_certify};

/* Such a bound is none above the optimum, and its certificate is one; tells whether there is one
 * that looks at cases. */
static bool assert_bound_is_right(const struct moldable_case *c, const struct prover *prover,
                                  double best)
{
    const struct cs_moldable_bag *bag = &c->instance->bag;
    const struct cs_moldable_declared said = {0};
    struct cs_moldable_certificate by = {0};
    struct cs_moldable_bounds bounds;
    struct cs_check_bag shown;
    double bound;

    cs_moldable_bounds_compute(c->instance, &bounds);
    if (bounds.best >= best * (1 - 1e-9))
        return false;
    bound = prover->prove(bag, bounds.best, best * 1.1, (struct cs_moldable_patience){0}, c->arena);
    assert_true(bound <= best * (1 + 1e-9));
    if (bound > bounds.best) {
        assert_true(prover->certify(bag, bound, &by, c->arena));
        assert_true(cs_check_bag_init(&shown, c->workload, bag->procs, &said, c->arena));
        assert_true(cs_check_bag_certified(&shown, bound, &by, c->arena));
        assert_false(cs_check_bag_certified(&shown, best * (1 + 1e-9), &by, c->arena));
    }
    return by.narrow != NULL;
}

static int count_with_cases(const struct prover *prover, uint64_t from, int rounds)
{
    int with_cases = 0;

    for (uint64_t seed = from; seed < from + (uint64_t)rounds; seed++) {
        struct moldable_case c = moldable_case_create(seed, 4, 5, mixes[seed % 4]);

        with_cases += assert_bound_is_right(&c, prover, moldable_brute_force(&c.instance->bag));
        moldable_case_destroy(&c);
    }
    return with_cases;
}

/* The first of these bags has cases. */
static void pairs_prove_nothing_false(void **state)
{
    (void)state;
    assert_true(count_with_cases(&by_pairs, 50085, KIT_ROUNDS(80)) > 0);
}

static void scales_prove_nothing_false(void **state)
{
    (void)state;
    assert_true(count_with_cases(&by_scales, 50085, KIT_ROUNDS(3000)) > 0);
}

/* ---- the walk as it is specified, where a refused move brings back copies ---- */

struct walk {
    const struct cs_moldable_bag *bag;
    struct cs_splitmix random;
    struct cs_moldable_fit fit;
    int choice[16], order[16], best_choice[16];
    double best_start[16], best;
};

static int below(struct walk *w, int m)
{
    return (int)cs_splitmix_below(&w->random, (uint64_t)m);
}

static double decode(struct walk *w, int *last)
{
    cs_moldable_fit_clear(&w->fit);
    cs_moldable_fit(&w->fit, w->choice, w->order, w->bag->tasks, w->best, INFINITY);
    *last = w->fit.last;
    return w->fit.makespan;
}

static void keep(struct walk *w, double value)
{
    size_t n = (size_t)w->bag->tasks;

    if (!(value < w->best))
        return;
    w->best = value;
    memcpy(w->best_choice, w->fit.choice, n * sizeof *w->best_choice);
    memcpy(w->best_start, w->fit.start, n * sizeof *w->best_start);
}

static void insert(int *order, int n, int task, int at)
{
    int kept = 0, without[16];

    for (int p = 0; p < n; p++)
        if (order[p] != task)
            without[kept++] = order[p];
    for (int p = 0, q = 0; p < n; p++)
        order[p] = p == at ? task : without[q++];
}

static void change_count(struct walk *w, int i, int z)
{
    int *k = &w->choice[i];

    if (below(w, 4) == 0) {
        int q = below(w, z - 1);

        *k = q >= *k ? q + 1 : q;
    } else {
        int up = below(w, 2);

        if (*k == 0)
            *k = 1;
        else if (*k == z - 1)
            *k = z - 2;
        else
            *k += up ? 1 : -1;
    }
}

/* False: there was nothing to change. */
static bool change(struct walk *w, int last)
{
    int n = w->bag->tasks, kind = below(w, 4), i = below(w, 2) == 1 ? last : below(w, n);
    int z = cs_moldable_candidates(w->bag, i), a = 0, b;

    if (kind <= 1 && z == 1)
        return false;
    if (kind <= 1)
        change_count(w, i, z);
    if (kind == 0)
        return true;
    while (w->order[a] != i)
        a++;
    b = below(w, n);
    if (kind == 2) {
        w->order[a] = w->order[b];
        w->order[b] = i;
    } else {
        insert(w->order, n, i, b);
    }
    return true;
}

static void walk(struct walk *w, int moves, double least)
{
    double n = w->bag->tasks, theta = fmin(0.02, 3.0 / (n * n)), current;
    int last = 0;

    current = decode(w, &last);
    keep(w, current);
    for (int m = 0; m < moves && w->best > least * (1 + 1e-12); m++) {
        double x = 1.0 - (double)m / moves, limit = current + theta * w->best * (x * x * x), value;
        int choice[16], order[16], ends;

        memcpy(choice, w->choice, sizeof choice);
        memcpy(order, w->order, sizeof order);
        if (!change(w, last))
            continue;
        value = decode(w, &ends);
        if (value <= limit) {
            current = value;
            last = ends;
            keep(w, value);
        } else {
            memcpy(w->choice, choice, sizeof choice);
            memcpy(w->order, order, sizeof order);
        }
    }
}

static void a_refused_move_leaves_counts_and_order(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct moldable_case c = moldable_case_create(seed, 14, 10, mixes[seed % 2]);
        const struct cs_moldable_bag *bag = &c.instance->bag;
        struct cs_moldable_plan *first = cs_moldable_plan_create(bag->tasks);
        struct cs_moldable_plan *found = moldable_case_plan(&c, "search:moves=1500", seed);
        struct walk w = {.bag = bag, .random = {seed}};
        size_t n = (size_t)bag->tasks;
        double threshold;

        cs_moldable_plan_clear(first);
        cs_moldable_start(bag, first, c.arena);
        w.best = first->makespan;
        memcpy(w.choice, first->choice, n * sizeof *w.choice);
        memcpy(w.best_choice, first->choice, n * sizeof *w.choice);
        memcpy(w.best_start, first->start, n * sizeof *w.best_start);
        cs_moldable_sort_starts(bag, first->start, w.order, c.arena);
        cs_moldable_fit_init(&w.fit, bag, c.arena);
        walk(&w, 1500, fmax(cs_moldable_area(bag, &threshold, c.arena), cs_moldable_critical(bag)));
        assert_memory_equal(w.best_choice, found->choice, n * sizeof *w.best_choice);
        assert_memory_equal(w.best_start, found->start, n * sizeof *w.best_start);
        cs_moldable_plan_destroy(first);
        cs_moldable_plan_destroy(found);
        moldable_case_destroy(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thousands_of_proofs_are_true),
        cmocka_unit_test(five_tasks_are_proved_as_brute_force_finds_them),
        cmocka_unit_test(an_effort_claims_nothing_false),
        cmocka_unit_test(the_checker_finds_the_optimum_by_itself),
        cmocka_unit_test(pairs_prove_nothing_false),
        cmocka_unit_test(scales_prove_nothing_false),
        cmocka_unit_test(the_search_is_exact_for_up_to_six_tasks),
        cmocka_unit_test(the_search_is_exact_for_seven_tasks),
        cmocka_unit_test(a_refused_move_leaves_counts_and_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
