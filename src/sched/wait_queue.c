/* wait_queue.c - waiting jobs where jobs arrive: a sorted list in blocks, with least widths and
 * times.
 *
 * Source: this project.
 *
 * Idea: blocks of up to 64 entries in order; for each block, and for each group of 64 blocks, the
 * least width and the least time.  A search for the first job under the step function skips groups
 * and blocks whose least job is not under it.
 *
 * Invariants:
 * - No block is empty; blocks and the entries in them ascend by place.
 * - least[] and group[] are the minimum of what is in them; the two minima may belong to two jobs,
 *   so a block that is not skipped may hold no answer.
 * - After a removal a block and the next one are joined when they fill at most half a block.
 *
 * Complexity: insert and remove O(log blocks + 64), and O(blocks) when a block is made or dropped,
 * every few dozen operations; a search O(blocks / 64 + blocks that are not skipped).
 *
 * Constant                                | found        | at half, at double
 * CS_WAIT_QUEUE_BLOCK: 64 entries, blocks | not recorded | not measured
 */
#include "sched/wait_queue.h"

#include "base/bug.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#define BLOCK CS_WAIT_QUEUE_BLOCK

static const struct cs_wait_queue_least nothing = {INFINITY, INT_MAX};

void cs_wait_queue_init(struct cs_wait_queue *line, struct cs_arena *arena)
{
    *line = (struct cs_wait_queue){.arena = arena};
}

void cs_wait_queue_clear(struct cs_wait_queue *line)
{
    for (int b = 0; b < line->blocks; b++) {
        line->block[b]->next_spare = line->spare;
        line->spare = line->block[b];
    }
    line->blocks = 0;
    line->count = 0;
}

bool cs_sched_step_function_allow(const struct cs_sched_step_function *free_steps, int procs,
                                  double seconds)
{
    int last = free_steps->steps - 1;
    double end;

    if (procs > free_steps->free[0])
        return false;
    if (procs <= free_steps->free[last])
        return true;
    end = (free_steps->now + seconds) + free_steps->verification;
    for (int s = 0; s < last; s++)
        if (end <= free_steps->end[s])
            return procs <= free_steps->free[s];
    return false;
}

static struct cs_wait_queue_least least_of(struct cs_wait_queue_least a, int procs, double seconds)
{
    if (procs < a.procs)
        a.procs = procs;
    if (seconds < a.seconds)
        a.seconds = seconds;
    return a;
}

static void measure_group(struct cs_wait_queue *line, int group)
{
    struct cs_wait_queue_least least = nothing;
    int from = group * BLOCK, to = from + BLOCK < line->blocks ? from + BLOCK : line->blocks;

    for (int b = from; b < to; b++)
        least = least_of(least, line->least[b].procs, line->least[b].seconds);
    line->group[group] = least;
}

static void measure_block(struct cs_wait_queue *line, int b)
{
    const struct cs_wait_queue_block *block = line->block[b];
    struct cs_wait_queue_least least = nothing;

    for (int i = 0; i < block->count; i++)
        least = least_of(least, block->entry[i].procs, block->entry[i].seconds);
    line->least[b] = least;
}

/* When that one has left the block.  Others are as narrow or as short more often than not. */
static void measure_without(struct cs_wait_queue *line, int b,
                            const struct cs_wait_queue_entry *gone)
{
    const struct cs_wait_queue_block *block = line->block[b];
    const struct cs_wait_queue_least before = line->least[b];
    struct cs_wait_queue_least least = nothing;

    if (gone->procs > before.procs && gone->seconds > before.seconds)
        return;
    for (int i = 0; i < block->count; i++) {
        least = least_of(least, block->entry[i].procs, block->entry[i].seconds);
        if (least.procs == before.procs && least.seconds == before.seconds)
            return;
    }
    line->least[b] = least;
    measure_group(line, b / BLOCK);
}

static void measure_groups_from(struct cs_wait_queue *line, int b)
{
    for (int g = b / BLOCK; g * BLOCK < line->blocks; g++)
        measure_group(line, g);
}

