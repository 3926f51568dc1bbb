/* free_procs.h - the processors that are free while a plan is made or carried out.
 *
 * Any of them will do; or, in bags whose tasks hold consecutive numbers, a block of free ones that
 * is long enough: the lowest, or the one requested where it is free.
 */
#ifndef CS_MOLDABLE_FREE_PROCS_H
#define CS_MOLDABLE_FREE_PROCS_H

#include "problems/moldable/bag.h"

#include <stdbool.h>

struct cs_moldable_block {
    int first, last;
};

struct cs_moldable_room {
    int most;                        /* the widest task that can start */
    int blocks;                      /* ascending, none next to another */
    struct cs_moldable_block *block; /* NULL: any processors will do */
};

/* Room for what the bag's tasks hold at any time.  Clear it before use. */
void cs_moldable_room_init(struct cs_moldable_room *room, const struct cs_moldable_bag *bag,
                           struct cs_arena *arena);

/* All processors are free. */
void cs_moldable_room_clear(struct cs_moldable_room *room, int procs);

/* `to` was made for the same bag. */
void cs_moldable_room_copy(struct cs_moldable_room *to, const struct cs_moldable_room *from);

/* The two functions below, where numbers matter. */
int cs_moldable_room_take_block(struct cs_moldable_room *room, int request, int procs);
void cs_moldable_room_give_block(struct cs_moldable_room *room, int first, int procs);

/* Take at most room->most processors: the number of the first, 0 where any will do.  `request` is
 * a first number, or -1. */
static inline int cs_moldable_room_take(struct cs_moldable_room *room, int request, int procs)
{
    if (room->block)
        return cs_moldable_room_take_block(room, request, procs);
    room->most -= procs;
    return 0;
}

static inline void cs_moldable_room_give(struct cs_moldable_room *room, int first, int procs)
{
    if (room->block)
        cs_moldable_room_give_block(room, first, procs);
    else
        room->most += procs;
}

/* The holder of `procs` from *first on gets `more` instead, from elsewhere if need be.  False, and
 * the room is as before, when there is no room. */
static inline bool cs_moldable_room_widen(struct cs_moldable_room *room, int *first, int procs,
                                          int more)
{
    bool fits;

    cs_moldable_room_give(room, *first, procs);
    fits = more <= room->most;
    *first = cs_moldable_room_take(room, fits ? -1 : *first, fits ? more : procs);
    return fits;
}

#endif
