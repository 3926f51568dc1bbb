/* line.h - those who wait where jobs arrive: in order, with insertion anywhere and questions about
 * the first that could start now.
 *
 * Blocks of up to CS_SCHED_LINE_BLOCK entries, in order; beside every block, and every
 * CS_SCHED_LINE_BLOCK blocks, the least width and the least time in it, so that a question skips
 * whatever cannot hold an answer.  Memory follows the largest number of entries there ever were at
 * once; it belongs to the arena.
 */
#ifndef CS_SCHED_LINE_H
#define CS_SCHED_LINE_H

#include "sched/instance.h"

#define CS_SCHED_LINE_BLOCK 64

struct cs_sched_line_entry {
    struct cs_sched_place place; /* the order */
    double seconds;
    int procs, ticket;
};

struct cs_sched_line_block {
    int count;
    struct cs_sched_line_block *next_spare;
    struct cs_sched_line_entry entry[CS_SCHED_LINE_BLOCK];
};

/* What a block, or a group of blocks, holds. */
struct cs_sched_line_least {
    double seconds;
    int procs;
};

struct cs_sched_line {
    struct cs_arena *arena;
    int count, blocks, room;
    struct cs_sched_line_block **block; /* blocks of them, in order */
    struct cs_sched_line_least *least;  /* of each block */
    struct cs_sched_line_least *group;  /* of CS_SCHED_LINE_BLOCK blocks each */
    struct cs_sched_line_block *spare;
};

/* Where somebody stands; who is behind one that is removed comes to its place. */
struct cs_sched_cursor {
    int block, at;
};

/* Processors that will be free, as a falling staircase from `now` on: free[s] until end[s], the
 * last for ever.  Who starts now on p processors for t seconds must stay under it until
 * (now + t) + verification. */
struct cs_sched_step_function {
    double now, verification;
    int steps; /* >= 1 */
    const double *end;
    const int *free;
};

void cs_sched_line_init(struct cs_sched_line *line, struct cs_arena *arena);
void cs_sched_line_clear(struct cs_sched_line *line);
void cs_sched_line_insert(struct cs_sched_line *line, const struct cs_sched_line_entry *entry);

/* Who stands at this place of the order, or would be the first behind it. */
struct cs_sched_cursor cs_sched_line_find(const struct cs_sched_line *line,
                                          const struct cs_sched_place *place);

/* The entry at the cursor, NULL behind the last. */
const struct cs_sched_line_entry *cs_sched_line_at(const struct cs_sched_line *line,
                                                   struct cs_sched_cursor *at);

void cs_sched_line_remove(struct cs_sched_line *line, struct cs_sched_cursor at);

bool cs_sched_step_function_allow(const struct cs_sched_step_function *free_steps, int procs,
                                  double seconds);

/* The first entry from the cursor on that can start now; the cursor moves to it.  NULL for none. */
const struct cs_sched_line_entry *
cs_sched_line_first(const struct cs_sched_line *line, struct cs_sched_cursor *at,
                    const struct cs_sched_step_function *free_steps);

#endif
