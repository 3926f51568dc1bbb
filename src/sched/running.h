/* running.h - the running attempts, in the order of their expected ends.
 *
 * Blocks of up to CS_SCHED_RUNNING_BLOCK attempts, the one that ends last first; all but the last
 * block, the one with the earliest ends, store the sum of their processors.  A few attempts
 * are one block, to which one is added at the cost of moving those that end earlier; thousands cost
 * no more than to find the block.  An attempt goes behind all that end at the same time.
 */
#ifndef CS_SCHED_RUNNING_H
#define CS_SCHED_RUNNING_H

#include "sched/instance.h"

#define CS_SCHED_RUNNING_BLOCK 64

struct cs_sched_attempt {
    double end; /* when it is expected to end, well or not */
    int procs;
    int ticket;
};

struct cs_sched_running_block {
    union {
        struct cs_sched_attempt slot[1 + CS_SCHED_RUNNING_BLOCK]; /* the first one never ends */
        struct {
            struct cs_sched_attempt never, attempt[CS_SCHED_RUNNING_BLOCK];
        };
    };
    int count, procs; /* of all, in the blocks that are not the last */
    struct cs_sched_running_block *next_spare;
};

struct cs_sched_running {
    struct cs_arena *arena;
    int few, others;                     /* attempts in the last block, and in the others */
    struct cs_sched_running_block *soon; /* the last one */
    int blocks, room;                    /* none is empty, unless it is the only one */
    struct cs_sched_running_block **block;
    struct cs_sched_running_block *spare;
};

/* Nothing runs. */
void cs_sched_running_init(struct cs_sched_running *running, struct cs_arena *arena);
void cs_sched_running_clear(struct cs_sched_running *running);

void cs_sched_running_add_elsewhere(struct cs_sched_running *running, double end, int procs,
                                    int ticket);
void cs_sched_running_drop_soon(struct cs_sched_running *running);

static inline void cs_sched_running_add(struct cs_sched_running *running, double end, int procs,
                                        int ticket)
{
    struct cs_sched_attempt *soon = running->soon->slot, *at = soon + 1 + running->few;

    if (running->few == CS_SCHED_RUNNING_BLOCK || (running->others && soon[1].end < end)) {
        cs_sched_running_add_elsewhere(running, end, procs, ticket);
        return;
    }
    running->few++;
    for (; at[-1].end < end; at--)
        *at = at[-1];
    at->end = end;
    at->procs = procs;
    at->ticket = ticket;
}

/* How many run, and how many of them are in a block. */
static inline int cs_sched_running_count(const struct cs_sched_running *running)
{
    return running->others + running->few;
}

static inline int cs_sched_running_count_in(const struct cs_sched_running *running, int block)
{
    return block == running->blocks - 1 ? running->few : running->block[block]->count;
}

/* The one that ends first; there is one. */
static inline const struct cs_sched_attempt *
cs_sched_running_first(const struct cs_sched_running *running)
{
    return &running->soon->attempt[running->few - 1];
}

/* Only the first `few` of the last block stay there. */
static inline void cs_sched_running_keep(struct cs_sched_running *running, int few)
{
    running->few = few;
    if (few == 0 && running->others)
        cs_sched_running_drop_soon(running);
}

/* Any one.  `added`, by ticket, rises from one that was added to the next. */
void cs_sched_running_remove(struct cs_sched_running *running, double end, int ticket,
                             const int64_t *added);

#endif
