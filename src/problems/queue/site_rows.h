/* site_rows.h - the parameters of the machine, the users, the log and the failures of a replay:
 * rows of parameters for replays and for experiments.
 *
 * `heading` is the group that begins with them, or NULL; `needs_` the parameter without which they
 * mean nothing, or NULL; `at_` a macro from a member of struct cs_replay_options to its place.
 */
#ifndef CS_QUEUE_SITE_ROWS_H
#define CS_QUEUE_SITE_ROWS_H

#include "problem/rows.h"

#define CS_SITE_WHOLE(word, least, most, needs_, actions_, scope_, at_, what)                      \
    {                                                                                              \
        .name = word, .kind = CS_PARAM_INTEGER, .argument = "N", .low = least, .high = most,       \
        .needs = needs_, .summary = what, .actions = actions_, .scope = scope_, .at = at_,         \
    }

#define CS_SITE_TIME(word, heading, fallback_, needs_, actions_, scope_, at_, what)                \
    {                                                                                              \
        .name = word, .kind = CS_PARAM_SECONDS, .argument = "TIME", .default_text = fallback_,     \
        .low = 0, .high = 1e12, .group = heading, .needs = needs_, .summary = what,                \
        .actions = actions_, .scope = scope_, .at = at_,                                           \
    }

#define CS_SITE_TEXT(word, kind_, argument_, needs_, actions_, at_, what)                          \
    {                                                                                              \
        .name = word, .kind = CS_PARAM_##kind_, .argument = argument_, .needs = needs_,            \
        .summary = what, .actions = actions_, .scope = CS_SCOPE_INSTANCE, .at = at_,               \
    }

#define CS_SITE_CHOICE(word, heading, choices_, fallback_, needs_, actions_, scope_, at_, what)    \
    {                                                                                              \
        .name = word, .kind = CS_PARAM_CHOICE, .choices = choices_, .default_text = fallback_,     \
        .group = heading, .needs = needs_, .summary = what, .actions = actions_, .scope = scope_,  \
        .at = at_,                                                                                 \
    }

#define CS_SITE_ROWS_MACHINE(heading, needs_, actions_, at_)                                       \
    {                                                                                              \
        .name = "nodes",                                                                           \
        .kind = CS_PARAM_INTEGER,                                                                  \
        .argument = "N",                                                                           \
        .low = 1,                                                                                  \
        .high = 2147483647,                                                                        \
        .group = heading,                                                                          \
        .needs = needs_,                                                                           \
        .summary = "instead of processors: so many nodes, which jobs take whole",                  \
        .actions = actions_,                                                                       \
        .scope = CS_SCOPE_INSTANCE,                                                                \
        .at = at_(nodes),                                                                          \
    },                                                                                             \
        {                                                                                          \
            .name = "machine",                                                                     \
            .letter = 'm',                                                                         \
            .kind = CS_PARAM_PATH,                                                                 \
            .argument = "FILE",                                                                    \
            .needs = needs_,                                                                       \
            .summary =                                                                             \
                "nodes with cores, memory and GPUs, and partitions: JSON (cosched-machine-1) or "  \
                "a slurm.conf",                                                                    \
            .actions = actions_,                                                                   \
            .scope = CS_SCOPE_INSTANCE,                                                            \
            .at = at_(machine),                                                                    \
        },                                                                                         \
        CS_SITE_TEXT(                                                                              \
            "alloc", TEXT, "node|pooled|packed", "machine", actions_, at_(alloc),                  \
            "jobs get whole nodes, or shares that are counted together in each group, or on "      \
            "each node (default: from the machine)"),                                              \
        {                                                                                          \
            .name = "assume-up",                                                                   \
            .kind = CS_PARAM_FLAG,                                                                 \
            .needs = "machine",                                                                    \
            .summary = "count the nodes of a slurm.conf that are down, drained or future too",     \
            .actions = actions_,                                                                   \
            .scope = CS_SCOPE_INSTANCE,                                                            \
            .at = at_(assume_up),                                                                  \
        },                                                                                         \
        CS_SITE_CHOICE(                                                                            \
            "unit", NULL, "cpus|nodes", NULL, needs_, actions_, CS_SCOPE_INSTANCE, at_(unit),      \
            "what processors are; default: nodes with --nodes and in ALCF's logs, else "           \
            "cpus"),                                                                               \
        CS_SITE_TEXT(                                                                              \
            "outages", PATH, "FILE.csv", needs_, actions_, at_(outages),                           \
            "when parts of the machine are away: "                                                 \
            "start,end,count,kind[,group][,announced], the kind being maintenance, drain or "      \
            "down")

