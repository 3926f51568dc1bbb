/* free_procs.c - free processors as ascending blocks of consecutive numbers.
 *
 * Source: spec/moldable.md 4.6 (contiguous): the lowest block that is long enough.
 * Invariants: blocks ascend and never touch; `most` is the length of the longest, so that the test
 * `count <= most` is the same with and without numbers.
 * Complexity: O(blocks) for each take and give; without numbers O(1), in free_procs.h.
 */
#include "problems/moldable/free_procs.h"

#include "base/bug.h"

#include <string.h>

void cs_moldable_room_init(struct cs_moldable_room *room, const struct cs_moldable_bag *bag,
                           struct cs_arena *arena)
{
    *room = (struct cs_moldable_room){0};
    if (bag->contiguous)
        room->block = CS_NEW_ARRAY(arena, struct cs_moldable_block, (size_t)bag->tasks + 1);
}

void cs_moldable_room_clear(struct cs_moldable_room *room, int procs)
{
    room->most = procs;
    room->blocks = 1;
    if (room->block)
        room->block[0] = (struct cs_moldable_block){0, procs - 1};
}

void cs_moldable_room_copy(struct cs_moldable_room *to, const struct cs_moldable_room *from)
{
    to->most = from->most;
    to->blocks = from->blocks;
    if (from->block && from->blocks)
        memcpy(to->block, from->block, (size_t)from->blocks * sizeof *to->block);
}

static int room_length(const struct cs_moldable_block *block)
{
    return block->last - block->first + 1;
}

static void room_measure(struct cs_moldable_room *room)
{
    room->most = 0;
    for (int b = 0; b < room->blocks; b++)
        if (room_length(&room->block[b]) > room->most)
            room->most = room_length(&room->block[b]);
}

/* The first block that does not end before the number. */
static int room_find(const struct cs_moldable_room *room, int number)
{
    int low = 0, high = room->blocks;

    while (low < high) {
        int middle = low + (high - low) / 2;

        if (room->block[middle].last < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void room_drop(struct cs_moldable_room *room, int at)
{
    room->blocks--;
    memmove(room->block + at, room->block + at + 1,
            (size_t)(room->blocks - at) * sizeof *room->block);
}

static void room_insert(struct cs_moldable_room *room, int at, int first, int last)
{
    memmove(room->block + at + 1, room->block + at,
            (size_t)(room->blocks - at) * sizeof *room->block);
    room->block[at] = (struct cs_moldable_block){first, last};
    room->blocks++;
}

/* Take numbers out of a block that has them all. */
static void room_cut(struct cs_moldable_room *room, int at, int first, int last)
{
    struct cs_moldable_block *block = &room->block[at];
    int end = block->last;

    if (block->first < first) {
        block->last = first - 1;
        if (last < end)
            room_insert(room, at + 1, last + 1, end);
    } else if (last < end) {
        block->first = last + 1;
    } else {
        room_drop(room, at);
    }
}

static bool room_has(const struct cs_moldable_room *room, int at, int first, int procs)
{
    return at < room->blocks && room->block[at].first <= first &&
           room->block[at].last >= first + procs - 1;
}

int cs_moldable_room_take_block(struct cs_moldable_room *room, int request, int procs)
{
    int at = request < 0 ? room->blocks : room_find(room, request);

    CS_REQUIRE(procs <= room->most);
    if (!room_has(room, at, request, procs)) {
        at = 0;
        while (room_length(&room->block[at]) < procs)
            at++;
        request = room->block[at].first;
    }
    room_cut(room, at, request, request + procs - 1);
    room_measure(room);
    return request;
}

void cs_moldable_room_give_block(struct cs_moldable_room *room, int first, int procs)
{
    int at = room_find(room, first), last = first + procs - 1;
    bool joins_left = at > 0 && room->block[at - 1].last + 1 == first;
    bool joins_right = at < room->blocks && room->block[at].first == last + 1;

    if (joins_left && joins_right) {
        room->block[at - 1].last = room->block[at].last;
        room_drop(room, at);
    } else if (joins_left) {
        room->block[at - 1].last = last;
    } else if (joins_right) {
        room->block[at].first = first;
    } else {
        room_insert(room, at, first, last);
    }
    room_measure(room);
}
