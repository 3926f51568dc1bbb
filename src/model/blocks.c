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

/* The first key that is not below `key`; the chunk it would be in, or the last one. */
static struct place keys_find(const struct cs_blocks_keys *keys, uint64_t key)
{
    int low = 0, high = keys->chunks - 1, first = 0, last;
    const struct cs_blocks_chunk *chunk;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (keys->chunk[middle]->key[keys->chunk[middle]->count - 1].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    if (keys->chunks == 0)
        return (struct place){0, 0};
    chunk = keys->chunk[low];
    for (last = chunk->count; first < last;) {
        int middle = first + (last - first) / 2;

        if (chunk->key[middle].key < key)
            first = middle + 1;
        else
            last = middle;
    }
    return (struct place){low, first};
}

static bool keys_is_end(const struct cs_blocks_keys *keys, struct place place)
{
    return place.chunk == keys->chunks || place.at == keys->chunk[place.chunk]->count;
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

static void keys_remove(struct cs_blocks *blocks, struct cs_blocks_keys *keys, uint64_t key)
{
    struct place place = keys_find(keys, key);
    struct cs_blocks_chunk *chunk;

    CS_REQUIRE(!keys_is_end(keys, place) && keys_at(keys, place)->key == key);
    chunk = keys->chunk[place.chunk];
    chunk->count--;
    memmove(chunk->key + place.at, chunk->key + place.at + 1,
            (size_t)(chunk->count - place.at) * sizeof *chunk->key);
    if (chunk->count == 0) {
        chunk_remove(blocks, keys, place.chunk);
        return;
    }
    chunk_join(blocks, keys, place.chunk);
    chunk_join(blocks, keys, place.chunk - 1);
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

static int first_of_size(uint64_t key)
{
    return INT_MAX - (int)(uint32_t)key;
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

static void sizes_remove(struct cs_blocks *blocks, int first, int last)
{
    keys_remove(blocks, &blocks->by_size, key_of_size(first, last));
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

/* The smallest free block that holds so many processors; or the largest. */
static int block_that_fits(const struct cs_blocks *blocks, int wanted)
{
    const struct cs_blocks_keys *sizes = &blocks->by_size;
    struct place place = keys_find(sizes, (uint64_t)wanted << 32);

    if (!keys_is_end(sizes, place))
        place = keys_find(sizes, ((keys_at(sizes, place)->key >> 32) + 1) << 32);
    keys_back(sizes, &place);
    return first_of_size(keys_at(sizes, place)->key);
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
    sizes_remove(blocks, block.first, block.last);
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

void cs_blocks_take(struct cs_blocks *blocks, int wanted, double end, struct cs_blocks_set *set)
{
    CS_REQUIRE(set->count == 0 && wanted <= blocks->free && !isnan(end));
    while (wanted > 0) {
        struct place place = block_with(blocks, block_that_fits(blocks, wanted));
        int count = min(wanted, block_size(blocks, place));

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
        block_take(blocks, place, count, true, end, set);
        wanted -= count;
    }
}

/* ---- releasing ---- */

/* A free neighbour joins the block, which is removed for it; `place` stays that of the block. */
static void block_join_before(struct cs_blocks *blocks, struct cs_interval *block)
{
    struct place place = block_with(blocks, block->first);
    struct cs_interval other;

    if (!keys_back(&blocks->by_first, &place) || !block_is_free(keys_at(&blocks->by_first, place)))
        return;
    other = block_of_key(keys_at(&blocks->by_first, place)->key);
    sizes_remove(blocks, other.first, other.last);
    keys_remove(blocks, &blocks->by_first, key_of_block(other.first, other.last));
    block->first = other.first;
}

static void block_join_after(struct cs_blocks *blocks, struct cs_interval *block)
{
    struct place place = block_with(blocks, block->last);
    struct cs_interval other;

    if (!keys_next(&blocks->by_first, &place) || !block_is_free(keys_at(&blocks->by_first, place)))
        return;
    other = block_of_key(keys_at(&blocks->by_first, place)->key);
    sizes_remove(blocks, other.first, other.last);
    keys_remove(blocks, &blocks->by_first, key_of_block(other.first, other.last));
    block->last = other.last;
}

/* Make first .. last of a held block a block of its own; returns the last of them that it has. */
static int block_cut(struct cs_blocks *blocks, int first, int last)
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
    }
    return last;
}

static void blocks_release_one(struct cs_blocks *blocks, struct cs_interval procs)
{
    CS_REQUIRE(0 <= procs.first && procs.first <= procs.last && procs.last < blocks->procs);
    while (procs.first <= procs.last) {
        const int last = block_cut(blocks, procs.first, procs.last);
        struct cs_interval block = {procs.first, last};

        blocks->free += last - procs.first + 1;
        block_join_before(blocks, &block);
        block_join_after(blocks, &block);
        block_set(blocks, block_with(blocks, procs.first), block.first, block.last, NAN);
        sizes_add(blocks, block.first, block.last);
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
