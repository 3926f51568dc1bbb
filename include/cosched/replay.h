/* replay.h - what another policy would have done with a job log: `cosched replay`, for programs.
 *
 *     const char *log[] = {"sacct.txt"};
 *     struct cs_replay_options how;
 *     struct cs_replay *replay;
 *
 *     cs_replay_defaults(&how);
 *     how.nodes = 512;
 *     how.policy = "fcfs,easy,conservative";
 *     how.full = true;
 *     replay = cs_replay_run(log, 1, &how, NULL, &err);
 *     char *rows = replay ? cs_replay_text(replay, "json", NULL, NULL, &err) : NULL;
 *
 * Names, units, defaults and results are those of the tool (`cosched help replay`); docs/replays.md
 * says what they mean.
 */
#ifndef COSCHED_REPLAY_H
#define COSCHED_REPLAY_H

#include <cosched/error.h>
#include <cosched/watch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

CS_BEGIN_DECLS

/* Made by cs_replay_defaults, then changed.  Not said are INT64_MIN as a whole number, NaN as a
 * number, -1 as a choice and NULL as a text.  Times are seconds. */
struct cs_replay_options {
    size_t size; /* sizeof(struct cs_replay_options) */

    /* The machine: one of the first three, else what the log says. */
    int64_t procs, nodes; /* one pool of so many processors, or of nodes that jobs take whole */
    const char *machine;  /* path of a cosched-machine-1 or a slurm.conf */
    const char *alloc;    /* with a machine: "node", "pooled" or "packed" */
    int unit;             /* processors are 0: cpus, 1: nodes; -1: as the log has it */
    const char *outages;  /* path of a table of what is away when */

    /* How jobs are started. */
    const char *policy, *priority; /* names with commas between; "easy", and the order of arrival */
    const char *program;           /* what the policy `program` asks, a command for the shell */
    double patience;               /* how long it may think about one answer; 60 */
    int estimates;          /* the policy is told 0: the request, 1: the true time, 2: the mean
                               of the last two jobs of the user */
    int overrun;            /* jobs that ran longer than they asked for 0: ask for as much, 1:
                               are killed, 2: are found out when the request is over */
    double grace;           /* killed so much later; what the machine says, or 0 */
    double default_request; /* of jobs without one */
    int64_t user_jobs, user_procs; /* a user has at most so many running, and processors */

    /* Which attempts fail. */
    double mean;          /* the probability of a job of mean area, 0 <= mean < 1 */
    double mtbe;          /* instead: between silent errors of a processor */
    const char *failures; /* instead: path of a table of failures of each job */
    double verification;  /* added to each attempt; 0 */
    int64_t scenarios;    /* of failures, a row each; 1, or all of the file */
    int64_t seed;         /* of failures, and of the priority random; 1 */

    /* What is read. */
    int arrive;            /* a job arrives when it is 0: eligible, 1: submitted */
    int partition_field;   /* of SWF, 0: the partition, 1: the queue */
    const char *zone;      /* of stamps without one, such as "Europe/Berlin"; UTC */
    const char *from, *to; /* dates; only jobs that arrive between them */
    int64_t lookahead;     /* lines that may be out of order; 200,000 */
    bool strict;           /* any malformed line is an error; otherwise more than 1 % are */

    /* What is measured, and kept. */
    double warmup, cooldown; /* jobs that arrive in the first, last seconds are not measured; 0 */
    const char *by;   /* tables by width, time, class, user, account, partition, qos, week, day;
                         names with commas between */
    int64_t top;      /* users and accounts in these; 20 */
    int64_t fairness; /* ask of so many jobs whether others that come later delay them; 0 */
    bool full;        /* for all texts but "table", "csv" and of a schedule */
    const char *keep; /* for the texts of the schedule, of one row: what messages call the wish,
                         such as "output" */
    bool keep_jobs;   /* every job of every row, for cs_replay_arrow (arrow.h) */
    const char *jobs; /* path of a table of all jobs, written by the run */
    int jobs_format;  /* of that table, 0: all columns, 1: those of Batsim, of one row */

    int64_t threads; /* rows at the same time, 0: all that there are; results do not depend on it */

    bool assume_up; /* with a slurm.conf: its nodes that are down, drained or future count too */
};

/* Everything as when nothing is said. */
CS_API void cs_replay_defaults(struct cs_replay_options *options);

struct cs_replay;

/* Replay so many logs (paths; "-" is standard input), merged by time, under each policy and
 * priority: a row each, after one of what was recorded.  The watch may stop it at any time; it is
 * warned of what makes the results doubtful.  Nothing of what was given is needed afterwards.  NULL
 * with err. */
CS_API struct cs_replay *cs_replay_run(const char *const *logs, int count,
                                       const struct cs_replay_options *options,
                                       const struct cs_watch *watch, struct cs_error *err);
CS_API void cs_replay_destroy(struct cs_replay *replay); /* NULL is fine */

/* The same with the options of a JSON object (NULL: none): the names of `cosched help replay` with
 * _ for -, and `full` and `keep`; a number, a text as on the command line or a list of texts, true:
 *
 *     {"nodes": 512, "policy": ["fcfs", "easy"], "warmup": "7d", "full": true}
 *
 * Files that are written are `jobs` only. */
CS_API struct cs_replay *cs_replay_run_json(const char *const *logs, int count, const char *options,
                                            const struct cs_watch *watch, struct cs_error *err);

/* These options as data: {"parameters": [{"key": "nodes", "values": "a whole number from 1 to ...",
 * "default": null, "summary": ...}, ...]}, as cs_case_describe has them; freed with cs_free.
 * cs_case_field_at (field.h) says them one by one. */
CS_API char *cs_replay_describe(struct cs_error *err);

struct cs_replay_style {
    size_t size;         /* sizeof(struct cs_replay_style) */
    const char *command; /* the text says that this made it, where it can; NULL: nothing */
    int width;           /* of "table", columns of a terminal; 0: as wide as it gets */
};

/* What came of it, as
 *
 *     "table"     for people
 *     "csv"       a line a row
 *     "json"      cosched-replay-1, of which picture.h draws pages and pictures; wants `full`,
 *                 as does the next
 *     "series"    CSV: utilisation, queue and waits over calendar time
 *     "schedule"  cosched-schedule-1, of the only row; wants `keep`, as does the next
 *     "gantt"     SVG: that schedule
 *
 * which the caller frees with cs_free; *length is without the 0 at its end and may be NULL; the
 * look may be NULL.  NULL with err. */
CS_API char *cs_replay_text(const struct cs_replay *replay, const char *form,
                            const struct cs_replay_style *appearance, size_t *length,
                            struct cs_error *err);

CS_END_DECLS

#endif
