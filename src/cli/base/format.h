/* format.h - options that many commands have. */
#ifndef CS_CLI_FORMAT_H
#define CS_CLI_FORMAT_H

#include "study/arguments.h"

/* The value of --format. */
enum cs_format { CS_FORMAT_TABLE, CS_FORMAT_JSON, CS_FORMAT_CSV };

/* The option as a row. */
#define CS_FIELD_FORMAT_ROW CS_FIELD_FORMAT(NULL, 0, 0)

#endif
