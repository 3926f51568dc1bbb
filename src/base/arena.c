/* arena.c - a chain of blocks, each at least twice as large as the one before. */
#include "base/arena.h"

#include "base/bug.h"
#include "base/guard.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_BLOCK ((size_t)4096)
#define LARGEST_STEP ((size_t)64 << 20)

struct block {
    struct block *previous, *next;
    size_t size, used;
    alignas(max_align_t) unsigned char bytes[];
};

struct cs_arena {
    struct cs_guarded guarded; /* first */
    struct block *current;     /* blocks after it are kept for reuse and are empty */
};

static struct block *block_create(size_t size, struct block *previous)
{
    struct block *b = malloc(sizeof *b + size);

    if (!b)
        cs_bug_no_memory(sizeof *b + size);
    *b = (struct block){.previous = previous, .size = size};
    return b;
}

static void arena_drop(struct cs_guarded *arena)
{
    cs_arena_destroy((struct cs_arena *)(void *)arena);
}

struct cs_arena *cs_arena_create(void)
{
    struct cs_arena *arena = malloc(sizeof *arena);

    if (!arena)
        cs_bug_no_memory(sizeof *arena);
    arena->current = NULL;
    cs_guard_keep(&arena->guarded, arena_drop);
    arena->current = block_create(FIRST_BLOCK, NULL);
    return arena;
}

struct cs_arena *cs_arena_create_in(void *room, size_t size)
{
    const size_t head = (sizeof(struct cs_arena) + alignof(max_align_t) - 1) /
                        alignof(max_align_t) * alignof(max_align_t);
    struct block *b = (struct block *)(void *)((unsigned char *)room + head);
    struct cs_arena *arena = room;

    CS_REQUIRE(size > head + sizeof *b);
    *b = (struct block){.size = size - head - sizeof *b};
    *arena = (struct cs_arena){.current = b};
    return arena;
}

const struct cs_guarded *cs_arena_guarded(const struct cs_arena *arena)
{
    return &arena->guarded;
}

static void free_from(struct block *b)
{
    while (b) {
        struct block *next = b->next;
        free(b);
        b = next;
    }
}

void cs_arena_destroy(struct cs_arena *arena)
{
    if (!arena)
        return;
    cs_guard_discard(&arena->guarded);
    while (arena->current && arena->current->previous)
        arena->current = arena->current->previous;
    free_from(arena->current);
    free(arena);
}

/* Advance to a block with space for `bytes`; kept blocks that are too small are freed. */
static void next_block(struct cs_arena *arena, size_t bytes)
{
    struct block *b = arena->current;
    size_t size = b->size < LARGEST_STEP ? 2 * b->size : LARGEST_STEP;

    if (b->next && b->next->size >= bytes) {
        arena->current = b->next;
        return;
    }
    free_from(b->next);
    b->next = NULL;
    b->next = block_create(size > bytes ? size : bytes, b);
    arena->current = b->next;
}

void *cs_arena_alloc(struct cs_arena *arena, size_t count, size_t size)
{
    const size_t align = alignof(max_align_t);
    struct block *b = arena->current;
    size_t bytes;
    void *at;

    if (size && count > (SIZE_MAX / 2 - align) / size)
        cs_bug_no_memory(SIZE_MAX);
    bytes = (count * size + align - 1) / align * align;
    if (bytes > b->size - b->used) {
        next_block(arena, bytes);
        b = arena->current;
    }
    at = b->bytes + b->used;
    b->used += bytes;
    return memset(at, 0, count * size);
}

void *cs_arena_grow(struct cs_arena *arena, const void *old, size_t kept, size_t count, size_t size)
{
    void *room = cs_arena_alloc(arena, count, size);

    if (kept)
        memcpy(room, old, kept * size);
    return room;
}

char *cs_arena_strndup(struct cs_arena *arena, const char *text, size_t length)
{
    char *copy = cs_arena_alloc(arena, length + 1, 1);

    memcpy(copy, text, length);
    return copy;
}

char *cs_arena_strdup(struct cs_arena *arena, const char *text)
{
    return cs_arena_strndup(arena, text, strlen(text));
}

struct cs_arena_mark cs_arena_mark(const struct cs_arena *arena)
{
    return (struct cs_arena_mark){arena->current, arena->current->used};
}

void cs_arena_rewind(struct cs_arena *arena, struct cs_arena_mark mark)
{
    while (arena->current != mark.block) {
        CS_REQUIRE(arena->current->previous);
        arena->current->used = 0;
        arena->current = arena->current->previous;
    }
    arena->current->used = mark.used;
}

struct cs_arena_copy cs_arena_save(const struct cs_arena *arena, struct cs_arena *into)
{
    struct cs_arena_copy copy = {.mark = cs_arena_mark(arena)};
    size_t size = 0, at = 0;

    for (const struct block *b = arena->current; b; b = b->previous)
        size += b->used;
    copy.bytes = cs_arena_alloc(into, size, 1);
    for (const struct block *b = arena->current; b; at += b->used, b = b->previous)
        memcpy(copy.bytes + at, b->bytes, b->used);
    return copy;
}

void cs_arena_restore(struct cs_arena *arena, const struct cs_arena_copy *copy)
{
    size_t at = 0;

    cs_arena_rewind(arena, copy->mark);
    for (struct block *b = arena->current; b; at += b->used, b = b->previous)
        memcpy(b->bytes, copy->bytes + at, b->used);
}

size_t cs_arena_size(const struct cs_arena *arena)
{
    const struct block *b = arena->current;
    size_t size = 0;

    while (b->previous)
        b = b->previous;
    for (; b; b = b->next)
        size += b->size;
    return size;
}
