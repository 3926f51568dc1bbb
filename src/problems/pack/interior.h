/* interior.h - the restricted master by an interior point.
 *
 *   minimise  sum cost(T) x(S, T)   with  rows of x(S, T) >= right  and  x >= 0
 *
 * over the packs seen so far, and its dual, prices u >= 0 under which no pack is worth more than
 * it costs.  A row is a task, or several tasks share it (hats.h); or it counts packs of at least
 * some cost, those against the sense of a row negative.  Prices from the middle of the optimal
 * ones, instead of a corner as a simplex method gives them, make column generation end in a
 * fraction of the rounds.  Where the rows are stiff, leaving the centre u' costs
 * stiff (u - u')^2 / 2,  so that prices that are known to be good are not left because of a few
 * packs (a proximal bundle method; rows are then covered up to stiff (u - u')).  A step is
 * Newton's, on
 *
 *   rows of x - surplus + stiff (u - u') = right,   worth + reduced = cost,
 *   x reduced = surplus u = mu
 *
 * and costs (rows^3) / 6 multiplications: this is for a thousand rows.
 */
#ifndef CS_PACK_INTERIOR_H
#define CS_PACK_INTERIOR_H

#include "problems/pack/hats.h"

struct cs_pack_inner {
    int candidate, count, *task;
    int entries, *row; /* the rows of the column, with value[] */
    double *value;
    double cost;            /* scaled */
    double weight, reduced; /* how much of it, and its cost minus the worth of its tasks */
    double to_weight, to_reduced, away;
};

struct cs_pack_interior {
    const struct cs_pack_candidates *c;
    const struct cs_pack_hats *hats; /* NULL: a row for each task */
    struct cs_arena *arena;
    double scale;           /* costs and prices are divided by it inside */
    int rows, *row_of;      /* of every task, without hats; -1: it has a pack already */
    int first, *threshold;  /* row first + k counts packs from candidate threshold[k], rising, */
    double *sense;          /* times sense[k], 1 or -1 */
    double *price, *right;  /* of every row */
    double *center, *stiff; /* 0: it is not */
    double *surplus, *to_price, *to_surplus, *missing, *side, *matrix, *sum;
    struct cs_pack_inner *column;
    int columns, room;
    int steps; /* at most, towards one mu */
};

/* A row for every task or of the hats, and `thresholds` more; the caller sets these and the prices.
 * Not stiff, and no column.  All memory is the arena's. */
void cs_pack_interior_init(struct cs_pack_interior *l, const struct cs_pack_candidates *c,
                           const struct cs_pack_hats *hats, int thresholds, double scale,
                           struct cs_arena *arena);

/* A column of these tasks (rising, all with a row); copied. */
void cs_pack_interior_add(struct cs_pack_interior *l, int candidate, const int *task, int count);

/* The price of task i when rows have these; 0 without a row. */
double cs_pack_interior_price(const struct cs_pack_interior *l, int i, const double *row);

/* Lower the prices until no column is worth more than it costs. */
void cs_pack_interior_allow(struct cs_pack_interior *l);

/* Where a sequence of steps begins: weights that are not too small for mu, surpluses to match. */
void cs_pack_interior_begin(struct cs_pack_interior *l, double mu);

/* Steps towards mu.  The value of the columns, scaled; INFINITY when rows are not covered yet. */
double cs_pack_interior_solve(struct cs_pack_interior *l, double mu);

/* Forget columns of several tasks that cost this share more than their tasks are worth. */
void cs_pack_interior_trim(struct cs_pack_interior *l, double share);

/* Tasks with pack_of[i] >= 0 lose their rows; columns are cut down to the others.  Without hats and
 * thresholds. */
void cs_pack_interior_cut(struct cs_pack_interior *l, const int *pack_of);

#endif