static void *line_grown(struct cs_wait_queue *line, const void *old, size_t size)
{
    return cs_arena_grow(line->arena, old, (size_t)line->blocks, (size_t)line->room, size);
}

static void line_grow(struct cs_wait_queue *line)
{
    CS_REQUIRE(line->room < INT_MAX / 2);
    line->room = line->room ? 2 * line->room : BLOCK;
    line->block = line_grown(line, line->block, sizeof(struct cs_wait_queue_block *));
    line->least = line_grown(line, line->least, sizeof *line->least);
    line->group = CS_NEW_ARRAY(line->arena, struct cs_wait_queue_least, line->room / BLOCK);
    measure_groups_from(line, 0);
}

/* A new, empty block at position b; the caller measures. */
static struct cs_wait_queue_block *add_block(struct cs_wait_queue *line, int b)
{
    struct cs_wait_queue_block *block = line->spare;
    size_t behind = (size_t)(line->blocks - b);

    if (block)
        line->spare = block->next_spare;
    else
        block = CS_NEW(line->arena, struct cs_wait_queue_block);
    if (line->blocks == line->room)
        line_grow(line);
    memmove(line->block + b + 1, line->block + b, behind * sizeof(struct cs_wait_queue_block *));
    memmove(line->least + b + 1, line->least + b, behind * sizeof *line->least);
    line->blocks++;
    block->count = 0;
    line->block[b] = block;
    line->least[b] = nothing;
    return block;
}

static void drop_block(struct cs_wait_queue *line, int b)
{
    size_t behind = (size_t)(line->blocks - b - 1);

    line->block[b]->next_spare = line->spare;
    line->spare = line->block[b];
    memmove(line->block + b, line->block + b + 1, behind * sizeof(struct cs_wait_queue_block *));
    memmove(line->least + b, line->least + b + 1, behind * sizeof *line->least);
    line->blocks--;
    measure_groups_from(line, b);
}

