/* blocks.h - which processors are free, in blocks of consecutive numbers that placement keeps
 * whole.
 *
 * For processors that are interchangeable.  A job takes the smallest free block that holds it, at
 * the side whose neighbour ends nearest to the job's own expected end; if no block holds it, the
 * largest block, and again for the rest.  Ties: the lowest number.  Beyond the first and the last
 * processor the neighbour never ends.
 *
 * A step costs O(log n) for n blocks, free and held, for each block that is taken or released: any
 * number of processors.  Memory is proportional to n.
 */
#ifndef CS_MODEL_BLOCKS_H
#define CS_MODEL_BLOCKS_H

#include "base/sorted.h"
#include "model/schedule.h"

#include <stdint.h>

#define CS_BLOCKS_SIZES 31

struct cs_blocks {
    struct cs_arena *arena;
    int procs, free;                                /* processors; how many are free */
    struct cs_sorted by_first;                      /* all blocks */
    struct cs_sorted by_size;                       /* the free ones */
    struct cs_blocks_spare *spare[CS_BLOCKS_SIZES]; /* room for 2^size intervals */
};

/* The processors of a job: ascending, disjoint, not touching.  Start with { 0 }. */
struct cs_blocks_set {
    struct cs_interval *interval;
    int count, size; /* room for 2^size of them, unless interval is NULL */
};

/* All processors 0 .. procs - 1 are free, procs >= 1. */
void cs_blocks_init(struct cs_blocks *blocks, int procs, struct cs_arena *arena);

/* `wanted` free processors, which there are, for a set that holds none, until about `end`, which is
 * not NaN: by the rule above, or the lowest numbers. */
void cs_blocks_take(struct cs_blocks *blocks, int wanted, double end, struct cs_blocks_set *set);
void cs_blocks_take_lowest(struct cs_blocks *blocks, int wanted, double end,
                           struct cs_blocks_set *set);

/* They are free again; the set holds none, and its memory serves others. */
void cs_blocks_release(struct cs_blocks *blocks, struct cs_blocks_set *set);

/* The same for any processors that are held, of one job or several. */
void cs_blocks_release_some(struct cs_blocks *blocks, const struct cs_interval *procs, int count);

#endif
