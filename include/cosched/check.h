/* check.h - is this schedule valid?  A second opinion.
 *
 * The checker shares no code with policies and drivers.  It looks for every violation,
 * not for the first, and says each in one sentence with the task and the time.
 *
 * A check that was made returns 0, whatever it has found.  -1 when it was called wrongly, or when
 * memory ran out: then `total` is not 0 and `note` says so.
 */
#ifndef COSCHED_CHECK_H
#define COSCHED_CHECK_H

#include <cosched/schedule.h>
#include <cosched/schedule_file.h>
#include <cosched/workload.h>
#include <stdbool.h>
#include <stddef.h>

CS_BEGIN_DECLS

enum cs_violation {
    CS_VIOLATION_BAR_TIME = 1,   /* a start or end that is not finite, or a start below 0 */
    CS_VIOLATION_BAR_LENGTH,     /* a bar that does not end after its start */
    CS_VIOLATION_PROC_SET,       /* intervals not ascending, disjoint and apart, or no processor */
    CS_VIOLATION_PROC_RANGE,     /* a processor that the platform does not have */
    CS_VIOLATION_PROC_SHARED,    /* two bars on one processor at once */
    CS_VIOLATION_TASK_OVERLAP,   /* two bars of one task at once where this is forbidden */
    CS_VIOLATION_ATTEMPT,        /* an attempt below 1 */
    CS_VIOLATION_MAKESPAN,       /* the declared makespan is not the end of the last bar */
    CS_VIOLATION_INSTANCE,       /* the schedule and the instance speak of different tasks, or
                                    the problem is unknown */
    CS_VIOLATION_TASK_MISSING,   /* a task that never runs */
    CS_VIOLATION_TASK_REPEATED,  /* a task that runs more than once */
    CS_VIOLATION_BAR_KIND,       /* a bar that is not work where only work is expected */
    CS_VIOLATION_DURATION,       /* a bar not as long as the profile says */
    CS_VIOLATION_TOO_FEW_PROCS,  /* a task on fewer processors than it can run on */
    CS_VIOLATION_PACK_MISSING,   /* a bar that is in no pack */
    CS_VIOLATION_PACK_START,     /* tasks of one pack that do not start together */
    CS_VIOLATION_PACK_OVERLAP,   /* a pack that starts before the one before it has ended */
    CS_VIOLATION_PACK_SIZE,      /* more tasks in a pack than its limit */
    CS_VIOLATION_PACK_PROCS,     /* more processors in a pack than there are */
    CS_VIOLATION_DECLARED_TASK,  /* the declared packs and the bars differ */
    CS_VIOLATION_DECLARED_COST,  /* a declared pack cost, or their sum, is wrong */
    CS_VIOLATION_DECLARED_RATIO, /* a declared metric is wrong */
    CS_VIOLATION_DECLARED_BOUND, /* a declared lower bound above the cost, or its gap is wrong */
    CS_VIOLATION_EARLY,          /* a job that starts before it is submitted */
    CS_VIOLATION_WIDTH,          /* a job on another number of processors than it asked for */
    CS_VIOLATION_CAPACITY,       /* more processors in use than there are */
    CS_VIOLATION_HEAD_WAITS,     /* the first in line fits and does not start */
    CS_VIOLATION_RESERVATION, /* a job that delays the first in line, or starts after its promise */
    CS_VIOLATION_ATTEMPT_ORDER,  /* an attempt with another number than its place */
    CS_VIOLATION_RERUN,          /* a job that runs again although it did not fail */
    CS_VIOLATION_FAILURES,       /* a job that failed more or less often than its scenario says */
    CS_VIOLATION_SHELF,          /* a bar or a shelf that breaks the rules of shelves */
    CS_VIOLATION_PAIRS,          /* processors that are not whole pairs (2x, 2x + 1) */
    CS_VIOLATION_WAITS,          /* a malleable task that does nothing before its end */
    CS_VIOLATION_SEGMENT,        /* bars that do not follow one another as in a segment */
    CS_VIOLATION_PERIOD,         /* work without a checkpoint longer or shorter than its period */
    CS_VIOLATION_WORK,           /* a task whose work does not add up to the whole task */
    CS_VIOLATION_REDISTRIBUTION, /* processors that move without a reason, or the wrong ones */
    CS_VIOLATION_DECLARED_AREA,  /* a declared split of processor time is wrong */
    CS_VIOLATION_CLUSTER,    /* a task of a graph on several clusters, or not on the one it says */
    CS_VIOLATION_PRECEDENCE, /* a task that starts before its data are there */
    CS_VIOLATION_CONFIGURATION, /* hosts that cannot be enrolled so */
    CS_VIOLATION_NOT_UP,        /* a host that works while it is reclaimed or down */
    CS_VIOLATION_TRANSFER,      /* a host that receives what it must not, or not what it must */
    CS_VIOLATION_TOGETHER,      /* enrolled hosts that do not compute together, or not ready */
    CS_VIOLATION_ITERATION,     /* an iteration that ends early, late or under a wrong number */
    CS_VIOLATION_OPTIMAL,       /* a plan that says it is optimal and is not */
    CS_VIOLATION_INPUT,         /* the schedule was made from other files than those given */
    CS_VIOLATION_OVERTAKES,     /* a job that starts before one that came first */
    CS_VIOLATION_SCATTERED,     /* processors whose numbers are not consecutive */
    CS_VIOLATION_GROUP,         /* a bar with a group where the problem has none */
};

/* A few words: "processor shared", ... */
CS_API const char *cs_violation_name(enum cs_violation violation);

struct cs_check_item {
    enum cs_violation violation;
    int task;         /* index, or -1 when no single task is at fault */
    double time;      /* seconds, or NaN when no moment is */
    const char *text; /* one sentence */
};

