/* chain.h - the critical chain of a plan: which tasks hold up the end of a graph, and each other.
 *
 * spec/ptg.md III.4, step 2: backwards from the task that ends last, each time to
 * the predecessor whose data came last, or to a task that left one of its processors just then.
 */
#ifndef CS_PTG_CHAIN_H
#define CS_PTG_CHAIN_H

#include "ptg/instance.h"

#include "base/arena.h"

struct cs_ptg_chain {
    const struct cs_ptg_instance *in;
    bool fan;
    const struct cs_ptg_place *place; /* by number: the plan as it stands */
    int *task;                        /* numbers, the last task first */
    bool *on;                         /* scratch: by number, false between calls */
};

void cs_ptg_chain_init(struct cs_ptg_chain *chain, const struct cs_ptg_instance *in, bool fan,
                       const struct cs_ptg_place *place, struct cs_arena *arena);

/* The chain that ends with a graph; returns how long it is. */
int cs_ptg_chain_find(struct cs_ptg_chain *chain, int graph);

#endif
