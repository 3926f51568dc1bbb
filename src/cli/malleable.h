/* malleable.h - what "plan malleable" and "simulate malleable" share: the applications, the
 * machine, the rules. */
#ifndef CS_CLI_MALLEABLE_H
#define CS_CLI_MALLEABLE_H

#include "base/arena.h"
#include "base/jsonw.h"
#include "cli/base/command.h"
#include "cli/base/format.h"
#include "malleable/study.h"
#include "study/rows.h"

#include <cosched/workload.h>

/* One call of a command. */
struct cs_malleable_job {
    const struct cs_arguments *args;
    struct cs_arena *arena;
    const char *path;
    struct cs_workload *workload;
    struct cs_malleable_platform platform;
    struct cs_malleable_instance *instance;
    struct cs_malleable_rules rules;   /* without the policies */
    const char *faults;                /* a file of failures, or NULL; set by the command */
    int system;                        /* in that file, or 0; set by the command */
    const char *kind;                  /* what that file is */
    struct cs_malleable_source source; /* of failures; its law is set by the command */
    const char *unit;                  /* what a processor is called */
};

/* Read all that; warn where results should be taken with care.  -1 with err. */
int cs_malleable_job_read(struct cs_malleable_job *job, struct cs_error *err);

void cs_malleable_job_release(struct cs_malleable_job *job);

/* "100 tasks on 1,000 processors (FILE), MTBF of a processor 100 y, downtime 1 min" */
void cs_malleable_job_put(const struct cs_malleable_job *job, struct cs_strbuf *out);

/* The same into the open object: keys input, tasks, procs, mtbf, downtime, fault_free,
 * period_factor, layout, kappa, hysteresis, minimal_disruption, wake, lower_bound. */
void cs_malleable_job_json(const struct cs_malleable_job *job,
                           const struct cs_malleable_rules *rules, struct cs_jsonw *w);

/* Rows for the operands and options. */
#define CS_MALLEABLE_INPUT                                                                         \
    {                                                                                              \
        .name = "INPUT", .kind = CS_FIELD_PATH,                                                    \
        .summary = "the applications: CSV with the columns app,seconds,seq_fraction,overhead,"     \
                   "checkpoint,data (formulas) or app,procs,seconds,checkpoint,data (measured), "  \
                   "or JSON (cosched-workload-1); - reads standard input; .gz and .xz are fine"    \
    }

#define CS_MALLEABLE_OPTIONS                                                                       \
    CS_FIELD_PROCS_GROUP("The machine", 1),                                                        \
        {.name = "mtbf",                                                                           \
         .kind = CS_FIELD_SECONDS,                                                                 \
         .argument = "TIME",                                                                       \
         .low = 0,                                                                                 \
         .high = 1e300,                                                                            \
         .summary = "mean time between failures of one processor, such as 10y; default: what a "   \
                    "file of failures shows, else 100y"},                                          \
        {.name = "downtime",                                                                       \
         .kind = CS_FIELD_SECONDS,                                                                 \
         .argument = "TIME",                                                                       \
         .fallback = "60",                                                                         \
         .low = 0,                                                                                 \
         .high = 1e12,                                                                             \
         .summary = "between a failure and the recovery"},                                         \
        {.name = "fault-free",                                                                     \
         .kind = CS_FIELD_FLAG,                                                                    \
         .summary = "no failures and no checkpoints: an optimistic reference"},                    \
        {.name = "checkpoint",                                                                     \
         .kind = CS_FIELD_SECONDS,                                                                 \
         .argument = "TIME",                                                                       \
         .low = 0,                                                                                 \
         .high = 1e15,                                                                             \
         .group = "The applications",                                                              \
         .summary = "a checkpoint on one processor, for applications of the input that do not "    \
                    "say; on j processors it takes a j-th of it"},                                 \
        {.name = "data",                                                                           \
         .kind = CS_FIELD_SECONDS,                                                                 \
         .argument = "TIME",                                                                       \
         .low = 0,                                                                                 \
         .high = 1e15,                                                                             \
         .summary = "what is moved when processors change, as the time that one processor needs "  \
                    "to send it, for applications that do not say"},                               \
        {.name = "fill",                                                                           \
         .kind = CS_FIELD_CHOICE,                                                                  \
         .choices = "power|step",                                                                  \
         .fallback = "power",                                                                      \
         .summary = "times between measured points: on the power law through both, or that of "    \
                    "the next smaller measured count"},                                            \
    {                                                                                              \
        .name = "fewer", .kind = CS_FIELD_CHOICE, .choices = "refuse|scale", .fallback = "refuse", \
        .summary = "below the smallest measured count: the task cannot run there, or it takes "    \
                   "the time of perfect scaling"                                                   \
    }

#define CS_MALLEABLE_RULES                                                                         \
    {.name = "rules",                                                                              \
     .kind = CS_FIELD_CHOICE,                                                                      \
     .choices = "recommended|paper",                                                               \
     .fallback = "recommended",                                                                    \
     .group = "The rules",                                                                         \
     .summary = "what the options below are when not given: what we recommend, or what the paper " \
                "does"},                                                                           \
        {.name = "period-factor",                                                                  \
         .kind = CS_FIELD_REAL,                                                                    \
         .argument = "K",                                                                          \
         .low = 1e-6,                                                                              \
         .high = 1e6,                                                                              \
         .summary = "between checkpoints, K times Young's period; recommended 0.5, paper 1"},      \
        {.name = "layout",                                                                         \
         .kind = CS_FIELD_CHOICE,                                                                  \
         .choices = "young|tail",                                                                  \
         .summary = "checkpoints a period apart, or pieces as equal as what is left allows; "      \
                    "default: young"},                                                             \
        {.name = "kappa",                                                                          \
         .kind = CS_FIELD_REAL,                                                                    \
         .argument = "K",                                                                          \
         .low = 1e-6,                                                                              \
         .high = 1e6,                                                                              \
         .summary = "of the tail layout: how many lost pieces to prepare for; default: 1"},        \
        {.name = "hysteresis",                                                                     \
         .kind = CS_FIELD_REAL,                                                                    \
         .argument = "H",                                                                          \
         .low = 0,                                                                                 \
         .high = 0.999999,                                                                         \
         .summary = "processors move only when the expected makespan falls by more than this "     \
                    "share; recommended 0.02, paper 0"},                                           \
        {.name = "minimal-disruption",                                                             \
         .kind = CS_FIELD_CHOICE,                                                                  \
         .choices = "no|yes",                                                                      \
         .summary = "tasks keep their processors where a greedy plan is as good with them; "       \
                    "recommended yes, paper no"},                                                  \
    {                                                                                              \
        .name = "wake", .kind = CS_FIELD_CHOICE, .choices = "no|yes",                              \
        .summary = "free processors are offered to a task whose restart is over; recommended "     \
                   "yes, paper no"                                                                 \
    }

#endif
