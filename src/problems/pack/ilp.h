/* ilp.h - the integer program of Theorem 4 as a file. */
#ifndef CS_PACK_ILP_H
#define CS_PACK_ILP_H

#include "problems/pack/instance.h"

/* Write the program in LP format (CPLEX): times in seconds, unscaled, the names
 * of the tasks in comments; `-` is standard output.  The
 * optimum is the least cost of packs.  -1 with err: it is too large, or the file cannot be written.
 */
int cs_pack_ilp_write(const struct cs_pack_instance *in, const char *const *name, const char *path,
                      struct cs_error *err);

#endif
