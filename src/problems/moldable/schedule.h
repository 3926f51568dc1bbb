/* schedule.h - plans and runs as schedules. */
#ifndef CS_MOLDABLE_SCHEDULE_H
#define CS_MOLDABLE_SCHEDULE_H

#include "problems/moldable/simulate.h"

/* One bar an attempt, by start; each takes the lowest-numbered free processors.  The caller
 * destroys it. */
struct cs_schedule *cs_moldable_run_schedule(const struct cs_moldable_instance *in,
                                             const struct cs_moldable_outcome *outcome);

#endif
