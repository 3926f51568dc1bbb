/* sharing.h - no processor for two bars at once. */
#ifndef CS_CHECK_SHARING_H
#define CS_CHECK_SHARING_H

#include <cosched/check.h>

/* Report every bar that starts on a processor which an earlier bar (by start, then index)
 * still holds, with the one that holds it longest.  Only bars with fit[bar] are looked at:
 * their times are finite, their length positive and their sets well formed. */
void cs_check_sharing(const struct cs_schedule *schedule, const bool *fit,
                      struct cs_check_report *report);

#endif
