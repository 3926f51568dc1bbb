/* program.h - configurations of an external program, requested over JSON lines (docs/policies.md).
 *
 * The program gets a request when no configuration runs and the hosts that are up can hold all
 * tasks, and when one runs; after an answer that keeps the present state, only after a change.
 * After a failure of the program the state stays unchanged.
 */
#ifndef CS_VOLATILE_PROGRAM_H
#define CS_VOLATILE_PROGRAM_H

#include "model/extpol.h"
#include "problems/volatile/decide.h"

struct cs_volatile_program;

/* Lives in the arena. */
struct cs_volatile_program *cs_volatile_program_create(const struct cs_volatile_instance *in,
                                                       struct cs_extpol *extpol,
                                                       struct cs_arena *arena);

/* A new run. */
void cs_volatile_program_begin(struct cs_volatile_program *program);

/* INSTALL: tasks[host] is the requested configuration. */
enum cs_volatile_finding cs_volatile_program_decide(struct cs_volatile_program *program,
                                                    const struct cs_volatile_view *view,
                                                    int *tasks);

#endif
