/* known.h - keys of every problem: `known`, of an instance with a known optimum, and `energy`. */
#ifndef CS_CHECK_KNOWN_H
#define CS_CHECK_KNOWN_H

#include "check/check.h"

/* Compute it again from the numbers of its trap, and compare it with the schedule, if it holds for
 * the processors of the schedule. */
void cs_check_known(const struct cs_schedule_file *file, struct cs_check_report *report);

/* Compute the declared energy again from the bars. */
void cs_check_energy(const struct cs_schedule_file *file, struct cs_check_report *report);

#endif
