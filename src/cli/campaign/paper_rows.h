/* paper_rows.h - options that the commands of papers share. */
#ifndef CS_CLI_PAPER_ROWS_H
#define CS_CLI_PAPER_ROWS_H

#define CS_PARAM_PAPERS_ROW                                                                        \
    {                                                                                              \
        .name = "papers", .kind = CS_PARAM_PATH, .argument = "DIR",                                \
        .summary = "take the papers below this folder instead of those that come with cosched",    \
    }

#endif
