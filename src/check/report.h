/* report.h - append results of the checks to a report. */
#ifndef CS_CHECK_REPORT_H
#define CS_CHECK_REPORT_H

#include "check/check.h"

/* Count a violation and, below the limit, keep its sentence.  task: -1 for none; time: NaN
 * for none. */
void cs_check_add(struct cs_check_report *report, enum cs_violation violation, int task,
                  double time, const char *format, ...) CS_PRINTF(5, 6);

/* Set the reason for a missing or skipped check; the first one stays. */
void cs_check_lack(struct cs_check_report *report, const char *error_text);
void cs_check_note(struct cs_check_report *report, const char *error_text);

/* As cs_check_general; bars for which tiny[i] holds may end when they start, as they are shorter
 * than times are apart there (NULL: none). */
void cs_check_bars(const struct cs_schedule *schedule, bool one_at_a_time, const bool *tiny,
                   struct cs_check_report *report);

/* The bar as attempt number place + 1 of its task: its number, and its kind. false: invalid. */
bool cs_check_attempt(const struct cs_schedule *schedule, const struct cs_bar *bar, size_t place,
                      struct cs_check_report *report);

/* The unit of times of a schedule: "slots" for the problem volatile, else "s". */
const char *cs_check_unit(const struct cs_schedule *schedule);

/* The check could not be finished and counts as failed. Returns -1. */
int cs_check_broken(struct cs_check_report *report);

#endif
