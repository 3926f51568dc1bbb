/* arena: memory that is zeroed, aligned, kept apart and reused. */
#include "base/arena.h"
#include "unit/kit.h"

#include <stdint.h>
#include <string.h>

static void hands_out_zeroed_and_aligned_memory(void **state)
{
    struct cs_arena *arena = cs_arena_create();

    (void)state;
    for (size_t size = 0; size < 3000; size += 7) {
        unsigned char *at = cs_arena_alloc(arena, size, 1);

        assert_int_equal((uintptr_t)at % 16, 0);
        for (size_t i = 0; i < size; i++)
            assert_int_equal(at[i], 0);
        memset(at, 0xff, size);
    }
    cs_arena_destroy(arena);
}

static void rewinds_to_a_mark_and_allocates_nothing_new(void **state)
{
    struct cs_arena *arena = cs_arena_create();
    struct cs_arena_mark mark;
    size_t size;

    (void)state;
    cs_arena_strdup(arena, "kept");
    mark = cs_arena_mark(arena);
    CS_NEW_ARRAY(arena, double, 100000);
    size = cs_arena_size(arena);
    for (int i = 0; i < 10; i++) {
        cs_arena_rewind(arena, mark);
        CS_NEW_ARRAY(arena, double, 100000);
    }
    assert_int_equal(cs_arena_size(arena), size);
    cs_arena_destroy(arena);
}

static void is_as_it_was_when_it_was_saved(void **state)
{
    struct cs_arena *arena = cs_arena_create(), *background = cs_arena_create();
    int *early = CS_NEW_ARRAY(arena, int, 3000), *late = CS_NEW_ARRAY(arena, int, 5000), *next;
    struct cs_arena_copy copy;

    (void)state;
    early[2999] = 1;
    late[4999] = 2;
    copy = cs_arena_save(arena, background);
    next = CS_NEW(arena, int);
    cs_arena_restore(arena, &copy);
    assert_ptr_equal(CS_NEW(arena, int), next);
    early[2999] = late[4999] = 3;
    CS_NEW_ARRAY(arena, double, 100000);
    cs_arena_restore(arena, &copy);
    assert_int_equal(early[2999], 1);
    assert_int_equal(late[4999], 2);
    assert_ptr_equal(CS_NEW(arena, int), next);
    cs_arena_destroy(arena);
    cs_arena_destroy(background);
}

static void copies_text(void **state)
{
    struct cs_arena *arena = cs_arena_create();

    (void)state;
    assert_string_equal(cs_arena_strdup(arena, "abc"), "abc");
    assert_string_equal(cs_arena_strndup(arena, "abc", 2), "ab");
    cs_arena_destroy(arena);
    cs_arena_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hands_out_zeroed_and_aligned_memory),
        cmocka_unit_test(rewinds_to_a_mark_and_allocates_nothing_new),
        cmocka_unit_test(is_as_it_was_when_it_was_saved),
        cmocka_unit_test(copies_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
