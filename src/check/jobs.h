/* jobs.h - is this table of jobs what a scheduler could have done with that log?
 *
 * Whoever wrote the table: every job of the log runs, once and after its submission, for as long
 * as the log says and on as many processors; processors suffice at every instant, and no two jobs
 * hold the same one.  Jobs that fail run again, one attempt after the other.
 *
 * With the rule of EASY also: jobs are in line by submit time, then id; at every instant (all ends
 * and submissions of it counted in) those at the head of the line start as long as they fit, and
 * nobody behind the first that does not delays it: the processors of those that start behind it and
 * should run beyond its shadow time are spare there.  The shadow time is when, by the estimates
 * of what runs at that moment, the first in line fits.  The order in which a tool looks at those
 * behind does not matter.  This is judged only when nothing else is wrong.
 *
 * With the rule of first come, first served also: nobody starts before somebody who was submitted
 * earlier.
 *
 * With the rule of conservative backfilling also: every job starts at its promise or before; a
 * table without promises breaks it.
 *
 * It shares no code with the driver of replays.  O(n log n + n R + processors given out), R
 * running at once.
 */
#ifndef CS_CHECK_JOBS_H
#define CS_CHECK_JOBS_H

#include "check/check.h"
#include "model/arrival.h"
#include "model/site.h"

enum cs_check_jobs_rule {
    CS_CHECK_JOBS_VALID,        /* any order */
    CS_CHECK_JOBS_EASY,         /* strict EASY, first come first served */
    CS_CHECK_JOBS_CONSERVATIVE, /* nobody starts after his promise */
    CS_CHECK_JOBS_FCFS,         /* nobody overtakes */
};

struct cs_check_table {
    int machine;         /* processors */
    double verification; /* seconds added to each attempt */
    enum cs_check_jobs_rule rule;
    double tolerance; /* times that differ by no more are the same; 0 is exact, 0.001 does for the
                         tables of Batsim */
    int jobs, rows;
    const struct cs_arrival *job; /* the log, in any order; failures -1: any number */
    const struct cs_job_row *row; /* the table, in any order */
};

/* Violations name jobs by id; the task of an item is the index of the job in the log. */
void cs_check_table(const struct cs_check_table *what, struct cs_check_report *report);

/* ---- what the machine of a site could have done (operated.c) ----
 *
 * Whoever wrote the table, with a row for each job, that of its last attempt: every job of the log
 * is there once, starts after its arrival, runs as long as the log says (or to its limit) and on as
 * much; at every instant pools suffice, outages counted in, nobody holds what another one does, and
 * no user has more than the limits say.  Where the table does not say which nodes a job had and its
 * partition has several pools, they are judged together.
 *
 * The rules of policies, for the order fcfs (larger tiers of partitions first):
 *
 *     fcfs                 no job starts while one that is before it in the queue waits for a pool
 *                          that both may use
 *     easy                 at every instant the first waiting job of each partition starts if it
 *                          fits, and no start behind it moves the earliest time at which it would
 *     conservative         nobody starts after his promise
 *     conservative-exact   promises and starts are those of the textbook, worked out again
 *
 * It shares no code with the driver of replays and its policies.  easy and conservative-exact keep
 * what is free over time as plain steps: O(n S) and O(n Q S), S steps, Q waiting.
 */
enum cs_check_operated_rule {
    CS_CHECK_OPERATED_VALID,
    CS_CHECK_OPERATED_EASY,
    CS_CHECK_OPERATED_CONSERVATIVE,
    CS_CHECK_OPERATED_FCFS,
    CS_CHECK_OPERATED_LIMITS,
    CS_CHECK_OPERATED_EXACT,
};

struct cs_check_operated_job {
    const char *name;
    double submit;
    double seconds;  /* it must run so long */
    double estimate; /* what the scheduler knew; shorter than seconds only with `extend` */
    double request;
    double reported[2]; /* the estimates that a table may give, NaN: any */
    bool killed;        /* at its limit */
    int units;
    int64_t demand[CS_LOG_RESOURCES], procs;
    int partition, user; /* user -1: none */
    int named;           /* the partition as the log calls it; -1: not at all */
};

struct cs_check_operated_row {
    int job;          /* place in the log, from 0; others are wrong */
    const char *name; /* has to be that of this job */
    double submit, start, end;
    double promise;                /* NaN: none */
    double wait, bounded_slowdown; /* NaN: not said */
    double estimate, request;      /* NaN: not said */
    const char *user, *partition;  /* NULL: not said */
    int64_t procs;
    int attempts;
    bool killed;
    int intervals; /* 0: not known */
    const struct cs_interval *set;
};

struct cs_check_operated {
    const struct cs_site *site;
    int outages;
    const struct cs_site_outage *outage;
    int64_t user_jobs, user_procs; /* 0: no limit */
    enum cs_check_operated_rule rule;
    int64_t compress; /* of conservative-exact: the first so many take the earliest time, the others
                         move only to now; -1: nobody moves */
    double tolerance; /* of times; 0 is exact */
    const char *const *user, *const *partition; /* names, by number */
    int jobs, rows;
    const struct cs_check_operated_job *job; /* by arrival */
    const struct cs_check_operated_row *row; /* in any order */
    bool extend; /* the end of a job that outlives its estimate is extended when it comes */
};

/* The task of an item is the index of the job in the log. */
void cs_check_operated(const struct cs_check_operated *what, struct cs_check_report *report);

#endif
