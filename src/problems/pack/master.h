/* master.h - the linear program over the packs seen so far, on CLP.
 *
 *   minimise  sum cost(T) x(S, T)
 *   cover(i)      sum of x(S, T) with i in S                    >= 1
 *   threshold(v)  sum of x(S, T) with T >= cost v        between low and high
 *   x >= 0
 *
 * Two kinds of helping columns: a slack that covers one task (or raises one threshold) at a
 * price so high that no finished solution uses it, and exchanges "i instead of j" for tasks
 * where i is never slower than j.  Exchanges do not change the optimum (a pack with j can
 * always hold i in its place) but hold the prices of the tasks in order, which makes column
 * generation converge in far fewer rounds (dual-optimal inequalities).
 *
 * Costs are divided by `scale` inside; everything that goes in and comes out is in seconds.
 */
#ifndef CS_PACK_MASTER_H
#define CS_PACK_MASTER_H

#include "problems/pack/hats.h"
#include "problems/pack/price.h"

struct cs_pack_master;

/* Cover rows are those of `hats`, which must outlive it; exchanges and cs_pack_master_cover() are
 * for a row for each task. */
struct cs_pack_master *cs_pack_master_create(const struct cs_pack_candidates *c,
                                             const struct cs_pack_hats *hats, double scale);
void cs_pack_master_destroy(struct cs_pack_master *m); /* NULL is fine */

/* Append columns; they are copied. */
void cs_pack_master_add(struct cs_pack_master *m, const struct cs_pack_column *column, int count);

/* The number of packs of at least cost v lies between low and high (INFINITY for none). */
void cs_pack_master_limit(struct cs_pack_master *m, int v, double low, double high);

/* Task i must be covered `low` times: 1, or 0 where it has a pack elsewhere; it can then not be
 * exchanged. */
void cs_pack_master_cover(struct cs_pack_master *m, int task, double low);

/* Solve from the last basis.  `primal` when columns were added, else limits were changed.
 * False when patience ended (or CLP gave up); *value, in seconds, is then not set. */
bool cs_pack_master_solve(struct cs_pack_master *m, bool primal,
                          const struct cs_policy_context *context, double *value);

/* Drop columns that were far too costly in the last solution, once there are very many. */
void cs_pack_master_trim(struct cs_pack_master *m);

/* Rows, as prices have them: one for every task, independent of the rows they share, then
 * thresholds in the order in which they were first limited. */
int cs_pack_master_rows(const struct cs_pack_master *m);
int cs_pack_master_threshold(const struct cs_pack_master *m, int row); /* row >= tasks */
double cs_pack_master_low(const struct cs_pack_master *m, int row);
double cs_pack_master_high(const struct cs_pack_master *m, int row);

/* Of the last solution: the price of every row, and the packs: column a of `count` at
 * weight[a].  Arrays last until the next call. */
void cs_pack_master_prices(const struct cs_pack_master *m, double *price);
int cs_pack_master_columns(const struct cs_pack_master *m);
const struct cs_pack_column *cs_pack_master_column(const struct cs_pack_master *m, int a);
const double *cs_pack_master_weights(const struct cs_pack_master *m);

#endif
