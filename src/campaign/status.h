/* status.h - how far the documents of stores have come, also while they are worked on.
 *
 * A document that several stores have (shards) has a row for each of them, and one for all
 * together, in which a cell that two stores have is one.
 */
#ifndef CS_CAMPAIGN_STATUS_H
#define CS_CAMPAIGN_STATUS_H

#include "campaign/store.h"

enum cs_status_state {
    CS_STATUS_NEW = 1, /* no cell is there, and nobody works on it */
    CS_STATUS_RUNNING, /* a process has the store open for writing, and its run is after this */
    CS_STATUS_STOPPED, /* its last run ended before everything was done */
    CS_STATUS_KILLED,  /* the same, without a word */
    CS_STATUS_DONE,
};

/* "new", "running", "stopped", "killed", "done". */
const char *cs_status_word(enum cs_status_state state);

struct cs_status_row {
    const struct cs_document *document;
    const char *store; /* NULL: all stores that have the document */
    int shard, shards; /* what the runs of the store were to do; 0: everything */
    int cells, done;   /* of the shard */
    enum cs_status_state state;
    double since; /* seconds since 1970: the start of the run that goes on, the end or the last cell
                     of the one before; NaN: unknown */

    /* Of a run that goes on, else NaN.  Cells in a second: since it began, and over the last minute
     * or the last 20 cells, whichever is longer; seconds until everything is done at that pace. */
    double rate, recent, left;

    int runs, killed; /* how many worked on the store, and of them those that did not end */
    double seconds;   /* what its cells took, summed up; those of unknown time left out */
};

struct cs_status {
    int count;
    struct cs_status_row *row; /* by document; the row of all stores is after those of each */
    struct cs_arena *arena;
};

/* `now` is in seconds since 1970.  NULL with err when a store cannot be read. */
struct cs_status *cs_status_create(const char *const *path, int count, double now,
                                   struct cs_error *err);
void cs_status_destroy(struct cs_status *status); /* NULL is fine */

#endif
