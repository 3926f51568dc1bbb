/* replay.h - replay a job log under other policies: `cosched replay` for programs.
 *
 *     const char *log[] = {"sacct.txt"};
 *     struct cs_replay *replay = cs_replay_run_json(
 *         log, 1, "{\"nodes\": 512, \"policy\": \"fcfs,easy\", \"full\": true}", NULL, &err);
 *     char *rows = replay ? cs_replay_text(replay, "json", NULL, NULL, &err) : NULL;
 *
 * Names, units, defaults and results are those of the tool (`cosched help replay`); docs/replays.md
 * explains them.
 */
#ifndef COSCHED_REPLAY_H
#define COSCHED_REPLAY_H

#include <cosched/error.h>
#include <cosched/watch.h>
#include <stddef.h>

CS_BEGIN_DECLS

struct cs_replay;
struct ArrowArrayStream; /* arrow.h */

/* Replay logs (paths; "-" is standard input), merged by time, under each policy and priority: a row
 * each, after one for the recorded schedule.  Without logs (count 0), the option `workload` draws
 * the jobs.  `options` is a JSON object (NULL: none): the names of `cosched help replay` with _ for
 * -, and `full`, `keep` and `keep_jobs`; a number, a text as on the command line or a list of
 * texts, true:
 *
 *     {"nodes": 512, "policy": ["fcfs", "easy"], "warmup": "7d", "full": true}
 *
 * `full` is needed for all texts but "table", "csv" and those of a schedule, `keep` for those (a
 * name for messages, such as "output"), `keep_jobs` for cs_replay_arrow.  Only the file of `jobs`
 * is written.  The watch may stop it at any time, and receives warnings.  NULL with err. */
CS_API struct cs_replay *cs_replay_run_json(const char *const *logs, int count, const char *options,
                                            const struct cs_watch *watch, struct cs_error *err);
CS_API void cs_replay_destroy(struct cs_replay *replay); /* NULL is fine */

/* These options as data: {"parameters": [{"key": "nodes", "values": "a whole number from 1 to ...",
 * "default": null, "summary": ...}, ...]}, as cs_case_describe has them; freed with cs_free.
 * cs_case_param_at (case.h) has them one by one. */
CS_API char *cs_replay_describe(struct cs_error *err);

struct cs_replay_style {
    size_t size;         /* sizeof(struct cs_replay_style) */
    const char *command; /* command recorded in the text, if the format can; NULL: none */
    int width;           /* of "table", columns of a terminal; 0: as wide as it gets */
};

/* The results as
 *
 *     "table"     for people
 *     "csv"       a line a row
 *     "json"      cosched-replay-1, of which chart.h makes pages and charts; wants `full`,
 *                 as does the next
 *     "series"    CSV: utilisation, queue and waits over calendar time
 *     "schedule" cosched-schedule-1, of the only row; needs `keep`, as does the next
 *     "gantt"     SVG: that schedule
 *
 * which the caller frees with cs_free; *length is without the 0 at its end and may be NULL; the
 * style may be NULL. NULL with err. */
CS_API char *cs_replay_text(const struct cs_replay *replay, const char *form,
                            const struct cs_replay_style *appearance, size_t *length,
                            struct cs_error *err);

/* The same text written to a file ("-": standard output), "schedule" while it is made, so that
 * memory does not hold it: to a new file in the same directory, which then replaces the old one. -1
 * with err, and the old file is as before. */
CS_API int cs_replay_write(const struct cs_replay *replay, const char *form,
                           const struct cs_replay_style *appearance, const char *path,
                           struct cs_error *err);

/* A row a job of each policy and priority, in the order in which they were done: policy, priority
 * (dictionaries), scenario (int64, where there are several), job_id (int64, utf8 where some are no
 * numbers), number (int64, its place in the log), user, partition (dictionaries), procs (int64),
 * submit, start, end, attempts (int32), estimate, request, promise, wait, bounded_slowdown, killed
 * (int32, 1 for yes), allocated (utf8, "0-3 7"): the table of `cosched replay --jobs`.  -1 with
 * err, also when the replay has not kept them (keep_jobs of its options). */
CS_API int cs_replay_arrow(const struct cs_replay *replay, struct ArrowArrayStream *out,
                           struct cs_error *err);

CS_END_DECLS

#endif
