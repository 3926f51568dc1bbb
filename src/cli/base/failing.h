/* failing.h - report errors: as text, or as an object for programs.
 *
 * With --format json, an error is one line of JSON on standard error:
 *
 *     {"error": "jobs.csv:3: ...", "kind": "input", "status": 1, "file": "jobs.csv", "line": 3}
 *
 * `kind` is that of the error (<cosched/error.h>), or "usage" when the command line is wrong;
 * `file` and `line` are present if the message begins with a file of the command line, `field` if
 * it begins with an option, `help` if the command line is wrong.
 */
#ifndef CS_CLI_FAILING_H
#define CS_CLI_FAILING_H

#include "problem/arguments.h"

#include <cosched/error.h>

/* The words of the command line, which select the format of errors. */
void cs_failing_begin(int count, char *const *word);
bool cs_failing_for_programs(void);
bool cs_failing_for_data(void); /* --format csv too */

/* Report the error, if it has a message; return the status. `args` (or NULL) are the parsed
 * arguments, `help` the words of the command whose help to refer to, or NULL. */
int cs_failing_report(const struct cs_error *err, int status, const struct cs_arguments *args,
                      const char *help);

/* The same for internal messages, if memory may be exhausted. */
int cs_failing_report_last(const struct cs_error *err, int status);

#endif
