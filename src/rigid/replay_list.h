/* replay_list.h - jobs in order, with insertion anywhere and questions about the first that fits.
 *
 * Blocks of up to CS_RIGID_REPLAY_BLOCK entries, in order; beside every block, and every
 * CS_RIGID_REPLAY_BLOCK blocks, the least width and the least time in it, so that a question skips
 * whatever cannot hold an answer.  The order is (late, key, number).  Memory follows the largest
 * number of entries there ever were at once; it belongs to the arena.
 */
#ifndef CS_RIGID_REPLAY_LIST_H
#define CS_RIGID_REPLAY_LIST_H

#include "base/arena.h"

#include <stdbool.h>
#include <stdint.h>

#define CS_RIGID_REPLAY_BLOCK 64

struct cs_rigid_replay_entry {
    double key, seconds;
    int64_t number; /* of the arrival: no two entries share one */
    int late;       /* 1: behind all that are 0 */
    int procs, slot;
};

struct cs_rigid_replay_block {
    int count;
    struct cs_rigid_replay_block *next_spare;
    struct cs_rigid_replay_entry entry[CS_RIGID_REPLAY_BLOCK];
};

/* What a block, or a group of blocks, holds. */
struct cs_rigid_replay_least {
    double seconds;
    int procs;
};

struct cs_rigid_replay_list {
    struct cs_arena *arena;
    int64_t count;
    int blocks, room;
    struct cs_rigid_replay_block **block; /* blocks of them, in order */
    struct cs_rigid_replay_least *least;  /* of each block */
    struct cs_rigid_replay_least *group;  /* of CS_RIGID_REPLAY_BLOCK blocks each */
    int64_t *procs;                       /* of each block: the sum of the widths */
    struct cs_rigid_replay_block *spare;
};

/* Where an entry is; the next one comes to the place of one that is removed. */
struct cs_rigid_replay_place {
    int block, at;
};

/* Processors that will be free, as a falling staircase from `now` on: free[s] until end[s], the
 * last for ever.  Who starts now on p processors for t seconds must stay under it until
 * (now + t) + verification. */
struct cs_rigid_replay_stairs {
    double now, verification;
    int steps; /* >= 1 */
    const double *end;
    const int *free;
};

void cs_rigid_replay_list_init(struct cs_rigid_replay_list *list, struct cs_arena *arena);
void cs_rigid_replay_list_insert(struct cs_rigid_replay_list *list,
                                 const struct cs_rigid_replay_entry *entry);

/* The place of this entry, or of the first behind where it would be. */
struct cs_rigid_replay_place cs_rigid_replay_list_find(const struct cs_rigid_replay_list *list,
                                                       const struct cs_rigid_replay_entry *entry);

/* The entry at a place, NULL behind the last. */
const struct cs_rigid_replay_entry *cs_rigid_replay_list_at(const struct cs_rigid_replay_list *list,
                                                            struct cs_rigid_replay_place *place);

void cs_rigid_replay_list_remove(struct cs_rigid_replay_list *list,
                                 struct cs_rigid_replay_place place);

bool cs_rigid_replay_before(const struct cs_rigid_replay_entry *a,
                            const struct cs_rigid_replay_entry *b);
bool cs_rigid_replay_under(const struct cs_rigid_replay_stairs *stairs, int procs, double seconds);

/* The first entry from the place on that can start now; the place moves to it.  NULL for none. */
const struct cs_rigid_replay_entry *
cs_rigid_replay_list_first(const struct cs_rigid_replay_list *list,
                           struct cs_rigid_replay_place *place,
                           const struct cs_rigid_replay_stairs *stairs);

#endif
