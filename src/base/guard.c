/* guard.c - one guard per thread, and a list of objects that it releases. */
#include "base/guard.h"

#include "base/bug.h"
#include "base/watch.h"

#include <stdint.h>
#include <stdlib.h>

static _Thread_local struct cs_guard *here;

static void guard_lock(struct cs_guard *guard)
{
    while (atomic_flag_test_and_set_explicit(&guard->busy, memory_order_acquire))
        ;
}

static void guard_unlock(struct cs_guard *guard)
{
    atomic_flag_clear_explicit(&guard->busy, memory_order_release);
}

bool cs_guard_enter_inner(struct cs_guard *guard)
{
    guard->owner = true;
    guard->outer = here;
    guard->first = NULL;
    guard->watch = cs_watch_here();
    atomic_flag_clear(&guard->busy);
    here = guard;
    return true;
}

bool cs_guard_enter(struct cs_guard *guard)
{
    guard->owner = false;
    return !here && cs_guard_enter_inner(guard);
}

struct cs_guard *cs_guard_here(void)
{
    return here;
}

void cs_guard_lend(struct cs_guard *guard)
{
    here = guard;
}

/* The list goes over, the newest first as it is. */
static void hand_over(struct cs_guarded *first, struct cs_guard *outer)
{
    for (struct cs_guarded *thing = first, *next; thing; thing = next) {
        next = thing->next;
        if (outer)
            thing->guard = outer;
        else
            *thing = (struct cs_guarded){0};
        if (outer && !next) {
            thing->next = outer->first;
            if (thing->next)
                thing->next->previous = thing;
            outer->first = first;
        }
    }
}

static void leave_for(struct cs_guard *guard, struct cs_guard *heir)
{
    if (!guard->owner)
        return;
    guard->owner = false;
    here = guard->outer;
    if (heir)
        guard_lock(heir);
    hand_over(guard->first, heir);
    if (heir)
        guard_unlock(heir);
}

void cs_guard_leave(struct cs_guard *guard)
{
    leave_for(guard, guard->outer);
}

void cs_guard_leave_to(struct cs_guard *guard, const struct cs_guarded *owner)
{
    leave_for(guard, owner->guard);
}

void cs_guard_report(const struct cs_guard *guard, struct cs_error *err)
{
    if (err)
        err->text[0] = '\0';
    if (guard->bytes)
        cs_error_set_as(err, CS_ERROR_MEMORY, "out of memory: %zu more bytes were needed",
                        guard->bytes);
    else
        cs_error_set_as(err, CS_ERROR_MEMORY, "out of memory");
}

void cs_guard_fail(size_t bytes)
{
    struct cs_guard *guard = here;

    if (!guard)
        return;
    guard->bytes = bytes;
    while (guard->first) {
        struct cs_guarded *thing = guard->first;
        void (*drop)(struct cs_guarded *) = thing->drop;

        cs_guard_discard(thing);
        drop(thing);
    }
    cs_watch_enter(guard->watch);
    longjmp(guard->place, 1);
}

void cs_guard_keep(struct cs_guarded *thing, void (*drop)(struct cs_guarded *thing))
{
    *thing = (struct cs_guarded){.guard = here, .drop = drop};
    if (!here)
        return;
    guard_lock(here);
    thing->next = here->first;
    if (thing->next)
        thing->next->previous = thing;
    here->first = thing;
    guard_unlock(here);
}

/* The neighbours know where it is from now on. */
static void guard_move(struct cs_guarded *thing, struct cs_guarded *previous,
                       struct cs_guarded *next)
{
    if (thing->previous)
        thing->previous->next = next;
    else
        thing->guard->first = next;
    if (thing->next)
        thing->next->previous = previous;
}

void cs_guard_discard(struct cs_guarded *thing)
{
    struct cs_guard *guard = thing->guard;

    if (!guard)
        return;
    guard_lock(guard);
    guard_move(thing, thing->previous, thing->next);
    guard_unlock(guard);
    *thing = (struct cs_guarded){0};
}

void *cs_guard_resize(void *block, size_t size, void (*drop)(struct cs_guarded *thing))
{
    struct cs_guarded *thing = block;
    struct cs_guard *guard = thing ? thing->guard : NULL;

    if (guard)
        guard_lock(guard);
    thing = realloc(block, size);
    if (thing && guard)
        guard_move(thing, thing, thing);
    if (guard)
        guard_unlock(guard);
    if (!thing)
        cs_bug_no_memory(size);
    if (!block)
        cs_guard_keep(thing, drop);
    return thing;
}

static void drop_block(struct cs_guarded *thing)
{
    free(thing);
}

void *cs_block_resize(void *old, size_t size)
{
    struct cs_guarded *head = old ? (struct cs_guarded *)old - 1 : NULL;

    if (size > SIZE_MAX - sizeof *head)
        cs_bug_no_memory(size);
    head = cs_guard_resize(head, sizeof *head + size, drop_block);
    return head + 1;
}

void *cs_block_zero(size_t count, size_t size)
{
    struct cs_guarded *head = NULL;

    if (count <= (SIZE_MAX - sizeof *head) / (size ? size : 1))
        head = calloc(1, sizeof *head + count * size);
    if (!head)
        cs_bug_no_memory(count * size);
    cs_guard_keep(head, drop_block);
    return head + 1;
}

void cs_block_free(void *block)
{
    struct cs_guarded *head = block ? (struct cs_guarded *)block - 1 : NULL;

    if (head)
        cs_guard_discard(head);
    free(head);
}

static void hold_drop(struct cs_guarded *guarded)
{
    struct cs_hold *hold = (struct cs_hold *)(void *)guarded;

    hold->release(hold->thing);
}

void cs_hold(struct cs_hold *hold, void *thing, void (*release)(void *thing))
{
    hold->thing = thing;
    hold->release = release;
    if (thing)
        cs_guard_keep(&hold->guarded, hold_drop);
    else
        hold->guarded = (struct cs_guarded){0};
}

void *cs_unhold(struct cs_hold *hold)
{
    void *thing = hold->thing;

    cs_guard_discard(&hold->guarded);
    hold->thing = NULL;
    return thing;
}

void cs_release(struct cs_hold *hold)
{
    void *thing = cs_unhold(hold);

    if (thing)
        hold->release(thing);
}

int cs_ask_size(const char *what, size_t said, size_t known, struct cs_error *err)
{
    return said == known
               ? 0
               : cs_error_set_as(err, CS_ERROR_USAGE,
                                 "size of %s: found %zu bytes, expected %zu: set size to sizeof "
                                 "with the headers of this library",
                                 what, said, known);
}

bool cs_are_paths(const char *const *path, int count)
{
    for (int i = 0; path && i < count; i++)
        if (!path[i])
            return false;
    return path && count > 0;
}
