/* run.h - runs of real programs, from outside: how far one is, what ran, and to stop it.
 *
 *     char *text = cs_run_status("run1", &err);
 *
 * A run is a folder that `cosched run --into` has made.  These may be called from any thread and
 * any process of the same user, while somebody works on the run or not.
 */
#ifndef COSCHED_RUN_H
#define COSCHED_RUN_H

#include <cosched/error.h>
#include <cosched/schedule.h>
#include <stdbool.h>
#include <stddef.h>

CS_BEGIN_DECLS

/* The journal as it is at this moment, as a JSON object (cosched-run-status-1), the one of `run
 * status --format json`: "state" ("running", "stopping", "stopped", "done", "failed" or "nobody
 * works on it"), how many tasks are in each state, "executor" (who works on it, or null), "tasks"
 * with "task", "state" and "tries", and of their last attempt "attempt", "slots", "start", "end",
 * "expected_end" (seconds of the run), "outcome", "output" (a path), and "slots" with "slot",
 * "host", "up", "task".  "progress" is the share of a task that is done, of those that tell it.
 * The caller frees the text with cs_free (case.h).  NULL with err. */
CS_API char *cs_run_status(const char *folder, struct cs_error *err);

/* A run as its journal tells it at one moment, which nobody is held up for; it may be going on.
 * NULL with err.  The caller destroys it. */
struct cs_run_story;

CS_API struct cs_run_story *cs_run_story_read(const char *folder, struct cs_error *err);
CS_API void cs_run_story_destroy(struct cs_run_story *story); /* NULL is fine */

/* What ran, as a schedule on its slots: a bar for every attempt that has ended, work if it ended
 * well, else lost, and one for its verification.  The caller destroys it.  NULL: no memory. */
CS_API struct cs_schedule *cs_run_story_schedule(const struct cs_run_story *story);

/* What was planned: the plan, or what the same policy does of the same input when every attempt
 * takes its time and none fails.  The caller destroys it.  NULL with err. */
CS_API struct cs_schedule *cs_run_story_planned(const struct cs_run_story *story,
                                                struct cs_error *err);

/* What ran, as the text of a schedule file (cosched-schedule-1) that also says what was planned:
 * the one of `run schedule --output`, which `check` judges.  *length is without the 0 at its end
 * and may be NULL.  The caller frees the text with cs_free (case.h).  NULL with err. */
CS_API char *cs_run_story_text(const struct cs_run_story *story, size_t *length,
                               struct cs_error *err);

/* What ran beside what was planned, as a JSON object (cosched-run-story-1): "makespan" and
 * "planned" (seconds), "done" (tasks), "slot_seconds" (all that there were) of which "work", and
 * "other", a list with "on" and "slot_seconds" in the order in which they are told; the time from a
 * decision to its program, "median_to_program" and "p99_to_program"; "tasks" with the columns of
 * `run schedule --format json`; "attempts" with "task", "try", "procs", "decided", "start", "end",
 * "seconds" (from start to end), "outcome" (null: it runs) and "restarted_at", the share that was
 * done when it began from what was saved.  null: not known.  The caller frees the text with
 * cs_free.  NULL with err. */
CS_API char *cs_run_story_told(const struct cs_run_story *story, struct cs_error *err);

/* Ask who works on the run to stop: nothing more is started, and what runs may end; or, with
 * `now`, it is stopped too, and will run again when the run is resumed.  Returns when the request
 * was heard.  -1 with err when nobody works on it or answers. */
CS_API int cs_run_stop(const char *folder, bool now, struct cs_error *err);

CS_END_DECLS

#endif
