/* grid.h - a grid of runs: independent cells, on many cores.
 *
 * A cell is a run of one policy on one input: a replicate of a combination of parameters, which
 * define the run. Cells run in any order on any number of threads; the table of their values is the
 * same in all cases, except measured times.
 *
 * Replicate r has the same seed in every combination: policies meet the same random inputs
 * and failures, so that they can be compared replicate by replicate.
 *
 * When the watch (base/watch.h) requests a stop no more cells are started, and the run fails with
 * "stopped".
 */
#ifndef CS_CAMPAIGN_GRID_H
#define CS_CAMPAIGN_GRID_H

#include "problem/cache.h"
#include "problem/cell.h"

struct cs_cache;
struct cs_store;

struct cs_cell {
    int combination, replicate;
    uint64_t seed;
    json_t *parameters; /* one reference, owned by the creator of the cell */
};

struct cs_grid_options {
    int threads;            /* 0: one */
    struct cs_store *store; /* remembers cells that were run before, or NULL */
    struct cs_cache *keep;  /* what cells share; NULL: kept as long as this grid runs */
    const char *folder;     /* where the files are that parameters name; NULL: here */

    /* Called with the number of cells done, of those that the store does not have, from 0 on, from
     * one thread at a time; or NULL. Cheap and expensive cells are mixed: the share of cells is
     * that of time. */
    void (*progress)(void *who, int done, int count);
    void *who;
};

/* The seed of a replicate of something that has the given seed. */
uint64_t cs_grid_seed(uint64_t seed, int replicate);

/* Does this shard of so many, from 1, run the cell with this number in its document?  The cells of
 * a combination, and all kinds of cells, are spread over the shards. */
bool cs_grid_shard_has(int cell, int shard, int shards);

/* Run the cells: value[c * metrics + m] is metric m of cell c; minus zero is zero.  A cell that
 * fails makes the whole fail, with its parameters and its message; of several the same one for any
 * number of threads.  What was finished stays in the store.
 *
 * A store in a file remembers the files that cells read: with other bytes they are refused, before
 * the first cell and after the last. */
int cs_grid_run(const struct cs_problem *problem, const struct cs_cell *cell, int count,
                const struct cs_grid_options *options, double *value, struct cs_error *err);

/* Can the files that the cells name be read, and, where there is a store, are they those that it
 * remembers?  It remembers new ones.  -1 with err. */
int cs_grid_check_files(const struct cs_problem *problem, const struct cs_cell *cell, int count,
                        const struct cs_grid_options *options, struct cs_error *err);

#endif
