/* schedule_text.h - a run of a study as the text of a schedule file. */
#ifndef CS_PROBLEM_SCHEDULE_TEXT_H
#define CS_PROBLEM_SCHEDULE_TEXT_H

#include "problem/problem.h"

/* Append the labels of a variant, separated by `between`, such as "local, stf". */
void cs_study_put_variant(const struct cs_study *study, int variant, const char *between,
                          struct cs_strbuf *out);

/* Append the schedule file of one recorded run of a variant.  -1 with err: an input cannot be read
 * again for its digest. */
int cs_study_put_file(const struct cs_study *study, int variant, const struct cs_kept *record,
                      struct cs_strbuf *out, struct cs_error *err);

#endif
