/* known.h - the key `known` of an instance with a known optimum. */
#ifndef CS_CHECK_KNOWN_H
#define CS_CHECK_KNOWN_H

#include "check/check.h"

/* Compute it again from the numbers of its trap, and compare it with the schedule, if it holds for
 * the processors of the schedule. */
void cs_check_known(const struct cs_schedule_file *file, struct cs_check_report *report);

#endif
