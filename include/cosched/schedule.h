/* schedule.h - what ran, where and when.
 *
 * A schedule is a list of bars, one for each stretch of time during which a
 * task held a set of processors.  A simulator writes one, and so does whoever
 * watches real processes: checks, metrics and reports cannot tell the two apart.
 *
 * Times are in seconds from the start of the schedule.  Processors are numbered
 * from 0 over the whole platform.  Bars stay in the order in which they were added.
 */
#ifndef COSCHED_SCHEDULE_H
#define COSCHED_SCHEDULE_H

#include <cosched/error.h>
#include <cosched/platform.h>
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
};

struct cs_schedule;

/* The caller owns the schedule and destroys it; NULL may be destroyed.  `problem`
 * and the task names are copied; without names (NULL) they are task0, task1, ...  NULL
 * when a number is negative, a name is NULL or memory runs out. */
CS_API struct cs_schedule *cs_schedule_create(const char *problem, int procs, int tasks,
                                              const char *const *names);
CS_API void cs_schedule_destroy(struct cs_schedule *schedule);

/* Say what the machine is made of; a copy is kept.  -1 with err when the platform has another
 * number of processors.  NULL while nobody has said. */
CS_API int cs_schedule_set_platform(struct cs_schedule *schedule,
                                    const struct cs_platform *platform, struct cs_error *err);
CS_API const struct cs_platform *cs_schedule_platform(const struct cs_schedule *schedule);

/* Append a copy of the bar, its set included.  Whether bars fit together is for a
 * checker to say.  -1 with err for a task or a kind that is not there. */
CS_API int cs_schedule_add(struct cs_schedule *schedule, const struct cs_bar *bar,
                           struct cs_error *err);

/* The bars, *count of them, valid until the next add.  The schedule owns them. */
CS_API const struct cs_bar *cs_schedule_bars(const struct cs_schedule *schedule, size_t *count);

CS_API const char *cs_schedule_problem(const struct cs_schedule *schedule);
CS_API int cs_schedule_procs(const struct cs_schedule *schedule);
CS_API int cs_schedule_tasks(const struct cs_schedule *schedule);
CS_API const char *cs_schedule_task_name(const struct cs_schedule *schedule, int task);

/* The latest end of any bar, or 0 when there is none. */
CS_API double cs_schedule_makespan(const struct cs_schedule *schedule);

CS_END_DECLS

#endif
