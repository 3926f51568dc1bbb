/* rows.h - rows of tables of fields that several problems and commands have, so that they are the
 * same everywhere. `what` is the summary, where they differ in it.
 */
#ifndef CS_STUDY_ROWS_H
#define CS_STUDY_ROWS_H

#include "study/field.h"

/* A number of a certain kind, between limits. */
#define CS_FIELD_WHOLE_ROW(word, argument_, fallback_, low_, high_, what)                          \
    {                                                                                              \
        .name = (word), .kind = CS_FIELD_INTEGER, .argument = (argument_),                         \
        .fallback = (fallback_), .low = (low_), .high = (high_), .summary = (what),                \
    }

#define CS_FIELD_REAL_ROW(word, argument_, fallback_, low_, high_, what)                           \
    {                                                                                              \
        .name = (word), .kind = CS_FIELD_REAL, .argument = (argument_), .fallback = (fallback_),   \
        .low = (low_), .high = (high_), .summary = (what),                                         \
    }

/* How many of what is generated. */
#define CS_FIELD_COUNT_ROW(word, fallback_, low_, high_, what)                                     \
    {                                                                                              \
        .name = (word), .letter = 'n', .kind = CS_FIELD_INTEGER, .argument = "N",                  \
        .fallback = (fallback_), .low = (low_), .high = (high_), .summary = (what),                \
    }

/* Processors of the machine, the first option of a group. */
#define CS_FIELD_PROCS_GROUP(heading, least)                                                       \
    {                                                                                              \
        .name = "procs", .letter = 'p', .kind = CS_FIELD_INTEGER, .argument = "P", .low = least,   \
        .high = 100000000, .group = heading,                                                       \
        .summary = "processors (or nodes) of the machine; default: what the input says",           \
    }

/* Seeds are integers that a JSON number holds. */
#define CS_FIELD_SEED_ROW(what)                                                                    \
    {                                                                                              \
        .name = "seed", .kind = CS_FIELD_INTEGER, .argument = "S", .fallback = "1", .low = 0,      \
        .high = 9007199254740992.0, .summary = what,                                               \
    }

#define CS_FIELD_THREADS_ROW                                                                       \
    {                                                                                              \
        .name = "threads", .kind = CS_FIELD_INTEGER, .argument = "T", .fallback = "0", .low = 0,   \
        .high = 1024, .summary = "0 is all that there are; results do not depend on it",           \
    }

/* Where something that is generated goes. */
#define CS_FIELD_OUTPUT_ROW(file)                                                                  \
    {                                                                                              \
        .name = "output", .letter = 'o', .kind = CS_FIELD_PATH, .argument = file,                  \
        .summary = "where to; default: standard output",                                           \
    }

/* A picture, and how it looks. */
#define CS_FIELD_GANTT_ROW(what)                                                                   \
    {                                                                                              \
        .name = "gantt", .kind = CS_FIELD_PATH, .argument = "FILE.svg|FILE.png", .summary = what,  \
    }

#define CS_FIELD_UNIT_ROW                                                                          \
    {                                                                                              \
        .name = "unit", .kind = CS_FIELD_TEXT, .argument = "WORD", .fallback = "processor",        \
        .summary = "what a processor is called in texts and pictures, such as node",               \
    }

#define CS_FIELD_TITLE_ROW                                                                         \
    {                                                                                              \
        .name = "title", .kind = CS_FIELD_TEXT, .argument = "TEXT", .needs = "gantt",              \
        .summary = "title of the picture; default: the name of the input",                         \
    }

#define CS_FIELD_DARK_ROW                                                                          \
    {                                                                                              \
        .name = "dark", .kind = CS_FIELD_FLAG, .needs = "gantt",                                   \
        .summary = "a picture for dark slides",                                                    \
    }

#endif
