/* log.h - the jobs of the logs of batch systems, one after the other.
 *
 * SWF, `sacct -P` of Slurm, the accounting log of PBS, ALCF's CSV, the table that Batsim writes and
 * the workloads (JSON) that it reads; one file or several, packed or not.  Jobs come by arrival,
 * then file, then line.  Memory does not grow with the log: lines may be out of order by no more
 * than `lookahead`, and besides these only the names of users, accounts, partitions and queues are
 * kept, and the labels of jobs that are not done.
 *
 * Every line that is no job of the replay is counted under the first rule that applies.  A field
 * that is not needed may hold anything.
 */
#ifndef CS_IO_LOG_H
#define CS_IO_LOG_H

#include "base/zone.h"
#include "model/site.h"

#include <stddef.h>

#define CS_LOG_LOOKAHEAD 200000

enum cs_log_kind {
    CS_LOG_SWF,
    CS_LOG_SACCT,
    CS_LOG_PBS,
    CS_LOG_ALCF,
    CS_LOG_BATSIM,      /* the table of what ran */
    CS_LOG_BATSIM_JSON, /* a workload */
};

const char *cs_log_kind_name(enum cs_log_kind kind); /* "SWF", "sacct", ... */

enum cs_log_unit { CS_LOG_UNIT_DEFAULT, CS_LOG_CPUS, CS_LOG_NODES };

/* Left out, and from CS_LOG_KEPT on only counted. */
enum cs_log_rule {
    CS_LOG_MALFORMED,        /* not so many fields, or no number where one is needed */
    CS_LOG_STEPS,            /* of a job that has a separate line */
    CS_LOG_ARRAY_REMAINDERS, /* tasks of an array that never started */
    CS_LOG_WHOLE_ARRAYS,     /* PBS: the record of an array whose tasks have separate records */
    CS_LOG_NOT_ENDED,
    CS_LOG_INTERRUPTED, /* PBS: rerun, aborted, deleted; completed jobs have a separate line */
    CS_LOG_PARTIAL,     /* pieces of a job that was checkpointed */
    CS_LOG_NEVER_STARTED,
    CS_LOG_NO_TIME,
    CS_LOG_NO_WIDTH,
    CS_LOG_EXTPOL, /* of the requested dates */
    CS_LOG_NO_PARTITION,
    CS_LOG_TOO_WIDE,
    CS_LOG_DUPLICATES, /* the same job, submitted and started at the same times */
    CS_LOG_KEPT,
    CS_LOG_NO_REQUEST = CS_LOG_KEPT,
    CS_LOG_NO_LIMIT, /* Slurm's and PBS's word for it */
    CS_LOG_REQUEST_BELOW_RUN,
    CS_LOG_ARRAY_TASKS,
    CS_LOG_HET_PARTS,
    CS_LOG_NEGATIVE_SUBMIT,
    CS_LOG_REPEATED_IDS,    /* numbers that another job had: requeued, or a mistake */
    CS_LOG_OTHER_PARTITION, /* the machine lacks theirs, they go to the one to fall back to */
    CS_LOG_RULES,
};

const char *cs_log_rule_key(enum cs_log_rule rule);  /* "never_started" */
const char *cs_log_rule_name(enum cs_log_rule rule); /* "never started", "steps of jobs" */

/* The text after the number of lines: "step of a job" after 1. */
const char *cs_log_rule_words(enum cs_log_rule rule, int64_t lines);

struct cs_log_counts;

/* Why no job is left, with the name of the log before it.  Always -1. */
int cs_log_no_job(const char *name, const struct cs_log_counts *counts, struct cs_error *err);

