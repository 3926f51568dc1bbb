/* observed.h - what ran, and was watched. */
#ifndef CS_CHECK_OBSERVED_H
#define CS_CHECK_OBSERVED_H

#include <cosched/check.h>

/* The rules of every schedule; attempts of a task one after the other and numbered upwards; exactly
 * one that ended well for every task that is not said to be unfinished, and nothing of it after
 * that but its verification; as many processors as were asked for.  Never durations: they are as
 * they were. */
void cs_check_observed(const struct cs_schedule *schedule,
                       const struct cs_schedule_observed *observed, struct cs_check_report *report);

#endif
