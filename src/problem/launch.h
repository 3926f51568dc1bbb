/* launch.h - options for the processor counts on which applications are launched: rows that the
 * problems pack and moldable share, and the workload that results from them. */
#ifndef CS_PROBLEM_LAUNCH_H
#define CS_PROBLEM_LAUNCH_H

#include "base/arena.h"
#include "io/timings.h"
#include "problem/param.h"
#include "problem/rows.h"

#include <cosched/workload.h>
#include <stdbool.h>
#include <stdint.h>

struct cs_launch_options {
    int fill, fewer, times;
    struct cs_timings_options tool; /* of timings of other tools */
    int64_t min_procs, max_procs;
    const char *counts;
    double walltime, margin;
    bool strict; /* warnings of the reader are errors */
};

/* Return -1 with err, the first line of a reader's warnings, if there are any and `strict` is set;
 * else 0. */
int cs_launch_refuse_caveats(const char *lines, bool strict, struct cs_error *err);

/* Read the workload of the files (ends with NULL), with its modes or without, and apply the limits
 * of the options. The caller destroys it. NULL with err. */
struct cs_workload *cs_launch_read(const char *const *path, const struct cs_launch_options *options,
                                   bool modes, struct cs_arena *arena, struct cs_error *err);

/* Apply the limits of the options to a workload from another source. -1 with err. */
int cs_launch_restrict(struct cs_workload *workload, const struct cs_launch_options *options,
                       struct cs_arena *arena, struct cs_error *err);

/* A line about the spread of repeated runs; "" if no count was measured more than once. The text
 * lives in the arena. */
const char *cs_launch_report_runs(const struct cs_workload *workload,
                                  const struct cs_launch_options *options, struct cs_arena *arena);

/* Rows of a table of parameters; `at_` is the offset of the struct in the options. */
#define CS_LAUNCH_AT(at_, member) (at_) + offsetof(struct cs_launch_options, member)

#define CS_TIMINGS_AT(member) offsetof(struct cs_launch_options, tool.member)

#define CS_ROWS_LAUNCH(heading, actions_, at_)                                                     \
    {.name = "interpolate",                                                                        \
     .old = "fill",                                                                                \
     .old_stored = true,                                                                           \
     .kind = CS_PARAM_CHOICE,                                                                      \
     .choices = "measured|power",                                                                  \
     .old_choice = "step=measured",                                                                \
     .default_text = "measured",                                                                   \
     .group = heading,                                                                             \
     .summary = "counts on which a task may run: only measured ones, or also those between them, " \
                "with times on the power law through both",                                        \
     .actions = actions_,                                                                          \
     .scope = CS_SCOPE_INSTANCE,                                                                   \
     .at = CS_LAUNCH_AT(at_, fill)},                                                               \
        {.name = "extrapolate",                                                                    \
         .old = "fewer",                                                                           \
         .old_stored = true,                                                                       \
         .kind = CS_PARAM_CHOICE,                                                                  \
         .choices = "refuse|scale",                                                                \
         .default_text = "refuse",                                                                 \
         .summary = "below the smallest measured count: the task cannot run there, or it takes "   \
                    "the time of perfect scaling",                                                 \
         .actions = actions_,                                                                      \
         .scope = CS_SCOPE_INSTANCE,                                                               \
         .at = CS_LAUNCH_AT(at_, fewer)},                                                          \
        {.name = "times",                                                                          \
         .kind = CS_PARAM_CHOICE,                                                                  \
         .choices = "min|median|max",                                                              \
         .default_text = "min",                                                                    \
         .summary = "which of several measured runs on one count is its time",                     \
         .actions = actions_,                                                                      \
         .scope = CS_SCOPE_INSTANCE,                                                               \
         .at = CS_LAUNCH_AT(at_, times)},                                                          \
        CS_ROWS_TIMINGS(actions_, CS_SCOPE_INSTANCE, (at_) + CS_TIMINGS_AT),                       \
        {.name = "min-procs",                                                                      \
         .kind = CS_PARAM_INTEGER,                                                                 \
         .argument = "N",                                                                          \
         .low = 1,                                                                                 \
         .high = 100000000,                                                                        \
         .summary = "fewest processors of every task",                                             \
         .actions = actions_,                                                                      \
         .scope = CS_SCOPE_INSTANCE,                                                               \
         .at = CS_LAUNCH_AT(at_, min_procs)},                                                      \
        {.name = "max-procs",                                                                      \
         .kind = CS_PARAM_INTEGER,                                                                 \
         .argument = "N",                                                                          \
         .low = 1,                                                                                 \
         .high = 100000000,                                                                        \
         .summary = "most processors of every task",                                               \
         .actions = actions_,                                                                      \
         .scope = CS_SCOPE_INSTANCE,                                                               \
         .at = CS_LAUNCH_AT(at_, max_procs)},                                                      \
        {.name = "counts",                                                                         \
         .kind = CS_PARAM_TEXT,                                                                    \
         .argument = "LIST",                                                                       \
         .summary =                                                                                \
             "the only counts allowed, such as 4,8,16, or powers-of-two, even, multiples:4",       \
         .actions = actions_,                                                                      \
         .scope = CS_SCOPE_INSTANCE,                                                               \
         .at = CS_LAUNCH_AT(at_, counts)},                                                         \
        {.name = "walltime",                                                                       \
         .kind = CS_PARAM_SECONDS,                                                                 \
         .argument = "TIME",                                                                       \
         .low = 0,                                                                                 \
         .high = 1e15,                                                                             \
         .summary = "counts on which a task takes longer are not allowed; in a simulation a task " \
                    "is stopped then",                                                             \
         .actions = actions_,                                                                      \
         .scope = CS_SCOPE_INSTANCE,                                                               \
         .at = CS_LAUNCH_AT(at_, walltime)},                                                       \
        {                                                                                          \
            .name = "margin",                                                                      \
            .kind = CS_PARAM_REAL,                                                                 \
            .argument = "M",                                                                       \
            .default_text = "1",                                                                   \
            .low = 1,                                                                              \
            .high = 1000,                                                                          \
            .summary = "for walltimes, times are taken M times as long",                           \
            .actions = actions_,                                                                   \
            .scope = CS_SCOPE_INSTANCE,                                                            \
            .at = CS_LAUNCH_AT(at_, margin),                                                       \
        },                                                                                         \
        CS_ROW_STRICT(actions_, CS_LAUNCH_AT(at_, strict))

#endif
