/* fair_start.h - when a job would start if nobody came after it (Sabin and Sadayappan).
 *
 * The job is treated unfairly when it starts later than that.
 */
#ifndef CS_RIGID_FAIR_START_H
#define CS_RIGID_FAIR_START_H

#include "rigid/operate.h"

/* The start of the job with this number when no job with a larger number exists and all else is
 * equal.  The source is at its beginning; the operation's observers are not told.  -1 with err,
 * also when there is no such job. */
int cs_rigid_fair_start(const struct cs_rigid_operation *op, cs_log_next_f *next, void *source,
                        int64_t number, double *start, struct cs_error *err);

#endif