/* The first block whose last entry is not before this one. */
static int find_block(const struct cs_wait_queue *line, const struct cs_sched_place *place)
{
    int low = 0, high = line->blocks;

    while (low < high) {
        int middle = low + (high - low) / 2;
        const struct cs_wait_queue_block *block = line->block[middle];

        if (cs_sched_place_before(&block->entry[block->count - 1].place, place))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The first entry of the block that is not before this one. */
static int find_in_block(const struct cs_wait_queue_block *block,
                         const struct cs_sched_place *place)
{
    int low = 0, high = block->count;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (cs_sched_place_before(&block->entry[middle].place, place))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The upper half of a full block goes to a new one behind it. */
static void line_split(struct cs_wait_queue *line, int b)
{
    struct cs_wait_queue_block *upper = add_block(line, b + 1), *lower = line->block[b];

    upper->count = BLOCK / 2;
    lower->count = BLOCK - BLOCK / 2;
    memcpy(upper->entry, lower->entry + lower->count, (size_t)upper->count * sizeof *lower->entry);
    measure_block(line, b);
    measure_block(line, b + 1);
    measure_groups_from(line, b);
}

/* A block with room for the entry. */
static int line_make_room(struct cs_wait_queue *line, const struct cs_sched_place *place)
{
    int b = find_block(line, place);

    if (b == line->blocks) {
        if (b == 0 || line->block[b - 1]->count == BLOCK) {
            add_block(line, b);
            measure_group(line, b / BLOCK);
            return b;
        }
        return b - 1;
    }
    if (line->block[b]->count == BLOCK) {
        line_split(line, b);
        if (cs_sched_place_before(&line->block[b]->entry[line->block[b]->count - 1].place, place))
            b++;
    }
    return b;
}

/* Is it behind all others, in a block with room? */
static bool goes_last(const struct cs_wait_queue *line, const struct cs_sched_place *place)
{
    const struct cs_wait_queue_block *last;

    if (line->blocks == 0)
        return false;
    last = line->block[line->blocks - 1];
    return last->count < BLOCK && cs_sched_place_before(&last->entry[last->count - 1].place, place);
}

void cs_wait_queue_insert(struct cs_wait_queue *line, const struct cs_wait_queue_entry *entry)
{
    bool last = goes_last(line, &entry->place);
    int b = last ? line->blocks - 1 : line_make_room(line, &entry->place);
    struct cs_wait_queue_block *block = line->block[b];
    int at = last ? block->count : find_in_block(block, &entry->place);

    if (!last)
        memmove(block->entry + at + 1, block->entry + at,
                (size_t)(block->count - at) * sizeof *block->entry);
    block->entry[at] = *entry;
    block->count++;
    line->count++;
    line->least[b] = least_of(line->least[b], entry->procs, entry->seconds);
    line->group[b / BLOCK] = least_of(line->group[b / BLOCK], entry->procs, entry->seconds);
}

struct cs_sched_cursor cs_wait_queue_find(const struct cs_wait_queue *line,
                                          const struct cs_sched_place *place)
{
    int b = find_block(line, place);

    if (b == line->blocks)
        return (struct cs_sched_cursor){b, 0};
    return (struct cs_sched_cursor){b, find_in_block(line->block[b], place)};
}

const struct cs_wait_queue_entry *cs_wait_queue_at(const struct cs_wait_queue *line,
                                                   struct cs_sched_cursor *at)
{
    if (at->block < line->blocks && at->at == line->block[at->block]->count)
        *at = (struct cs_sched_cursor){at->block + 1, 0};
    if (at->block >= line->blocks)
        return NULL;
    return &line->block[at->block]->entry[at->at];
}

/* The entries of the next block come behind those of this one. */
static void line_join(struct cs_wait_queue *line, int b)
{
    struct cs_wait_queue_block *block = line->block[b], *next = line->block[b + 1];

    memcpy(block->entry + block->count, next->entry, (size_t)next->count * sizeof *next->entry);
    block->count += next->count;
    measure_block(line, b);
    drop_block(line, b + 1);
    measure_group(line, b / BLOCK);
}

void cs_wait_queue_remove(struct cs_wait_queue *line, struct cs_sched_cursor at)
{
    int b = at.block;
    struct cs_wait_queue_block *block = line->block[b];
    const struct cs_wait_queue_entry gone = block->entry[at.at];

    block->count--;
    line->count--;
    memmove(block->entry + at.at, block->entry + at.at + 1,
            (size_t)(block->count - at.at) * sizeof *block->entry);
    if (block->count == 0) {
        drop_block(line, b);
    } else if (b + 1 < line->blocks && block->count + line->block[b + 1]->count <= BLOCK / 2) {
        line_join(line, b);
    } else {
        measure_without(line, b, &gone);
    }
}

static bool may_hold(const struct cs_sched_step_function *free_steps,
                     const struct cs_wait_queue_least *least)
{
    return cs_sched_step_function_allow(free_steps, least->procs, least->seconds);
}

/* The first block from b on that may hold an answer. */
static int next_block(const struct cs_wait_queue *line, int b,
                      const struct cs_sched_step_function *free_steps)
{
    while (b < line->blocks) {
        if (b % BLOCK == 0 && !may_hold(free_steps, &line->group[b / BLOCK]))
            b += BLOCK;
        else if (!may_hold(free_steps, &line->least[b]))
            b++;
        else
            return b;
    }
    return line->blocks;
}

const struct cs_wait_queue_entry *
cs_wait_queue_first(const struct cs_wait_queue *line, struct cs_sched_cursor *at,
                    const struct cs_sched_step_function *free_steps)
{
    for (int b = next_block(line, at->block, free_steps); b < line->blocks;
         b = next_block(line, b + 1, free_steps)) {
        const struct cs_wait_queue_block *block = line->block[b];

        for (int i = b == at->block ? at->at : 0; i < block->count; i++)
            if (cs_sched_step_function_allow(free_steps, block->entry[i].procs,
                                             block->entry[i].seconds)) {
                *at = (struct cs_sched_cursor){b, i};
                return &block->entry[i];
            }
    }
    *at = (struct cs_sched_cursor){line->blocks, 0};
    return NULL;
}
