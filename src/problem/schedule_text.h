/* schedule_text.h - a run of a study as the text of a schedule file. */
#ifndef CS_STUDY_SCHEDULE_TEXT_H
#define CS_STUDY_SCHEDULE_TEXT_H

#include "problem/problem.h"

/* The words of a way, such as "local, stf". */
void cs_study_put_variant(const struct cs_study *study, int variant, const char *between,
                          struct cs_strbuf *out);

/* Append the schedule file of one run of a way, kept. */
void cs_study_put_file(const struct cs_study *study, int variant, const struct cs_kept *record,
                       struct cs_strbuf *out);

#endif
