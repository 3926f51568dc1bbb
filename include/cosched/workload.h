/* workload.h - a bag of named moldable tasks, and how long they take.
 *
 * A workload owns its names and profiles.  Reading rejects a file that is not a workload with one
 * error message: file, line, field, what was found, what is right.
 *
 * A profile is the measured or modelled time, before any repair:
 *
 *     TABLE     seconds[j - 1] for j = 1 .. count; +inf where it cannot run.
 *     POINTS    measured at procs[0] < procs[1] < ... < procs[count - 1] only, on some of them
 *               perhaps several times.
 *               Between two points the time follows the power law through both
 *               (a straight line on log-log paper): if the two satisfy Equations
 *               (1) and (2) of Aupy et al., so does every value between them.
 *               Beyond the last point the time stays; below the first see `fewer`.
 *     AMDAHL    seq_time * (seq_fraction + (1 - seq_fraction) / j).
 *     OVERHEAD  seq_time * (seq_fraction + (1 - seq_fraction) / j + overhead * log2 j).
 *     COMMUNICATION  seq_fraction * seq_time + ((1 - seq_fraction) * seq_time + overhead) / j, the
 *               overhead in seconds (Equation (10) of Benoit, Pottier, Robert).
 *     UNIVERSAL seq_time * (seq_fraction + (1 - seq_fraction) / j + overhead * (j - 1)): Gunther's
 *               universal scalability law, of a job of fixed size.
 *     POWER     seq_time * (seq_fraction + (1 - seq_fraction) / j + overhead * j ^ exponent).
 *     DOWNEY    seq_time / S(j), S the speedup of Downey (1997) for an average parallelism A and a
 *               coefficient of variance sigma: A when j is large.
 *
 * Times are in seconds, counts in processors.
 */
#ifndef COSCHED_WORKLOAD_H
#define COSCHED_WORKLOAD_H

#include <cosched/error.h>
#include <stdbool.h>
#include <stddef.h>

CS_BEGIN_DECLS

enum cs_profile_kind {
    CS_PROFILE_TABLE = 1,
    CS_PROFILE_POINTS,
    CS_PROFILE_AMDAHL,
    CS_PROFILE_OVERHEAD,
    CS_PROFILE_COMMUNICATION,
    CS_PROFILE_UNIVERSAL,
    CS_PROFILE_POWER,
    CS_PROFILE_DOWNEY,
};

/* The time between measured points: the power law, or the time at the next smaller measured count
 * (measured values only). */
enum cs_profile_fill { CS_FILL_POWER, CS_FILL_STEP };

/* The time below the smallest measured count a: the task cannot run there (it may not fit), or it
 * takes a * t(a) / j, the largest time that Equation
 * (2) allows. */
enum cs_profile_fewer { CS_FEWER_REFUSE, CS_FEWER_SCALE };

/* Which of several times that were measured on one count is the count's. */
enum cs_profile_times { CS_TIMES_MIN, CS_TIMES_MEDIAN, CS_TIMES_MAX };

struct cs_profile {
    enum cs_profile_kind kind;
    enum cs_profile_fill fill;   /* POINTS */
    enum cs_profile_fewer fewer; /* POINTS */
    int count;                   /* TABLE, POINTS: entries below */
    const int *procs;            /* POINTS: strictly increasing, from 1 */
    const double *seconds;       /* TABLE, POINTS: positive; TABLE: +inf allowed */
    enum cs_profile_times times; /* POINTS: how seconds was chosen of the runs */
    const int *runs;             /* POINTS: how often each count was measured; NULL: once each */
    const double *run;           /* POINTS: all of those times, rising for each count; or NULL */
    double seq_time;             /* formulas: positive, finite */
    double seq_fraction;         /* formulas: 0 .. 1; DOWNEY: 0 */
    double overhead;             /* formulas but AMDAHL, DOWNEY: not negative, finite */
    double exponent;             /* POWER: -1 .. 10 */
    double parallelism, sigma;   /* DOWNEY: A, 1 .. 1e15, and sigma, 0 .. 1e15 */
};

/* The time on j >= 1 processors as the profile gives it, not repaired.  A TABLE
 * is padded with its last entry. */
CS_API double cs_profile_time(const struct cs_profile *profile, int procs);

/* Limits of processors, time and start of a task; { 0 } means no limit. */
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

struct cs_modes; /* private */
struct cs_known; /* private */

struct cs_workload {
    int count;
    const char *const *name;          /* count names, distinct, not empty */
    const struct cs_profile *profile; /* count profiles */
    const double *checkpoint;         /* processor seconds of a checkpoint: on j processors it takes
                                         checkpoint / j; NULL if no task has one, NaN if one has none */
    const double *data; /* data moved when processors change: seconds that one processor needs to
                           send it; NULL and NaN as above */
    const struct cs_task_limit *limit; /* count limits, or NULL when no task has one */
    const struct cs_modes *modes;      /* resources, modes and precedence; NULL: none of them */
    const struct cs_known *known;      /* what is proven of its optimum; or NULL */
    int procs, pack_size;              /* suggested by the file; 0 if absent */
    const char *source;                /* the file it came from, or "" */
    const char *remark;                /* "", or what a reader was not sure of, for people */
    void *storage;                     /* private */
    const double *verification, *disk; /* processor seconds of a verification, and of a checkpoint
                                          on disk; NULL and NaN as above */
};

/* How measured points become a profile; members that are 0 are unset. */
struct cs_workload_options {
    size_t size; /* sizeof(struct cs_workload_options) */
    enum cs_profile_fill fill;
    enum cs_profile_fewer fewer;
    enum cs_profile_times times;
    /* Of timings of other tools (docs/formats.md), where a file lacks it; NULL: not given. */
    const char *app;   /* name of the application */
    const char *count; /* regular expression of the count in a command (its first group); with `app`
                          a number; of Extra-P a parameter */
    const char *unit;  /* "node" or "processor": the counts that are read where both are there */
    const char *metric;  /* which of several times */
    const char *region;  /* which of several regions (Extra-P) */
    const char *decimal; /* "comma" or "point", where a table is ambiguous */
    bool modes; /* read GPUs, memory and other resources, budgets, labels, `after` and deadlines;
                   else a remark names those of a table */
    const char *const *more; /* further files and directories, ends with NULL; or NULL */
};

/* Read a table with a header that has the columns app, procs, seconds (measured times; usual other
 * names are known) or app, seconds, seq_fraction, overhead, or app, size (formulas), and perhaps
 * checkpoint, data and limits (other columns are kept out of the way), or a JSON file
 * (docs/formats.md), or what a tool such as hyperfine or ReFrame writes; "-" is standard input,
 * .gz and .xz are unpacked on the fly, what is inside decides. Of several files (`more`), and of a
 * directory with several, only measured times are read: those of one application belong together,
 * and files of a directory that hold none are named in the remark. `options` may be NULL for the
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

/* Write the workload as JSON (docs/formats.md); "-" is standard output. `note`, or NULL, is stored
 * in the file as a comment. 0, or -1 with err. */
CS_API int cs_workload_write(const struct cs_workload *workload, const char *note, const char *path,
                             struct cs_error *err);

CS_API void cs_workload_destroy(struct cs_workload *workload); /* NULL is fine */

CS_END_DECLS

#endif
