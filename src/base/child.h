/* child.h - another program, run to its end. */
#ifndef CS_BASE_CHILD_H
#define CS_BASE_CHILD_H

#include "base/strbuf.h"

#include <cosched/error.h>

/* Run argv[0], searched in PATH, with these arguments (the last is NULL) and empty input. Its
 * output is appended: standard output to `out`, standard error to `said`. *status is its exit
 * status, 128 plus the signal that ended it. -1 with err when it cannot be started. */
int cs_child_run(const char *const *argv, struct cs_strbuf *out, struct cs_strbuf *said,
                 int *status, struct cs_error *err);

/* The same, but the program is killed after so many seconds. */
int cs_child_run_within(double seconds, const char *const *argv, struct cs_strbuf *out,
                        struct cs_strbuf *said, int *status, struct cs_error *err);

#endif
