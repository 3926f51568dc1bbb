/* store.h - values of cells that were run before.
 *
 * The key of a cell is everything that its values depend on: the runner, the parameters and
 * the seed.  Figures that draw other metrics of the same runs then share them.  This store
 * lives in memory; calls may come from several threads.
 */
#ifndef CS_CAMPAIGN_STORE_H
#define CS_CAMPAIGN_STORE_H

#include "campaign/grid.h"

struct cs_store;

struct cs_store *cs_store_create(void);
void cs_store_destroy(struct cs_store *store); /* NULL is fine */

/* Copy what is known of the cell into value[0 .. metrics - 1]; false if nothing is. */
bool cs_store_get(struct cs_store *store, const struct cs_runner *runner,
                  const struct cs_cell *cell, double *value);
void cs_store_put(struct cs_store *store, const struct cs_runner *runner,
                  const struct cs_cell *cell, const double *value);

#endif
