/* inputs.h - the input files of a study. */
#ifndef CS_PROBLEM_INPUTS_H
#define CS_PROBLEM_INPUTS_H

#include "model/schedule.h"
#include "problem/problem.h"

/* List the input files, *count of them: the operands, and the values of fields with the scope
 * instance, variant or scenario (CS_SCOPE_*) that are paths, or texts that name a regular file. The
 * list lives in the arena and refers to the options, which must outlive it; digests are empty. */
struct cs_schedule_input *cs_inputs_of(const struct cs_problem *problem,
                                       const struct cs_study_options *options,
                                       struct cs_arena *arena, int *count);

/* The operands, or the lines of the parameter `input` of an experiment; ends with NULL. */
const char *const *cs_inputs_paths(const struct cs_study_options *options, struct cs_arena *arena);

/* Fill in the digests of regular files and directories; those of pipes stay empty. -1 with err if a
 * file cannot be read. */
int cs_inputs_digest(struct cs_schedule_input *input, int count, struct cs_arena *arena,
                     struct cs_error *err);

#endif
