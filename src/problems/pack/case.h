/* case.h - the functions of the problem pack's description (problem/problem.h). */
#ifndef CS_PACK_CASE_H
#define CS_PACK_CASE_H

#include "base/arena.h"
#include "model/schedule.h"
#include "problem/problem.h"
#include "problems/pack/pack.h"

/* The metadata of a plan of packs in a file. */
/* The packs, costs and metrics of the plan, with the better of `lower_bound` (0 or NaN: none)
 * and the bound that its policy proved, without a certificate.  Lives in the arena and does not
 * need the plan.  A bound above the cost by rounding becomes the cost, so that a gap is never
 * negative. */
struct cs_pack_declared *cs_pack_declare(const struct cs_pack_instance *instance,
                                         const struct cs_pack_plan *plan, double lower_bound,
                                         struct cs_arena *arena);

int cs_pack_case_check(const void *options, struct cs_error *err);
struct cs_study *cs_pack_case_open(const void *options, const struct cs_study_context *context,
                                   struct cs_error *err);
void cs_pack_case_close(struct cs_study *study);
int cs_pack_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                     struct cs_error *err);

/* Processors, pack size, and the profiles of the workload before any repair; measured points at
 * 1, 2, ..., n are the table of them. */
void cs_pack_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT]);

struct cs_kept *cs_pack_case_record(const struct cs_study *study, int variant, long run,
                                    struct cs_error *err);
void cs_pack_case_put(const struct cs_study *study, const struct cs_kept *record,
                      struct cs_jsonw *w);
void cs_pack_case_discard(struct cs_kept *record);

/* For a judge: see cs_problem.given. */
int cs_pack_case_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                          struct cs_error *err);
int cs_pack_case_generate(const void *options, struct cs_error *err);

#endif
