/* run.h - runs of real programs, from outside: how far one is, and to stop it.
 *
 *     char *text = cs_run_status("run1", &err);
 *
 * A run is a folder that `cosched run --into` has made.  These may be called from any thread and
 * any process of the same user, while somebody works on the run or not.
 */
#ifndef COSCHED_RUN_H
#define COSCHED_RUN_H

#include <cosched/error.h>
#include <stdbool.h>

CS_BEGIN_DECLS

/* The journal as it is at this moment, as a JSON object (cosched-run-status-1), the one of `run
 * status --format json`: "state" ("running", "stopping", "stopped", "done", "failed" or "nobody
 * works on it"), how many tasks are in each state, "executor" (who works on it, or null), "tasks"
 * with "task", "state" and "tries", and of their last attempt "attempt", "slots", "start", "end",
 * "expected_end" (seconds of the run), "outcome", "output" (a path), and "slots" with "slot",
 * "host", "up", "task".  "progress" is the share of a task that is done, of those that tell it.
 * The caller frees the text with cs_free (case.h).  NULL with err. */
CS_API char *cs_run_status(const char *folder, struct cs_error *err);

/* Ask who works on the run to stop: nothing more is started, and what runs may end; or, with
 * `now`, it is stopped too, and will run again when the run is resumed.  Returns when the request
 * was heard.  -1 with err when nobody works on it or answers. */
CS_API int cs_run_stop(const char *folder, bool now, struct cs_error *err);

CS_END_DECLS

#endif
