/* joblog.h - all jobs of job logs, for who makes something of them. */
#ifndef CS_API_JOBLOG_H
#define CS_API_JOBLOG_H

#include "io/log_write.h"

#include <cosched/convert.h>

/* Make something of the jobs, which live as long as the call.  -1 with err. */
typedef int cs_joblog_take_f(void *who, const struct cs_log_table *table, struct cs_error *err);

/* Read the logs as cs_convert does and have their jobs taken; `how` may be NULL.  The watch is
 * warned of what is left out.  -1 with err. */
int cs_joblog_take(const char *const *paths, int count, const struct cs_convert_options *how,
                   const struct cs_watch *watch, cs_joblog_take_f *take, void *who,
                   struct cs_error *err);

#endif
