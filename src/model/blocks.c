/* blocks.c - which processors are free, in blocks of consecutive numbers that placement keeps
 * whole.
 *
 * Source: this project; the rule is in blocks.h.
 *
 * Idea: the processors are cut into blocks, each free or held until about some time.  Two sorted
 * lists of keys: all blocks by their first number, so that a block finds its neighbours, and the
 * free ones by (size, number), so that a job finds the block that fits best.
 *
 * Invariants: the blocks by first number cover 0 .. procs - 1 without a gap or an overlap; two free
 * blocks never touch; a held block is what one job took of one free block, or the part of that
 * which is left; `free` is the number of processors in free blocks.  Chunks are never empty, and
 * two neighbours have more than CHUNK / 2 keys together.
 *
 * Complexity: a key is found in O(log n) steps and moves at most CHUNK keys; every CHUNK / 4
 * insertions at most, a chunk moves the pointers behind it, 8 bytes for more than 16 keys in the
 * mean.  Freed chunks and arrays of intervals are kept for later sets.
 *
 * | constant | value | how found |
 * | CHUNK | 64 keys of 16 bytes | a chunk is 1 KB, moved in about the time of one search |
 */
#include "model/blocks.h"

#include "base/bug.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK 64

struct cs_blocks_key {
    uint64_t key;
    double end; /* of a block by first number: when it is expected to be free; NaN: it is */
};

struct cs_blocks_chunk {
    int count;
    struct cs_blocks_chunk *next; /* of those to spare */
    struct cs_blocks_key key[CHUNK];
};

struct cs_blocks_spare {
    struct cs_blocks_spare *next;
};

/* A key of a list, or behind the last one. */
struct place {
    int chunk, at;
};

/* ---- sorted keys ---- */

static struct cs_blocks_key *keys_at(const struct cs_blocks_keys *keys, struct place place)
{
    return &keys->chunk[place.chunk]->key[place.at];
}

/* How many keys of a chunk are below `key`: steps without a branch to predict. */
static int chunk_below(const struct cs_blocks_chunk *chunk, uint64_t key)
{
    const struct cs_blocks_key *at = chunk->key;
    int left = chunk->count;

    for (; left > 1; left -= left / 2)
        at += at[left / 2 - 1].key < key ? left / 2 : 0;
    return (int)(at - chunk->key) + (left > 0 && at->key < key);
}

/* The first key that is not below `key`, or the place behind the last one. */
static struct place keys_find(const struct cs_blocks_keys *keys, uint64_t key)
{
    int low = 0, left = keys->chunks;

    if (left == 0)
        return (struct place){0, 0};
    for (; left > 1; left -= left / 2) {
        const struct cs_blocks_chunk *chunk = keys->chunk[low + left / 2 - 1];

        low += chunk->key[chunk->count - 1].key < key ? left / 2 : 0;
    }
    return (struct place){low, chunk_below(keys->chunk[low], key)};
}

/* False: there is no key before it, after it. */
static bool keys_back(const struct cs_blocks_keys *keys, struct place *place)
{
    if (place->at > 0)
        place->at--;
    else if (place->chunk > 0)
        *place = (struct place){place->chunk - 1, keys->chunk[place->chunk - 1]->count - 1};
    else
        return false;
    return true;
}

static bool keys_next(const struct cs_blocks_keys *keys, struct place *place)
{
    if (place->at + 1 < keys->chunk[place->chunk]->count)
        place->at++;
    else if (place->chunk + 1 < keys->chunks)
        *place = (struct place){place->chunk + 1, 0};
    else
        return false;
    return true;
}

static void chunk_insert(struct cs_blocks *blocks, struct cs_blocks_keys *keys, int at)
{
    struct cs_blocks_chunk *chunk = blocks->spare_chunk;

    if (chunk)
        blocks->spare_chunk = chunk->next;
    else
        chunk = CS_NEW(blocks->arena, struct cs_blocks_chunk);
    if (keys->chunks == keys->room) {
        keys->room = 2 * keys->room + 4;
        keys->chunk = cs_arena_grow(blocks->arena, keys->chunk, (size_t)keys->chunks,
                                    (size_t)keys->room, sizeof *keys->chunk);
    }
    memmove(keys->chunk + at + 1, keys->chunk + at,
            (size_t)(keys->chunks - at) * sizeof *keys->chunk);
    keys->chunk[at] = chunk;
    keys->chunks++;
    chunk->count = 0;
}

