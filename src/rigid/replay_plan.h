/* replay_plan.h - processors free from now on, by what the scheduler was told: running attempts
 * and reservations.
 *
 * A step function in blocks of CS_RIGID_REPLAY_STEPS steps with the least and the most that is free
 * in each, and what is to be added to all of it: a search passes over whole blocks, and so does a
 * reservation that covers them.
 */
#ifndef CS_RIGID_REPLAY_PLAN_H
#define CS_RIGID_REPLAY_PLAN_H

#include "rigid/replay_list.h"

#define CS_RIGID_REPLAY_STEPS 64

struct cs_rigid_replay_steps {
    int count, least, most; /* least and most without `add` */
    int add;                /* to every free[] */
    struct cs_rigid_replay_steps *next_spare;
    double time[CS_RIGID_REPLAY_STEPS]; /* rising; from here to the next step, or for ever */
    int free[CS_RIGID_REPLAY_STEPS];
};

struct cs_rigid_replay_plan {
    struct cs_arena *arena;
    double verification;
    int blocks, room; /* none is empty; the first step of the first is now */
    struct cs_rigid_replay_steps **block;
    struct cs_rigid_replay_steps *spare;
    int stairs_room;
    double *stairs_end;
    int *stairs_free;
};

void cs_rigid_replay_plan_init(struct cs_rigid_replay_plan *plan, double verification,
                               struct cs_arena *arena);

/* From nothing: so many processors are free now; the entries of `running` give theirs back at
 * their key. */
void cs_rigid_replay_plan_begin(struct cs_rigid_replay_plan *plan, double now, int free,
                                const struct cs_rigid_replay_list *running);

/* Time goes on. */
void cs_rigid_replay_plan_advance(struct cs_rigid_replay_plan *plan, double now);

/* Reserve the earliest slot from now on; returns its start. */
double cs_rigid_replay_plan_reserve(struct cs_rigid_replay_plan *plan, int procs, double seconds);

/* Could such a job start now? */
bool cs_rigid_replay_plan_fits(const struct cs_rigid_replay_plan *plan, int procs, double seconds);

/* The least free so far, from now on; valid until the next call. */
struct cs_rigid_replay_stairs cs_rigid_replay_plan_stairs(struct cs_rigid_replay_plan *plan);

#endif
