/* workload.h - a bag of named moldable tasks, as read from a file.
 *
 * A workload owns its names and profiles.  Reading refuses what is not a
 * workload with one sentence: file, line, field, what was found, what is right.
 */
#ifndef COSCHED_WORKLOAD_H
#define COSCHED_WORKLOAD_H

#include <cosched/error.h>
#include <cosched/profile.h>
#include <stdbool.h>

CS_BEGIN_DECLS

/* On how many processors a task may run, for how long, and from when on; { 0 } says nothing. */
struct cs_task_limit {
    int min_procs, max_procs; /* 0: no limit */
    int multiple;             /* only multiples of it; 0: all */
    bool powers_of_two;       /* only those */
    int counts;               /* how many counts the list below has; 0: all counts */
    const int *count;         /* the counts allowed, in any order */
    double walltime;          /* seconds: no longer run is allowed; 0: no limit */
    double margin;            /* 1 or more: for it, times are taken so many times as long; 0: 1 */
    double release;           /* seconds: no earlier start */
};

struct cs_workload {
    int count;
    const char *const *name;          /* count names, distinct, not empty */
    const struct cs_profile *profile; /* count profiles */
    const double *checkpoint;         /* processor seconds of a checkpoint: on j processors it takes
                                         checkpoint / j; NULL when no task says, NaN where one does not */
    const double *data; /* what is moved when processors change: seconds that one processor
                           needs to send it; NULL and NaN as above */
    const struct cs_task_limit *limit; /* count limits, or NULL when no task has one */
    int procs, pack_size;              /* suggested by the file; 0 where it says nothing */
    const char *source;                /* the file it came from, or "" */
    const char *remark;                /* "", or what a reader was not sure of, for people */
    void *storage;                     /* private */
};

/* How measured points become a profile; { 0 } is the default. */
struct cs_workload_options {
    enum cs_profile_fill fill;
    enum cs_profile_fewer fewer;
    enum cs_profile_times times;
};

/* Read a table with a header that has the columns app, procs, seconds (measured times; usual other
 * names are known) or app, seconds, seq_fraction, overhead, or app, size (formulas), and perhaps
 * checkpoint, data and limits (other columns are kept out of the way), or a JSON file
 * (docs/formats.md); "-" is standard input,
 * .gz and .xz are unpacked on the fly, what is inside decides. `options` may be NULL for the
 * default.  A schedule with its instance is a workload too. Returns NULL with err on failure.  The
 * caller destroys it. */
CS_API struct cs_workload *
cs_workload_read(const char *path, const struct cs_workload_options *options, struct cs_error *err);

/* A copy of these names and profiles (names may be NULL: task0, task1, ...).  Refuses what readers
 * refuse: names that are empty or appear twice, profiles of no kind, without times, with counts
 * that do not rise or numbers that are out of range.  NULL with err.  The caller destroys it. */
CS_API struct cs_workload *cs_workload_create(int count, const char *const *name,
                                              const struct cs_profile *profile,
                                              struct cs_error *err);

/* Write the workload as JSON (docs/formats.md); "-" is standard output.  `note`, or NULL, is
 * kept in the file for whoever opens it.  0, or -1 with err. */
CS_API int cs_workload_write(const struct cs_workload *workload, const char *note, const char *path,
                             struct cs_error *err);

CS_API void cs_workload_destroy(struct cs_workload *workload); /* NULL is fine */

CS_END_DECLS

#endif
