/* joblog.h - jobs that ran on a real machine, as its log tells.
 *
 * Readers keep every job that can be run again, count the lines that they leave out by rule, and
 * refuse what is not such a file.  Files may be packed (gzip, xz) or standard input ("-").
 */
#ifndef CS_IO_JOBLOG_H
#define CS_IO_JOBLOG_H

#include <cosched/error.h>
#include <stddef.h>
#include <stdint.h>

struct cs_joblog_job {
    int64_t id;
    double submit;    /* seconds since the start of the log */
    double seconds;   /* it ran, > 0 */
    double requested; /* seconds that the user asked for; -1 when unknown */
    int procs;        /* 1 .. machine */
    int user;         /* number of the user, -1 when unknown */
};

enum cs_joblog_rule {
    CS_JOBLOG_PARTIAL,     /* a piece of a job whose total has its own line */
    CS_JOBLOG_NO_RUNTIME,  /* no running time, or 0 */
    CS_JOBLOG_NO_WIDTH,    /* no number of processors, or 0 */
    CS_JOBLOG_TOO_WIDE,    /* wider than the machine */
    CS_JOBLOG_OTHER_MONTH, /* outside the month that was asked for */
    CS_JOBLOG_RULES,
};

/* "runtime missing or <= 0", ... */
const char *cs_joblog_rule_name(enum cs_joblog_rule rule);

struct cs_joblog {
    int machine;   /* processors; 0 when neither the file nor the caller says */
    int64_t start; /* Unix time of submit = 0; 0 when unknown */
    long lines;    /* of data */
    long skipped[CS_JOBLOG_RULES];
    int count;
    struct cs_joblog_job *job; /* in the order of the file */
};

void cs_joblog_destroy(struct cs_joblog *log); /* NULL is fine */

/* The Standard Workload Format.  `machine` > 0 wins over the file's MaxProcs (or MaxNodes).  NULL
 * with err on failure. */
struct cs_joblog *cs_joblog_read_swf(const char *path, int machine, struct cs_error *err);

/* The job logs of Argonne's leadership computing facility (ANL-ALCF-DJC-*.csv).  `machine` = 0:
 * that of Mira, 49152 nodes.  `month` such as "2019-06" keeps the jobs queued in it, NULL all.
 * Times are taken as UTC; fractions of a second are cut off. */
struct cs_joblog *cs_joblog_read_alcf(const char *path, int machine, const char *month,
                                      struct cs_error *err);

/* The same for bytes; `name` is for messages. */
struct cs_joblog *cs_joblog_read_swf_memory(const char *name, const void *bytes, size_t size,
                                            int machine, struct cs_error *err);
struct cs_joblog *cs_joblog_read_alcf_memory(const char *name, const void *bytes, size_t size,
                                             int machine, const char *month, struct cs_error *err);

/* Leave out the jobs that were not submitted in that month, such as "2019-06".  -1 with err. */
int cs_joblog_keep_month(struct cs_joblog *log, const char *month, struct cs_error *err);

/* The day, counted from 1970-01-01, of a time in Unix seconds; and its date "2019-06-01". */
int64_t cs_joblog_day(int64_t seconds);
void cs_joblog_date(int64_t day, char date[32]);

#endif
