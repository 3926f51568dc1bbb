/* case.h - the functions of the problem ptg's description (problem/problem.h). */
#ifndef CS_PTG_CASE_H
#define CS_PTG_CASE_H

#include "problem/problem.h"
#include "problems/ptg/ptg.h"

int cs_ptg_case_check(const void *options, struct cs_error *err);
struct cs_study *cs_ptg_case_open(const void *options, const struct cs_study_context *context,
                                  struct cs_error *err);
void cs_ptg_case_close(struct cs_study *study);
int cs_ptg_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                    struct cs_error *err);
void cs_ptg_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT]);
struct cs_kept *cs_ptg_case_record(const struct cs_study *study, int variant, long run,
                                   struct cs_error *err);
void cs_ptg_case_put(const struct cs_study *study, const struct cs_kept *record,
                     struct cs_jsonw *w);
void cs_ptg_case_discard(struct cs_kept *record);

/* For a judge: see cs_problem.given. */
int cs_ptg_case_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                         struct cs_error *err);
int cs_ptg_case_generate(const void *options, struct cs_error *err);

/* The digest of the same graphs with the same releases on several platforms: at least one. */
void cs_ptg_identify(const struct cs_ptg_instance *const *instance, int platforms,
                     char text[CS_DIGEST_TEXT]);

#endif
