/* guard.h - out of memory: the called public function fails.
 *
 * Code that allocates does not check the result: without memory cs_bug_no_memory() jumps back to
 * the guard of the thread, which is the outermost public function, a run of a worker or the tool.
 * Arenas and texts (arena.h, strbuf.h) that were created since then are released; older ones are
 * unchanged (a text that was empty counts as newer: its content was created since). Without a guard
 * the program ends.
 *
 *     struct cs_thing *cs_thing_read(const char *path, struct cs_error *err)
 *     {
 *         CS_GUARD(err, NULL);
 *
 * Public functions may call each other: the outermost one is the guard.
 */
#ifndef CS_BASE_GUARD_H
#define CS_BASE_GUARD_H

#include <cosched/error.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* Something that is given back when its guard fails; private. */
struct cs_guarded {
    struct cs_guarded *previous, *next;
    struct cs_guard *guard; /* NULL: no owner */
    void (*drop)(struct cs_guarded *thing);
};

struct cs_watch;

struct cs_guard {
    jmp_buf place;
    struct cs_guard *outer;
    struct cs_guarded *first;     /* the newest */
    const struct cs_watch *watch; /* of the thread when it began */
    size_t bytes;                 /* that could not be had */
    bool owner;                   /* it was entered */
    atomic_flag busy;             /* other threads give back what this one has made */
};

/* Is it the outermost?  Then it is the guard from here on. */
bool cs_guard_enter(struct cs_guard *guard);

/* It is the guard from here on, in any case: for what runs on threads of a team. */
bool cs_guard_enter_inner(struct cs_guard *guard);

/* The guard of this thread, or NULL; and the guard of a thread that works for this one (thread.h),
 * to which things go over that an inner guard leaves.  Inner guards only may fail there. */
struct cs_guard *cs_guard_here(void);
void cs_guard_lend(struct cs_guard *guard);

/* The remaining objects belong to the enclosing guard, or to the caller. */
void cs_guard_leave(struct cs_guard *guard);

/* As cs_guard_leave, but what is left belongs to the guard of the owner, which may be older than
 * those in between: for what a call adds to something that outlives it. */
void cs_guard_leave_to(struct cs_guard *guard, const struct cs_guarded *owner);

/* "out of memory: N more bytes were needed"; 0: unknown. */
void cs_guard_report(const struct cs_guard *guard, struct cs_error *err);

/* Go back to the guard of this thread; returns if there is no guard. */
void cs_guard_fail(size_t bytes);

/* The thing is given back with what else was made since the guard began; and no longer. */
void cs_guard_keep(struct cs_guarded *thing, void (*drop)(struct cs_guarded *thing));
void cs_guard_discard(struct cs_guarded *thing);

/* The block, which begins with a struct cs_guarded, with another size; NULL is a new one, which is
 * kept.  Never NULL. */
void *cs_guard_resize(void *block, size_t size, void (*drop)(struct cs_guarded *thing));

/* Blocks of memory that are given back like that: a new one (old is NULL) or the same with another
 * size, one of zeros, and one that is no longer needed (NULL is fine).  Never NULL. */
void *cs_block_resize(void *old, size_t size);
void *cs_block_zero(size_t count, size_t size);
void cs_block_free(void *block);

/* Other things that have to be released: a document, a stream, a block of the C library.  It is
 * held from cs_hold to cs_unhold, which returns it, or cs_release, which also calls `release` with
 * it; where memory runs out in between the guard does.  NULL is fine.
 *
 *     CS_HOLD(held);
 *
 *     cs_hold(&held, realpath(path, NULL), free);
 *
 * is released at the end of its block, too, unless cs_unhold was called. */
struct cs_hold {
    struct cs_guarded guarded;
    void *thing;
    void (*release)(void *thing);
};

#define CS_HOLD(name) struct cs_hold name __attribute__((cleanup(cs_release))) = {.thing = NULL}

void cs_hold(struct cs_hold *hold, void *thing, void (*release)(void *thing));
void *cs_unhold(struct cs_hold *hold);
void cs_release(struct cs_hold *hold);

/* A precondition of the caller, such as a non-NULL object: otherwise the called public function
 * fails with a message. */
#define CS_ASK(condition, err, value)                                                              \
    if (!(condition)) {                                                                            \
        cs_error_set_as(err, CS_ERROR_USAGE, "%s was called wrongly: %s does not hold", __func__,  \
                        #condition);                                                               \
        return value;                                                                              \
    }

/* The size of a struct identifies its version; each has one version so far. -1 with err, which
 * names it `what`. */
int cs_ask_size(const char *what, size_t said, size_t known, struct cs_error *err);

/* Are there so many paths, one at least, and none of them NULL? */
bool cs_are_paths(const char *const *path, int count);

/* Variables that are set before this do not change behind it (-Wclobbered). */
#define CS_GUARD(err, value) CS_GUARD_BY(cs_guard_enter, err, value)
#define CS_GUARD_INNER(err, value) CS_GUARD_BY(cs_guard_enter_inner, err, value)
#define CS_GUARD_BY(enter, err, value)                                                             \
    struct cs_guard guard_ __attribute__((cleanup(cs_guard_leave)));                               \
    if (enter(&guard_))                                                                            \
        if (setjmp(guard_.place)) {                                                                \
            cs_guard_report(&guard_, err);                                                         \
            return value;                                                                          \
        }

#endif
