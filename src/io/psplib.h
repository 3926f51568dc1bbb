/* psplib.h - project files of PSPLIB and MMLIB (.sm, .mm) and of Patterson (.rcp).
 *
 * spec/bag.md 2.4.  The first and the last job, which have no length, are left out; names are the
 * numbers of jobs; each job takes one of as many processors as there are jobs.  Renewable resources
 * are R1, R2, ..., the others the budgets N1, ...
 */
#ifndef CS_IO_PSPLIB_H
#define CS_IO_PSPLIB_H

#include "base/arena.h"
#include "base/lines.h"
#include "model/modes.h"

#include <stdbool.h>

/* Is it a line by which the format is recognised? */
bool cs_psplib_begins(const char *line);

/* Read the whole file; `patterson`: numbers only.  The arrays are in the arena.  -1 with err. */
int cs_psplib_read(struct cs_lines *lines, bool patterson, struct cs_arena *arena,
                   struct cs_modes *out, struct cs_error *err);

#endif