#define CS_SITE_ROWS_OVERRUN(needs_, actions_, at_)                                                \
    CS_SITE_CHOICE(                                                                                \
        "overrun", NULL, "raise|kill|extend", "raise", needs_, actions_, CS_SCOPE_VARIANT,         \
        at_(overrun),                                                                              \
        "jobs that ran longer than requested: the policy knows the time in advance, they end "     \
        "at their request, or the overrun is detected when the request ends"),                     \
        CS_SITE_TIME(                                                                              \
            "grace", NULL, NULL, "overrun", actions_, CS_SCOPE_VARIANT, at_(grace),                \
            "with --overrun kill: so much longer; default: OverTimeLimit of a slurm.conf, or "     \
            "0")

#define CS_SITE_ROWS_LIMITS(needs_, actions_, at_)                                                 \
    CS_SITE_TIME("default-request", NULL, NULL, needs_, actions_, CS_SCOPE_INSTANCE,               \
                 at_(default_request),                                                             \
                 "of jobs without one; default: the longest time of the partition, else the run "  \
                 "time"),                                                                          \
        CS_SITE_WHOLE("user-jobs", 1, 1000000000, needs_, actions_, CS_SCOPE_VARIANT,              \
                      at_(user_jobs), "a user has at most so many running jobs"),                  \
        CS_SITE_WHOLE("user-procs", 1, 2147483647, needs_, actions_, CS_SCOPE_VARIANT,             \
                      at_(user_procs), "a user has at most so many processors")

#define CS_SITE_ROWS_LOG(heading, needs_, actions_, at_)                                           \
    CS_SITE_CHOICE("arrive", heading, "eligible|submit", "eligible", needs_, actions_,             \
                   CS_SCOPE_INSTANCE, at_(arrive),                                                 \
                   "when a job joins the queue: waiting for a dependency or a begin time is no "   \
                   "queueing"),                                                                    \
        CS_SITE_TEXT("zone", TEXT, "NAME", needs_, actions_, at_(zone),                            \
                     "time zone of stamps without one, such as Europe/Berlin; default: UTC"),      \
        CS_SITE_TEXT("from", TEXT, "DATE", needs_, actions_, at_(from),                            \
                     "only jobs that arrive then or later"),                                       \
        CS_SITE_TEXT("to", TEXT, "DATE", needs_, actions_, at_(to),                                \
                     "only jobs that arrive before"),                                              \
        CS_SITE_CHOICE("partition-field", NULL, "partition|queue", "partition", needs_, actions_,  \
                       CS_SCOPE_INSTANCE, at_(partition_field),                                    \
                       "SWF: which field is the partition")

#define CS_SITE_ROWS_WINDOW(heading, needs_, actions_, at_)                                        \
    CS_SITE_TIME("warmup", heading, "0", needs_, actions_, CS_SCOPE_NOTHING, at_(warmup),          \
                 "jobs that arrive in the first TIME run, but are not measured"),                  \
        CS_SITE_TIME("cooldown", NULL, "0", needs_, actions_, CS_SCOPE_NOTHING, at_(cooldown),     \
                     "nor those in the last TIME")

#define CS_SITE_ROW_FAIRNESS(needs_, actions_, at_)                                                \
    {                                                                                              \
        .name = "fairness", .kind = CS_PARAM_INTEGER, .argument = "N", .default_text = "0",        \
        .low = 0, .high = 1000000000, .needs = needs_,                                             \
        .summary = "sample N jobs of the log; report how many would start earlier without later "  \
                   "arrivals, and by how much",                                                    \
        .actions = actions_, .at = at_(fairness),                                                  \
    }

#define CS_SITE_ROWS_FAILURES(failing, listed, actions_, at_)                                      \
    {                                                                                              \
        .name = "mean-failure-probability",                                                        \
        .letter = 'q',                                                                             \
        .kind = CS_PARAM_REAL,                                                                     \
        .argument = "Q",                                                                           \
        .low = 0,                                                                                  \
        .high = 1,                                                                                 \
        .group = "Which attempts fail",                                                            \
        .summary = failing,                                                                        \
        .actions = actions_,                                                                       \
        .scope = CS_SCOPE_DRAW,                                                                    \
        .at = at_(mean),                                                                           \
    },                                                                                             \
        {                                                                                          \
            .name = "mtbe",                                                                        \
            .kind = CS_PARAM_SECONDS,                                                              \
            .argument = "TIME",                                                                    \
            .low = 0,                                                                              \
            .high = 1e300,                                                                         \
            .summary = "instead: mean time between silent errors of one processor",                \
            .actions = actions_,                                                                   \
            .scope = CS_SCOPE_DRAW,                                                                \
            .at = at_(mtbe),                                                                       \
        },                                                                                         \
    {                                                                                              \
        .name = "failures", .kind = CS_PARAM_PATH, .argument = "FILE",                             \
        .summary = "instead: how often each job fails, one scenario a line, one number for each "  \
                   "job " listed,                                                                  \
        .actions = actions_, .scope = CS_SCOPE_DRAW, .at = at_(failures),                          \
    }

#endif
