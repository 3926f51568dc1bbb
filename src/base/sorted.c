/* sorted.c - sorted keys in chunks.
 *
 * Idea: a sorted list of chunks, each a sorted array of up to CS_SORTED_CHUNK keys.  A full chunk
 * is split into halves; two neighbours that have few keys become one. Invariants: chunks are never
 * empty; after tidy two neighbours have more than CS_SORTED_CHUNK / 2 keys together.  Freed chunks
 * are kept for later keys.
 *
 * | constant | value | how found |
 * | CS_SORTED_CHUNK | 64 keys of 16 bytes | moved in about the time of one search; 32, 128: not
 * measured |
 */
#include "base/sorted.h"

#include <string.h>

#define NEAR 4 /* chunks */

void cs_sorted_init(struct cs_sorted *keys, struct cs_arena *arena)
{
    *keys = (struct cs_sorted){.arena = arena};
}

/* How many keys of a chunk are below `key`: steps without a branch to predict. */
static int chunk_below(const struct cs_sorted_chunk *chunk, uint64_t key)
{
    const struct cs_sorted_key *at = chunk->key;
    int left = chunk->count;

    for (; left > 1; left -= left / 2)
        at += at[left / 2 - 1].key < key ? left / 2 : 0;
    return (int)(at - chunk->key) + (left > 0 && at->key < key);
}

struct cs_sorted_place cs_sorted_find(const struct cs_sorted *keys, uint64_t key)
{
    int low = 0, left = keys->chunks;

    if (left == 0)
        return (struct cs_sorted_place){0, 0};
    for (; left > 1; left -= left / 2) {
        const struct cs_sorted_chunk *chunk = keys->chunk[low + left / 2 - 1];

        low += chunk->key[chunk->count - 1].key < key ? left / 2 : 0;
    }
    return (struct cs_sorted_place){low, chunk_below(keys->chunk[low], key)};
}

struct cs_sorted_place cs_sorted_find_near(const struct cs_sorted *keys, int chunk, uint64_t key)
{
    const int stop = chunk + NEAR < keys->chunks ? chunk + NEAR : keys->chunks;

    if (chunk >= keys->chunks || keys->chunk[chunk]->key[0].key >= key)
        return cs_sorted_find(keys, key);
    for (; chunk < stop; chunk++)
        if (keys->chunk[chunk]->key[keys->chunk[chunk]->count - 1].key >= key)
            return (struct cs_sorted_place){chunk, chunk_below(keys->chunk[chunk], key)};
    return cs_sorted_find(keys, key);
}

static void chunk_insert(struct cs_sorted *keys, int at)
{
    struct cs_sorted_chunk *chunk = keys->spare;

    if (chunk)
        keys->spare = chunk->next;
    else
        chunk = CS_NEW(keys->arena, struct cs_sorted_chunk);
    if (keys->chunks == keys->room) {
        keys->room = 2 * keys->room + 4;
        keys->chunk = cs_arena_grow(keys->arena, keys->chunk, (size_t)keys->chunks,
                                    (size_t)keys->room, sizeof *keys->chunk);
    }
    memmove(keys->chunk + at + 1, keys->chunk + at,
            (size_t)(keys->chunks - at) * sizeof *keys->chunk);
    keys->chunk[at] = chunk;
    keys->chunks++;
    chunk->count = 0;
}

static void chunk_remove(struct cs_sorted *keys, int at)
{
    keys->chunk[at]->next = keys->spare;
    keys->spare = keys->chunk[at];
    keys->chunks--;
    memmove(keys->chunk + at, keys->chunk + at + 1,
            (size_t)(keys->chunks - at) * sizeof *keys->chunk);
}

static void chunk_split(struct cs_sorted *keys, int at)
{
    struct cs_sorted_chunk *low, *high;

    chunk_insert(keys, at + 1);
    low = keys->chunk[at];
    high = keys->chunk[at + 1];
    memcpy(high->key, low->key + CS_SORTED_CHUNK / 2, CS_SORTED_CHUNK / 2 * sizeof *high->key);
    low->count = high->count = CS_SORTED_CHUNK / 2;
}

/* Join the chunk and the next one where few keys are left. */
static void chunk_join(struct cs_sorted *keys, int at)
{
    struct cs_sorted_chunk *low, *high;

    if (at < 0 || at + 1 >= keys->chunks)
        return;
    low = keys->chunk[at];
    high = keys->chunk[at + 1];
    if (low->count + high->count > CS_SORTED_CHUNK / 2)
        return;
    memcpy(low->key + low->count, high->key, (size_t)high->count * sizeof *high->key);
    low->count += high->count;
    chunk_remove(keys, at + 1);
}

struct cs_sorted_place cs_sorted_insert_at(struct cs_sorted *keys, struct cs_sorted_place place,
                                           uint64_t key, double value)
{
    struct cs_sorted_chunk *chunk;

    if (keys->chunks == 0)
        chunk_insert(keys, 0);
    else if (place.chunk == keys->chunks)
        place = (struct cs_sorted_place){keys->chunks - 1, keys->chunk[keys->chunks - 1]->count};
    if (keys->chunk[place.chunk]->count == CS_SORTED_CHUNK) {
        chunk_split(keys, place.chunk);
        if (place.at > CS_SORTED_CHUNK / 2)
            place = (struct cs_sorted_place){place.chunk + 1, place.at - CS_SORTED_CHUNK / 2};
    }
    chunk = keys->chunk[place.chunk];
    memmove(chunk->key + place.at + 1, chunk->key + place.at,
            (size_t)(chunk->count - place.at) * sizeof *chunk->key);
    chunk->key[place.at] = (struct cs_sorted_key){key, value};
    chunk->count++;
    return place;
}

void cs_sorted_insert(struct cs_sorted *keys, uint64_t key, double value)
{
    cs_sorted_insert_at(keys, cs_sorted_find(keys, key), key, value);
}

struct cs_sorted_place cs_sorted_remove(struct cs_sorted *keys, struct cs_sorted_place place)
{
    struct cs_sorted_chunk *chunk = keys->chunk[place.chunk];

    chunk->count--;
    memmove(chunk->key + place.at, chunk->key + place.at + 1,
            (size_t)(chunk->count - place.at) * sizeof *chunk->key);
    if (chunk->count == 0)
        chunk_remove(keys, place.chunk);
    else if (place.at == chunk->count)
        return (struct cs_sorted_place){place.chunk + 1, 0};
    return place;
}

void cs_sorted_tidy(struct cs_sorted *keys, int chunk)
{
    chunk_join(keys, chunk);
    chunk_join(keys, chunk - 1);
}
