/* log_study.h - logs replayed under several policies and priorities, a row each; the first row is
 * the recorded schedule of the logs.
 *
 * Every row reads the logs itself, so that memory does not grow with them; rows run in parallel.
 * Every figure depends on the row alone, so any number of threads gives the same.
 */
#ifndef CS_QUEUE_LOG_STUDY_H
#define CS_QUEUE_LOG_STUDY_H

#include "base/arena.h"
#include "base/zone.h"
#include "io/log.h"
#include "model/energy.h"
#include "model/schedule.h"
#include "problem/loop.h"
#include "problems/queue/classes.h"
#include "problems/queue/log_jobs.h"
#include "problems/queue/recorded.h"
#include "problems/queue/sets.h"
#include "problems/queue/simulate.h"
#include "problems/queue/sums.h"

#define CS_QUEUE_BINS 2000

struct cs_queue_bin {
    double used;                        /* processor seconds */
    double queue;                       /* integral of the number of jobs that wait */
    double work;                        /* integral of requests x processors of these */
    int64_t arrivals, starts, measured; /* the last: jobs that arrived here and are done */
    double wait;                        /* of these, together */
};

struct cs_queue_series {
    double origin, length; /* on the log's clock; seconds */
    int count;
    struct cs_queue_bin bin[CS_QUEUE_BINS];
    /* private */
    int64_t epoch;
    const struct cs_zone *zone;
    double now, used, work;
    int64_t queue;
};

struct cs_queue_log_kept; /* jobs and attempts of one variant */

/* The schedule on a machine of `procs` processors, with the metadata that a file declares of it
 * except priority, scenario and shelves; the metadata is allocated in the arena.  The caller
 * destroys the schedule.  NULL with err: processors had no names, or an outage ended attempts,
 * which a schedule cannot represent. */
struct cs_schedule *cs_queue_log_kept_schedule(const struct cs_queue_log_kept *kept, int64_t procs,
                                               struct cs_rigid_declared *declared,
                                               struct cs_arena *arena, struct cs_error *err);

/* The last: a row for each attempt, as io/jobs_csv.h writes them. */
enum cs_queue_table_form {
    CS_QUEUE_TABLE_OURS,
    CS_QUEUE_TABLE_BATSIM,
    CS_QUEUE_TABLE_ATTEMPTS,
};

struct cs_queue_log_variant {
    const char *policy, *priority; /* as given by the caller */
    struct cs_queue_operation op;  /* policy, param and priority count; the rest is the study's */
    int scenario;                  /* of failures, from 0 */
};

struct cs_queue_log_study {
    const char *const *path;
    int files;
    struct cs_log_options log;      /* with the site */
    const struct cs_queue_cut *cut; /* sets of jobs in memory instead of the files; or NULL */
    struct cs_queue_operation op;   /* common to all variants */
    struct cs_queue_window window;
    double error_rate;       /* silent errors of a processor second; 0: none */
    uint64_t seed, set;      /* of these, which are drawn by the place of a job in the log */
    int64_t failing;         /* or given: of so many jobs, */
    const int32_t *failures; /* a number for each, scenario by scenario; or NULL */
    unsigned by;             /* classes that are wanted */
    unsigned recorded_by;    /* and of the first row besides */
    bool series;             /* bins are wanted */
    const char *table;       /* a file with a row for each job; or NULL */
    struct cs_strbuf *text;  /* instead of the file: the rows are appended to it; or NULL */
    enum cs_queue_table_form form;
    bool csv_safe;   /* no cell of the table is read as a formula by spreadsheets */
    bool unrecorded; /* with `cut`: the first row is not wanted */
    bool keep;       /* the jobs and attempts of the only variant, for a schedule */
    bool jobs;       /* the jobs of each variant, as they ran */
    int variants;
    const struct cs_queue_log_variant *variant;
    int threads;
    const struct cs_study_progress *progress; /* of the rows; or NULL */
    const struct cs_energy_options *energy;   /* power of nodes; or NULL */
};

/* The points of the distribution functions: waits from 1 s to 10^7 s, bounded slowdowns from 1 to
 * 10^5, equally far apart on a logarithmic axis. */
#define CS_QUEUE_SHARES 64
double cs_queue_share_wait(int i);
double cs_queue_share_slowdown(int i);

struct cs_queue_shares {
    double wait[CS_QUEUE_SHARES], slowdown[CS_QUEUE_SHARES];
};

struct cs_queue_log_row {
    bool made; /* false: its set was left out */
    struct cs_queue_measured measured;
    struct cs_queue_simulated operated; /* of a variant */
    struct cs_queue_recorded recorded;  /* of the first row */
    struct cs_queue_series *series;     /* or NULL */
    struct cs_queue_classes *classes;   /* or NULL */
    struct cs_queue_log_kept *kept;     /* or NULL */
    struct cs_queue_log_jobs *jobs;     /* or NULL */
    struct cs_queue_shares *shares;     /* distribution functions; NULL without `series` */
    struct cs_queue_totals sum;         /* of a variant */
    double bound;                       /* of sets: on the makespan, seconds; else NaN */
    struct cs_energy energy;            /* in the window; of NaN without power */
};

struct cs_queue_log_rows {
    int count; /* variants + 1, the first is the recorded schedule, times the sets */
    struct cs_queue_log_row *row; /* of each variant its sets */
    struct cs_log *log;           /* that of the first row, or of the sets: counts and names */
    bool shared;                  /* it belongs to the sets */
};

/* Fill in `failures` of study->failing jobs from a file, in the arena; so many scenarios.  -1 with
 * err. */
int cs_queue_log_study_read_failures(struct cs_queue_log_study *study, const char *path,
                                     struct cs_arena *arena, int *scenarios, struct cs_error *err);

/* -1 with err, that of the first row with one.  The caller releases the rows. */
int cs_queue_log_study_run(const struct cs_queue_log_study *study, struct cs_queue_log_rows *rows,
                           struct cs_error *err);

void cs_queue_log_rows_release(struct cs_queue_log_rows *rows);

#endif
