/* What runs share: made once for each key, however many ask. */
#include "kit.h"

#include "base/arena.h"
#include "base/guard.h"
#include "base/thread.h"
#include "problem/cache.h"
#include "problem/problem.h"
#include "problems/rigid/problem.h"

#include <stdatomic.h>
#include <stdlib.h>

static int made, destroyed;

static void *make(const void *how, struct cs_error *err)
{
    int *thing;

    if (!how) {
        cs_error_set(err, "nothing to make it from");
        return NULL;
    }
    made++;
    thing = malloc(sizeof *thing);
    *thing = *(const int *)how;
    return thing;
}

static void destroy(void *thing)
{
    destroyed++;
    free(thing);
}

static const struct cs_cache_kind kind = {.name = "number", .make = make, .destroy = destroy};

static void a_thing_is_made_for_the_first_who_asks(void **state)
{
    struct cs_cache *keep = cs_cache_create();
    const int seven = 7, eight = 8;
    const int *first, *other;

    (void)state;
    made = destroyed = 0;
    first = cs_cache_get(keep, "a", &kind, &seven, NULL);
    assert_int_equal(*first, 7);
    assert_ptr_equal(cs_cache_get(keep, "a", &kind, &eight, NULL), first);
    other = cs_cache_get(keep, "b", &kind, &eight, NULL);
    assert_int_equal(*other, 8);
    assert_int_equal(*first, 7);
    assert_int_equal(made, 2);
    cs_cache_destroy(keep);
    assert_int_equal(destroyed, 2);
    cs_cache_destroy(NULL);
}

static void a_thing_belongs_to_the_parameters_that_it_depends_on(void **state)
{
    struct cs_cache *keep = cs_cache_create();
    struct cs_arena *arena = cs_arena_create();
    const struct cs_problem *problem = cs_problem_find("rigid", NULL);
    struct cs_rigid_options *o = cs_problem_options(problem, arena);
    const struct cs_cache_by input = {problem, o, CS_SCOPE_INSTANCE, "day|estimates"};
    const struct cs_cache_by all = {problem, o, 0, NULL};
    const int seven = 7;
    const void *first, *whole;

    (void)state;
    first = cs_cache_get_by(keep, &input, &kind, &seven, NULL);
    whole = cs_cache_get_by(keep, &all, &kind, &seven, NULL);
    assert_ptr_not_equal(whole, first);
    o->day = 3;
    o->policy = "easy";
    assert_ptr_equal(cs_cache_get_by(keep, &input, &kind, &seven, NULL), first);
    assert_ptr_not_equal(cs_cache_get_by(keep, &all, &kind, &seven, NULL), whole);
    o->procs = 99;
    assert_ptr_not_equal(cs_cache_get_by(keep, &input, &kind, &seven, NULL), first);
    cs_arena_destroy(arena);
    cs_cache_destroy(keep);
}

static void what_cannot_be_made_is_tried_again(void **state)
{
    struct cs_cache *keep = cs_cache_create();
    struct cs_error err = {0};
    const int one = 1;

    (void)state;
    made = destroyed = 0;
    assert_null(cs_cache_get(keep, "a", &kind, NULL, &err));
    assert_string_equal(err.text, "nothing to make it from");
    assert_non_null(cs_cache_get(keep, "a", &kind, &one, &err));
    cs_cache_destroy(keep);
    assert_int_equal(destroyed, 1);
}

static const void *got[200];
static atomic_int next;

static void get_all(void *who, int member)
{
    const int one = 1;
    int i;

    (void)member;
    while ((i = next++) < 200)
        got[i] = cs_cache_get(who, i % 2 ? "odd" : "even", &kind, &one, NULL);
}

static void many_threads_get_the_same_thing(void **state)
{
    struct cs_cache *keep = cs_cache_create();

    (void)state;
    made = destroyed = 0;
    cs_team_run(4, get_all, keep);
    for (int i = 2; i < 200; i++)
        assert_ptr_equal(got[i], got[i - 2]);
    assert_int_equal(made, 2);
    cs_cache_destroy(keep);
}

/* A thing with memory of its own. */
static void *make_arena(const void *how, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();

    (void)err;
    if (!how)
        CS_NEW_ARRAY(arena, char, SIZE_MAX / 4 * 3);
    CS_NEW(arena, int);
    return arena;
}

static void destroy_arena(void *thing)
{
    destroyed++;
    cs_arena_destroy(thing);
}

static const struct cs_cache_kind arena_kind = {.make = make_arena, .destroy = destroy_arena};

/* A run that gets what is in the cache already, or there from now on, and fails for want of memory.
 */
static int get_and_fail(struct cs_cache *cache, const void **thing, struct cs_error *err)
{
    CS_GUARD(err, -1);
    const int one = 1;

    *thing = cs_cache_get(cache, "a", &arena_kind, &one, err);
    CS_NEW_ARRAY(cs_arena_create(), char, SIZE_MAX / 4 * 3);
    return 0;
}

static void things_outlive_the_run_that_made_them(void **state)
{
    struct cs_cache *cache = cs_cache_create();
    const void *first = NULL, *second = NULL;
    struct cs_error err = {0};

    (void)state;
    destroyed = 0;
    assert_null(cs_cache_get(cache, "a", &arena_kind, NULL, &err));
    assert_memory_equal(err.text, "out of memory: ", 15);
    assert_int_equal(get_and_fail(cache, &first, &err), -1);
    assert_int_equal(destroyed, 0);
    assert_int_equal(get_and_fail(cache, &second, &err), -1);
    assert_ptr_equal(first, second);
    assert_true(cs_arena_size(first) > 0);
    cs_cache_destroy(cache);
    assert_int_equal(destroyed, 1);
}

static int create_and_fail(struct cs_error *err)
{
    CS_GUARD(err, -1);
    const void *thing;

    return get_and_fail(cs_cache_create(), &thing, err);
}

static void a_cache_is_given_back_with_its_things(void **state)
{
    struct cs_error err = {0};

    (void)state;
    destroyed = 0;
    assert_int_equal(create_and_fail(&err), -1);
    assert_int_equal(destroyed, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thing_is_made_for_the_first_who_asks),
        cmocka_unit_test(a_thing_belongs_to_the_parameters_that_it_depends_on),
        cmocka_unit_test(what_cannot_be_made_is_tried_again),
        cmocka_unit_test(many_threads_get_the_same_thing),
        cmocka_unit_test(things_outlive_the_run_that_made_them),
        cmocka_unit_test(a_cache_is_given_back_with_its_things),
    };

    return cmocka_run_group_tests_name("keep", tests, NULL, NULL);
}
