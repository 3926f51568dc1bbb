/* failing.h - how it is told that something went wrong: a sentence, or an object for programs.
 *
 * Where --format json was asked for, an error is one line of JSON on standard error:
 *
 *     {"error": "jobs.csv:3: ...", "kind": "input", "status": 1, "file": "jobs.csv", "line": 3}
 *
 * `kind` is that of the error (<cosched/error.h>), or "usage" when the command line is wrong;
 * `file` and `line` are there when the sentence begins with a file of the command line, `field`
 * when it begins with an option, `help` when the command line is wrong.
 */
#ifndef CS_CLI_FAILING_H
#define CS_CLI_FAILING_H

#include "problem/arguments.h"

#include <cosched/error.h>

/* The words of the command line, which say for whom errors are. */
void cs_failing_begin(int count, char *const *word);
bool cs_failing_for_programs(void);
bool cs_failing_for_data(void); /* --format csv too */

/* Tell it, if there are words; returns the status.  `args` (or NULL) are what was read of the line,
 * `help` the words of the command whose help to look into, or NULL. */
int cs_failing_report(const struct cs_error *err, int status, const struct cs_arguments *args,
                      const char *help);

/* The same for a sentence of our own, when there may be no memory left. */
int cs_failing_report_last(const struct cs_error *err, int status);

#endif
