/* sums.h - what a replay comes to as struct cs_rigid_replay_result has it, from what its driver
 * says.
 *
 *     struct cs_rigid_sums sums = {.machine = procs, .verification = seconds};
 *
 * with cs_rigid_sums_observer among the observers of cs_rigid_operate, and in the end
 * cs_rigid_sums_finish.
 */
#ifndef CS_RIGID_SUMS_H
#define CS_RIGID_SUMS_H

#include "problems/rigid/measures.h"
#include "problems/rigid/replay.h"

struct cs_rigid_sums {
    double machine, verification; /* processors; seconds added to each attempt */
    /* Private. */
    struct cs_rigid_replay_result result;
    double wait, slowdown;
    int64_t waiting;
    bool any;
};

struct cs_rigid_observer cs_rigid_sums_observer(struct cs_rigid_sums *sums);

void cs_rigid_sums_finish(const struct cs_rigid_sums *sums,
                          const struct cs_rigid_operated *operated,
                          const struct cs_rigid_measured *measured,
                          struct cs_rigid_replay_result *out);

#endif
