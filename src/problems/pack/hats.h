/* hats.h - tasks that share the rows of a linear program.
 *
 * With thousands of tasks a row each makes column generation stall.  Prices that are worth
 * proving a bound with change little from one task to the next of about the same times, so
 * they are sought among those that are piecewise linear in the order of tasks: a row is a
 * knot of such a line (a hat function), and a task belongs to the two knots next to it, with
 * weights that add up to its least area.  There are two orders, by the time on one processor
 * and by that on all; prices are the sum of a line over each.  Farley's bound holds for any
 * prices; with a row for each task they are unrestricted.  In between, the costliest tasks have a
 * row each and the others share: a few hundred rows are worth nearly what a thousand are, since a
 * bag's cost is that of its costly packs.
 */
#ifndef CS_PACK_HATS_H
#define CS_PACK_HATS_H

#include "problems/pack/candidate.h"

struct cs_pack_hats {
    int tasks, rows, entries; /* entries: the rows of each task */
    int own;                  /* the first rows: each of one task alone */
    int *row;                 /* row[i * entries + e] */
    double *weight;           /* of task i there */
};

/* A row for each task. */
void cs_pack_hats_single(struct cs_pack_hats *h, int tasks, struct cs_arena *arena);

/* `knots` (at least two) for each of the two orders. */
void cs_pack_hats_shared(struct cs_pack_hats *h, const struct cs_pack_candidates *c, int knots,
                         struct cs_arena *arena);

/* As `shared`, but as many as `own` tasks, those of the largest price, have a separate row,
 * before the rows of the others. */
void cs_pack_hats_own(struct cs_pack_hats *h, const struct cs_pack_hats *shared,
                      const double *price, int own, struct cs_arena *arena);

/* Does it have one? */
static inline bool cs_pack_hats_is_own(const struct cs_pack_hats *h, int i)
{
    return h->row[i * h->entries] < h->own;
}

/* Add the weights of the tasks in every row to sum[rows]. */
void cs_pack_hats_add(const struct cs_pack_hats *h, const int *task, int count, double *sum);

/* The price of task i when rows have these. */
double cs_pack_hats_price(const struct cs_pack_hats *h, int i, const double *row);

#endif
