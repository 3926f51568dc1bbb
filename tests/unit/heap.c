/* heap: what comes first, against a plain search through everything. */
#include "base/heap.h"
#include "base/rng.h"
#include "unit/dies.h"
#include "unit/kit.h"

#define IDS 40

static void pops_by_key_then_id(void **state)
{
    static const double key[] = {2, 1, 2, 0, 1};
    static const int want[] = {3, 1, 4, 0, 2};
    struct cs_arena *arena = cs_arena_create();
    struct cs_heap heap;

    (void)state;
    cs_heap_init(&heap, 5, arena);
    for (int id = 4; id >= 0; id--)
        cs_heap_push(&heap, id, key[id]);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(cs_heap_top(&heap), want[i]);
        assert_true(cs_heap_top_key(&heap) == key[want[i]]);
        assert_int_equal(cs_heap_pop(&heap), want[i]);
    }
    assert_int_equal(heap.count, 0);
    cs_heap_fill(&heap, key);
    for (int i = 0; i < 5; i++)
        assert_int_equal(cs_heap_pop(&heap), want[i]);
    cs_arena_destroy(arena);
}

static void reset_empties_it_for_the_next_round(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_heap heap;

    (void)state;
    cs_heap_init(&heap, 3, arena);
    for (int round = 0; round < 3; round++) {
        for (int id = 0; id < 3; id++)
            assert_false(cs_heap_contains(&heap, id));
        cs_heap_push(&heap, 2, 1);
        cs_heap_push(&heap, 0, -INFINITY);
        assert_true(cs_heap_contains(&heap, 2) && cs_heap_contains(&heap, 0));
        assert_false(cs_heap_contains(&heap, 1));
        assert_int_equal(cs_heap_top(&heap), 0);
        cs_heap_reset(&heap);
    }
    cs_arena_destroy(arena);
}

/* The same queue without any cleverness. */
struct plain {
    bool in[IDS];
    double key[IDS];
    int count;
};

static int plain_first(const struct plain *p)
{
    int first = -1;

    for (int id = 0; id < IDS; id++) {
        if (p->in[id] && (first < 0 || p->key[id] < p->key[first]))
            first = id;
    }
    return first;
}

static void act(struct cs_heap *heap, struct plain *p, struct cs_rng *rng)
{
    const int id = (int)cs_rng_below(rng, IDS);
    const double key = (double)cs_rng_below(rng, 12);
    const uint64_t what = cs_rng_below(rng, 10);

    if (!p->in[id]) {
        cs_heap_push(heap, id, key);
        p->in[id] = true;
        p->key[id] = key;
        p->count++;
    } else if (what < 3) {
        cs_heap_remove(heap, id);
        p->in[id] = false;
        p->count--;
    } else if (what < 7) {
        cs_heap_update(heap, id, key);
        p->key[id] = key;
    } else {
        const int first = cs_heap_pop(heap);

        assert_int_equal(first, plain_first(p));
        p->in[first] = false;
        p->count--;
    }
}

static void agrees_with_a_plain_search_through_everything(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct plain plain = {0};
    struct cs_heap heap;
    struct cs_rng rng;

    (void)state;
    cs_rng_init(&rng, 1, 0, 0);
    cs_heap_init(&heap, IDS, arena);
    for (int i = 0; i < 50000; i++) {
        act(&heap, &plain, &rng);
        assert_int_equal(heap.count, plain.count);
        if (plain.count)
            assert_int_equal(cs_heap_top(&heap), plain_first(&plain));
        for (int id = 0; i % 100 == 0 && id < IDS; id++) {
            assert_true(cs_heap_contains(&heap, id) == plain.in[id]);
            assert_true(!plain.in[id] || cs_heap_key(&heap, id) == plain.key[id]);
        }
    }
    cs_arena_destroy(arena);
}

static void grown_keeps_what_is_in_it(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_heap heap;

    (void)state;
    cs_heap_init(&heap, 3, arena);
    for (int id = 0; id < 3; id++)
        cs_heap_push(&heap, id, 10 - id);
    cs_heap_grow(&heap, 200, arena);
    cs_heap_push(&heap, 199, 8.5);
    assert_int_equal(heap.count, 4);
    assert_int_equal(cs_heap_pop(&heap), 2);
    assert_int_equal(cs_heap_pop(&heap), 199);
    assert_int_equal(cs_heap_pop(&heap), 1);
    assert_int_equal(cs_heap_pop(&heap), 0);
    cs_arena_destroy(arena);
}

static struct cs_heap one(void)
{
    struct cs_heap heap;

    cs_heap_init(&heap, 2, cs_arena_create());
    cs_heap_push(&heap, 0, 1);
    return heap;
}

static void push_twice(void)
{
    struct cs_heap heap = one();
    cs_heap_push(&heap, 0, 2);
}

static void push_nan(void)
{
    struct cs_heap heap = one();
    cs_heap_push(&heap, 1, NAN);
}

static void push_beyond(void)
{
    struct cs_heap heap = one();
    cs_heap_push(&heap, 2, 1);
}

static void remove_absent(void)
{
    struct cs_heap heap = one();
    cs_heap_remove(&heap, 1);
}

static void pop_empty(void)
{
    struct cs_heap heap = one();
    cs_heap_reset(&heap);
    cs_heap_pop(&heap);
}

static void misuse_is_a_bug(void **state)
{
    (void)state;
    assert_true(dies(push_twice));
    assert_true(dies(push_nan));
    assert_true(dies(push_beyond));
    assert_true(dies(remove_absent));
    assert_true(dies(pop_empty));
}

static void many_are_put_in_order_at_once(void **state)
{
    static const double key[] = {5, 1, 4, 1, 3, 9, 2};
    static const int want[] = {1, 3, 6, 4, 2, 0, 5};
    struct cs_arena *arena = cs_arena_create();
    struct cs_heap heap;

    (void)state;
    cs_heap_init(&heap, 7, arena);
    for (int id = 0; id < 7; id++)
        cs_heap_append(&heap, id, key[id]);
    cs_heap_order(&heap);
    for (int i = 0; i < 7; i++)
        assert_int_equal(cs_heap_pop(&heap), want[i]);
    cs_arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pops_by_key_then_id),
        cmocka_unit_test(many_are_put_in_order_at_once),
        cmocka_unit_test(reset_empties_it_for_the_next_round),
        cmocka_unit_test(agrees_with_a_plain_search_through_everything),
        cmocka_unit_test(grown_keeps_what_is_in_it),
        cmocka_unit_test(misuse_is_a_bug),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
