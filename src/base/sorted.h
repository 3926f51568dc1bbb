/* sorted.h - sorted keys, each with a number, in chunks.
 *
 * To find a key takes O(log n) steps; to insert or remove one moves at most the keys of a chunk, 1
 * KB, and pointers of chunks, 8 bytes for about 40 keys.  A place is valid until keys before it
 * in the list are inserted or removed.
 */
#ifndef CS_BASE_SORTED_H
#define CS_BASE_SORTED_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define CS_SORTED_CHUNK 64

struct cs_sorted_key {
    uint64_t key;
    double value;
};

/* Private to sorted.c and the functions below. */
struct cs_sorted_chunk {
    int count;
    struct cs_sorted_chunk *next; /* of those to spare */
    struct cs_sorted_key key[CS_SORTED_CHUNK];
};

struct cs_sorted {
    struct cs_arena *arena;
    int chunks, room;
    struct cs_sorted_chunk **chunk;
    struct cs_sorted_chunk *spare;
};

/* A key of a list, or the place behind the last. */
struct cs_sorted_place {
    int chunk, at;
};

void cs_sorted_init(struct cs_sorted *keys, struct cs_arena *arena);

/* The first key that is not below `key`, or the place behind the last. */
struct cs_sorted_place cs_sorted_find(const struct cs_sorted *keys, uint64_t key);

/* The same, faster when it is in this chunk or soon behind it; there may be no such chunk. */
struct cs_sorted_place cs_sorted_find_near(const struct cs_sorted *keys, int chunk, uint64_t key);

/* The key there, whose value may be changed, and itself as long as the order stays. */
static inline struct cs_sorted_key *cs_sorted_at(const struct cs_sorted *keys,
                                                 struct cs_sorted_place place)
{
    return &keys->chunk[place.chunk]->key[place.at];
}

/* The last key of a list that is not empty. */
static inline struct cs_sorted_place cs_sorted_last(const struct cs_sorted *keys)
{
    return (struct cs_sorted_place){keys->chunks - 1, keys->chunk[keys->chunks - 1]->count - 1};
}

/* Move to the key before, after; false: the place was the first, the last. */
static inline bool cs_sorted_back(const struct cs_sorted *keys, struct cs_sorted_place *place)
{
    if (place->at > 0)
        place->at--;
    else if (place->chunk > 0)
        *place =
            (struct cs_sorted_place){place->chunk - 1, keys->chunk[place->chunk - 1]->count - 1};
    else
        return false;
    return true;
}

static inline bool cs_sorted_next(const struct cs_sorted *keys, struct cs_sorted_place *place)
{
    if (place->at + 1 < keys->chunk[place->chunk]->count)
        place->at++;
    else if (place->chunk + 1 < keys->chunks)
        *place = (struct cs_sorted_place){place->chunk + 1, 0};
    else
        return false;
    return true;
}

/* Is it behind the last key? */
static inline bool cs_sorted_is_end(const struct cs_sorted *keys, struct cs_sorted_place place)
{
    return place.chunk == keys->chunks || place.at == keys->chunk[place.chunk]->count;
}

/* A key that is not in the list; at a place that is found already, which returns its own place. */
void cs_sorted_insert(struct cs_sorted *keys, uint64_t key, double value);
struct cs_sorted_place cs_sorted_insert_at(struct cs_sorted *keys, struct cs_sorted_place place,
                                           uint64_t key, double value);

/* Remove the key at the place, which is that of the next one then; it is returned in a form that
 * cs_sorted_is_end accepts.  Call tidy for the chunk after removals in it and in the next one. */
struct cs_sorted_place cs_sorted_remove(struct cs_sorted *keys, struct cs_sorted_place place);
void cs_sorted_tidy(struct cs_sorted *keys, int chunk);

#endif
