/* vector.h - room for one more member of an array that grows.
 *
 * `array`, `count` and `room` are members of the owner; a full array gets twice its room, `least`
 * members at first. If memory runs out, all three keep their values.
 */
#ifndef CS_BASE_VECTOR_H
#define CS_BASE_VECTOR_H

#include "base/arena.h"
#include "base/guard.h"

#define CS_VECTOR_GROW(array, count, room, least, bigger)                                          \
    do {                                                                                           \
        if ((count) == (room)) {                                                                   \
            const size_t more_ = (room) ? 2 * (size_t)(room) : (least);                            \
                                                                                                   \
            (array) = bigger;                                                                      \
            (room) = more_;                                                                        \
        }                                                                                          \
    } while (0)

/* In an arena, which keeps the former arrays until its end. */
#define CS_ARENA_ROOM(arena, array, count, room, least)                                            \
    CS_VECTOR_GROW(array, count, room, least,                                                      \
                   cs_arena_grow(arena, array, (size_t)(count), more_, sizeof *(array)))

/* In a block of its owner. */
#define CS_BLOCK_ROOM(array, count, room, least)                                                   \
    CS_VECTOR_GROW(array, count, room, least, cs_block_resize(array, more_ * sizeof *(array)))

#endif
