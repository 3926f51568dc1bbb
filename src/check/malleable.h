/* malleable.h - shared declarations of the check of malleable schedules.
 *
 * Times are compared with a tolerance. A simulator adds up to some thousand durations to get the
 * end of a bar, each time rounding to half a unit in the last place, so an end may be off by about
 * 1e-13 of itself; a duration that was computed in another order of operations differs by some
 * 1e-15 of itself. Both are far below the tolerance: a duration may differ by 1e-9 of itself and
 * 1e-12 of the time at which its bar ends, instants by 1e-12 of themselves, sums over the schedule
 * by 1e-9 of what they are a part of.
 */
#ifndef CS_CHECK_MALLEABLE_H
#define CS_CHECK_MALLEABLE_H

#include "base/arena.h"
#include "check/report.h"

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
    double makespan;
    struct cs_check_report *report;
    struct cs_arena *arena;
};

static inline const char *cs_check_malleable_name(const struct cs_check_malleable *c, int task)
{
    return cs_schedule_task_name(c->schedule, task);
}

/* Same instant, same duration of a bar that ends at `end`. */
bool cs_check_malleable_now(double a, double b);
bool cs_check_malleable_lasts(double seconds, double want, double end);

/* malleable_segment.c: the segments of a task one after the other. */
void cs_check_malleable_task(const struct cs_check_malleable *c, int task);

/* malleable_cause.c: why segments end: failures in the list, redistributions at events. */
void cs_check_malleable_causes(const struct cs_check_malleable *c);

/* malleable_area.c: declared areas and bound. */
void cs_check_malleable_areas(const struct cs_check_malleable *c);

#endif
