/* blocks.c - which processors are free, in blocks of consecutive numbers that placement keeps
 * whole.
 *
 * Source: this project; the rule is in blocks.h.
 *
 * Idea: the processors are cut into blocks, each free or held until about some time.  Two sorted
 * lists of keys: all blocks by their first number, so that a block finds its neighbours, with their
 * ends (NaN: free); and the free ones by (size, number), so that a job finds the block that fits
 * best.
 *
 * Invariants: the blocks by first number cover 0 .. procs - 1 without a gap or an overlap; two free
 * blocks never touch; a held block is the part of one free block that one job took, or the rest
 * of it; `free` is the number of processors in free blocks.
 *
 * Complexity: for each block of a job at most five searches of a list (base/sorted.h); the lowest
 * numbers take a step for each block before them.  Arrays of intervals, powers of two, are kept for
 * later sets.
 */
#include "model/blocks.h"

#include "base/bug.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct cs_blocks_spare {
    struct cs_blocks_spare *next;
};

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

/* By size, then by first number. */
static uint64_t key_of_size(int first, int last)
{
    return (uint64_t)(last - first + 1) << 32 | (uint32_t)first;
}

static bool block_is_free(const struct cs_sorted_key *block)
{
    return isnan(block->value);
}

/* The block with this processor. */
static struct cs_sorted_place block_with(const struct cs_blocks *blocks, int proc)
{
    struct cs_sorted_place place =
        cs_sorted_find(&blocks->by_first, (uint64_t)proc << 32 | UINT32_MAX);

    cs_sorted_back(&blocks->by_first, &place);
    return place;
}

/* The block is first .. last from now on, which stays between its neighbours. */
static void block_set(struct cs_blocks *blocks, struct cs_sorted_place place, int first, int last,
                      double end)
{
    *cs_sorted_at(&blocks->by_first, place) =
        (struct cs_sorted_key){key_of_block(first, last), end};
}

static void block_add(struct cs_blocks *blocks, int first, int last, double end)
{
    cs_sorted_insert(&blocks->by_first, key_of_block(first, last), end);
}

static void sizes_add(struct cs_blocks *blocks, int first, int last)
{
    cs_sorted_insert(&blocks->by_size, key_of_size(first, last), 0);
}

static void sizes_remove_at(struct cs_blocks *blocks, struct cs_sorted_place place)
{
    cs_sorted_remove(&blocks->by_size, place);
    cs_sorted_tidy(&blocks->by_size, place.chunk);
}

static void sizes_remove(struct cs_blocks *blocks, struct cs_interval block)
{
    sizes_remove_at(blocks, cs_sorted_find(&blocks->by_size, key_of_size(block.first, block.last)));
}

