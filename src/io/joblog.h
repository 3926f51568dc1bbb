/* joblog.h - the jobs of a log as one list, for studies that draw their failures many times.
 *
 * Read by the readers of log.h, whose rules leave lines out; all that they read can be read here:
 * SWF, sacct, PBS, ALCF, Batsim, packed or not.
 */
#ifndef CS_IO_JOBLOG_H
#define CS_IO_JOBLOG_H

#include "io/log.h"

struct cs_joblog_job {
    int64_t id;
    double submit;    /* seconds on the clock of the log; ALCF: whole ones */
    double seconds;   /* it ran, > 0 */
    double requested; /* requested seconds; <= 0 if unknown */
    int procs;        /* 1 .. machine */
    int user;         /* number of the user, -1 when unknown */
};

struct cs_joblog {
    enum cs_log_kind kind;
    int machine;   /* processors; 0 if neither the file nor the caller has it */
    int64_t start; /* Unix time of submit = 0; 0 when unknown */
    struct cs_log_counts counts;
    int count;
    struct cs_joblog_job *job; /* by submit time, then line */
};

struct cs_joblog_options {
    int machine;       /* > 0 overrides the file; ALCF's have none: the 49152 nodes of Mira */
    const char *month; /* only the jobs submitted in it, such as "2019-06"; NULL: all */
};

/* NULL with err on failure. */
struct cs_joblog *cs_joblog_read(const char *path, const struct cs_joblog_options *options,
                                 struct cs_error *err);

/* The same for bytes; `name` is for messages. */
struct cs_joblog *cs_joblog_read_memory(const char *name, const void *bytes, size_t size,
                                        const struct cs_joblog_options *options,
                                        struct cs_error *err);

void cs_joblog_destroy(struct cs_joblog *log); /* NULL is fine */

#endif