static void chunk_remove(struct cs_blocks *blocks, struct cs_blocks_keys *keys, int at)
{
    keys->chunk[at]->next = blocks->spare_chunk;
    blocks->spare_chunk = keys->chunk[at];
    keys->chunks--;
    memmove(keys->chunk + at, keys->chunk + at + 1,
            (size_t)(keys->chunks - at) * sizeof *keys->chunk);
}

static void chunk_split(struct cs_blocks *blocks, struct cs_blocks_keys *keys, int at)
{
    struct cs_blocks_chunk *low, *high;

    chunk_insert(blocks, keys, at + 1);
    low = keys->chunk[at];
    high = keys->chunk[at + 1];
    memcpy(high->key, low->key + CHUNK / 2, CHUNK / 2 * sizeof *high->key);
    low->count = high->count = CHUNK / 2;
}

/* Join the chunk and the next one where few keys are left. */
static void chunk_join(struct cs_blocks *blocks, struct cs_blocks_keys *keys, int at)
{
    struct cs_blocks_chunk *low, *high;

    if (at < 0 || at + 1 >= keys->chunks)
        return;
    low = keys->chunk[at];
    high = keys->chunk[at + 1];
    if (low->count + high->count > CHUNK / 2)
        return;
    memcpy(low->key + low->count, high->key, (size_t)high->count * sizeof *high->key);
    low->count += high->count;
    chunk_remove(blocks, keys, at + 1);
}

static void keys_insert(struct cs_blocks *blocks, struct cs_blocks_keys *keys, uint64_t key,
                        double end)
{
    struct place place = keys_find(keys, key);
    struct cs_blocks_chunk *chunk;

    if (keys->chunks == 0)
        chunk_insert(blocks, keys, 0);
    if (keys->chunk[place.chunk]->count == CHUNK) {
        chunk_split(blocks, keys, place.chunk);
        if (place.at > CHUNK / 2)
            place = (struct place){place.chunk + 1, place.at - CHUNK / 2};
    }
    chunk = keys->chunk[place.chunk];
    memmove(chunk->key + place.at + 1, chunk->key + place.at,
            (size_t)(chunk->count - place.at) * sizeof *chunk->key);
    chunk->key[place.at] = (struct cs_blocks_key){key, end};
    chunk->count++;
}

/* Chunks stay as they are, without those that have become empty. */
static void keys_remove(struct cs_blocks *blocks, struct cs_blocks_keys *keys, struct place place)
{
    struct cs_blocks_chunk *chunk = keys->chunk[place.chunk];

    chunk->count--;
    memmove(chunk->key + place.at, chunk->key + place.at + 1,
            (size_t)(chunk->count - place.at) * sizeof *chunk->key);
    if (chunk->count == 0)
        chunk_remove(blocks, keys, place.chunk);
}

/* After keys of this chunk and the next one were removed. */
static void keys_tidy(struct cs_blocks *blocks, struct cs_blocks_keys *keys, int chunk)
{
    chunk_join(blocks, keys, chunk);
    chunk_join(blocks, keys, chunk - 1);
}

/* ---- blocks ---- */

/* By first number; the last one comes with it. */
static uint64_t key_of_block(int first, int last)
{
    return (uint64_t)first << 32 | (uint32_t)last;
}

static struct cs_interval block_of_key(uint64_t key)
{
    return (struct cs_interval){(int)(key >> 32), (int)(uint32_t)key};
}

/* By size; of one size the lowest number is the last, so that the last of all is the largest. */
static uint64_t key_of_size(int first, int last)
{
    return (uint64_t)(last - first + 1) << 32 | (uint32_t)(INT_MAX - first);
}

static bool block_is_free(const struct cs_blocks_key *block)
{
    return isnan(block->end);
}

/* The block with this processor. */
static struct place block_with(const struct cs_blocks *blocks, int proc)
{
    struct place place = keys_find(&blocks->by_first, (uint64_t)proc << 32 | UINT32_MAX);

    keys_back(&blocks->by_first, &place);
    return place;
}

/* The block is first .. last from now on, which stays between its neighbours. */
static void block_set(struct cs_blocks *blocks, struct place place, int first, int last, double end)
{
    *keys_at(&blocks->by_first, place) = (struct cs_blocks_key){key_of_block(first, last), end};
}

static void block_add(struct cs_blocks *blocks, int first, int last, double end)
{
    keys_insert(blocks, &blocks->by_first, key_of_block(first, last), end);
}

static void sizes_add(struct cs_blocks *blocks, int first, int last)
{
    keys_insert(blocks, &blocks->by_size, key_of_size(first, last), 0);
}

