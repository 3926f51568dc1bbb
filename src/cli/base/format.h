/* format.h - options that many commands have. */
#ifndef CS_CLI_FORMAT_H
#define CS_CLI_FORMAT_H

#include "cli/base/option.h"
#include "study/rows.h"

/* The value of --format. */
enum cs_format { CS_FORMAT_TABLE, CS_FORMAT_JSON, CS_FORMAT_CSV };

/* The option as a row. */
#define CS_FIELD_FORMAT_ROW CS_ROW_FORMAT(NULL, 0)

#endif
