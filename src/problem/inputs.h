/* inputs.h - the files that a study is made from. */
#ifndef CS_PROBLEM_INPUTS_H
#define CS_PROBLEM_INPUTS_H

#include "model/schedule.h"
#include "problem/problem.h"

/* The operands, and what fields name that says what is given, how it runs or what befalls it:
 * paths, and texts that are the path of a file.  Lives in the arena, which lives as long as the
 * options; digests are empty. */
struct cs_schedule_input *cs_inputs_of(const struct cs_problem *problem,
                                       const struct cs_study_options *options,
                                       struct cs_arena *arena, int *count);

/* Fill in the digests of those that are regular files; pipes have none.  -1 with err: a file cannot
 * be read. */
int cs_inputs_digest(struct cs_schedule_input *input, int count, struct cs_arena *arena,
                     struct cs_error *err);

#endif
