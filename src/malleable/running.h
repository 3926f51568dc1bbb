/* running.h - what really happens to a task, between its restarts.
 *
 * A stretch begins with an event (time 0, a failure, a redistribution) and ends with the next one
 * of the task.  It has, in this order: downtime and recovery after a failure; a move and the
 * checkpoint that protects it after a redistribution; then work and checkpoints from `start` on.
 */
#ifndef CS_MALLEABLE_RUNNING_H
#define CS_MALLEABLE_RUNNING_H

#include "malleable/expected.h"

struct cs_malleable_running {
    /* The layout of what is left, from `start` on. */
    double seconds; /* of the whole task on these processors */
    struct cs_malleable_pieces pieces;
    double period; /* a piece and its checkpoint */
    /* The stretch: since <= down_end <= recovered <= move_end <= start. */
    int attempt;
    double since, down_end, recovered, move_end;
    /* The last redistribution, until `start` or a failure: the checkpoint made before it. */
    bool moved;
    int old_procs;
    double old_alpha;
    double unsaved; /* processor seconds of work that only the checkpoint of the move saves */
    /* The last failure: another one of the buddy before down_until would be fatal. */
    int failed_processor;
    double down_until;
};

/* Where a task is at `time` >= start. */
struct cs_malleable_progress {
    double periods; /* complete */
    double rest;    /* seconds since the last of them */
    double work;    /* of the rest, at most what is left of the piece */
};

static inline struct cs_malleable_progress
cs_malleable_progress(const struct cs_malleable_running *run, double start, double time)
{
    struct cs_malleable_progress p = {0, time - start, 0};

    if (run->pieces.pieces > 0) {
        p.periods =
            cs_malleable_smaller(cs_malleable_whole(p.rest / run->period), run->pieces.pieces);
        p.rest -= p.periods * run->period;
    }
    p.work = cs_malleable_smaller(p.rest, p.periods < run->pieces.pieces ? run->pieces.work
                                                                         : run->pieces.last);
    return p;
}

/* Work of whole periods, in seconds. */
static inline double cs_malleable_periods_work(const struct cs_malleable_running *run,
                                               double periods)
{
    return periods > 0 ? periods * run->pieces.work : 0;
}

/* The share of the task that is left and protected, and that is left at all. */
static inline double cs_malleable_saved(const struct cs_malleable_running *run,
                                        const struct cs_malleable_progress *p, double alpha)
{
    return cs_malleable_larger(alpha - cs_malleable_periods_work(run, p->periods) / run->seconds,
                               0);
}

static inline double cs_malleable_live(const struct cs_malleable_running *run,
                                       const struct cs_malleable_progress *p, double alpha)
{
    return cs_malleable_larger(
        alpha - (cs_malleable_periods_work(run, p->periods) + p->work) / run->seconds, 0);
}

#endif
