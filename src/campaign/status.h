/* status.h - progress of the documents of stores, also during a campaign.
 *
 * A document that several stores have (shards) has a row for each of them, and one for all
 * together, which counts a cell in two stores once.
 */
#ifndef CS_CAMPAIGN_STATUS_H
#define CS_CAMPAIGN_STATUS_H

#include "campaign/store.h"

enum cs_status_state {
    CS_STATUS_NEW = 1, /* no cells and no running process */
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
    double since; /* seconds since 1970: the start of the active run, else the end or the last cell
                     of the previous one; NaN: unknown */

    /* Of an active run, else NaN. Cells per second: since its start, and over the last minute or
     * the last 20 cells, whichever is longer; remaining seconds at that rate. */
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
