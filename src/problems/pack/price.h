/* price.h - the packs that a set of prices finds too cheap, over all costs together.
 *
 * A price is a worth u(i) >= 0 of every task and a bonus of every threshold cost: a pack
 * (S, T) is worth u(S) plus the bonuses of the thresholds up to T.  Prices under which no
 * pack is worth more than its cost prove a lower bound on all plans.  The search evaluates
 * few costs: the knapsack's value at the upper end of an interval holds for all below it.
 */
#ifndef CS_PACK_PRICE_H
#define CS_PACK_PRICE_H

#include "problems/pack/knapsack.h"

/* A pack of declared cost c->cost[candidate]. */
struct cs_pack_column {
    int candidate, count;
    const int *task; /* rising */
};

#define CS_PACK_PRICE_BLOCKS 40

struct cs_pack_price {
    const struct cs_pack_candidates *c;
    struct cs_pack_knapsack knapsack;
    double best[CS_PACK_PRICE_BLOCKS]; /* largest worth / cost in each block of costs */
    int where[CS_PACK_PRICE_BLOCKS];   /* the candidate that has it, or -1 */
    double slack; /* relative, of best[]: costs may be left out that gain less */
    long evaluations;
};

/* bonus[] belongs to every candidate cost from threshold[] on; rising thresholds. */
struct cs_pack_prices {
    const double *worth;
    int thresholds;
    const int *threshold;
    const double *bonus;
};

void cs_pack_price_init(struct cs_pack_price *p, const struct cs_pack_candidates *c,
                        struct cs_arena *arena);

/* No pack has more worth / cost than this: the largest over all packs, or `floor` when no pack has
 * more, times 1 + slack.  Afterwards best[] and where[] hold the best cost of each block whose
 * value is above the floor. */
double cs_pack_price_search(struct cs_pack_price *p, const struct cs_pack_prices *prices,
                            double floor);

/* The column of block b (where[b] >= 0): its members into task[] (room for limit), its cost
 * lowered to the least that they fit in, not below the last threshold.  Returns how many. */
int cs_pack_price_column(struct cs_pack_price *p, const struct cs_pack_prices *prices, int b,
                         int *candidate, int *task);

#endif
