/* replay_plan.h - processors free from now on, by what the scheduler was told: running attempts
 * and reservations. */
#ifndef CS_RIGID_REPLAY_PLAN_H
#define CS_RIGID_REPLAY_PLAN_H

#include "rigid/replay_list.h"

struct cs_rigid_replay_step {
    double time; /* from here to the next step, or for ever */
    int free;
};

struct cs_rigid_replay_plan {
    struct cs_arena *arena;
    double verification;
    int first, count, room;
    struct cs_rigid_replay_step *step; /* step[first .. count - 1]; the first is now */
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
