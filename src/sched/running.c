/* running.c - attempts that run, by expected end: a sorted list in blocks.
 *
 * Source: spec/rigid.md II 1.1 (a sorted array, latest first, is faster than a heap for few
 * attempts).
 *
 * Idea: the attempts with the earliest ends are at the end of the last block (`soon`), so the next
 * one to end is removed without moving others.
 *
 * Invariants:
 * - Ends descend from the first block to the last and within a block; of equal ends the one that
 *   was added last is nearest to the end of the list.
 * - `few` counts the last block, `others` all before it; the last block is empty only if all are.
 * - block->procs is the sum of its attempts, except for the last block, which is not measured.
 *
 * Complexity: add and remove O(log blocks + 64), and O(blocks) when a block is split or dropped.
 * Measured (bench/README.md): 0.3 us for an attempt with 1,000 that run, 2 to 3 us with 10,000.
 *
 * Constant                            | found        | at half, at double
 * CS_SCHED_RUNNING_BLOCK: 64 attempts | not recorded | not measured
 */
#include "sched/running.h"

#include "base/bug.h"

#include <string.h>

#define BLOCK CS_SCHED_RUNNING_BLOCK

static int count_in(const struct cs_sched_running *r, int b)
{
    return cs_sched_running_count_in(r, b);
}

/* A new, empty block at position b. */
static struct cs_sched_running_block *insert_block(struct cs_sched_running *r, int b)
{
    struct cs_sched_running_block *block = r->spare;

    if (block)
        r->spare = block->next_spare;
    else
        block = CS_NEW(r->arena, struct cs_sched_running_block);
    if (r->blocks == r->room) {
        r->room = r->room ? 2 * r->room : 4;
        r->block = cs_arena_grow(r->arena, r->block, (size_t)r->blocks, (size_t)r->room,
                                 sizeof(struct cs_sched_running_block *));
    }
    memmove(r->block + b + 1, r->block + b,
            (size_t)(r->blocks - b) * sizeof(struct cs_sched_running_block *));
    block->count = block->procs = 0;
    block->never.end = INFINITY;
    r->block[b] = block;
    r->blocks++;
    r->soon = r->block[r->blocks - 1];
    return block;
}

/* Take the block, which is not the last or empty, out of the list. */
static void drop_block(struct cs_sched_running *r, int b)
{
    r->block[b]->next_spare = r->spare;
    r->spare = r->block[b];
    r->blocks--;
    memmove(r->block + b, r->block + b + 1,
            (size_t)(r->blocks - b) * sizeof(struct cs_sched_running_block *));
}

void cs_sched_running_init(struct cs_sched_running *r, struct cs_arena *arena)
{
    *r = (struct cs_sched_running){.arena = arena};
    insert_block(r, 0);
}

void cs_sched_running_clear(struct cs_sched_running *r)
{
    while (r->blocks > 1)
        drop_block(r, 0);
    r->few = r->others = 0;
}

/* The block before the last becomes the last. */
void cs_sched_running_drop_soon(struct cs_sched_running *r)
{
    drop_block(r, r->blocks - 1);
    r->soon = r->block[r->blocks - 1];
    r->few = r->soon->count;
    r->others -= r->few;
}

static void running_measure(struct cs_sched_running_block *block, int count)
{
    block->count = count;
    block->procs = 0;
    for (int i = 0; i < count; i++)
        block->procs += block->attempt[i].procs;
}

/* The half of a full block that ends earlier goes to a new one behind it. */
static void running_split(struct cs_sched_running *r, int b)
{
    struct cs_sched_running_block *late = r->block[b], *early;
    bool last = b == r->blocks - 1;

    early = insert_block(r, b + 1);
    memcpy(early->attempt, late->attempt + BLOCK / 2, sizeof late->attempt / 2);
    running_measure(late, BLOCK / 2);
    running_measure(early, BLOCK / 2);
    if (last) {
        r->few = BLOCK / 2;
        r->others += BLOCK / 2;
    }
}

/* The last block whose first attempt ends at `end` or later; else the first block. */
static int block_for(const struct cs_sched_running *r, double end)
{
    int low = 0, high = r->blocks;

    while (high - low > 1) {
        int middle = low + (high - low) / 2;

        if (r->block[middle]->attempt[0].end < end)
            high = middle;
        else
            low = middle;
    }
    return low;
}

/* One more in the block, or one less. */
static void running_count(struct cs_sched_running *r, int b, int more, int procs)
{
    if (b == r->blocks - 1) {
        r->few += more;
        return;
    }
    r->others += more;
    r->block[b]->count += more;
    r->block[b]->procs += more * procs;
}

void cs_sched_running_add_elsewhere(struct cs_sched_running *r, double end, int procs, int ticket)
{
    int b = block_for(r, end);
    struct cs_sched_attempt *first, *at;

    if (count_in(r, b) == BLOCK) {
        running_split(r, b);
        b = block_for(r, end);
    }
    first = r->block[b]->attempt;
    for (at = first + count_in(r, b); at > first && at[-1].end < end; at--)
        *at = at[-1];
    *at = (struct cs_sched_attempt){end, procs, ticket};
    running_count(r, b, 1, procs);
}

/* Is the attempt before one that ends at `end` and was added as number `added`? */
static bool running_before(const struct cs_sched_attempt *attempt, double end, int64_t number,
                           const int64_t *added)
{
    if (attempt->end != end)
        return attempt->end > end;
    return added[attempt->ticket] < number;
}

/* The first block whose last attempt is not before it. */
static int find_block(const struct cs_sched_running *r, double end, int64_t number,
                      const int64_t *added)
{
    int low = 0, high = r->blocks - 1;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (running_before(&r->block[middle]->attempt[count_in(r, middle) - 1], end, number, added))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int find_in_block(const struct cs_sched_running *r, int b, double end, int64_t number,
                         const int64_t *added)
{
    int low = 0, high = count_in(r, b);

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (running_before(&r->block[b]->attempt[middle], end, number, added))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The attempts of the next block come behind those of this one, if they are few. */
static void running_join(struct cs_sched_running *r, int b)
{
    struct cs_sched_running_block *block = r->block[b], *next = r->block[b + 1];
    int mine = count_in(r, b), more = count_in(r, b + 1);
    bool last = b + 1 == r->blocks - 1;

    if (mine + more > BLOCK / 2)
        return;
    memcpy(block->attempt + mine, next->attempt, (size_t)more * sizeof *next->attempt);
    running_measure(block, mine + more);
    drop_block(r, b + 1);
    if (last) {
        r->soon = block;
        r->others -= mine;
        r->few += mine;
    }
}

void cs_sched_running_remove(struct cs_sched_running *r, double end, int ticket,
                             const int64_t *added)
{
    int b = find_block(r, end, added[ticket], added);
    int at = find_in_block(r, b, end, added[ticket], added), left = count_in(r, b) - at - 1;
    struct cs_sched_attempt *attempt = r->block[b]->attempt + at;

    CS_REQUIRE(left >= 0 && attempt->ticket == ticket);
    running_count(r, b, -1, attempt->procs);
    memmove(attempt, attempt + 1, (size_t)left * sizeof *attempt);
    if (count_in(r, b) == 0 && b < r->blocks - 1)
        drop_block(r, b);
    else if (r->few == 0 && r->others)
        cs_sched_running_drop_soon(r);
    else if (b + 1 < r->blocks)
        running_join(r, b);
}
