/* check_against.h - cosched check --against: a schedule and the files that it was made from.
 *
 * What a schedule declares of its tasks, machine and failures is only claimed.  Here the study is
 * opened again as the schedule's command says, on the files that the user names, and what it was
 * given takes the place of what the schedule declares; then the checks of the problem are made as
 * ever.  The digests of the files are compared too.
 */
#ifndef CS_CLI_CHECK_AGAINST_H
#define CS_CLI_CHECK_AGAINST_H

#include <cosched/check.h>

/* Add what is wrong to the report.  Which file is which is told by digests, then by names, then by
 * order: operands, then options.  -1 with err when they cannot be read, or are too few or too many.
 */
int cs_check_against(const struct cs_schedule_file *file, const char *const *given, int count,
                     struct cs_check_report *report, struct cs_error *err);

#endif
