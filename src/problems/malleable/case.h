/* case.h - the functions of the problem malleable's description (problem/problem.h). */
#ifndef CS_MALLEABLE_CASE_H
#define CS_MALLEABLE_CASE_H

#include "base/arena.h"
#include "model/schedule.h"
#include "problem/problem.h"
#include "problems/malleable/malleable.h"

/* The keys of a schedule file that describe a run of malleable applications. */
/* The machine, the rules and what happened.  Lives in the arena and needs the record no longer. */
const struct cs_malleable_declared *
cs_malleable_declare(const struct cs_malleable_instance *instance,
                     const struct cs_malleable_rules *rules,
                     const struct cs_malleable_record *record, struct cs_arena *arena);

int cs_malleable_case_check(const void *options, struct cs_error *err);
struct cs_study *cs_malleable_case_open(const void *options, const struct cs_study_context *context,
                                        struct cs_error *err);
void cs_malleable_case_close(struct cs_study *study);
int cs_malleable_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                          struct cs_error *err);
void cs_malleable_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT]);
struct cs_kept *cs_malleable_case_record(const struct cs_study *study, int variant, long run,
                                         struct cs_error *err);
void cs_malleable_case_put(const struct cs_study *study, const struct cs_kept *record,
                           struct cs_jsonw *w);
void cs_malleable_case_discard(struct cs_kept *record);

/* For a judge: see cs_problem.given. */
int cs_malleable_case_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                               struct cs_error *err);
int cs_malleable_case_generate(const void *options, struct cs_error *err);

#endif
