/* matching, exact: equal to brute force and to each other, by every method. */
#include "config.h"
#include "problems/pack/matching.h"
#include "unit/improve.h"

#if CS_HAVE_CBC
#include "problems/pack/approach.h"
#include "problems/pack/branch.h"
#include "problems/pack/strong.h"

#include <limits.h>
#endif

#define CASES KIT_ROUNDS(600)

enum { AUTO, SUBSET, MATCHING, BRANCH };

static struct improve_case c;

/* A small case for every number; packs of every size, minimum counts in every other. */
static void small(int number, int most, int size_most)
{
    struct cs_splitmix state = {4242 + (uint64_t)number};
    int tasks = 1 + (int)cs_splitmix_below(&state, (uint64_t)most);
    int procs = 1 + (int)cs_splitmix_below(&state, 9);
    int size = 1 + (int)cs_splitmix_below(&state, (uint64_t)procs);

    if (size > size_most)
        size = size_most;
    improve_create(&c, tasks, procs, size, number % 2, state.state);
}

static struct cs_pack_plan *planned(const char *name, double param, int status,
                                    struct cs_error *err)
{
    struct cs_pack_request request = {.call = {.policy = improve_policy(name), .param = {param}}};
    struct cs_pack_plan *plan = cs_pack_plan_create(c.in->tasks->count);

    assert_int_equal(cs_pack_plan_make(c.in, &request, plan, err), status);
    return plan;
}

static void assert_optimal(const char *name, double param, double optimum)
{
    struct cs_pack_plan *plan = planned(name, param, 0, NULL);

    improve_assert_valid(c.in, plan);
    assert_true(plan->optimal);
    assert_float_equal(plan->total, optimum, 1e-9 * optimum);
    assert_float_equal(plan->bound, optimum, 1e-9 * optimum);
    cs_pack_plan_destroy(plan);
}

static void subsets_equal_brute_force(void **state)
{
    (void)state;
    for (int number = 0; number < CASES; number++) {
        double optimum;

        small(number, 6, 9);
        optimum = improve_optimum(c.in);
        assert_optimal("exact", SUBSET, optimum);
        assert_optimal("exact", AUTO, optimum);
        improve_destroy(&c);
    }
}

static void matching_equals_subsets(void **state)
{
    (void)state;
    if (!CS_HAVE_LEMON)
        skip();
    for (int number = 0; number < CASES; number++) {
        double optimum;

        small(number, 9, 2);
        optimum = improve_total(c.in, "exact", SUBSET, false);
        assert_optimal("matching", 0, optimum);
        assert_optimal("exact", MATCHING, optimum);
        improve_destroy(&c);
    }
}

/* More tasks than partners in the first graph, so that pairs have to be added. */
static void matching_in_rounds_equals_branching(void **state)
{
    (void)state;
    if (!CS_HAVE_LEMON || !CS_HAVE_CBC)
        skip();
    for (int number = 0; number < KIT_ROUNDS(20); number++) {
        improve_create(&c, 30 + 3 * number, 4 + number % 9, 2, number % 2, 99 + (uint64_t)number);
        assert_optimal("matching", 0, improve_total(c.in, "exact", BRANCH, false));
        improve_destroy(&c);
    }
}

static void matching_of_larger_packs_is_the_best_of_pairs(void **state)
{
    (void)state;
    if (!CS_HAVE_LEMON)
        skip();
    for (int number = 0; number < CASES; number++) {
        struct cs_pack_plan *plan;

        small(number, 9, 9);
        plan = planned("matching", 0, 0, NULL);
        improve_assert_valid(c.in, plan);
        assert_int_equal(plan->optimal, c.in->pack_size <= 2 || c.in->tasks->count <= 2);
        if (c.in->pack_size > 2)
            c.in->pack_size = 2;
        assert_float_equal(plan->total, improve_total(c.in, "exact", SUBSET, false),
                           1e-9 * plan->total);
        cs_pack_plan_destroy(plan);
        improve_destroy(&c);
    }
}

