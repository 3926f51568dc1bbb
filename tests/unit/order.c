/* order: against a sort without cleverness, at sizes on both sides of its two methods. */
#include "base/order.h"
#include "base/rng.h"
#include "unit/dies.h"
#include "unit/kit.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static double random_key(struct cs_rng *rng, int kind)
{
    static const double odd[] = {0.0, -0.0, INFINITY, -INFINITY, 5e-324, -5e-324, 1e308, -1e308};

    if (kind == 0)
        return (double)cs_rng_below(rng, 5);
    if (kind == 1) {
        const double size = exp(20 * cs_rng_normal(rng));

        return size * cs_rng_normal(rng);
    }
    if (kind == 2)
        return odd[cs_rng_below(rng, 8)];
    return 42;
}

static bool comes_first(const double *key, int a, int b, bool descending)
{
    if (key[a] != key[b])
        return descending ? key[a] > key[b] : key[a] < key[b];
    return a < b;
}

static void check(const double *key, const int *index, int n, bool descending)
{
    for (int i = 1; i < n; i++)
        assert_true(comes_first(key, index[i - 1], index[i], descending));
}

static void sorts_all_indices_both_variants(void **state)
{
    static const int sizes[] = {0, 1, 2, 15, 16, 17, 33, 500, 1999, 2000, 2001, 20000};
    struct cs_arena *arena = cs_arena_create();
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 1, 0, 0);
    for (int s = 0; s < 12; s++) {
        const int n = sizes[s];
        double *key = CS_NEW_ARRAY(arena, double, n);
        int *order = CS_NEW_ARRAY(arena, int, n);

        for (int kind = 0; kind < 4; kind++) {
            for (int i = 0; i < n; i++)
                key[i] = random_key(&rng, kind);
            cs_order_ascending(key, n, order, arena);
            check(key, order, n, false);
            cs_order_descending(key, n, order, arena);
            check(key, order, n, true);
        }
    }
    cs_arena_destroy(arena);
}

static void sorts_some_indices_in_whatever_order_they_come(void **state)
{
    static const int sizes[] = {1, 7, 300, 5000};
    struct cs_arena *arena = cs_arena_create();
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 2, 0, 0);
    for (int s = 0; s < 4; s++) {
        const int n = sizes[s];
        double *key = CS_NEW_ARRAY(arena, double, 2 * n);
        int *index = CS_NEW_ARRAY(arena, int, n);

        for (int i = 0; i < 2 * n; i++)
            key[i] = random_key(&rng, 0);
        for (int i = 0; i < n; i++)
            index[i] = 2 * i + 1;
        cs_rng_shuffle(&rng, index, n);
        cs_order_sort_ascending(key, index, n, arena);
        check(key, index, n, false);
        cs_rng_shuffle(&rng, index, n);
        cs_order_sort_descending(key, index, n, arena);
        check(key, index, n, true);
        for (int i = 0; i < n; i++)
            assert_true(index[i] % 2 == 1);
    }
    cs_arena_destroy(arena);
}

static void sorts_numbers_as_it_sorts_indices(void **state)
{
    static const int size[] = {0, 1, 7, 300, 5000};
    struct cs_arena *arena = cs_arena_create();
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 3, 0, 0);
    for (int s = 0; s < 20; s++) {
        const int n = size[s / 4];
        double *key = CS_NEW_ARRAY(arena, double, n), *value = CS_NEW_ARRAY(arena, double, n);
        int *order = CS_NEW_ARRAY(arena, int, n);

        for (int i = 0; i < n; i++)
            value[i] = key[i] = random_key(&rng, s % 4);
        cs_order_ascending(key, n, order, arena);
        cs_order_sort_doubles(value, n, arena);
        for (int i = 0; i < n; i++)
            assert_memory_equal(&value[i], &key[order[i]], sizeof *value);
    }
    cs_arena_destroy(arena);
}

static void sorts_whole_numbers(void **state)
{
    enum { MOST = 5000 };
    static const int size[] = {0, 1, 2, 100, MOST};
    struct cs_rng rng;
    struct cs_arena *arena = cs_arena_create();
    uint64_t *key = CS_NEW_ARRAY(arena, uint64_t, MOST);
    int *order = CS_NEW_ARRAY(arena, int, MOST);

    (void)state;
    cs_rng_init(&rng, 5, 0, 0);
    for (int s = 0; s < 10; s++) {
        const int count = size[s / 2];

        for (int i = 0; i < count; i++)
            key[i] = s % 2 ? cs_rng_below(&rng, 7) : cs_rng_next(&rng);
        cs_order_integers(key, count, order, arena);
        for (int i = 1; i < count; i++)
            assert_true(key[order[i - 1]] < key[order[i]] ||
                        (key[order[i - 1]] == key[order[i]] && order[i - 1] < order[i]));
    }
    cs_arena_destroy(arena);
}

static void leaves_the_scratch_as_it_was(void **state)
{
    static const double key[] = {3, 1, 2};
    struct cs_arena *arena = cs_arena_create();
    const struct cs_arena_mark before = cs_arena_mark(arena);
    struct cs_arena_mark after;
    int order[3];

    (void)state;
    cs_order_ascending(key, 3, order, arena);
    after = cs_arena_mark(arena);
    assert_ptr_equal(before.block, after.block);
    assert_int_equal(before.used, after.used);
    cs_arena_destroy(arena);
}

static void sort_nan(void)
{
    int order[2];

    cs_order_ascending((double[]){1, NAN}, 2, order, cs_arena_create());
}

static void a_key_that_is_not_a_number_is_a_bug(void **state)
{
    (void)state;
    assert_true(dies(sort_nan));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sorts_all_indices_both_variants),
        cmocka_unit_test(sorts_some_indices_in_whatever_order_they_come),
        cmocka_unit_test(sorts_numbers_as_it_sorts_indices),
        cmocka_unit_test(sorts_whole_numbers),
        cmocka_unit_test(leaves_the_scratch_as_it_was),
        cmocka_unit_test(a_key_that_is_not_a_number_is_a_bug),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
