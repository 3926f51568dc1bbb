/* science_kit.h - kinds of golden cases of docs/spec/science.md in files of their own.  Each
 * function returns GOLDEN_SKIP for a kind that it does not have. */
#ifndef CS_TESTS_GOLDEN_SCIENCE_KIT_H
#define CS_TESTS_GOLDEN_SCIENCE_KIT_H

#include "base/arena.h"

#include <cosched/error.h>
#include <jansson.h>

/* science_jobs.c: lublin, lublin-weights, estimates-histogram, estimates, downey, sequences,
 * baselines, bicpa. */
int golden_science_jobs(const char *kind, const json_t *in, const json_t *want,
                        struct cs_arena *arena, struct cs_error *err);

/* Known optima, energy, packing, hindsight optima, patterns, refusals (science_parts.c). */
int golden_science_part(const char *kind, const json_t *in, const json_t *want,
                        struct cs_arena *arena, struct cs_error *err);

#endif
