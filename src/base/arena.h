/* arena.h - memory with a clear owner, released in one step.
 *
 * An arena allocates zeroed memory, aligned for anything, from growing blocks. A simulator takes a
 * mark, works, and rewinds: the blocks stay, so that the next scenario allocates nothing. guard.h
 * describes what happens when memory runs out.
 */
#ifndef CS_BASE_ARENA_H
#define CS_BASE_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct cs_arena;

struct cs_arena *cs_arena_create(void);
void cs_arena_destroy(struct cs_arena *arena); /* NULL is fine */

/* An arena for good that begins in these bytes, which are aligned for anything; no guard (guard.h)
 * releases it. */
struct cs_arena *cs_arena_create_in(void *room, size_t size);

/* For cs_guard_leave_to: it belongs to a guard, or to none. */
const struct cs_guarded *cs_arena_guarded(const struct cs_arena *arena);

/* count * size zeroed bytes; never NULL, also for 0 bytes.  Overflow is a bug. */
void *cs_arena_alloc(struct cs_arena *arena, size_t count, size_t size);

/* How many things that is; more than there can be, where there are not so many numbers. */
static inline size_t cs_arena_area(size_t rows, size_t columns)
{
    return columns && rows > SIZE_MAX / columns ? SIZE_MAX : rows * columns;
}

/* Such bytes that begin with the first `kept` things of `old`, which the arena keeps until its end.
 */
void *cs_arena_grow(struct cs_arena *arena, const void *old, size_t kept, size_t count,
                    size_t size);

/* A copy of the text, or of its first `length` bytes and a NUL. */
char *cs_arena_strdup(struct cs_arena *arena, const char *text);
char *cs_arena_strndup(struct cs_arena *arena, const char *text, size_t length);

/* Everything allocated after the mark is given back by the rewind. */
struct cs_arena_mark {
    void *block;
    size_t used;
};

struct cs_arena_mark cs_arena_mark(const struct cs_arena *arena);
void cs_arena_rewind(struct cs_arena *arena, struct cs_arena_mark mark);

/* A snapshot of the arena, stored in another one, which can be restored: later allocations are
 * freed, later writes are undone. */
struct cs_arena_copy {
    struct cs_arena_mark mark;
    unsigned char *bytes;
};

struct cs_arena_copy cs_arena_save(const struct cs_arena *arena, struct cs_arena *into);
void cs_arena_restore(struct cs_arena *arena, const struct cs_arena_copy *copy);

/* Bytes in the blocks of the arena: its memory use. */
size_t cs_arena_size(const struct cs_arena *arena);

#define CS_NEW(arena, type) ((type *)cs_arena_alloc((arena), 1, sizeof(type)))
#define CS_NEW_ARRAY(arena, type, count)                                                           \
    ((type *)cs_arena_alloc((arena), (size_t)(count), sizeof(type)))

#endif
