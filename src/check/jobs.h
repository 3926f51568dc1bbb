/* jobs.h - is this table of jobs a possible schedule of that log?
 *
 * For any table: every job of the log runs once, after its submission, for the time and on the
 * processors of the log; the capacity suffices at every time, and no two jobs hold the same
 * processor. Jobs that fail run again, one attempt after the other.
 *
 * With the rule of EASY also: jobs are in line by submit time, then id; at every time (after all
 * its ends and submissions) jobs at the head of the queue start as long as they fit, and no later
 * job delays the first that does not: the processors of those that start behind it and should run
 * beyond its shadow time are spare there. The shadow time is the time at which the first job fits
 * by the estimates of the running jobs. The order in which a tool examines the later jobs does not
 * matter. This is checked only without other violations.
 *
 * With the rule of first come, first served also: no job starts before one that was submitted
 * earlier.
 *
 * With the rule of conservative backfilling also: every job starts at its promise or before; a
 * table without promises breaks it.
 *
 * It shares no code with the driver of replays. O(n log n + n R + processors assigned), R running
 * at the same time.
 */
#ifndef CS_CHECK_JOBS_H
#define CS_CHECK_JOBS_H

#include "check/check.h"
#include "model/arrival.h"
#include "model/site.h"

enum cs_check_jobs_rule {
    CS_CHECK_JOBS_VALID,        /* any order */
    CS_CHECK_JOBS_EASY,         /* strict EASY, first come first served */
    CS_CHECK_JOBS_CONSERVATIVE, /* no job starts after its promise */
    CS_CHECK_JOBS_FCFS,         /* no job overtakes */
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

/* ---- possible schedules of the machine of a site (arrivals.c) ----
 *
 * For any table, with a row for the last attempt of each job: every job of the log occurs once,
 * starts after its arrival, runs as long as in the log (or to its limit) on the same resources; at
 * every time pools suffice, including outages, no two jobs hold the same node, and no user exceeds
 * the limits. If the table does not name the nodes of a job and its partition has several pools,
 * the pools are checked together.
 *
 * The rules of policies, for the order fcfs (larger tiers of partitions first):
 *
 *     fcfs                 no job starts while one that is before it in the queue waits for a pool
 *                          that both may use
 *     easy                 at every instant the first waiting job of each partition starts if it
 *                          fits, and no start behind it moves the earliest time at which it would
 *     conservative         no job starts after its promise
 *     conservative-exact   promises and starts are those of the textbook, worked out again
 *
 * It shares no code with the driver of replays and its policies.  easy and conservative-exact keep
 * what is free over time as plain steps: O(n S) and O(n Q S), S steps, Q waiting.
 */
enum cs_check_arrivals_rule {
    CS_CHECK_ARRIVALS_VALID,
    CS_CHECK_ARRIVALS_EASY,
    CS_CHECK_ARRIVALS_CONSERVATIVE,
    CS_CHECK_ARRIVALS_FCFS,
    CS_CHECK_ARRIVALS_LIMITS,
    CS_CHECK_ARRIVALS_EXACT,
};

struct cs_check_arrivals_job {
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

struct cs_check_arrivals_row {
    int job;          /* place in the log, from 0; others are wrong */
    const char *name; /* has to be that of this job */
    double submit, start, end;
    double promise;                /* NaN: none */
    double wait, bounded_slowdown; /* NaN: missing */
    double estimate, request;      /* NaN: missing */
    const char *user, *partition;  /* NULL: missing */
    int64_t procs;
    int attempts;
    bool killed;
    int intervals; /* 0: not known */
    const struct cs_interval *set;
};

struct cs_check_arrivals {
    const struct cs_site *site;
    int outages;
    const struct cs_site_outage *outage;
    int64_t user_jobs, user_procs; /* 0: no limit */
    enum cs_check_arrivals_rule rule;
    int64_t compress; /* of conservative-exact: this number of first jobs get the earliest time, the
                         others move only to now; -1: no moves */
    double tolerance; /* of times; 0 is exact */
    const char *const *user, *const *partition; /* names, by number */
    int jobs, rows;
    const struct cs_check_arrivals_job *job; /* by arrival */
    const struct cs_check_arrivals_row *row; /* in any order */
    bool extend; /* the end of a job that outlives its estimate is extended when it comes */
};

/* The task of an item is the index of the job in the log. */
void cs_check_arrivals(const struct cs_check_arrivals *what, struct cs_check_report *report);

#endif
