/* ending.h - detect file names with the extension of another format.
 *
 * The argument of an output option states its format ("FILE.json"); a name with the extension of
 * another format (plan.csv, plan.json.gz) is rejected before the work, others (plan, plan.txt) are
 * accepted. Charts are written in the format of their extension and are checked elsewhere.
 */
#ifndef CS_CLI_ENDING_H
#define CS_CLI_ENDING_H

#include "problem/arguments.h"

/* `argument` has the endings that are right, such as "FILE.json" or ".csv"; "DIR": none is.  `as`
 * is the option. */
int cs_ending_check(const char *as, const char *path, const char *argument, struct cs_error *err);

/* All options of outputs that were given; a name that is an operand too is judged elsewhere.  One
 * of them may be "-": standard output is left to it. */
int cs_endings_check(const struct cs_arguments *args, struct cs_error *err);

#endif
