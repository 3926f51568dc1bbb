/* jobspec.h - a plan as jobs of Flux (RFC 25, version 1), a line of JSON each. */
#ifndef CS_REPORT_JOBSPEC_H
#define CS_REPORT_JOBSPEC_H

#include "base/file.h"
#include "model/schedule.h"

struct cs_jobspec {
    const char *const *word; /* the program and its first arguments, */
    int words;               /* so many; NAME and the number of processors follow. 0: the task's
                                name alone */
    double margin;           /* a job may take so many times what is planned */
    bool cores;              /* processors are cores; else nodes */
};

/* Append a line for each task, by planned start.  -1 with err when a task has several bars. */
int cs_jobspec_put(const struct cs_schedule *schedule, const struct cs_jobspec *how,
                   struct cs_spill *to, struct cs_error *err);

#endif
