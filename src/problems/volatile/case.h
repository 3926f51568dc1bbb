/* case.h - the functions of the problem volatile; see struct cs_problem. */
#ifndef CS_VOLATILE_CASE_H
#define CS_VOLATILE_CASE_H

#include "base/digest.h"
#include "problem/problem.h"
#include "problems/volatile/volatile.h"

/* The digest of an instance (problem/cache.h). */
/* The application and the hosts with their chains, as policies are given them. */
void cs_volatile_identity(const struct cs_volatile_instance *instance, char text[CS_DIGEST_TEXT]);

struct cs_study *cs_volatile_case_open(const void *options, const struct cs_study_context *context,
                                       struct cs_error *err);
void cs_volatile_case_close(struct cs_study *study);
int cs_volatile_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                         struct cs_error *err);
void cs_volatile_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT]);

struct cs_kept *cs_volatile_case_record(const struct cs_study *study, int variant, long run,
                                        struct cs_error *err);
void cs_volatile_case_put(const struct cs_study *study, const struct cs_kept *record,
                          struct cs_jsonw *w);
void cs_volatile_case_discard(struct cs_kept *record);

/* For a judge: see cs_problem.given. */
int cs_volatile_case_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                              struct cs_error *err);

int cs_volatile_case_generate(const void *options, struct cs_error *err);

#endif
