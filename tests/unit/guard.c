/* guard: when memory runs out the outermost function fails, and what was made since then is given
 * back. */
#include "base/guard.h"
#include "base/arena.h"
#include "base/bug.h"
#include "base/lock.h"
#include "base/strbuf.h"
#include "base/workers.h"
#include "unit/kit.h"

#include <stdint.h>
#include <string.h>

/* Makes an arena and a text, and then wants more than there is. */
static int inner(struct cs_strbuf *older, struct cs_error *err)
{
    CS_GUARD(err, -1);
    struct cs_arena *arena = cs_arena_create();
    struct cs_strbuf text = CS_STRBUF_INIT;

    cs_strbuf_puts(&text, "lost");
    cs_strbuf_puts(older, " and longer than the room that there was at the beginning of it all");
    CS_NEW_ARRAY(arena, char, SIZE_MAX / 4 * 3);
    return 0;
}

static int outer(struct cs_strbuf *older, bool *after, struct cs_error *err)
{
    CS_GUARD(err, -1);
    int status = inner(older, err);

    *after = true;
    return status;
}

static void the_outermost_function_fails(void **state)
{
    struct cs_strbuf older = CS_STRBUF_INIT;
    struct cs_error err = {.text = "something that was said before"};
    bool after = false;

    (void)state;
    cs_strbuf_puts(&older, "older");
    assert_int_equal(outer(&older, &after, &err), -1);
    assert_false(after);
    assert_memory_equal(err.text, "out of memory: ", 15);
    assert_memory_equal(older.text, "older and longer", 16);
    cs_strbuf_release(&older);
}

static struct cs_arena *make(struct cs_error *err)
{
    CS_GUARD(err, NULL);
    struct cs_arena *arena = cs_arena_create();

    cs_arena_strdup(arena, "kept");
    return arena;
}

static char released[8];

static void note_release(void *thing)
{
    strcat(released, thing);
}

/* Holds three things, releases one, returns one, and fails or not. */
static int hold_three(bool fails, struct cs_error *err)
{
    CS_GUARD(err, -1);
    char first[] = "1", second[] = "2", third[] = "3";
    CS_HOLD(a);
    CS_HOLD(b);
    CS_HOLD(c);

    cs_hold(&a, first, note_release);
    cs_hold(&b, second, note_release);
    cs_hold(&c, third, note_release);
    assert_ptr_equal(cs_unhold(&b), second);
    if (fails)
        cs_bug_no_memory(1);
    cs_release(&a);
    return 0;
}

static void what_is_held_is_released_once(void **state)
{
    (void)state;
    *released = '\0';
    assert_int_equal(hold_three(true, NULL), -1);
    assert_string_equal(released, "31");
    *released = '\0';
    assert_int_equal(hold_three(false, NULL), 0);
    assert_string_equal(released, "13");
}

static void what_is_returned_is_the_callers(void **state)
{
    struct cs_arena *arena = make(NULL);
    struct cs_strbuf older = CS_STRBUF_INIT;
    bool after;

    (void)state;
    assert_non_null(arena);
    cs_strbuf_puts(&older, "older");
    assert_int_equal(outer(&older, &after, NULL), -1);
    assert_string_equal(cs_arena_strdup(arena, "still there"), "still there");
    cs_arena_destroy(arena);
    cs_strbuf_release(&older);
}

static int begin(void *worker, const void *job, struct cs_error *err)
{
    (void)worker;
    (void)job;
    (void)err;
    return 0;
}

static int run(void *worker, long run, struct cs_error *err)
{
    struct cs_arena *arena = cs_arena_create();

    (void)worker;
    (void)err;
    CS_NEW_ARRAY(arena, char, run == 5 ? SIZE_MAX / 4 * 3 : 1);
    cs_arena_destroy(arena);
    return 0;
}

static void runs_of_a_team_fail_one_by_one(void **state)
{
    const struct cs_workers share = {
        .threads = 3, .runs = 20, .size = 1, .begin = begin, .run = run};
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(cs_workers_run(&share, &err), -1);
    assert_memory_equal(err.text, "out of memory: ", 15);
}

static struct cs_lock lock = CS_LOCK_INIT;

static int locked(struct cs_error *err)
{
    CS_GUARD(err, -1);

    cs_lock_take(&lock);
    CS_NEW_ARRAY(cs_arena_create(), char, SIZE_MAX / 4 * 3);
    cs_lock_give(&lock);
    return 0;
}

static void a_lock_is_supplied_back(void **state)
{
    struct cs_error err = {0};

    (void)state;
    assert_int_equal(locked(&err), -1);
    assert_memory_equal(err.text, "out of memory: ", 15);
    assert_int_equal(pthread_mutex_trylock(&lock.mutex), 0);
    pthread_mutex_unlock(&lock.mutex);
}

int main(void)
{
    const struct CMUnitTest all[] = {
        cmocka_unit_test(the_outermost_function_fails),
        cmocka_unit_test(what_is_held_is_released_once),
        cmocka_unit_test(what_is_returned_is_the_callers),
        cmocka_unit_test(runs_of_a_team_fail_one_by_one),
        cmocka_unit_test(a_lock_is_supplied_back),
    };

    return cmocka_run_group_tests(all, NULL, NULL);
}
