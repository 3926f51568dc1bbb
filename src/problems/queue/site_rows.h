/* site_rows.h - the parameters of the machine, the users, the log and the failures of a replay:
 * rows of fields for replays and for experiments.
 *
 * `heading` is the group that begins with them, or NULL; `needs_` the field without which they mean
 * nothing, or NULL; `at_` a macro from a member of struct cs_replay_options to its place.
 */
#ifndef CS_QUEUE_SITE_ROWS_H
#define CS_QUEUE_SITE_ROWS_H

#include "problem/rows.h"

#define CS_SITE_WHOLE(word, least, most, needs_, verbs_, of_, at_, what)                           \
    {                                                                                              \
        .name = word, .kind = CS_FIELD_INTEGER, .argument = "N", .low = least, .high = most,       \
        .needs = needs_, .summary = what, .verbs = verbs_, .of = of_, .at = at_,                   \
    }

#define CS_SITE_TIME(word, heading, fallback_, needs_, verbs_, of_, at_, what)                     \
    {                                                                                              \
        .name = word, .kind = CS_FIELD_SECONDS, .argument = "TIME", .fallback = fallback_,         \
        .low = 0, .high = 1e12, .group = heading, .needs = needs_, .summary = what,                \
        .verbs = verbs_, .of = of_, .at = at_,                                                     \
    }

#define CS_SITE_TEXT(word, kind_, argument_, needs_, verbs_, at_, what)                            \
    {                                                                                              \
        .name = word, .kind = CS_FIELD_##kind_, .argument = argument_, .needs = needs_,            \
        .summary = what, .verbs = verbs_, .of = CS_OF_INSTANCE, .at = at_,                         \
    }

#define CS_SITE_CHOICE(word, heading, choices_, fallback_, needs_, verbs_, of_, at_, what)         \
    {                                                                                              \
        .name = word, .kind = CS_FIELD_CHOICE, .choices = choices_, .fallback = fallback_,         \
        .group = heading, .needs = needs_, .summary = what, .verbs = verbs_, .of = of_, .at = at_, \
    }

#define CS_SITE_ROWS_MACHINE(heading, needs_, verbs_, at_)                                         \
    {                                                                                              \
        .name = "nodes",                                                                           \
        .kind = CS_FIELD_INTEGER,                                                                  \
        .argument = "N",                                                                           \
        .low = 1,                                                                                  \
        .high = 2147483647,                                                                        \
        .group = heading,                                                                          \
        .needs = needs_,                                                                           \
        .summary = "instead of processors: so many nodes, which jobs take whole",                  \
        .verbs = verbs_,                                                                           \
        .of = CS_OF_INSTANCE,                                                                      \
        .at = at_(nodes),                                                                          \
    },                                                                                             \
        {                                                                                          \
            .name = "machine",                                                                     \
            .letter = 'm',                                                                         \
            .kind = CS_FIELD_PATH,                                                                 \
            .argument = "FILE",                                                                    \
            .needs = needs_,                                                                       \
            .summary =                                                                             \
                "nodes with cores, memory and GPUs, and partitions: JSON (cosched-machine-1) or "  \
                "a slurm.conf",                                                                    \
            .verbs = verbs_,                                                                       \
            .of = CS_OF_INSTANCE,                                                                  \
            .at = at_(machine),                                                                    \
        },                                                                                         \
        CS_SITE_TEXT(                                                                              \
            "alloc", TEXT, "node|pooled|packed", "machine", verbs_, at_(alloc),                    \
            "jobs get whole nodes, or shares that are counted together in each group, or on "      \
            "each node (default: from the machine)"),                                              \
        {                                                                                          \
            .name = "assume-up",                                                                   \
            .kind = CS_FIELD_FLAG,                                                                 \
            .needs = "machine",                                                                    \
            .summary = "count the nodes of a slurm.conf that are down, drained or future too",     \
            .verbs = verbs_,                                                                       \
            .of = CS_OF_INSTANCE,                                                                  \
            .at = at_(assume_up),                                                                  \
        },                                                                                         \
        CS_SITE_CHOICE(                                                                            \
            "unit", NULL, "cpus|nodes", NULL, needs_, verbs_, CS_OF_INSTANCE, at_(unit),           \
            "what processors are; default: nodes with --nodes and in ALCF's logs, else "           \
            "cpus"),                                                                               \
        CS_SITE_TEXT(                                                                              \
            "outages", PATH, "FILE.csv", needs_, verbs_, at_(outages),                             \
            "when parts of the machine are away: "                                                 \
            "start,end,count,kind[,group][,announced], the kind being maintenance, drain or "      \
            "down")

