/* log_schedule.h - the schedule of a replay: every attempt as a bar, every job as a task.
 *
 * Another observer of cs_rigid_operate.  Times count from the second in which the first job
 * arrives, unless some are fractions of seconds: then they stay on the log's clock, so that no sum
 * is rounded.  Memory grows with the log.
 */
#ifndef CS_RIGID_LOG_SCHEDULE_H
#define CS_RIGID_LOG_SCHEDULE_H

#include "base/arena.h"
#include "rigid/operate.h"

#include <cosched/schedule_file.h>

struct cs_rigid_log_kept; /* jobs and attempts of one way */

struct cs_rigid_log_kept *cs_rigid_log_kept_create(double verification);
void cs_rigid_log_kept_destroy(struct cs_rigid_log_kept *kept); /* NULL is fine */

struct cs_rigid_observer cs_rigid_log_kept_observer(struct cs_rigid_log_kept *kept);

/* On a machine of so many processors, with what a file declares of it but priority, scenario and
 * shelves; the declared lives in the arena.  The caller destroys the schedule.  NULL with err:
 * processors had no names, or an outage ended attempts, which a schedule cannot tell. */
struct cs_schedule *cs_rigid_log_kept_schedule(const struct cs_rigid_log_kept *kept, int64_t procs,
                                               struct cs_rigid_declared *declared,
                                               struct cs_arena *arena, struct cs_error *err);

#endif
