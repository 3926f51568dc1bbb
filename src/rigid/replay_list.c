/* replay_list.c - a sorted list in blocks, with least widths and times above them.
 *
 * An insertion or removal moves the rest of a block; only when a block is made or dropped, every
 * few dozen times, does the list of blocks move.
 */
#include "rigid/replay_list.h"

#include "base/bug.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define BLOCK CS_RIGID_REPLAY_BLOCK

static const struct cs_rigid_replay_least nothing = {INFINITY, INT_MAX};

void cs_rigid_replay_list_init(struct cs_rigid_replay_list *list, struct cs_arena *arena)
{
    *list = (struct cs_rigid_replay_list){.arena = arena};
}

bool cs_rigid_replay_before(const struct cs_rigid_replay_entry *a,
                            const struct cs_rigid_replay_entry *b)
{
    if (a->late != b->late)
        return a->late < b->late;
    if (a->key != b->key)
        return a->key < b->key;
    return a->number < b->number;
}

bool cs_rigid_replay_under(const struct cs_rigid_replay_stairs *stairs, int procs, double seconds)
{
    int last = stairs->steps - 1;
    double end;

    if (procs > stairs->free[0])
        return false;
    if (procs <= stairs->free[last])
        return true;
    end = (stairs->now + seconds) + stairs->verification;
    for (int s = 0; s < last; s++)
        if (end <= stairs->end[s])
            return procs <= stairs->free[s];
    return false;
}

static struct cs_rigid_replay_least least_of(struct cs_rigid_replay_least a, int procs,
                                             double seconds)
{
    if (procs < a.procs)
        a.procs = procs;
    if (seconds < a.seconds)
        a.seconds = seconds;
    return a;
}

static void measure_group(struct cs_rigid_replay_list *list, int group)
{
    struct cs_rigid_replay_least least = nothing;
    int from = group * BLOCK, to = from + BLOCK < list->blocks ? from + BLOCK : list->blocks;

    for (int b = from; b < to; b++)
        least = least_of(least, list->least[b].procs, list->least[b].seconds);
    list->group[group] = least;
}

static void measure_block(struct cs_rigid_replay_list *list, int b)
{
    const struct cs_rigid_replay_block *block = list->block[b];
    struct cs_rigid_replay_least least = nothing;
    int64_t procs = 0;

    for (int i = 0; i < block->count; i++) {
        least = least_of(least, block->entry[i].procs, block->entry[i].seconds);
        procs += block->entry[i].procs;
    }
    list->least[b] = least;
    list->procs[b] = procs;
}

static void measure_groups_from(struct cs_rigid_replay_list *list, int b)
{
    for (int g = b / BLOCK; g * BLOCK < list->blocks; g++)
        measure_group(list, g);
}

static void *grown(struct cs_rigid_replay_list *list, const void *old, size_t size)
{
    void *room = cs_arena_alloc(list->arena, (size_t)list->room, size);

    if (list->blocks)
        memcpy(room, old, (size_t)list->blocks * size);
    return room;
}

static void grow(struct cs_rigid_replay_list *list)
{
    CS_REQUIRE(list->room < INT_MAX / 2);
    list->room = list->room ? 2 * list->room : BLOCK;
    list->block = grown(list, list->block, sizeof(struct cs_rigid_replay_block *));
    list->least = grown(list, list->least, sizeof *list->least);
    list->procs = grown(list, list->procs, sizeof *list->procs);
    list->group = CS_NEW_ARRAY(list->arena, struct cs_rigid_replay_least, list->room / BLOCK);
    measure_groups_from(list, 0);
}

/* A new, empty block at position b; the caller measures. */
static struct cs_rigid_replay_block *add_block(struct cs_rigid_replay_list *list, int b)
{
    struct cs_rigid_replay_block *block = list->spare;
    size_t behind = (size_t)(list->blocks - b);

    if (block)
        list->spare = block->next_spare;
    else
        block = CS_NEW(list->arena, struct cs_rigid_replay_block);
    if (list->blocks == list->room)
        grow(list);
    memmove(list->block + b + 1, list->block + b, behind * sizeof(struct cs_rigid_replay_block *));
    memmove(list->least + b + 1, list->least + b, behind * sizeof *list->least);
    memmove(list->procs + b + 1, list->procs + b, behind * sizeof *list->procs);
    list->blocks++;
    block->count = 0;
    list->block[b] = block;
    list->least[b] = nothing;
    list->procs[b] = 0;
    return block;
}

static void drop_block(struct cs_rigid_replay_list *list, int b)
{
    size_t behind = (size_t)(list->blocks - b - 1);

    list->block[b]->next_spare = list->spare;
    list->spare = list->block[b];
    memmove(list->block + b, list->block + b + 1, behind * sizeof(struct cs_rigid_replay_block *));
    memmove(list->least + b, list->least + b + 1, behind * sizeof *list->least);
    memmove(list->procs + b, list->procs + b + 1, behind * sizeof *list->procs);
    list->blocks--;
    measure_groups_from(list, b);
}

