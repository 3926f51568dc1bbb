/* replay_schedule.h - one replay as a schedule.
 *
 * Every attempt is a bar, of kind lost or work, on the processors that the replay gave it; with a
 * policy of shelves the group is the shelf.  Time 0 is the first submission: all times are moved by
 * it before the replay, so that bars end at (start + seconds) + verification to the bit.
 */
#ifndef CS_QUEUE_REPLAY_SCHEDULE_H
#define CS_QUEUE_REPLAY_SCHEDULE_H

#include "problems/queue/replay.h"

/* Jobs by submit time; failures[j] replace those of the jobs.  The tasks are the jobs in this
 * order. The replay's sets, watch and who do not count.  The caller destroys it.  NULL with err. */
struct cs_schedule *cs_queue_replay_schedule(const struct cs_queue_replay *replay,
                                             const struct cs_arrival *job, int count,
                                             const int64_t *failures, const char *const *name,
                                             struct cs_error *err);

#endif
