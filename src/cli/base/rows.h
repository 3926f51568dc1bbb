/* rows.h - rows of option tables that several commands have, so that they are the same everywhere.
 * `what` is the summary, where commands differ in it.
 */
#ifndef CS_CLI_ROWS_H
#define CS_CLI_ROWS_H

#include "cli/base/option.h"

/* A number of a certain kind, between limits. */
#define CS_OPTION_WHOLE_ROW(word, argument_, fallback_, low_, high_, what)                         \
    {                                                                                              \
        .name = (word), .kind = CS_OPTION_INTEGER, .argument = (argument_),                        \
        .fallback = (fallback_), .low = (low_), .high = (high_), .summary = (what),                \
    }

#define CS_OPTION_REAL_ROW(word, argument_, fallback_, low_, high_, what)                          \
    {                                                                                              \
        .name = (word), .kind = CS_OPTION_REAL, .argument = (argument_), .fallback = (fallback_),  \
        .low = (low_), .high = (high_), .summary = (what),                                         \
    }

/* How many of what is generated. */
#define CS_OPTION_COUNT_ROW(word, fallback_, low_, high_, what)                                    \
    {                                                                                              \
        .name = (word), .letter = 'n', .kind = CS_OPTION_INTEGER, .argument = "N",                 \
        .fallback = (fallback_), .low = (low_), .high = (high_), .summary = (what),                \
    }

/* Processors of the machine, the first option of a group. */
#define CS_OPTION_PROCS_GROUP(heading, least)                                                      \
    {                                                                                              \
        .name = "procs", .letter = 'p', .kind = CS_OPTION_INTEGER, .argument = "P", .low = least,  \
        .high = 100000000, .group = heading,                                                       \
        .summary = "processors (or nodes) of the machine; default: what the input says",           \
    }

/* Seeds are integers that a JSON number holds. */
#define CS_OPTION_SEED_ROW(what)                                                                   \
    {                                                                                              \
        .name = "seed", .kind = CS_OPTION_INTEGER, .argument = "S", .fallback = "1", .low = 0,     \
        .high = 9007199254740992.0, .summary = what,                                               \
    }

#define CS_OPTION_THREADS_ROW                                                                      \
    {                                                                                              \
        .name = "threads", .kind = CS_OPTION_INTEGER, .argument = "T", .fallback = "0", .low = 0,  \
        .high = 1024, .summary = "0 is all that there are; results do not depend on it",           \
    }

/* Where something that is generated goes. */
#define CS_OPTION_OUTPUT_ROW(file)                                                                 \
    {                                                                                              \
        .name = "output", .letter = 'o', .kind = CS_OPTION_PATH, .argument = file,                 \
        .summary = "where to; default: standard output",                                           \
    }

/* A picture, and how it looks. */
#define CS_OPTION_GANTT_ROW(what)                                                                  \
    {                                                                                              \
        .name = "gantt", .kind = CS_OPTION_PATH, .argument = "FILE.svg|FILE.png", .summary = what, \
    }

#define CS_OPTION_UNIT_ROW                                                                         \
    {                                                                                              \
        .name = "unit", .kind = CS_OPTION_TEXT, .argument = "WORD", .fallback = "processor",       \
        .summary = "what a processor is called in texts and pictures, such as node",               \
    }

#define CS_OPTION_TITLE_ROW                                                                        \
    {                                                                                              \
        .name = "title", .kind = CS_OPTION_TEXT, .argument = "TEXT", .needs = "gantt",             \
        .summary = "title of the picture; default: the name of the input",                         \
    }

#define CS_OPTION_DARK_ROW                                                                         \
    {                                                                                              \
        .name = "dark", .kind = CS_OPTION_FLAG, .needs = "gantt",                                  \
        .summary = "a picture for dark slides",                                                    \
    }

#endif