static void a_pair_costs_what_algorithm_1_says(void **state)
{
    (void)state;
    for (int number = 0; number < CASES; number++) {
        small(number, 9, 9);
        for (int a = 0; a < c.in->tasks->count; a++)
            for (int b = 0; b < c.in->tasks->count; b++)
                if (a != b)
                    assert_true(cs_pack_matching_pair(c.in, a, b) ==
                                improve_pack_cost(c.in, (int[]){a, b}, 2));
        improve_destroy(&c);
    }
}

static void branching_equals_subsets(void **state)
{
    (void)state;
    if (!CS_HAVE_CBC)
        skip();
    for (int number = 0; number < CASES; number++) {
        small(number, 9, 9);
        assert_optimal("exact", BRANCH, improve_total(c.in, "exact", SUBSET, false));
        improve_destroy(&c);
    }
}

#if CS_HAVE_CBC

/* From the worst plan, every task alone, so that the tree has to find the optimum itself. */
static void branching_needs_no_good_start(void **state)
{
    (void)state;
    for (int number = 0; number < CASES / 3; number++) {
        struct cs_policy_context context = {.scratch = cs_arena_create()};
        struct cs_pack_plan *plan;
        struct cs_pack_branch_result result;
        struct cs_pack_candidates candidates;
        struct cs_pack_colgen g;
        double optimum;

        small(number, 10, 9);
        plan = planned("one-by-one", 0, 0, NULL);
        optimum = improve_total(c.in, "exact", SUBSET, false);
        cs_pack_candidates_init(&candidates, c.in, plan->total, context.scratch);
        cs_pack_colgen_init(&g, &candidates, plan->total);
        cs_pack_branch_run(&g, &context, plan, &result);
        assert_true(result.closed);
        improve_assert_valid(c.in, plan);
        assert_float_equal(plan->total, optimum, 1e-9 * optimum);
        cs_pack_colgen_release(&g);
        cs_pack_plan_destroy(plan);
        cs_arena_destroy(context.scratch);
        improve_destroy(&c);
    }
}

/* Cases of the stand-ins for the paper's Workload-II that take a moment; bench/exact.c has all.
 * The optima were proven by another program, and are rounded. */
static void optima_of_workload_two_are_proven(void **state)
{
    static const struct {
        const char *workload;
        int size;
        double optimum, digit;
    } known[] = {
        {"ii-a", 2, 7792.31, 0.01},  {"ii-a", 4, 4125.06, 0.01},  {"ii-a", 16, 1707.08, 0.01},
        {"ii-b", 2, 578702.0, 0.1},  {"ii-b", 4, 334146.6, 0.1},  {"ii-b", 6, 254712.1, 0.1},
        {"ii-b", 14, 200112.8, 0.1}, {"ii-b", 16, 200112.8, 0.1},
    };

    (void)state;
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        struct cs_workload *w = cs_pack_generate(known[k].workload, NULL, NULL);
        struct cs_pack_plan *plan;

        c.in = cs_pack_instance_create(w, 16, known[k].size, NULL);
        plan = planned("exact", BRANCH, 0, NULL);
        improve_assert_valid(c.in, plan);
        assert_true(plan->optimal);
        assert_float_equal(plan->total, known[k].optimum, known[k].digit);
        assert_float_equal(plan->bound, plan->total, 1e-9 * plan->total);
        cs_pack_plan_destroy(plan);
        cs_pack_instance_destroy(c.in);
        cs_workload_destroy(w);
    }
}

static double strong_bound(bool hurried)
{
    struct cs_pack_request request = {.expired = hurried ? improve_never : NULL};
    double bound = -1;

    assert_int_equal(cs_pack_bound_priced(c.in, &request, &bound, NULL, NULL, NULL), 0);
    return bound;
}