static void sizes_remove_at(struct cs_blocks *blocks, struct place place)
{
    keys_remove(blocks, &blocks->by_size, place);
    keys_tidy(blocks, &blocks->by_size, place.chunk);
}

static void sizes_remove(struct cs_blocks *blocks, struct cs_interval block)
{
    sizes_remove_at(blocks, keys_find(&blocks->by_size, key_of_size(block.first, block.last)));
}

void cs_blocks_init(struct cs_blocks *blocks, int procs, struct cs_arena *arena)
{
    CS_REQUIRE(procs >= 1);
    *blocks = (struct cs_blocks){.arena = arena, .procs = procs, .free = procs};
    block_add(blocks, 0, procs - 1, NAN);
    sizes_add(blocks, 0, procs - 1);
}

/* ---- sets ---- */

static void set_grow(struct cs_blocks *blocks, struct cs_blocks_set *set)
{
    int size = set->interval ? set->size + 1 : 2;
    struct cs_blocks_spare *spare = blocks->spare[size];
    struct cs_interval *interval = (struct cs_interval *)(void *)spare;

    if (spare)
        blocks->spare[size] = spare->next;
    else
        interval = CS_NEW_ARRAY(blocks->arena, struct cs_interval, (size_t)1 << size);
    if (set->interval) {
        memcpy(interval, set->interval, (size_t)set->count * sizeof *interval);
        spare = (struct cs_blocks_spare *)(void *)set->interval;
        spare->next = blocks->spare[set->size];
        blocks->spare[set->size] = spare;
    }
    set->interval = interval;
    set->size = size;
}

static void set_add(struct cs_blocks *blocks, struct cs_blocks_set *set, int first, int last)
{
    if (!set->interval || set->count == 1 << set->size)
        set_grow(blocks, set);
    set->interval[set->count++] = (struct cs_interval){first, last};
}

static int compare(const void *a, const void *b)
{
    const struct cs_interval *x = a, *y = b;

    return (x->first > y->first) - (x->first < y->first);
}

/* ---- taking ---- */

/* The last of the keys, of which there is one. */
static struct place keys_last(const struct cs_blocks_keys *keys)
{
    return (struct place){keys->chunks - 1, keys->chunk[keys->chunks - 1]->count - 1};
}

/* Of the smallest free block that holds so many processors, or of the largest, by size. */
static struct place size_that_fits(const struct cs_blocks *blocks, int wanted)
{
    const struct cs_blocks_keys *sizes = &blocks->by_size;
    struct place place = keys_last(sizes);

    if (keys_at(sizes, place)->key >> 32 <= (uint64_t)wanted)
        return place;
    place = keys_find(sizes, (uint64_t)wanted << 32);
    place = keys_find(sizes, ((keys_at(sizes, place)->key >> 32) + 1) << 32);
    keys_back(sizes, &place);
    return place;
}

static double distance_between(double end, double other)
{
    return end == other ? 0 : fabs(end - other);
}

/* Does the neighbour before the block end as near to `end` as the one after it? */
static bool before_is_nearer(const struct cs_blocks *blocks, struct place place, double end)
{
    const struct cs_blocks_keys *all = &blocks->by_first;
    struct place before = place, after = place;
    double low = keys_back(all, &before) ? keys_at(all, before)->end : INFINITY;
    double high = keys_next(all, &after) ? keys_at(all, after)->end : INFINITY;

    return distance_between(low, end) <= distance_between(high, end);
}

/* `count` processors of the free block, on its low or its high side. */
static void block_take(struct cs_blocks *blocks, struct place place, int count, bool low,
                       double end, struct cs_blocks_set *set)
{
    const struct cs_interval block = block_of_key(keys_at(&blocks->by_first, place)->key);
    struct cs_interval taken = {block.first, block.first + (count - 1)};

    if (!low)
        taken = (struct cs_interval){block.last - (count - 1), block.last};
    blocks->free -= count;
    set_add(blocks, set, taken.first, taken.last);
    block_set(blocks, place, taken.first, taken.last, end);
    if (taken.first > block.first) {
        block_set(blocks, place, block.first, taken.first - 1, NAN);
        sizes_add(blocks, block.first, taken.first - 1);
        block_add(blocks, taken.first, taken.last, end);
    } else if (taken.last < block.last) {
        block_add(blocks, taken.last + 1, block.last, NAN);
        sizes_add(blocks, taken.last + 1, block.last);
    }
}

static int block_size(const struct cs_blocks *blocks, struct place place)
{
    const struct cs_interval block = block_of_key(keys_at(&blocks->by_first, place)->key);

    return block.last - block.first + 1;
}

