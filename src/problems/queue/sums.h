/* sums.h - the totals of a replay as struct cs_queue_replay_result, from the events of its driver.
 *
 *     struct cs_queue_sums sums = {.machine = procs, .verification = seconds};
 *
 * with cs_queue_sums_observer among the observers of cs_queue_operate, and in the end
 * cs_queue_sums_finish.
 */
#ifndef CS_QUEUE_SUMS_H
#define CS_QUEUE_SUMS_H

#include "problems/queue/measures.h"
#include "problems/queue/replay.h"

struct cs_queue_sums {
    double machine, verification; /* processors; seconds added to each attempt */
    /* Private. */
    struct cs_queue_replay_result result;
    double wait, slowdown;
    int64_t waiting;
    bool any;
};

struct cs_queue_observer cs_queue_sums_observer(struct cs_queue_sums *sums);

void cs_queue_sums_finish(const struct cs_queue_sums *sums,
                          const struct cs_queue_operated *operated,
                          const struct cs_queue_measured *measured,
                          struct cs_queue_replay_result *out);

#endif
