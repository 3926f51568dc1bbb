/* site_rows.h - what a replay is told of a machine, its users, its log and its failures: rows of
 * fields for `replay`, for experiments, and for `check --log`, which judges what a replay wrote.
 *
 * `heading` is the group that begins with them, or NULL; `needs_` the field without which they mean
 * nothing, or NULL; `at_` a macro from a member of struct cs_replay_options to its place.
 */
#ifndef CS_RIGID_SITE_ROWS_H
#define CS_RIGID_SITE_ROWS_H

#include "study/rows.h"

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
            "each node; default: what the machine says"),                                          \
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
        "overrun", NULL, "raise|kill|extend", "raise", needs_, verbs_, CS_OF_WAY, at_(overrun),    \
        "jobs that ran longer than they asked for: the policy knows from the beginning, "          \
        "they end at their request, or it is found out when that is over"),                        \
        CS_SITE_TIME(                                                                              \
            "grace", NULL, NULL, "overrun", verbs_, CS_OF_WAY, at_(grace),                         \
            "with --overrun kill: so much longer; default: OverTimeLimit of a slurm.conf, or "     \
            "0")

#define CS_SITE_ROWS_LIMITS(needs_, verbs_, at_)                                                   \
    CS_SITE_TIME("default-request", NULL, NULL, needs_, verbs_, CS_OF_INSTANCE,                    \
                 at_(default_request),                                                             \
                 "of jobs without one; default: the longest time of the partition, else the run "  \
                 "time"),                                                                          \
        CS_SITE_WHOLE("user-jobs", 1, 1000000000, needs_, verbs_, CS_OF_WAY, at_(user_jobs),       \
                      "a user has at most so many running jobs"),                                  \
        CS_SITE_WHOLE("user-procs", 1, 2147483647, needs_, verbs_, CS_OF_WAY, at_(user_procs),     \
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
        .summary =                                                                                 \
            "ask of N jobs, evenly over the log, whether they would start sooner if nobody "       \
            "came after them: how many would, and by how much",                                    \
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

/* All options of a replay: of the tool, and of cs_replay_run_json.  The words of "policy",
 * "priority" and "by" are put by functions of whoever has them. */
#define CS_REPLAY_ROWS_RUN(policy_words, priority_words, by_words, at_)                            \
    {.name = "procs",                                                                              \
     .letter = 'p',                                                                                \
     .kind = CS_FIELD_INTEGER,                                                                     \
     .argument = "P",                                                                              \
     .low = 1,                                                                                     \
     .high = 2147483647,                                                                           \
     .group = "The machine",                                                                       \
     .summary = "one pool of so many processors; default: MaxProcs of the log",                    \
     .at = at_(procs)},                                                                            \
        CS_SITE_ROWS_MACHINE(NULL, NULL, 0, at_),                                                  \
        {.name = "policy",                                                                         \
         .kind = CS_FIELD_TEXT,                                                                    \
         .argument = "NAME[:PARAM=VALUE,...],...",                                                 \
         .group = "How jobs are started",                                                          \
         .fallback = "easy",                                                                       \
         .values = policy_words,                                                                   \
         .list = true,                                                                             \
         .summary = "the policies, a row each, see 'cosched list rigid'",                          \
         .at = at_(policy)},                                                                       \
        CS_ROWS_PROGRAM("jobs to start", 0, at_(program), at_(patience)),                          \
        {.name = "priority",                                                                       \
         .kind = CS_FIELD_TEXT,                                                                    \
         .argument = "NAME,...",                                                                   \
         .values = priority_words,                                                                 \
         .list = true,                                                                             \
         .summary =                                                                                \
             "the order of the queue; several are combined with each policy; default: fcfs, and "  \
             "for slurm with a slurm.conf that has the multifactor priority, slurm",               \
         .at = at_(priority)},                                                                     \
        {.name = "estimates",                                                                      \
         .kind = CS_FIELD_CHOICE,                                                                  \
         .choices = "requested|exact|last2",                                                       \
         .fallback = "requested",                                                                  \
         .summary =                                                                                \
             "what the policy is told: the request, the true time, or the mean of the last two "   \
             "jobs of the user",                                                                   \
         .at = at_(estimates)},                                                                    \
        CS_SITE_ROWS_OVERRUN(NULL, 0, at_), CS_SITE_ROWS_LIMITS(NULL, 0, at_),                     \
        CS_SITE_ROWS_FAILURES(                                                                     \
            "silent errors: an attempt of a job of mean area (processors times seconds) fails "    \
            "with "                                                                                \
            "this probability, 0 <= Q < 1, and the job waits again; default: none does",           \
            "that is replayed, in the order in which they arrive", 0, at_),                        \
        {.name = "verification",                                                                   \
         .kind = CS_FIELD_SECONDS,                                                                 \
         .argument = "TIME",                                                                       \
         .fallback = "0",                                                                          \
         .low = 0,                                                                                 \
         .high = 1e12,                                                                             \
         .summary = "added to each attempt, which finds the error at its end",                     \
         .at = at_(verification)},                                                                 \
        {.name = "seed",                                                                           \
         .kind = CS_FIELD_INTEGER,                                                                 \
         .argument = "S",                                                                          \
         .fallback = "1",                                                                          \
         .low = 0,                                                                                 \
         .high = 9007199254740992,                                                                 \
         .summary = "of failures and of the priority random: the same as in 'simulate rigid'",     \
         .at = at_(seed)},                                                                         \
        CS_ROW_SCENARIOS(10000,                                                                    \
                         "so many draws of failures, a row each; default: 1, or all of FILE", 0,   \
                         at_(scenarios)),                                                          \
        CS_SITE_ROWS_LOG("What is read", NULL, 0, at_),                                            \
        {.name = "lookahead",                                                                      \
         .kind = CS_FIELD_INTEGER,                                                                 \
         .argument = "N",                                                                          \
         .fallback = "200000",                                                                     \
         .low = 1,                                                                                 \
         .high = 1000000000,                                                                       \
         .summary = "lines of a file that may be out of order",                                    \
         .at = at_(lookahead)},                                                                    \
        {.name = "strict",                                                                         \
         .kind = CS_FIELD_FLAG,                                                                    \
         .summary = "any malformed line is an error; otherwise more than 1 % are",                 \
         .at = at_(strict)},                                                                       \
        CS_SITE_ROWS_WINDOW("What is measured", NULL, 0, at_),                                     \
        {.name = "by",                                                                             \
         .kind = CS_FIELD_TEXT,                                                                    \
         .argument = "WORD,...",                                                                   \
         .values = by_words,                                                                       \
         .list = true,                                                                             \
         .summary =                                                                                \
             "tables by width, time, class (both), user, account, partition, qos, week or day; "   \
             "JSON has all but day",                                                               \
         .at = at_(by)},                                                                           \
        {.name = "top",                                                                            \
         .kind = CS_FIELD_INTEGER,                                                                 \
         .argument = "N",                                                                          \
         .fallback = "20",                                                                         \
         .low = 1,                                                                                 \
         .high = 100000,                                                                           \
         .summary = "users and accounts shown, by processor time",                                 \
         .at = at_(top)},                                                                          \
        CS_SITE_ROW_FAIRNESS(NULL, 0, at_)

#define CS_REPLAY_ROWS_JOBS(at_)                                                                   \
    {.name = "jobs",                                                                               \
     .kind = CS_FIELD_PATH,                                                                        \
     .argument = "FILE.csv",                                                                       \
     .summary = "write a line for each job of each policy",                                        \
     .at = at_(jobs)},                                                                             \
    {                                                                                              \
        .name = "jobs-format", .needs = "jobs", .kind = CS_FIELD_CHOICE, .choices = "full|batsim", \
        .fallback = "full",                                                                        \
        .summary = "all columns, or those that Batsim and evalys have, for one policy",            \
        .at = at_(jobs_format)                                                                     \
    }

#define CS_REPLAY_ROW_THREADS(at_)                                                                 \
    {                                                                                              \
        .name = "threads", .kind = CS_FIELD_INTEGER, .argument = "T", .fallback = "0", .low = 0,   \
        .high = 1024,                                                                              \
        .summary =                                                                                 \
            "policies at the same time, 0: as many as there are processors; results do not "       \
            "depend on it",                                                                        \
        .at = at_(threads)                                                                         \
    }

#endif
