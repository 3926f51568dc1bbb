/* ending.h - files whose names promise another format than what is written.
 *
 * An option that writes says in its argument what it writes ("FILE.json"); a name with the ending
 * of something else (plan.csv, plan.json.gz) is refused before the work, others (plan, plan.txt)
 * are fine.  Pictures are written as their ending says and are judged elsewhere.
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
