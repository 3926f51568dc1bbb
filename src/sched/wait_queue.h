/* wait_queue.h - ordered wait queue for arriving jobs: insert anywhere, find the first job that
 * fits now.
 *
 * Blocks of up to CS_WAIT_QUEUE_BLOCK entries, in order.  Every block, and every
 * CS_WAIT_QUEUE_BLOCK blocks, stores its least width and its least time, so that a query skips
 * blocks that cannot hold an answer.  Memory follows the largest number of entries at any time; it
 * belongs to the arena.
 */
#ifndef CS_SCHED_WAIT_QUEUE_H
#define CS_SCHED_WAIT_QUEUE_H

#include "sched/instance.h"

#define CS_WAIT_QUEUE_BLOCK 64

struct cs_wait_queue_entry {
    struct cs_sched_place place; /* the order */
    double seconds;
    int procs, ticket;
};

struct cs_wait_queue_block {
    int count;
    struct cs_wait_queue_block *next_spare;
    struct cs_wait_queue_entry entry[CS_WAIT_QUEUE_BLOCK];
};

/* The minima of a block, or of a group of blocks. */
struct cs_wait_queue_least {
    double seconds;
    int procs;
};

struct cs_wait_queue {
    struct cs_arena *arena;
    int count, blocks, room;
    struct cs_wait_queue_block **block; /* blocks of them, in order */
    struct cs_wait_queue_least *least;  /* of each block */
    struct cs_wait_queue_least *group;  /* of CS_WAIT_QUEUE_BLOCK blocks each */
    struct cs_wait_queue_block *spare;
};

/* The position of an entry; when an entry is removed, the next one moves to its position. */
struct cs_sched_cursor {
    int block, at;
};

/* The number of free processors, as a falling step function from `now` on: free[s] until end[s],
 * the last for ever.  A job that starts now on p processors for t seconds must stay under it until
 * (now + t) + verification. */
struct cs_sched_step_function {
    double now, verification;
    int steps; /* >= 1 */
    const double *end;
    const int *free;
};

void cs_wait_queue_init(struct cs_wait_queue *line, struct cs_arena *arena);
void cs_wait_queue_clear(struct cs_wait_queue *line);
void cs_wait_queue_insert(struct cs_wait_queue *line, const struct cs_wait_queue_entry *entry);

/* The entry at this place of the order, else the first one behind it. */
struct cs_sched_cursor cs_wait_queue_find(const struct cs_wait_queue *line,
                                          const struct cs_sched_place *place);

/* The entry at the cursor, NULL behind the last. */
const struct cs_wait_queue_entry *cs_wait_queue_at(const struct cs_wait_queue *line,
                                                   struct cs_sched_cursor *at);

void cs_wait_queue_remove(struct cs_wait_queue *line, struct cs_sched_cursor at);

bool cs_sched_step_function_allow(const struct cs_sched_step_function *free_steps, int procs,
                                  double seconds);

/* The first entry from the cursor on that can start now; the cursor moves to it.  NULL for none. */
const struct cs_wait_queue_entry *
cs_wait_queue_first(const struct cs_wait_queue *line, struct cs_sched_cursor *at,
                    const struct cs_sched_step_function *free_steps);

#endif
