/* case.h - the functions of the problem rigid's description (problem/problem.h).
 *
 * A run is a scenario of a set of jobs: the scenarios of the first set, those of the next, and so
 * on.  In an experiment a set with a job that would fail more often than spec/rigid.md 2 allows
 * is left out and counted, so that one such day does not cost the others of the month.
 */
#ifndef CS_RIGID_CASE_H
#define CS_RIGID_CASE_H

#include "base/digest.h"
#include "problem/problem.h"
#include "problems/rigid/problem.h"

int cs_rigid_case_check(const void *options, struct cs_error *err);
struct cs_study *cs_rigid_case_open(const void *options, const struct cs_study_context *context,
                                    struct cs_error *err);
void cs_rigid_case_close(struct cs_study *study);

/* case_run.c */
int cs_rigid_case_run(struct cs_study *study, const struct cs_study_progress *progress,
                      struct cs_error *err);

/* The policies that "all" stands for, with commas between. */
const char *cs_rigid_policy_all(struct cs_arena *arena);

/* Machine, verification and jobs of every set; where they arrive, the arrivals and the estimates.
 */
void cs_rigid_case_identify(const struct cs_study *study, char text[CS_DIGEST_TEXT]);

/* The identity of one set, without the name of the problem. */
void cs_rigid_identify_jobs(struct cs_digest *digest, const struct cs_sched_jobs *jobs);

struct cs_kept *cs_rigid_case_record(const struct cs_study *study, int variant, long run,
                                     struct cs_error *err);
void cs_rigid_case_put(const struct cs_study *study, const struct cs_kept *record,
                       struct cs_jsonw *w);
void cs_rigid_case_discard(struct cs_kept *record);

/* For a judge: see cs_problem.given. */
int cs_rigid_case_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                           struct cs_error *err);

/* arrivals.c: the same where jobs arrive, through the problem queue.  Do the options go together?
 * -1 with err. */
int cs_rigid_arrivals_check(const struct cs_rigid_options *options, struct cs_error *err);
int cs_rigid_arrivals_open(struct cs_rigid_case *c, const struct cs_study_context *context,
                           struct cs_error *err);
int cs_rigid_arrivals_run(struct cs_rigid_case *c, const struct cs_study_progress *progress,
                          struct cs_error *err);
void cs_rigid_arrivals_identify(const struct cs_rigid_case *c, struct cs_digest *digest);
struct cs_kept *cs_rigid_arrivals_record(const struct cs_study *study, int variant, long run,
                                         struct cs_error *err);
void cs_rigid_arrivals_put(const struct cs_study *study, const struct cs_kept *record,
                           struct cs_jsonw *w);
int cs_rigid_arrivals_supplied(const struct cs_study *study, struct cs_schedule_file *file,
                               struct cs_error *err);

/* A row for every attempt, in the form of Batsim's PREFIX_jobs.csv. */
int cs_rigid_case_table(const struct cs_study *study, const struct cs_kept *record,
                        struct cs_strbuf *out, struct cs_error *err);

/* trap.c: the names of traps, -1 with err; the jobs of one, in the arena, or NULL with err. */
#define CS_RIGID_TRAPS "shelf|shelf-fill|three-partition|greedy|ljf"
int cs_rigid_trap_check(const struct cs_rigid_options *options, struct cs_error *err);
struct cs_trap_jobs *cs_rigid_trap_create(const struct cs_rigid_options *options,
                                          struct cs_arena *arena, struct cs_error *err);

int cs_rigid_case_generate(const void *options, struct cs_error *err);

#endif
