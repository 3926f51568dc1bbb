/* joblog.h - all jobs of job logs, passed to a function. */
#ifndef CS_API_JOBLOG_H
#define CS_API_JOBLOG_H

#include "io/log_write.h"

#include <cosched/convert.h>

/* Process the jobs, which live until the function returns. -1 with err. */
typedef int cs_joblog_take_f(void *who, const struct cs_log_table *table, struct cs_error *err);

/* Read the logs as cs_convert does and pass their jobs to `take`; `how` may be NULL. The watch
 * receives warnings about lines that are left out. -1 with err. */
int cs_joblog_take(const char *const *paths, int count, const struct cs_convert_options *how,
                   const struct cs_watch *watch, cs_joblog_take_f *take, void *who,
                   struct cs_error *err);

#endif