#define CS_SITE_ROWS_OVERRUN(needs_, verbs_, at_)                                                  \
    CS_SITE_CHOICE(                                                                                \
        "overrun", NULL, "raise|kill|extend", "raise", needs_, verbs_, CS_OF_VARIANT,              \
        at_(overrun),                                                                              \
        "jobs that ran longer than requested: the policy knows the time in advance, they end "     \
        "at their request, or the overrun is detected when the request ends"),                     \
        CS_SITE_TIME(                                                                              \
            "grace", NULL, NULL, "overrun", verbs_, CS_OF_VARIANT, at_(grace),                     \
            "with --overrun kill: so much longer; default: OverTimeLimit of a slurm.conf, or "     \
            "0")

#define CS_SITE_ROWS_LIMITS(needs_, verbs_, at_)                                                   \
    CS_SITE_TIME("default-request", NULL, NULL, needs_, verbs_, CS_OF_INSTANCE,                    \
                 at_(default_request),                                                             \
                 "of jobs without one; default: the longest time of the partition, else the run "  \
                 "time"),                                                                          \
        CS_SITE_WHOLE("user-jobs", 1, 1000000000, needs_, verbs_, CS_OF_VARIANT, at_(user_jobs),   \
                      "a user has at most so many running jobs"),                                  \
        CS_SITE_WHOLE("user-procs", 1, 2147483647, needs_, verbs_, CS_OF_VARIANT, at_(user_procs), \
                      "a user has at most so many processors")

#define CS_SITE_ROWS_LOG(heading, needs_, verbs_, at_)                                             \
    CS_SITE_CHOICE("arrive", heading, "eligible|submit", "eligible", needs_, verbs_,               \
                   CS_OF_INSTANCE, at_(arrive),                                                    \
                   "when a job joins the queue: waiting for a dependency or a begin time is no "   \
                   "queueing"),                                                                    \
        CS_SITE_TEXT("zone", TEXT, "NAME", needs_, verbs_, at_(zone),                              \
                     "time zone of stamps without one, such as Europe/Berlin; default: UTC"),      \
        CS_SITE_TEXT("from", TEXT, "DATE", needs_, verbs_, at_(from),                              \
                     "only jobs that arrive then or later"),                                       \
        CS_SITE_TEXT("to", TEXT, "DATE", needs_, verbs_, at_(to), "only jobs that arrive before"), \
        CS_SITE_CHOICE("partition-field", NULL, "partition|queue", "partition", needs_, verbs_,    \
                       CS_OF_INSTANCE, at_(partition_field), "SWF: which field is the partition")

#define CS_SITE_ROWS_WINDOW(heading, needs_, verbs_, at_)                                          \
    CS_SITE_TIME("warmup", heading, "0", needs_, verbs_, CS_OF_NOTHING, at_(warmup),               \
                 "jobs that arrive in the first TIME run, but are not measured"),                  \
        CS_SITE_TIME("cooldown", NULL, "0", needs_, verbs_, CS_OF_NOTHING, at_(cooldown),          \
                     "nor those in the last TIME")

#define CS_SITE_ROW_FAIRNESS(needs_, verbs_, at_)                                                  \
    {                                                                                              \
        .name = "fairness", .kind = CS_FIELD_INTEGER, .argument = "N", .fallback = "0", .low = 0,  \
        .high = 1000000000, .needs = needs_,                                                       \
        .summary = "sample N jobs of the log; report how many would start earlier without later "  \
                   "arrivals, and by how much",                                                    \
        .verbs = verbs_, .at = at_(fairness),                                                      \
    }

#define CS_SITE_ROWS_FAILURES(failing, listed, verbs_, at_)                                        \
    {                                                                                              \
        .name = "mean-failure-probability",                                                        \
        .letter = 'q',                                                                             \
        .kind = CS_FIELD_REAL,                                                                     \
        .argument = "Q",                                                                           \
        .low = 0,                                                                                  \
        .high = 1,                                                                                 \
        .group = "Which attempts fail",                                                            \
        .summary = failing,                                                                        \
        .verbs = verbs_,                                                                           \
        .of = CS_OF_DRAW,                                                                          \
        .at = at_(mean),                                                                           \
    },                                                                                             \
        {                                                                                          \
            .name = "mtbe",                                                                        \
            .kind = CS_FIELD_SECONDS,                                                              \
            .argument = "TIME",                                                                    \
            .low = 0,                                                                              \
            .high = 1e300,                                                                         \
            .summary = "instead: mean time between silent errors of one processor",                \
            .verbs = verbs_,                                                                       \
            .of = CS_OF_DRAW,                                                                      \
            .at = at_(mtbe),                                                                       \
        },                                                                                         \
    {                                                                                              \
        .name = "failures", .kind = CS_FIELD_PATH, .argument = "FILE",                             \
        .summary = "instead: how often each job fails, one scenario a line, one number for each "  \
                   "job " listed,                                                                  \
        .verbs = verbs_, .of = CS_OF_DRAW, .at = at_(failures),                                    \
    }

#endif
