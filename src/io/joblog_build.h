/* joblog_build.h - for the readers of job logs only. */
#ifndef CS_IO_JOBLOG_BUILD_H
#define CS_IO_JOBLOG_BUILD_H

#include "io/joblog.h"

#define CS_JOBLOG_LARGEST 1e15 /* job numbers and times, in size */

struct cs_joblog *cs_joblog_create(int machine);

/* Keep the job, or count the rule by which it is left out. */
void cs_joblog_offer(struct cs_joblog *log, const struct cs_joblog_job *job);

/* NULL, or a month such as "2019-06". */
int cs_joblog_month_check(const char *month, struct cs_error *err);

#endif
