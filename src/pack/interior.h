/* interior.h - the restricted master by an interior point.
 *
 *   minimise  sum cost(T) x(S, T)   with  sum of x(S, T) over S that hold i >= 1  and  x >= 0
 *
 * over the packs seen so far, and its dual, prices u(i) >= 0 under which no pack is worth more than
 * it costs.  Prices from the middle of the optimal ones, instead of a corner as a simplex method
 * gives them, make column generation end in a fraction of the rounds.  A step is Newton's, on
 *
 *   sum x - surplus = 1,   u(S) + reduced = cost,   x reduced = surplus u = mu
 *
 * and costs (rows^3) / 3 multiplications: this is for a few hundred tasks.
 */
#ifndef CS_PACK_INTERIOR_H
#define CS_PACK_INTERIOR_H

#include "pack/candidate.h"

struct cs_pack_inner {
    int candidate, count, *task;
    double cost;            /* scaled */
    double weight, reduced; /* how much of it, and what it costs more than its tasks are worth */
    double to_weight, to_reduced, away;
};

struct cs_pack_interior {
    const struct cs_pack_candidates *c;
    struct cs_arena *arena;
    double scale;            /* costs and prices are divided by it inside */
    int rows, *row_of;       /* of every task; -1: it has a pack already */
    double *price, *surplus; /* of every row */
    double *to_price, *to_surplus, *missing, *right, *matrix;
    struct cs_pack_inner *column;
    int columns, room;
};

/* A row for every task, no column; prices are to be set.  All memory is the arena's. */
void cs_pack_interior_init(struct cs_pack_interior *l, const struct cs_pack_candidates *c,
                           double scale, struct cs_arena *arena);

/* A column of these tasks (rising, all with a row); copied. */
void cs_pack_interior_add(struct cs_pack_interior *l, int candidate, const int *task, int count);

/* Lower the prices until no column is worth more than it costs. */
void cs_pack_interior_allow(struct cs_pack_interior *l);

/* Where a sequence of steps begins: weights that are not too small for mu, surpluses to match. */
void cs_pack_interior_begin(struct cs_pack_interior *l, double mu);

/* Steps towards mu.  The value of the columns, scaled; INFINITY when rows are not covered yet. */
double cs_pack_interior_solve(struct cs_pack_interior *l, double mu);

/* Forget columns that cost this share more than their tasks are worth. */
void cs_pack_interior_trim(struct cs_pack_interior *l, double share);

/* Tasks with pack_of[i] >= 0 lose their rows; columns are cut down to the others. */
void cs_pack_interior_cut(struct cs_pack_interior *l, const int *pack_of);

#endif
