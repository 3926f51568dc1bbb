/* program.h - processors that a program of the user moves, queried over JSON lines
 * (docs/policies.md).
 *
 * After it has failed no processor moves.
 */
#ifndef CS_MALLEABLE_PROGRAM_H
#define CS_MALLEABLE_PROGRAM_H

#include "model/extpol.h"
#include "problems/malleable/policy.h"

/* Does one of the policies ask a program? */
bool cs_malleable_rules_ask(const struct cs_malleable_rules *rules);

/* A new run: the program of this thread is notified of the machine and of the run. */
void cs_malleable_program_begin(const struct cs_malleable_plan *plan);

#endif
