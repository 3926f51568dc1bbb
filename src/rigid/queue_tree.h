/* queue_tree.h - waiting jobs of a large batch, by rank, and the first of them that is under some
 * stairs.
 *
 * Who is narrow enough and short enough at once is not found by the least width and the least time
 * of a part of the order: they may belong to two jobs.  So a node knows the least time of each
 * class of widths.  Leaves are blocks of ranks, which are looked at one by one.
 */
#ifndef CS_RIGID_QUEUE_TREE_H
#define CS_RIGID_QUEUE_TREE_H

#include "rigid/line.h"

#define CS_RIGID_TREE_BLOCK 8
#define CS_RIGID_TREE_CLASSES 16

struct cs_rigid_tree_least {
    float seconds[CS_RIGID_TREE_CLASSES]; /* not above the least time; INFINITY for nobody */
    int procs;                            /* INT_MAX for nobody */
};

struct cs_rigid_tree {
    const struct cs_rigid_instance *in;
    int blocks;                             /* a power of two */
    uint16_t *waits;                        /* by block: bits of its ranks */
    float *seconds;                         /* by rank: not above the time */
    uint8_t *class;                         /* by rank */
    int class_least[CS_RIGID_TREE_CLASSES]; /* ascending: the least width of the class */
    struct cs_rigid_tree_least *least;      /* least[blocks + b]: block b; least[1]: all */
};

/* Nobody waits. */
void cs_rigid_tree_init(struct cs_rigid_tree *tree, const struct cs_rigid_instance *in,
                        struct cs_arena *arena);

/* The ranks of the instance have changed; to be filled anew. */
void cs_rigid_tree_learn(struct cs_rigid_tree *tree);

/* Those wait that are in the set, or all when it is NULL. */
void cs_rigid_tree_fill(struct cs_rigid_tree *tree, const bool *set);

void cs_rigid_tree_put(struct cs_rigid_tree *tree, int rank, bool waits);

static inline bool cs_rigid_tree_has(const struct cs_rigid_tree *tree, int rank)
{
    return tree->waits[rank / CS_RIGID_TREE_BLOCK] >> (rank % CS_RIGID_TREE_BLOCK) & 1;
}

/* The first rank from `from` on that waits and is under the stairs; -1 for none. */
int cs_rigid_tree_first(const struct cs_rigid_tree *tree, int from,
                        const struct cs_rigid_stairs *stairs);

#endif
