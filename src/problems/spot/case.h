/* case.h - the functions of the problem spot; see struct cs_problem. */
#ifndef CS_SPOT_CASE_H
#define CS_SPOT_CASE_H

#include "problem/problem.h"

int cs_spot_case_check(const void *options, struct cs_error *err);
struct cs_study *cs_spot_case_open(const void *options, const struct cs_study_context *context,
                                   struct cs_error *err);
void cs_spot_case_close(struct cs_study *study);
int cs_spot_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                     struct cs_error *err);
void cs_spot_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT]);
struct cs_kept *cs_spot_case_record(const struct cs_study *study, int variant, long run,
                                    struct cs_error *err);
void cs_spot_case_put(const struct cs_study *study, const struct cs_kept *record,
                      struct cs_jsonw *w);
void cs_spot_case_discard(struct cs_kept *record);

/* For the checker: see cs_problem.supplied. */
int cs_spot_case_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                          struct cs_error *err);

#endif
