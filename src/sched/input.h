/* input.h - what is simulated: a job log or a list of jobs, as one set or several. */
#ifndef CS_SCHED_INPUT_H
#define CS_SCHED_INPUT_H

#include "io/joblog.h"
#include "sched/instance.h"

#include <stdbool.h>
#include <stddef.h>

struct cs_sched_input_options {
    int procs;           /* of the machine; 0: as in the file */
    double verification; /* seconds; NaN: as in the file, or 0 */
    const char *month;   /* logs: only the jobs of such a month, "2019-06"; or NULL */
    bool by_day;         /* logs: one set for each day of submission */
    bool strict;         /* lists: what the reader doubts is an error */
    int by_count;        /* logs: so many jobs in a set; 0: one set of all */
};

struct cs_sched_input_set {
    const char *name; /* the date, or the number of the set from 1; "" when there is but one */
    struct cs_sched_jobs jobs;
    const char *const *job; /* names, distinct */
};

struct cs_sched_input {
    const char *kind;             /* "CSV", "sample", or that of a log: "SWF", "sacct", ... */
    int machine;                  /* processors */
    double rate;                  /* silent errors per second and processor; NaN: unknown */
    int jobs;                     /* in all sets */
    const struct cs_known *known; /* what is proven of the optimum; or NULL */
    const struct cs_joblog *log;  /* or NULL; belongs to the input */
    int sets;
    const struct cs_sched_input_set *set;
    void *storage; /* private */
};

/* Read the file; its name and its first line decide the format.  NULL with err. */
struct cs_sched_input *cs_sched_input_read(const char *path,
                                           const struct cs_sched_input_options *options,
                                           struct cs_error *err);

void cs_sched_input_destroy(struct cs_sched_input *input); /* NULL is fine */

#endif
