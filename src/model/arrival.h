/* arrival.h - rigid jobs that arrive over time, and the table of what ran.
 *
 * The table is the one that Batsim writes (PREFIX_jobs.csv) and evalys draws: one row for every
 * attempt of a job.  Readers, drivers and checks meet here.
 */
#ifndef CS_MODEL_ARRIVAL_H
#define CS_MODEL_ARRIVAL_H

#include "model/schedule.h"

#include <stdbool.h>
#include <stdint.h>

/* A job that becomes known at its submit time.  Times are in seconds. */
struct cs_arrival {
    int64_t id;
    double submit;
    double seconds;   /* an attempt runs so long, > 0 */
    double estimate;  /* estimate given to the scheduler, > 0 */
    int64_t failures; /* attempts that end with an error before the successful one */
    int procs;        /* 1 .. machine */
};

/* Arrivals one after the other, by submit time, then id. 1: *out is the next; 0: end; -1 with
 * err. */
typedef int cs_arrival_next_f(void *source, struct cs_arrival *out, struct cs_error *err);

/* The result of an attempt. */
struct cs_job_row {
    int64_t id;
    int attempt;          /* 0 for the first */
    bool success;         /* it ended well */
    double submit;        /* since when it waited: the submit time of the job, or the end
                             of the attempt before */
    double requested;     /* the estimate; -1 when unknown */
    double start, finish; /* it ran in [start, finish) */
    int procs;            /* requested */
    bool promised;        /* the scheduler promised a latest start: */
    double promise;
    int shelf;                     /* that it ran on, from 0; -1: none, or not known */
    int intervals;                 /* length of the set below; 0: not known */
    const struct cs_interval *set; /* its processors: ascending, disjoint, not touching */
};

#endif
