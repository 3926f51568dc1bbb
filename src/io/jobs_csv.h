/* jobs_csv.h - tables of jobs: the one that Batsim writes (PREFIX_jobs.csv) and evalys draws, and
 * the one of `cosched replay --jobs`.
 *
 *     job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,
 *     success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,
 *     stretch,allocated_resources
 *
 * One row for every attempt.  The first attempt of job 17 is "17", those after a failure are
 * "17#1", "17#2", ..., as Batsim's schedulers name jobs that they submit again; such a row is
 * submitted when the attempt before it ended.  Times are in seconds, with as many digits as it
 * takes to read them back unchanged; the profile is the execution time, as in Batsim's own
 * converter of SWF files.  Processors are intervals such as "0-3 7".
 */
#ifndef CS_IO_JOBS_CSV_H
#define CS_IO_JOBS_CSV_H

#include "base/arena.h"
#include "base/strbuf.h"
#include "model/arrival.h"

#define CS_JOBS_CSV_HEAD                                                                           \
    "job_id,workload_name,profile,submission_time,requested_number_of_resources,requested_time,"   \
    "success,final_state,starting_time,execution_time,finish_time,waiting_time,turnaround_time,"   \
    "stretch,allocated_resources\n"

/* Append a row of a table of this workload to one that begins with CS_JOBS_CSV_HEAD. */
void cs_jobs_csv_put(struct cs_strbuf *out, const char *workload, const struct cs_job_row *row);

/* A table that was read. */
struct cs_job_table {
    int count, rejected; /* rows; rows of jobs that never started, which are left out */
    bool sets;           /* every row has its processors */
    struct cs_job_row *row;
};

/* Columns may come in any order, and more of them; requested_time, success and allocated_resources
 * may lack.  The older names of Batsim (jobID, requested_number_of_processors,
 * allocated_processors) and those of cosched replay do as well, and a job_id may begin with
 * "WORKLOAD!".  NULL with err.  Lives in the arena. */
struct cs_job_table *cs_jobs_csv_read(const char *path, struct cs_arena *arena,
                                      struct cs_error *err);
struct cs_job_table *cs_jobs_csv_read_memory(const char *name, const void *bytes, size_t size,
                                             struct cs_arena *arena, struct cs_error *err);

/* ---- what `cosched replay --jobs` writes ----
 *
 *     policy,priority,job_id,number,user,partition,procs,submit,start,end,attempts,estimate,request,
 *     promise,wait,bounded_slowdown,killed,allocated
 *
 * One row a job and policy, those of one policy together; columns may come in any order, and what
 * is not below may lack (replay_csv.c). */
struct cs_replay_csv_row {
    const char *policy, *priority; /* the same pointers as in the row before when they are equal */
    const char *id;
    int64_t number; /* place in the log, from 0 */
    int64_t procs;
    double submit, start, end;
    double promise;                /* NaN: none */
    double wait, bounded_slowdown; /* NaN: missing */
    double estimate, request;      /* NaN: missing */
    const char *user, *partition;  /* NULL: missing; as policy and priority */
    int attempts;
    bool killed;
    int intervals; /* 0: missing */
    const struct cs_interval *set;
};

struct cs_replay_csv {
    int count;
    struct cs_replay_csv_row *row;
};

/* Does its header look like one? */
bool cs_replay_csv_seems(const char *path);

/* Lives in the arena.  NULL with err. */
const struct cs_replay_csv *cs_replay_csv_read(const char *path, struct cs_arena *arena,
                                               struct cs_error *err);
const struct cs_replay_csv *cs_replay_csv_read_memory(const char *name, const void *bytes,
                                                      size_t size, struct cs_arena *arena,
                                                      struct cs_error *err);

#endif
