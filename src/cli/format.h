/* format.h - options that many commands have. */
#ifndef CS_CLI_FORMAT_H
#define CS_CLI_FORMAT_H

#include "cli/option.h"

/* The value of --format. */
enum cs_format { CS_FORMAT_TABLE, CS_FORMAT_JSON, CS_FORMAT_CSV };

#define CS_OPTION_FORMAT_ROW                                                                       \
    {                                                                                              \
        .name = "format", .kind = CS_OPTION_CHOICE, .choices = "table|json|csv",                   \
        .fallback = "table", .summary = "how results are printed: for people, or for programs",    \
    }

#endif
