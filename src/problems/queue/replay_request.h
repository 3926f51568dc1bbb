/* replay_request.h - the options of a replay of logs, as of `cosched replay`, and the study
 * (log_study.h) that they make; sweeps use the same options (site_rows.h). */
#ifndef CS_QUEUE_REPLAY_REQUEST_H
#define CS_QUEUE_REPLAY_REQUEST_H

#include "io/site_file.h"
#include "model/extpol.h"
#include "problem/cache.h"
#include "problems/queue/log_study.h"

#include <stdbool.h>
#include <stdint.h>

/* Unset are CS_PARAM_NONE as a whole number, NaN as a number, -1 as a choice and NULL as a text.
 * Times are seconds. */
struct cs_replay_options {
    /* The machine: one of the first three, else the one in the log. */
    int64_t procs, nodes; /* one pool of so many processors, or of nodes that jobs take whole */
    const char *machine;  /* path of a cosched-machine-1 or a slurm.conf */
    const char *alloc;    /* with a machine: "node", "pooled" or "packed" */
    int unit;             /* processors are 0: cpus, 1: nodes; -1: as the log has it */
    const char *outages;  /* path of a table of outages */

    /* How jobs are started. */
    const char *policy, *priority; /* names with commas between; "easy", and the order of arrival */
    const char *program;           /* the command of the policy `program`, for the shell */
    double patience;               /* the time limit of one answer; 60 */
    int estimates;          /* the policy receives 0: the request, 1: the true time, 2: the mean
                               of the last two jobs of the user */
    int overrun;            /* jobs that run longer than requested 0: request as much, 1: are
                               killed, 2: are detected when the request is over */
    double grace;           /* killed so much later; that of the machine, or 0 */
    double default_request; /* of jobs without one */
    int64_t user_jobs, user_procs; /* limits of a user: running jobs, their processors */

    /* Which attempts fail. */
    double mean;          /* the probability of a job of mean area, 0 <= mean < 1 */
    double mtbe;          /* instead: between silent errors of a processor */
    const char *failures; /* instead: path of a table of failures of each job */
    double verification;  /* added to each attempt; 0 */
    int64_t scenarios;    /* of failures, a row each; 1, or all of the file */
    int64_t seed;         /* of failures, and of the priority random; 1 */

    /* The input. */
    /* Sets that each find the machine empty, with all jobs in memory. */
    bool by_day;               /* of each day of arrival */
    int64_t day, by_count;     /* the N-th day; of each N jobs; less than 1: unset */
    int64_t sequences, length; /* so many sequences of jobs that are drawn; less than 1: unset */
    const char *month;         /* only jobs that arrive in "2019-06"; or NULL */
    int bound;                 /* lower bound of the makespan -1: none, 0: plain, 1: strong */
    int64_t set;               /* number of the first set in the draws */
    bool former;               /* jobs as `simulate rigid --arrivals` had them */

    int arrive;            /* a job arrives when it is 0: eligible, 1: submitted */
    int partition_field;   /* of SWF, 0: the partition, 1: the queue */
    const char *zone;      /* of stamps without one, such as "Europe/Berlin"; UTC */
    const char *from, *to; /* dates; only jobs that arrive between them */
    int64_t lookahead;     /* lines that may be out of order; 200,000 */
    bool strict;           /* any malformed line is an error; otherwise more than 1 % are */

    /* Measures and output. */
    double warmup, cooldown; /* jobs that arrive in the first, last seconds are not measured; 0 */
    const char *by;     /* tables by width, time, class, user, account, partition, qos, week, day;
                           names with commas between */
    int64_t top;        /* users and accounts in these; 20 */
    int64_t fairness;   /* check for so many jobs whether later arrivals delay them; 0 */
    const char *report; /* a case whose data a page shows: as full; or NULL */
    bool full;          /* for all texts but "table", "csv" and of a schedule */
    const char *keep;   /* for the texts of the schedule, of one row: its name in messages,
                           such as "output" */
    bool keep_jobs;     /* every job of every row, for cs_replay_arrow (arrow.h) */
    const char *jobs;   /* path of a table of all jobs, written by the run */
    int jobs_format;    /* of that table, 0: all columns, 1: those of Batsim, of one row */
    bool csv_safe;      /* no cell of it is read as a formula by spreadsheets */

    int64_t threads; /* rows at the same time, 0: all that there are; results do not depend on it */

    bool assume_up; /* with a slurm.conf: its nodes that are down, drained or future count too */
};

struct cs_digest;

struct cs_replay_request {
    const struct cs_replay_options *options;
    const char *const *path;
    int files;
    struct cs_arena *arena;
    struct cs_zone *zone;            /* or NULL */
    const char *zone_name;           /* or NULL */
    const struct cs_site_file *file; /* or NULL */
    unsigned by;                     /* tables to show */
    enum cs_log_kind kind;           /* of the first file */
    bool dated;
    int64_t epoch;
    struct cs_sched_multifactor multifactor;
    struct cs_queue_log_study study;
    struct cs_extpol *extpol; /* the external policy of `program`, or NULL */
    char spool[64];           /* a file with standard input; "" for none */
    const char *const *shown; /* the policy of each variant as given by the user */
    int scenarios;            /* of failures, a row each */
    const char *drawn;        /* instead of files: the text of a log that was made, or NULL */
    const char *model;        /* what drew the jobs; NULL: they are of files */
    struct cs_cache *cache;   /* of sets, or NULL */
    const struct cs_cache_by *by_options; /* the options that they depend on */
    bool lenient;                   /* sets with a job that would fail too often are left out */
    struct cs_queue_cut cut;        /* of the study; `sets` is 0 without sets */
    struct cs_queue_sets *own_sets; /* NULL: shared or none */
    struct cs_sched_scenarios **drawn_of;      /* of each set; NULL: left out */
    int left_out;                              /* so many */
    void (*warn)(const char *text, void *who); /* or NULL */
    void *who;
    int warnings;
    const char **warning;
};

/* Make the study of the options and logs; arena, drawn, cache, by_options, lenient, warn and who of
 * the request are given.  -1 with err. */
int cs_replay_prepare(const char *const *path, int files, const struct cs_replay_options *options,
                      struct cs_replay_request *request, struct cs_error *err);
void cs_replay_release(struct cs_replay_request *request);

/* As much of that as the guard does not give back where memory runs out. */
void cs_replay_discard(struct cs_replay_request *request);

/* Check the combinations of options before anything is read.  -1 with err. */
int cs_replay_check(const struct cs_replay_options *options, struct cs_error *err);

/* The digest of machine, outages and jobs. */
void cs_replay_identify(const struct cs_replay_request *request, struct cs_digest *digest);

void cs_replay_warn(struct cs_replay_request *request, const char *format, ...) CS_PRINTF(2, 3);

#endif
