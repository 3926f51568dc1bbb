/* malleable_parts.h - a schedule of the malleable problem cut into segments; the pattern layout,
 * followed bar by bar; areas. */
#ifndef CS_CHECK_MALLEABLE_PARTS_H
#define CS_CHECK_MALLEABLE_PARTS_H

#include "base/arena.h"
#include "check/report.h"
#include "model/schedule.h"

#include <cosched/workload.h>
#include <stdbool.h>
#include <stddef.h>

/* The bars of one attempt of a task, and their classification. */
struct cs_check_segment {
    int task, attempt;
    size_t first, count;     /* in cs_check_malleable.bar */
    const struct cs_bar *at; /* the first of them */
    long long procs;
    double start, end;
    bool failures_hit; /* a failure of the task begins it: downtime, recovery */
    bool last;         /* of its task */
    bool moved;        /* on another number of processors than the data before it */
    bool interrupted;  /* ended by a failure before its computation began */
    bool silent;       /* a silent error begins it: recovery */
    double safe_until; /* failures from the start up to here are ignored */
    double down_until; /* end of the recovery; the start without a recovery */
    double body;       /* computation begins; the end when it is interrupted */
    size_t body_first; /* bars before the computation */
    int failed_proc;   /* the processor whose failure began it, or -1 */
};

struct cs_check_malleable {
    const struct cs_schedule *schedule;
    const struct cs_workload *workload;
    const struct cs_malleable_declared *declared;
    const struct cs_bar **bar; /* by task, then start */
    size_t bars;
    struct cs_check_segment *segment; /* by task, then attempt */
    size_t segments;
    size_t *first; /* by task: its first segment; tasks + 1 entries */
    const struct cs_malleable_declared_fault **fault; /* by time, then place in the list */
    size_t faults;
    double makespan;
    struct cs_check_report *report;
    struct cs_arena *arena;
};

static inline const char *cs_check_malleable_name(const struct cs_check_malleable *c, int task)
{
    return cs_schedule_task_name(c->schedule, task);
}

/* The use of processor time, and the bound. */
void cs_check_malleable_areas(const struct cs_check_malleable *c);

/* Of one processor, in seconds; silent_mtbf +inf: no silent errors. */
struct cs_check_pattern_costs {
    double verification, checkpoint, disk, downtime, mtbf, silent_mtbf;
};

/* The event after the computation of an attempt. */
enum cs_check_pattern_next {
    CS_CHECK_PATTERN_END,
    CS_CHECK_PATTERN_CHANGE, /* other processors */
    CS_CHECK_PATTERN_FAILURE,
    CS_CHECK_PATTERN_SILENT,
};

/* A task on its way through its patterns. */
struct cs_check_pattern;
struct cs_check_pattern *cs_check_pattern_create(const struct cs_check_pattern_costs *costs,
                                                 int task, const char *name, size_t bars,
                                                 struct cs_check_report *report,
                                                 struct cs_arena *arena);

/* A failure or a silent error takes the task back, to the checkpoint on disk or the last one.
 * Returns the seconds of the recovery on so many processors.  `interrupted`: it strikes in the
 * checkpoint after a move. */
double cs_check_pattern_recover(struct cs_check_pattern *p, double procs, bool interrupted,
                                bool disk);

/* The checkpoint after a move is done. */
void cs_check_pattern_land(struct cs_check_pattern *p);

/* Lay out the rest of the task, if it is not laid out or if the task has `moved`; the whole task
 * takes so many seconds on these processors. */
void cs_check_pattern_lay(struct cs_check_pattern *p, bool moved, double procs, double seconds);

/* The bars of the computation of an attempt. */
void cs_check_pattern_body(struct cs_check_pattern *p, const struct cs_bar *const *bar,
                           size_t count, enum cs_check_pattern_next next);

/* After the last bar: the share of the task that is done. */
double cs_check_pattern_finish(struct cs_check_pattern *p);

#endif
