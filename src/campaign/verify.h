/* verify.h - is a store whole, and does it hold what its runs would bring again? */
#ifndef CS_CAMPAIGN_VERIFY_H
#define CS_CAMPAIGN_VERIFY_H

#include "base/arena.h"
#include "campaign/store.h"

struct cs_verified {
    int documents, runs, inputs;
    int64_t cells;      /* of all problems */
    int changed, gone;  /* inputs with other bytes now, or that cannot be read */
    int64_t again;      /* cells that were repeated, with the same values */
    bool refused;       /* some of them could not be run: the store is valid */
    const char *builds; /* that ran it, with "; " between; in the arena */
};

/* Verify the integrity check of SQLite, the digest of every row, the sum of every table, and the
 * run of every cell; and repeat `again` cells of each document, evenly chosen (0: none), on
 * `threads` threads. -1 with err: damage, a different value, or `refused`.
 */
int cs_verify_store(const char *path, int again, int threads, struct cs_arena *arena,
                    struct cs_verified *verified, struct cs_error *err);

#endif
