/* dry_run.h - cosched run --dry-run. */
#ifndef CS_CLI_RUN_DRY_RUN_H
#define CS_CLI_RUN_DRY_RUN_H

#include <cosched/run.h>

/* The table to standard output, and the schedule to a file, or nowhere (NULL).  -1 with err. */
int cs_cli_dry_run(const char *input, const struct cs_run_options *options, const char *path,
                   struct cs_error *err);

#endif
