/* format.h - options that many commands have. */
#ifndef CS_CLI_FORMAT_H
#define CS_CLI_FORMAT_H

#include "problem/arguments.h"

/* The value of --format. */
enum cs_format { CS_FORMAT_TABLE, CS_FORMAT_JSON, CS_FORMAT_CSV };

/* The option as a row. */
#define CS_PARAM_FORMAT_ROW CS_PARAM_FORMAT(NULL, 0, 0)

/* main.c passes it to cs_output_csv_safe(). */
#define CS_PARAM_CSV_SAFE_ROW CS_PARAM_CSV_SAFE(0, 0)

/* Warnings of a reader are errors. */
#define CS_PARAM_STRICT_ROW                                                                        \
    {                                                                                              \
        .name = "strict", .kind = CS_PARAM_FLAG, .summary = CS_STRICT_WORDS,                       \
    }

/* Of stores: which campaign, and whether runs may be missing. */
#define CS_PARAM_DOCUMENT_ROW                                                                      \
    {                                                                                              \
        .name = "document", .kind = CS_PARAM_TEXT, .argument = "NAME",                             \
        .summary = "which sweep or paper of the store, when it has several: its name, or the "     \
                   "beginning of its SHA-256 (campaign status --format csv)",                      \
    }
#define CS_PARAM_PARTIAL_ROW                                                                       \
    {                                                                                              \
        .name = "partial", .kind = CS_PARAM_FLAG,                                                  \
        .summary = "of a campaign that is not finished, what is there",                            \
    }

#endif
