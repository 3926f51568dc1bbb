/* knapsack.h - the tasks worth most that fit into one pack of a given cost.
 *
 * Given a worth u(i) >= 0 of every task, the best pack of cost T holds the tasks S that
 * maximise the sum of u with sum of need(i, T) <= procs and at most `limit` tasks: a
 * knapsack over processors, and over the count where the limit can bind.  Its value never
 * falls when T rises.
 */
#ifndef CS_PACK_KNAPSACK_H
#define CS_PACK_KNAPSACK_H

#include "problems/pack/candidate.h"

struct cs_pack_knapsack {
    const struct cs_pack_candidates *c;
    const double *worth; /* of the last set */
    int *order;          /* tasks of positive worth, the most first */
    int ordered;
    int items;        /* kept by the last solve */
    int *item, *size; /* task and need of each */
    int counts;       /* tasks that the table counts; 0 where the limit cannot bind */
    int *kept;        /* kept[w]: how many of them have size w */
    double *table;    /* (counts + 1) x (procs + 1), twice when counts = 0 */
    uint8_t *taken;   /* for the members: was the item taken at [item][count][processors]? */
    size_t taken_room;
    struct cs_arena *arena;
};

/* All memory comes from `arena`, which must outlive the knapsack. */
void cs_pack_knapsack_init(struct cs_pack_knapsack *k, const struct cs_pack_candidates *c,
                           struct cs_arena *arena);

/* Worth of every task; kept by pointer. */
void cs_pack_knapsack_set(struct cs_pack_knapsack *k, const double *worth);

/* Tasks whose worth has become 0 since then are left out; that of the others is as it was. */
void cs_pack_knapsack_discard(struct cs_pack_knapsack *k);

/* The largest worth of a pack of cost v. */
double cs_pack_knapsack_value(struct cs_pack_knapsack *k, int v);

/* The tasks of such a pack, in rising order, into task[] (room for limit).  Returns how many. */
int cs_pack_knapsack_members(struct cs_pack_knapsack *k, int v, int *task);

#endif
