/* check.h - independent validation of schedules.
 *
 *     struct cs_check_report *report = cs_check_report_create(10);
 *     struct cs_schedule_file *plan = cs_schedule_file_read("plan.json", &err);
 *
 *     if (plan && !cs_check_file(plan, report))
 *         printf("%zu violations\n", report->total);
 *
 * The checker shares no code with policies and drivers. It looks for every violation, not for the
 * first, and reports each in one line with the task and the time. cs_check_schedule and
 * cs_check_jobs compare schedules and tables of jobs with their input files, as `cosched check
 * --against` and `check --log` do.
 *
 * A completed check returns 0, regardless of its result. -1 for an invalid call, or when memory ran
 * out: then `total` is not 0 and `note` has the reason.
 */
#ifndef COSCHED_CHECK_H
#define COSCHED_CHECK_H

#include <cosched/error.h>
#include <cosched/schedule.h>
#include <cosched/watch.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

CS_BEGIN_DECLS

enum cs_violation {
    CS_VIOLATION_BAR_TIME = 1,   /* a start or end that is not finite, or a start below 0 */
    CS_VIOLATION_BAR_LENGTH,     /* a bar that does not end after its start */
    CS_VIOLATION_PROC_SET,       /* intervals not ascending, disjoint and apart, or no processor */
    CS_VIOLATION_PROC_RANGE,     /* a processor that the platform does not have */
    CS_VIOLATION_PROC_SHARED,    /* two bars on one processor at the same time */
    CS_VIOLATION_TASK_OVERLAP,   /* two bars of one task at the same time where this is forbidden */
    CS_VIOLATION_ATTEMPT,        /* an attempt below 1 */
    CS_VIOLATION_MAKESPAN,       /* the declared makespan is not the end of the last bar */
    CS_VIOLATION_INSTANCE,       /* the schedule and the instance speak of different tasks, or
                                    the problem is unknown */
    CS_VIOLATION_TASK_MISSING,   /* a task that never runs */
    CS_VIOLATION_TASK_REPEATED,  /* a task that runs more than once */
    CS_VIOLATION_BAR_KIND,       /* a bar that is not work where only work is expected */
    CS_VIOLATION_DURATION,       /* a bar whose length differs from the profile */
    CS_VIOLATION_TOO_FEW_PROCS,  /* a task on fewer processors than it can run on */
    CS_VIOLATION_PACK_MISSING,   /* a bar that is in no pack */
    CS_VIOLATION_PACK_START,     /* tasks of one pack that do not start together */
    CS_VIOLATION_PACK_OVERLAP,   /* a pack that starts before the one before it has ended */
    CS_VIOLATION_PACK_SIZE,      /* more tasks in a pack than its limit */
    CS_VIOLATION_PACK_PROCS,     /* more processors in a pack than there are */
    CS_VIOLATION_DECLARED_TASK,  /* the declared packs and the bars differ */
    CS_VIOLATION_DECLARED_COST,  /* a declared pack cost, or their sum, is wrong */
    CS_VIOLATION_DECLARED_RATIO, /* a declared metric is wrong */
    CS_VIOLATION_DECLARED_BOUND, /* a declared lower bound above the cost, or its gap is wrong */
    CS_VIOLATION_EARLY,          /* a job that starts before it is submitted */
    CS_VIOLATION_WIDTH,          /* a job on another number of processors than requested */
    CS_VIOLATION_CAPACITY,       /* more processors in use than there are */
    CS_VIOLATION_HEAD_WAITS,     /* the first in line fits and does not start */
    CS_VIOLATION_RESERVATION, /* a job that delays the first in line, or starts after its promise */
    CS_VIOLATION_ATTEMPT_ORDER,  /* an attempt with another number than its place */
    CS_VIOLATION_RERUN,          /* a job that runs again although it did not fail */
    CS_VIOLATION_FAILURES,       /* a job that failed more or less often than in its scenario */
    CS_VIOLATION_SHELF,          /* a bar or a shelf that breaks the rules of shelves */
    CS_VIOLATION_PAIRS,          /* processors that are not whole pairs (2x, 2x + 1) */
    CS_VIOLATION_WAITS,          /* a malleable task that does nothing before its end */
    CS_VIOLATION_SEGMENT,        /* bars that do not follow one another as in a segment */
    CS_VIOLATION_PERIOD,         /* work without a checkpoint longer or shorter than its period */
    CS_VIOLATION_WORK,           /* a task whose work does not add up to the whole task */
    CS_VIOLATION_REDISTRIBUTION, /* processors that move without a reason, or the wrong ones */
    CS_VIOLATION_DECLARED_AREA,  /* a declared split of processor time is wrong */
    CS_VIOLATION_CLUSTER,    /* a task of a graph on several clusters, or not on its declared one */
    CS_VIOLATION_PRECEDENCE, /* a task that starts before its data are there */
    CS_VIOLATION_CONFIGURATION,   /* hosts that cannot be enrolled so */
    CS_VIOLATION_NOT_UP,          /* a host that works while it is reclaimed or down */
    CS_VIOLATION_TRANSFER,        /* a host with a forbidden or missing transfer */
    CS_VIOLATION_TOGETHER,        /* enrolled hosts that do not compute together, or not ready */
    CS_VIOLATION_ITERATION,       /* an iteration that ends early, late or under a wrong number */
    CS_VIOLATION_OPTIMAL,         /* a plan that is declared optimal and is not */
    CS_VIOLATION_INPUT,           /* the schedule was made from other files than those given */
    CS_VIOLATION_OVERTAKES,       /* a job that starts before one that came first */
    CS_VIOLATION_SCATTERED,       /* processors whose numbers are not consecutive */
    CS_VIOLATION_GROUP,           /* a bar with a group where the problem has none */
    CS_VIOLATION_LATE,            /* a job that ends after a deadline that it can meet */
    CS_VIOLATION_DECLARED_ENERGY, /* the declared energy is not that of the bars */
};

