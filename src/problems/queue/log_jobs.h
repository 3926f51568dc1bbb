/* log_jobs.h - an observer that records every job of a replay as it ran: the rows of the table of
 * jobs (log_study.c), for callers that need columns.  Memory grows with the log.
 */
#ifndef CS_QUEUE_LOG_JOBS_H
#define CS_QUEUE_LOG_JOBS_H

#include "problems/queue/simulate.h"

struct cs_queue_job_done {
    int64_t id, number, procs;
    const char *label; /* NULL: the id is all there is */
    double submit, start, end;
    double estimate, request, promise; /* NaN: none */
    double wait, slowdown;
    int attempts, user, partition; /* of names -1: none */
    bool killed;
    const char *set; /* "0-3 7"; NULL: processors had no names */
};

struct cs_queue_log_jobs {
    struct cs_arena *arena; /* has this and all below */
    struct cs_queue_job_done *job;
    int64_t count, room;
    bool labels; /* some job has one */
};

struct cs_queue_log_jobs *cs_queue_log_jobs_create(void);
void cs_queue_log_jobs_destroy(struct cs_queue_log_jobs *jobs); /* NULL is fine */

struct cs_queue_observer cs_queue_log_jobs_observer(struct cs_queue_log_jobs *jobs);

#endif
