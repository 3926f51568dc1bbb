/* replay_log.h - the jobs of a log, as they arrive. */
#ifndef CS_RIGID_REPLAY_LOG_H
#define CS_RIGID_REPLAY_LOG_H

#include "base/arena.h"
#include "io/joblog.h"
#include "model/arrival.h"

struct cs_rigid_arrivals {
    int count;
    struct cs_arrival *job; /* by submit time, then id, then place in the log; failures are 0 */
    int *index;             /* the place of each in the log */
    /* How their estimates came about. */
    int requested; /* the user's request, at least the running time */
    int exceeded;  /* ran longer than requested: the running time */
    int unknown;   /* no request in the log: the running time */
};

/* The jobs are in the order of the one set of cs_rigid_sets_by_count(log, 0): failures that are
 * drawn for that set belong to them one by one.  `run_times`: estimates are the running times,
 * whatever users asked for.  Lives in the arena. */
struct cs_rigid_arrivals *cs_rigid_arrivals_of_log(const struct cs_joblog *log, bool run_times,
                                                   struct cs_arena *arena);

/* Hands out arrivals one by one; a cs_arrival_next_f whose source is a struct
 * cs_rigid_arrivals_at. */
struct cs_rigid_arrivals_at {
    const struct cs_arrival *job;
    int count, next;
};

int cs_rigid_arrivals_next(void *source, struct cs_arrival *out, struct cs_error *err);

#endif
