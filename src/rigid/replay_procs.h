/* replay_procs.h - which processors are free: jobs get the lowest numbers.
 *
 * One bit a processor, one bit for every 64 of them: taking or giving back costs a step for every
 * 64 processors and every interval.
 */
#ifndef CS_RIGID_REPLAY_PROCS_H
#define CS_RIGID_REPLAY_PROCS_H

#include "base/arena.h"

#include <cosched/schedule.h>
#include <stdint.h>

struct cs_rigid_replay_procs {
    int words;
    uint64_t *free; /* words */
    uint64_t *some; /* bit w: free[w] is not 0 */
};

/* A set that a job holds: ascending, disjoint, not touching. */
struct cs_rigid_replay_set {
    struct cs_interval *interval;
    int count, room;
};

/* All processors 0 .. machine - 1 are free. */
void cs_rigid_replay_procs_init(struct cs_rigid_replay_procs *procs, int machine,
                                struct cs_arena *arena);

/* The `wanted` lowest free processors, which there are; the set grows in the arena. */
void cs_rigid_replay_procs_take(struct cs_rigid_replay_procs *procs, int wanted,
                                struct cs_rigid_replay_set *set, struct cs_arena *arena);
void cs_rigid_replay_procs_give(struct cs_rigid_replay_procs *procs,
                                const struct cs_rigid_replay_set *set);

#endif