/* The first block whose last entry is not before this one. */
static int find_block(const struct cs_rigid_replay_list *list,
                      const struct cs_rigid_replay_entry *entry)
{
    int low = 0, high = list->blocks;

    while (low < high) {
        int middle = low + (high - low) / 2;
        const struct cs_rigid_replay_block *block = list->block[middle];

        if (cs_rigid_replay_before(&block->entry[block->count - 1], entry))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first entry of the block that is not before this one. */
static int find_in_block(const struct cs_rigid_replay_block *block,
                         const struct cs_rigid_replay_entry *entry)
{
    int low = 0, high = block->count;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (cs_rigid_replay_before(&block->entry[middle], entry))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The upper half of a full block goes to a new one behind it. */
static void split(struct cs_rigid_replay_list *list, int b)
{
    struct cs_rigid_replay_block *upper = add_block(list, b + 1), *lower = list->block[b];

    upper->count = BLOCK / 2;
    lower->count = BLOCK - BLOCK / 2;
    memcpy(upper->entry, lower->entry + lower->count, (size_t)upper->count * sizeof *lower->entry);
    measure_block(list, b);
    measure_block(list, b + 1);
    measure_groups_from(list, b);
}

/* A block with room for the entry. */
static int make_room(struct cs_rigid_replay_list *list, const struct cs_rigid_replay_entry *entry)
{
    int b = find_block(list, entry);

    if (b == list->blocks) {
        if (b == 0 || list->block[b - 1]->count == BLOCK) {
            add_block(list, b);
            measure_group(list, b / BLOCK);
            return b;
        }
        return b - 1;
    }
    if (list->block[b]->count == BLOCK) {
        split(list, b);
        if (cs_rigid_replay_before(&list->block[b]->entry[list->block[b]->count - 1], entry))
            b++;
    }
    return b;
}

void cs_rigid_replay_list_insert(struct cs_rigid_replay_list *list,
                                 const struct cs_rigid_replay_entry *entry)
{
    int b = make_room(list, entry);
    struct cs_rigid_replay_block *block = list->block[b];
    int at = find_in_block(block, entry);

    memmove(block->entry + at + 1, block->entry + at,
            (size_t)(block->count - at) * sizeof *block->entry);
    block->entry[at] = *entry;
    block->count++;
    list->count++;
    list->procs[b] += entry->procs;
    list->least[b] = least_of(list->least[b], entry->procs, entry->seconds);
    list->group[b / BLOCK] = least_of(list->group[b / BLOCK], entry->procs, entry->seconds);
}

struct cs_rigid_replay_place cs_rigid_replay_list_find(const struct cs_rigid_replay_list *list,
                                                       const struct cs_rigid_replay_entry *entry)
{
    int b = find_block(list, entry);

    if (b == list->blocks)
        return (struct cs_rigid_replay_place){b, 0};
    return (struct cs_rigid_replay_place){b, find_in_block(list->block[b], entry)};
}

const struct cs_rigid_replay_entry *cs_rigid_replay_list_at(const struct cs_rigid_replay_list *list,
                                                            struct cs_rigid_replay_place *place)
{
    if (place->block < list->blocks && place->at == list->block[place->block]->count)
        *place = (struct cs_rigid_replay_place){place->block + 1, 0};
    if (place->block >= list->blocks)
        return NULL;
    return &list->block[place->block]->entry[place->at];
}

/* The entries of the next block come behind those of this one. */
static void join(struct cs_rigid_replay_list *list, int b)
{
    struct cs_rigid_replay_block *block = list->block[b], *next = list->block[b + 1];

    memcpy(block->entry + block->count, next->entry, (size_t)next->count * sizeof *next->entry);
    block->count += next->count;
    measure_block(list, b);
    drop_block(list, b + 1);
    measure_group(list, b / BLOCK);
}

void cs_rigid_replay_list_remove(struct cs_rigid_replay_list *list,
                                 struct cs_rigid_replay_place place)
{
    int b = place.block;
    struct cs_rigid_replay_block *block = list->block[b];
    const struct cs_rigid_replay_entry gone = block->entry[place.at];

    block->count--;
    list->count--;
    memmove(block->entry + place.at, block->entry + place.at + 1,
            (size_t)(block->count - place.at) * sizeof *block->entry);
    list->procs[b] -= gone.procs;
    if (block->count == 0) {
        drop_block(list, b);
    } else if (b + 1 < list->blocks && block->count + list->block[b + 1]->count <= BLOCK / 2) {
        join(list, b);
    } else if (gone.procs == list->least[b].procs || gone.seconds == list->least[b].seconds) {
        measure_block(list, b);
        measure_group(list, b / BLOCK);
    }
}

static bool may_hold(const struct cs_rigid_replay_stairs *stairs,
                     const struct cs_rigid_replay_least *least)
{
    return cs_rigid_replay_under(stairs, least->procs, least->seconds);
}

/* The first block from b on that may hold an answer. */
static int next_block(const struct cs_rigid_replay_list *list, int b,
                      const struct cs_rigid_replay_stairs *stairs)
{
    while (b < list->blocks) {
        if (b % BLOCK == 0 && !may_hold(stairs, &list->group[b / BLOCK]))
            b += BLOCK;
        else if (!may_hold(stairs, &list->least[b]))
            b++;
        else
            return b;
    }
    return list->blocks;
}

const struct cs_rigid_replay_entry *
cs_rigid_replay_list_first(const struct cs_rigid_replay_list *list,
                           struct cs_rigid_replay_place *place,
                           const struct cs_rigid_replay_stairs *stairs)
{
    int at = place->at;

    for (int b = next_block(list, place->block, stairs); b < list->blocks;
         b = next_block(list, b + 1, stairs)) {
        const struct cs_rigid_replay_block *block = list->block[b];

        for (int i = b == place->block ? at : 0; i < block->count; i++)
            if (cs_rigid_replay_under(stairs, block->entry[i].procs, block->entry[i].seconds)) {
                *place = (struct cs_rigid_replay_place){b, i};
                return &block->entry[i];
            }
    }
    *place = (struct cs_rigid_replay_place){list->blocks, 0};
    return NULL;
}