/* A few words: "processor shared", ... */
CS_API const char *cs_violation_name(enum cs_violation violation);

struct cs_check_item {
    enum cs_violation violation;
    int task;         /* index, or -1 when no single task is at fault */
    double time;      /* seconds, or NaN when no moment is */
    const char *text; /* one line */
};

/* The result. Only the first `limit` violations are stored, all are counted: total may be larger
 * than count. */
struct cs_check_report {
    size_t total; /* found; 0: valid */
    size_t count; /* kept */
    size_t limit;
    const struct cs_check_item *item; /* count of them */
    const char *missing; /* what the file lacks, so that only the rules of every schedule could be
                            applied; NULL when those of its problem were */
    const char *note;    /* what was not judged all the same; or NULL */
    void *storage;       /* private */
};

CS_API struct cs_check_report *cs_check_report_create(size_t limit);
CS_API void cs_check_report_destroy(struct cs_check_report *report); /* NULL is fine */

/* Check all content of a file with the rules of its problem. A file with a problem must have the
 * keys of the problem (instance, jobs, faults, graphs and platform, configurations, market); a file
 * without one is checked with the rules of every schedule, and `missing` states this. */
CS_API int cs_check_file(const struct cs_schedule_file *file, struct cs_check_report *report);

/* Check the text of a schedule file by its own declarations and, if these are valid, against its
 * `count` input files (may be 0). The result is JSON: {"verdict": "valid", "general" or "not
 * valid", "violations": [{"kind", "task", "time", "text"}], "total": the number of violations,
 * "missing": why only the general rules could be applied, "note": the unchecked parts}; freed with
 * cs_free. NULL with err when a file cannot be read. */
CS_API char *cs_check_text(const char *text, size_t size, const char *const *inputs, int count,
                           struct cs_error *err);

/* Check a schedule against its `count` input files, in any order: they are read with the options of
 * its recorded command, their tasks, machine and failures replace those of the schedule, and the
 * rules of its problem are applied again (cs_check_file); their digests are compared too. Files are
 * matched by digest, then by name, then by order: operands, then options. Violations are added to
 * the report. The watch is warned of options with a former name. -1 with err when the command makes
 * no such schedule, the schedule was observed, or files cannot be read, are too few or too many. */
CS_API int cs_check_schedule(const struct cs_schedule_file *file, const char *const *inputs,
                             int count, const struct cs_watch *watch,
                             struct cs_check_report *report, struct cs_error *err);

/* The checked rules and the input of the scheduler. Members that are 0 or NULL are unset; those
 * from `nodes` on are for tables that `cosched replay --jobs` wrote. */
struct cs_check_options {
    size_t size;      /* sizeof(struct cs_check_options) */
    long violations;  /* told one by one; 0: 1000 */
    const char *rule; /* "valid" (also NULL): the machine suffices, and every job runs as in the
                         log; "easy": also, no job delays the first in line; "conservative": also,
                         every job starts at its promise or before; "fcfs": also, no job starts
                         before one that was submitted earlier; "limits": users keep to user_jobs
                         and user_procs; "conservative-exact": promises and starts are those of the
                         textbook.  The last two are for tables of replays */
    int64_t procs;    /* of the machine, up to 100,000,000; 0: from the log */
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
    int64_t user_jobs, user_procs; /* limits of a user at any time */
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
CS_API char *cs_check_jobs(const char *table, const char *const *logs, int count,
                           const struct cs_check_options *how, const struct cs_watch *watch,
                           struct cs_error *err);

CS_END_DECLS

#endif