static int min(int a, int b)
{
    return a < b ? a : b;
}

static struct place block_of_size(const struct cs_blocks *blocks, struct place size)
{
    return block_with(blocks, INT_MAX - (int)(uint32_t)keys_at(&blocks->by_size, size)->key);
}

void cs_blocks_take(struct cs_blocks *blocks, int wanted, double end, struct cs_blocks_set *set)
{
    CS_REQUIRE(set->count == 0 && wanted <= blocks->free && !isnan(end));
    while (wanted > 0) {
        const struct place size = size_that_fits(blocks, wanted);
        const struct place place = block_of_size(blocks, size);
        const int count = min(wanted, block_size(blocks, place));

        sizes_remove_at(blocks, size);
        block_take(blocks, place, count, before_is_nearer(blocks, place, end), end, set);
        wanted -= count;
    }
    if (set->count > 1)
        qsort(set->interval, (size_t)set->count, sizeof *set->interval, compare);
}

void cs_blocks_take_lowest(struct cs_blocks *blocks, int wanted, double end,
                           struct cs_blocks_set *set)
{
    struct place place = {0, 0};

    CS_REQUIRE(set->count == 0 && wanted <= blocks->free && !isnan(end));
    while (wanted > 0) {
        int count;

        while (!block_is_free(keys_at(&blocks->by_first, place)))
            CS_REQUIRE(keys_next(&blocks->by_first, &place));
        count = min(wanted, block_size(blocks, place));
        sizes_remove(blocks, block_of_key(keys_at(&blocks->by_first, place)->key));
        block_take(blocks, place, count, true, end, set);
        wanted -= count;
    }
}

/* ---- releasing ---- */

/* A block that is free from now on and its free neighbours become one. */
static void block_free(struct cs_blocks *blocks, struct place place)
{
    struct cs_blocks_keys *all = &blocks->by_first;
    struct cs_interval block = block_of_key(keys_at(all, place)->key), other;
    struct place low = place, high = place;

    blocks->free += block.last - block.first + 1;
    if (keys_next(all, &high) && block_is_free(keys_at(all, high))) {
        other = block_of_key(keys_at(all, high)->key);
        block.last = other.last;
        sizes_remove(blocks, other);
        keys_remove(blocks, all, high);
    }
    if (keys_back(all, &low) && block_is_free(keys_at(all, low))) {
        other = block_of_key(keys_at(all, low)->key);
        block.first = other.first;
        sizes_remove(blocks, other);
        keys_remove(blocks, all, place);
        place = low;
    }
    block_set(blocks, place, block.first, block.last, NAN);
    sizes_add(blocks, block.first, block.last);
    keys_tidy(blocks, all, place.chunk);
}

/* Cut first .. last out of a held block, or as many of them as it has. */
static struct place block_cut(struct cs_blocks *blocks, int first, int last)
{
    struct place place = block_with(blocks, first);
    const struct cs_blocks_key held = *keys_at(&blocks->by_first, place);
    const struct cs_interval block = block_of_key(held.key);

    CS_REQUIRE(!block_is_free(&held));
    last = min(last, block.last);
    if (block.first < first) {
        block_set(blocks, place, block.first, first - 1, held.end);
        block_add(blocks, first, block.last, held.end);
        place = block_with(blocks, first);
    }
    if (last < block.last) {
        block_set(blocks, place, first, last, held.end);
        block_add(blocks, last + 1, block.last, held.end);
        place = block_with(blocks, first);
    }
    return place;
}

static void blocks_release_one(struct cs_blocks *blocks, struct cs_interval procs)
{
    CS_REQUIRE(0 <= procs.first && procs.first <= procs.last && procs.last < blocks->procs);
    for (;;) {
        const struct place place = block_cut(blocks, procs.first, procs.last);
        const int last = block_of_key(keys_at(&blocks->by_first, place)->key).last;

        block_free(blocks, place);
        if (last == procs.last)
            return;
        procs.first = last + 1;
    }
}

void cs_blocks_release_some(struct cs_blocks *blocks, const struct cs_interval *procs, int count)
{
    for (int i = 0; i < count; i++)
        blocks_release_one(blocks, procs[i]);
}

void cs_blocks_release(struct cs_blocks *blocks, struct cs_blocks_set *set)
{
    cs_blocks_release_some(blocks, set->interval, set->count);
    if (set->interval) {
        struct cs_blocks_spare *spare = (struct cs_blocks_spare *)(void *)set->interval;

        spare->next = blocks->spare[set->size];
        blocks->spare[set->size] = spare;
    }
    *set = (struct cs_blocks_set){0};
}
