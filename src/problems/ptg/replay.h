/* replay.h - functions shared by replays, and schedules of graphs alone for the strategies. */
#ifndef CS_PTG_REPLAY_H
#define CS_PTG_REPLAY_H

#include "problems/ptg/instance.h"

/* A task that follows another on one of its processors. */
struct cs_ptg_next {
    int task;
    struct cs_ptg_next *after;
};

/* By task: those that have one of its processors next; each is in a list once. */
struct cs_ptg_next **cs_ptg_replay_order(const struct cs_ptg_instance *in,
                                         const struct cs_ptg_plan *plan, struct cs_arena *arena);

/* The same places in a new plan; its dates are still those of the old one. */
struct cs_ptg_plan *cs_ptg_replay_copy(const struct cs_ptg_instance *in,
                                       const struct cs_ptg_plan *old);

/* own[graph]: makespans alone, as planned or, with `fluid`, as replayed.  The options are in
 * range. */
void cs_ptg_own_each(const struct cs_ptg_instance *in, const struct cs_ptg_options *options,
                     bool fluid, double *own);

#endif