void cs_blocks_init(struct cs_blocks *blocks, int procs, struct cs_arena *arena)
{
    CS_REQUIRE(procs >= 1);
    *blocks = (struct cs_blocks){.arena = arena, .procs = procs, .free = procs};
    cs_sorted_init(&blocks->by_first, arena);
    cs_sorted_init(&blocks->by_size, arena);
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

/* Of the smallest free block that holds so many processors, or of the largest, by size. */
static struct cs_sorted_place size_that_fits(const struct cs_blocks *blocks, int wanted)
{
    const struct cs_sorted *sizes = &blocks->by_size;
    struct cs_sorted_place place = cs_sorted_last(sizes);
    const uint64_t largest = cs_sorted_at(sizes, place)->key >> 32;

    if (largest > (uint64_t)wanted)
        return cs_sorted_find(sizes, (uint64_t)wanted << 32);
    if (cs_sorted_back(sizes, &place) && cs_sorted_at(sizes, place)->key >> 32 == largest)
        return cs_sorted_find(sizes, largest << 32);
    return cs_sorted_last(sizes);
}

static double distance_between(double end, double other)
{
    return end == other ? 0 : fabs(end - other);
}

/* Does the neighbour before the block end as near to `end` as the one after it? */
static bool before_is_nearer(const struct cs_blocks *blocks, struct cs_sorted_place place,
                             double end)
{
    const struct cs_sorted *all = &blocks->by_first;
    struct cs_sorted_place before = place, after = place;
    double low = cs_sorted_back(all, &before) ? cs_sorted_at(all, before)->value : INFINITY;
    double high = cs_sorted_next(all, &after) ? cs_sorted_at(all, after)->value : INFINITY;

    return distance_between(low, end) <= distance_between(high, end);
}

/* `count` processors of the free block, on its low or its high side. */
static void block_take(struct cs_blocks *blocks, struct cs_sorted_place place, int count, bool low,
                       double end, struct cs_blocks_set *set)
{
    const struct cs_interval block = block_of_key(cs_sorted_at(&blocks->by_first, place)->key);
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

static int block_size(const struct cs_blocks *blocks, struct cs_sorted_place place)
{
    const struct cs_interval block = block_of_key(cs_sorted_at(&blocks->by_first, place)->key);

    return block.last - block.first + 1;
}

static int min(int a, int b)
{
    return a < b ? a : b;
}

static struct cs_sorted_place block_of_size(const struct cs_blocks *blocks,
                                            struct cs_sorted_place size)
{
    return block_with(blocks, (int)(uint32_t)cs_sorted_at(&blocks->by_size, size)->key);
}

void cs_blocks_take(struct cs_blocks *blocks, int wanted, double end, struct cs_blocks_set *set)
{
    CS_REQUIRE(set->count == 0 && wanted <= blocks->free && !isnan(end));
    while (wanted > 0) {
        const struct cs_sorted_place size = size_that_fits(blocks, wanted);
        const struct cs_sorted_place place = block_of_size(blocks, size);
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
    struct cs_sorted_place place = {0, 0};

    CS_REQUIRE(set->count == 0 && wanted <= blocks->free && !isnan(end));
    while (wanted > 0) {
        int count;

        while (!block_is_free(cs_sorted_at(&blocks->by_first, place)))
            CS_REQUIRE(cs_sorted_next(&blocks->by_first, &place));
        count = min(wanted, block_size(blocks, place));
        sizes_remove(blocks, block_of_key(cs_sorted_at(&blocks->by_first, place)->key));
        block_take(blocks, place, count, true, end, set);
        wanted -= count;
    }
}

/* ---- releasing ---- */

/* A block that is free from now on and its free neighbours become one. */
static void block_free(struct cs_blocks *blocks, struct cs_sorted_place place)
{
    struct cs_sorted *all = &blocks->by_first;
    struct cs_interval block = block_of_key(cs_sorted_at(all, place)->key), other;
    struct cs_sorted_place low = place, high = place;

    blocks->free += block.last - block.first + 1;
    if (cs_sorted_next(all, &high) && block_is_free(cs_sorted_at(all, high))) {
        other = block_of_key(cs_sorted_at(all, high)->key);
        block.last = other.last;
        sizes_remove(blocks, other);
        cs_sorted_remove(all, high);
    }
    if (cs_sorted_back(all, &low) && block_is_free(cs_sorted_at(all, low))) {
        other = block_of_key(cs_sorted_at(all, low)->key);
        block.first = other.first;
        sizes_remove(blocks, other);
        cs_sorted_remove(all, place);
        place = low;
    }
    block_set(blocks, place, block.first, block.last, NAN);
    sizes_add(blocks, block.first, block.last);
    cs_sorted_tidy(all, place.chunk);
}

/* Cut first .. last out of a held block, or as many of them as it has. */
static struct cs_sorted_place block_cut(struct cs_blocks *blocks, int first, int last)
{
    struct cs_sorted_place place = block_with(blocks, first);
    const struct cs_sorted_key held = *cs_sorted_at(&blocks->by_first, place);
    const struct cs_interval block = block_of_key(held.key);

    CS_REQUIRE(!block_is_free(&held));
    last = min(last, block.last);
    if (block.first < first) {
        block_set(blocks, place, block.first, first - 1, held.value);
        block_add(blocks, first, block.last, held.value);
        place = block_with(blocks, first);
    }
    if (last < block.last) {
        block_set(blocks, place, first, last, held.value);
        block_add(blocks, last + 1, block.last, held.value);
        place = block_with(blocks, first);
    }
    return place;
}

static void blocks_release_one(struct cs_blocks *blocks, struct cs_interval procs)
{
    CS_REQUIRE(0 <= procs.first && procs.first <= procs.last && procs.last < blocks->procs);
    for (;;) {
        const struct cs_sorted_place place = block_cut(blocks, procs.first, procs.last);
        const int last = block_of_key(cs_sorted_at(&blocks->by_first, place)->key).last;

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
