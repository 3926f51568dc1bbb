/* child.h - other programs: start one, or run one to its end. */
#ifndef CS_BASE_CHILD_H
#define CS_BASE_CHILD_H

#include "base/strbuf.h"

#include <cosched/error.h>
#include <sys/types.h>

/* Start a file, searched in PATH, with the mask of cs_thread_mask.  fd: its standard
 * input (negative: empty), output and errors (negative: those of this program).  With `group` it
 * leads a new group of processes.  Returns 0 or errno. */
int cs_child_spawn(const char *file, const char *const *argv, const int *fd, bool group,
                   pid_t *pid);

/* Run argv[0], searched in PATH, with these arguments (the last is NULL) and empty input. Its
 * output is appended: standard output to `out`, standard error to `said`. *status is its exit
 * status, 128 plus the signal that ended it. -1 with err when it cannot be started. */
int cs_child_run(const char *const *argv, struct cs_strbuf *out, struct cs_strbuf *said,
                 int *status, struct cs_error *err);

/* The same, but the program is killed after so many seconds. */
int cs_child_run_within(double seconds, const char *const *argv, struct cs_strbuf *out,
                        struct cs_strbuf *said, int *status, struct cs_error *err);

#endif