static void the_strong_bound_lies_between_the_cheap_ones_and_the_optimum(void **state)
{
    (void)state;
    for (int number = 0; number < CASES / 3; number++) {
        struct cs_pack_bounds cheap;
        double optimum;

        small(number, 9, 9);
        optimum = improve_total(c.in, "exact", SUBSET, false);
        cs_pack_bounds_compute(c.in, &cheap);
        assert_true(strong_bound(false) >= cheap.best);
        assert_true(strong_bound(false) <= optimum * (1 + 1e-9));
        assert_true(strong_bound(true) >= cheap.best);
        assert_true(strong_bound(true) <= optimum * (1 + 1e-9));
        improve_destroy(&c);
    }
}

/* Prices by columns. */
static enum cs_pack_colgen_end by_columns(struct cs_pack_colgen *g,
                                          const struct cs_policy_context *context)
{
    return cs_pack_colgen_root(g, INFINITY, context);
}

/* The same by the bundle method, however few tasks there are. */
static enum cs_pack_colgen_end by_bundle(struct cs_pack_colgen *g,
                                         const struct cs_policy_context *context)
{
    struct cs_pack_approach *approach = cs_pack_approach_create(g);
    const enum cs_pack_colgen_end end = cs_pack_approach_run(approach, 1e-6, INFINITY, context);

    cs_pack_approach_destroy(approach);
    return end;
}

typedef enum cs_pack_colgen_end variant(struct cs_pack_colgen *g,
                                        const struct cs_policy_context *context);

/* What is proven in that way, with no more than `room` candidates. */
static double root_bound(variant *prove, int room)
{
    struct cs_policy_context context = {.scratch = cs_arena_create()};
    struct cs_pack_plan *plan = planned("local-search", 0, 0, NULL);
    struct cs_pack_candidates candidates;
    struct cs_pack_colgen g;
    double bound;

    cs_pack_candidates_group(&candidates, c.in, plan->total, room, context.scratch);
    cs_pack_colgen_init(&g, &candidates, plan->total);
    cs_pack_colgen_seed_plan(&g, plan);
    assert_int_equal(prove(&g, &context), CS_PACK_COLGEN_DONE);
    assert_int_equal(cs_pack_colgen_is_full(&g), candidates.all);
    bound = g.bound;
    cs_pack_colgen_release(&g);
    cs_pack_plan_destroy(plan);
    cs_arena_destroy(context.scratch);
    return bound;
}

static void bounds_of_shared_prices_and_candidates_hold(void **state)
{
    (void)state;
    for (int number = 0; number < CASES / 3; number++) {
        double optimum, bound;

        small(number, 9, 9);
        optimum = improve_total(c.in, "exact", SUBSET, false);
        for (int room = 2; room <= 32; room *= 4) {
            bound = root_bound(by_columns, room);
            assert_true(bound > 0 && bound <= optimum * (1 + 1e-9));
        }
        improve_destroy(&c);
    }
}

static void the_bundle_proves_what_columns_prove_and_no_more(void **state)
{
    (void)state;
    for (int number = 0; number < CASES / 3; number++) {
        double optimum, bound, all;

        small(number, 9, 9);
        optimum = improve_total(c.in, "exact", SUBSET, false);
        all = root_bound(by_columns, INT_MAX);
        bound = root_bound(by_bundle, INT_MAX);
        if (!(bound <= all * (1 + 1e-9) && bound <= optimum * (1 + 1e-9) && bound >= 0.99 * all))
            fail_msg("%d: %.9g, columns %.9g, optimum %.9g", number, bound, all, optimum);
        improve_destroy(&c);
    }
}

/* Many tasks share prices first; what is proven in the end is what every task's own price proves.
 */
