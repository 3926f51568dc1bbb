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

#include "model/arrival.h"

#include <cosched/check.h>

enum cs_check_jobs_rule {
    CS_CHECK_JOBS_VALID,        /* any order */
    CS_CHECK_JOBS_EASY,         /* strict EASY, first come first served */
    CS_CHECK_JOBS_CONSERVATIVE, /* nobody starts after his promise */
    CS_CHECK_JOBS_FCFS,         /* nobody overtakes */
};

struct cs_check_jobs {
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
void cs_check_jobs(const struct cs_check_jobs *what, struct cs_check_report *report);

#endif
