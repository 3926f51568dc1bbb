/* recorded.h - the recorded schedule of a log, passed to the same observers as a replay.
 *
 * Jobs whose start is recorded run in [recorded start, + run); the others are left out.  At an
 * instant attempts end, then jobs arrive, then attempts start.
 */
#ifndef CS_QUEUE_RECORDED_H
#define CS_QUEUE_RECORDED_H

#include "problems/queue/simulate.h"

struct cs_queue_recorded {
    int64_t jobs, unknown; /* passed to observers; without a recorded start */
    int64_t early;         /* jobs that started before they arrived: replayed with a wait of 0 */
    double peak;           /* the largest number of processors in use */
    double mostly;         /* 99.9 % of the time at most so many are */
    int64_t over;          /* instants after which more are in use than there are */
    double first_over;     /* the first of them; NaN: none */
};

/* Jobs without a recorded start go to the observers' left_out.  -1 with err when the source
 * fails. */
int cs_queue_recorded_run(double procs, cs_log_next_f *next, void *source,
                          const struct cs_queue_observer *observer, int observers,
                          struct cs_queue_recorded *result, struct cs_error *err);

#endif
