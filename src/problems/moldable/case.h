/* case.h - the functions of the problem moldable's description (problem/problem.h). */
#ifndef CS_MOLDABLE_CASE_H
#define CS_MOLDABLE_CASE_H

#include "problem/problem.h"
#include "problems/moldable/problem.h"
#include "problems/moldable/simulate.h"

int cs_moldable_case_check(const void *options, struct cs_error *err);
struct cs_study *cs_moldable_case_open(const void *options, const struct cs_study_context *context,
                                       struct cs_error *err);
void cs_moldable_case_close(struct cs_study *study);
int cs_moldable_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                         struct cs_error *err);
void cs_moldable_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT]);
struct cs_kept *cs_moldable_case_record(const struct cs_study *study, int variant, long run,
                                        struct cs_error *err);
void cs_moldable_case_put(const struct cs_study *study, const struct cs_kept *record,
                          struct cs_jsonw *w);
void cs_moldable_case_discard(struct cs_kept *record);

/* For a judge: see cs_problem.given. */
int cs_moldable_case_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                              struct cs_error *err);
int cs_moldable_case_generate(const void *options, struct cs_error *err);

/* The request of a plan by the options; no planner is named. */
void cs_moldable_case_request(const struct cs_moldable_case *c,
                              struct cs_moldable_request *request);

/* Plan every size, and keep the plan of the smallest size within the share of the least makespan.
 * -1 with err. */
int cs_moldable_case_frontier(struct cs_moldable_case *c, struct cs_error *err);

/* Set c->advice: the limit of the plan, and the smallest machine for it. */
void cs_moldable_case_explain(struct cs_moldable_case *c, const struct cs_moldable_plan *plan);

/* One bar an attempt, by start; each takes whole blocks of free processors.  The caller
 * destroys it. */
struct cs_schedule *cs_moldable_run_schedule(const struct cs_moldable_instance *in,
                                             const struct cs_moldable_outcome *outcome);

#endif