struct cs_log_options {
    const struct cs_zone *zone; /* of stamps without one; NULL: UTC */
    bool by_submit;             /* jobs arrive when they are submitted, eligible or not */
    bool by_queue;              /* SWF: the queue is the partition */
    enum cs_log_unit unit;      /* what processors are; default: nodes in ALCF's logs, else cores */
    const struct cs_site *site; /* sizes and checks the jobs; NULL: they keep the sizes of the log,
                                   and procs follows from the unit */
    double speed;               /* flop/s of a processor, for Batsim's workloads; 0: unknown */
    int64_t most;               /* without a site: wider ones are too wide; 0: none is */
    double from, to;            /* jobs that arrive in [from, to), Unix time; both 0: all */
    long lookahead;             /* lines; 0: CS_LOG_LOOKAHEAD */
    const char *spool;          /* the path that messages call standard input; or NULL */
    bool every;                 /* SWF, for sequences of jobs (spec/science.md 9.4): run time 0 is
                                   kept, a negative one is 10 s, the width is the larger one of
                                   allocated and requested, a missing request the run time */
    bool strict;                /* any malformed line is an error */
    bool lenient;               /* no number of them is */
};

#define CS_LOG_NOTES 10

struct cs_log_counts {
    int64_t lines; /* of data */
    int64_t rule[CS_LOG_RULES];
    int64_t first[CS_LOG_KEPT]; /* line of the first one that each rule left out */
    int64_t kept;
    double kept_seconds;      /* processor seconds of the jobs */
    double not_ended_seconds; /* of those that were running still */
    double too_wide_seconds;
    int64_t clock_changes; /* jobs that ended an hour off, by stamps without a zone */
    int64_t endless;       /* jobs without an end in state or end time */
    int64_t local;         /* jobs whose stamps have no zone */
    int64_t with_gpus;     /* jobs that ask for some */
    int64_t lacking;       /* too wide, as no node has a generic resource that they ask for */
    char lacks[128];       /* of the first of them: "gpu:h100" */
    int notes;
    char note[CS_LOG_NOTES][256]; /* the first malformed lines: "FILE:LINE: what" */
};

/* Is a file whose first line that is not blank is this one a log?  Any JSON may be one of Batsim's
 * workloads. */
bool cs_log_begins(const char *line);

struct cs_log;

/* Opens the files and reads their beginnings. The path "-" is standard input. The options are
 * copied, the site and the zone must outlive the log. NULL with err: a file that cannot be read,
 * that is not a log (with its probable format), or several with SWF that lack UnixStartTime. */
struct cs_log *cs_log_open(const char *const *path, int files, const struct cs_log_options *options,
                           struct cs_error *err);

/* The same for bytes, which stay the caller's. */
struct cs_log *cs_log_open_memory(const char *name, const void *bytes, size_t size,
                                  const struct cs_log_options *options, struct cs_error *err);

/* Without a site: from now on wider jobs are too wide, as with options.most from the start. */
void cs_log_set_most(struct cs_log *log, int64_t most);

void cs_log_close(struct cs_log *log); /* NULL is fine; labels that are not done go with it */

/* A cs_log_next_f, whose source is the log.  -1 is for good. */
int cs_log_next(void *log, struct cs_log_job *out, struct cs_error *err);

/* A job is done: its label is no longer wanted. */
void cs_log_done(struct cs_log *log, const struct cs_log_job *job);

/* Complete after cs_log_next has returned 0. */
const struct cs_log_counts *cs_log_counts(const struct cs_log *log);

/* The kind from the beginning of the file. */
enum cs_log_kind cs_log_kind(const struct cs_log *log, int file);
int64_t cs_log_machine(const struct cs_log *log);  /* MaxProcs, else MaxNodes; 0: unknown */
bool cs_log_dated(const struct cs_log *log);       /* it is known when 0 is */
int64_t cs_log_epoch(const struct cs_log *log);    /* the Unix time of 0 on the log's clock */
const char *cs_log_zone(const struct cs_log *log); /* TimeZoneString of SWF, or NULL */

/* The names so far, kept up to date; partitions as the log calls them (cs_log_job.named). */
const struct cs_log_names *cs_log_users(const struct cs_log *log);
const struct cs_log_names *cs_log_accounts(const struct cs_log *log);
const struct cs_log_names *cs_log_partitions(const struct cs_log *log);
const struct cs_log_names *cs_log_qualities(const struct cs_log *log);

#endif
