/* contiguous, local-search: equal to their definitions, never worse than their start. */
#include "base/order.h"
#include "unit/improve.h"

#define CASES 400

static struct improve_case c;

/* A small case for every number; packs of every size, minimum counts in every other. */
static void small(int number, int most)
{
    struct cs_splitmix state = {7777 + (uint64_t)number};
    int tasks = 1 + (int)cs_splitmix_below(&state, (uint64_t)most);
    int procs = 1 + (int)cs_splitmix_below(&state, 9);
    int size = 1 + (int)cs_splitmix_below(&state, (uint64_t)procs);

    improve_create(&c, tasks, procs, size, number % 2, state.state);
}

/* All 2^(n - 1) ways to cut this order. */
static double best_cut(const struct cs_pack_instance *in, const int *order)
{
    int n = in->tasks->count;
    double best = INFINITY;

    for (unsigned cuts = 0; cuts < 1u << (n - 1); cuts++) {
        double total = 0;
        int from = 0;

        for (int k = 0; k < n; k++)
            if (k == n - 1 || cuts >> k & 1) {
                int size = k + 1 - from;

                total +=
                    size > in->pack_size ? INFINITY : improve_pack_cost(in, order + from, size);
                from = k + 1;
            }
        best = fmin(best, total);
    }
    return best;
}

static double best_cut_by(const struct cs_pack_instance *in, int procs)
{
    struct cs_arena *arena = cs_arena_create();
    double time[8], best;
    int order[8];

    for (int i = 0; i < in->tasks->count; i++)
        time[i] = cs_pack_time(in, i, (int)fmax(procs, in->tasks->min_procs[i]));
    cs_order_descending(time, in->tasks->count, order, arena);
    best = best_cut(in, order);
    cs_arena_destroy(arena);
    return best;
}

static void contiguous_is_the_best_cut_of_its_orders(void **state)
{
    (void)state;
    for (int number = 0; number < CASES; number++) {
        double best = INFINITY;
        int procs;

        small(number, 7);
        procs = c.in->tasks->procs;
        for (int j = 1; j <= procs; j++)
            best = fmin(best, best_cut_by(c.in, j));
        assert_float_equal(improve_total(c.in, "contiguous", 0, false), best, 1e-12 * best);
        best = best_cut_by(c.in, procs);
        assert_float_equal(improve_total(c.in, "contiguous", 1, false), best, 1e-12 * best);
        best = fmin(best, best_cut_by(c.in, 1));
        assert_float_equal(improve_total(c.in, "contiguous", 2, false), best, 1e-12 * best);
        improve_destroy(&c);
    }
}

static void no_policy_beats_brute_force(void **state)
{
    (void)state;
    for (int number = 0; number < CASES; number++) {
        double least;

        small(number, 6);
        least = improve_optimum(c.in) * (1 - 1e-12);
        assert_true(improve_total(c.in, "contiguous", 4, false) >= least);
        assert_true(improve_total(c.in, "local-search", 4, false) >= least);
        improve_destroy(&c);
    }
}

static void local_search_is_never_worse_than_its_start(void **state)
{
    (void)state;
    for (int number = 0; number < CASES; number++) {
        double contiguous, by_pack, searched;

        small(number, 40);
        contiguous = improve_total(c.in, "contiguous", 4, false);
        by_pack = improve_total(c.in, "pack-by-pack", NAN, false);
        searched = improve_total(c.in, "local-search", 4, false);
        assert_true(searched <= fmin(contiguous, by_pack));
        improve_destroy(&c);
    }
}

static void plans_are_complete_when_patience_has_ended(void **state)
{
    (void)state;
    for (int number = 0; number < CASES; number++) {
        small(number, 40);
        improve_total(c.in, "contiguous", 4, true);
        improve_total(c.in, "local-search", 4, true);
        improve_destroy(&c);
    }
}

/* Two tasks of 10 s that halve with each doubling, two of 1 s that do not: on 4 processors one
 * pack of all costs 10; side by side on two each the first two take 5, the others 1. */
static void by_hand(void **state)
{
    const double fast[] = {10, 5, 5, 2.5}, flat[] = {1, 1, 1, 1};
    const struct cs_profile profile[] = {
        {.kind = CS_PROFILE_TABLE, .count = 4, .seconds = fast},
        {.kind = CS_PROFILE_TABLE, .count = 4, .seconds = flat},
        {.kind = CS_PROFILE_TABLE, .count = 4, .seconds = fast},
        {.kind = CS_PROFILE_TABLE, .count = 4, .seconds = flat},
    };

    (void)state;
    c.workload = cs_workload_create(4, NULL, profile, NULL);
    c.in = cs_pack_instance_create(c.workload, 4, CS_PACK_UNLIMITED, NULL);
    assert_true(improve_total(c.in, "contiguous", 4, false) == 6);
    assert_true(improve_total(c.in, "local-search", 4, false) == 6);
    improve_destroy(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(contiguous_is_the_best_cut_of_its_orders),
        cmocka_unit_test(no_policy_beats_brute_force),
        cmocka_unit_test(local_search_is_never_worse_than_its_start),
        cmocka_unit_test(plans_are_complete_when_patience_has_ended),
    };

    return cmocka_run_group_tests_name("pack_improve", tests, NULL, NULL);
}
