/* verify.h - is a store whole, and does it hold what its runs would bring again? */
#ifndef CS_CAMPAIGN_VERIFY_H
#define CS_CAMPAIGN_VERIFY_H

#include "base/arena.h"
#include "campaign/store.h"

struct cs_verified {
    int documents, runs, inputs;
    int64_t cells;      /* of all problems */
    int changed, gone;  /* inputs with other bytes now, or that cannot be read */
    int64_t again;      /* cells that were run once more, with the same values */
    bool refused;       /* some of them could not be run: nothing is wrong with the store */
    const char *builds; /* that ran it, with "; " between; in the arena */
};

/* Read everything: what SQLite knows of its file, every row by its digest, every table by its sum,
 * that every cell is of a run; and run so many cells of each document once more, evenly chosen (0:
 * none), on so many threads.  -1 with err: it is damaged, another number comes out, or `refused`.
 */
int cs_verify_store(const char *path, int again, int threads, struct cs_arena *arena,
                    struct cs_verified *verified, struct cs_error *err);

#endif
