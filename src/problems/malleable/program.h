/* program.h - processors that somebody else's program moves, asked over JSON lines
 * (docs/policies.md).
 *
 * Once it has failed nothing moves any more.
 */
#ifndef CS_MALLEABLE_PROGRAM_H
#define CS_MALLEABLE_PROGRAM_H

#include "model/extpol.h"
#include "problems/malleable/policy.h"

/* Does one of the policies ask a program? */
bool cs_malleable_rules_ask(const struct cs_malleable_rules *rules);

/* A new run: the program of this thread hears what there is. */
void cs_malleable_program_begin(const struct cs_malleable_plan *plan);

#endif