static void the_bound_of_many_tasks_is_that_of_their_own_prices(void **state)
{
    (void)state;
    for (int size = 2; size <= 4; size += 2) {
        struct cs_workload *w = cs_pack_generate(
            "formula", &(struct cs_pack_generator){.tasks = 140, .procs = 8, .seed = 1}, NULL);
        double shared, own;

        c.in = cs_pack_instance_create(w, 8, size, NULL);
        own = root_bound(by_columns, INT_MAX);
        shared = root_bound(by_columns, 400);
        assert_true(shared <= own * (1 + 1e-9) && shared >= 0.97 * own);
        if (CS_HAVE_LEMON && size == 2)
            assert_true(own <= improve_total(c.in, "exact", MATCHING, false) * (1 + 1e-9));
        cs_pack_instance_destroy(c.in);
        cs_workload_destroy(w);
    }
}

#endif

static void the_integer_program_equals_subsets(void **state)
{
    (void)state;
    if (!CS_HAVE_CBC)
        skip();
    for (int number = 0; number < 40; number++) {
        small(number, 3, 9);
        assert_optimal("ilp", 0, improve_total(c.in, "exact", SUBSET, false));
        improve_destroy(&c);
    }
}

static void assert_message(double method, const char *part)
{
    struct cs_error err = {0};
    struct cs_pack_plan *plan = planned("exact", method, -1, &err);

    assert_non_null(strstr(err.text, part));
    assert_int_equal(plan->tasks, 0);
    cs_pack_plan_destroy(plan);
}

static void assert_ilp_refuses(int tasks, int procs)
{
    struct cs_error err = {0};

    improve_create(&c, tasks, procs, 2, false, 5);
    cs_pack_plan_destroy(planned("ilp", 0, -1, &err));
    assert_non_null(strstr(err.text, "at most 5 tasks, and tasks x tasks x procs up to 200"));
    improve_destroy(&c);
}

static void the_integer_program_refuses_what_would_take_days(void **state)
{
    (void)state;
    if (!CS_HAVE_CBC)
        skip();
    assert_ilp_refuses(6, 2);
    assert_ilp_refuses(5, 9);
}

static void what_a_method_cannot_do_is_refused(void **state)
{
    (void)state;
    improve_create(&c, 21, 4, 3, false, 5);
    assert_message(SUBSET, "it takes at most 20 tasks, not 21");
    assert_message(MATCHING, "exact for at most two tasks in a pack; the pack size is 3");
    if (!CS_HAVE_CBC)
        assert_message(AUTO, "install coinor-libclp-dev");
    improve_destroy(&c);
}

static void without_patience_there_is_a_plan_and_a_bound(void **state)
{
    (void)state;
    for (int number = 0; number < 30; number++) {
        improve_create(&c, 5 + number, 8, 1 + number % 8, number % 2, 7 + (uint64_t)number);
        if (CS_HAVE_CBC || c.in->tasks->count <= 14 || c.in->pack_size == 1)
            improve_total(c.in, "exact", AUTO, true);
        improve_destroy(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subsets_equal_brute_force),
        cmocka_unit_test(matching_equals_subsets),
        cmocka_unit_test(matching_in_rounds_equals_branching),
        cmocka_unit_test(matching_of_larger_packs_is_the_best_of_pairs),
        cmocka_unit_test(a_pair_costs_what_algorithm_1_says),
        cmocka_unit_test(branching_equals_subsets),
#if CS_HAVE_CBC
        cmocka_unit_test(branching_needs_no_good_start),
        cmocka_unit_test(optima_of_workload_two_are_proven),
        cmocka_unit_test(the_bundle_proves_what_columns_prove_and_no_more),
        cmocka_unit_test(the_strong_bound_lies_between_the_cheap_ones_and_the_optimum),
        cmocka_unit_test(bounds_of_shared_prices_and_candidates_hold),
        cmocka_unit_test(the_bound_of_many_tasks_is_that_of_their_own_prices),
#endif
        cmocka_unit_test(the_integer_program_equals_subsets),
        cmocka_unit_test(the_integer_program_refuses_what_would_take_days),
        cmocka_unit_test(what_a_method_cannot_do_is_refused),
        cmocka_unit_test(without_patience_there_is_a_plan_and_a_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
