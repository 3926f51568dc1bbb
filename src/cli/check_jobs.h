/* check_jobs.h - the part of "check" that judges tables of jobs. */
#ifndef CS_CLI_CHECK_JOBS_H
#define CS_CLI_CHECK_JOBS_H

#include "cli/base/command.h"
#include "cli/views/check_show.h"

/* Judge the operands against the logs.  An exit status, or -1 with err. */
int cs_check_jobs_run(const struct cs_arguments *args, struct cs_check_show *show,
                      struct cs_error *err);

#endif
