/* dry_run.h - cosched run --dry-run. */
#ifndef CS_CLI_RUN_DRY_RUN_H
#define CS_CLI_RUN_DRY_RUN_H

#include "run/document.h"
#include "study/arguments.h"

int cs_cli_dry_run(const struct cs_arguments *args, struct cs_run_document *document,
                   struct cs_error *err);

#endif