/* What was found.  Only the first `limit` violations are kept, all are counted: say so
 * when total is larger than count. */
struct cs_check_report {
    size_t total; /* found; 0: valid */
    size_t count; /* kept */
    size_t limit;
    const struct cs_check_item *item; /* count of them */
    const char *missing; /* what the file lacks, so that only the rules of every schedule could be
                            applied; NULL when those of its problem were */
    const char *note;    /* what was not judged all the same; or NULL */
    void *storage;       /* private */
};

CS_API struct cs_check_report *cs_check_report_create(size_t limit);
CS_API void cs_check_report_destroy(struct cs_check_report *report); /* NULL is fine */

/* Any schedule: bars of positive length at finite times from 0 on, attempts from 1, sets of
 * processors well formed and in range, no processor used by two bars at once (told once for
 * a bar, with the bar that holds one of its processors longest), and with `one_at_a_time` no
 * task in two bars at once.  O(n log n) for n intervals of processors. */
CS_API int cs_check_schedule(const struct cs_schedule *schedule, bool one_at_a_time,
                             struct cs_check_report *report);

/* A schedule of the pack problem, also what cs_check_schedule looks for: every task exactly
 * once, in one bar of work as long as its repaired profile says for so many processors (up
 * to a relative 1e-12 and the rounding of the bar's end); the tasks of a pack (the group of
 * their bars) start together, are at most pack_size and fit the machine; packs follow one
 * another.  With `declared` (or NULL) what the file says of packs, costs, metrics and bounds. */
CS_API int cs_check_pack(const struct cs_schedule *schedule, const struct cs_workload *workload,
                         int pack_size, const struct cs_pack_declared *declared,
                         struct cs_check_report *report);

/* A schedule of the rigid problem, also what cs_check_schedule looks for: every attempt is as wide
 * as its job and ends at (start + seconds) + verification, exactly; attempts are numbered in their
 * order; a job runs again only after a failure and ends with a success, having failed as often as
 * the scenario says.  With `shelves` the groups of the bars are shelves: they follow one another
 * without a gap, all their jobs start together, and within one only a job that has just failed
 * starts again, on its own processors, to end within the shelf.  When jobs have submit times, none
 * starts before its own, and a shelf that finds nobody waiting starts at the next one; when they
 * have estimates, a shelf is to end by those, and is over when its last attempt is. */
CS_API int cs_check_rigid(const struct cs_schedule *schedule,
                          const struct cs_rigid_declared *declared, struct cs_check_report *report);

/* A schedule of the malleable problem, also what cs_check_schedule looks for: tasks hold whole
 * pairs of processors, the same within a segment, and never wait before their end; a segment is
 * [downtime, recovery] [move, checkpoint] work, checkpoint, ..., each as long as the declared
 * task, machine and period say; the work that is not lost makes up the whole task; every
 * failure in the list has the effect that the bars show, and no segment ends without a failure,
 * an end or another event that can end it; the six areas and the lower bound. */
CS_API int cs_check_malleable(const struct cs_schedule *schedule,
                              const struct cs_workload *workload,
                              const struct cs_malleable_declared *declared,
                              struct cs_check_report *report);

/* A schedule of the moldable problem, also what cs_check_schedule looks for: every task runs on
 * counts for which the instance has a time and which its limits allow, not before its release, and
 * ends at start + seconds, exactly, with `factor` of the real times; attempts are numbered, all but
 * the last fail, as often as the scenario says; counts, bound and gap as declared (or NULL). */
CS_API int cs_check_moldable(const struct cs_schedule *schedule, const struct cs_workload *workload,
                             const struct cs_moldable_declared *declared,
                             struct cs_check_report *report);

/* A schedule of the ptg problem, also what cs_check_schedule looks for in bars that have a length:
 * every task exactly once, in one bar of work on processors of one cluster (its group), as long as
 * Amdahl's law says (bars of tasks without work have no length), not before its graph is released
 * nor before the data of its predecessors, sent when those end over links of their own, are there
 * (up to a relative 1e-9).  Tasks are named GRAPH/TASK, with an underscore for a slash in GRAPH;
 * where graphs share a name, GRAPH#g/TASK with the number g of the graph from 0.  The platform is
 * that of the schedule. */
CS_API int cs_check_ptg(const struct cs_schedule *schedule, const struct cs_ptg_declared *declared,
                        struct cs_check_report *report);

/* A schedule of the problem volatile, also what cs_check_schedule looks for; slot by slot:
 * configurations hold all tasks on hosts that are up, within their capacity; a host works only
 * while it is up; no more hosts receive something than the master can send to, those with a message
 * that is partly there first, then the lowest number, the program before data and no more than is
 * needed; all enrolled hosts compute together, as soon and only when all are up and have
 * everything; a host that is down has lost all it had, and the computation of its
 * configuration is lost, as is that of one that is replaced; an iteration ends when its workload is
 * done, and only then; with prefetch hosts outside the configuration receive what is left of the
 * bound, the program before data.  With checkpoints all enrolled hosts save after so many computed
 * slots, and what was saved is not computed again; no more hosts outside the configuration than
 * there are spares receive the program (whether they are those likeliest to stay is not judged).
 * Tasks are named by the number of their iteration, from 1 on. */
CS_API int cs_check_volatile(const struct cs_schedule *schedule,
                             const struct cs_volatile_declared *declared,
                             struct cs_check_report *report);

/* Everything that a file says, by the rules of its problem.  A file that says its problem must have
 * what belongs to it (instance, jobs, faults, graphs and platform, configurations); one that does
 * not is judged by the rules of every schedule, and `missing` says so. */
CS_API int cs_check_file(const struct cs_schedule_file *file, struct cs_check_report *report);

CS_END_DECLS

#endif
