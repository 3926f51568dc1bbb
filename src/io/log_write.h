/* log_write.h - the jobs of a log in other forms.
 *
 * All jobs are stored first, because headers with their totals come before them. Submit times are
 * seconds from the start of the log: its clock if it has one (SWF, Batsim), else the first
 * submission cut to a second.
 */
#ifndef CS_IO_LOG_WRITE_H
#define CS_IO_LOG_WRITE_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "io/log.h"

struct cs_log_kept {
    int64_t id;
    const char *name; /* distinct: the label or the id, "#2", "#3", ... behind it when it repeats */
    double submit, seconds;
    double start;   /* NaN: unknown */
    double request; /* 0: none */
    int64_t procs;
    int user, account, partition, qos; /* -1: none */
    enum cs_log_state state;
};

struct cs_log_table {
    int64_t count, machine; /* machine 0: unknown */
    int64_t widest;
    struct cs_log_kept *job; /* by submit time */
    bool labels;             /* some ids are no numbers */
    bool dated;
    int64_t epoch; /* the Unix time of 0, when it is dated */
    struct cs_log_names users, accounts, partitions, qualities;
};

/* Read the log to its end; `machine` > 0 overrides that of the log. Lives in the arena, the names
 * with the log. -1 with err, also when no job is left. */
int cs_log_table_read(struct cs_log *log, int64_t machine, struct cs_arena *arena,
                      struct cs_log_table *table, struct cs_error *err);

/* Standard Workload Format, version 2.2.  Whole seconds: *rounded jobs had others, and a job runs
 * for a second at least.  Jobs are numbered from 1 when an id is no number, and so are users,
 * groups, queues and partitions whose names are not all numbers. */
void cs_log_table_put_swf(const struct cs_log_table *table, const char *command,
                          struct cs_strbuf *out, int64_t *rounded);

/* A workload of Batsim with a profile of delay for each running time. */
void cs_log_table_put_batsim(const struct cs_log_table *table, const char *command,
                             struct cs_strbuf *out);

/* name,procs,seconds,submit,requested,start,user: what `simulate rigid` reads, and more. */
void cs_log_table_put_csv(const struct cs_log_table *table, struct cs_strbuf *out);

#endif
