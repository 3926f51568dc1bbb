/* format.h - options that many commands have. */
#ifndef CS_CLI_FORMAT_H
#define CS_CLI_FORMAT_H

#include "cli/base/option.h"

/* The value of --format. */
enum cs_format { CS_FORMAT_TABLE, CS_FORMAT_JSON, CS_FORMAT_CSV };

/* The option as a row; the other one begins a group of options in the help. */
#define CS_FIELD_FORMAT_ROW CS_FIELD_FORMAT_GROUP(NULL)
#define CS_FIELD_FORMAT_GROUP(heading)                                                             \
    {                                                                                              \
        .name = "format", .kind = CS_FIELD_CHOICE, .choices = "table|json|csv",                    \
        .fallback = "table", .group = heading,                                                     \
        .summary = "how results are printed: for people, or for programs",                         \
    }

#endif
