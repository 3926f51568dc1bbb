/* judge.h - does what is said of a schedule hold against the files that it was made from, and are
 * tables of jobs what a scheduler could have done with their logs?
 *
 *     const char *log[] = {"log.swf"};
 *     const struct cs_judge_options how = {.size = sizeof how, .rule = "easy", .tolerance = 0.001};
 *     char *verdicts = cs_judge_jobs("out_jobs.csv", log, 1, &how, NULL, &err);
 *
 * The judge shares no code with the policies, as that of schedules (check.h); `cosched check
 * --against` and `check --log` do nothing else.
 */
#ifndef COSCHED_JUDGE_H
#define COSCHED_JUDGE_H

#include <cosched/check.h>
#include <cosched/error.h>
#include <cosched/watch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

CS_BEGIN_DECLS

/* A schedule against `count` files that it was made from, in any order: they are read as its
 * command says, what they hold of tasks, machine and failures takes the place of what the schedule
 * says of them, and the rules of its problem are applied again (cs_check_file); their digests are
 * compared too.  Which file is which is told by digests, then by names, then by order: operands,
 * then options.  What is wrong is added to the report.  The watch is warned of options of the
 * command that have another name by now.  -1 with err when the command makes no such schedule,
 * the schedule was observed, or files cannot be read, are too few or too many. */
CS_API int cs_judge_schedule(const struct cs_schedule_file *file, const char *const *inputs,
                             int count, const struct cs_watch *watch,
                             struct cs_check_report *report, struct cs_error *err);

/* What is judged, and what the scheduler was given.  Members that are 0 or NULL say nothing; those
 * from `nodes` on are for tables that `cosched replay --jobs` wrote. */
struct cs_judge_options {
    size_t size;      /* sizeof(struct cs_judge_options) */
    long violations;  /* told one by one; 0: 1000 */
    const char *rule; /* "valid" (also NULL): the machine suffices, and every job runs as the log
                         says; "easy": also, nobody delays the first in line; "conservative": also,
                         every job starts at its promise or before; "fcfs": also, nobody starts
                         before one that was submitted earlier; "limits": users keep to user_jobs
                         and user_procs; "conservative-exact": promises and starts are those of the
                         textbook.  The last two are for tables of replays */
    int64_t procs;    /* of the machine, up to 100,000,000; 0: what the log says */
    const char *estimates; /* "requested" (also NULL), "exact", or "last2", which is not judged */
    const char *overrun;   /* "raise" (also NULL), "kill" or "extend" */
    double grace;          /* with kill, seconds; NaN: OverTimeLimit of a slurm.conf, or 0 */
    double verification;   /* seconds, added to each attempt */
    double tolerance;      /* seconds; times that differ by no more are the same */

    int64_t nodes;                 /* instead of processors: so many, which jobs take whole */
    const char *machine;           /* a file: nodes and partitions (JSON), or a slurm.conf */
    const char *alloc;             /* with a machine: "node", "pooled" or "packed" */
    const char *unit;              /* what processors are: "cpus" or "nodes" */
    const char *outages;           /* a file: when parts of the machine were away */
    double default_request;        /* seconds, of jobs without one */
    int64_t user_jobs, user_procs; /* that a user has at once */
    const char *arrive;            /* "eligible" (also NULL) or "submit" */
    const char *zone;              /* of stamps without one, such as "Europe/Berlin"; NULL: UTC */
    const char *from, *to;         /* dates: only jobs that arrive between them */
    const char *partition_field;   /* SWF: "partition" (also NULL) or "queue" */
    bool assume_up;                /* with a slurm.conf: nodes that are out of service count too */
};

/* A table of jobs, of `cosched replay --jobs` or in the form of Batsim, against the logs that the
 * jobs came from (for the latter one log): JSON, a list with an object for each policy and priority
 * in the table,
 *
 *     {"policy", "priority": null in the form of Batsim, "verdict": "valid", "general",
 *      "incomplete" or "not valid", "total": violations, "missing": why not all rules could be
 *      applied, "note": what was not judged, "violations": [{"kind", "task", "time", "text"}],
 * "words": what was judged}
 *
 * The caller frees the text with cs_free (case.h).  The watch is warned of lines of the logs that
 * are left out.  NULL with err. */
CS_API char *cs_judge_jobs(const char *table, const char *const *logs, int count,
                           const struct cs_judge_options *how, const struct cs_watch *watch,
                           struct cs_error *err);

CS_END_DECLS

#endif
