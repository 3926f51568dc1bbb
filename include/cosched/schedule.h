/* schedule.h - bars of tasks on processors over time, and their files.
 *
 * A schedule is a list of bars, one for each stretch of time during which a task held a set of
 * processors. Simulators and the executor of real programs write schedules; checks, metrics and
 * reports treat both in the same way.
 *
 * Times are in seconds from the start of the schedule.  Processors are numbered
 * from 0 over the whole platform.  Bars stay in the order in which they were added.
 */
#ifndef COSCHED_SCHEDULE_H
#define COSCHED_SCHEDULE_H

#include <cosched/error.h>
#include <cosched/workload.h>
#include <stdbool.h>
#include <stddef.h>

CS_BEGIN_DECLS

enum cs_bar_kind {
    CS_BAR_WORK = 1,   /* useful computation */
    CS_BAR_CHECKPOINT, /* saving state */
    CS_BAR_RECOVERY,   /* reading it back after a failure */
    CS_BAR_DOWNTIME,   /* waiting for a failed processor */
    CS_BAR_VERIFY,     /* looking for silent errors */
    CS_BAR_MOVE,       /* redistributing or transferring data */
    CS_BAR_LOST,       /* computation that a failure threw away */
    CS_BAR_PROGRAM,    /* receiving the program */
};

#define CS_BAR_KIND_LAST CS_BAR_PROGRAM

/* "work", "checkpoint", ...; the word used in files. */
CS_API const char *cs_bar_kind_name(enum cs_bar_kind kind);

/* Processors first .. last, both included. */
struct cs_interval {
    int first, last;
};

struct cs_bar {
    enum cs_bar_kind kind;
    int task;                        /* index of the task */
    int attempt;                     /* 1 for the first try */
    int group;                       /* pack, shelf or cluster; -1 for none */
    double start, end;               /* seconds */
    int intervals;                   /* length of the set below */
    const struct cs_interval *procs; /* ascending, disjoint, not touching */
    int count;                       /* processors without numbers; the set is empty then, else 0 */
};

struct cs_schedule;

/* The caller owns the schedule and destroys it; NULL may be destroyed.  `problem`
 * and the task names are copied; without names (NULL) they are task0, task1, ...  NULL
 * when a number is negative, a name is NULL or memory runs out. */
CS_API struct cs_schedule *cs_schedule_create(const char *problem, int procs, int tasks,
                                              const char *const *names);
CS_API void cs_schedule_destroy(struct cs_schedule *schedule);

/* Append a copy of the bar, its set included. The bars are not checked against each other. -1 with
 * err for an unknown task or kind. */
CS_API int cs_schedule_add(struct cs_schedule *schedule, const struct cs_bar *bar,
                           struct cs_error *err);

/* The bars, *count of them, valid until the next add.  The schedule owns them. */
CS_API const struct cs_bar *cs_schedule_bars(const struct cs_schedule *schedule, size_t *count);

CS_API const char *cs_schedule_problem(const struct cs_schedule *schedule);
CS_API int cs_schedule_procs(const struct cs_schedule *schedule);
CS_API int cs_schedule_tasks(const struct cs_schedule *schedule);
CS_API const char *cs_schedule_task_name(const struct cs_schedule *schedule, int task);

/* The latest end of any bar, or 0 without bars. */
CS_API double cs_schedule_makespan(const struct cs_schedule *schedule);

/* The energy of a schedule, as JSON: {"joules", "busy", "idle", "off", "wake", "watts": {"busy",
 * "idle", "off", "off_after", "wake"}, "procs_per_node", "until"}. `watts` of a node is such as
 * "busy=350,idle=120,off=15,off-after=20,wake=5000"; nodes are groups of processors; `until` is a
 * date in seconds, NaN: the makespan. The caller frees the text with cs_free. NULL with err, which
 * begins with the option of the tool at fault. */
CS_API char *cs_schedule_energy(const struct cs_schedule *schedule, const char *watts,
                                int procs_per_node, double until, struct cs_error *err);

/* ---- files ----
 *
 * The format is cosched-schedule-1 (docs/formats.md), the same for every problem; each problem adds
 * its own keys.  What a file declares is only claimed: see check.h. */

/* The declarations of a schedule of a problem; read by cs_check_file. */
struct cs_pack_declared;
struct cs_rigid_declared;
struct cs_malleable_declared;
struct cs_moldable_declared;
struct cs_volatile_declared;
struct cs_ptg_declared;
struct cs_spot_declared;

/* An observed execution: durations are measured and need not match a model. */
struct cs_schedule_observed {
    const char *run, *began, *engine; /* "" if not in the file */
    int unfinished;                   /* tasks that did not end well, */
    const int *task;                  /* those, rising */
    const bool *saves;                /* by task: it saves its state, so attempts resume from it */
    const int *procs;                 /* by task: requested processors; NULL if not in the file */
};

/* A file that a schedule was made from. */
struct cs_schedule_input {
    const char *of;     /* "input", or the option that named it, such as "platform" */
    const char *file;   /* as it was typed; "-": standard input */
    const char *sha256; /* of its bytes, in hexadecimal; "" if unknown */
};

struct cs_schedule_file {
    struct cs_schedule *schedule;          /* its problem, processors, task names and bars */
    struct cs_workload *workload;          /* the embedded instance, or NULL */
    const struct cs_pack_declared *pack;   /* problem "pack"; NULL for others */
    const struct cs_rigid_declared *rigid; /* problem "rigid" with its jobs; else NULL */
    const struct cs_malleable_declared *malleable; /* that with "faults"; else NULL */
    const struct cs_moldable_declared *moldable;   /* problem "moldable"; else NULL */
    const struct cs_volatile_declared *trial;      /* "volatile" with "configurations"; else NULL */
    const struct cs_ptg_declared *ptg;             /* problem "ptg" with its graphs; else NULL */
    const struct cs_spot_declared *spot;           /* problem "spot" with its market; else NULL */
    const struct cs_schedule_observed
        *observed;       /* an observed execution, without other declarations; or NULL */
    const char *policy;  /* "" if not in the file */
    const char *command; /* its command line; "" if not in the file */
    int inputs;          /* number of input files; 0 if not in the file */
    const struct cs_schedule_input *input; /* `inputs` of them */
    const char *source;                    /* the file */
    double makespan;                       /* as declared; NaN if not in the file */
    void *storage;                         /* private */
    bool optimal;                          /* declared as proven, for any problem */
    int keys;                              /* at the top of the file, but for null ones; 0 where
                                              the file was not read from JSON */
    const char *const *key;                /* `keys` of them */
    const struct cs_known *known; /* what is proven of its instance, where it has no workload; or
                                     NULL */
    const struct cs_energy_declared *energy; /* its energy; or NULL */
};

/* Read a schedule or a pack plan; "-" is standard input, .gz and .xz are unpacked. Bars that have
 * only a count of processors are given numbers; they keep the counts if more processors are held at
 * some time than there are, which cs_check_file reports. The message names the file and the field
 * at fault. NULL with err on failure. */
CS_API struct cs_schedule_file *cs_schedule_file_read(const char *path, struct cs_error *err);

/* The same from so many bytes, which messages call `name`. */
CS_API struct cs_schedule_file *cs_schedule_file_read_memory(const char *name, const void *bytes,
                                                             size_t size, struct cs_error *err);

CS_API void cs_schedule_file_destroy(struct cs_schedule_file *file); /* NULL is fine */

CS_END_DECLS

#endif
